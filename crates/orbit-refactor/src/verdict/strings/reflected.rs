//! Strings that reach something by its name in a program which makes something of names while it runs.

use crate::sites::{Scene, SourceFile};
use orbit_extract::Family;
use orbit_graph::{SymbolFacts, SymbolKind};

/// Why a string of Python, split at a name in it, may mean the symbol.
pub(super) fn in_python(scene: &Scene, file: &SourceFile, before: &str, after: &str) -> Option<&'static str> {
    let first = &scene.group[0];
    let knows = scene.reflection;
    let is_attribute = scene.is_member(first) && !first.kind.is_callable();
    let is_named = first.kind.is_callable() || first.kind.is_type();
    let is_whole = is_quoted(before, after);
    if is_whole && (knows.any_name || is_attribute && (knows.keys || makes_constructor(scene))) {
        return Some("the program reaches things by names in strings");
    }
    if is_named && (knows.own_names && (is_whole || after.starts_with('(')) || is_shown(scene, after)) {
        return Some("the program may show what it is called");
    }
    if is_attribute && is_formatted(file, knows.keys, before, after) {
        return Some("a format string may take its value");
    }
    let shows_fields = is_attribute && makes_constructor(scene) && after.starts_with('=');
    if shows_fields && before.ends_with(['(', ' ', ',']) && after[1..].starts_with(|c: char| c != '=') {
        return Some("its class shows it as an argument of its constructor");
    }
    let runs = ["eval(", "exec(", "timeit(", "Timer("];
    runs.iter().any(|call| is_argument_of(before, call)).then_some("code in a string that is run")
}

/// Whether a name is a whole string, or stands in quotes inside of one, like a key of JSON.
fn is_quoted(before: &str, after: &str) -> bool {
    before.ends_with(['"', '\'']) && after.trim_start_matches('\\').starts_with(['"', '\''])
}

/// Whether a class makes its constructor from its attributes.
fn makes_constructor(scene: &Scene) -> bool {
    let owner = scene.group[0].parent;
    let files = scene.files.iter().flat_map(|file| file.symbols.iter().map(move |symbol| (file, symbol)));
    let mut owners = files.filter(|(_, symbol)| Some(symbol.id) == owner || symbol.id == scene.group[0].id);
    owners.any(|(file, class)| is_record(file, class))
}

fn is_record(file: &SourceFile, class: &SymbolFacts) -> bool {
    if class.kind != SymbolKind::Class {
        return false;
    }
    let text = &file.text[class.span.0 as usize..class.span.1 as usize];
    let head = text.split_once(':').map_or(text, |(head, _)| head);
    let decorators = crate::rules::decorators(&file.text, class);
    let has = |text: &str, words: &[&str]| words.iter().any(|word| text.contains(word));
    has(decorators, &["dataclass", "attr", "define", "frozen"]) || has(head, &["NamedTuple"])
}

/// Whether a string shows a record as Python prints it: `Item(count=1)`.
fn is_shown(scene: &Scene, after: &str) -> bool {
    after.starts_with('(') && makes_constructor(scene)
}

/// Whether a format string takes the value: `{item.name}`, or where values come from attributes `{name}` and `%(name)s`.
fn is_formatted(file: &SourceFile, has_keys: bool, before: &str, after: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or(before);
    let is_open = line.rfind('{').is_some_and(|open| !line[open..].contains(['}', ' ']));
    let is_end = after.starts_with(['}', ':', '!', '.', '[']);
    let gives_all = has_keys || ["locals()", "format_map("].iter().any(|call| file.text.contains(call));
    let by_key = line.ends_with('{') || line.ends_with("%(") && after.starts_with(')');
    is_open && is_end && line.ends_with('.') || by_key && gives_all && (is_end || after.starts_with(')'))
}

/// Whether a text ends inside of the arguments of a call.
fn is_argument_of(before: &str, call: &str) -> bool {
    let near = &before[before.floor_char_boundary(before.len().saturating_sub(300))..];
    near.match_indices(call).any(|(at, _)| {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let inside = &near[at + call.len()..];
        let is_open = inside.matches('(').count() >= inside.matches(')').count();
        !near[..at].ends_with(is_word) && is_open && !inside.contains("\n\n")
    })
}

