//! What a diff takes away, and who still uses it.
//!
//! The old text of each changed file is extracted and put in the place of the new one. The files that asked for
//! something the two answer differently are then resolved once more, as if the old text were still there: what
//! leads to a definition that is gone is a use of it.

use super::walk::{Edge, Node};
use crate::error::GraphError;
use crate::facts::{DecodedSurface, DecodedUses};
use crate::layout::Layout;
use crate::query::{Reader, dispatch};
use crate::resolve::surface::{Surface, SymRef};
use crate::resolve::world::World;
use crate::resolve::{ResolvedRef, resolve_file};
use crate::store::first_row;
use crate::store::reader::{self, KnownFile, StoredWorld};
use crate::store::stored::Stored;
use crate::sync::stored_layout;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use orbit_extract::{Family, Lang, RefKind, SymbolKind};
use rusqlite::{Connection, params};
use std::collections::{BTreeMap, BTreeSet};

/// A file as it was before.
pub(super) struct OldFile {
    pub(super) path: String,
    pub(super) lang: Lang,
    pub(super) text: String,
    /// 1-based lines that are gone or changed.
    pub(super) removed: BTreeSet<u32>,
}

/// A definition that is gone.
#[derive(Clone, Debug)]
pub(crate) struct Removed {
    /// As it was.
    pub(super) selector: String,
    pub(super) users: Vec<Edge>,
    /// Uses of its name that lead nowhere in the old state either.
    pub(super) uncertain: usize,
}

/// All that a diff takes away.
#[derive(Default)]
pub(super) struct AllRemoved {
    pub(super) symbols: Vec<Removed>,
    /// Files that lost a definition.
    paths: BTreeSet<String>,
}

impl AllRemoved {
    /// Whether a changed place outside of any symbol is where a definition was.
    pub(super) fn explains(&self, place: &str) -> bool {
        place.rsplit_once(':').is_some_and(|(path, _)| self.paths.contains(path))
    }
}

/// A definition of an old file that the new one does not have.
struct Gone {
    sym: SymRef,
    selector: String,
    name: String,
    family: Family,
}

pub(super) fn removed(reader: &Reader<'_>, old: &[OldFile]) -> Result<AllRemoved, GraphError> {
    if old.is_empty() {
        return Ok(AllRemoved::default());
    }
    let connection = reader.connection;
    let known = reader::known_files(connection)?;
    let layout = stored_layout(connection, &known)?;
    let before = read_before(connection, old, &known, &layout)?;
    if before.gone.is_empty() {
        return Ok(AllRemoved::default());
    }
    let gone = before.gone;
    let files: HashMap<u32, &KnownFile, FixedState> = known.iter().map(|file| (file.id, file)).collect();
    let questions: Vec<u32> = before.questions.into_iter().collect();
    let dependents = reader::askers(connection, &questions)?;
    let world = StoredWorld::new(connection, &layout, &files, before.surfaces)?;
    let mut users: BTreeMap<SymRef, Vec<Edge>> = BTreeMap::new();
    for file in dependents.into_iter().filter(|file| !world.is_changed(*file)) {
        let Some(known) = files.get(&file) else { continue };
        add_users(
            &world,
            &reader::surface(connection, known, &layout)?,
            &reader::uses(connection, file)?,
            &mut users,
        );
    }
    for (file, uses) in before.uses {
        let Some(known) = files.get(&file) else { continue };
        let new = reader::surface(connection, known, &layout)?;
        let refs = resolve_file(&world, world.surface(file), &uses).refs;
        for (target, edge) in still_used(connection, &refs, world.surface(file), &new)? {
            users.entry(target).or_default().push(edge);
        }
    }
    if let Some(error) = world.failure() {
        return Err(error);
    }
    let mut found =
        AllRemoved { paths: old.iter().map(|file| file.path.clone()).collect(), symbols: Vec::new() };
    for gone in gone {
        let users = users.remove(&gone.sym).unwrap_or_default();
        let open = dispatch::unresolved_uses(connection, &gone.name, gone.family)?;
        let open = open.iter().filter(|open| open.kind != RefKind::Use).count();
        let uncertain = open.saturating_sub(users.len());
        found.symbols.push(Removed { selector: gone.selector, users, uncertain });
    }
    Ok(found)
}

/// What the changed files said before.
#[derive(Default)]
struct Before {
    surfaces: HashMap<u32, Option<Surface>, FixedState>,
    uses: Vec<(u32, DecodedUses)>,
    gone: Vec<Gone>,
    /// The questions that the new texts answer differently.
    questions: BTreeSet<u32>,
}

