//! Declarations: variables, fields, prototypes.

use super::declarators::{Declared, Shape};
use super::{Kind, Native};
use crate::builder::{Def, Walk};
use crate::{Expr, ExprId, RefKind, ScopeId, SymbolKind};
use tree_sitter::Node;

/// Where a declaration says its name lives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Storage {
    #[default]
    Plain,
    Static,
    Extern,
}

/// The words before a declaration's type.
#[derive(Clone, Copy, Default)]
pub(super) struct Specifiers {
    pub(super) storage: Storage,
    pub(super) is_const: bool,
    is_constexpr: bool,
}

impl Native<'_> {
    /// Variables, fields, prototypes; or a type on its own.
    pub(super) fn declaration(&mut self, node: Node<'_>, whole: Node<'_>) {
        let f = &self.t.fields;
        let ty = node.child_by_field_id(f.ty);
        let unnamed = ty.filter(|ty| self.is_unnamed_record(*ty));
        let has_declarator = node.child_by_field_id(f.declarator).is_some();
        if let Some(ty) = ty
            && !(unnamed.is_some() && has_declarator)
            && !self.is_sole_prototype(node)
        {
            self.visit_node(ty);
        }
        let mut unnamed = unnamed.filter(|_| has_declarator);
        let mut cursor = node.walk();
        if !cursor.goto_first_child() {
            return;
        }
        loop {
            let child = cursor.node();
            match cursor.field_id().map(std::num::NonZeroU16::get) {
                Some(field) if field == f.declarator => {
                    let symbol = self.declare(node, whole, child, ty);
                    if let Some(record) = unnamed.take() {
                        self.unnamed_members(record, symbol);
                    }
                }
                Some(field) if field == f.ty => {}
                // The initialiser of a field or of a condition is visited with its declarator.
                Some(field) if field == f.value || field == f.default_value => {}
                _ => self.visit(&mut cursor),
            }
            if !cursor.goto_next_sibling() {
                return;
            }
        }
    }

    /// A prototype visits its result type itself, under its own scope.
    fn is_sole_prototype(&self, node: Node<'_>) -> bool {
        let declarator = node.child_by_field_id(self.t.fields.declarator);
        declarator
            .and_then(|declarator| self.declared(declarator))
            .is_some_and(|declared| declared.function.is_some() && self.blocks == 0)
    }

    fn declare(
        &mut self,
        node: Node<'_>,
        whole: Node<'_>,
        declarator: Node<'_>,
        ty: Option<Node<'_>>,
    ) -> Option<ScopeId> {
        let f = &self.t.fields;
        let Some(declared) = self.declared(declarator) else {
            self.visit_node(declarator);
            return None;
        };
        if let Some(function) = declared.function {
            if ty.is_none() && self.is_macro_name(declared.name) {
                self.macro_declaration(declared.name, function);
            } else if self.blocks == 0 {
                self.callable(node, whole, declarator, declared, function);
            } else {
                self.local_prototype(declarator, &declared, function, ty);
            }
            return None;
        }
        self.declarator_uses(declarator, None);
        let value = declarator
            .child_by_field_id(f.value)
            .or_else(|| node.child_by_field_id(f.default_value))
            .or_else(|| node.child_by_field_id(f.value));
        let held = match (ty, value) {
            (Some(ty), Some(value)) if self.is_auto(ty) => self.expr_of(value, 0),
            (Some(ty), _) => {
                let ty = self.type_expr(ty, 0);
                self.declared_value(&declared, ty, self.specifiers(node).is_const)
            }
            (None, _) => self.b.unknown(),
        };
        let specifiers = self.specifiers(node);
        let symbol = if self.blocks > 0 {
            if specifiers.storage != Storage::Extern {
                self.bind_names(declared.name, held);
            }
            None
        } else {
            Some(self.variable(whole, &declared, specifiers, held, value))
        };
        if let Some(value) = value {
            self.initializer(value, held);
        }
        symbol
    }

    /// `Foo x(bar);` in a C++ block reads like a prototype and is nearly always a variable; what looks like
    /// parameter types are then its arguments.
    fn local_prototype(
        &mut self,
        declarator: Node<'_>,
        declared: &Declared<'_>,
        function: Node<'_>,
        ty: Option<Node<'_>>,
    ) {
        let f = &self.t.fields;
        let mut cursor = function.walk();
        let list = function.child_by_field_id(f.parameters).unwrap_or(function);
        let arguments: Vec<Option<Node<'_>>> = list
            .named_children(&mut cursor)
            .map(|parameter| match parameter.child_by_field_id(f.declarator) {
                None => parameter
                    .child_by_field_id(f.ty)
                    .filter(|ty| matches!(self.kind(*ty), Kind::TypeIdentifier | Kind::Qualified)),
                Some(_) => None,
            })
            .collect();
        if !self.t.is_cpp || arguments.iter().any(Option::is_none) {
            return self.declarator_uses(declarator, None);
        }
        for argument in arguments.into_iter().flatten() {
            match self.kind(argument) {
                Kind::Qualified => self.qualified(argument, RefKind::Value),
                _ => self.b.plain_reference(argument, RefKind::Value),
            }
        }
        let ty = self.optional_type(ty);
        let value = self.b.instance(ty);
        self.bind_names(declared.name, value);
    }

    fn variable(
        &mut self,
        whole: Node<'_>,
        declared: &Declared<'_>,
        specifiers: Specifiers,
        held: ExprId,
        value: Option<Node<'_>>,
    ) -> ScopeId {
        let own = self.own_name(declared.name);
        self.scope_uses(&own.scopes);
        let in_class = self.in_class();
        let is_const = specifiers.is_constexpr
            || declared.is_const
            || (specifiers.is_const && declared.shape != Shape::Pointer);
        let kind = match () {
            () if in_class || !own.scopes.is_empty() => SymbolKind::Field,
            () if is_const => SymbolKind::Const,
            () if specifiers.storage == Storage::Static => SymbolKind::Static,
            () => SymbolKind::Variable,
        };
        let exported = self.is_exported(specifiers.storage == Storage::Static && !in_class);
        let ty = (!matches!(self.b.file.exprs[held.0 as usize], Expr::Unknown)).then_some(held);
        let mut def = Def::new(whole, own.leaf, kind).ty(ty).exported(exported);
        def.signature_end = Some(match value {
            Some(value) if self.kind(value) == Kind::InitializerList => value.start_byte(),
            _ => self.before_semicolon(whole),
        });
        let name = self.leaf_text(own.leaf);
        let path = self.joined(&own.scopes, &name);
        self.b.define_as(def, &name, Some(&path))
    }

    pub(super) fn specifiers(&self, node: Node<'_>) -> Specifiers {
        let mut found = Specifiers::default();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match (self.kind(child), self.b.text(child)) {
                (Kind::StorageClass, "static") => found.storage = Storage::Static,
                (Kind::StorageClass, "extern") => found.storage = Storage::Extern,
                (Kind::TypeQualifier, "const") => found.is_const = true,
                (Kind::TypeQualifier, "constexpr") => found.is_constexpr = true,
                _ => {}
            }
        }
        found
    }
}