/// Why a string of a script, split at a name in it, may mean the symbol.
pub(super) fn in_script(scene: &Scene, before: &str, after: &str) -> Option<&'static str> {
    let first = &scene.group[0];
    let knows = scene.reflection;
    if ["eval(", "Function("].iter().any(|call| is_argument_of(before, call)) {
        return Some("code in a string that is run");
    }
    let quotes = ['"', '\'', '`'];
    if !before.ends_with(quotes) || !after.trim_start_matches('\\').starts_with(quotes) {
        return None;
    }
    let head = before[..before.len() - 1].trim_end_matches('\\').trim_end();
    let tail = after.trim_start_matches('\\')[1..].trim_start();
    let subscripted = head.strip_suffix('[').filter(|_| tail.starts_with(']'));
    let is_word = |c: char| c.is_alphanumeric() || "_$)].?".contains(c);
    if subscripted.is_some_and(|value| value.ends_with(is_word)) {
        return Some("a key in brackets");
    }
    let is_member = scene.is_member(first);
    let line = before.rsplit('\n').next().unwrap_or(before);
    let utilities = ["Pick<", "Omit<", "Extract<", "Exclude<", "Record<"];
    let is_key = tail.starts_with("in ") || utilities.iter().any(|utility| line.contains(utility));
    if is_member && (is_key || knows.keys) {
        return Some("a key of an object or type");
    }
    let is_called = first.kind.is_callable();
    if is_called && knows.any_name {
        return Some("the program calls things by names in strings");
    }
    let is_named = is_called || first.kind.is_type() || first.kind == SymbolKind::Const;
    (is_named && knows.own_names).then_some("the program may show what it is called")
}

/// Why a string of Go may show the symbol: `shop.Item` of `%T`, `{name:1}` of `%+v`.
pub(super) fn in_go(scene: &Scene, before: &str, after: &str) -> Option<&'static str> {
    let first = &scene.group[0];
    let knows = scene.reflection;
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let in_package = before.strip_suffix('.').is_some_and(|head| head.ends_with(is_word));
    let is_type = first.kind.is_type() && knows.own_names && in_package;
    let is_field = first.kind == SymbolKind::Field && knows.keys;
    let is_shown = is_type || is_field && before.ends_with(['{', ' ']) && after.starts_with(':');
    is_shown.then_some("the program may print what it is called")
}

/// Why a string of Java, Kotlin or C# may mean the symbol: reflection, names of constants, annotations of test runners.
pub(super) fn in_managed(
    scene: &Scene,
    file: &SourceFile,
    before: &str,
    after: &str,
) -> Option<&'static str> {
    let first = &scene.group[0];
    if scene.lang.family() != Family::Jvm && scene.lang.family() != Family::CSharp
        || !is_quoted(before, after)
    {
        return None;
    }
    let line = before.rsplit('\n').next().unwrap_or(before).trim_start();
    let opened = line.rfind('@').map(|at| &line[at..]).filter(|rest| rest.contains('('));
    if opened.is_some_and(|rest| rest.matches('(').count() > rest.matches(')').count()) {
        return Some("an annotation may name it");
    }
    let asks = |words: &[&str]| words.iter().any(|word| file.text.contains(word));
    let reached = match first.kind {
        SymbolKind::Variant => asks(&["valueOf(", ".name()", "toString()"]),
        kind if kind.is_type() => asks(&["forName(", "getSimpleName(", ".getName(", "simpleName"]),
        kind if kind.is_callable() => asks(&["Method(", "getMethodName("]),
        _ => asks(&["Field(", "GetProperty("]),
    };
    reached.then_some("the program reaches things by names in strings")
}

#[cfg(test)]
mod tests {
    use super::is_argument_of;

    #[test]
    fn code_that_is_run_is_told_from_other_strings() {
        assert!(is_argument_of("x = eval(\"area", "eval("));
        assert!(is_argument_of("exec(\n    \"x = (", "exec("));
        assert!(!is_argument_of("eval(x)\ny = \"area", "eval("));
        assert!(!is_argument_of("retrieval(\"area", "eval("));
    }
}
