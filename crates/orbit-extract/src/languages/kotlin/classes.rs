//! Classes, interfaces, objects, enums and what they are derived from.

use super::{ANONYMOUS, Kind, Kotlin, has_token, last_named_child};
use crate::builder::{Def, Walk};
use crate::{Expr, ExprId, NameId, RefKind, RelationKind, ScopeId, SymbolKind};
use tree_sitter::Node;

impl Kotlin<'_> {
    pub(super) fn class(&mut self, node: Node<'_>, kind: Kind) {
        let name_node = node.child_by_field_id(self.t.fields.name);
        let name = name_node.map_or("", |name| self.b.text(name).trim_matches('`'));
        let name = match (name, kind) {
            ("", Kind::Companion) => "Companion",
            ("", _) => return self.visit_children_of(node),
            _ => name,
        };
        let modifiers = self.modifiers(node);
        let body = self.child_of(node, Kind::ClassBody).or_else(|| self.child_of(node, Kind::EnumBody));
        let symbol_kind = match kind {
            Kind::Class if has_token(node, self.t.interface) => SymbolKind::Interface,
            Kind::Class
                if modifiers.is_enum || body.is_some_and(|body| self.kind(body) == Kind::EnumBody) =>
            {
                SymbolKind::Enum
            }
            _ => SymbolKind::Class,
        };
        let exported = self.is_exported(&modifiers) && !self.is_hidden_in_text(name_node);
        let outer = self.b.qualify("");
        let def = Def::new(node, name_node.unwrap_or(node), symbol_kind).exported(exported);
        let scope = self.b.define_as(def, name, None);
        self.sign(scope, modifiers.signature_start, body, node);
        let own = self.b.intern(name);
        self.b.push_frame();
        self.type_parameters(node);
        self.supertypes(node, scope, own);
        match kind {
            // Members of a companion are members of the class round it.
            Kind::Companion => self.b.enter_as(scope, outer.trim_end_matches('.').to_owned()),
            _ => self.b.enter(scope),
        }
        self.members(node, body);
        self.b.leave();
        self.b.pop_frame();
    }

    /// Modifiers that were blanked before reading are only in the text: the words before the name.
    fn is_hidden_in_text(&self, name: Option<Node<'_>>) -> bool {
        let before = name.and_then(|name| self.b.source.get(..name.start_byte())).unwrap_or("");
        let line = &before[before.rfind('\n').map_or(0, |at| at + 1)..];
        line.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b' ')
            && line.split(' ').any(|word| matches!(word, "private" | "internal"))
    }

    /// `object : Base(…), Face { … }`: a class without a name.
    pub(super) fn object_literal(&mut self, node: Node<'_>) {
        let body = self.child_of(node, Kind::ClassBody);
        let def = Def::new(node, node, SymbolKind::Class).signature_until(body);
        let scope = self.b.define_as(def, ANONYMOUS, None);
        let own = self.b.intern(ANONYMOUS);
        self.b.push_frame();
        self.supertypes(node, scope, own);
        self.b.enter(scope);
        self.members(node, body);
        self.b.leave();
        self.b.pop_frame();
    }

    /// What is written in a class: constructor parameters, the arguments of its supertypes, its body.
    fn members(&mut self, node: Node<'_>, body: Option<Node<'_>>) {
        let outer_body = std::mem::replace(&mut self.in_body, false);
        let (this_name, this) = (self.b.intern("this"), self.b.expr(Expr::This));
        self.b.bind(this_name, this);
        let parameters = self.class_parameters(node);
        self.with_parameters(&parameters, |walk| walk.supertype_arguments(node));
        if let Some(body) = body {
            let mut cursor = body.walk();
            for member in body.named_children(&mut cursor) {
                if matches!(self.kind(member), Kind::Property | Kind::Initializer) {
                    self.with_parameters(&parameters, |walk| walk.visit_node(member));
                } else {
                    self.visit_node(member);
                }
            }
        }
        self.in_body = outer_body;
    }

    /// Constructor parameters are known to initialisers, not to functions.
    fn with_parameters(&mut self, parameters: &[(NameId, ExprId)], visit: impl FnOnce(&mut Self)) {
        self.b.push_frame();
        for (name, held) in parameters {
            self.b.bind(*name, *held);
        }
        visit(self);
        self.b.pop_frame();
    }

    /// Parameters with `val` or `var` are properties, the others are returned.
    fn class_parameters(&mut self, node: Node<'_>) -> Vec<(NameId, ExprId)> {
        let mut plain = Vec::new();
        let Some(constructor) = self.child_of(node, Kind::PrimaryConstructor) else { return plain };
        self.modifiers(constructor);
        let Some(list) = self.child_of(constructor, Kind::ClassParameters) else { return plain };
        let mut cursor = list.walk();
        for parameter in list.named_children(&mut cursor) {
            let Some(name) = self.name_in(parameter) else { continue };
            let modifiers = self.modifiers(parameter);
            let ty = self.type_in(parameter);
            if let Some(ty) = ty {
                self.type_refs(ty, RefKind::Type, 0);
            }
            let mut held = self.type_or_unknown(ty);
            if self.is_vararg(parameter) {
                held = self.array_of(held);
            }
            let held = self.b.instance(held);
            if has_token(parameter, self.t.val) || has_token(parameter, self.t.var) {
                let text = self.b.text(name).trim_matches('`');
                let def = Def::new(parameter, name, SymbolKind::Property)
                    .ty(Some(held))
                    .exported(self.is_exported(&modifiers));
                let scope = self.b.define_as(def, text, None);
                self.sign(scope, modifiers.signature_start, None, parameter);
            } else {
                plain.push((self.name(name), held));
            }
            self.default_of(parameter, name);
        }
        plain
    }

    fn is_vararg(&self, parameter: Node<'_>) -> bool {
        self.child_of(parameter, Kind::Modifiers).is_some_and(|list| self.b.text(list).contains("vararg"))
    }

    /// The default value of a class parameter: what follows its type.
    fn default_of(&mut self, parameter: Node<'_>, name: Node<'_>) {
        let last = last_named_child(parameter);
        let value = last.filter(|last| last.start_byte() > name.start_byte() && !self.is_type(*last));
        if let Some(value) = value {
            self.in_initializer(value);
        }
    }

    /// Visits an expression whose declarations are locals.
    pub(super) fn in_initializer(&mut self, value: Node<'_>) {
        let outer = std::mem::replace(&mut self.in_body, true);
        self.b.push_frame();
        self.visit_node(value);
        self.b.pop_frame();
        self.in_body = outer;
    }

    /// A supertype that is constructed is a class, others are interfaces; interfaces extend.
    fn supertypes(&mut self, node: Node<'_>, owner: ScopeId, own: NameId) {
        let Some(list) = self.child_of(node, Kind::Delegations) else { return };
        let is_interface =
            owner.symbol().is_some_and(|index| self.b.file.symbols[index].kind == SymbolKind::Interface);
        let own = self.b.expr(Expr::Name(own));
        let mut cursor = list.walk();
        for specifier in list.named_children(&mut cursor) {
            let Some((ty, is_constructed)) = self.supertype_of(specifier) else { continue };
            let kind =
                if is_interface || is_constructed { RelationKind::Extends } else { RelationKind::Implements };
            let to = self.type_expr(ty, 0);
            self.b.relation(kind, owner, own, to, ty);
            self.type_refs(ty, RefKind::Type, 0);
        }
    }

    /// The type of a delegation specifier, and whether it is constructed.
    pub(super) fn supertype_of<'t>(&self, specifier: Node<'t>) -> Option<(Node<'t>, bool)> {
        let mut cursor = specifier.walk();
        let inner =
            specifier.named_children(&mut cursor).find(|child| self.kind(*child) != Kind::Annotation)?;
        match self.kind(inner) {
            Kind::ConstructorInvocation => Some((self.type_in(inner)?, true)),
            Kind::ExplicitDelegation => Some((self.type_in(inner)?, false)),
            _ => self.is_type(inner).then_some((inner, false)),
        }
    }

    /// `Base(x)` and `Face by x`: the arguments, seen from inside the class.
    fn supertype_arguments(&mut self, node: Node<'_>) {
        let Some(list) = self.child_of(node, Kind::Delegations) else { return };
        let mut cursor = list.walk();
        for specifier in list.named_children(&mut cursor) {
            let Some(inner) = last_named_child(specifier) else { continue };
            match self.kind(inner) {
                Kind::ConstructorInvocation => {
                    if let Some(arguments) = self.child_of(inner, Kind::ValueArguments) {
                        self.in_initializer(arguments);
                    }
                }
                Kind::ExplicitDelegation => {
                    if let Some(value) = last_named_child(inner).filter(|value| !self.is_type(*value)) {
                        self.in_initializer(value);
                    }
                }
                _ => {}
            }
        }
    }

    /// An enum entry is a value of its enum; its body, if any, holds members of its own.
    pub(super) fn enum_entry(&mut self, node: Node<'_>) {
        let Some(name) = self.name_in(node) else { return };
        let modifiers = self.modifiers(node);
        let owner = self.b.enclosing().next().map(|symbol| symbol.name);
        let ty = owner.map(|owner| {
            let owner = self.b.expr(Expr::Name(owner));
            self.b.instance(owner)
        });
        let body = self.child_of(node, Kind::ClassBody);
        let text = self.b.text(name).trim_matches('`');
        let def = Def::new(node, name, SymbolKind::Variant).ty(ty).exported(self.is_exported(&modifiers));
        let scope = self.b.define_as(def, text, None);
        self.sign(scope, modifiers.signature_start, body, node);
        if let Some(arguments) = self.child_of(node, Kind::ValueArguments) {
            self.in_initializer(arguments);
        }
        if let Some(body) = body {
            self.b.enter(scope);
            self.visit_children_of(body);
            self.b.leave();
        }
    }
}
