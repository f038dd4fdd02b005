//! `omnigraph explain`

use crate::args::ExplainArgs;
use crate::config::AliasCommand;
use crate::failure::Failure;
use crate::queries::{Asked, read_source};
use crate::render;
use crate::session::{Session, open};
use omnigraph_compiler::{Plan, QueryFile, Schema, check_query, plan_query};
use serde_json::json;
use std::path::Path;

pub(super) fn run(session: &Session, args: &ExplainArgs) -> Result<(), Failure> {
    let asked = Asked::new(session, &args.ask, AliasCommand::Read)?;
    let text = if let Some(schema) = &args.schema {
        planned(&asked, schema)?.to_string()
    } else {
        described(session, args, &asked)?
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

/// The plan for the schema of a graph; with what every operator did when the query is to be run.
fn described(session: &Session, args: &ExplainArgs, asked: &Asked) -> Result<String, Failure> {
    let target = session.target(&args.at)?;
    let graph = open(session, &asked.location(session)?)?;
    let (source, name) = (asked.source.text(), asked.name.as_deref());
    let text = if args.analyze {
        graph.analyze(&target, source, name, &asked.params).map(|(_, text)| text)
    } else {
        graph.plan(&target, source, name).map(|plan| plan.to_string())
    };
    text.map_err(|error| Failure::about(error, &asked.source))
}

/// The plan for a schema that is in a file.
fn planned(asked: &Asked, schema: &Path) -> Result<Plan, Failure> {
    let schema_source = read_source(schema)?;
    let schema = Schema::parse(&schema_source).map_err(|found| Failure::text(&found, &schema_source))?;
    let wrong = |found| Failure::text(&found, &asked.source);
    let file = QueryFile::parse(&asked.source).map_err(wrong)?;
    let name = asked.query_name();
    let Some(query) = file.query(&name) else {
        let known = file.queries.iter().map(|query| query.name.text.clone()).collect();
        return Err(Failure::about(omnigraph::Error::NoQuery { name, known }, &asked.source));
    };
    Ok(plan_query(&schema.catalog, &check_query(&schema.catalog, query).map_err(wrong)?))
}
