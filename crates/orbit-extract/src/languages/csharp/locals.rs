//! What binds local variables: declarations, loops, catch clauses, patterns, lambdas, queries.

use super::typing::last_named_child;
use super::{CSharp, Kind};
use crate::builder::{MAX_EXPR_DEPTH, Walk};
use crate::{ExprId, RefKind};
use tree_sitter::Node;

impl CSharp<'_> {
    /// `Foo a = x, b = y;`, `var c = z;`, also in `for`, `using` and `fixed`.
    pub(super) fn local_variables(&mut self, node: Node<'_>) {
        let ty = node.child_by_field_id(self.t.fields.ty);
        let ty = ty.filter(|ty| self.kind(*ty) != Kind::ImplicitType);
        if let Some(ty) = ty {
            self.type_refs(ty, RefKind::Type, 0);
        }
        let mut cursor = node.walk();
        for declarator in node.named_children(&mut cursor) {
            if self.kind(declarator) != Kind::Declarator {
                continue;
            }
            let value = self.declarator_value(declarator);
            if let Some(value) = value {
                self.visit_node(value);
            }
            let held = match (ty, value) {
                (Some(ty), _) => self.instance_of(ty),
                (None, Some(value)) => self.expr_of(value, 0),
                (None, None) => self.b.unknown(),
            };
            match self.name_of(declarator) {
                Some(name) => {
                    if let Some(value) = value {
                        self.hold_router(self.b.text(name), value);
                    }
                    self.bind(name, held);
                }
                None => self.bind_names(declarator, 0),
            }
        }
    }

    /// The initialiser of a declarator.
    pub(super) fn declarator_value<'t>(&self, declarator: Node<'t>) -> Option<Node<'t>> {
        let last = last_named_child(declarator)?;
        let is_name = self.name_of(declarator).is_some_and(|name| name.id() == last.id());
        let is_value =
            !matches!(self.kind(last), Kind::BracketedArguments | Kind::TuplePattern | Kind::Comment);
        (!is_name && is_value).then_some(last)
    }

    pub(super) fn bind(&mut self, name: Node<'_>, held: ExprId) {
        let name = self.b.name(name);
        self.b.bind(name, held);
    }

    /// Binds every name of a tuple or designation, of which nothing more is known.
    fn bind_names(&mut self, node: Node<'_>, depth: u32) {
        if depth > MAX_EXPR_DEPTH {
            return;
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::Identifier => {
                    let unknown = self.b.unknown();
                    self.bind(child, unknown);
                }
                Kind::TuplePattern | Kind::Designation => self.bind_names(child, depth + 1),
                _ => {}
            }
        }
    }

    /// `foreach (Foo x in xs)`; a `var` is an element of what is iterated.
    pub(super) fn foreach(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (ty, left) = (node.child_by_field_id(f.ty), node.child_by_field_id(f.left));
        let right = node.child_by_field_id(f.right);
        let ty = ty.filter(|ty| self.kind(*ty) != Kind::ImplicitType);
        if let Some(ty) = ty {
            self.type_refs(ty, RefKind::Type, 0);
        }
        if let Some(right) = right {
            self.visit_node(right);
        }
        let held = match (ty, right) {
            (Some(ty), _) => self.instance_of(ty),
            (None, Some(right)) => {
                let whole = self.expr_of(right, 0);
                self.b.element(whole)
            }
            (None, None) => self.b.unknown(),
        };
        self.b.push_frame();
        match left {
            Some(left) if self.kind(left) == Kind::Identifier => self.bind(left, held),
            Some(left) if self.kind(left) == Kind::TuplePattern => self.bind_names(left, 0),
            Some(left) => self.visit_node(left),
            None => {}
        }
        self.visit_field(node, f.body);
        self.b.pop_frame();
    }

    /// `catch (E e)`, `out Foo f`, `is Foo f`: known from here to the end of the block.
    pub(super) fn typed_binding(&mut self, node: Node<'_>) {
        let ty = node.child_by_field_id(self.t.fields.ty);
        let held = match ty {
            Some(ty) => {
                self.type_refs(ty, RefKind::Type, 0);
                self.instance_of(ty)
            }
            None => self.b.unknown(),
        };
        match self.name_of(node) {
            Some(name) => self.bind(name, held),
            None => self.bind_designation(node),
        }
    }

    fn bind_designation(&mut self, node: Node<'_>) {
        if let Some(names) = self.child_of(node, Kind::Designation) {
            self.bind_names(names, 0);
        }
    }

    /// `var x`, `var (x, y)`, `[var first, ..] rest`.
    pub(super) fn untyped_binding(&mut self, node: Node<'_>) {
        let name = self.name_of(node);
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::Designation => self.bind_names(child, 0),
                _ if Some(child.id()) == name.map(|name| name.id()) => {
                    let unknown = self.b.unknown();
                    self.bind(child, unknown);
                }
                _ => self.visit_node(child),
            }
        }
    }

    /// `Foo { Bar: pattern, Baz.Qux: pattern } f`, `Foo(pattern, pattern) f`.
    pub(super) fn recursive_pattern(&mut self, node: Node<'_>) {
        let ty = node.child_by_field_id(self.t.fields.ty);
        let held = match ty {
            Some(ty) => {
                self.type_refs(ty, RefKind::Type, 0);
                self.instance_of(ty)
            }
            None => self.b.unknown(),
        };
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::PropertyPattern | Kind::PositionalPattern => self.subpatterns(child, held),
                Kind::Designation => self.bind_names(child, 0),
                _ if Some(child.id()) == ty.map(|ty| ty.id()) => {}
                Kind::Identifier => self.bind(child, held),
                _ => self.visit_node(child),
            }
        }
    }

    /// `Name: pattern`, where the name is a member of what is matched.
    fn subpatterns(&mut self, clause: Node<'_>, subject: ExprId) {
        let mut cursor = clause.walk();
        for subpattern in clause.named_children(&mut cursor) {
            if self.kind(subpattern) != Kind::Subpattern {
                continue;
            }
            let has_name = subpattern.named_child_count() > 1;
            let mut inner = subpattern.walk();
            for (index, part) in subpattern.named_children(&mut inner).enumerate() {
                if index == 0 && has_name {
                    self.pattern_path(part, subject, 0);
                } else {
                    self.visit_node(part);
                }
            }
        }
    }

    /// `Name` or `Name.Other` before the colon of a subpattern.
    fn pattern_path(&mut self, node: Node<'_>, subject: ExprId, depth: u32) -> ExprId {
        let (base, name) = match self.object_and_name(node) {
            Some((object, name)) if depth < MAX_EXPR_DEPTH => {
                (self.pattern_path(object, subject, depth + 1), name)
            }
            _ => (subject, node),
        };
        self.b.reference(name, RefKind::Value, Some(base));
        let name = self.b.name(name);
        self.b.member(base, name)
    }

    /// `is not Foo`: a plain name here is a type far more often than a constant.
    pub(super) fn negated_pattern(&mut self, node: Node<'_>) {
        let constant = self.child_of(node, Kind::ConstantPattern).and_then(|inner| inner.named_child(0));
        match constant.filter(|name| matches!(self.kind(*name), Kind::Identifier | Kind::GenericName)) {
            Some(name) => self.type_refs(name, RefKind::Type, 0),
            None => self.visit_children_of(node),
        }
    }

    /// `name: statement`; the label is not a reference.
    pub(super) fn labeled(&mut self, node: Node<'_>) {
        if let Some(statement) = last_named_child(node) {
            self.visit_node(statement);
        }
    }

    pub(super) fn query(&mut self, node: Node<'_>) {
        self.b.push_frame();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::Identifier => {
                    let unknown = self.b.unknown();
                    self.bind(child, unknown); // `into x`
                }
                _ => self.visit_node(child),
            }
        }
        self.b.pop_frame();
    }

    /// `from Foo x in xs`.
    pub(super) fn range_clause(&mut self, node: Node<'_>) {
        let (name, source) = (self.name_of(node), last_named_child(node));
        self.range_variable(node, name, source);
    }

    /// `join Foo x in xs on a equals b into g`.
    pub(super) fn join_clause(&mut self, node: Node<'_>) {
        let ty = node.child_by_field_id(self.t.fields.ty).map(|ty| ty.id());
        let mut cursor = node.walk();
        let parts: Vec<Node<'_>> =
            node.named_children(&mut cursor).filter(|child| Some(child.id()) != ty).collect();
        self.range_variable(node, parts.first().copied(), parts.get(1).copied());
        for part in parts.iter().skip(2) {
            match self.kind(*part) {
                Kind::JoinInto => self.bind_names(*part, 0),
                _ => self.visit_node(*part),
            }
        }
    }

    fn range_variable(&mut self, node: Node<'_>, name: Option<Node<'_>>, source: Option<Node<'_>>) {
        let ty = node.child_by_field_id(self.t.fields.ty);
        if let Some(ty) = ty {
            self.type_refs(ty, RefKind::Type, 0);
        }
        let (Some(name), Some(source)) = (name, source) else { return };
        self.visit_node(source);
        let held = if let Some(ty) = ty {
            self.instance_of(ty)
        } else {
            let whole = self.expr_of(source, 0);
            self.b.element(whole)
        };
        self.bind(name, held);
    }

    /// `let x = …`.
    pub(super) fn let_clause(&mut self, node: Node<'_>) {
        let (Some(name), Some(value)) = (node.named_child(0), last_named_child(node)) else { return };
        self.visit_node(value);
        let held = self.expr_of(value, 0);
        self.bind(name, held);
    }
}
