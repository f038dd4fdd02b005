//! `omnigraph read`

use crate::args::{FormatChoice, ReadArgs};
use crate::config::layout;
use crate::failure::Failure;
use crate::queries::Asked;
use crate::render;
use crate::session::{Session, State};
use omnigraph::render::{QueryResult, TableOptions};
use omnigraph_api::calls::read::ReadRequest;
use omnigraph_api::config::AliasCommand;

pub(super) fn run(session: &Session, args: &ReadArgs) -> Result<(), Failure> {
    let asked = Asked::new(session, &args.ask, AliasCommand::Read)?;
    let State { branch, snapshot, at } = asked.state(session, &args.at)?;
    let result = asked.backend(session)?.read(ReadRequest {
        query_source: asked.source.text().to_owned(),
        query_name: asked.name.clone(),
        params: asked.params.clone(),
        branch,
        snapshot,
        at,
        source_name: Some(asked.source.name().to_owned()),
    })?;
    let of_alias = asked.alias.as_ref().and_then(|alias| alias.format);
    let configured = of_alias.or(session.config.format()).map(FormatChoice::from);
    let format = args.format.or(session.json.then_some(FormatChoice::Json)).or(configured);
    print(session, &result, format.unwrap_or(FormatChoice::Table))
}

pub(super) fn print(session: &Session, result: &QueryResult, format: FormatChoice) -> Result<(), Failure> {
    match format {
        FormatChoice::Json => render::line(&result.to_json(true)),
        FormatChoice::Jsonl => render::text(result.to_jsonl()),
        FormatChoice::Csv => render::text(result.to_csv()),
        FormatChoice::Kv => render::text(result.to_kv()),
        FormatChoice::Arrow => render::text(result.to_arrow_ipc()?),
        FormatChoice::Table => {
            let (max_column_width, cells) = session.config.table();
            let width = render::screen_width();
            let options = TableOptions { width, max_column_width, layout: layout(cells) };
            render::text(result.to_table(&options))
        }
    }
}
