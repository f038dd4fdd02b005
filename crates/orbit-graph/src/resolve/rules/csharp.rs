//! C#: namespaces that span files, members visible everywhere inside a type, `global using` for a project.

use super::{Gives, Members, PLAIN, Rules, Targets, path_key};
use crate::layout::{Layout, ancestors, directory};
use crate::resolve::key::Key;
use crate::resolve::surface::{Surface, SymFact};
use orbit_extract::{Family, RawImport, SymbolKind};
use smallvec::smallvec;

pub(super) const RULES: Rules =
    Rules { shares_module: true, members: Members::Anywhere, rooted_paths: true, ..PLAIN };

/// Inside of `namespace A.B`, `using C;` opens the first of `A.B.C`, `A.C` and `C` that there is.
pub(super) fn import_targets(surface: &Surface, import: &RawImport, module: &str) -> Targets {
    let mut targets = Targets::new();
    let mut here = import.scope;
    while let Some(symbol) = here.symbol().map(|index| surface.symbols[index]) {
        if symbol.kind == SymbolKind::Module {
            targets.extend(namespace_and_outer(surface, &symbol).map(|key| key.parts(module.split('.'))));
        }
        here = symbol.parent;
    }
    targets.push(namespace(module));
    targets
}

fn namespace(path: &str) -> Key {
    Key::root(Family::CSharp).parts(path.split('.'))
}

/// A file with `global using` directives is found by the directory of its project: its own, or the one above
/// for what the tools keep in `Properties`.
pub(super) fn module_keys(surface: &Surface, imports: &[RawImport]) -> Targets {
    if !imports.iter().any(|import| import.reexport) {
        return Targets::new();
    }
    let dir = directory(&surface.path);
    let project = dir.strip_suffix("Properties").map_or(dir, |above| above.trim_end_matches('/'));
    smallvec![global_key(project)]
}

/// What the project of a file opens in all its files.
pub(crate) fn project_usings(layout: &Layout, path: &str) -> Vec<Key> {
    layout.project_usings(path).into_iter().map(namespace).collect()
}

/// Where the `global using` directives that count in a file may stand.
pub(crate) fn global_using_keys(path: &str) -> impl Iterator<Item = Key> {
    ancestors(path).map(global_key)
}

fn global_key(dir: &str) -> Key {
    path_key(Key::root(Family::CSharp), &format!("\0global {dir}"))
}

/// The keys of a namespace and, for `namespace A.B`, of those round it, innermost first.
pub(crate) fn namespace_and_outer(surface: &Surface, symbol: &SymFact) -> impl Iterator<Item = Key> {
    let separator = surface.lang.separator();
    let applies = matches!(surface.family(), Family::CSharp | Family::Native);
    let path =
        if applies && symbol.kind == SymbolKind::Module { surface.names.get(symbol.local) } else { "" };
    let outer = path.rmatch_indices(separator).map(|(at, _)| &path[..at]);
    let keys = outer.map(move |prefix| surface.container.parts(prefix.split(separator)));
    std::iter::once(symbol.key).chain(keys)
}

/// Whether a method of the usual containers of services gives one of its type argument.
pub(crate) fn gives_service(method: &str) -> bool {
    matches!(
        method,
        "GetService"
            | "GetRequiredService"
            | "GetKeyedService"
            | "GetRequiredKeyedService"
            | "GetInstance"
            | "Resolve"
    )
}

/// Methods of .NET's lists and sequences that give one element, or the same elements.
pub(crate) fn sequence_method(method: &str) -> Option<Gives> {
    Some(match method {
        "First" | "FirstOrDefault" | "Last" | "LastOrDefault" | "Single" | "SingleOrDefault"
        | "ElementAt" | "ElementAtOrDefault" | "MinBy" | "MaxBy" | "Find" | "FindLast" | "Dequeue"
        | "Pop" | "Peek" => Gives::Element,
        "Where" | "OrderBy" | "OrderByDescending" | "ThenBy" | "ThenByDescending" | "Take" | "TakeWhile"
        | "TakeLast" | "Skip" | "SkipWhile" | "SkipLast" | "Distinct" | "DistinctBy" | "Reverse"
        | "Concat" | "Union" | "Except" | "Intersect" | "Append" | "Prepend" | "ToList" | "ToArray"
        | "ToHashSet" | "AsEnumerable" | "AsReadOnly" | "FindAll" => Gives::Whole,
        _ => return None,
    })
}

/// Methods of .NET's lists and sequences that ask their lambda about each element.
pub(crate) fn asks_each(method: &str) -> bool {
    matches!(
        method,
        "Where"
            | "Select"
            | "SelectMany"
            | "Any"
            | "All"
            | "Count"
            | "First"
            | "FirstOrDefault"
            | "Last"
            | "LastOrDefault"
            | "Single"
            | "SingleOrDefault"
            | "OrderBy"
            | "OrderByDescending"
            | "ThenBy"
            | "ThenByDescending"
            | "GroupBy"
            | "ToDictionary"
            | "ToLookup"
            | "Sum"
            | "Min"
            | "Max"
            | "Average"
            | "MinBy"
            | "MaxBy"
            | "TakeWhile"
            | "SkipWhile"
            | "DistinctBy"
            | "ForEach"
            | "Find"
            | "FindLast"
            | "FindAll"
            | "Exists"
            | "RemoveAll"
            | "TrueForAll"
    )
}
