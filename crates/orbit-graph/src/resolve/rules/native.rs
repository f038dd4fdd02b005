//! C and C++: one global namespace, of which a file sees what it includes.

use super::{Members, PLAIN, Rules, Targets, path_key, path_tails};
use crate::layout::{directory, join, normalize};
use crate::resolve::key::{Key, hash_name};
use crate::resolve::lookup::Thing;
use crate::resolve::surface::{Surface, SymFact};
use orbit_extract::{Family, ImportKind, RawImport, SymbolKind};
use smallvec::smallvec;
use std::sync::LazyLock;

pub(super) const RULES: Rules =
    Rules { shares_module: true, members: Members::Anywhere, includes: true, rooted_paths: true, ..PLAIN };

static GLOBAL: LazyLock<u64> = LazyLock::new(|| hash_name("::"));
static TAG: LazyLock<u64> = LazyLock::new(|| hash_name("struct"));
static STANDARD: LazyLock<u64> = LazyLock::new(|| hash_name("std"));

/// What `::` and `std` mean wherever they stand. A repository adds specialisations to `std`, and nothing that is
/// meant by a name in it.
pub(crate) fn outer_namespace(name: u64) -> Option<Thing> {
    match name {
        _ if name == *GLOBAL || name == *TAG => Some(Thing::Module(Key::root(Family::Native))),
        _ if name == *STANDARD => Some(Thing::External),
        _ => None,
    }
}

/// Whether a module is `std`.
pub(crate) fn is_standard_namespace(module: Key) -> bool {
    module == Key::root(Family::Native).part(*STANDARD)
}

pub(super) fn module_keys(surface: &Surface, imports: &[RawImport]) -> Targets {
    let root = Key::root(Family::Native);
    let mut keys = path_tails(root, &surface.path);
    // A namespace that a macro opens is another name for what is round it.
    let opened =
        imports.iter().filter(|import| import.kind == ImportKind::Glob).filter_map(|import| import.symbol);
    for name in opened {
        let key = root.parts(surface.names.get(name).split("::"));
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

pub(super) fn import_targets(surface: &Surface, import: &RawImport, module: &str) -> Targets {
    let root = Key::root(Family::Native);
    if import.kind != ImportKind::File {
        let parts = || module.split("::").filter(|part| !part.is_empty());
        let mut targets = Targets::new();
        // A name is looked up from the namespace it stands in outwards.
        let mut here = import.scope;
        while let Some(symbol) = here.symbol().map(|index| &surface.symbols[index]) {
            if symbol.kind == SymbolKind::Module && !module.starts_with("::") {
                targets.push(symbol.key.parts(parts()));
            }
            here = symbol.parent;
        }
        targets.push(root.parts(parts()));
        return targets;
    }
    if let Some(system) = module.strip_prefix('<') {
        smallvec![path_key(root, system.trim_end_matches('>'))]
    } else {
        let beside = normalize(&join(directory(&surface.path), module));
        smallvec![
            path_key(root, &beside),
            path_key(root, module.trim_start_matches("./").trim_start_matches("../"))
        ]
    }
}

/// Whether a definition that a usual build leaves out stands in for one of the system: a macro with a function's name
/// or a standard one, or a prototype. Elsewhere the name means what the system's header declares.
pub(crate) fn stands_in(at: &Surface, symbol: &SymFact) -> bool {
    let name = at.names.get(symbol.local);
    symbol.inactive
        && match symbol.kind {
            // Functions of C's library have names of one word, `localtime_r` and the like aside.
            SymbolKind::Macro => {
                let word = name.strip_suffix("_r").unwrap_or(name);
                word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
                    || orbit_extract::is_standard_macro(name)
            }
            kind => kind.is_callable() && symbol.bodiless,
        }
}

/// Whether all functions of a file depend on something that a usual build does not define: its uses do as well.
pub(crate) fn is_left_out_whole(at: &Surface) -> bool {
    let mut functions = at.symbols.iter().filter(|symbol| symbol.kind.is_callable()).peekable();
    functions.peek().is_some() && functions.all(|symbol| symbol.inactive)
}

/// What a method of the standard library gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GivenByStandard {
    /// What it is called on: smart pointers stand for what they point to.
    Itself,
    /// One of what a container holds, or an iterator to it.
    Element,
}

pub(crate) fn given_by_standard(method: &str) -> Option<GivenByStandard> {
    match method {
        "get" | "lock" | "value" | "value_or" | "release" | "load" | "exchange" => {
            Some(GivenByStandard::Itself)
        }
        "front" | "back" | "at" | "top" | "find" | "begin" | "end" | "cbegin" | "cend" | "rbegin"
        | "rend" | "lower_bound" | "upper_bound" | "data" | "emplace_back" => Some(GivenByStandard::Element),
        _ => None,
    }
}

/// Whether a type inside a container of the standard library leads to what it holds.
pub(crate) fn names_element(name: &str) -> bool {
    name.ends_with("iterator")
}

/// The type of what a function of the standard library gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GivenType {
    Builtin(&'static str),
    /// One of the library's own types.
    Outside(&'static str),
    /// What the container holds.
    Element,
}

pub(crate) fn type_given_by_standard(function: &str) -> Option<GivenType> {
    match function {
        "c_str" => Some(GivenType::Builtin("char*")),
        "size" | "length" | "capacity" | "strlen" => Some(GivenType::Builtin("unsigned long")),
        "empty" => Some(GivenType::Builtin("bool")),
        "substr" | "str" | "to_string" => Some(GivenType::Outside("string")),
        "front" | "back" | "at" | "top" => Some(GivenType::Element),
        _ => None,
    }
}

/// Whether a type of the standard library is made from a pointer to characters.
pub(crate) fn is_text(name: &str) -> bool {
    matches!(name, "string" | "string_view" | "basic_string" | "basic_string_view" | "path")
}

/// Whether a type of the standard library is known to be a class that no built-in value becomes by itself.
pub(crate) fn is_closed_class(name: &str) -> bool {
    is_text(name)
        || matches!(
            name,
            "vector"
                | "map"
                | "set"
                | "unordered_map"
                | "unordered_set"
                | "multimap"
                | "multiset"
                | "list"
                | "deque"
                | "array"
                | "pair"
                | "tuple"
                | "function"
                | "initializer_list"
                | "wstring"
                | "wstring_view"
                | "ostream"
                | "istream"
                | "ofstream"
                | "ifstream"
                | "fstream"
                | "stringstream"
                | "ostringstream"
                | "istringstream"
                | "error_code"
                | "thread"
                | "mutex"
        )
}
