//! `omnigraph entity`

use crate::args::EntityArgs;
use crate::failure::Failure;
use crate::render;
use crate::session::Session;
use serde_json::json;
use std::fmt::Write as _;

pub(super) fn run(session: &Session, args: &EntityArgs) -> Result<(), Failure> {
    let target = session.target(&args.at)?;
    let (graph, _) = session.open(&args.place)?;
    let Some(entity) = graph.entity_at(&target, &args.type_name, &args.id)? else {
        let message = format!("no {} `{}` at {target}", args.type_name, args.id);
        return Err(Failure::new("not_found", message));
    };
    let record = &entity.snapshot.record;
    if session.json {
        let ends = entity.endpoints.as_ref().map(|ends| json!({ "src": ends.src, "dst": ends.dst }));
        return render::json(&json!({
            "table_key": entity.table_key,
            "kind": entity.kind.as_str(),
            "type_name": entity.type_name,
            "id": entity.id,
            "endpoints": ends,
            "properties": entity.values,
            "graph_commit_id": record.id,
            "manifest_version": record.version,
        }));
    }
    let mut out = format!("{} {}\n", entity.type_name, entity.id);
    if let Some(ends) = &entity.endpoints {
        let _ = writeln!(out, "from: {}\nto: {}", ends.src, ends.dst);
    }
    for (name, value) in &entity.values {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let _ = writeln!(out, "{name}: {text}");
    }
    render::text(out)
}
