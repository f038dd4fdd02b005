//! A step of a migration as programs see it.

use omnigraph::compiler::migrate::{Change, Step, TypeRef};
use serde_json::{Value, json};

/// A step as programs see it: what, of which type, how safe, and in words.
pub(super) fn step(step: &Step) -> Value {
    let mut value = members(&step.change);
    value["kind"] = step.change.kind().into();
    value["safety"] = step.safety.as_str().into();
    value["text"] = step.change.to_string().into();
    value["hint"] = step.hint.clone().into();
    value
}

fn members(change: &Change) -> Value {
    let of = |of: &TypeRef| json!({ "type_kind": of.kind.as_str(), "type_name": of.name });
    let with = |mut value: Value, more: Value| {
        for (name, member) in more.as_object().into_iter().flatten() {
            value[name] = member.clone();
        }
        value
    };
    match change {
        Change::AddType { of } | Change::DropType { of } => {
            json!({ "type_kind": of.kind.as_str(), "name": of.name })
        }
        Change::RenameType { kind, from, to } => {
            json!({ "type_kind": kind.as_str(), "from": from, "to": to })
        }
        Change::AddProperty { of: ty, property, ty: value, fill } => {
            let fill = fill.as_ref().map(ToString::to_string);
            with(
                of(ty),
                json!({ "property_name": property, "property_type": value.to_string(), "fill": fill }),
            )
        }
        Change::RenameProperty { of: ty, from, to } => with(of(ty), json!({ "from": from, "to": to })),
        Change::ChangePropertyType { of: ty, property, from, to, .. } => {
            with(of(ty), json!({ "property_name": property, "from": from.to_string(), "to": to.to_string() }))
        }
        Change::ChangeDefault { of: ty, property, .. }
        | Change::ChangeEmbed { of: ty, property, .. }
        | Change::DropProperty { of: ty, property } => with(of(ty), json!({ "property_name": property })),
        Change::AddConstraint { of: ty, constraint } | Change::DropConstraint { of: ty, constraint } => {
            with(of(ty), json!({ "constraint": constraint.to_string() }))
        }
        Change::ChangeCardinality { of: ty, from, to } => {
            with(of(ty), json!({ "from": from.to_string(), "to": to.to_string() }))
        }
        Change::ChangeImplements { of: ty, from, to } => with(of(ty), json!({ "from": from, "to": to })),
        Change::UpdateTypeMetadata { of: ty, annotations } => {
            let names: Vec<&str> = annotations.iter().map(|note| note.name.as_str()).collect();
            with(of(ty), json!({ "annotations": names }))
        }
        Change::UpdatePropertyMetadata { of: ty, property, annotations } => {
            let names: Vec<&str> = annotations.iter().map(|note| note.name.as_str()).collect();
            with(of(ty), json!({ "property_name": property, "annotations": names }))
        }
        Change::UnsupportedChange { entity, reason } => json!({ "entity": entity, "reason": reason }),
    }
}
