//! `use` lines that come along with a definition, and those that are no longer needed.

use super::lists::{attributes, statement_start};
use super::places::Places;
use super::{TRAITS, refuse};
use crate::draft::Draft;
use crate::edit::Edit;
use crate::error::RefactorError;
use crate::moves::{Need, Subject};
use orbit_extract::Place;
use orbit_graph::{ImportFacts, SymbolFacts, SymbolKind};
use std::collections::BTreeSet;

/// `use` lines that the definition brings along.
pub(super) fn target_imports(
    subject: &Subject<'_>,
    places: &Places,
    needs: &[(String, Need)],
    draft: &mut Draft,
) -> Result<BTreeSet<String>, RefactorError> {
    let (known, doubtful) = known_imports(subject)?;
    let own = subject.facts.of_file(&subject.target)?;
    let mut lines = BTreeSet::new();
    for (name, need) in needs {
        if doubtful.contains(name) {
            let message = format!("`{name}` is imported under a condition in {}", subject.target);
            return Err(refuse("unsupported", message));
        }
        let bound =
            known.iter().find(|import| import.alias.as_deref().or(import.symbol.as_deref()) == Some(name));
        let is_defined = own
            .iter()
            .any(|symbol| symbol.parent.is_none() && symbol.name == *name && symbol.kind != SymbolKind::Impl);
        let line = match need {
            Need::Stays(symbol) => {
                open_for_target(subject, places, symbol, draft)?;
                let from = bound.and_then(|bound| bound.resolved.as_deref());
                if from == Some(&subject.symbol.path) {
                    continue;
                }
                let path = format!("{}::{name}", places.written(&subject.target, &places.old));
                places.names(&subject.target, &path)?;
                format!("use {path};\n")
            }
            Need::Import(import) => match import_line(subject, places, import, bound)? {
                Some(line) => line,
                None => continue,
            },
        };
        if bound.is_some() || is_defined {
            return Err(refuse("taken", format!("`{name}` means something else in {}", subject.target)));
        }
        // `use serde::…` begins with a module of the file, if it has one called so.
        let first = line.trim_start_matches("use ").split("::").next().unwrap_or("");
        let hides = |symbol: &&SymbolFacts| symbol.parent.is_none() && symbol.name == first;
        if let Some(hiding) = own.iter().find(hides).filter(|symbol| symbol.kind == SymbolKind::Module) {
            let message =
                format!("`{first}` is a module in {}, and a crate where it comes from", hiding.path);
            return Err(refuse("taken", message));
        }
        lines.insert(line);
    }
    Ok(lines)
}

/// What stays and is needed becomes visible in the crate.
fn open_for_target(
    subject: &Subject<'_>,
    places: &Places,
    symbol: &SymbolFacts,
    draft: &mut Draft,
) -> Result<(), RefactorError> {
    let mut edits = Vec::new();
    if symbol.kind == SymbolKind::Module {
        // What is private to a module is seen by the modules below it.
        let is_below = places.new.strip_prefix(&places.old).is_some_and(|rest| rest.starts_with("::"));
        if !symbol.exported && !is_below {
            edits.extend(opened_module(subject, symbol).ok_or_else(|| unseen(symbol))?);
        }
    } else if symbol.kind == SymbolKind::Macro {
        return Err(unseen(symbol));
    } else {
        edits.extend(shown_with_parts(subject, symbol));
    }
    for edit in edits {
        draft.edit(&subject.symbol.path, edit);
    }
    Ok(())
}

/// `pub(crate)` for a symbol that stays, and for types that its impls give to the types of their traits: those must be seen
/// by who sees it.
pub(super) fn shown_with_parts(subject: &Subject<'_>, symbol: &SymbolFacts) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut open = vec![symbol];
    let mut done = BTreeSet::new();
    while let Some(symbol) = open.pop() {
        if !done.insert(symbol.id) {
            continue;
        }
        edits.extend(super::shown(subject, symbol));
        let impls = subject.symbols.iter().filter(|it| it.kind == SymbolKind::Impl && it.name == symbol.name);
        let text = impls.map(|it| &subject.text[it.span.0 as usize..it.span.1 as usize]);
        let lines = text.flat_map(str::lines).map(str::trim_start).filter(|line| line.starts_with("type "));
        let lines: Vec<&str> = lines.collect();
        let has = |name: &str| {
            let mut words =
                lines.iter().flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '_')));
            words.any(|word| word == name)
        };
        let types = subject.symbols.iter().filter(|it| it.parent.is_none() && it.kind.is_type());
        open.extend(types.filter(|it| !subject.goes(it.span.0) && has(&it.name)));
    }
    edits
}

fn unseen(symbol: &SymbolFacts) -> RefactorError {
    refuse("unsupported", format!("it uses `{}`, which cannot be seen from elsewhere", symbol.name))
}

