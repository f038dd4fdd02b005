//! Structs, unions, classes, enums, aliases, namespaces, templates.

use super::{Kind, Native};
use crate::builder::{Def, Walk};
use crate::{Expr, ExprId, NameId, RefKind, RelationKind, ScopeId, SymbolKind};
use tree_sitter::Node;

impl Native<'_> {
    /// A struct, union or class: a definition with its members, or a use of its name. `alias` names one that
    /// has no name of its own; `whole` includes the template head or the typedef.
    pub(super) fn record(&mut self, node: Node<'_>, whole: Node<'_>, alias: Option<Node<'_>>) {
        let f = &self.t.fields;
        let Some(body) = node.child_by_field_id(f.body) else { return self.tagged(node) };
        let name = node.child_by_field_id(f.name).or(alias).filter(|name| self.is_name(*name));
        let Some(name) = name else { return self.members(body, false) };
        let kind = self.record_kind(node);
        let own = self.own_name(name);
        self.scope_uses(&own.scopes);
        self.visit_field(name, f.arguments); // a specialisation: `struct hash<Foo>`
        let text = self.leaf_text(own.leaf);
        let path = self.joined(&own.scopes, &text);
        let def =
            Def::new(whole, own.leaf, kind).signature_until(Some(body)).exported(self.is_exported(false));
        let scope = self.b.define_as(def, &text, Some(&path));
        self.mark_specialized(scope, name);
        self.set_template(scope, whole);
        self.bases(node, own.leaf, scope);
        self.b.enter(scope);
        self.members(body, kind == SymbolKind::Class);
        self.b.leave();
    }

    /// `struct X` as a type: in C such names are apart from those of other types.
    fn tagged(&mut self, node: Node<'_>) {
        self.announce(node);
        match node.child_by_field_id(self.t.fields.name) {
            Some(name) if !self.t.is_cpp => {
                let tag = self.b.intern("struct");
                let (tag, nothing) = (self.b.expr(Expr::Name(tag)), self.b.expr(Expr::Nil));
                let tag = self.b.expr(Expr::Generic(tag, nothing));
                self.b.reference(name, RefKind::Type, Some(tag));
            }
            Some(name) => self.visit_node(name),
            None => {}
        }
    }

    /// Keeps the name of a type that is declared at file scope and defined elsewhere: `struct Node;`
    fn announce(&mut self, node: Node<'_>) {
        let is_whole = node.next_sibling().is_some_and(|next| next.kind() == ";");
        let at_file_scope = self.b.scope() == ScopeId::FILE && self.blocks == 0;
        let name = node.child_by_field_id(self.t.fields.name).filter(|_| is_whole && at_file_scope);
        if let Some(name) = name.filter(|name| self.kind(*name) == Kind::TypeIdentifier) {
            let name = self.b.name(name);
            self.b.file.announced.push(name);
        }
    }

    fn record_kind(&self, node: Node<'_>) -> SymbolKind {
        match self.kind(node) {
            Kind::Class => SymbolKind::Class,
            Kind::Union => SymbolKind::Union,
            _ => SymbolKind::Struct,
        }
    }

    /// A class template that is only declared: `template <typename T> struct Traits;`. What there is of it may be its
    /// specialisations alone. The file must not define it.
    fn declared_template(&mut self, node: Node<'_>, whole: Node<'_>) {
        let name = node.child_by_field_id(self.t.fields.name);
        let name = name.filter(|name| self.kind(*name) == Kind::TypeIdentifier && self.is_name(*name));
        let Some(name) = name.filter(|name| !self.records.contains(self.b.text(*name).as_bytes())) else {
            return self.visit_field(node, self.t.fields.name);
        };
        let mut def = Def::new(whole, name, self.record_kind(node)).exported(self.is_exported(false));
        def.signature_end = Some(self.before_semicolon(whole));
        let scope = self.b.define(def);
        self.set_template(scope, whole);
        if let Some(index) = scope.symbol() {
            self.b.file.symbols[index].bodiless = true;
        }
    }

    /// A specialisation keeps the arguments it is for.
    fn mark_specialized(&mut self, scope: ScopeId, name: Node<'_>) {
        let mut name = name;
        while self.kind(name) == Kind::Qualified
            && let Some(inner) = name.child_by_field_id(self.t.fields.name)
        {
            name = inner;
        }
        if self.kind(name) == Kind::TemplateType {
            let arguments = self.template_arguments(name, 0);
            self.b.set_params(scope, &arguments);
        }
    }

    /// The type parameters of the template head that `whole` begins with.
    pub(super) fn set_template(&mut self, scope: ScopeId, whole: Node<'_>) {
        if self.kind(whole) == Kind::Template {
            let own = self.own_parameters.clone();
            self.b.set_type_params(scope, &own);
        }
    }

    fn bases(&mut self, node: Node<'_>, name: Node<'_>, owner: ScopeId) {
        let mut cursor = node.walk();
        let clause = node.named_children(&mut cursor).find(|child| self.kind(*child) == Kind::BaseClause);
        let Some(clause) = clause else { return };
        let own = self.b.name(name);
        let own = self.b.expr(Expr::Name(own));
        let mut cursor = clause.walk();
        for base in clause.named_children(&mut cursor) {
            if let Kind::TypeIdentifier | Kind::Qualified | Kind::TemplateType = self.kind(base) {
                let to = self.type_expr(base, 0);
                self.b.relation(RelationKind::Extends, owner, own, to, base);
                self.visit_node(base);
            }
        }
    }

    fn members(&mut self, body: Node<'_>, is_private: bool) {
        let outer = (self.blocks, self.in_record, self.is_private);
        (self.blocks, self.in_record, self.is_private) = (0, true, is_private);
        self.visit_children_of(body);
        (self.blocks, self.in_record, self.is_private) = outer;
    }

    pub(super) fn is_unnamed_record(&self, ty: Node<'_>) -> bool {
        let f = &self.t.fields;
        matches!(self.kind(ty), Kind::Struct | Kind::Union | Kind::Class)
            && ty.child_by_field_id(f.name).is_none()
            && ty.child_by_field_id(f.body).is_some()
    }

    /// The members of an unnamed record hang under the variable or field that has its type.
    pub(super) fn unnamed_members(&mut self, record: Node<'_>, owner: Option<ScopeId>) {
        let f = &self.t.fields;
        let Some(body) = record.child_by_field_id(f.body) else { return };
        if let Some(owner) = owner {
            self.b.enter(owner);
            self.members(body, false);
            self.b.leave();
            return;
        }
        let mut cursor = body.walk();
        for member in body.named_children(&mut cursor) {
            self.visit_field(member, f.ty);
        }
    }

    pub(super) fn enumeration(&mut self, node: Node<'_>, whole: Node<'_>, alias: Option<Node<'_>>) {
        let f = &self.t.fields;
        self.visit_field(node, f.base);
        let Some(body) = node.child_by_field_id(f.body) else { return self.tagged(node) };
        let name = node.child_by_field_id(f.name).or(alias).filter(|name| self.is_name(*name));
        // Recovery takes the type of `enum : Type {` for a name.
        let is_named = |name: &Node<'_>| {
            let head = self.b.source.get(node.start_byte()..name.start_byte());
            name.start_byte() > body.start_byte() || !head.is_some_and(|head| head.contains(':'))
        };
        let Some(name) = name.filter(is_named) else { return self.visit_children_of(body) };
        let own = self.own_name(name);
        self.scope_uses(&own.scopes);
        let text = self.leaf_text(own.leaf);
        let path = self.joined(&own.scopes, &text);
        let exported = self.is_exported(false);
        // The enumerators of a scoped enum are named through it alone.
        let itself = self.is_scoped_enum(node).then(|| {
            let name = self.b.intern(&text);
            self.b.expr(Expr::Name(name))
        });
        let def = Def::new(whole, own.leaf, SymbolKind::Enum).signature_until(Some(body)).ty(itself);
        let def = def.exported(exported);
        let scope = self.b.define_as(def, &text, Some(&path));
        self.b.enter(scope);
        self.visit_children_of(body);
        self.b.leave();
    }

    /// `enum class`, `enum struct`.
    fn is_scoped_enum(&self, node: Node<'_>) -> bool {
        let mut cursor = node.walk();
        let mut words = node.children(&mut cursor).filter(|child| !child.is_named());
        words.any(|word| matches!(self.b.text(word), "class" | "struct"))
    }

    pub(super) fn enumerator(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        if let Some(name) = self.name_of(node) {
            let own_enum = self.b.enclosing().next().filter(|symbol| symbol.kind == SymbolKind::Enum);
            let own_enum = own_enum.map(|symbol| symbol.name);
            let ty = own_enum.map(|name| {
                let ty = self.b.expr(Expr::Name(name));
                self.b.instance(ty)
            });
            let exported = self.is_exported(false);
            self.b.define(Def::new(node, name, SymbolKind::Variant).ty(ty).exported(exported));
        }
        self.visit_field(node, f.value);
    }

    /// `typedef struct { … } Name, *NamePtr;`, `typedef int (*callback)(Foo *);`
    pub(super) fn typedef(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let mut cursor = node.walk();
        let declarators: Vec<Node<'_>> =
            node.children_by_field_id(field_number(f.declarator), &mut cursor).collect();
        let Some(ty) = node.child_by_field_id(f.ty) else { return };
        let has_body = ty.child_by_field_id(f.body).is_some();
        let tag = ty.child_by_field_id(f.name).filter(|_| has_body);
        let names: Vec<Node<'_>> =
            declarators.iter().filter_map(|declarator| self.declared(*declarator)).map(|d| d.name).collect();
        let alias = if has_body && tag.is_none() { names.first().copied() } else { None };
        let whole = if alias.is_some() { node } else { ty };
        match self.kind(ty) {
            Kind::Struct | Kind::Union | Kind::Class => self.record(ty, whole, alias),
            Kind::Enum => self.enumeration(ty, whole, alias),
            _ => self.visit_node(ty),
        }
        let own = tag.or(alias);
        for declarator in declarators {
            self.declarator_uses(declarator, None);
            let Some(declared) = self.declared(declarator) else { continue };
            if own.is_some_and(|own| self.b.text(own) == self.b.text(declared.name)) {
                continue;
            }
            let aliased = match own {
                _ if declared.is_function_pointer || declared.function.is_some() => self.b.unknown(),
                Some(own) => {
                    let own = self.b.name(own);
                    self.b.expr(Expr::Name(own))
                }
                None => self.type_expr(ty, 0),
            };
            let mut def = Def::new(node, declared.name, SymbolKind::TypeAlias).ty(Some(aliased));
            def.signature_end =
                (!has_body).then(|| node.end_byte() - usize::from(self.b.text(node).ends_with(';')));
            self.b.define(def.exported(self.is_exported(false)));
        }
    }

    /// `using Name = Type;`
    pub(super) fn alias(&mut self, node: Node<'_>, whole: Node<'_>) {
        let f = &self.t.fields;
        let (Some(name), Some(ty)) = (self.name_of(node), node.child_by_field_id(f.ty)) else {
            return self.visit_children_of(node);
        };
        let aliased = self.type_expr(ty, 0);
        let mut def = Def::new(whole, name, SymbolKind::TypeAlias).ty(Some(aliased));
        def.signature_end = Some(ty.end_byte());
        let scope = self.b.define(def.exported(self.is_exported(false)));
        self.set_template(scope, whole);
        self.visit_node(ty);
    }

    /// `namespace a::b { … }` is `b` in `a`; an unnamed or inline one adds nothing to a path.
    pub(super) fn namespace(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let mut parts = Vec::new();
        if let Some(name) = self.name_of(node) {
            self.namespace_parts(name, &mut parts);
        }
        self.unnamed += u32::from(parts.is_empty());
        let is_inline = self.b.text(node).starts_with("inline");
        for part in &parts {
            let name = self.b.name(*part);
            if !self.namespaces.contains(&name) {
                self.namespaces.push(name);
            }
            let exported = self.is_exported(false);
            let outer = self.b.path_here().to_owned();
            let scope = self.b.define(Def::new(node, *part, SymbolKind::Module).exported(exported));
            if is_inline { self.b.enter_as(scope, outer) } else { self.b.enter(scope) }
        }
        if let Some(body) = node.child_by_field_id(f.body) {
            self.visit_children_of(body);
        }
        for _ in &parts {
            self.b.leave();
        }
        self.unnamed -= u32::from(parts.is_empty());
    }

    pub(super) fn namespace_parts<'t>(&self, name: Node<'t>, parts: &mut Vec<Node<'t>>) {
        if self.kind(name) != Kind::NestedNamespace {
            parts.push(name);
            return;
        }
        let mut next = Some(name);
        while let Some(nested) = next.take() {
            let mut cursor = nested.walk();
            for child in nested.named_children(&mut cursor) {
                match self.kind(child) {
                    Kind::NestedNamespace => next = Some(child),
                    Kind::NamespaceIdentifier if child.start_byte() < child.end_byte() => parts.push(child),
                    _ => {}
                }
            }
        }
    }

    /// The definition under a template head, with the type parameters known as such.
    pub(super) fn template(&mut self, node: Node<'_>) {
        let outer = self.type_parameters.len();
        self.b.push_frame();
        let parameters = node.child_by_field_id(self.t.fields.parameters);
        let outer_own = std::mem::take(&mut self.own_parameters);
        if let Some(parameters) = parameters {
            self.own_parameters = self.template_parameters(parameters);
        }
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match self.kind(child) {
                _ if Some(child.id()) == parameters.map(|list| list.id()) => {}
                Kind::Function => self.function(child, node),
                Kind::Declaration => self.declaration(child, node),
                Kind::Struct | Kind::Union | Kind::Class => {
                    if child.child_by_field_id(self.t.fields.body).is_some() {
                        self.record(child, node, None);
                    } else {
                        self.declared_template(child, node);
                    }
                }
                Kind::Alias => self.alias(child, node),
                Kind::Concept => self.concept(child, node),
                _ => self.visit_node(child),
            }
        }
        self.own_parameters = outer_own;
        self.b.pop_frame();
        self.type_parameters.truncate(outer);
    }

    /// Binds the parameters of a template; gives them as types, in order.
    pub(super) fn template_parameters(&mut self, list: Node<'_>) -> Vec<ExprId> {
        let f = &self.t.fields;
        let mut all = Vec::new();
        let mut cursor = list.walk();
        for parameter in list.named_children(&mut cursor) {
            let name = match self.kind(parameter) {
                Kind::TypeParameter | Kind::VariadicTypeParameter => parameter.named_child(0),
                Kind::OptionalTypeParameter => {
                    self.visit_field(parameter, f.default_type);
                    parameter.child_by_field_id(f.name)
                }
                Kind::Comment => continue,
                Kind::Parameter | Kind::OptionalParameter | Kind::VariadicParameter => {
                    self.parameter(parameter, true);
                    let declarator = parameter.child_by_field_id(f.declarator);
                    declarator.and_then(|declarator| self.declared(declarator)).map(|declared| declared.name)
                }
                // `template <class> class C`
                _ => parameter
                    .named_child((parameter.named_child_count() as u32).saturating_sub(1))
                    .and_then(|inner| inner.named_child(0)),
            };
            let (unknown, name) = (self.b.unknown(), name.map(|name| self.b.name(name)));
            let default = parameter.child_by_field_id(f.default_type);
            let default = default.map_or(unknown, |default| self.type_expr(default, 0));
            let itself = name.map_or(unknown, |name| self.b.expr(Expr::Parameter(name, default)));
            all.push(itself);
            if let Some(name) = name {
                self.type_parameters.push((name, itself));
                if self.b.local(name).is_none() {
                    self.b.bind(name, unknown);
                }
            }
        }
        all
    }

    /// What a type parameter of an open template is as a type.
    pub(super) fn type_parameter(&self, name: NameId) -> Option<ExprId> {
        self.type_parameters.iter().rev().find(|(own, _)| *own == name).map(|(_, itself)| *itself)
    }

    pub(super) fn concept(&mut self, node: Node<'_>, whole: Node<'_>) {
        let Some(name) = self.name_of(node) else { return };
        let exported = self.is_exported(false);
        self.b.define(Def::new(whole, name, SymbolKind::Trait).exported(exported));
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor).filter(|child| child.id() != name.id()) {
            self.visit_node(child);
        }
    }

    /// A use of a type's plain name, unless it is a type parameter.
    pub(super) fn type_name(&mut self, node: Node<'_>, kind: RefKind) {
        let name = self.b.name(node);
        if self.type_parameter(name).is_none() {
            self.b.reference(node, kind, None);
        }
    }
}

fn field_number(field: u16) -> std::num::NonZeroU16 {
    std::num::NonZeroU16::new(field).unwrap_or(std::num::NonZeroU16::MAX)
}
