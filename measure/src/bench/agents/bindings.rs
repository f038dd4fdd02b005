//! Places that bind a name of Python anew. The compiler's tool calls them references to the first definition; to the language
//! they are definitions, and nothing there uses what was bound before.

/// Whether the name at a column (1-based, in letters) of a line is bound there: assigned, imported, or named behind `as`.
pub(super) fn is_binding(line: &str, column: u32, name: &str) -> bool {
    let at = (column as usize).saturating_sub(1);
    let before: String = line.chars().take(at).collect();
    let behind: String = line.chars().skip(at + name.chars().count()).collect();
    let (before, behind) = (before.trim_start(), behind.trim_start());
    let is_import = ["import ", "from "].iter().any(|word| line.trim_start().starts_with(word));
    if is_import {
        // `import a as b` uses `a`.
        return !behind.starts_with("as ");
    }
    let is_assigned = behind.starts_with('=') && !behind.starts_with("==");
    let is_annotated = behind.starts_with(':') && behind.contains('=');
    before.is_empty() && (is_assigned || is_annotated) || before.ends_with(" as ")
}

/// How many lines a statement goes on because of brackets that are open.
pub(super) fn open_lines(lines: &[&str], first: usize) -> u32 {
    let mut depth = 0_i32;
    for (more, line) in lines.iter().skip(first).enumerate() {
        let code = line.split('#').next().unwrap_or(line);
        depth += code.chars().filter(|c| "([{".contains(*c)).count() as i32;
        depth -= code.chars().filter(|c| ")]}".contains(*c)).count() as i32;
        if depth <= 0 {
            return more as u32;
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::is_binding;

    #[test]
    fn assignments_and_imports_bind() {
        for (line, column, expected) in [
            ("    from contextlib import fill", 28, true),
            ("from shop import fill as pour", 18, false),
            ("from shop import pour as fill", 26, true),
            ("    fill = deco(", 5, true),
            ("fill = deco(fill)", 13, false),
            ("fill: int = 1", 1, true),
            ("fill == 1", 1, false),
            ("with open() as fill:", 16, true),
            ("run(fill=1)", 5, false),
            ("x = fill", 5, false),
        ] {
            assert_eq!(is_binding(line, column, "fill"), expected, "{line}");
        }
    }
}
