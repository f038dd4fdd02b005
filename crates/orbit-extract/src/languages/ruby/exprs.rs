//! Constants, strings, and the skeleton of receivers.

use super::{Kind, Ruby};
use crate::builder::{MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, RefKind};
use tree_sitter::Node;

impl Ruby<'_> {
    /// `A::B`: a use of `A`, then of `B` in it. `::B` is `B`.
    pub(super) fn scope_resolution(&mut self, node: Node<'_>, kind: RefKind) {
        let f = &self.t.fields;
        let base = node.child_by_field_id(f.scope).map(|scope| {
            let base = self.expr_of(scope, 0);
            self.visit_node(scope);
            base
        });
        if let Some(name) = node.child_by_field_id(f.name) {
            self.b.reference(name, kind, base);
        }
    }

    /// What an expression is, as far as its text tells.
    pub(super) fn expr_of(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let f = &self.t.fields;
        let inner = match self.kind(node) {
            Kind::Identifier => return self.word_expr(node),
            Kind::Constant | Kind::GlobalVariable => {
                let name = self.b.name(node);
                return self.b.expr(Expr::Name(name));
            }
            Kind::ScopeResolution => return self.path_of(node, depth),
            Kind::SelfValue => {
                return self.own_class().unwrap_or_else(|| self.b.expr(Expr::This));
            }
            Kind::InstanceVariable | Kind::ClassVariable => {
                let (this, name) = (self.b.expr(Expr::This), self.b.name(node));
                return self.b.member(this, name);
            }
            Kind::Call => return self.call_expr(node, depth),
            Kind::ElementReference => return self.element_expr(node, depth),
            Kind::String
            | Kind::ChainedString
            | Kind::HeredocBegin
            | Kind::Symbol
            | Kind::DelimitedSymbol
            | Kind::StringArray
            | Kind::SymbolArray
            | Kind::Regex
            | Kind::Integer
            | Kind::Float
            | Kind::True
            | Kind::False
            | Kind::Array
            | Kind::Hash => return self.b.expr(Expr::Builtin),
            Kind::Assignment | Kind::OperatorAssignment => node.child_by_field_id(f.right),
            Kind::Parenthesized => node.named_child(0),
            Kind::Conditional | Kind::If | Kind::Unless | Kind::Case => return self.branches(node, depth),
            Kind::Then | Kind::Else | Kind::Begin | Kind::Body | Kind::BlockBody => self.last_statement(node),
            Kind::Binary if self.is_comparison(node) => return self.b.expr(Expr::Builtin),
            Kind::Binary if self.is_choice(node) => return self.branches(node, depth),
            Kind::Binary => node.child_by_field_id(f.left),
            _ => None,
        };
        match inner {
            Some(inner) => self.expr_of(inner, depth + 1),
            None => self.b.unknown(),
        }
    }

    /// A local variable, or what a method without a receiver gives.
    fn word_expr(&mut self, node: Node<'_>) -> ExprId {
        if let Some(described) = self.described.filter(|_| self.is_described_class(node)) {
            return described;
        }
        let name = self.b.name(node);
        if let Some(value) = self.b.local(name) {
            return value;
        }
        if self.b.text(node) == "new" {
            return self.b.expr(Expr::This);
        }
        if let Some(subject) = self.subject.filter(|_| self.b.text(node) == "subject") {
            return subject;
        }
        let method = self.b.expr(Expr::Name(name));
        self.b.call(method)
    }

    /// `x[1]`; a class may have a method `[]`, which makes one.
    fn element_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let Some(object) = node.child_by_field_id(self.t.fields.object) else { return self.b.unknown() };
        let whole = self.expr_of(object, depth + 1);
        if let Kind::Constant | Kind::ScopeResolution = self.kind(object) {
            let method = self.b.intern("[]");
            let method = self.b.member(whole, method);
            return self.b.call(method);
        }
        self.b.element(whole)
    }

    /// What one of several branches gives, all of which must be known; `nil` has no methods of interest.
    fn branches(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let mut nodes = Vec::new();
        self.branch_nodes(node, &mut nodes, 0);
        let mut values: Vec<ExprId> = Vec::new();
        for node in nodes {
            let value = self.expr_of(node, depth + 1);
            if let Expr::Unknown = self.b.file.exprs[value.0 as usize] {
                return value;
            }
            if !values.contains(&value) {
                values.push(value);
            }
        }
        match values[..] {
            [] => self.b.unknown(),
            [only] => only,
            _ => {
                let values = self.b.list(&values);
                self.b.expr(Expr::Union(values))
            }
        }
    }

    fn branch_nodes<'t>(&self, node: Node<'t>, found: &mut Vec<Node<'t>>, depth: u32) {
        let f = &self.t.fields;
        let kind = self.kind(node);
        let parts: Vec<Node<'t>> = match kind {
            Kind::Nil => return,
            Kind::Conditional | Kind::If | Kind::Unless | Kind::Elsif => [f.consequence, f.alternative]
                .into_iter()
                .filter_map(|it| node.child_by_field_id(it))
                .collect(),
            Kind::Case => {
                let mut cursor = node.walk();
                let is_branch = |it: &Node<'t>| matches!(self.kind(*it), Kind::When | Kind::Else);
                node.named_children(&mut cursor).filter(is_branch).collect()
            }
            Kind::When => node.child_by_field_id(f.body).into_iter().collect(),
            Kind::Then | Kind::Else | Kind::Parenthesized => self.last_statement(node).into_iter().collect(),
            Kind::Binary if self.is_choice(node) => {
                [f.left, f.right].into_iter().filter_map(|it| node.child_by_field_id(it)).collect()
            }
            _ => return found.push(node),
        };
        if depth < MAX_EXPR_DEPTH {
            for part in parts {
                self.branch_nodes(part, found, depth + 1);
            }
        }
    }

    /// The statement that a body gives the value of. A `rescue` may give another one.
    pub(super) fn last_statement<'t>(&self, body: Node<'t>) -> Option<Node<'t>> {
        let mut cursor = body.walk();
        let is_code = |child: &Node<'t>| !matches!(self.kind(*child), Kind::Ensure | Kind::Comment);
        body.named_children(&mut cursor).filter(is_code).last()
    }

    fn is_choice(&self, node: Node<'_>) -> bool {
        let operator = node.child_by_field_id(self.t.fields.operator).map_or("", |it| self.b.text(it));
        matches!(operator, "||" | "or")
    }

    fn is_comparison(&self, node: Node<'_>) -> bool {
        let operator =
            node.child_by_field_id(self.t.fields.operator).map_or("", |operator| self.b.text(operator));
        matches!(operator, "==" | "!=" | "===" | "=~" | "!~" | "<" | ">" | "<=" | ">=" | "<=>")
    }

    fn path_of(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let Some(name) = node.child_by_field_id(f.name) else { return self.b.unknown() };
        let name = self.b.name(name);
        match node.child_by_field_id(f.scope) {
            Some(scope) => {
                let base = self.expr_of(scope, depth + 1);
                self.b.member(base, name)
            }
            None => self.b.expr(Expr::Name(name)),
        }
    }

    /// `Foo.new` is a `Foo`, a bare `new` one of this class; other calls give what the method gives.
    fn call_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let Some(method) = node.child_by_field_id(f.method) else { return self.b.unknown() };
        let name = self.b.text(method);
        let Some(receiver) = node.child_by_field_id(f.receiver) else {
            return match self.kind(method) {
                Kind::Super => self.b.unknown(),
                _ if name == "new" => self.b.expr(Expr::This),
                _ => {
                    let method = self.b.name(method);
                    let method = self.b.expr(Expr::Name(method));
                    self.b.call(method)
                }
            };
        };
        let base = self.expr_of(receiver, depth + 1);
        match name {
            "new"
                if matches!(self.kind(receiver), Kind::Constant | Kind::ScopeResolution)
                    || self.is_described_class(receiver) =>
            {
                self.b.instance(base)
            }
            "class" if self.kind(receiver) == Kind::SelfValue => self.enclosing_class().unwrap_or(base),
            "freeze" | "dup" | "clone" | "itself" | "tap" => base,
            _ => {
                let method = self.b.name(method);
                let method = self.b.member(base, method);
                self.b.call(method)
            }
        }
    }

    /// A literal, or the body of a here-document; interpolations are visited.
    pub(super) fn string(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let mut range: Option<(usize, usize)> = None;
        let mut has_code = false;
        for child in node.named_children(&mut cursor) {
            if self.kind(child) == Kind::HeredocEnd {
                continue;
            }
            has_code |= self.kind(child) == Kind::Interpolation;
            range = Some((range.map_or(child.start_byte(), |(start, _)| start), child.end_byte()));
        }
        if let Some((start, end)) = range {
            let text = self.b.source.get(start..end).unwrap_or("");
            let text = if self.kind(node) == Kind::HeredocBody { text.trim() } else { text };
            self.b.string(node, text);
        }
        if has_code {
            self.visit_children_of(node);
        }
    }

    /// `key: value`; `key:` alone stands for the variable or method of that name.
    pub(super) fn pair(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (key, value) = (node.child_by_field_id(f.key), node.child_by_field_id(f.value));
        match (key, value) {
            (Some(key), None) if self.kind(key) == Kind::HashKey => {
                self.b.plain_reference(key, RefKind::Call);
            }
            _ => self.visit_children_of(node),
        }
    }
}
