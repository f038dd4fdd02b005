//! The names that code takes from its file: those that nothing nearer binds.
//!
//! ```text
//! (path, bytes) ─parse─▶ tree ─leaves─▶ what inner scopes bind ─leaves again─▶ FreeName
//! ```
//!
//! A parameter that is called like an import is not that import. Who moves code needs the difference: what the code needs
//! from its file, and what the file still needs without it. One file per language says what binds.

mod go;
mod script;

use crate::builder::{line, span};
use crate::parse::{Grammar, begin_file, parse};
use crate::{ExtractError, Family, Lang, Span};
use std::collections::HashMap;
use tree_sitter::Node;

/// A name that stands for something of the file, an import, or something outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeName {
    /// The name.
    pub span: Span,
    /// 1-based.
    pub line: u32,
    /// Only the compiler needs it: it stands where a type does.
    pub is_type: bool,
    /// It is needed while the file is loaded, as far as the place tells: no function that runs later is round it.
    pub is_eager: bool,
    /// It gets another value.
    pub is_assigned: bool,
}

/// The node in which a leaf binds its name, and the byte from which on.
type Binding = Option<(usize, usize)>;

/// What a language says of a leaf, given the nodes round it, outermost first.
struct Rules {
    /// Whether, and where, the leaf binds its name.
    binds: fn(&[Node<'_>], Node<'_>) -> Binding,
    /// Whether the leaf is a use of a name.
    uses: fn(&[Node<'_>], Node<'_>, &str) -> Option<FreeName>,
}

/// Every free name of a file of TypeScript, JavaScript or Go, in source order; other languages have none.
pub fn free_names(path: &str, lang: Lang, bytes: &[u8]) -> Result<Vec<FreeName>, ExtractError> {
    let source = std::str::from_utf8(bytes).map_err(|_| ExtractError::NotUtf8)?;
    let rules = match (lang.family(), lang) {
        (Family::Script, _) => Rules { binds: script::binds, uses: script::uses },
        (_, Lang::Go) => Rules { binds: go::binds, uses: go::uses },
        _ => return Ok(Vec::new()),
    };
    let Some(grammar) = Grammar::of(path, lang) else { return Ok(Vec::new()) };
    begin_file();
    let tree = parse(grammar, source)?;
    let root = tree.root_node();
    let text = |node: Node<'_>| source.get(node.byte_range()).unwrap_or("");
    let mut bound: HashMap<(usize, &str), usize> = HashMap::new();
    leaves(root, |round, leaf| {
        if let Some((scope, from)) = (rules.binds)(round, leaf) {
            let first = bound.entry((scope, text(leaf))).or_insert(from);
            *first = from.min(*first);
        }
    });
    let mut found = Vec::new();
    leaves(root, |round, leaf| {
        let name = text(leaf);
        if (rules.binds)(round, leaf).is_some() {
            return;
        }
        let Some(used) = (rules.uses)(round, leaf, name) else { return };
        let is_bound = round
            .iter()
            .skip(1)
            .any(|node| bound.get(&(node.id(), name)).is_some_and(|from| *from <= leaf.start_byte()));
        if !is_bound {
            found.push(used);
        }
    });
    Ok(found)
}

/// Calls back for every named leaf, with the nodes round it. Without recursion: trees may be deep.
fn leaves<'t>(root: Node<'t>, mut each: impl FnMut(&[Node<'t>], Node<'t>)) {
    let mut cursor = root.walk();
    let mut round: Vec<Node<'t>> = Vec::new();
    loop {
        let node = cursor.node();
        if node.child_count() == 0 && node.is_named() && node.kind().contains("identifier") {
            each(&round, node);
        }
        if cursor.goto_first_child() {
            round.push(node);
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            round.pop();
        }
    }
}

fn free(node: Node<'_>) -> FreeName {
    FreeName { span: span(node), line: line(node), is_type: false, is_eager: false, is_assigned: false }
}

fn is_field(parent: Node<'_>, field: &str, node: Node<'_>) -> bool {
    parent.child_by_field_name(field).is_some_and(|child| child.id() == node.id())
}

/// The innermost of the nodes round a leaf that is of one of these kinds.
fn nearest<'r, 't>(round: &'r [Node<'t>], kinds: &[&str]) -> Option<&'r Node<'t>> {
    round.iter().rev().find(|node| kinds.contains(&node.kind()))
}

#[cfg(test)]
mod tests;
