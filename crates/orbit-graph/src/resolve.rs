//! References to symbols: pure, in memory, one file at a time.
//!
//! ```text
//! Surface (names as hashes) ─ World (defs, modules) ─▶ Resolver ─▶ ResolvedFile + the questions it asked
//! ```
//!
//! - [`key`]: qualified names as numbers. [`surface`]: what a file shows, [`digest`]: what its expressions say,
//!   [`marks`]: what C++ adds to them.
//!   [`world`]: all files.
//! - [`lookup`]: what a name means where it stands. [`suits`], [`choose`]: which of several. [`overloads`]: which by its
//!   arguments. [`extensions`]: functions called like members.
//!   [`implied`]: of Kotlin's `this`. [`types`]: what an expression is, [`instances`]:
//!   values of types, [`unions`]: of several types, [`lists`], [`shapes`]: lists and
//!   objects of scripts. [`parts`]: what parts of one are.
//!   [`functions`]: what functions take and give. [`generics`], [`supers`]: type parameters and what stands for them,
//!   [`infer`] at a call. [`members`]: of types. [`collections`]: of Java's library. [`protocols`]: of Python's loops
//!   and collections, [`attributes`]: of its classes. [`overrides`]: which members stand for which of a supertype.
//!   [`modules`]: of modules, and imports. [`added`]: what scripts declare for others, [`wholes`]: what they
//!   export as a whole. [`paths`], [`impls`]: of Rust. [`rules`]: per language.
//!
//! A file's result depends on its own facts and on the answers to the questions it asked (`lookups`).
//! Every question has a number; every file publishes which answers it takes part in
//! ([`surface::Surface::publications`]). After an edit, exactly the files that asked a question whose answer
//! changed are resolved again, so an incremental build equals a full one.

pub(crate) mod added;
mod attributes;
mod borrows;
pub(crate) mod calls;
pub(crate) mod choose;
pub(crate) mod collections;
mod definitions;
pub(crate) mod digest;
pub(crate) mod extensions;
pub(crate) mod functions;
pub(crate) mod generics;
mod go;
mod implied;
pub(crate) mod impls;
pub(crate) mod infer;
pub(crate) mod instances;
pub(crate) mod key;
pub(crate) mod lists;
pub(crate) mod lookup;
mod marks;
pub(crate) mod members;
pub(crate) mod modules;
mod mro;
pub(crate) mod names;
pub(crate) mod overloads;
mod operators;
mod outside;
pub(crate) mod overrides;
pub(crate) mod parts;
pub(crate) mod paths;
pub(crate) mod protocols;
pub(crate) mod publish;
mod ruby;
pub(crate) mod rules;
pub(crate) mod shapes;
pub(crate) mod suits;
mod supers;
pub(crate) mod surface;
mod traits;
mod types;
pub(crate) mod unions;
mod wholes;
pub(crate) mod words;
pub(crate) mod world;

use crate::facts::DecodedUses;
use lookup::{Found, Resolver, Thing, Want};
use orbit_extract::{
    Expr, ExprId, Family, ImportKind, RawArm, RawRef, RefKind, RelationKind, ScopeId, Span, SymbolKind,
};
use serde::{Deserialize, Serialize};
use surface::{Surface, SymRef};
use words::{WordOutcome, Written};
use world::World;

/// How sure an edge is, surest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Confidence {
    /// Defined in the same file.
    Exact = 1,
    /// Reached through the import or full path that is written, through re-exports too.
    ImportResolved = 2,
    /// Visible without import by the language's own rule.
    SameModule = 3,
    /// Reached through a declaration that it overrides or implements: a call of that may run it.
    Dispatch = 4,
    /// Only the name matches.
    FuzzyName = 5,
}