fn read_before(
    connection: &Connection,
    old: &[OldFile],
    known: &[KnownFile],
    layout: &Layout,
) -> Result<Before, GraphError> {
    let mut before = Before::default();
    let mut last = known.iter().map(|file| file.id).max().unwrap_or(0);
    for file in old {
        let Ok(facts) = orbit_extract::extract(&file.path, file.lang, file.text.as_bytes()) else { continue };
        let now = known.iter().find(|known| known.path == file.path);
        let id = now.map_or(last + 1, |now| now.id);
        last = last.max(id);
        let slots: Vec<u32> = (0..facts.symbols.len() as u32).collect();
        let package = facts.package.map(|package| facts.names.get(package));
        let module = layout.module_of(&file.path, file.lang, package);
        let surface = Surface::new(id, &file.path, &module, layout, DecodedSurface::of(&facts, &slots));
        let new = now.map(|now| reader::surface(connection, now, layout)).transpose()?;
        before.gone.extend(gone_from(file, &facts, &surface, new.as_ref()));
        before.questions.extend(differing(&surface, new.as_ref()));
        before.surfaces.insert(id, Some(surface));
        before.uses.push((id, DecodedUses { refs: facts.refs, commands: facts.commands, arms: facts.arms }));
    }
    Ok(before)
}

/// Adds what a file uses in the old state.
fn add_users(
    world: &StoredWorld<'_>,
    surface: &Surface,
    written: &DecodedUses,
    users: &mut BTreeMap<SymRef, Vec<Edge>>,
) {
    let resolved = resolve_file(world, surface, written);
    for row in resolved.refs.iter().filter(|row| row.kind != RefKind::Use) {
        if let Some(target) = row.outcome.target {
            users.entry(target).or_default().push(edge(surface, row));
        }
    }
    for row in &resolved.relations {
        if let (Some(from), Some(target), Some((_, line))) = (row.from, row.to.target, row.place) {
            let to = Node::Symbol(world.row(from));
            let (kind, confidence) = (row.kind.as_str(), row.to.confidence);
            users.entry(target).or_default().push(Edge { to, line, kind, confidence });
        }
    }
}

/// The definitions on removed lines that the new text of their file does not have.
fn gone_from(
    file: &OldFile,
    facts: &orbit_extract::ExtractedFile,
    old: &Surface,
    new: Option<&Surface>,
) -> Vec<Gone> {
    let is_left = |index: usize| {
        let symbol = old.symbols[index];
        new.is_some_and(|new| {
            new.symbols.iter().any(|other| other.key == symbol.key && other.overload == symbol.overload)
        })
    };
    let mut gone = Vec::new();
    for (index, symbol) in facts.symbols.iter().enumerate() {
        let is_named = !matches!(symbol.kind, SymbolKind::Impl | SymbolKind::Heading);
        let is_touched = file.removed.range(symbol.line..=symbol.end_line).next().is_some();
        if is_named && is_touched && !is_left(index) {
            gone.push(Gone {
                sym: old.sym(index),
                selector: facts.address(&file.path, symbol).to_string(),
                name: facts.names.get(symbol.name).to_owned(),
                family: file.lang.family(),
            });
        }
    }
    gone
}

/// The questions that the old and the new text of a file answer differently.
fn differing(old: &Surface, new: Option<&Surface>) -> Vec<u32> {
    let before = old.publications();
    let after = new.map(Surface::publications).unwrap_or_default();
    let missing = before.iter().filter(|row| after.binary_search(row).is_err());
    missing.map(|(question, _)| *question).collect()
}

/// The uses in the old text of a file that its new text still has, and that lead nowhere there: in the same symbol,
/// of the same name.
fn still_used(
    connection: &Connection,
    before: &[ResolvedRef],
    old: &Surface,
    new: &Surface,
) -> Result<Vec<(SymRef, Edge)>, GraphError> {
    let place = |surface: &Surface, scope: Option<usize>| {
        scope.map_or_else(String::new, |index| surface.names.get(surface.symbols[index].local).to_owned())
    };
    let mut statement = connection.prepare_cached(
        "SELECT line, name, kind, scope FROM ref_rows WHERE id BETWEEN ?1 AND ?2 AND target IS NULL AND kind <> ?3",
    )?;
    let (first, last) = (first_row(new.file), first_row(new.file + 1) - 1);
    let mut rows = statement.query(params![first, last, Stored(RefKind::Use)])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let (name, scope): (String, Option<i64>) = (row.get(1)?, row.get(3)?);
        let index =
            scope.and_then(|id| new.symbols.iter().position(|symbol| first + i64::from(symbol.slot) == id));
        let here = place(new, index);
        let same = before.iter().find(|use_before| {
            old.names.get(use_before.name) == name && place(old, use_before.scope.symbol()) == here
        });
        if let Some((target, confidence)) =
            same.and_then(|same| Some((same.outcome.target?, same.outcome.confidence)))
        {
            let kind = row.get::<_, Stored<RefKind>>(2)?.0.as_str();
            let to = scope.map_or(Node::File(new.file), Node::Symbol);
            found.push((target, Edge { to, line: row.get(0)?, kind, confidence }));
        }
    }
    Ok(found)
}

fn edge(surface: &Surface, row: &ResolvedRef) -> Edge {
    let scope = row
        .scope
        .symbol()
        .map(|index| Node::Symbol(first_row(surface.file) + i64::from(surface.symbols[index].slot)));
    Edge {
        to: scope.unwrap_or(Node::File(surface.file)),
        line: row.line,
        kind: row.kind.as_str(),
        confidence: row.outcome.confidence,
    }
}
