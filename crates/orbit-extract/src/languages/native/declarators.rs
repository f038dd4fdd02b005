//! Declarators: what a declaration names, and whether that is a function, a pointer, an array or a value.

use super::{Kind, Native};
use crate::{Expr, ExprId};
use tree_sitter::Node;

/// What stands next to the name and so decides what it is: `*f()` is a function, `(*f)()` a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Plain,
    Pointer,
    Array,
    Function,
}

/// A declarator taken apart.
#[derive(Clone, Copy)]
pub(super) struct Declared<'t> {
    pub(super) name: Node<'t>,
    pub(super) shape: Shape,
    /// The function declarator, when the name is that of a function.
    pub(super) function: Option<Node<'t>>,
    /// A pointer to a function, or an array of such.
    pub(super) is_function_pointer: bool,
    /// The pointer itself is `const`.
    pub(super) is_const: bool,
    /// How many pointers and arrays lie between the name, or what the function gives, and the type.
    pub(super) indirections: usize,
}

/// A declared name taken apart: `ns::Foo<T>::bar` has the scopes `ns`, `Foo<T>` and the leaf `bar`.
pub(super) struct OwnName<'t> {
    pub(super) scopes: Vec<Node<'t>>,
    pub(super) leaf: Node<'t>,
}

impl<'s> Native<'s> {
    /// `None` when there is no name: an abstract declarator, or one that the parser made up.
    pub(super) fn declared<'t>(&self, declarator: Node<'t>) -> Option<Declared<'t>> {
        let f = &self.t.fields;
        let (mut node, mut shape) = (declarator, Shape::Plain);
        let (mut function, mut functions, mut is_const, mut indirections) = (None, 0u32, false, 0);
        loop {
            let next = match self.kind(node) {
                Kind::InitDeclarator => node.child_by_field_id(f.declarator),
                Kind::PointerDeclarator | Kind::PointerTypeDeclarator => {
                    shape = Shape::Pointer;
                    is_const = self.has_const(node);
                    indirections += usize::from(functions == 0);
                    node.child_by_field_id(f.declarator)
                }
                Kind::ReferenceDeclarator => {
                    shape = Shape::Pointer;
                    self.inner_declarator(node)
                }
                Kind::ArrayDeclarator => {
                    shape = Shape::Array;
                    indirections += usize::from(functions == 0);
                    node.child_by_field_id(f.declarator)
                }
                Kind::FunctionDeclarator => {
                    (shape, function) = (Shape::Function, Some(node));
                    functions += 1;
                    node.child_by_field_id(f.declarator)
                }
                Kind::ParenthesizedDeclarator | Kind::AttributedDeclarator | Kind::VariadicDeclarator => {
                    self.inner_declarator(node)
                }
                Kind::OperatorCast => {
                    (shape, function) = (Shape::Function, node.child_by_field_id(f.declarator));
                    break;
                }
                Kind::Identifier
                | Kind::FieldIdentifier
                | Kind::TypeIdentifier
                | Kind::PrimitiveType
                | Kind::Qualified
                | Kind::Destructor
                | Kind::OperatorName
                | Kind::TemplateFunction
                | Kind::StructuredBinding => break,
                _ => None,
            };
            node = next?;
        }
        if let Kind::Qualified = self.kind(node)
            && let leaf = self.own_name(node).leaf
            && self.kind(leaf) == Kind::OperatorCast
        {
            (shape, function) = (Shape::Function, leaf.child_by_field_id(f.declarator));
        }
        if !self.is_name(node) {
            return None;
        }
        let is_function_pointer = functions > 0 && shape != Shape::Function;
        let function = function.filter(|_| shape == Shape::Function);
        Some(Declared { name: node, shape, function, is_function_pointer, is_const, indirections })
    }

    /// How many pointers and arrays a declarator without a name adds to a type.
    pub(super) fn indirections(&self, declarator: Node<'_>) -> usize {
        let (mut count, mut next) = (0, Some(declarator));
        while let Some(node) = next {
            next = match self.kind(node) {
                Kind::AbstractPointer | Kind::AbstractArray => {
                    count += 1;
                    node.child_by_field_id(self.t.fields.declarator)
                }
                Kind::AbstractReference => node.named_child(0),
                _ => None,
            };
        }
        count
    }

    /// Whether a definition can have this name; recovery makes some up that are empty or span lines.
    pub(super) fn is_name(&self, node: Node<'_>) -> bool {
        let leaf = self.own_name(node).leaf;
        let text = self.b.text(leaf);
        match self.kind(leaf) {
            Kind::OperatorName | Kind::OperatorCast | Kind::StructuredBinding => true,
            _ => !text.is_empty() && !text.contains(['\n', ' ', '(', '*']),
        }
    }

    fn inner_declarator<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let mut cursor = node.walk();
        node.named_children(&mut cursor).find(|child| {
            !matches!(
                self.kind(*child),
                Kind::CallModifier | Kind::AttributeSpecifier | Kind::AttributeDeclaration | Kind::Comment
            )
        })
    }

    pub(super) fn has_const(&self, node: Node<'_>) -> bool {
        let mut cursor = node.walk();
        node.named_children(&mut cursor)
            .any(|child| self.kind(child) == Kind::TypeQualifier && self.b.text(child).starts_with("const"))
    }

    pub(super) fn own_name<'t>(&self, name: Node<'t>) -> OwnName<'t> {
        let f = &self.t.fields;
        let (mut leaf, mut scopes) = (name, Vec::new());
        while self.kind(leaf) == Kind::Qualified {
            scopes.extend(leaf.child_by_field_id(f.scope));
            match leaf.child_by_field_id(f.name) {
                Some(inner) => leaf = inner,
                None => break,
            }
        }
        while let Kind::TemplateFunction | Kind::TemplateType | Kind::TemplateMethod | Kind::DependentName =
            self.kind(leaf)
        {
            match leaf.child_by_field_id(f.name).or_else(|| leaf.named_child(0)) {
                Some(inner) => leaf = inner,
                None => break,
            }
        }
        OwnName { scopes, leaf }
    }

    /// A scope's name without template arguments.
    pub(super) fn scope_text(&self, scope: Node<'_>) -> &'s str {
        self.b.text(scope.child_by_field_id(self.t.fields.name).unwrap_or(scope))
    }

    /// The name as it is looked up: operators without blanks, conversions with their type.
    pub(super) fn leaf_text(&self, leaf: Node<'_>) -> String {
        match self.kind(leaf) {
            Kind::OperatorName => {
                let text = self.b.text(leaf).split_whitespace().collect::<Vec<_>>().join(" ");
                match text.strip_prefix("operator ") {
                    Some(rest) if !rest.starts_with(|c: char| c.is_alphabetic()) => format!("operator{rest}"),
                    _ => text,
                }
            }
            Kind::OperatorCast => {
                let end = leaf.child_by_field_id(self.t.fields.declarator).map_or(leaf.end_byte(), |list| {
                    let parameters = list.child_by_field_id(self.t.fields.parameters);
                    parameters.unwrap_or(list).start_byte()
                });
                let text = self.b.source.get(leaf.start_byte()..end).unwrap_or("");
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            }
            Kind::Destructor => self.b.text(leaf).split_whitespace().collect(),
            _ => self.b.text(leaf).to_owned(),
        }
    }

    /// What a name of this declarator holds, given the type written before it.
    pub(super) fn declared_value(&mut self, declared: &Declared<'_>, ty: ExprId, is_const: bool) -> ExprId {
        if declared.is_function_pointer {
            return self.b.unknown();
        }
        match (declared.shape, self.b.file.exprs[ty.0 as usize]) {
            (_, Expr::Primitive(_)) => self.pointer_to(ty, declared.indirections, is_const),
            (Shape::Array, Expr::Unknown | Expr::Builtin) => ty,
            (Shape::Array, _) => {
                let ty = if is_const { self.const_type(ty) } else { ty };
                let array = self.b.expr(Expr::Builtin);
                let ty = self.b.expr(Expr::Apply(array, ty));
                self.b.instance(ty)
            }
            _ => {
                let ty = self.pointer_to(ty, declared.indirections, is_const);
                let ty = if is_const { self.const_type(ty) } else { ty };
                self.b.instance(ty)
            }
        }
    }

    /// A type written with `const`, which member functions are told apart by in C++.
    pub(super) fn const_type(&mut self, ty: ExprId) -> ExprId {
        match self.b.file.exprs[ty.0 as usize] {
            Expr::Unknown | Expr::Builtin | Expr::Primitive(_) => ty,
            _ if !self.t.is_cpp => ty,
            _ => {
                let mark = self.b.expr(Expr::Builtin);
                self.b.expr(Expr::Generic(ty, mark))
            }
        }
    }

    /// Visits what a declarator uses besides its name: array sizes, parameters of function pointers,
    /// trailing return types. `own` is a function declarator whose parameters are handled elsewhere.
    pub(super) fn declarator_uses(&mut self, declarator: Node<'_>, own: Option<Node<'_>>) {
        let f = &self.t.fields;
        let mut next = Some(declarator);
        while let Some(node) = next {
            next = match self.kind(node) {
                Kind::ParenthesizedDeclarator | Kind::AttributedDeclarator | Kind::ReferenceDeclarator => {
                    self.inner_declarator(node)
                }
                Kind::InitDeclarator
                | Kind::PointerDeclarator
                | Kind::PointerTypeDeclarator
                | Kind::ArrayDeclarator
                | Kind::FunctionDeclarator => {
                    let is_own = own.is_some_and(|own| own.id() == node.id());
                    if self.kind(node) == Kind::ArrayDeclarator {
                        self.visit_field(node, f.size);
                    } else if self.kind(node) == Kind::FunctionDeclarator && !is_own {
                        self.visit_field(node, f.parameters);
                    }
                    node.child_by_field_id(f.declarator)
                }
                _ => None,
            };
        }
    }
}