impl Confidence {
    /// The stored and printed name.
    pub fn as_str(self) -> &'static str {
        match self {
            Confidence::Exact => "exact",
            Confidence::ImportResolved => "import_resolved",
            Confidence::SameModule => "same_module",
            Confidence::Dispatch => "dispatch",
            Confidence::FuzzyName => "fuzzy_name",
        }
    }
}

/// What a name turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) target: Option<SymRef>,
    pub(crate) confidence: Confidence,
    /// Known to come from outside the repository.
    pub(crate) external: bool,
}

const UNRESOLVED: Outcome = Outcome { target: None, confidence: Confidence::FuzzyName, external: false };

/// A reference row about to be written.
#[derive(Clone, Debug)]
pub(crate) struct ResolvedRef {
    pub(crate) span: Span,
    pub(crate) line: u32,
    pub(crate) name: orbit_extract::NameId,
    pub(crate) kind: RefKind,
    pub(crate) scope: ScopeId,
    pub(crate) outcome: Outcome,
    pub(crate) written: Written,
}

impl ResolvedRef {
    /// A read of something nobody can name is not an edge; calls and types are kept as name matches.
    fn is_edge(&self) -> bool {
        self.outcome.target.is_some() || self.kind != RefKind::Value
    }
}

/// A relation row about to be written.
#[derive(Clone, Debug)]
pub(crate) struct ResolvedRelation {
    pub(crate) kind: RelationKind,
    /// Where it is written; an `overrides` stands where its member does.
    pub(crate) place: Option<(Span, u32)>,
    pub(crate) from: Option<SymRef>,
    pub(crate) from_name: String,
    pub(crate) to: Outcome,
    pub(crate) to_name: String,
}

/// Code that runs where a pattern fits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ResolvedArm {
    pub(crate) variant: SymRef,
    pub(crate) arm: RawArm,
}

/// The rows of one file that depend on other files.
#[derive(Debug)]
pub(crate) struct ResolvedFile {
    pub(crate) file: u32,
    pub(crate) refs: Vec<ResolvedRef>,
    pub(crate) relations: Vec<ResolvedRelation>,
    /// For each import, the file it leads to.
    pub(crate) import_files: Vec<Option<u32>>,
    /// For each command, its handler.
    pub(crate) handlers: Vec<Option<SymRef>>,
    /// What runs where a pattern names a variant of the repository.
    pub(crate) arms: Vec<ResolvedArm>,
    /// The questions asked, sorted.
    pub(crate) lookups: Vec<u32>,
    /// What became of the references, by the word that they are written with; in the order of keys.
    pub(crate) words: Vec<WordOutcome>,
}

/// Resolves everything in one file.
pub(crate) fn resolve_file<W: World>(world: &W, surface: &Surface, uses: &DecodedUses) -> ResolvedFile {
    let mut resolver = Resolver::new(world, surface);
    let mut refs = Vec::with_capacity(uses.refs.len());
    for written in &uses.refs {
        let row = &plain(surface, written);
        let want = wanted(surface, row);
        let found = match row.base {
            Some(base) if let Expr::Own(_) = surface.whole_expr(base) => {
                resolver.thing_of(surface, row.scope, base, want)
            }
            None if let Some(receivers) = written.base => {
                resolver.implied((surface, row.scope), surface.hash(row.name), receivers, want)
            }
            Some(base) if surface.hash(row.name) == *names::AWAIT && surface.family() == Family::Rust => {
                resolver.polled(surface, row.scope, base)
            }
            None => resolver.plain_name(row.scope, surface.hash(row.name), want),
            Some(base) => resolver
                .written_attribute(row)
                .or_else(|| resolver.member_of(surface, row.scope, base, surface.hash(row.name), want)),
        };
        let found = resolver.unless_it_defines(row, found);
        let found = resolver.or_extension(row, found);
        let is_of_implied =
            row.base != written.base && found != resolver.plain_name(row.scope, surface.hash(row.name), want);
        let found = if is_of_implied { found } else { resolver.unless_receiver_is_missing(row, found) };
        let found = resolver.overload(row.scope, found, row.base, row.args);
        let outcome = resolver.outcome(found);
        let written = Written::of(row);
        let (span, line, name, kind, scope) = (row.span, row.line, row.name, row.kind, row.within);
        refs.push(ResolvedRef { span, line, name, kind, scope, outcome, written });
    }
    let import_files = resolve_imports(&mut resolver, surface, &mut refs);
    sort_refs(&mut refs);
    let words = words::outcomes(surface, &refs);
    refs.retain(ResolvedRef::is_edge);
    let mut relations: Vec<ResolvedRelation> =
        surface.relations.iter().map(|relation| resolve_relation(&mut resolver, surface, relation)).collect();
    relations.extend(resolver.overrides());
    let handlers = uses.commands.iter().map(|command| {
        let found = resolver.thing_of(surface, command.scope, command.handler?, Want::Callable);
        resolver.outcome(found).target
    });
    let handlers = handlers.collect();
    let arms = uses.arms.iter().filter_map(|arm| resolve_arm(&resolver, &refs, *arm)).collect();
    ResolvedFile {
        file: surface.file,
        refs,
        relations,
        import_files,
        handlers,
        arms,
        lookups: resolver.into_lookups(),
        words,
    }
}