/// An import of the old file, as the target writes it; `None` when the target has it.
fn import_line(
    subject: &Subject<'_>,
    places: &Places,
    import: &ImportFacts,
    bound: Option<&ImportFacts>,
) -> Result<Option<String>, RefactorError> {
    let text = &subject.text;
    let name = import.alias.as_deref().or(import.symbol.as_deref()).unwrap_or("");
    let at = text.split_inclusive('\n').take(import.line as usize - 1).map(str::len).sum();
    let begin = statement_start(text, at).unwrap_or(at);
    if text[attributes(text, begin)..begin].contains("#[cfg") {
        return Err(refuse("unsupported", format!("`{name}` is imported under a condition")));
    }
    let path = absolute(places, import);
    let own_path = format!("{}::{name}", places.written(&subject.target, &places.new));
    let is_same = bound.is_some_and(|bound| absolute_in(places, bound, &places.new) == path);
    if is_same || path == own_path {
        return Ok(None);
    }
    places.names(&subject.target, &path)?;
    let alias = import.alias.as_deref().filter(|alias| Some(*alias) != path.rsplit("::").next());
    let alias = alias.map(|alias| format!(" as {alias}")).unwrap_or_default();
    Ok(Some(format!("use {path}{alias};\n")))
}

/// The imports of the target that hold for the whole file, and names that it imports under a condition.
fn known_imports(subject: &Subject<'_>) -> Result<(Vec<ImportFacts>, BTreeSet<String>), RefactorError> {
    let text = &subject.target_text;
    let mut doubtful = BTreeSet::new();
    let mut known = subject.facts.imports_of(&subject.target)?;
    known.retain(|import| {
        let at = text.split_inclusive('\n').take(import.line as usize - 1).map(str::len).sum();
        let Some(begin) = statement_start(text, at) else { return false };
        if text[begin..].starts_with([' ', '\t']) {
            return false; // of a function or an inner module
        }
        let has_condition = text[attributes(text, begin)..begin].contains("#[cfg");
        if has_condition {
            doubtful.extend(import.alias.clone().or_else(|| import.symbol.clone()));
        }
        !has_condition
    });
    Ok((known, doubtful))
}

/// A module inside of the file, and what it shows to the file, become visible in the crate.
fn opened_module(subject: &Subject<'_>, module: &SymbolFacts) -> Option<Vec<Edit>> {
    const OUTER: &str = "pub(super)";
    let text = &subject.text[module.span.0 as usize..module.span.1 as usize];
    let is_inline = text.starts_with("mod ") && text.contains('{') && !text.contains("pub(in ");
    let shown = text.match_indices(OUTER).map(|(at, _)| module.span.0 + at as u32);
    let shown = shown.map(|at| Edit::new(at, at + OUTER.len() as u32, "pub(crate)"));
    is_inline
        .then(|| [Edit::new(module.span.0, module.span.0, "pub(crate) ")].into_iter().chain(shown).collect())
}

/// The full path of an import of the old file.
pub(super) fn absolute(places: &Places, import: &ImportFacts) -> String {
    absolute_in(places, import, &places.old)
}

pub(super) fn absolute_in(places: &Places, import: &ImportFacts, module: &str) -> String {
    let whole = match &import.symbol {
        Some(symbol) if !import.module.is_empty() => format!("{}::{symbol}", import.module),
        Some(symbol) => symbol.clone(),
        None => import.module.clone(),
    };
    absolute_path(places, &whole, module)
}

/// A path without `self` and `super` at its beginning.
pub(super) fn absolute_path(places: &Places, path: &str, module: &str) -> String {
    let mut base = module;
    let mut rest = path;
    let mut is_relative = false;
    loop {
        if let Some(inner) = rest.strip_prefix("self::") {
            (rest, is_relative) = (inner, true);
        } else if let Some(inner) = rest.strip_prefix("super::") {
            base = base.rsplit_once("::").map_or(base, |(outer, _)| outer);
            (rest, is_relative) = (inner, true);
        } else {
            break;
        }
    }
    let first = rest.split("::").next().unwrap_or("");
    let child = format!("{module}::{first}");
    let is_child =
        !is_relative && rest.contains("::") && places.modules.values().any(|known| *known == child);
    if is_child {
        is_relative = true;
    }
    if !is_relative {
        return path.to_owned();
    }
    match base.split_once("::") {
        Some((_, inner)) => format!("crate::{inner}::{rest}"),
        None => format!("crate::{rest}"),
    }
}

