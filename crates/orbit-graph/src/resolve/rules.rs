//! What differs between languages: which names are visible where, and what an import can mean.
//!
//! One file per language family, each with the same few functions; this page is their table.

mod csharp;
mod go;
mod jvm;
mod native;
mod python;
mod ruby;
mod rust;
mod rust_inherent;
mod rust_library;
mod script;

use super::key::Key;
use super::surface::{ImportFact, Surface, SymFact};
use crate::layout::Layout;
use orbit_extract::{Family, ImportKind, RawImport, SymbolKind};
use smallvec::SmallVec;

pub(crate) use csharp::{
    asks_each, gives_service, global_using_keys, namespace_and_outer, project_usings, sequence_method,
};
pub(crate) use go::{GoGives, go_gives, is_load_of_pointer, named_package};
pub(crate) use jvm::{Gives, collection_method, gives_elements};
pub(crate) use native::{
    GivenByStandard, GivenType, given_by_standard, is_closed_class, is_left_out_whole, is_standard_namespace,
    is_text, names_element, outer_namespace, stands_in, type_given_by_standard,
};
pub(crate) use python::{Held, held_by};
pub(crate) use ruby::included_everywhere;
pub(crate) use rust::{
    ancestor_module, enclosing_module, inline_depth, is_prelude_variant, is_standard_crate,
    is_standard_macro, module_files, reaches,
};
pub(crate) use rust_inherent::{LibraryResult, LibraryType, library_result};
pub(crate) use rust_library::{
    gives_written_type, is_adapter, is_library_method, is_library_trait, is_pointer, passes_through,
};
pub(crate) use script::{
    HandedOn, MadeOf, added_scopes, ambient_module, gives_element, globals, handed_on, has_format_of,
    is_declaration_file, made_of, reads_declarations,
};

/// The modules an import can mean, most likely first.
pub(crate) type Targets = SmallVec<[Key; 2]>;

/// Where the members of a type can be named without a receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Members {
    /// Only through `self`, `this` or the type's name.
    Never,
    /// In the body of the type itself, but not in its methods.
    InBody,
    /// Anywhere inside the type, inherited ones too.
    Anywhere,
}

/// How names are looked up in a language.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "a table of independent yes-or-no rules")]
pub(crate) struct Rules {
    /// Names of the same module, package or namespace in other files are visible without an import.
    pub(crate) shares_module: bool,
    pub(crate) members: Members,
    /// An inline module does not see the names of the module round it.
    pub(crate) closed_modules: bool,
    /// A qualified name may start at the root of all packages without an import.
    pub(crate) rooted_paths: bool,
    /// Only what included files declare is visible.
    pub(crate) includes: bool,
}

const PLAIN: Rules = Rules {
    shares_module: false,
    members: Members::Never,
    closed_modules: false,
    rooted_paths: false,
    includes: false,
};

pub(crate) fn of(family: Family) -> &'static Rules {
    match family {
        Family::Rust => &rust::RULES,
        Family::Script => &script::RULES,
        Family::Python => &python::RULES,
        Family::Go => &go::RULES,
        Family::Jvm => &jvm::RULES,
        Family::CSharp => &csharp::RULES,
        Family::Ruby => &ruby::RULES,
        Family::Native => &native::RULES,
        Family::Prose => &PLAIN,
    }
}

/// The parts of a module path that names are looked up under.
pub(crate) fn module_parts(family: Family, module: &str) -> impl Iterator<Item = &str> {
    let separator = match family {
        Family::Rust => "::",
        Family::Python | Family::Jvm | Family::CSharp => ".",
        // A Go import path and a script's path are one name: nothing is looked up half way.
        _ => "\0",
    };
    module.split(separator).filter(|part| !part.is_empty())
}

