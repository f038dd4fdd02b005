//! Names in strings: references only where a program reads them as such.

mod reflected;

use super::Verdict;
use crate::sites::{Scene, Site, SourceFile};
use orbit_extract::Family;
use orbit_graph::SymbolKind;

/// Python calls that make something which knows its own name.
const MAKES: [&str; 8] = [
    "TypeVar(",
    "ParamSpec(",
    "TypeVarTuple(",
    "NewType(",
    "namedtuple(",
    "NamedTuple(",
    "TypedDict(",
    "Enum(",
];
/// Python calls that reach something by its name.
const BY_NAME: [&str; 8] =
    ["getattr(", "hasattr(", "setattr(", "delattr(", "attrgetter(", "methodcaller(", ".object(", "globals()"];

const REVIEW: Verdict = Verdict::Review("named in a string");

/// Settles a name in a string.
pub(super) fn verdict(scene: &Scene, site: &Site<'_>) -> Verdict {
    let span = site.spelling.span;
    let (before, after) = (&site.file.text[..span.start as usize], &site.file.text[span.end as usize..]);
    match scene.lang.family() {
        Family::Python => python(scene, site.file, before, after),
        Family::Rust if is_captured(scene, before, after) => {
            Verdict::Doubt("a format string may take its value".into())
        }
        Family::Rust if site.spelling.in_attribute => {
            let is_path = after.starts_with('"') && (before.ends_with('"') || before.ends_with("::"));
            let can = matches!(
                scene.group[0].kind,
                SymbolKind::Function
                    | SymbolKind::Module
                    | SymbolKind::Struct
                    | SymbolKind::Method
                    | SymbolKind::Const
            );
            let is_doc = before.rsplit('\n').next().is_some_and(|line| line.contains("doc"));
            if is_path && can && !is_doc { Verdict::Doubt("a path in an attribute".into()) } else { REVIEW }
        }
        Family::Rust if scene.group[0].kind == SymbolKind::Module => {
            let line = before.rsplit('\n').next().unwrap_or(before);
            let is_path = after.starts_with(".rs") || after.starts_with('/') || before.ends_with('/');
            let is_file = scene.crates.is_file(&scene.group[0].qualified);
            if is_file && is_path && (line.contains("include") || line.contains("path")) {
                Verdict::Doubt("may be the path of the module's file".into())
            } else {
                REVIEW
            }
        }
        Family::Go => doubt(reflected::in_go(scene, before, after)),
        Family::Script => doubt(reflected::in_script(scene, before, after)),
        _ => doubt(reflected::in_managed(scene, site.file, before, after)),
    }
}

/// A doubt where there is a reason for one.
fn doubt(why: Option<&'static str>) -> Verdict {
    why.map_or(REVIEW, |why| Verdict::Doubt(why.into()))
}

/// `"{NAME}"`: a format string takes constants by their names, and an attribute such as `#[error("{field}")]` fields.
fn is_captured(scene: &Scene, before: &str, after: &str) -> bool {
    let can = matches!(scene.group[0].kind, SymbolKind::Const | SymbolKind::Static | SymbolKind::Field);
    can && before.ends_with('{') && after.starts_with(['}', ':'])
}

fn python(scene: &Scene, file: &SourceFile, before: &str, after: &str) -> Verdict {
    let first = &scene.group[0];
    let at = before.len() as u32;
    let is_whole = before.ends_with(['"', '\'']) && after.starts_with(['"', '\'']);
    let is_own = first.path == file.path && scene.reaches(file, at);
    let line = before.rsplit('\n').next().unwrap_or(before);
    if is_whole && in_list(before, "__all__") {
        return if scene.is_visible(file) { Verdict::Change(Some("listed in __all__")) } else { REVIEW };
    }
    let lists = ["__slots__", "__match_args__"].into_iter().find(|list| in_list(before, list));
    if is_whole && lists.is_some() && scene.is_member(first) {
        let is_ours = scene.is_inside_heir(file, at);
        return if is_ours { Verdict::Change(Some("listed in its class")) } else { REVIEW };
    }
    if is_type(scene, file, before.len()) && (scene.is_visible(file) || is_own) {
        return Verdict::Change(Some("a type in a string"));
    }
    if is_doctest(scene, file, line, before, after) {
        return Verdict::Change(Some("in a doctest"));
    }
    let is_inside = scene
        .group
        .iter()
        .any(|symbol| symbol.path == file.path && symbol.span.0 <= at && at < symbol.span.1);
    if is_whole && is_inside && MAKES.iter().any(|call| line.contains(call)) {
        return Verdict::Change(Some("the name that it tells itself"));
    }
    let is_nested = first.parent.is_some() && !scene.is_member(first);
    let is_shown = is_own && (is_nested || is_made_public(scene, file));
    if is_whole {
        let near = &before[before.floor_char_boundary(before.len().saturating_sub(120))..];
        let is_open = |at: usize, call: &str| !near[at..].contains(')') || call.ends_with(')');
        let is_reached = BY_NAME.iter().any(|call| near.rfind(call).is_some_and(|at| is_open(at, call)));
        let is_doubtful = is_reached || is_shown;
        if is_doubtful {
            return Verdict::Doubt("reached by its name in a string".into());
        }
    }
    if let Some(why) = reflected::in_python(scene, file, before, after) {
        return Verdict::Doubt(why.into());
    }
    if is_whole {
        return REVIEW;
    }
    let in_tests = file.path.split('/').any(|part| part.starts_with("test"));
    let near = &before[before.floor_char_boundary(before.len().saturating_sub(300))..];
    let is_program = ["\"import ", "'import ", "\\nimport ", "\nimport ", "\"from ", "\\nfrom "]
        .iter()
        .any(|word| near.rfind(word).is_some_and(|at| !near[at..].contains("\n\n")));
    if in_tests && before.ends_with('.') && (after.starts_with('(') || is_program) {
        return Verdict::Doubt("may be code in a string".into());
    }
    if is_shown {
        return Verdict::Doubt("what it is called may be seen from outside".into());
    }
    if is_dotted(scene, before, after) {
        return Verdict::Doubt("a dotted path in a string".into());
    }
    REVIEW
}

