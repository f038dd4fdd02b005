//! Which struct a field is one of. Struct types of Go that are written with the same fields are one type where they have no
//! name of their own, and can be converted into each other where they have; a literal of Rust says its type.

use super::{Scene, SourceFile};
use orbit_extract::{Lang, Spelling};
use orbit_graph::{SymbolFacts, SymbolKind};

/// Whether a field that is not of the group stands in a struct with the same fields as the one that was asked for.
pub(crate) fn is_same_type(scene: &Scene, file: &SourceFile, field: &SymbolFacts) -> bool {
    let first = &scene.group[0];
    if scene.lang != Lang::Go || first.kind != SymbolKind::Field || field.kind != SymbolKind::Field {
        return false;
    }
    let Some(home) = scene.files.iter().find(|file| file.path == first.path) else { return false };
    let own = fields(&home.text, first.span.0 as usize);
    own.is_some() && own == fields(&file.text, field.span.0 as usize)
}

/// What stands between the braces of the struct round a place, without spaces and comments.
fn fields(text: &str, at: usize) -> Option<String> {
    let open = opening(text, at)?;
    if !text[..open].trim_end().ends_with("struct") {
        return None;
    }
    let (mut depth, mut end) = (0, open);
    for (offset, byte) in text.as_bytes()[open..].iter().enumerate() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            end = open + offset;
            break;
        }
    }
    let lines = text.get(open + 1..end)?.lines();
    let words = lines.flat_map(|line| line.split("//").next().unwrap_or(line).split_whitespace());
    Some(words.collect::<Vec<_>>().join(" "))
}

/// The brace that is open at a place.
pub(crate) fn opening(text: &str, at: usize) -> Option<usize> {
    let mut depth = 0;
    for (at, byte) in text.as_bytes()[..at].iter().enumerate().rev() {
        match byte {
            b'}' => depth += 1,
            b'{' if depth == 0 => return Some(at),
            b'{' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether a shorthand of Rust, `Item { name }`, is a field of the group, going by the struct that stands before the brace;
/// `None` where that is not known.
pub(crate) fn of_literal(scene: &Scene, file: &SourceFile, spelling: &Spelling) -> Option<bool> {
    if scene.lang != Lang::Rust || !spelling.shorthand || !scene.group.iter().all(|own| scene.is_member(own))
    {
        return None;
    }
    let text = &file.text[..spelling.span.start as usize];
    let mut depth = 0;
    let open = text.char_indices().rev().find(|(_, c)| {
        depth += match c {
            '}' | ')' | ']' => 1,
            '{' | '(' | '[' => -1,
            _ => 0,
        };
        depth < 0
    })?;
    let head = text[..open.0].trim_end();
    let start = head.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_').len() as u32;
    let owner = file.rows.get(&start)?.iter().find_map(|row| row.target)?;
    let mut fields = scene.candidates.iter().filter(|symbol| symbol.kind == SymbolKind::Field);
    let has_field = fields.any(|field| field.parent == Some(owner));
    has_field.then(|| scene.group.iter().any(|own| own.parent == Some(owner)))
}

#[cfg(test)]
mod tests {
    use super::fields;

    #[test]
    fn fields_are_compared_without_layout() {
        let a = "var x = []struct {\n\tname string // its name\n\twant  int\n}{{\"a\", 1}}";
        let b = "func f() []struct{ name string\n want int } {";
        let at = |text: &str| text.find("name").unwrap();
        assert_eq!(fields(a, at(a)).unwrap(), "name string want int");
        assert_eq!(fields(a, at(a)), fields(b, at(b)));
        assert_eq!(fields("x := T{name: 1}", 7), None);
    }
}
