//! What a definition looks like with everything taken out that a reader of code does not see as a change: comments,
//! white space, trailing commas, needless parentheses, the kind of quotes, and its own name.
//!
//! Two prints per symbol: its *signature*, which others depend on, and its *body*. A member of a type has prints of
//! its own and stands in the type's body by its name only, so that a change shows where it is. What is defined inside
//! of a function belongs to the function. A file's own print is what stands outside of all symbols.

mod layout;
mod normal;
mod parts;
mod plain;
mod python;
mod verbatim;

use crate::parse::{self, Grammar};
use crate::{ExtractError, Lang, RawSymbol, Span, SymbolKind};
use normal::Writer;
use std::collections::BTreeMap;
use tree_sitter::Node;

/// Bumped whenever the same bytes yield other prints.
pub const PRINTS_VERSION: u32 = 2;

/// The prints of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prints {
    /// What stands outside of all symbols.
    pub file: u64,
    /// In source order.
    pub symbols: Vec<Print>,
}

/// The prints of a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Print {
    /// Its local name.
    pub local: String,
    /// What it is.
    pub kind: SymbolKind,
    /// The whole definition.
    pub span: Span,
    /// What others depend on: parameters, types, bases.
    pub signature: u64,
    /// The rest; 0 when there is none.
    pub body: u64,
}

/// The prints of a file's bytes.
pub fn prints(path: &str, lang: Lang, bytes: &[u8]) -> Result<Prints, ExtractError> {
    let facts = crate::extract(path, lang, bytes)?;
    let source = std::str::from_utf8(bytes).map_err(|_| ExtractError::NotUtf8)?;
    let Some(grammar) = Grammar::of(path, lang) else {
        return Ok(Prints { file: plain::of(path, lang, source), symbols: Vec::new() });
    };
    let tree = parse::parse(grammar, source)?;
    let chosen = outside_of_callables(&facts.symbols);
    let mut members: BTreeMap<(u32, u32), String> = BTreeMap::new();
    for &index in &chosen {
        let symbol = &facts.symbols[index];
        let listed = members.entry((symbol.span.start, symbol.span.end)).or_default();
        listed.push('\n');
        listed.push_str(facts.names.get(symbol.name));
    }
    let root = tree.root_node();
    let mut file = Writer::new(lang, source, &members, None);
    file.skip_members().write_from(root);
    let symbols = chosen.iter().map(|&index| {
        let symbol = &facts.symbols[index];
        let node = node_of(root, symbol.span);
        let own = facts.names.get(symbol.name);
        let (signature, body) = parts::of(node, || Writer::new(lang, source, &members, Some(own)));
        let local = facts.local_name(symbol).into_owned();
        Print { local, kind: symbol.kind, span: symbol.span, signature, body }
    });
    Ok(Prints { file: file.finish(), symbols: symbols.collect() })
}

/// The smallest node that covers the span.
fn node_of(root: Node<'_>, span: Span) -> Node<'_> {
    root.descendant_for_byte_range(span.start as usize, span.end as usize).unwrap_or(root)
}

/// The symbols that do not stand inside of a function. Headings and modules that are files have no prints.
fn outside_of_callables(symbols: &[RawSymbol]) -> Vec<usize> {
    let mut end_of_callable = 0;
    let mut order: Vec<usize> = (0..symbols.len()).collect();
    order
        .sort_by_key(|&index| (symbols[index].span.start, std::cmp::Reverse(symbols[index].span.end), index));
    let mut chosen = Vec::new();
    for index in order {
        let symbol = &symbols[index];
        if symbol.span.start < end_of_callable || symbol.span.start >= symbol.span.end {
            continue;
        }
        let is_callable = symbol.kind.is_callable() || symbol.kind == SymbolKind::Property;
        if is_callable {
            end_of_callable = symbol.span.end;
        }
        chosen.push(index);
    }
    chosen
}
