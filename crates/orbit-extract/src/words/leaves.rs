//! What stands at a place of a file, found by going through its trees once, in order.

use super::tables::{IMPORTS, KEYWORDS, NAMES, TEXTS};
use crate::Family;
use std::cell::RefCell;
use std::rc::Rc;
use tree_sitter::{Language, Node, Tree, TreeCursor};

/// What stands at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    /// A comment or the text of a string, up to here.
    Text(usize),
    /// A keyword or a built-in type.
    Keyword,
    /// In code that the parser could not read.
    Damaged,
    /// A name on its own.
    Plain,
    /// A part of the path of a module, type or package.
    Path,
    /// The declaration of a type parameter, or a name of one.
    TypeParameter,
    /// Declared to mean a variable of the module: `global x` of Python.
    Global,
    /// The name of a parameter or field before the value that it is given.
    Key,
    /// A name behind another or before a value, a token of a macro, or something that has no node.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Keyword,
    Name,
    /// What is inside of it says nothing of how a name is used.
    Macro,
    /// An import or the name of a package: what is no reference in it is part of a path.
    Import,
    TypeParameters,
    Global,
    /// A lifetime or label.
    Label,
    /// An attribute of Rust.
    Attribute,
    /// A pattern that takes an object apart: its keys are names of what is taken.
    Pattern,
    Key,
    Other,
}

#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one thing that a node above says")]
struct Inside {
    damaged: bool,
    in_macro: bool,
    in_import: bool,
    in_type_parameters: bool,
    in_global: bool,
    in_pattern: bool,
    in_label: bool,
}

/// The place in the trees where the last question was answered.
pub(super) struct Leaves<'t> {
    source: &'t str,
    family: Family,
    trees: &'t [Tree],
    cursor: Option<TreeCursor<'t>>,
    kinds: Rc<[Kind]>,
    /// What the nodes above the cursor say of all that is inside of them.
    above: Vec<Inside>,
}

impl<'t> Leaves<'t> {
    pub(super) fn new(source: &'t str, family: Family, trees: &'t [Tree]) -> Leaves<'t> {
        let kinds = trees.first().map_or_else(|| Rc::from([]), |tree| kinds(&tree.language()));
        let mut leaves = Leaves { source, family, trees, cursor: None, kinds, above: Vec::new() };
        leaves.next_tree();
        leaves
    }

    fn next_tree(&mut self) {
        self.cursor = self.trees.split_first().map(|(first, rest)| {
            self.trees = rest;
            first.walk()
        });
        self.above.clear();
    }

    fn kind(&self, node: Node<'_>) -> Kind {
        self.kinds.get(usize::from(node.kind_id())).copied().unwrap_or(Kind::Other)
    }

    /// What stands at `offset`, which is never smaller than the one before.
    pub(super) fn at(&mut self, offset: usize) -> Leaf {
        // Files of C# may be read without their directives.
        if self.family == Family::CSharp && line_before(self.source, offset).trim_start().starts_with('#') {
            return Leaf::Keyword;
        }
        self.find(offset)
    }

    fn find(&mut self, offset: usize) -> Leaf {
        loop {
            // Behind the last tree, or where none could be made.
            let Some(cursor) = &mut self.cursor else { return Leaf::Damaged };
            let node = cursor.node();
            if node.end_byte() <= offset {
                if !cursor.goto_next_sibling() {
                    if cursor.goto_parent() {
                        self.above.pop();
                        // The parent ends before `offset` too, or has nothing that stands there.
                        let parent = cursor.node();
                        if parent.end_byte() > offset {
                            return self.gap(parent);
                        }
                    } else {
                        self.next_tree();
                    }
                }
                continue;
            }
            let mut inside = self.above.last().copied().unwrap_or_default();
            if node.start_byte() > offset {
                return if inside.damaged { Leaf::Damaged } else { Leaf::Other };
            }
            let kind = self.kind(node);
            inside.damaged |= node.is_error();
            if kind == Kind::Text {
                return if inside.damaged { Leaf::Damaged } else { Leaf::Text(node.end_byte()) };
            }
            inside.in_macro |= kind == Kind::Macro;
            inside.in_import |= kind == Kind::Import;
            inside.in_type_parameters |= kind == Kind::TypeParameters;
            inside.in_global |= kind == Kind::Global;
            inside.in_pattern = kind == Kind::Pattern || inside.in_pattern && kind == Kind::Other;
            inside.in_label |=
                kind == Kind::Label || kind == Kind::Attribute && self.is_plain_attribute(node);
            let Some(cursor) = &mut self.cursor else { return Leaf::Other };
            if cursor.goto_first_child_for_byte(offset).is_none() {
                // A leaf, or the end of a node behind its last child.
                return if node.child_count() == 0 { self.leaf(node, kind, inside) } else { self.gap(node) };
            }
            self.above.push(inside);
        }
    }

    fn is_plain_attribute(&self, node: Node<'_>) -> bool {
        let name = node.child(0).and_then(|name| self.source.get(name.byte_range()));
        name.is_some_and(|name| PLAIN_ATTRIBUTES.contains(&name))
    }

    /// Between the children of a node.
    fn gap(&self, node: Node<'_>) -> Leaf {
        let inside = self.above.last().copied().unwrap_or_default();
        if inside.damaged || node.is_error() { Leaf::Damaged } else { Leaf::Other }
    }

    fn leaf(&self, node: Node<'_>, kind: Kind, inside: Inside) -> Leaf {
        if inside.damaged {
            return Leaf::Damaged;
        }
        if matches!(kind, Kind::Keyword | Kind::Import) {
            return if inside.in_macro { Leaf::Other } else { Leaf::Keyword };
        }
        if inside.in_label {
            return Leaf::Keyword;
        }
        let before = self.source[..node.start_byte()].trim_end();
        let after = self.source[node.end_byte()..].trim_start();
        if after.starts_with("::") || inside.in_import || self.is_in_namespace(before) {
            return Leaf::Path;
        }
        if inside.in_macro {
            return Leaf::Other;
        }
        let is_member = before.ends_with("::")
            || self.family == Family::Native && before.ends_with("->")
            || before.ends_with('.') && !before.ends_with("..");
        match kind {
            Kind::Key if inside.in_pattern => Leaf::Other,
            Kind::Key => Leaf::Key,
            Kind::Name if is_member => Leaf::Other,
            Kind::Name if self.is_key(before, after) => Leaf::Key,
            Kind::Name if inside.in_type_parameters => Leaf::TypeParameter,
            Kind::Name if inside.in_global => Leaf::Global,
            Kind::Name => Leaf::Plain,
            _ => Leaf::Other,
        }
    }

    /// `namespace A.B` of C#, whose parts have no node of their own kind.
    fn is_in_namespace(&self, before: &str) -> bool {
        self.family == Family::CSharp
            && line_before(before, before.len()).trim_start().starts_with("namespace")
    }

    /// Whether a name is the key of a value: `f(x=1)`, `T{x: 1}`. Grammars of other languages have a kind of their own for
    /// keys.
    fn is_key(&self, before: &str, after: &str) -> bool {
        let in_list = || before.ends_with(['(', ',', '{', '[']);
        match self.family {
            Family::Python | Family::Jvm => after.starts_with('=') && !after.starts_with("==") && in_list(),
            Family::Go => after.starts_with(':') && !after.starts_with(":=") && in_list(),
            Family::CSharp => after.starts_with([':', '=']) && in_list(),
            _ => false,
        }
    }
}

