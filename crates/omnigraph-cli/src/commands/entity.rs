//! `omnigraph entity`

use crate::args::EntityArgs;
use crate::failure::Failure;
use crate::render;
use crate::session::{Session, State};
use omnigraph_api::calls::entity::EntityRequest;
use std::fmt::Write as _;

pub(super) fn run(session: &Session, args: &EntityArgs) -> Result<(), Failure> {
    let State { branch, snapshot, at } = session.state(&args.at)?;
    let (type_name, id) = (args.type_name.clone(), args.id.clone());
    let entity = session.backend(&args.place)?.call(EntityRequest { type_name, id, branch, snapshot, at })?;
    if session.json {
        return render::json(&entity);
    }
    let mut out = format!("{} {}\n", entity.type_name, entity.id);
    if let Some(ends) = &entity.endpoints {
        let _ = writeln!(out, "from: {}\nto: {}", ends.src, ends.dst);
    }
    for (name, value) in &entity.properties {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let _ = writeln!(out, "{name}: {text}");
    }
    render::text(out)
}
