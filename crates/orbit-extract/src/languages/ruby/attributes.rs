//! Methods that are declared by naming them: attributes, aliases, delegates.

use super::{Kind, Ruby};
use crate::builder::{Def, Walk};
use crate::{Expr, ExprId, RefKind, ScopeId, SymbolKind};
use tree_sitter::Node;

impl Ruby<'_> {
    /// `alias new old`
    pub(super) fn alias(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (Some(new), Some(old)) = (node.child_by_field_id(f.name), node.child_by_field_id(f.alias)) else {
            return;
        };
        self.define_alias(node, new, Some(old));
        if self.kind(old) == Kind::Identifier {
            self.b.reference(old, RefKind::Value, None);
        }
    }

    pub(super) fn define_alias(&mut self, node: Node<'_>, new: Node<'_>, old: Option<Node<'_>>) {
        let Some(name) = self.literal_name(new) else { return };
        let kind = match self.kind(new) {
            Kind::GlobalVariable => SymbolKind::Variable,
            _ if self.enclosing_type().is_none() => SymbolKind::Function,
            _ => SymbolKind::Method,
        };
        let def = Def::new(node, new, kind).signature_until(None).exported(!self.is_private);
        let scope = self.b.define_as(def, name, None);
        self.belongs_to_class(scope, node);
        if let Some(old) = old.and_then(|old| self.literal_name(old)).filter(|_| kind != SymbolKind::Variable)
        {
            let old = self.b.intern(old);
            let old = self.b.expr(Expr::Name(old));
            let value = self.b.call(old);
            self.give(scope, value);
        }
    }

    /// `attr_accessor :a, :b` give what `@a` and `@b` hold; the members of a struct are not variables.
    pub(super) fn attributes(&mut self, call: Node<'_>, arguments: Node<'_>) {
        let method = call.child_by_field_id(self.t.fields.method).map_or("", |method| self.b.text(method));
        let has_variable = method.contains("attr");
        let mut cursor = arguments.walk();
        for argument in arguments.named_children(&mut cursor) {
            match self.literal_name(argument) {
                Some(name) => {
                    let mut def = Def::new(call, argument, SymbolKind::Property).exported(!self.is_private);
                    def.signature_end = Some(arguments.end_byte());
                    let scope = self.b.define_as(def, name, None);
                    self.belongs_to_class(scope, call);
                    if has_variable {
                        let (this, variable) = (self.b.expr(Expr::This), self.b.intern(&format!("@{name}")));
                        let value = self.b.member(this, variable);
                        self.give(scope, value);
                    }
                }
                None => self.visit_node(argument),
            }
        }
    }

    /// `def_delegators :target, :a, :b` and `def_delegator :target, :a, :name`.
    pub(super) fn delegators(&mut self, call: Node<'_>, method: &str, arguments: Node<'_>) {
        let mut cursor = arguments.walk();
        let arguments: Vec<Node<'_>> = arguments.named_children(&mut cursor).collect();
        let Some((target, names)) = arguments.split_first() else { return };
        let target = self.literal_name(*target).map(|target| self.delegation_target(target));
        match names {
            [old, new, ..] if !method.ends_with('s') => self.delegated(call, target, *old, *new),
            [only, ..] if !method.ends_with('s') => self.delegated(call, target, *only, *only),
            _ => names.iter().for_each(|name| self.delegated(call, target, *name, *name)),
        }
    }

    /// `delegate :a, :b, to: :target`
    pub(super) fn delegate(&mut self, call: Node<'_>, arguments: Node<'_>) -> bool {
        let f = &self.t.fields;
        let mut cursor = arguments.walk();
        let arguments: Vec<Node<'_>> = arguments.named_children(&mut cursor).collect();
        let is_target = |pair: &&Node<'_>| {
            pair.child_by_field_id(f.key).is_some_and(|key| matches!(self.b.text(key), "to" | ":to"))
        };
        let pair = arguments.iter().filter(|it| self.kind(**it) == Kind::Pair).find(is_target);
        let target = pair.and_then(|pair| pair.child_by_field_id(f.value));
        let Some(target) = target else { return false };
        let target = self.literal_name(target).map(|target| self.delegation_target(target));
        for name in arguments {
            if self.kind(name) == Kind::Symbol {
                self.delegated(call, target, name, name);
            }
        }
        true
    }

    /// A variable, a constant or a method, by the text that names it.
    fn delegation_target(&mut self, target: &str) -> ExprId {
        let name = self.b.intern(target);
        if target.starts_with('@') {
            let this = self.b.expr(Expr::This);
            return self.b.member(this, name);
        }
        if target.starts_with(char::is_uppercase) {
            return self.b.path_expr(target, "::");
        }
        let method = self.b.expr(Expr::Name(name));
        self.b.call(method)
    }

    fn delegated(&mut self, call: Node<'_>, target: Option<ExprId>, old: Node<'_>, new: Node<'_>) {
        let (Some(old), Some(name)) = (self.literal_name(old), self.literal_name(new)) else { return };
        let mut def = Def::new(new, new, SymbolKind::Method).exported(!self.is_private);
        def.signature_end = Some(new.end_byte());
        let scope = self.b.define_as(def, name, None);
        self.belongs_to_class(scope, call);
        if let Some(target) = target {
            let old = self.b.intern(old);
            let method = self.b.member(target, old);
            let value = self.b.call(method);
            self.give(scope, value);
        }
    }

    /// What is declared in `class << self` is called on the class.
    fn belongs_to_class(&mut self, scope: ScopeId, call: Node<'_>) {
        if self.in_singleton_class(call) {
            let this = self.b.expr(Expr::This);
            self.b.set_receiver(scope, this);
        }
    }
}
