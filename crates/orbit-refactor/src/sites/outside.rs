//! Whether a value that is taken for one from outside surely is. What a container of Python holds or a loop goes through may
//! be anything, whatever made the container; so may what a variable of JavaScript gets later.

use super::{Scene, Site, SourceFile};
use orbit_extract::{Lang, Place, Spelling};

/// Whether the receiver of a member is a module, or was given a value of its own that could be looked at.
pub(crate) fn is_sure(file: &SourceFile, spelling: &Spelling) -> bool {
    let before = file.text[..spelling.span.start as usize].trim_end();
    let before = before.strip_suffix('.').unwrap_or(before).trim_end();
    let Some(receiver) = spelling.qualifier.map(|span| file.text_of(span)) else {
        return !before.ends_with(']');
    };
    let chain =
        before.len() - before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_' || c == '.').len();
    let root = before[before.len() - chain..].split('.').next().unwrap_or(receiver);
    let is_import = file.imports.iter().any(|import| {
        let last = import.module.split('.').next().unwrap_or("");
        import.alias.as_deref().or(import.symbol.as_deref()).unwrap_or(last) == root
    });
    is_import || is_assigned(&file.text, receiver)
}

/// Whether a name gets a value or a type somewhere: `name = …`, `name: …`, `… as name`.
fn is_assigned(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        if before.ends_with(is_word) || after.starts_with(is_word) {
            return false;
        }
        let rest = after.trim_start_matches(' ');
        let gets = rest.starts_with('=') && !rest.starts_with("==") || after.starts_with(": ");
        gets || before.ends_with(" as ")
    })
}

/// Whether a member of Python is one of a module from outside, `pytest.mark`, and surely so; `None` for everything else.
pub(crate) fn of_module(scene: &Scene, site: &Site<'_>) -> Option<bool> {
    if scene.lang != Lang::Python || site.spelling.place != Place::Member {
        return None;
    }
    let receiver = site.qualifier()?;
    let before = site.file.text[..site.spelling.qualifier?.start as usize].trim_end();
    let import = site.file.imports.iter().find(|import| {
        import.symbol.is_none() && import.alias.as_deref().unwrap_or(&import.module) == receiver
    })?;
    if before.ends_with('.') || import.resolved.is_some() || is_assigned(&site.file.text, receiver) {
        return None;
    }
    let first = import.module.split('.').next().unwrap_or("");
    let is_part = |path: &str| path.split(['/', '.']).any(|part| part == first);
    Some(!scene.files.iter().any(|file| is_part(&file.path)))
}

/// Whether a variable of JavaScript without a type of its own gets another value than its first: `let best = null`.
pub(crate) fn gets_another(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$' || c == '.';
    let (mut is_open, mut values) = (false, 0);
    for (at, _) in text.match_indices(name) {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        if before.ends_with(is_word) || after.starts_with(|c| is_word(c) && c != '.') {
            continue;
        }
        let after = after.trim_start();
        let is_declared = ["let ", "var "].iter().any(|word| before.ends_with(word));
        is_open |= is_declared && !after.starts_with(':');
        values += usize::from(after.starts_with('=') && !after.starts_with("==") && !after.starts_with("=>"));
    }
    is_open && values > 1
}

#[cfg(test)]
mod tests {
    use super::{gets_another, is_assigned};

    #[test]
    fn variables_that_get_another_value_are_told() {
        assert!(gets_another("let best = null\nif (best.size < 1) best = new Item()", "best"));
        assert!(!gets_another("let best = null\nbest.size == 1", "best"));
        assert!(!gets_another("let best: Item = null\nbest = other", "best"));
        assert!(!gets_another("const best = []\nthis.best = 1", "best"));
    }

    #[test]
    fn loops_assign_nothing_that_could_be_looked_at() {
        assert!(is_assigned("x = run()\nx.y()", "x"));
        assert!(is_assigned("with open(p) as x:\n    x.y()", "x"));
        assert!(is_assigned("self.x = 1", "x"));
        assert!(!is_assigned("for x in (A(), B()):\n    assert x.y() == []", "x"));
        assert!(!is_assigned("if x == 1 or xx = 2", "x"));
    }
}
