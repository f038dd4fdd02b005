//! `omnigraph schema`

use super::migrate;
use super::query::formatted;
use crate::args::{Place, SchemaCommand, When};
use crate::failure::Failure;
use crate::render;
use crate::session::{Session, State};
use omnigraph_api::calls::schema::SchemaGetRequest;
use omnigraph_compiler::format_schema;

pub(super) fn run(session: &Session, command: &SchemaCommand) -> Result<(), Failure> {
    match command {
        SchemaCommand::Get { at, place } => get(session, at, place),
        SchemaCommand::Plan(args) => migrate::plan(session, args),
        SchemaCommand::Apply(args) => migrate::apply(session, args),
        SchemaCommand::Fmt(args) => formatted(session, &args.file, args.format, format_schema),
    }
}

fn get(session: &Session, at: &When, place: &Place) -> Result<(), Failure> {
    let State { branch, snapshot, at } = session.state(at)?;
    let found = session.backend(place)?.call(SchemaGetRequest { branch, snapshot, at })?;
    if session.json {
        return render::json(&found);
    }
    let source = found.schema_source;
    let end = if source.ends_with('\n') { "" } else { "\n" };
    render::text(format!("{source}{end}"))
}
