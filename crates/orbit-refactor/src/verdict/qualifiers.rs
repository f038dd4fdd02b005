//! What stands before a `::` of Rust says which of several symbols a name can be.

use crate::sites::reach::module_at;
use crate::sites::{Scene, Site};
use orbit_extract::{Lang, Place};
use orbit_graph::SymbolFacts;

/// Keeps those candidates that stand in what the qualifier names, as far as that can be told.
pub(super) fn narrow(scene: &Scene, site: &Site<'_>, qualifier: &str, possible: &mut Vec<&SymbolFacts>) {
    if scene.lang != Lang::Rust || site.spelling.place != Place::Path {
        return;
    }
    let module = || module_at(scene, site.file, site.spelling.span.start);
    let in_module = match qualifier {
        "crate" | "$crate" => Some(module().split("::").next().unwrap_or("").to_owned()),
        "self" => Some(module()),
        "super" => outer_module(&module(), &site.file.text[..site.spelling.span.start as usize]),
        _ => None,
    };
    if let Some(module) = in_module {
        let standing: Vec<&SymbolFacts> =
            possible.iter().copied().filter(|symbol| split_owner(&symbol.qualified).0 == module).collect();
        if !standing.is_empty() {
            *possible = standing;
        }
        return;
    }
    let is_letter = qualifier.len() == 1 && qualifier.starts_with(char::is_uppercase);
    let is_parameter = qualifier == "Self" || is_letter;
    if is_parameter {
        possible.retain(|symbol| scene.is_member(symbol));
        return;
    }
    let stands_in = |symbol: &&SymbolFacts| {
        let (outer, _) = split_owner(&symbol.qualified);
        let owner = if outer.ends_with('>') { outer } else { split_owner(outer).1 };
        owner.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == qualifier)
    };
    let standing: Vec<&SymbolFacts> = possible.iter().copied().filter(stands_in).collect();
    let is_alias = scene.aliases.contains(qualifier);
    let is_type = qualifier.starts_with(char::is_uppercase);
    let is_module_alias = !is_type && standing.is_empty();
    if !standing.is_empty()
        || (!is_alias && !is_module_alias)
        || (is_module_alias && is_outside(scene, qualifier))
    {
        *possible = standing;
    }
}

/// The module that as many steps lead out to as `super::` stands at the end of a text.
fn outer_module(module: &str, before: &str) -> Option<String> {
    let (mut module, mut before) = (module, before.strip_suffix("super::")?);
    loop {
        module = module.rsplit_once("::")?.0;
        match before.strip_suffix("super::") {
            Some(rest) => before = rest,
            None => return Some(module.to_owned()),
        }
    }
}

/// Whether a lower-case qualifier is a module from outside: `io` of `io::Error`.
fn is_outside(scene: &Scene, qualifier: &str) -> bool {
    let is_ours = scene.crates.has_module(qualifier) || scene.modules.contains(qualifier);
    !is_ours && !scene.aliases.contains(qualifier)
}

/// What a qualified name stands in, and its last part.
fn split_owner(qualified: &str) -> (&str, &str) {
    let path = qualified.split('#').next().unwrap_or(qualified);
    path.rsplit_once("::").unwrap_or(("", path))
}
