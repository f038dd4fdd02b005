//! What is stored, as clients see it: camelCase, ids and words as text.

use crate::bounds::Rows;
use crate::graph::context::{AtomContext, Context, MoleculeContext};
use crate::graph::related;
use crate::id::Id;
use crate::model::{
    Atom, ChangelogEntry, Container, Kind, Molecule, Named, Related, Reservation, Section, Status, Template,
    Transition, Unit,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;

fn id(id: Id) -> Value {
    id.to_string().into()
}

fn maybe_id(given: Option<Id>) -> Value {
    given.map_or(Value::Null, id)
}

fn ids(given: &[Id]) -> Value {
    given.iter().map(|given| id(*given)).collect()
}

/// Ids of blockers, and `NO_OP`.
pub(crate) fn blocked_by(it: &Container) -> Value {
    let mut blockers: Vec<Value> = it.blocked_by.iter().map(|given| id(*given)).collect();
    blockers.extend(it.is_held.then(|| Value::from("NO_OP")));
    blockers.into()
}

/// Who works on it.
pub(crate) fn claim(it: &Container) -> Value {
    it.claim.as_ref().map_or(
        Value::Null,
        |claim| json!({"actor": claim.actor, "claimedAt": claim.claimed_at, "expiresAt": claim.expires_at}),
    )
}

pub(crate) fn container(it: &Container) -> Value {
    if it.kind == Kind::Project {
        return json!({
            "id": id(it.id), "name": it.name, "summary": it.summary, "description": it.description,
            "tags": it.tags, "version": it.version, "createdAt": it.created_at, "modifiedAt": it.modified_at,
        });
    }
    let mut value = json!({"id": id(it.id), "projectId": maybe_id(it.project_id)});
    if it.kind == Kind::Task {
        value["featureId"] = maybe_id(it.feature_id);
        value["title"] = it.name.as_str().into();
    } else {
        value["name"] = it.name.as_str().into();
    }
    value["summary"] = it.summary.as_str().into();
    value["description"] = it.description.clone().into();
    value["status"] = it.status.word().into();
    value["priority"] = it.priority.word().into();
    if it.kind == Kind::Task {
        value["complexity"] = it.complexity.into();
    }
    value["tags"] = it.tags.clone().into();
    value["blockedBy"] = blocked_by(it);
    value["blockedReason"] = it.blocked_reason.clone().into();
    value["relatedTo"] = ids(&it.related_to);
    value["claim"] = claim(it);
    value["version"] = it.version.into();
    value["createdAt"] = it.created_at.as_str().into();
    value["modifiedAt"] = it.modified_at.as_str().into();
    value
}

pub(crate) fn named(it: &Named) -> Value {
    json!({"id": id(it.id), "type": it.kind.word(), "name": it.name})
}

/// A container in short.
pub(crate) fn brief(it: &Container) -> Value {
    json!({"id": id(it.id), "type": it.kind.word(), "name": it.name, "version": it.version})
}

pub(crate) fn task_counts(counts: &BTreeMap<Status, i64>) -> Value {
    let by_status: serde_json::Map<String, Value> =
        counts.iter().map(|(status, count)| (status.word().to_owned(), (*count).into())).collect();
    json!({"total": counts.values().sum::<i64>(), "byStatus": by_status})
}

pub(crate) fn section(it: &Section, with_content: bool) -> Value {
    json!({
        "id": id(it.id), "entityType": it.owner_kind.word().to_uppercase(), "entityId": id(it.owner_id),
        "title": it.title, "usageDescription": it.usage_description,
        "content": if with_content { it.content.as_str() } else { "" },
        "contentFormat": it.format.word(), "ordinal": it.ordinal, "tags": it.tags, "version": it.version,
        "createdAt": it.created_at, "modifiedAt": it.modified_at,
    })
}

pub(crate) fn template(it: &Template, with_sections: bool) -> Value {
    let mut value = json!({
        "id": id(it.id), "name": it.name, "description": it.description,
        "targetEntityType": it.target.word().to_uppercase(), "isBuiltIn": it.is_built_in,
        "isEnabled": it.is_enabled, "tags": it.tags, "version": it.version, "createdAt": it.created_at,
        "modifiedAt": it.modified_at,
    });
    if with_sections {
        let sections = it.sections.iter().map(|part| {
            json!({
                "id": id(part.id), "title": part.title, "usageDescription": part.usage_description,
                "contentSample": part.content_sample, "contentFormat": part.format.word(),
                "ordinal": part.ordinal, "isRequired": part.is_required, "tags": part.tags,
            })
        });
        value["sections"] = sections.collect();
    }
    value
}

pub(crate) fn transition(it: &Transition) -> Value {
    json!({
        "actor": it.actor, "at": it.at, "from": it.from.word(), "to": it.to.word(), "trigger": it.trigger.word(),
        "reason": it.reason,
    })
}

pub(crate) fn reservation(it: &Reservation) -> Value {
    json!({
        "taskId": id(it.task_id), "taskTitle": it.task_title, "actor": it.actor, "path": it.pattern,
        "reservedAt": it.reserved_at, "expiresAt": it.expires_at,
    })
}

fn relations(unit: Unit, entries: &[Related]) -> Value {
    entries.iter().map(|entry| json!({related::key(unit): id(entry.id), "reason": entry.reason})).collect()
}

pub(crate) fn molecule(it: &Molecule) -> Value {
    json!({
        "id": id(it.id), "projectId": id(it.project_id), "name": it.name, "knowledge": it.knowledge,
        "relatedMolecules": relations(Unit::Molecule, &it.related), "createdByTaskId": id(it.created_by_task_id),
        "lastTaskId": id(it.last_task_id), "version": it.version, "createdAt": it.created_at,
        "updatedAt": it.updated_at,
    })
}

pub(crate) fn atom(it: &Atom) -> Value {
    json!({
        "id": id(it.id), "projectId": id(it.project_id), "moleculeId": maybe_id(it.molecule_id), "name": it.name,
        "paths": it.paths, "anchors": it.anchors, "knowledge": it.knowledge,
        "relatedAtoms": relations(Unit::Atom, &it.related), "status": it.standing.word(),
        "createdByTaskId": id(it.created_by_task_id), "lastTaskId": id(it.last_task_id), "version": it.version,
        "createdAt": it.created_at, "updatedAt": it.updated_at,
    })
}

pub(crate) fn changelog_entry(it: &ChangelogEntry) -> Value {
    json!({
        "id": id(it.id), "parentType": it.parent_type.word(), "parentId": id(it.parent_id),
        "taskId": id(it.task_id), "summary": it.summary, "createdAt": it.created_at,
    })
}

/// A page of a list under its key.
pub(crate) fn page<T>(key: &str, rows: &Rows<T>, item: impl Fn(&T) -> Value) -> Value {
    let items: Vec<Value> = rows.items.iter().map(item).collect();
    json!({
        "count": items.len(), "total": rows.total, "limit": rows.page.limit, "offset": rows.page.offset,
        key: items,
    })
}

pub(crate) fn context(it: &Context) -> Value {
    json!({
        "molecules": it.molecules.iter().map(molecule_context).collect::<Value>(),
        "orphanAtoms": it.orphan_atoms.iter().map(atom_context).collect::<Value>(),
        "unmatchedPaths": it.unmatched_paths,
    })
}

fn molecule_context(it: &MoleculeContext) -> Value {
    let mut value = json!({
        "id": id(it.molecule.id), "name": it.molecule.name, "knowledge": it.molecule.knowledge,
        "relatedMolecules": named_relations(Unit::Molecule, &it.related),
        "atoms": it.atoms.iter().map(atom_context).collect::<Value>(),
    });
    put_changelog(&mut value, it.changelog.as_deref());
    value
}

fn atom_context(it: &AtomContext) -> Value {
    let mut value = json!({
        "id": id(it.atom.id), "name": it.atom.name, "knowledge": it.atom.knowledge,
        "matchedPaths": it.matched_paths, "relatedAtoms": named_relations(Unit::Atom, &it.related),
    });
    put_changelog(&mut value, it.changelog.as_deref());
    value
}

/// The name is `null` when the other is gone.
fn named_relations(unit: Unit, entries: &[(Related, Option<String>)]) -> Value {
    let entry = |(entry, name): &(Related, Option<String>)| json!({related::key(unit): id(entry.id), "name": name, "reason": entry.reason});
    entries.iter().map(entry).collect()
}

fn put_changelog(value: &mut Value, entries: Option<&[ChangelogEntry]>) {
    if let Some(entries) = entries {
        let entry = |it: &ChangelogEntry| json!({"taskId": id(it.task_id), "summary": it.summary, "createdAt": it.created_at});
        value["changelog"] = entries.iter().map(entry).collect();
    }
}
