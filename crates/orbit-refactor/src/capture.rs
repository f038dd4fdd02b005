//! Whether a new name is free: nothing where it will stand has it, and nothing that has it would change its meaning.

use crate::edit::Edit;
use crate::error::{RefactorError, Refusal};
use crate::rules;
use crate::sites::{NEW, Scene, SourceFile};
use orbit_extract::{Lang, Place, Spelling};
use orbit_graph::{Facts, SymbolFacts, SymbolKind};
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
    let mut captured = imported_alike(scene, new_name);
    for file in &scene.files {
        let edits = edited.iter().find(|(own, _)| own.path == file.path).map(|(_, edits)| edits.as_slice());
        let takes_over = |spelling: &&Spelling| takes_over(scene, file, edits, spelling);
        let found = file.spellings.iter().filter(|spelling| spelling.word == NEW).filter(takes_over);
        captured.extend(
            found.map(|spelling| format!("{}:{}: `{new_name}` is used here", file.path, spelling.line)),
        );
    }
    captured.extend(hidden_types(facts, scene, new_name, edited)?);
    if captured.is_empty() {
        return Ok(());
    }
    let message = format!("`{new_name}` means something else where it would stand");
    Err(Refusal::new("captured", message)
        .places(captured)
        .hint("choose a name that these files do not use")
        .into())
}

/// Whether the new name would take over a place that has it already, or be taken over there.
fn takes_over(scene: &Scene, file: &SourceFile, edits: Option<&[Edit]>, spelling: &Spelling) -> bool {
    if is_library_call(scene, file, spelling) {
        return true;
    }
    let is_name = matches!(spelling.place, Place::Plain | Place::Path)
        && (spelling.place == Place::Plain || spelling.in_import);
    // `use a::name as other` gives the file no `name`.
    let after = file.text.get(spelling.span.end as usize..).unwrap_or("");
    let is_called_otherwise = spelling.in_import && !spelling.binds && after.trim_start().starts_with("as ");
    if !is_name || is_called_otherwise {
        return false;
    }
    if scene.group.iter().all(|symbol| scene.is_member(symbol)) {
        // A member is meant by a plain name in the body of its class, and a variant behind `use Enum::*`.
        let is_variant = scene.lang == Lang::Rust && scene.group[0].kind == SymbolKind::Variant;
        return is_in_body(scene, file, spelling) || is_variant && takes_all(file);
    }
    let region = file.region(spelling.span.start);
    let is_inside = |span: (u32, u32)| region.is_some_and(|region| region.0 <= span.0 && span.1 <= region.1);
    let is_local = file
        .spellings
        .iter()
        .any(|other| other.word == NEW && other.binds && is_inside((other.span.start, other.span.end)));
    // A pattern that spells a constant compares with it instead of binding a name.
    let is_pattern = spelling.binds && is_matched(&scene.group[0]);
    match edits {
        Some(edits) => edits.iter().any(|edit| is_inside(edit.span)) || !is_local || is_pattern,
        None => (takes_all(file) || shares_package(scene, file)) && (!is_local || is_pattern),
    }
}

/// Whether a method of Rust would stand before one of the library that the place calls: what a type has itself comes before
/// what it derives, and before what `Deref` leads to.
fn is_library_call(scene: &Scene, file: &SourceFile, spelling: &Spelling) -> bool {
    let is_method = scene.group.iter().all(|own| own.kind == SymbolKind::Method);
    let is_call = spelling.place == Place::Member && spelling.is_call;
    if scene.lang != Lang::Rust || !is_method || !is_call {
        return false;
    }
    let mut rows = file.rows.get(&spelling.span.start).into_iter().flatten();
    let is_known = rows.any(|row| row.target.is_some() || row.external);
    !is_known && rules::lists(rules::of(scene.lang).common_members(), file.text_of(spelling.span))
}

/// Whether patterns of Rust mean a symbol by its plain name.
fn is_matched(symbol: &SymbolFacts) -> bool {
    let is_unit = symbol.kind == SymbolKind::Struct
        && symbol.signature.as_deref().is_none_or(|text| !text.contains(['{', '(']));
    let is_value = matches!(symbol.kind, SymbolKind::Const | SymbolKind::Static);
    symbol.lang == Lang::Rust && (is_value || is_unit)
}

/// Whether a name stands in the body of a Python class that has a member of the group: decorators, defaults and annotations
/// of its functions see the names of the class, and what the functions do does not.
fn is_in_body(scene: &Scene, file: &SourceFile, spelling: &Spelling) -> bool {
    let at = spelling.span.start;
    let is_owner = |symbol: &&SymbolFacts| scene.group.iter().any(|own| own.parent == Some(symbol.id));
    let round = || file.symbols.iter().filter(|symbol| symbol.span.0 <= at && at < symbol.span.1);
    let Some(class) = round().rfind(is_owner) else { return false };
    let mut inside = round().filter(|symbol| symbol.span.0 > class.span.0 && symbol.kind.is_callable());
    let does = |function: &SymbolFacts| is_behind_head(&file.text[function.span.0 as usize..at as usize]);
    scene.lang == Lang::Python && !spelling.binds && !inside.any(does)
}

/// Whether the beginning of a Python function reaches over its head: a `:` outside of brackets ends that.
fn is_behind_head(text: &str) -> bool {
    let mut depth = 0;
    text.chars().any(|c| {
        depth += match c {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        };
        c == ':' && depth == 0
    })
}

/// Whether a file takes all names of another one of the repository: `from shop import *`, `use shop::*`.
fn takes_all(file: &SourceFile) -> bool {
    let line = |number: u32| file.text.lines().nth(number as usize - 1).unwrap_or("");
    let mut imports = file.imports.iter().filter(|import| import.symbol.is_none());
    imports.any(|import| import.resolved.is_some() && line(import.line).contains('*'))
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Whether a file of Java sees a type of the group without an import.
fn shares_package(scene: &Scene, file: &SourceFile) -> bool {
    scene.lang == Lang::Java && scene.group.iter().any(|own| folder(&own.path) == folder(&file.path))
}

/// Imports of Go whose packages are called like a symbol: nothing in a package may have the name of one of them.
fn imported_alike(scene: &Scene, new_name: &str) -> Vec<String> {
    let first = &scene.group[0];
    if scene.lang != Lang::Go || first.parent.is_some() || scene.is_member(first) {
        return Vec::new();
    }
    let files = scene.files.iter().filter(|file| folder(&file.path) == folder(&first.path));
    let imports = files.flat_map(|file| &file.imports).filter(|import| {
        let last = import.module.rsplit('/').next().unwrap_or("");
        import.alias.as_deref().unwrap_or(last) == new_name
    });
    imports.map(|import| format!("{}:{}: `{new_name}` is a package here", import.file, import.line)).collect()
}

/// Types of the new name in packages of Java that use the symbol: what stands in the own package hides what `import p.*`
/// brings.
fn hidden_types(
    facts: &Facts<'_>,
    scene: &Scene,
    new_name: &str,
    edited: &[(&SourceFile, Vec<Edit>)],
) -> Result<Vec<String>, RefactorError> {
    if scene.lang != Lang::Java || !scene.group[0].kind.is_type() {
        return Ok(Vec::new());
    }
    let types = facts.named(new_name)?.into_iter().filter(|other| other.kind.is_type());
    let hides =
        |other: &SymbolFacts| edited.iter().any(|(file, _)| folder(&file.path) == folder(&other.path));
    Ok(types
        .filter(hides)
        .map(|other| format!("{}:{}: {}", other.path, other.line, other.selector()))
        .collect())
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
