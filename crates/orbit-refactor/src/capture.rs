//! Whether a new name is free: nothing where it will stand has it, and nothing that has it would change its meaning.

use crate::edit::Edit;
use crate::error::{RefactorError, Refusal};
use crate::sites::{NEW, Scene, SourceFile};
use orbit_extract::Place;
use orbit_graph::Facts;
use std::collections::BTreeSet;

/// Refuses a name that is taken, or that would take over uses of another thing.
pub(crate) fn check(
    facts: &Facts<'_>,
    scene: &Scene,
    new_name: &str,
    edited: &[(&SourceFile, Vec<Edit>)],
) -> Result<(), RefactorError> {
    let taken = taken(facts, scene, new_name)?;
    if !taken.is_empty() {
        return Err(Refusal::new("taken", format!("`{new_name}` is taken already")).places(taken).into());
    }
    if scene.group.iter().all(|symbol| scene.is_member(symbol)) {
        return Ok(()); // a member is never meant by a plain name
    }
    let mut captured = Vec::new();
    for (file, edits) in edited {
        for spelling in file.spellings.iter().filter(|spelling| spelling.word == NEW) {
            let is_name = matches!(spelling.place, Place::Plain | Place::Path)
                && (spelling.place == Place::Plain || spelling.in_import);
            // `use a::name as other` gives the file no `name`.
            let after = file.text.get(spelling.span.end as usize..).unwrap_or("");
            let is_called_otherwise =
                spelling.in_import && !spelling.binds && after.trim_start().starts_with("as ");
            if !is_name || is_called_otherwise {
                continue;
            }
            let region = file.region(spelling.span.start);
            let meets = edits
                .iter()
                .any(|edit| region.is_some_and(|region| region.0 <= edit.span.0 && edit.span.1 <= region.1));
            let is_local = file.spellings.iter().any(|other| {
                other.word == NEW
                    && other.binds
                    && region.is_some_and(|region| region.0 <= other.span.start && other.span.end <= region.1)
            });
            if meets || !is_local {
                captured.push(format!("{}:{}: `{new_name}` is used here", file.path, spelling.line));
            }
        }
    }
    if captured.is_empty() {
        return Ok(());
    }
    let message = format!("`{new_name}` means something else where it would stand");
    Err(Refusal::new("captured", message)
        .places(captured)
        .hint("choose a name that these files do not use")
        .into())
}

/// What has the new name where a symbol of the group would have it.
fn taken(facts: &Facts<'_>, scene: &Scene, new_name: &str) -> Result<Vec<String>, RefactorError> {
    let mut taken: Vec<String> = Vec::new();
    let relatives = relatives(facts, scene)?;
    for other in facts.named(new_name)? {
        let clashes = scene.group.iter().any(|symbol| {
            let same_place = symbol.path == other.path && symbol.parent == other.parent;
            let same_owner = owner(&symbol.qualified) == owner(&other.qualified)
                && symbol.lang.family() == other.lang.family();
            // One of two types of a line would override what the other has.
            let is_inherited =
                scene.is_member(symbol) && other.parent.is_some_and(|parent| relatives.contains(&parent));
            same_place || same_owner || is_inherited
        });
        if clashes {
            taken.push(format!("{}:{}: {}", other.path, other.line, other.selector()));
        }
    }
    Ok(taken)
}

/// The types that have the members of the group, those that inherit from them, and those that they inherit from.
fn relatives(facts: &Facts<'_>, scene: &Scene) -> Result<BTreeSet<i64>, RefactorError> {
    let mut found: BTreeSet<i64> = scene.heirs().collect();
    let mut open: Vec<i64> = scene.group.iter().filter_map(|symbol| symbol.parent).collect();
    while let Some(id) = open.pop() {
        for relation in facts.relations_from(id)? {
            open.extend(relation.to.filter(|to| found.insert(*to)));
        }
    }
    Ok(found)
}

/// What a qualified name stands in.
fn owner(qualified: &str) -> &str {
    let path = qualified.split('#').next().unwrap_or(qualified);
    path.rfind([':', '.', '/']).map_or("", |at| &path[..at])
}