/// The keys under which imports find this file.
pub(crate) fn module_keys(
    surface: &Surface,
    (module, package): (&str, Option<u64>),
    imports: &[RawImport],
) -> Targets {
    let mut keys = match surface.family() {
        Family::Script => script::module_keys(surface, module),
        Family::Ruby => ruby::module_keys(surface, imports),
        Family::Native => native::module_keys(surface, imports),
        Family::Python => python::module_keys(surface),
        Family::CSharp => csharp::module_keys(surface, imports),
        Family::Go => go::module_keys(surface, package),
        _ => SmallVec::from_elem(surface.container, 1),
    };
    // Namespaces and inline modules are modules of their own; `mod x;` only names another file.
    let is_elsewhere = |symbol: &SymFact| {
        imports.iter().any(|import| {
            import.kind == ImportKind::ModuleDecl
                && import.scope == symbol.parent
                && import.binds.is_some_and(|binds| surface.hash(binds) == symbol.name)
        })
    };
    for symbol in &surface.symbols {
        if symbol.kind == SymbolKind::Module && !is_elsewhere(symbol) && !keys.contains(&symbol.key) {
            keys.push(symbol.key);
        }
    }
    keys
}

/// Whether a file is the module of a key under which its names do not hang: the `index` file of a directory, a Python
/// file as it is called from outside of its package.
pub(crate) fn is_known_as(surface: &Surface, module: Key) -> bool {
    match surface.family() {
        Family::Script => script::is_index_of(surface, module),
        Family::Python => surface.container != module && surface.modules.contains(&module),
        _ => false,
    }
}

/// What an import of this file can mean.
pub(crate) fn import_targets(surface: &Surface, layout: &Layout, import: &RawImport) -> Targets {
    let module = surface.names.get(import.module);
    match surface.family() {
        Family::Rust => rust::import_targets(surface, layout, import, module),
        // Names that are visible everywhere come from no module.
        Family::Script if import.kind == ImportKind::Glob && module.is_empty() => Targets::new(),
        Family::Script => script::import_targets(surface, layout, module),
        Family::Python => python::import_targets(surface, layout, import, module),
        Family::Go => go::import_targets(module),
        Family::Jvm => jvm::import_targets(module),
        Family::CSharp => csharp::import_targets(surface, import, module),
        Family::Ruby => ruby::import_targets(surface, import, module),
        Family::Native => native::import_targets(surface, import, module),
        Family::Prose => Targets::new(),
    }
}

/// Whether an import that leads nowhere comes from outside of the repository.
pub(crate) fn may_be_external(surface: &Surface, import: &RawImport) -> bool {
    let module = surface.names.get(import.module);
    match surface.family() {
        Family::Script => script::names_package(module),
        // What is imported relative to the own package is in the repository, found or not.
        Family::Python => !module.starts_with('.'),
        _ => true,
    }
}

/// How well a file sees another one that has a symbol of the same qualified name.
pub(crate) fn source_rank(surface: &Surface, from: &Surface) -> u8 {
    match surface.family() {
        Family::Script if surface.file == from.file => 4,
        Family::Script => {
            let is_declared = script::reads_declarations(from) && script::is_declaration_file(surface);
            2 * u8::from(is_declared) + u8::from(script::has_format_of(surface, from))
        }
        _ => jvm::source_set_rank(surface, from),
    }
}

/// The module that an import loads, given one of those it can bind.
pub(crate) fn imported_module(surface: &Surface, import: &ImportFact, target: Key) -> Key {
    match surface.family() {
        Family::Python => python::imported_module(surface, import, target),
        _ => target,
    }
}

/// Keys for a file path and each of its tails: `a/b/c.h`, `b/c.h`, `c.h`.
fn path_tails(root: Key, path: &str) -> Targets {
    let starts = std::iter::once(0).chain(path.match_indices('/').map(|(at, _)| at + 1));
    starts.map(|at| path_key(root, &path[at..])).collect()
}

fn path_key(root: Key, path: &str) -> Key {
    root.parts(["\0path", path])
}
