//! `omnigraph schema`

use super::migrate;
use super::query::formatted;
use crate::args::{Place, SchemaCommand, When};
use crate::failure::Failure;
use crate::render;
use crate::session::Session;
use omnigraph_compiler::format_schema;
use serde_json::json;

pub(super) fn run(session: &Session, command: &SchemaCommand) -> Result<(), Failure> {
    match command {
        SchemaCommand::Get { at, place } => get(session, at, place),
        SchemaCommand::Plan(args) => migrate::plan(session, args),
        SchemaCommand::Apply(args) => migrate::apply(session, args),
        SchemaCommand::Fmt(args) => formatted(session, &args.file, args.format, format_schema),
    }
}

fn get(session: &Session, at: &When, place: &Place) -> Result<(), Failure> {
    let target = session.target(at)?;
    let (graph, _) = session.open(place)?;
    let source = graph.schema(&target)?;
    if session.json {
        return render::json(&json!({ "schema_source": source }));
    }
    let end = if source.ends_with('\n') { "" } else { "\n" };
    render::text(format!("{source}{end}"))
}
