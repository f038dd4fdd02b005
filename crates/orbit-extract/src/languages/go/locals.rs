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
                value = self.slice_of(value);
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
                Some(value) => self.value_of(value),
                None => self.b.unknown(),
            })
            .collect();
        for (index, (name, value)) in names.iter().zip(bound).enumerate() {
            self.bind(*name, value);
            if let Some(made) = values.get(index).filter(|_| index == 0 || values.len() == names.len()) {
                let holder = self.b.qualify(self.b.text(*name));
                self.hold_command(&holder, *made);
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
        let looked_up = self.lookup_name(scope).unwrap_or(own);
        let own_expr = self.b.expr(Expr::Name(looked_up));
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

    /// `for i, v := range xs`, `case m, ok := <-ch`. The first name of a range gets what it goes through one by one:
    /// keys, or what a channel or iterator gives; the second what is kept under a key.
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
        let is_range = self.kind(node) == Kind::RangeClause;
        for (index, name) in self.expressions(left).into_iter().enumerate() {
            if self.b.text(name) == "_" {
                continue;
            }
            let part = match (is_range, index) {
                (true, 0) => self.each(value),
                (true, _) => self.b.element(value),
                (false, 0) => value,
                (false, _) => self.b.expr(Expr::Builtin),
            };
            self.bind(name, part);
        }
    }

    fn each(&mut self, whole: ExprId) -> ExprId {
        match self.b.file.exprs[whole.0 as usize] {
            Expr::Unknown | Expr::Builtin => whole,
            _ => self.b.expr(Expr::Each(whole)),
        }
    }

    /// What a name is that is given a value.
    pub(super) fn value_of(&mut self, value: Assigned<'_>) -> ExprId {
        let whole = self.expr_of(value.node, 0);
        match (value.place, self.kind(value.node)) {
            (None, _) => whole,
            (Some(place), Kind::Call | Kind::Conversion | Kind::Parenthesized) => {
                self.b.position(whole, place)
            }
            // `v, ok := m[key]`, `v, ok := x.(T)`, `v, ok := <-ch`.
            (Some(0), _) => whole,
            (Some(_), _) => self.b.expr(Expr::Builtin),
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

/// The expression that gives a name its value, and which of its results where it has one for each name.
#[derive(Clone, Copy)]
pub(super) struct Assigned<'t> {
    pub(super) node: Node<'t>,
    pub(super) place: Option<usize>,
}

/// What gives the name at `index` its value.
pub(super) fn value_at<'t>(values: &[Node<'t>], names: usize, index: usize) -> Option<Assigned<'t>> {
    match values {
        [node] if names > 1 => Some(Assigned { node: *node, place: Some(index) }),
        _ => values.get(index).map(|node| Assigned { node: *node, place: None }),
    }
}
