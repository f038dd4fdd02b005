//! Composite literals: the fields, keys and elements that their braces hold.

use super::{Go, Kind};
use crate::builder::{MAX_EXPR_DEPTH, Walk};
use crate::{ExprId, RefKind};
use tree_sitter::Node;

/// What the braces of a literal make.
#[derive(Clone, Copy)]
enum Made<'t> {
    /// A value of the type that is written.
    Written(Node<'t>),
    /// A value of a type that is named elsewhere, as an expression.
    Value(ExprId),
    /// A key or element whose type nobody wrote.
    Unknown,
}

impl Go<'_> {
    /// `T{…}`: a use of the type and of the fields it names.
    pub(super) fn composite(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (ty, body) = (node.child_by_field_id(f.ty), node.child_by_field_id(f.body));
        let (Some(ty), Some(body)) = (ty, body) else { return self.visit_children_of(node) };
        self.visit_node(ty);
        self.command_literal(node, ty, body);
        self.literal_value(body, Made::Written(ty), 0);
    }

    fn literal_value(&mut self, body: Node<'_>, made: Made<'_>, depth: u32) {
        if depth > MAX_EXPR_DEPTH {
            return;
        }
        let f = &self.t.fields;
        let (key_type, element) = self.parts_of_literal(made);
        let fields_of = match made {
            Made::Written(ty) if self.is_named_or_struct(ty) => {
                let ty = self.type_expr(ty, 0);
                Some(self.b.instance(ty))
            }
            Made::Value(value) => Some(value),
            _ => None,
        };
        let mut cursor = body.walk();
        for child in body.named_children(&mut cursor) {
            match self.kind(child) {
                Kind::KeyedElement => {
                    let (key, value) = (child.child_by_field_id(f.key), child.child_by_field_id(f.value));
                    match (key, fields_of) {
                        (Some(key), Some(whole)) => self.field_key(key, whole, depth),
                        (Some(key), None) => self.literal_element(key, key_type, depth),
                        (None, _) => {}
                    }
                    if let Some(value) = value {
                        self.literal_element(value, element, depth);
                    }
                }
                Kind::LiteralElement => self.literal_element(child, element, depth),
                _ => {}
            }
        }
    }

    fn is_named_or_struct(&self, ty: Node<'_>) -> bool {
        matches!(
            self.kind(ty),
            Kind::TypeIdentifier | Kind::QualifiedType | Kind::GenericType | Kind::StructType
        )
    }

    /// What keys and elements make that are braces without a type.
    fn parts_of_literal<'t>(&mut self, made: Made<'t>) -> (Made<'t>, Made<'t>) {
        let f = &self.t.fields;
        let written = |node: Option<Node<'t>>| node.map_or(Made::Unknown, Made::Written);
        match made {
            Made::Written(ty) => match self.kind(ty) {
                Kind::SliceType | Kind::ArrayType | Kind::ImplicitArrayType => {
                    (Made::Unknown, written(ty.child_by_field_id(f.element)))
                }
                Kind::MapType => {
                    (written(ty.child_by_field_id(f.key)), written(ty.child_by_field_id(f.value)))
                }
                Kind::StructType => (Made::Unknown, Made::Unknown),
                _ => {
                    let ty = self.type_expr(ty, 0);
                    let whole = self.b.instance(ty);
                    (Made::Unknown, Made::Value(self.b.element(whole)))
                }
            },
            Made::Value(whole) => (Made::Unknown, Made::Value(self.b.element(whole))),
            Made::Unknown => (Made::Unknown, Made::Unknown),
        }
    }

    fn literal_element(&mut self, element: Node<'_>, made: Made<'_>, depth: u32) {
        let Some(inner) = element.named_child(0) else { return };
        if self.kind(inner) != Kind::LiteralValue {
            return self.visit_node(inner);
        }
        let made = match made {
            Made::Written(ty) if self.kind(ty) == Kind::PointerType => {
                ty.named_child(0).map_or(Made::Unknown, Made::Written)
            }
            made => made,
        };
        self.literal_value(inner, made, depth + 1);
    }

    /// `Name` in `User{Name: x}` is a field; any other key is an expression. Where the type turns out to have no
    /// fields, the key is a name of the package, unless it is a local.
    fn field_key(&mut self, key: Node<'_>, whole: ExprId, depth: u32) {
        let Some(inner) = key.named_child(0) else { return };
        match self.kind(inner) {
            Kind::Identifier => {
                let name = self.b.name(inner);
                let whole = if self.is_local(name) { whole } else { self.b.callee_with(whole, &[]) };
                self.b.reference(inner, RefKind::Value, Some(whole));
            }
            Kind::LiteralValue => self.literal_value(inner, Made::Unknown, depth + 1),
            _ => self.visit_node(inner),
        }
    }
}
