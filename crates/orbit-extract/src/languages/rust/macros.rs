//! Macros: definitions, invocations, and the code in their token trees.

use super::{Kind, Rust};
use crate::builder::{Def, MAX_EXPR_DEPTH, Walk};
use crate::parse::{Grammar, parse_range};
use crate::{Expr, ExprId, RefKind, SymbolKind};
use tree_sitter::{Node, Point, Range};

impl Rust<'_> {
    pub(super) fn macro_definition(&mut self, node: Node<'_>) {
        let Some(name_node) = node.child_by_field_id(self.t.fields.name) else { return };
        let exported = self.attributes.iter().any(|attribute| attribute.contains("macro_export"));
        let scope = self.b.define(Def::new(node, name_node, SymbolKind::Macro).exported(exported));
        self.b.enter(scope);
        let mut cursor = node.walk();
        let rules: Vec<Node<'_>> =
            node.named_children(&mut cursor).filter(|child| self.kind(*child) == Kind::MacroRule).collect();
        for rule in rules {
            self.keep_rule(self.b.text(name_node), rule);
            if let Some(template) = rule.child_by_field_name("right") {
                self.template_functions(template, 0);
                if self.unwraps(template, 0)
                    && let Some(index) = scope.symbol()
                {
                    let argument = self.b.unknown();
                    let held = self.b.expr(Expr::Element(argument));
                    self.b.file.symbols[index].ty = Some(held);
                }
            }
        }
        self.b.leave();
    }

    /// Whether a template gives what its argument holds: `match $result { Ok(value) => value, … }`.
    fn unwraps(&self, tree: Node<'_>, depth: u32) -> bool {
        if depth > 4 {
            return false;
        }
        let mut cursor = tree.walk();
        let tokens: Vec<Node<'_>> = tree.children(&mut cursor).collect();
        // The last `match` of a block, or of the block in it, is what it gives.
        let Some(arms) = tokens.iter().rposition(|token| self.kind(*token) == Kind::TokenTree) else {
            return false;
        };
        let is_argument = arms >= 2 && self.kind(tokens[arms - 1]) == Kind::Metavariable;
        if !is_argument || self.b.text(tokens[arms - 2]) != "match" {
            return self.unwraps(tokens[arms], depth + 1);
        }
        let mut cursor = tokens[arms].walk();
        let arms: Vec<Node<'_>> = tokens[arms].children(&mut cursor).collect();
        arms.windows(4).any(|arm| {
            let held = self.b.text(arm[1]).trim_matches(['(', ')']).trim();
            matches!(self.b.text(arm[0]), "Ok" | "Some" | "Ready")
                && arm[2].kind() == "=>"
                && self.b.text(arm[3]) == held
        })
    }

    /// Functions that every expansion defines under the same name: `fn name(…)` in a template.
    fn template_functions(&mut self, tree: Node<'_>, depth: u32) {
        if depth > MAX_EXPR_DEPTH {
            return;
        }
        let mut cursor = tree.walk();
        let tokens: Vec<Node<'_>> = tree.children(&mut cursor).collect();
        let mut after_fn = false;
        for token in tokens {
            match self.kind(token) {
                Kind::Identifier if after_fn => {
                    self.b.define(Def::new(token, token, SymbolKind::Function));
                    after_fn = false;
                }
                Kind::TokenTree => {
                    self.template_functions(token, depth + 1);
                    after_fn = false;
                }
                _ => after_fn = !token.is_named() && token.kind() == "fn" || self.b.text(token) == "fn",
            }
        }
    }

    pub(super) fn macro_invocation(&mut self, node: Node<'_>) {
        let name = node.child_by_field_id(self.t.fields.macro_name).map_or("", |name| self.b.text(name));
        if let Some(name) = node.child_by_field_id(self.t.fields.macro_name) {
            match self.kind(name) {
                Kind::ScopedIdentifier => self.scoped(name, RefKind::Macro),
                _ => self.b.reference(name, RefKind::Macro, None),
            }
        }
        let mut cursor = node.walk();
        let tree = node.named_children(&mut cursor).find(|child| self.kind(*child) == Kind::TokenTree);
        self.attributes.clear();
        let Some(tree) = tree else { return };
        let bound = self.bound_by_macro(name, tree);
        if bound.is_empty() {
            return self.token_tree(tree, 0);
        }
        self.in_frame(|walk| {
            for (name, value) in bound {
                walk.b.bind(name, value);
            }
            walk.token_tree(tree, 0);
        });
    }

    /// Reads the code in a token tree: parsed again when it holds statements or items, else scanned.
    pub(super) fn token_tree(&mut self, tree: Node<'_>, depth: u32) {
        if depth > MAX_EXPR_DEPTH {
            return;
        }
        if self.holds_statements(tree) && self.reparse(tree) {
            return;
        }
        if self.needs_parser(tree) && self.reparse_arguments(tree) {
            return;
        }
        self.scan(tree, depth);
    }

    /// What macros give that hand on their argument.
    pub(super) fn macro_value(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let name = node.child_by_field_id(self.t.fields.macro_name).map_or("", |name| self.b.text(name));
        let name = name.rsplit("::").next().unwrap_or(name);
        if name == "format" {
            let text = self.b.intern("String");
            let text = self.b.expr(Expr::Name(text));
            return self.b.instance(text);
        }
        let mut cursor = node.walk();
        let tree = node.named_children(&mut cursor).find(|child| self.kind(*child) == Kind::TokenTree);
        let Some(tree) = tree.filter(|_| depth < 8) else { return self.b.unknown() };
        if name == "vec" && tree.named_child_count() == 0 {
            let list = self.b.expr(Expr::Builtin);
            return self.marked(list, "vec");
        }
        let Ok(parsed) = parse_range(Grammar::Rust, self.b.source, tree.range()) else {
            return self.b.unknown();
        };
        let Some(value) = parsed.root_node().named_child(0).and_then(|statement| statement.named_child(0))
        else {
            return self.b.unknown();
        };
        let mut cursor = tree.walk();
        let has_one = !tree.children(&mut cursor).any(|token| token.kind() == ",");
        if !has_one && !matches!(name, "ready" | "pin" | "dbg" | "vec") {
            return self.b.unknown();
        }
        let value = self.expr_of(value, depth + 1);
        match name {
            "pin" | "dbg" => value,
            "vec" => self.vector_of(value),
            "ready" => self.b.element(value),
            _ => {
                // Whether it hands on what it is given, its definition tells.
                let own = self.b.intern(&format!("{name}!"));
                let own = self.b.expr(Expr::Name(own));
                self.b.call_with(own, &[value])
            }
        }
    }

    fn holds_statements(&self, tree: Node<'_>) -> bool {
        let mut cursor = tree.walk();
        if !cursor.goto_first_child() {
            return false;
        }
        loop {
            let token = cursor.node();
            let is_keyword = matches!(self.kind(token), Kind::Identifier | Kind::Other)
                && matches!(
                    self.b.text(token),
                    "fn" | "let"
                        | "struct"
                        | "enum"
                        | "impl"
                        | "trait"
                        | "mod"
                        | "macro_rules"
                        | "const"
                        | "type"
                        | "extern"
                        | "use"
                        | "static"
                        | "pub"
                        | "match"
                );
            if is_keyword {
                return true;
            }
            if !cursor.goto_next_sibling() {
                return false;
            }
        }
    }

    /// Whether tokens hold what a scan cannot follow: a closure, which binds names, a member of what a macro, a literal or
    /// an expression in parentheses gives, or a function by the path of a type or trait, which its argument or its place may
    /// choose.
    fn needs_parser(&self, tree: Node<'_>) -> bool {
        let mut cursor = tree.walk();
        let (mut may_start, mut given, mut path) = (false, 0, 0);
        for token in tree.children(&mut cursor) {
            given = match token.kind() {
                "!" => 1,
                "token_tree" if path == 3 => return true,
                "token_tree" if given == 1 || may_start => 2,
                "string_literal" | "raw_string_literal" => 2,
                "." if given == 2 => return true,
                _ => 0,
            };
            // `Type::name`, `Type::<T>::name`
            path = match token.kind() {
                "identifier" if path == 2 => 3,
                ">" => 1,
                "identifier" if self.b.text(token).starts_with(char::is_uppercase) => 1,
                "::" if path == 1 => 2,
                _ => 0,
            };
            match token.kind() {
                "|" if may_start => return true,
                "(" | "[" | "," | "=" | "=>" | "==" | "&" | "*" => may_start = true,
                _ => may_start = self.b.text(token) == "move",
            }
        }
        false
    }

    /// Parses `(a, b)` or `[a, b]` in place, delimiters included: as a tuple or array. Fails when that is not
    /// what it is.
    fn reparse_arguments(&mut self, tree: Node<'_>) -> bool {
        if self.b.source.as_bytes().get(tree.start_byte()) == Some(&b'{') {
            return false;
        }
        let Ok(parsed) = parse_range(Grammar::Rust, self.b.source, tree.range()) else { return false };
        // The statement lacks its semicolon; the expression in it must be whole.
        let statement = parsed.root_node().named_child(0);
        let Some(list) = statement.and_then(|statement| statement.named_child(0)) else { return false };
        if list.has_error() || list.byte_range() != tree.byte_range() {
            return false;
        }
        self.visit_children_of(list);
        true
    }

    /// Parses what stands between the delimiters in place. Fails when little of it is Rust.
    fn reparse(&mut self, tree: Node<'_>) -> bool {
        let (start, end) = (tree.start_position(), tree.end_position());
        if tree.end_byte() < tree.start_byte() + 2 || end.column == 0 {
            return false;
        }
        let range = Range {
            start_byte: tree.start_byte() + 1,
            end_byte: tree.end_byte() - 1,
            start_point: Point { row: start.row, column: start.column + 1 },
            end_point: Point { row: end.row, column: end.column - 1 },
        };
        let Ok(parsed) = parse_range(Grammar::Rust, self.b.source, range) else { return false };
        let root = parsed.root_node();
        if root.is_error() || (root.has_error() && root.named_child_count() == 0) {
            return false;
        }
        self.visit_children_of(root);
        true
    }
}