/// What a reference can mean by what it is used for.
fn wanted(surface: &Surface, row: &RawRef) -> Want {
    match row.kind {
        RefKind::Type | RefKind::TraitBound => Want::Type,
        RefKind::Call => Want::Callable,
        RefKind::Macro => Want::Macro,
        // The pattern `Err(e)` is never an own enum `Err`.
        RefKind::Value if row.base.is_none() && rules::is_prelude_variant(surface, row.name) => {
            Want::Callable
        }
        RefKind::Value | RefKind::Use => Want::Any,
    }
}

/// A reference without the receivers that are nowhere written.
fn plain(surface: &Surface, row: &RawRef) -> RawRef {
    let is_written = |base: &ExprId| !matches!(surface.whole_expr(*base), Expr::List(..));
    RawRef { base: row.base.filter(is_written), ..*row }
}

/// Puts references in the order of their places, each once.
fn sort_refs(refs: &mut Vec<ResolvedRef>) {
    refs.sort_by_key(|row| (row.span, row.kind, !row.is_edge()));
    // Several routes may call what is written once.
    refs.dedup_by(|next, row| {
        let is_shared = next.scope != row.scope && next.written == Written::Elsewhere;
        (next.span, next.kind) == (row.span, row.kind) && !is_shared
    });
}

/// The variant that the pattern of an arm names, by the references in the order of their places.
fn resolve_arm<W: World>(
    resolver: &Resolver<'_, W>,
    refs: &[ResolvedRef],
    arm: RawArm,
) -> Option<ResolvedArm> {
    let first = refs.partition_point(|row| row.span.start < arm.pattern);
    let here = refs[first..].iter().take_while(|row| row.span.start == arm.pattern);
    let variant = here.filter_map(|row| row.outcome.target).find(|target| {
        let surface = resolver.world.surface(target.file);
        surface.symbols[target.index as usize].kind == SymbolKind::Variant
    });
    Some(ResolvedArm { variant: variant?, arm })
}