/// Imports of the old file that nothing names: traits, for their methods. They come along.
pub(super) fn trait_imports(
    subject: &Subject<'_>,
    places: &Places,
) -> Result<BTreeSet<String>, RefactorError> {
    let imports = subject.facts.imports_of(&subject.symbol.path)?;
    let (known, doubtful) = known_imports(subject)?;
    let own = subject.facts.of_file(&subject.target)?;
    let mut lines = BTreeSet::new();
    let bindings: Vec<String> =
        imports.iter().filter_map(|import| import.alias.clone().or_else(|| import.symbol.clone())).collect();
    let words: Vec<&str> = bindings.iter().map(String::as_str).collect();
    let spelled = subject.spelled(&words)?;
    for import in imports.iter().filter(|import| subject.is_of_file(import)) {
        let Some(name) = import.alias.clone().or_else(|| import.symbol.clone()) else {
            let has = known.iter().any(|other| {
                other.symbol.is_none() && absolute_in(places, other, &places.new) == absolute(places, import)
            });
            // `use a::*` of something from outside: nobody knows what of it is needed.
            let line = subject.text.lines().nth(import.line as usize - 1).unwrap_or("");
            if import.resolved.is_none() && line.contains('*') && !has {
                lines.insert(format!("use {}::*;\n", absolute(places, import)));
            }
            continue;
        };
        let is_named = spelled.iter().any(|s| {
            words[s.word] == name && !s.in_import && !matches!(s.place, Place::Comment | Place::Text)
        });
        let is_trait = !is_named || TRAITS.contains(&name.as_str());
        let is_bound =
            known.iter().any(|other| other.alias.as_deref().or(other.symbol.as_deref()) == Some(&name))
                || own.iter().any(|symbol| symbol.parent.is_none() && symbol.name == name)
                || doubtful.contains(&name);
        let can_be_trait = import.symbol.as_deref().is_some_and(|name| name.starts_with(char::is_uppercase));
        if is_trait && can_be_trait && !is_bound && !is_handed_on(subject, import) {
            let alias = import.alias.as_deref().filter(|alias| Some(*alias) != import.symbol.as_deref());
            let alias = alias.map(|alias| format!(" as {alias}")).unwrap_or_default();
            let path = absolute(places, import);
            if places.names(&subject.target, &path).is_ok() {
                lines.insert(format!("use {path}{alias};\n"));
            }
        }
    }
    Ok(lines)
}

/// Traits of the old file whose methods the definition calls, without naming them.
pub(super) fn own_traits(
    subject: &Subject<'_>,
    places: &Places,
    draft: &mut Draft,
) -> Result<BTreeSet<String>, RefactorError> {
    let (known, _) = known_imports(subject)?;
    let own = &subject.symbols;
    let mut lines = BTreeSet::new();
    let traits = own.iter().filter(|symbol| symbol.kind == SymbolKind::Trait && symbol.parent.is_none());
    for role in traits.filter(|role| !subject.goes(role.span.0)) {
        let methods = own.iter().filter(|symbol| symbol.parent == Some(role.id));
        let words: Vec<&str> = methods.map(|method| method.name.as_str()).collect();
        let is_called = subject.spelled(&words)?.iter().any(|spelling| {
            subject.goes(spelling.span.start) && matches!(spelling.place, Place::Member | Place::Path)
        });
        let is_bound = known
            .iter()
            .any(|import| import.alias.as_deref().or(import.symbol.as_deref()) == Some(role.name.as_str()));
        if is_called && !is_bound {
            let path = format!("{}::{}", places.written(&subject.target, &places.old), role.name);
            places.names(&subject.target, &path)?;
            let edit = super::shown(subject, role);
            if let Some(edit) = edit {
                draft.edit(&subject.symbol.path, edit);
            }
            lines.insert(format!("use {path};\n"));
        }
    }
    Ok(lines)
}

/// Whether an import is one for others: `pub use`, or one that a condition stands before.
fn is_handed_on(subject: &Subject<'_>, import: &ImportFacts) -> bool {
    let lines: Vec<&str> = subject.text.lines().take(import.line as usize).collect();
    let is_start = |line: &&str| {
        let code = line.trim_start();
        code.starts_with("use ") || code.starts_with("pub")
    };
    let Some(at) = lines.iter().rposition(is_start) else { return false };
    let above = at.checked_sub(1).map_or("", |above| lines[above]);
    lines[at].trim_start().starts_with("pub") || above.trim_start().starts_with("#[cfg")
}

/// Takes an import out of the old file that nothing there needs any more, where that is simple.
pub(super) fn take_out(subject: &Subject<'_>, import: &ImportFacts, draft: &mut Draft) {
    let Some(line) = subject.text.split_inclusive('\n').nth(import.line as usize - 1) else { return };
    let is_simple = line.starts_with("use ") && line.trim_end().ends_with(';') && !line.contains('{');
    let at: usize = subject.text.split_inclusive('\n').take(import.line as usize - 1).map(str::len).sum();
    let name = import.symbol.as_deref().unwrap_or("");
    let is_simple = is_simple && attributes(&subject.text, at) == at;
    let is_tested = subject.text.contains("use super::*"); // which hands private imports on
    if is_simple && !is_tested && !TRAITS.contains(&name) {
        draft.edit(&subject.symbol.path, Edit::new(at as u32, (at + line.len()) as u32, ""));
    }
}
