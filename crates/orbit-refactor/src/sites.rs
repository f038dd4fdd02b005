//! Every place where a name is spelled, and what is known of each: the ground that a rename stands on.
//!
//! ```text
//! index rows + spellings of all files of the language ─▶ Scene ─▶ Site ─verdict─▶ change, keep, review or doubt
//! ```

pub(crate) mod arity;
pub(crate) mod defines;
mod made_up;
pub(crate) mod outside;
mod pasted;
pub(crate) mod reach;
mod reflection;
pub(crate) mod structs;

use crate::error::{RefactorError, Refusal};
use crate::worktree::Worktree;
use orbit_extract::{Lang, Place, Spelling, spellings};
use orbit_graph::{Facts, FileFacts, ImportFacts, SymbolFacts, SymbolKind, UseFacts};
use reach::{Crates, Reach};
use reflection::Reflection;
use std::collections::{BTreeMap, BTreeSet};

/// A file in which a name is spelled.
pub(crate) struct SourceFile {
    pub(crate) path: String,
    pub(crate) text: String,
    /// Outer ones before inner ones.
    pub(crate) symbols: Vec<SymbolFacts>,
    pub(crate) spellings: Vec<Spelling>,
    /// By first byte.
    pub(crate) rows: BTreeMap<u32, Vec<UseFacts>>,
    pub(crate) imports: Vec<ImportFacts>,
}

impl SourceFile {
    /// What stands in a span.
    pub(crate) fn text_of(&self, span: orbit_extract::Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Whether an import of a crate of this worktree leads nowhere: then what seems to come from outside may not.
    pub(crate) fn has_lost_imports(&self, scene: &Scene) -> bool {
        self.imports.iter().any(|import| {
            let first = import.module.split("::").next().unwrap_or("");
            import.resolved.is_none() && scene.crates.has(first)
        })
    }

    /// The innermost symbol round a place.
    pub(crate) fn innermost(&self, at: u32) -> Option<&SymbolFacts> {
        self.symbols.iter().rev().find(|symbol| symbol.span.0 <= at && at < symbol.span.1)
    }

    /// The outermost function or variable round a place: locals never reach beyond it.
    pub(crate) fn region(&self, at: u32) -> Option<(u32, u32)> {
        let round = self.symbols.iter().filter(|symbol| symbol.span.0 <= at && at < symbol.span.1);
        let holds_locals = |kind: SymbolKind| {
            kind.is_callable()
                || matches!(
                    kind,
                    SymbolKind::Const
                        | SymbolKind::Static
                        | SymbolKind::Variable
                        | SymbolKind::Property
                        | SymbolKind::Field
                        | SymbolKind::Macro
                )
        };
        round.filter(|symbol| holds_locals(symbol.kind)).map(|symbol| symbol.span).next()
    }
}

/// One place.
pub(crate) struct Site<'s> {
    pub(crate) file: &'s SourceFile,
    pub(crate) spelling: &'s Spelling,
    members: &'s BTreeSet<i64>,
}

impl Site<'_> {
    /// Whether a symbol is reached through a value or type, never by its plain name.
    pub(crate) fn is_member_kind(&self, symbol: &SymbolFacts) -> bool {
        self.members.contains(&symbol.id)
    }

    /// What stands right before the name.
    pub(crate) fn qualifier(&self) -> Option<&str> {
        self.spelling.qualifier.map(|span| self.file.text_of(span))
    }

    /// Whether the name stands behind a `::`.
    pub(crate) fn is_path(&self) -> bool {
        self.file.text[..self.spelling.span.start as usize].trim_end().ends_with("::")
    }

    /// Whether what stands before the name is called like a symbol's Python file: a module that was loaded by its name.
    pub(crate) fn is_called_like_file(&self, symbol: &SymbolFacts) -> bool {
        let file = symbol.path.rsplit('/').next().unwrap_or("");
        self.qualifier().is_some_and(|qualifier| file.strip_suffix(".py") == Some(qualifier))
    }

    /// Whether a string of the file ends in the name of a symbol's Python module: what a test puts in its place,
    /// `patch("shop.prices")`, is reached through any variable.
    pub(crate) fn is_module_replaced(&self, symbol: &SymbolFacts) -> bool {
        let path = symbol.path.trim_end_matches(".py").trim_end_matches("/__init__");
        let stem = path.rsplit('/').next().unwrap_or(path);
        let text = &self.file.text;
        let replaces = ["patch", "setattr", "setitem"].iter().any(|word| text.contains(word));
        replaces
            && text.match_indices(stem).any(|(at, _)| {
                text[..at].ends_with(['.', '"', '\'']) && text[at + stem.len()..].starts_with(['"', '\''])
            })
    }

    /// Whether what stands before the name is a module of the repository, as the file's imports have it.
    pub(crate) fn receiver_is_module(&self) -> bool {
        let Some(receiver) = self.qualifier() else { return false };
        self.file.imports.iter().any(|import| {
            let last = import.module.rsplit(['.', '/']).next().unwrap_or("");
            let binds = import.alias.as_deref().or(import.symbol.as_deref()).unwrap_or(last);
            let is_part = import.symbol.is_none() && import.module.split('.').any(|part| part == receiver);
            import.resolved.is_some() && (binds == receiver || is_part)
        })
    }
}

