//! `omnigraph explain`

use crate::args::ExplainArgs;
use crate::failure::Failure;
use crate::queries::{Asked, read_source};
use crate::render;
use crate::session::{Session, State};
use omnigraph_api::calls::explain::{ExplainOutput, ExplainRequest};
use omnigraph_api::config::AliasCommand;
use omnigraph_api::fault::Fault;
use omnigraph_compiler::{QueryFile, Schema, check_query, plan_query};
use std::path::Path;

pub(super) fn run(session: &Session, args: &ExplainArgs) -> Result<(), Failure> {
    let asked = Asked::new(session, &args.ask, AliasCommand::Read)?;
    let explained = match &args.schema {
        Some(schema) => planned(&asked, schema)?,
        None => described(session, args, &asked)?,
    };
    if session.json {
        return render::json(&explained);
    }
    render::text(explained.plan.iter().flat_map(|line| [line.as_str(), "\n"]).collect::<String>())
}

/// The plan for the schema of a graph; with what every operator did when the query is to be run.
fn described(session: &Session, args: &ExplainArgs, asked: &Asked) -> Result<ExplainOutput, Failure> {
    let State { branch, snapshot, at } = asked.state(session, &args.at)?;
    asked.backend(session)?.call(ExplainRequest {
        query_source: asked.source.text().to_owned(),
        query_name: asked.name.clone(),
        params: asked.params.clone(),
        branch,
        snapshot,
        at,
        analyze: args.analyze,
        source_name: Some(asked.source.name().to_owned()),
    })
}

/// The plan for a schema that is in a file.
fn planned(asked: &Asked, schema: &Path) -> Result<ExplainOutput, Failure> {
    let schema_source = read_source(schema)?;
    let schema = Schema::parse(&schema_source).map_err(|found| Failure::text(&found, &schema_source))?;
    let wrong = |found| Failure::text(&found, &asked.source);
    let file = QueryFile::parse(&asked.source).map_err(wrong)?;
    let name = asked.query_name();
    let Some(query) = file.query(&name) else {
        let known = file.queries.iter().map(|query| query.name.text.clone()).collect();
        return Err(Fault::about(omnigraph::Error::NoQuery { name, known }, &asked.source).into());
    };
    let plan = plan_query(&schema.catalog, &check_query(&schema.catalog, query).map_err(wrong)?);
    let plan = plan.to_string().lines().map(str::to_owned).collect();
    Ok(ExplainOutput { query_name: name, analyzed: false, plan })
}