/// The line that `offset` stands in, up to there.
fn line_before(source: &str, offset: usize) -> &str {
    let before = &source[..offset];
    &before[memchr::memrchr(b'\n', before.as_bytes()).map_or(0, |at| at + 1)..]
}

/// Attributes of Rust whose arguments name nothing that is defined in code.
const PLAIN_ATTRIBUTES: [&str; 15] = [
    "cfg",
    "cfg_attr",
    "allow",
    "warn",
    "deny",
    "expect",
    "forbid",
    "doc",
    "inline",
    "must_use",
    "repr",
    "deprecated",
    "ignore",
    "should_panic",
    "non_exhaustive",
];

thread_local! {
    static KINDS: RefCell<Vec<(Language, Rc<[Kind]>)>> = const { RefCell::new(Vec::new()) };
}

/// What the node kinds of a grammar are.
fn kinds(language: &Language) -> Rc<[Kind]> {
    KINDS.with_borrow_mut(|known| {
        if let Some((_, kinds)) = known.iter().find(|(known, _)| known == language) {
            return Rc::clone(kinds);
        }
        let kinds: Rc<[Kind]> = (0..language.node_kind_count() as u16)
            .map(|id| {
                let text = language.node_kind_for_id(id).unwrap_or("");
                if language.node_kind_is_named(id) { named(text) } else { Kind::Keyword }
            })
            .collect();
        known.push((language.clone(), Rc::clone(&kinds)));
        kinds
    })
}

fn named(kind: &str) -> Kind {
    match kind {
        "token_tree" | "token_tree_pattern" | "token_repetition" | "token_repetition_pattern" => Kind::Macro,
        "type_parameters" | "type_parameter_list" | "template_parameter_list" | "infer_type" => {
            Kind::TypeParameters
        }
        "global_statement" => Kind::Global,
        "lifetime" | "label" => Kind::Label,
        "object_pattern" => Kind::Pattern,
        "attribute" => Kind::Attribute,
        "property_identifier" | "hash_key_symbol" => Kind::Key,
        kind if kind.ends_with("comment") || TEXTS.contains(&kind) => Kind::Text,
        kind if KEYWORDS.contains(&kind) => Kind::Keyword,
        kind if IMPORTS.contains(&kind) => Kind::Import,
        kind if NAMES.contains(&kind) => Kind::Name,
        _ => Kind::Other,
    }
}