/// Everything there is to know about a name and the symbols that are to lose it.
pub(crate) struct Scene {
    pub(crate) lang: Lang,
    /// Files in which the old or the new name is spelled.
    pub(crate) files: Vec<SourceFile>,
    /// What changes its name; the first one was asked for.
    pub(crate) group: Vec<SymbolFacts>,
    /// All symbols of the old name, in files of the language.
    pub(crate) candidates: Vec<SymbolFacts>,
    /// Those of `candidates` and `group` that are members of types.
    members: BTreeSet<i64>,
    /// From where each symbol of the group can be named.
    reaches: Vec<Reach>,
    pub(crate) crates: Crates,
    /// Names that stand for types of other names.
    pub(crate) aliases: BTreeSet<String>,
    /// Names of modules.
    pub(crate) modules: BTreeSet<String>,
    /// The symbol is a member of a class.
    pub(crate) in_class: bool,
    /// Where a program may put the old name together, as `file:line`.
    pub(crate) made_up: Vec<String>,
    /// The types that have the members of the group, and all that inherit from them.
    heirs: BTreeSet<i64>,
    /// Those of `heirs` that say themselves how they are constructed: Python's `__init__` and `__new__`.
    constructed: BTreeSet<i64>,
    /// Macros of the repository, and whether they may make a member of what they are given: `self.$name()`.
    macros: BTreeMap<String, bool>,
    /// Macros of C and C++ that make something else of arguments.
    pub(crate) bent: BTreeMap<String, Vec<usize>>,
    /// What the repository does with names while it runs.
    pub(crate) reflection: Reflection,
}

/// Spellings of the old name have this number, those of the new one the next.
pub(crate) const OLD: usize = 0;
pub(crate) const NEW: usize = 1;

impl Scene {
    /// Reads all files in which one of the names is spelled.
    pub(crate) fn load(
        facts: &Facts<'_>,
        worktree: &Worktree,
        group: Vec<SymbolFacts>,
        new_name: &str,
    ) -> Result<Scene, RefactorError> {
        let nothing = || Refusal::new("not_found", "there is nothing to rename");
        let first = group.first().ok_or_else(nothing)?;
        let (lang, old_name) = (first.lang, first.name.clone());
        let words = [old_name.as_str(), new_name];
        let finders = words.map(|word| memchr::memmem::Finder::new(word.as_bytes()).into_owned());
        let mut contents = Vec::new();
        for file in facts.files()? {
            let bytes = worktree.read_indexed(&file)?;
            let is_language = file.lang.family() == lang.family();
            if is_language || finders.iter().any(|finder| finder.find(&bytes).is_some()) {
                contents.push((file, bytes));
            }
        }
        let crates = if lang == Lang::Rust { Crates::new(&contents) } else { Crates::default() };
        let made_up = made_up::places(&contents, lang, &old_name);
        let bent = defines::bent(&contents);
        let reflection = Reflection::of(&contents, lang);
        let macros = if lang == Lang::Rust { pasted::macros(&contents) } else { BTreeMap::new() };
        let mut files = Vec::new();
        for (file, bytes) in contents {
            if finders.iter().any(|finder| finder.find(&bytes).is_some()) {
                files.extend(read(facts, file, bytes, &words, lang)?);
            }
        }
        let mut candidates = facts.named(&old_name)?;
        candidates.retain(|symbol| symbol.lang.family() == lang.family());
        let members = members(facts, candidates.iter().chain(&group))?;
        let reaches =
            group.iter().map(|symbol| Reach::of(facts, symbol, &crates)).collect::<Result<_, _>>()?;
        let owner = first_owner(facts, &group)?;
        let in_class = owner.is_some_and(|owner| owner.kind == SymbolKind::Class);
        let modules = facts.of_kind(SymbolKind::Module)?.into_iter().map(|symbol| symbol.name).collect();
        let aliases = aliases(facts)?;
        let heirs = heirs(facts, &group)?;
        let constructed = constructed(facts, &heirs)?;
        Ok(Scene {
            lang,
            files,
            group,
            candidates,
            members,
            reaches,
            crates,
            aliases,
            modules,
            in_class,
            made_up,
            heirs,
            constructed,
            macros,
            bent,
            reflection,
        })
    }

