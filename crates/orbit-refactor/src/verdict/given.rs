//! Names that are handed on as they are written, and become members where nobody sees it: what a macro of Rust is given, and
//! what a CommonJS module puts into its `exports`.

use crate::sites::{OLD, Scene, SourceFile, defines, structs};
use orbit_extract::{Family, Lang, Place, Spelling};

/// Macros of Rust's library, which take values and types; a word among those is never a member.
const OF_VALUES: &str = "assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne dbg eprint eprintln env \
     format format_args include include_bytes include_str matches option_env panic print println thread_local todo try \
     unimplemented unreachable vec write writeln concat stringify line file column module_path cfg compile_error";

/// Why a place may be a member although it does not look like one of the symbol's.
pub(super) fn doubt(scene: &Scene, file: &SourceFile, spelling: &Spelling) -> Option<&'static str> {
    if to_macro(scene, file, spelling) {
        return Some("a macro may make a member of what it is given");
    }
    if by_patch(scene, file, spelling) {
        return Some("a patch may put something in its place");
    }
    if by_linker(scene, file, spelling) {
        return Some("the linker finds it by this name");
    }
    by_exports(scene, spelling).then_some("may be a property of `exports`")
}

/// Whether a keyword of Python says what stands in the place of a function: `patch.multiple(shop, price=…)`.
fn by_patch(scene: &Scene, file: &SourceFile, spelling: &Spelling) -> bool {
    let called = spelling.qualifier.map(|span| file.text_of(span));
    scene.lang == Lang::Python && spelling.place == Place::Key && called == Some("multiple")
}

/// Whether what stands before a type on its line is its name: `type Name`, or `Name` in a group.
fn names_type(line: &str) -> bool {
    line.starts_with("type ") || !line.is_empty() && line.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// Whether a macro of C or C++ puts the word behind a `::`, pastes it, or the like: `PICK(name)` with `Kind::x`.
pub(super) fn to_bending(scene: &Scene, file: &SourceFile, spelling: &Spelling) -> bool {
    let is_code = !matches!(spelling.place, Place::Comment | Place::Text | Place::Label);
    is_code && defines::is_bent(&scene.bent, &file.text[..spelling.span.start as usize])
}

/// Whether C or C++ declares something of another file in place: `extern int limit;` inside of a function.
fn by_linker(scene: &Scene, file: &SourceFile, spelling: &Spelling) -> bool {
    let before = &file.text[..spelling.span.start as usize];
    let statement = before.rsplit([';', '{', '}']).next().unwrap_or("");
    let is_declared =
        statement.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "extern");
    scene.lang.family() == Family::Native && is_declared && scene.group.iter().all(|own| own.parent.is_none())
}

/// Whether a method of Go stands in an interface that has no name: `value.(interface{ Show() string })`. Whatever has the
/// method may be asked for it there.
pub(super) fn by_interface(scene: &Scene, file: &SourceFile, spelling: &Spelling) -> bool {
    let is_method = |own: &orbit_graph::SymbolFacts| own.kind == orbit_graph::SymbolKind::Method;
    if scene.lang != Lang::Go || !scene.group.iter().any(is_method) {
        return false;
    }
    let text = &file.text[..spelling.span.start as usize];
    let is_called = file.text[spelling.span.end as usize..].starts_with('(');
    let open = structs::opening(text, text.len());
    let head = open.and_then(|open| text[..open].trim_end().strip_suffix("interface"));
    is_called && head.is_some_and(|head| !names_type(head.rsplit('\n').next().unwrap_or(head).trim()))
}

/// Whether a word that a macro is given may become a member there: `getter!(u8, read_byte)` with `self.$name()`.
fn to_macro(scene: &Scene, file: &SourceFile, spelling: &Spelling) -> bool {
    let is_word = spelling.in_macro && spelling.place == Place::Plain && !spelling.is_qualifier;
    if scene.lang != Lang::Rust || !is_word || !scene.group.iter().any(|own| scene.is_member(own)) {
        return false;
    }
    let at = spelling.span.start as usize;
    let Some(called) = called(&file.text[..at]) else { return false };
    !crate::rules::lists(OF_VALUES, called) && scene.makes_members(called)
}

/// The outermost macro whose arguments a text ends in.
fn called(before: &str) -> Option<&str> {
    let (mut depth, mut found) = (0, None);
    for (at, c) in before.char_indices().rev() {
        match c {
            ')' | ']' | '}' => depth += 1,
            '(' | '[' | '{' if depth > 0 => depth -= 1,
            '(' | '[' | '{' => {
                let Some(head) = before[..at].trim_end().strip_suffix('!') else { continue };
                let start = head.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len();
                found = Some(&head[start..]).filter(|name| !name.is_empty()).or(found);
            }
            _ => {}
        }
    }
    found
}

/// Whether a member, a key or a part of a pattern may be what a module of JavaScript exports under the name:
/// `exports.limit = …`, `module.exports = { limit: … }`.
fn by_exports(scene: &Scene, spelling: &Spelling) -> bool {
    let is_property =
        matches!(spelling.place, Place::Member | Place::Key) || spelling.shorthand && spelling.binds;
    scene.lang == Lang::JavaScript
        && is_property
        && scene.group.iter().any(|own| {
            let home = scene.files.iter().find(|file| file.path == own.path);
            home.is_some_and(|home| is_exported(scene, home, own.span))
        })
}

/// Whether a definition, or the statement that it begins, makes a property of `exports`.
fn is_exported(scene: &Scene, home: &SourceFile, span: (u32, u32)) -> bool {
    let exports =
        |text: &str| text.trim_end().ends_with("exports.") || text.trim_end().ends_with("exports = {");
    home.spellings.iter().filter(|other| other.word == OLD).any(|other| {
        let before = &home.text[..other.span.start as usize];
        let is_own = span.0 <= other.span.start && other.span.end <= span.1;
        let near = before.rfind("exports").filter(|at| {
            before[*at..].trim_start_matches("exports").trim_start().starts_with("= {")
                && !before[*at..].contains('}')
        });
        let is_key = other.place == Place::Key && near.is_some() && is_own;
        let is_given = other.place == Place::Member && exports(before);
        (is_key || is_given) && !scene.group.iter().any(|own| scene.is_member(own))
    })
}

#[cfg(test)]
mod tests {
    use super::called;

    #[test]
    fn the_outermost_macro_is_the_one_that_is_given_a_word() {
        assert_eq!(called("fn f() { getter!(u8, "), Some("getter"));
        assert_eq!(called("outer! { a; inner!(u8, [b, "), Some("outer"));
        assert_eq!(called("fn f() { vec![1]; g("), None);
        assert_eq!(called("if a != (b, "), None);
    }
}
