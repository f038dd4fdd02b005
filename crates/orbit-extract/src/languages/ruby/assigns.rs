//! Assignments: locals, constants, and the variables of classes.

use super::{Kind, Ruby};
use crate::builder::{Def, MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, RefKind, ScopeId, SymbolKind};
use tree_sitter::Node;

impl Ruby<'_> {
    pub(super) fn assignment(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (left, right) = (node.child_by_field_id(f.left), node.child_by_field_id(f.right));
        let Some(left) = left else { return self.visit_children_of(node) };
        if let Some(right) = right
            && let Kind::Constant | Kind::ScopeResolution = self.kind(left)
            && self.class_value(node, left, right)
        {
            return;
        }
        let value = match right {
            Some(right) => {
                self.visit_node(right);
                self.expr_of(right, 0)
            }
            None => self.b.unknown(),
        };
        self.assign(left, node, value, 0);
    }

    /// Gives a target its value.
    pub(super) fn assign(&mut self, target: Node<'_>, whole: Node<'_>, value: ExprId, depth: u32) {
        match self.kind(target) {
            Kind::Identifier => {
                let name = self.b.name(target);
                self.b.bind(name, value);
            }
            Kind::Constant | Kind::ScopeResolution => self.constant(target, whole, value),
            Kind::InstanceVariable | Kind::ClassVariable | Kind::GlobalVariable => {
                self.assign_variable(target, whole, value);
            }
            Kind::Call => self.assign_attribute(target, value),
            Kind::LeftList | Kind::DestructuredLeft | Kind::RestAssignment if depth <= MAX_EXPR_DEPTH => {
                let unknown = self.b.unknown();
                let mut cursor = target.walk();
                for part in target.named_children(&mut cursor) {
                    self.assign(part, whole, unknown, depth + 1);
                }
            }
            _ => self.visit_node(target),
        }
    }

    fn constant(&mut self, target: Node<'_>, whole: Node<'_>, value: ExprId) {
        let path = self.b.qualify(self.b.text(target));
        if self.assigned.contains_key(&path) {
            return self.visit_node(target);
        }
        let ty = self.known(value);
        let def = Def::new(whole, target, SymbolKind::Const).signature_until(None).ty(ty).exported(true);
        let scope = self.define_path(def, target);
        self.assigned.insert(path, scope);
    }

    /// The first assignment in a class defines the field; in no class it is a use.
    fn assign_variable(&mut self, target: Node<'_>, whole: Node<'_>, value: ExprId) {
        let is_global = self.kind(target) == Kind::GlobalVariable;
        let owner = if is_global { Some(ScopeId::FILE) } else { self.enclosing_type() };
        let Some(owner) = owner else { return self.variable(target) };
        self.b.enter(owner);
        let path = self.b.qualify(self.b.text(target));
        let known = self.assigned.get(&path).copied();
        if let Some(field) = known {
            self.assigned_again(field, value, whole);
        } else {
            let kind = if is_global { SymbolKind::Variable } else { SymbolKind::Field };
            let ty = if self.gives_nil(whole) { None } else { Some(value) };
            let def = Def::new(whole, target, kind).signature_until(None).ty(ty).exported(is_global);
            let field = self.b.define(def);
            self.assigned.insert(path, field);
        }
        self.b.leave();
        if known.is_some() {
            self.variable(target);
        }
    }

    /// A variable holds one of what it is given anywhere in its class; `nil` counts for nothing.
    fn assigned_again(&mut self, field: ScopeId, value: ExprId, whole: Node<'_>) {
        let Some(index) = field.symbol().filter(|_| !self.gives_nil(whole)) else { return };
        let ty = match self.b.file.symbols[index].ty {
            None => value,
            Some(before) => self.either(before, value),
        };
        self.b.file.symbols[index].ty = Some(ty);
    }

    pub(super) fn either(&mut self, one: ExprId, other: ExprId) -> ExprId {
        let expr = |id: ExprId| self.b.file.exprs[id.0 as usize];
        match (expr(one), expr(other)) {
            _ if one == other => one,
            (Expr::Unknown, _) | (_, Expr::Unknown) => self.b.unknown(),
            (Expr::Union(list), _) => {
                let list = self.b.expr(Expr::List(other, list));
                self.b.expr(Expr::Union(list))
            }
            _ => {
                let list = self.b.list(&[one, other]);
                self.b.expr(Expr::Union(list))
            }
        }
    }

    fn gives_nil(&self, assignment: Node<'_>) -> bool {
        let right = assignment.child_by_field_id(self.t.fields.right);
        right.is_some_and(|right| self.kind(right) == Kind::Nil)
    }

    /// `object.name = value` calls `name=`: what is given marks it as such.
    fn assign_attribute(&mut self, target: Node<'_>, value: ExprId) {
        let f = &self.t.fields;
        let (receiver, method) = (target.child_by_field_id(f.receiver), target.child_by_field_id(f.method));
        let (Some(receiver), Some(method)) = (receiver, method) else { return self.visit_node(target) };
        let base = self.expr_of(receiver, 0);
        self.visit_node(receiver);
        self.b.reference(method, RefKind::Value, Some(base));
        let given = self.b.list(&[value]);
        if let Some(last) = self.b.file.refs.last_mut() {
            last.args = Some(given);
        }
    }

    /// A use of `@x`, `@@x` or `$x`.
    pub(super) fn variable(&mut self, node: Node<'_>) {
        let base = match self.kind(node) {
            Kind::GlobalVariable => None,
            _ => Some(self.b.expr(Expr::This)),
        };
        self.b.reference(node, RefKind::Value, base);
    }

    fn known(&self, value: ExprId) -> Option<ExprId> {
        (!matches!(self.b.file.exprs[value.0 as usize], Expr::Unknown)).then_some(value)
    }

    /// `Point = Struct.new(:x, :y) do … end`, `Data.define(:x)`, `Class.new(Base) do … end`, `Module.new do … end`:
    /// the constant names the type made.
    fn class_value(&mut self, node: Node<'_>, left: Node<'_>, right: Node<'_>) -> bool {
        let f = &self.t.fields;
        if self.kind(right) != Kind::Call {
            return false;
        }
        let receiver = right.child_by_field_id(f.receiver).map_or("", |node| self.b.text(node));
        let method = right.child_by_field_id(f.method).map_or("", |node| self.b.text(node));
        let (arguments, block) = (right.child_by_field_id(f.arguments), right.child_by_field_id(f.block));
        let kind = match (receiver.trim_start_matches("::"), method) {
            ("Struct" | "Class", "new") | ("Data", "define") => SymbolKind::Class,
            ("Module", "new") => SymbolKind::Module,
            (_, "new") if self.makes_struct(arguments, block) => SymbolKind::Class,
            _ => return false,
        };
        let mut def = Def::new(node, left, kind).exported(true);
        def.signature_end = Some(block.map_or(node.end_byte(), |block| block.start_byte()));
        let scope = self.define_path(def, left);
        if let Some(base) = right.child_by_field_id(f.receiver).filter(|_| is_core_type(receiver)) {
            self.visit_node(base);
        }
        if let Some(arguments) = arguments {
            if let Some(base) = right.child_by_field_id(f.receiver).filter(|_| !is_core_type(receiver)) {
                self.extends(scope, base);
            }
            if receiver.ends_with("Class") {
                let base = arguments.named_child(0);
                if let Some(base) = base {
                    self.extends(scope, base);
                }
            } else {
                self.b.enter(scope);
                self.attributes(right, arguments);
                self.b.leave();
            }
        }
        if let Some(block) = block {
            self.b.enter(scope);
            self.body(block.child_by_field_id(f.body));
            self.b.leave();
        }
        true
    }
    /// `Point = Options.new(:x) do def … end`: a class derived from `Struct` makes classes too.
    fn makes_struct(&self, arguments: Option<Node<'_>>, block: Option<Node<'_>>) -> bool {
        let first = arguments.and_then(|arguments| arguments.named_child(0));
        let body = block.and_then(|block| block.child_by_field_id(self.t.fields.body));
        let defines = body.is_some_and(|body| {
            let mut cursor = body.walk();
            body.named_children(&mut cursor)
                .any(|child| matches!(self.kind(child), Kind::Method | Kind::SingletonMethod))
        });
        defines && first.is_some_and(|first| self.kind(first) == Kind::Symbol)
    }
}

fn is_core_type(name: &str) -> bool {
    matches!(name.trim_start_matches("::"), "Struct" | "Class" | "Data" | "Module")
}