    /// Whether a macro may make a member of a word that it is given; nobody knows what one from outside does.
    pub(crate) fn makes_members(&self, called: &str) -> bool {
        self.macros.get(called).copied().unwrap_or(true)
    }

    /// Whether a symbol is a type that has a member of the group, or inherits one.
    pub(crate) fn is_heir(&self, id: i64) -> bool {
        self.heirs.contains(&id)
    }

    /// Whether a type that has a member of the group is constructed by a function of its own; `None` when none of them is.
    pub(crate) fn is_constructed(&self, id: i64) -> Option<bool> {
        (!self.constructed.is_empty()).then(|| self.constructed.contains(&id))
    }

    /// The types that have a member of the group, or inherit one.
    pub(crate) fn heirs(&self) -> impl Iterator<Item = i64> {
        self.heirs.iter().copied()
    }

    /// Whether a place stands in a type that has a member of the group, or inherits one.
    pub(crate) fn is_inside_heir(&self, file: &SourceFile, at: u32) -> bool {
        let round = file.symbols.iter().filter(|symbol| symbol.span.0 <= at && at < symbol.span.1);
        round.clone().any(|symbol| self.heirs.contains(&symbol.id))
            // Functions of C++ stand outside of their class.
            || round.filter_map(|symbol| symbol.parent).any(|parent| self.heirs.contains(&parent))
    }

    /// The function that the symbol is local to.
    pub(crate) fn nest(&self) -> Option<(u32, u32)> {
        match &self.reaches[..] {
            [Reach::Span(_, span), ..] => Some(*span),
            _ => None,
        }
    }

    /// Whether any symbol of the group can be named from a place.
    pub(crate) fn reaches(&self, file: &SourceFile, at: u32) -> bool {
        self.reaches.iter().any(|reach| reach.holds(self, file, at))
    }

    pub(crate) fn site<'s>(&'s self, file: &'s SourceFile, spelling: &'s Spelling) -> Site<'s> {
        Site { file, spelling, members: &self.members }
    }

    pub(crate) fn in_group(&self, id: i64) -> bool {
        self.group.iter().any(|symbol| symbol.id == id)
    }

    pub(crate) fn is_member(&self, symbol: &SymbolFacts) -> bool {
        self.members.contains(&symbol.id)
    }

    /// Whether the old name means one of the group where nothing else is known: the file defines it, or another use in
    /// the file leads to it.
    pub(crate) fn is_visible(&self, file: &SourceFile) -> bool {
        let own = self.group.iter().any(|symbol| symbol.path == file.path && symbol.parent.is_none());
        own || file
            .spellings
            .iter()
            .filter(|spelling| spelling.word == OLD && spelling.place != Place::Member)
            .any(|spelling| {
                let rows = file.rows.get(&spelling.span.start).into_iter().flatten();
                rows.filter_map(|row| row.target).any(|target| self.in_group(target))
            })
    }

    /// The spelling that is a symbol's own name.
    pub(crate) fn name_of<'f>(file: &'f SourceFile, symbol: &SymbolFacts) -> Option<&'f Spelling> {
        let inside = file.spellings.iter().filter(|spelling| {
            spelling.word == OLD
                && spelling.line == symbol.line
                && symbol.span.0 <= spelling.span.start
                && spelling.span.end <= symbol.span.1
                && !matches!(spelling.place, Place::Comment | Place::Text | Place::Label)
        });
        let inside: Vec<&Spelling> = inside.collect();
        inside
            .iter()
            .find(|spelling| spelling.defines)
            .or_else(|| inside.iter().find(|spelling| spelling.binds))
            .or(inside.first())
            .copied()
    }
}

