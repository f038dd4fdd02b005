//! Parameters, `:=`, `range`, type switches: what is bound in a frame and what is known of it.

use super::defs::Spec;
use super::{Go, Kind};
use crate::builder::{Def, Walk};
use crate::{Expr, ExprId, SymbolKind};
use tree_sitter::Node;

impl Go<'_> {
    /// Records the types of a parameter or result list, then binds its names: they are not in scope yet
    /// where the types are written.
    pub(super) fn parameters(&mut self, list: Node<'_>) {
        let mut cursor = list.walk();
        let parameters: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
        for parameter in &parameters {
            self.visit_node(*parameter);
        }
        for parameter in parameters {
            let Some(ty) = parameter.child_by_field_id(self.t.fields.ty) else { continue };
            let mut value = self.type_expr(ty, 0);
            if self.kind(parameter) == Kind::VariadicParameter {
                value = self.collection_of(value);
            }
            let value = self.b.instance(value);
            let mut cursor = parameter.walk();
            for name in parameter.named_children(&mut cursor).take_while(|child| child.id() != ty.id()) {
                self.bind(name, value);
            }
        }
    }

    fn bind(&mut self, name: Node<'_>, value: ExprId) {
        if self.kind(name) == Kind::Identifier && self.b.text(name) != "_" {
            let name = self.b.name(name);
            self.b.bind(name, value);
        }
    }

    pub(super) fn expressions<'t>(&self, list: Node<'t>) -> Vec<Node<'t>> {
        let mut cursor = list.walk();
        list.named_children(&mut cursor).filter(|child| self.kind(*child) != Kind::Comment).collect()
    }

    /// `var x T = v` or `const x = v` in a function.
    pub(super) fn local_spec(&mut self, spec: &Spec<'_>, names: &[Node<'_>], values: &[Node<'_>]) {
        if let Some(ty) = spec.ty {
            self.visit_node(ty);
        }
        match spec.declared {
            Some(declared) => {
                for value in values {
                    self.visit_node(*value);
                }
                for name in names {
                    self.bind(*name, declared);
                }
            }
            None => self.bind_values(spec.whole, names, values),
        }
    }

    pub(super) fn short_var(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (left, right) = (node.child_by_field_id(f.left), node.child_by_field_id(f.right));
        let (Some(left), Some(right)) = (left, right) else { return self.visit_children_of(node) };
        let (names, values) = (self.expressions(left), self.expressions(right));
        self.bind_values(node, &names, &values);
    }

    fn bind_values(&mut self, whole: Node<'_>, names: &[Node<'_>], values: &[Node<'_>]) {
        if let ([name], [value]) = (names, values)
            && self.kind(*value) == Kind::FuncLiteral
            && self.kind(*name) == Kind::Identifier
            && self.b.text(*name) != "_"
        {
            return self.closure(whole, *name, *value);
        }
        for value in values {
            self.visit_node(*value);
        }
        let bound: Vec<ExprId> = (0..names.len())
            .map(|index| match value_at(values, names.len(), index) {
                Some(value) => self.expr_of(value, 0),
                None => self.b.unknown(),
            })
            .collect();
        for (index, (name, value)) in names.iter().zip(bound).enumerate() {
            self.bind(*name, value);
            if let Some(made) = value_at(values, names.len(), index) {
                let holder = self.b.qualify(self.b.text(*name));
                self.hold_command(&holder, made);
            }
        }
    }

    /// `f := func(…) {…}`: a local function.
    fn closure(&mut self, whole: Node<'_>, name_node: Node<'_>, literal: Node<'_>) {
        let ty = self.result_type(literal);
        let body = literal.child_by_field_id(self.t.fields.body);
        let def = Def::new(whole, name_node, SymbolKind::Function).signature_until(body).ty(ty);
        let scope = self.b.define(def);
        self.b.enter(scope);
        self.func_literal(literal);
        self.b.leave();
        let own = self.b.name(name_node);
        let own_expr = self.b.expr(Expr::Name(own));
        self.b.bind(own, own_expr);
    }

    pub(super) fn assignment(&mut self, node: Node<'_>) {
        self.visit_children_of(node);
        let f = &self.t.fields;
        if let (Some(left), Some(right)) = (node.child_by_field_id(f.left), node.child_by_field_id(f.right))
            && let (Some(holder), Some(value)) = (left.named_child(0), right.named_child(0))
        {
            self.hold_command(self.b.text(holder), value);
        }
    }

    /// `for i, v := range xs`, `case m, ok := <-ch`. With two names of a range the second is the element;
    /// a single one is bound to it too, which is right for channels and harmless for an index.
    pub(super) fn range(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (left, right) = (node.child_by_field_id(f.left), node.child_by_field_id(f.right));
        let Some(right) = right else { return self.visit_children_of(node) };
        self.visit_node(right);
        let Some(left) = left else { return };
        let declares = left.next_sibling().is_some_and(|token| self.b.text(token) == ":=");
        if !declares {
            return self.visit_children_of(left);
        }
        let value = self.expr_of(right, 0);
        let names = self.expressions(left);
        let unknown = self.b.unknown();
        let (element, position) = match self.kind(node) {
            Kind::RangeClause => (self.b.element(value), names.len().saturating_sub(1)),
            _ => (value, 0),
        };
        for (index, name) in names.iter().enumerate() {
            self.bind(*name, if index == position { element } else { unknown });
        }
    }

    /// `switch x := v.(type)`: in a case of one type, `x` has it.
    pub(super) fn type_switch(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        self.b.push_frame();
        self.visit_field(node, f.initializer);
        let alias = node.child_by_field_id(f.alias).and_then(|list| list.named_child(0));
        let value = node.child_by_field_id(f.value);
        let mut whole = self.b.unknown();
        if let Some(value) = value {
            self.visit_node(value);
            whole = self.expr_of(value, 0);
        }
        let mut cursor = node.walk();
        for case in node.named_children(&mut cursor) {
            if matches!(self.kind(case), Kind::TypeCase | Kind::DefaultCase) {
                self.type_case(case, alias, whole);
            }
        }
        self.b.pop_frame();
    }

    fn type_case(&mut self, case: Node<'_>, alias: Option<Node<'_>>, whole: ExprId) {
        let mut cursor = case.walk();
        let (mut types, mut body) = (Vec::new(), Vec::new());
        if cursor.goto_first_child() {
            loop {
                let child = cursor.node();
                if cursor.field_id().is_some_and(|field| field.get() == self.t.fields.ty) {
                    types.push(child);
                } else {
                    body.push(child);
                }
                if !cursor.goto_next_sibling() {
                    break;
                }
            }
        }
        types.retain(Node::is_named);
        self.b.push_frame();
        for ty in &types {
            self.visit_node(*ty);
        }
        if let Some(alias) = alias {
            let value = match types[..] {
                [ty] => {
                    let ty = self.type_expr(ty, 0);
                    self.b.instance(ty)
                }
                _ => whole,
            };
            self.bind(alias, value);
        }
        for statement in body {
            self.visit_node(statement);
        }
        self.b.pop_frame();
    }
}

/// The node that gives the name at `index` its value: with one call for several names, only the first
/// result is known.
pub(super) fn value_at<'t>(values: &[Node<'t>], names: usize, index: usize) -> Option<Node<'t>> {
    if values.len() == names || index == 0 { values.get(index).copied() } else { None }
}
