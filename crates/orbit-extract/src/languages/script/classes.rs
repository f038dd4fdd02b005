//! Classes and their members.

use super::{Kind, Outer, Script};
use crate::builder::{Def, Walk};
use crate::text::one_line;
use crate::{Expr, NameId, RefKind, RelationKind, ScopeId, SymbolKind};
use tree_sitter::Node;

impl Script<'_> {
    /// A class with a name of its own, or the given one; without either it is called `class`.
    pub(super) fn class(&mut self, node: Node<'_>, outer: Outer<'_>, given: Option<&str>) {
        let f = &self.t.fields;
        let name_node = node.child_by_field_id(f.name);
        let name = match (name_node, given) {
            (_, Some(given)) if given != "default" || name_node.is_none() => given,
            (Some(name), _) => self.b.text(name),
            (None, _) => "class",
        };
        let body = node.child_by_field_id(f.body);
        let mut def = Def::new(outer.whole, name_node.unwrap_or(node), SymbolKind::Class);
        def.exported = outer.exported;
        let scope = self.define(def, name);
        self.class_signature(scope, outer.whole, node, body);
        self.shadow(name);

        let types = self.types.len();
        self.decorators(node);
        self.b.enter(scope);
        if let Some(parameters) = node.child_by_field_id(f.type_parameters) {
            self.declare_type_parameters(parameters, scope);
            self.type_parameters(parameters);
        }
        self.b.leave();
        let doc = self.doc_of(outer.whole);
        self.declare_templates(doc, scope);
        let own = self.b.intern(name);
        self.heritage(node, scope, own);
        self.b.enter(scope);
        if let Some(body) = body {
            if !self.is_typed() {
                self.declare_members(body, scope);
            }
            let this = self.b.expr(Expr::This);
            self.this.push(this);
            self.class_body(body);
            self.this.pop();
        }
        self.b.leave();
        self.types.truncate(types);
    }

    /// The signature starts behind the decorators.
    fn class_signature(&mut self, scope: ScopeId, whole: Node<'_>, node: Node<'_>, body: Option<Node<'_>>) {
        let start = |node: Node<'_>| {
            let mut cursor = node.walk();
            let first = node
                .children(&mut cursor)
                .find(|child| !matches!(self.kind(*child), Kind::Decorator | Kind::Comment));
            first.map_or(node.start_byte(), |first| first.start_byte())
        };
        let start = if whole.id() == node.id() { start(node) } else { start(whole) };
        let end = body.map_or(node.end_byte(), |body| body.start_byte());
        let text = self.b.source.get(start..end).map(one_line);
        if let Some(index) = scope.symbol() {
            self.b.file.symbols[index].signature = text;
        }
    }

    fn decorators(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::Decorator => self.visit_node(child),
                Kind::Comment => {}
                _ => break,
            }
        }
    }

    /// A decorator calls what it names.
    pub(super) fn decorator(&mut self, node: Node<'_>) {
        let Some(inner) = node.named_child(0) else { return };
        match self.kind(inner) {
            Kind::Identifier => self.plain(inner, RefKind::Call),
            Kind::Member => self.member(inner, RefKind::Call),
            _ => self.visit_node(inner),
        }
    }

    /// `extends A<B> implements C, D`.
    fn heritage(&mut self, class: Node<'_>, owner: ScopeId, own: NameId) {
        let mut cursor = class.walk();
        let heritage = class.named_children(&mut cursor).find(|child| self.kind(*child) == Kind::Heritage);
        let Some(heritage) = heritage else { return };
        let mut cursor = heritage.walk();
        for clause in heritage.named_children(&mut cursor) {
            match self.kind(clause) {
                Kind::ExtendsClause => self.superclass(clause, owner, own),
                Kind::ImplementsClause => self.supertypes(clause, RelationKind::Implements, owner, own),
                _ => self.supertype_value(clause, None, owner, own),
            }
        }
    }

    fn superclass(&mut self, clause: Node<'_>, owner: ScopeId, own: NameId) {
        let mut cursor = clause.walk();
        let arguments = clause.child_by_field_id(self.t.fields.type_arguments);
        for child in clause.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::Identifier | Kind::Member | Kind::Call => {
                    self.supertype_value(child, arguments, owner, own);
                }
                _ => self.visit_node(child),
            }
        }
    }

    /// A superclass is an expression, behind which type arguments may stand.
    fn supertype_value(&mut self, node: Node<'_>, arguments: Option<Node<'_>>, owner: ScopeId, own: NameId) {
        match self.kind(node) {
            Kind::Identifier => self.plain(node, RefKind::Type),
            Kind::Member => self.member(node, RefKind::Type),
            _ => return self.visit_node(node),
        }
        let from = self.b.expr(Expr::Name(own));
        let to = match arguments {
            Some(arguments) => self.applied_type(node, arguments, 0),
            None => self.expr_of(node, 0),
        };
        self.b.relation(RelationKind::Extends, owner, from, to, node);
    }

    /// `implements A, B<C>`, and what an interface extends.
    pub(super) fn supertypes(&mut self, clause: Node<'_>, kind: RelationKind, owner: ScopeId, own: NameId) {
        let mut cursor = clause.walk();
        for ty in clause.named_children(&mut cursor) {
            if matches!(self.kind(ty), Kind::TypeIdentifier | Kind::NestedType | Kind::GenericType) {
                let (from, to) = (self.b.expr(Expr::Name(own)), self.type_expr(ty, 0));
                self.b.relation(kind, owner, from, to, ty);
            }
            self.visit_node(ty);
        }
    }

    /// Members that `this.x = …` does not define again.
    fn declare_members(&mut self, body: Node<'_>, class: ScopeId) {
        let f = &self.t.fields;
        let mut cursor = body.walk();
        for member in body.named_children(&mut cursor) {
            let name = member.child_by_field_id(f.name).or_else(|| member.child_by_field_id(f.property));
            if let Some(name) = name {
                let name = self.b.name(name);
                self.assigned.insert((class, name));
            }
        }
    }

    /// Decorators of a method stand before it in one of the grammars; they are part of its definition.
    fn class_body(&mut self, body: Node<'_>) {
        let mut cursor = body.walk();
        let mut decorated_from = None;
        for member in body.named_children(&mut cursor) {
            match self.kind(member) {
                Kind::Decorator => {
                    decorated_from.get_or_insert(member.start_byte());
                    self.visit_node(member);
                }
                Kind::Comment => self.doc_comment(member),
                _ => {
                    let index = self.b.file.symbols.len();
                    self.visit_node(member);
                    if let (Some(start), Some(symbol)) =
                        (decorated_from.take(), self.b.file.symbols.get_mut(index))
                    {
                        symbol.span.start = start as u32;
                    }
                }
            }
        }
    }

    /// A method of a class, an interface or an object literal; one of a type written in place is only read.
    pub(super) fn method(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let is_signature = self.kind(node) == Kind::MethodSignature;
        let in_class = self.b.enclosing().next().is_some_and(|symbol| symbol.kind == SymbolKind::Class);
        let name_node = node.child_by_field_id(f.name);
        self.decorators(node);
        let Some(name_node) = name_node.filter(|_| !is_signature || in_class || self.is_named_type) else {
            self.callable(node, None);
            return;
        };
        if self.kind(name_node) == Kind::ComputedName {
            self.visit_children_of(name_node);
        }
        let name = self.property_name(name_node);
        let kind = match name {
            _ if self.is_accessor(node, name_node) => SymbolKind::Property,
            "constructor" if in_class => SymbolKind::Constructor,
            _ => SymbolKind::Method,
        };
        let doc = self.doc_of(node);
        let ty = self.return_value(node).or_else(|| self.documented_result(doc));
        let body = node.child_by_field_id(f.body);
        if !in_class && !is_signature {
            let expected = self.expected_key(name_node);
            self.next_member(expected);
        }
        let exported = !self.is_private(node, name_node) && self.is_visible_member(in_class || is_signature);
        let def = Def::new(node, name_node, kind).signature_until(body).ty(ty).exported(exported);
        let scope = self.b.define_as(def, name, None);
        self.routes_of_method(node, scope, name_node);
        let is_named_type = std::mem::replace(&mut self.is_named_type, false);
        self.next.doc = doc;
        self.callable_in(node, scope);
        self.is_named_type = is_named_type;
    }

    /// Members of a type are as visible as the type; those of an object literal only if a symbol holds it.
    pub(super) fn is_visible_member(&self, of_type: bool) -> bool {
        of_type || !self.b.in_frame() && self.b.scope() != ScopeId::FILE
    }

    /// `get x()`, `set x(v)`.
    pub(super) fn is_accessor(&self, node: Node<'_>, name: Node<'_>) -> bool {
        let mut cursor = node.walk();
        node.children(&mut cursor)
            .take_while(|child| child.id() != name.id())
            .any(|child| !child.is_named() && matches!(self.b.text(child), "get" | "set" | "static get"))
    }

    /// `#x`, `private x`, `protected x`.
    pub(super) fn is_private(&self, node: Node<'_>, name: Node<'_>) -> bool {
        let mut cursor = node.walk();
        self.kind(name) == Kind::PrivateName
            || node
                .named_children(&mut cursor)
                .take_while(|child| child.id() != name.id())
                .any(|child| self.kind(child) == Kind::Accessibility && self.b.text(child) != "public")
    }

    /// A class field; one that holds a function is a method.
    pub(super) fn field(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let name_node = node.child_by_field_id(f.name).or_else(|| node.child_by_field_id(f.property));
        let Some(name_node) = name_node else { return self.visit_children_of(node) };
        if self.kind(name_node) == Kind::ComputedName {
            self.visit_children_of(name_node);
        }
        self.decorators(node);
        let outer = Outer { whole: node, exported: !self.is_private(node, name_node) };
        let (ty, value) = (node.child_by_field_id(f.ty), node.child_by_field_id(f.value));
        self.define_member(outer, name_node, ty, value, SymbolKind::Field);
    }
}
