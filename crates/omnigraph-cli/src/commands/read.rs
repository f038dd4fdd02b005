//! `omnigraph read`

use crate::args::{FormatChoice, ReadArgs};
use crate::config::AliasCommand;
use crate::failure::Failure;
use crate::queries::Asked;
use crate::render;
use crate::session::{Session, open};
use omnigraph::render::{QueryResult, TableOptions};

pub(super) fn run(session: &Session, args: &ReadArgs) -> Result<(), Failure> {
    let asked = Asked::new(session, &args.ask, AliasCommand::Read)?;
    let mut at = args.at.clone();
    if at.snapshot.is_none() {
        at.branch = asked.branch(at.branch.as_deref());
    }
    let target = session.target(&at)?;
    let graph = open(session, &asked.location(session)?)?;
    let answer = graph
        .read(&target, asked.source.text(), asked.name.as_deref(), &asked.params)
        .map_err(|error| Failure::about(error, &asked.source))?;
    let of_alias = asked.alias.as_ref().and_then(|alias| alias.format);
    let format = args.format.or(session.json.then_some(FormatChoice::Json)).or(of_alias);
    let format = format.or(session.config.format()).unwrap_or(FormatChoice::Table);
    print(session, &answer.result(&target), format)
}

fn print(session: &Session, result: &QueryResult, format: FormatChoice) -> Result<(), Failure> {
    match format {
        FormatChoice::Json => render::line(&result.to_json(true)),
        FormatChoice::Jsonl => render::text(result.to_jsonl()),
        FormatChoice::Csv => render::text(result.to_csv()),
        FormatChoice::Kv => render::text(result.to_kv()),
        FormatChoice::Arrow => render::text(result.to_arrow_ipc()?),
        FormatChoice::Table => {
            let (max_column_width, layout) = session.config.table();
            let options = TableOptions { width: render::screen_width(), max_column_width, layout };
            render::text(result.to_table(&options))
        }
    }
}
