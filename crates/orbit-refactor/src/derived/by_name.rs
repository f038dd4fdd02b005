//! Classes of Python that reach what they have by names which they are given while they run: `getattr(self, token.type)`.

use crate::error::RefactorError;
use crate::worktree::Worktree;
use orbit_graph::{Facts, SymbolFacts};
use std::collections::BTreeSet;

/// How a class, or one above or below it, reaches its members by any name; `None` when none does.
pub(super) fn reached(
    facts: &Facts<'_>,
    worktree: &Worktree,
    class: &SymbolFacts,
) -> Result<Option<String>, RefactorError> {
    for id in family(facts, class.id)? {
        let Some(other) = facts.by_id(id)?.filter(|other| other.kind.is_type()) else { continue };
        let text = worktree.read_text(&other.path)?;
        let Some(body) = text.get(other.span.0 as usize..other.span.1 as usize) else { continue };
        if let Some(line) = any_name(body) {
            let place = format!("{}:{}", other.path, other.line as usize + line);
            return Ok(Some(format!("{place} reaches what `{}` has by a name that it is given", other.name)));
        }
    }
    Ok(None)
}

/// A class with all above and all below it.
fn family(facts: &Facts<'_>, id: i64) -> Result<BTreeSet<i64>, RefactorError> {
    let mut found = BTreeSet::from([id]);
    for is_up in [true, false] {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            let next: Vec<i64> = if is_up {
                facts.relations_from(id)?.into_iter().filter_map(|relation| relation.to).collect()
            } else {
                facts.relations_to(id)?.into_iter().filter_map(|relation| relation.from).collect()
            };
            open.extend(next.into_iter().filter(|next| found.insert(*next)));
        }
    }
    Ok(found)
}

/// The line of a class, from 0, that asks `self` or the class for a name which is not written there. A name that begins
/// with letters which are written down is looked at where they are.
fn any_name(body: &str) -> Option<usize> {
    const CALLS: [&str; 7] = [
        "getattr(self, ",
        "getattr(cls, ",
        "setattr(self, ",
        "__setattr__(self, ",
        "hasattr(self, ",
        "delattr(self, ",
        "methodcaller(",
    ];
    if let Some(at) = body.find("self.__dict__.update(") {
        return Some(body[..at].matches('\n').count());
    }
    for call in CALLS {
        for (at, _) in body.match_indices(call) {
            let asked = &body[at + call.len()..];
            let end = asked.find([',', ')', '\n']).unwrap_or(asked.len());
            let asked = asked[..end].trim();
            if !is_literal(asked) && !is_written_down(body, asked) {
                return Some(body[..at].matches('\n').count());
            }
        }
    }
    None
}

fn is_literal(text: &str) -> bool {
    text.trim_start_matches(['f', 'r', 'F', 'R']).starts_with(['"', '\'', '(', '['])
}

/// Whether all that a variable gets in a class are literals: `name = "visit_" + kind`, `for name in ("a", "b")`.
fn is_written_down(body: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let mut values = body.match_indices(name).filter_map(|(at, _)| {
        let (before, after) = (&body[..at], &body[at + name.len()..]);
        if before.ends_with(is_word) || after.starts_with(is_word) {
            return None;
        }
        let after = after.trim_start_matches(' ');
        let given = after
            .strip_prefix("= ")
            .or_else(|| after.strip_prefix("in ").filter(|_| before.ends_with("for ")));
        given.map(is_literal)
    });
    let first = values.next();
    first == Some(true) && values.all(|is_literal| is_literal)
}

#[cfg(test)]
mod tests {
    use super::any_name;

    #[test]
    fn names_that_are_given_are_told_from_those_that_are_written_down() {
        let cases = [
            ("def a(self, n):\n    return getattr(self, n)", Some(1)),
            ("def a(self, t):\n    f = getattr(self, t.type, None)", Some(1)),
            ("def a(self):\n    return getattr(self, 'n')", None),
            ("def a(self, k):\n    n = 'visit_' + k\n    getattr(self, n)", None),
            ("def a(self, k):\n    n = k.name\n    getattr(self, n)", Some(2)),
            ("def a(self):\n    for n in ('x', 'y'):\n        getattr(self, n)", None),
            ("def a(self, other):\n    getattr(other, n)", None),
            ("def a(self, **more):\n    for k, v in more.items():\n        setattr(self, k, v)", Some(2)),
            ("def a(self, **more):\n    self.__dict__.update(more)", Some(1)),
            ("def a(self):\n    return self.__dict__.copy()", None),
        ];
        for (body, expected) in cases {
            assert_eq!(any_name(body), expected, "{body}");
        }
    }
}