/// Whether a place stands in an example of a docstring, which sees the names of its module, and gives the name no other
/// value.
fn is_doctest(scene: &Scene, file: &SourceFile, line: &str, before: &str, after: &str) -> bool {
    let first = &scene.group[0];
    let is_prompt = [">>> ", "... "].iter().any(|prompt| line.trim_start().starts_with(prompt));
    if !is_prompt || first.parent.is_some() || !scene.is_visible(file) {
        return false;
    }
    let is_whole = |text: &str| !text.ends_with(['.', '"', '\'']);
    let is_keyword = after.trim_start().starts_with('=') && !after.trim_start().starts_with("==");
    let open = before.rfind("\"\"\"").max(before.rfind("'''")).unwrap_or(0);
    let bound = [" =", "="].map(|sign| format!(">>> {}{sign}", first.name));
    let gets_value = bound.iter().any(|text| before[open..].contains(text.as_str()));
    is_whole(before) && !is_keyword && !gets_value
}

/// The string round a place, when it reads like a type, and what stands before it: `"list[Item]"` of `cast("list[Item]", x)`.
pub(crate) fn quoted_type(text: &str, at: usize) -> Option<(&str, &str)> {
    let (before, after) = text.split_at(at);
    let is_type = |c: char| c.is_alphanumeric() || "_.[]|, ".contains(c);
    let head = before.trim_end_matches(is_type);
    let tail = after.trim_start_matches(is_type);
    let quote = head.chars().last().filter(|c| "\"'".contains(*c))?;
    if !tail.starts_with(quote) || head.ends_with("\"\"\"") || head.ends_with("'''") {
        return None;
    }
    let content = &text[head.len()..text.len() - tail.len()];
    let is_prose = content.split([',', '|', '[', ']']).any(|part| part.trim().contains(' '));
    (!is_prose).then(|| (head[..head.len() - 1].trim_end(), content))
}

/// Whether a string at a place is read as a type by type checkers.
fn is_type(scene: &Scene, file: &SourceFile, at: usize) -> bool {
    let can = matches!(
        scene.group[0].kind,
        SymbolKind::Class | SymbolKind::TypeAlias | SymbolKind::Const | SymbolKind::Variable
    );
    can && quoted_type(&file.text, at).is_some_and(|(lead, content)| {
        let is_known = ["cast(", "bound=", "bound ="].iter().any(|word| lead.ends_with(word));
        is_known || content.contains('[') && content.contains(']')
    })
}

/// Whether a string ends in the symbol's module and name.
fn is_dotted(scene: &Scene, before: &str, after: &str) -> bool {
    let qualified = &scene.group[0].qualified;
    let module = qualified.rsplit_once('.').map_or("", |(module, _)| module);
    let last = module.rsplit('.').next().unwrap_or(module);
    let is_end = before.ends_with('.') && after.starts_with(['"', '\'']);
    is_end && !last.is_empty() && before.trim_end_matches('.').ends_with(last)
}

/// Whether a decorator that is not a plain one stands at the definition: it may show the name to users.
fn is_made_public(scene: &Scene, file: &SourceFile) -> bool {
    const PLAIN: [&str; 11] = [
        "overload",
        "property",
        "staticmethod",
        "classmethod",
        "abstractmethod",
        "cached_property",
        "wraps",
        "cache",
        "contextmanager",
        "setter",
        "dataclass",
    ];
    let decorators = crate::rules::decorators(&file.text, &scene.group[0]);
    let mut lines = decorators.lines().map(str::trim_start).filter(|line| line.starts_with('@'));
    lines.any(|line| !PLAIN.iter().any(|plain| line.contains(plain)))
}

/// Whether a text ends inside of the list that a name is given: `__all__ = [`.
fn in_list(before: &str, name: &str) -> bool {
    let Some(at) = before.rfind(name) else { return false };
    let list = &before[at..];
    let grows = ["append(", "extend(", "insert("]
        .iter()
        .any(|call| list[name.len()..].starts_with(&format!(".{call}")));
    list.contains(['[', '(']) && !list.contains([']', ')']) && (list.contains('=') || grows)
}
