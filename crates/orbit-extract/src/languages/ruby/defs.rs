//! Classes, modules, methods, properties.

use super::{Kind, Ruby};
use crate::builder::{Def, Walk};
use crate::{Expr, ExprId, RefKind, RelationKind, ScopeId, SymbolKind};
use tree_sitter::Node;

impl Ruby<'_> {
    pub(super) fn class(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let superclass = node.child_by_field_id(f.superclass);
        let Some(name) = self.name_of(node) else { return self.visit_children_of(node) };
        let scope = self.define_type(node, name, superclass, SymbolKind::Class);
        if let Some(base) = superclass.and_then(|superclass| superclass.named_child(0))
            && !self.made_superclass(scope, base)
        {
            self.extends(scope, base);
        }
        self.type_body(node, scope);
    }

    pub(super) fn module(&mut self, node: Node<'_>) {
        let Some(name) = self.name_of(node) else {
            return self.visit_children_of(node);
        };
        let scope = self.define_type(node, name, None, SymbolKind::Module);
        self.type_body(node, scope);
    }

    /// `class A::B::Foo` is named `Foo` and has the path `A::B::Foo`.
    fn define_type(
        &mut self,
        node: Node<'_>,
        name: Node<'_>,
        superclass: Option<Node<'_>>,
        kind: SymbolKind,
    ) -> ScopeId {
        let mut def = Def::new(node, name, kind).exported(true);
        def.signature_end = Some(superclass.unwrap_or(name).end_byte());
        self.define_path(def, name)
    }

    /// Defines what a constant or a path of constants names.
    pub(super) fn define_path(&mut self, def: Def<'_>, name: Node<'_>) -> ScopeId {
        let f = &self.t.fields;
        if self.kind(name) != Kind::ScopeResolution {
            return self.b.define(def);
        }
        self.visit_field(name, f.scope);
        let path: String = self.b.text(name).split_whitespace().collect();
        let path = path.trim_start_matches("::").to_owned();
        let leaf = self.name_of(name).unwrap_or(name);
        let text = self.b.text(leaf);
        self.b.define_as(Def { name_node: leaf, ..def }, text, Some(&path))
    }

    pub(super) fn extends(&mut self, owner: ScopeId, base: Node<'_>) {
        if let Kind::Constant | Kind::ScopeResolution = self.kind(base) {
            self.relate(RelationKind::Extends, owner, base);
        } else {
            self.visit_node(base);
        }
    }

    /// `class Point < Struct.new(:x, :y)`, also with a class that derives from `Struct`: the arguments are members.
    fn made_superclass(&mut self, owner: ScopeId, base: Node<'_>) -> bool {
        let f = &self.t.fields;
        let (receiver, method) = (base.child_by_field_id(f.receiver), base.child_by_field_id(f.method));
        let (Kind::Call, Some(receiver), Some(arguments)) =
            (self.kind(base), receiver, base.child_by_field_id(f.arguments))
        else {
            return false;
        };
        let makes = method.is_some_and(|method| matches!(self.b.text(method), "new" | "define"));
        let is_member = arguments.named_child(0).is_some_and(|first| self.kind(first) == Kind::Symbol);
        if !makes || !is_member {
            return false;
        }
        self.extends(owner, receiver);
        self.b.enter(owner);
        self.attributes(base, arguments);
        self.b.leave();
        true
    }

    fn relate(&mut self, kind: RelationKind, owner: ScopeId, to: Node<'_>) {
        let Some(index) = owner.symbol() else { return self.type_use(to) };
        let own = self.b.file.symbols[index].name;
        let own = self.b.expr(Expr::Name(own));
        let target = self.expr_of(to, 0);
        self.b.relation(kind, owner, own, target, to);
        self.type_use(to);
    }

    pub(super) fn type_use(&mut self, node: Node<'_>) {
        match self.kind(node) {
            Kind::Constant => self.b.reference(node, RefKind::Type, None),
            Kind::ScopeResolution => self.scope_resolution(node, RefKind::Type),
            _ => self.visit_node(node),
        }
    }

    fn type_body(&mut self, node: Node<'_>, scope: ScopeId) {
        self.b.enter(scope);
        self.body(node.child_by_field_id(self.t.fields.body));
        self.b.leave();
    }

    /// The body of a class or module: its own locals, public until said otherwise.
    pub(super) fn body(&mut self, body: Option<Node<'_>>) {
        let outer = (self.is_private, self.in_body);
        (self.is_private, self.in_body) = (false, true);
        self.b.push_frame();
        if let Some(body) = body {
            self.visit_children_of(body);
        }
        self.b.pop_frame();
        (self.is_private, self.in_body) = outer;
    }

    /// `class << self`: its methods are those of the class round it.
    pub(super) fn singleton_class(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        self.visit_field(node, f.value);
        self.body(node.child_by_field_id(f.body));
    }

    pub(super) fn method(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let Some(name) = self.name_of(node) else { return self.visit_children_of(node) };
        let parameters = node.child_by_field_id(f.parameters);
        let text = self.b.text(name);
        let is_singleton = self.kind(node) == Kind::SingletonMethod;
        let kind = match text {
            _ if self.is_test_file && text.starts_with("test_") => SymbolKind::Test,
            "initialize" if self.enclosing_type().is_some() => SymbolKind::Constructor,
            _ if is_singleton || self.enclosing_type().is_some() => SymbolKind::Method,
            _ => SymbolKind::Function,
        };
        let mut def = Def::new(node, name, kind).exported(!self.is_private || is_singleton);
        def.signature_end = Some(parameters.unwrap_or(name).end_byte());
        let path = self.singleton_path(node, text);
        let scope = self.b.define_as(def, text, path.as_deref());
        if is_singleton || self.in_singleton_class(node) {
            let this = self.b.expr(Expr::This);
            self.b.set_receiver(scope, this);
        }

        let outer = (self.is_private, self.in_body);
        let outer_yields = self.open_yields(parameters);
        let outer_returns = std::mem::take(&mut self.returns);
        (self.is_private, self.in_body) = (false, false);
        self.b.enter(scope);
        self.b.push_frame();
        if let Some(parameters) = parameters {
            let unknown = self.b.unknown();
            self.parameters(parameters, unknown);
        }
        self.visit_field(node, f.body);
        let value = self.value_of_body(node.child_by_field_id(f.body));
        self.returns = outer_returns;
        self.b.pop_frame();
        self.b.leave();
        self.give(scope, value);
        self.close_yields(scope, outer_yields);
        (self.is_private, self.in_body) = outer;
    }

    /// What a body gives: one of its last expression and of what its `return` statements give.
    pub(super) fn value_of_body(&mut self, body: Option<Node<'_>>) -> ExprId {
        let last = body.and_then(|body| match self.kind(body) {
            Kind::Body | Kind::BlockBody => self.last_statement(body),
            _ => Some(body),
        });
        let returned = std::mem::take(&mut self.returns);
        let mut value = match last {
            Some(last) if matches!(self.kind(last), Kind::Return | Kind::Nil) => None,
            Some(last) => Some(self.expr_of(last, 0)),
            None => None,
        };
        for other in returned {
            value = Some(value.map_or(other, |value| self.either(value, other)));
        }
        value.unwrap_or_else(|| self.b.unknown())
    }

    /// `return value`; what is called on the result is never called on `nil`.
    pub(super) fn return_value(&mut self, node: Node<'_>) {
        self.visit_children_of(node);
        let Some(arguments) = node.named_child(0) else { return };
        let value = match (arguments.named_child(0), arguments.named_child_count()) {
            (Some(only), 1) if self.kind(only) == Kind::Nil => return,
            (Some(only), 1) => self.expr_of(only, 0),
            _ => self.b.unknown(),
        };
        self.returns.push(value);
    }

    /// What calling a method gives, if anything is known of it.
    pub(super) fn give(&mut self, scope: ScopeId, value: ExprId) {
        let is_known = !matches!(self.b.file.exprs[value.0 as usize], Expr::Unknown);
        if let Some(index) = scope.symbol().filter(|_| is_known) {
            self.b.file.symbols[index].ty = Some(value);
        }
    }

    /// Right in the body of `class << self`.
    pub(super) fn in_singleton_class(&self, method: Node<'_>) -> bool {
        let body = method.parent();
        let owner = body.and_then(|body| body.parent());
        body.into_iter().chain(owner).any(|node| self.kind(node) == Kind::SingletonClass)
    }

    /// `def Foo.bar` written outside `Foo` has the path it would have inside.
    fn singleton_path(&mut self, node: Node<'_>, name: &str) -> Option<String> {
        let object = node.child_by_field_id(self.t.fields.object)?;
        if self.kind(object) != Kind::Constant {
            return None;
        }
        self.b.reference(object, RefKind::Value, None);
        let object = self.b.text(object);
        let own = self.enclosing_type().and_then(ScopeId::symbol);
        let is_own = own.is_some_and(|own| self.b.file.names.get(self.b.file.symbols[own].name) == object);
        (!is_own).then(|| format!("{object}::{name}"))
    }

    /// The path of the class whose own methods, not those of its instances, are written here.
    pub(super) fn own_class(&mut self) -> Option<ExprId> {
        let callable = self.b.enclosing().find(|symbol| symbol.kind.is_callable());
        if callable.is_some_and(|method| method.receiver.is_none()) {
            return None;
        }
        self.enclosing_class()
    }

    /// The path of the class that is open.
    pub(super) fn enclosing_class(&mut self) -> Option<ExprId> {
        let index = self.enclosing_type()?.symbol()?;
        let symbol = &self.b.file.symbols[index];
        if symbol.kind != SymbolKind::Class {
            return None;
        }
        let path = self.b.file.names.get(symbol.local).to_owned();
        Some(self.b.path_expr(&path, "::"))
    }

    /// The class or module that is open, looking out of methods and blocks.
    pub(super) fn enclosing_type(&self) -> Option<ScopeId> {
        let mut scope = self.b.scope();
        while let Some(index) = scope.symbol() {
            let symbol = &self.b.file.symbols[index];
            if matches!(symbol.kind, SymbolKind::Class | SymbolKind::Module) {
                return Some(scope);
            }
            scope = symbol.parent;
        }
        None
    }

    /// `include A, B`
    pub(super) fn mixins(&mut self, arguments: Node<'_>, owner: ScopeId) {
        let mut cursor = arguments.walk();
        for argument in arguments.named_children(&mut cursor) {
            if let Kind::Constant | Kind::ScopeResolution = self.kind(argument) {
                self.relate(RelationKind::Impl, owner, argument);
            } else {
                self.visit_node(argument);
            }
        }
    }

    /// `private :a, :b`: methods defined before are seen no more.
    pub(super) fn hide(&mut self, arguments: Node<'_>) {
        let scope = self.b.scope();
        let mut cursor = arguments.walk();
        for argument in arguments.named_children(&mut cursor) {
            let Some(name) = self.literal_name(argument) else { continue };
            let name = self.b.intern(name);
            for symbol in self.b.file.symbols.iter_mut().rev() {
                if symbol.parent == scope && symbol.name == name {
                    symbol.exported = false;
                }
            }
        }
    }
}
