//! `omnigraph explain`

use crate::args::ExplainArgs;
use crate::config::AliasCommand;
use crate::failure::Failure;
use crate::queries::{Asked, read_source};
use crate::render;
use crate::session::{Session, open};
use omnigraph_compiler::{Plan, QueryFile, Schema, check, plan};
use serde_json::json;
use std::path::PathBuf;

pub(super) fn run(session: &Session, args: &ExplainArgs) -> Result<(), Failure> {
    let asked = Asked::new(session, &args.ask, AliasCommand::Read)?;
    let text = match &args.schema {
        Some(schema) => planned(&asked, schema)?.to_string(),
        None => {
            let target = session.target(&args.at)?;
            let graph = open(&asked.location(session)?)?;
            let (source, name) = (asked.source.text(), asked.name.as_deref());
            let text = if args.analyze {
                graph.analyze(&target, source, name, &asked.params).map(|(_, text)| text)
            } else {
                graph.plan(&target, source, name).map(|plan| plan.to_string())
            };
            text.map_err(|error| Failure::about(error, &asked.source))?
        }
    };
    if session.json {
        return render::json(&json!({
            "query_name": asked.query_name(),
            "analyzed": args.analyze,
            "plan": text.lines().collect::<Vec<_>>(),
        }));
    }
    render::text(text)
}

/// The plan for a schema that is in a file.
fn planned(asked: &Asked, schema: &PathBuf) -> Result<Plan, Failure> {
    let schema_source = read_source(schema)?;
    let schema = Schema::parse(&schema_source).map_err(|found| Failure::text(&found, &schema_source))?;
    let wrong = |found| Failure::text(&found, &asked.source);
    let file = QueryFile::parse(&asked.source).map_err(wrong)?;
    let checked = check(&schema.catalog, &file).map_err(wrong)?;
    let known: Vec<String> = checked.queries.iter().map(|query| query.name.clone()).collect();
    let name = asked.query_name();
    plan(&schema.catalog, &checked, &name)
        .ok_or_else(|| Failure::about(omnigraph::Error::NoQuery { name, known }, &asked.source))
}