/// Names that stand for types of other names.
fn aliases(facts: &Facts<'_>) -> Result<BTreeSet<String>, RefactorError> {
    let named = facts.of_kind(SymbolKind::TypeAlias)?.into_iter().map(|symbol| symbol.name);
    Ok(facts.aliases()?.into_iter().chain(named).collect())
}

/// A file with everything that is known of it; `None` when it is not text.
fn read(
    facts: &Facts<'_>,
    file: FileFacts,
    bytes: Vec<u8>,
    words: &[&str],
    lang: Lang,
) -> Result<Option<SourceFile>, RefactorError> {
    let Ok(text) = String::from_utf8(bytes) else { return Ok(None) };
    let found = spellings(&file.path, file.lang, text.as_bytes(), words);
    let found =
        found.map_err(|error| Refusal::new("unreadable", format!("{}: {}", file.path, error.as_str())))?;
    let (symbols, rows, imports) = (Vec::new(), BTreeMap::new(), Vec::new());
    let mut source = SourceFile { path: file.path, text, symbols, spellings: found, rows, imports };
    if file.lang.family() != lang.family() {
        // Another language: only to be looked at.
        for spelling in &mut source.spellings {
            spelling.place = Place::Comment;
        }
        return Ok(Some(source));
    }
    source.symbols = facts.of_file(&source.path)?;
    source.imports = facts.imports_of(&source.path)?;
    for row in facts.uses_in(&source.path)? {
        source.rows.entry(row.span.0).or_default().push(row);
    }
    Ok(Some(source))
}

/// The types that the symbols of a group stand in, and all that hang on them.
fn heirs(facts: &Facts<'_>, group: &[SymbolFacts]) -> Result<BTreeSet<i64>, RefactorError> {
    let mut found: BTreeSet<i64> = group.iter().filter_map(|symbol| symbol.parent).collect();
    let mut open: Vec<i64> = found.iter().copied().collect();
    while let Some(id) = open.pop() {
        for relation in facts.relations_to(id)? {
            open.extend(relation.from.filter(|from| found.insert(*from)));
        }
    }
    Ok(found)
}

/// Those of some symbols that are members of types.
fn members<'s>(
    facts: &Facts<'_>,
    symbols: impl Iterator<Item = &'s SymbolFacts>,
) -> Result<BTreeSet<i64>, RefactorError> {
    let mut found = BTreeSet::new();
    for symbol in symbols {
        if is_member(symbol, facts)? {
            found.insert(symbol.id);
        }
    }
    Ok(found)
}

/// What the symbol that was asked for stands in.
fn first_owner(facts: &Facts<'_>, group: &[SymbolFacts]) -> Result<Option<SymbolFacts>, RefactorError> {
    let parent = group.first().and_then(|symbol| symbol.parent);
    Ok(parent.map(|id| facts.by_id(id)).transpose()?.flatten())
}

/// Those of some types that say how they are constructed.
fn constructed(facts: &Facts<'_>, types: &BTreeSet<i64>) -> Result<BTreeSet<i64>, RefactorError> {
    let mut own = facts.named("__init__")?;
    own.extend(facts.named("__new__")?);
    Ok(own.into_iter().filter_map(|function| function.parent).filter(|id| types.contains(id)).collect())
}

/// A member of a type: reached through a value or the type, never by its plain name.
fn is_member(symbol: &SymbolFacts, facts: &Facts<'_>) -> Result<bool, RefactorError> {
    if matches!(
        symbol.kind,
        SymbolKind::Method | SymbolKind::Field | SymbolKind::Property | SymbolKind::Variant
    ) {
        return Ok(true);
    }
    let Some(parent) = symbol.parent else { return Ok(false) };
    let parent = facts.by_id(parent)?;
    Ok(parent.is_some_and(|parent| parent.kind.is_type() || parent.kind == SymbolKind::Impl))
}