/// The `use` reference of every import, and the file it leads to.
fn resolve_imports<'w, W: World>(
    resolver: &mut Resolver<'w, W>,
    surface: &'w Surface,
    refs: &mut Vec<ResolvedRef>,
) -> Vec<Option<u32>> {
    let mut files = Vec::with_capacity(surface.imports.len());
    for import in &surface.imports {
        // An import brings in all that a name means; the type of that name stands for it.
        let mut found = resolver.import(surface, import, Want::Type, 0);
        let others = [Want::Any, Want::Macro].into_iter().filter(|_| surface.family() == Family::Rust);
        for want in others {
            if !matches!(found, Some(Found { thing: Thing::Sym(_) | Thing::External, .. })) {
                found = resolver.import(surface, import, want, 0).or(found);
            }
        }
        // `mod copy; pub use copy::copy`: who imports both means the function.
        if let Some(Found { thing: Thing::Sym(sym), .. }) = found
            && resolver.is_module(sym)
        {
            let callable = resolver.import(surface, import, Want::Callable, 0);
            found = callable.filter(|callable| matches!(callable.thing, Thing::Sym(_))).or(found);
        }
        let outcome = resolver.outcome(found);
        let file = match found {
            // A module taken from a package is the file it is, not the package's.
            Some(Found { thing: Thing::Module(module), .. }) if import.raw.kind == ImportKind::Symbol => {
                resolver.module_file(module)
            }
            _ => None,
        };
        let file = outcome.target.map(|target| target.file).or(file);
        files.push(file.or_else(|| resolver.import_file(import)));
        let is_value = import.raw.kind == ImportKind::Module && is_named_value(surface, import, outcome);
        if import.raw.kind == ImportKind::Symbol || is_value {
            let (span, line, scope) = (import.raw.span, import.raw.line, import.raw.scope);
            // `import run from './run'` writes the name that it binds.
            let is_default = import.symbol == Some(*names::DEFAULT);
            let written = import.raw.binds.filter(|_| is_value || is_default && !import.raw.reexport);
            let name = written.or(import.raw.symbol).unwrap_or(import.raw.module);
            let written = if is_value { Written::Elsewhere } else { Written::Plain };
            refs.push(ResolvedRef { span, line, name, kind: RefKind::Use, scope, outcome, written });
        }
    }
    files
}

/// `const run = require('./run')`: whether the import of a whole module of a script names what the module exports.
fn is_named_value(surface: &Surface, import: &surface::ImportFact, outcome: Outcome) -> bool {
    let is_written = |name| !surface.names.get(name).contains('(');
    surface.family() == Family::Script && outcome.target.is_some() && import.raw.binds.is_some_and(is_written)
}

fn resolve_relation<'w, W: World>(
    resolver: &mut Resolver<'w, W>,
    surface: &'w Surface,
    relation: &orbit_extract::RawRelation,
) -> ResolvedRelation {
    let owner = relation.owner.symbol().map(|index| surface.sym(index));
    let is_impl = owner
        .is_some_and(|owner| surface.symbols[owner.index as usize].kind == orbit_extract::SymbolKind::Impl);
    let from = if is_impl {
        let found = resolver.type_of(surface, relation.scope, relation.from);
        resolver.outcome(found).target
    } else {
        owner
    };
    let found = resolver.type_of(surface, relation.scope, relation.to);
    ResolvedRelation {
        kind: relation.kind,
        place: Some((relation.span, relation.line)),
        from,
        from_name: types::expr_text(surface, relation.from),
        to: resolver.outcome(found),
        to_name: types::expr_text(surface, relation.to),
    }
}

impl<W: World> Resolver<'_, W> {
    fn is_module(&self, sym: SymRef) -> bool {
        self.world.surface(sym.file).symbols[sym.index as usize].kind == orbit_extract::SymbolKind::Module
    }

    pub(super) fn outcome(&self, found: Option<Found>) -> Outcome {
        match found {
            Some(Found { thing: Thing::Sym(target), imported }) => {
                let confidence = match (target.file == self.own_file(), imported) {
                    (true, _) => Confidence::Exact,
                    (false, true) => Confidence::ImportResolved,
                    (false, false) => Confidence::SameModule,
                };
                Outcome { target: Some(target), confidence, external: false }
            }
            // What was only given by something outside may be ours.
            Some(Found { thing: Thing::External, imported: true }) => {
                Outcome { external: true, ..UNRESOLVED }
            }
            _ => UNRESOLVED,
        }
    }
}
