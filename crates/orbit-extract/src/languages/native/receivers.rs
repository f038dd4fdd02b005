//! The skeleton of expressions and types: what a receiver is, as far as the text tells.

use super::exprs::is_cast;
use super::{Kind, Native};
use crate::builder::MAX_EXPR_DEPTH;
use crate::{Expr, ExprId};
use tree_sitter::Node;

impl Native<'_> {
    /// What an expression is. Pointers and what they point to are the same.
    pub(super) fn expr_of(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let f = &self.t.fields;
        let inner = match self.kind(node) {
            Kind::Identifier => {
                let name = self.b.name(node);
                return self.b.name_expr(name);
            }
            Kind::This => return self.b.expr(Expr::This),
            Kind::Field => return self.member_expr(node, depth),
            Kind::Call => return self.call_expr(node, depth),
            Kind::Qualified | Kind::TemplateFunction => return self.qualified_expr(node),
            Kind::New | Kind::Cast | Kind::CompoundLiteral => {
                let Some(ty) = node.child_by_field_id(f.ty) else { return self.b.unknown() };
                let ty = self.type_expr(ty, depth + 1);
                return self.b.instance(ty);
            }
            Kind::Subscript => {
                let Some(whole) = node.child_by_field_id(f.argument) else { return self.b.unknown() };
                let whole = self.expr_of(whole, depth + 1);
                return self.element_of(whole, false);
            }
            Kind::String
            | Kind::RawString
            | Kind::Concatenated
            | Kind::Char
            | Kind::Number
            | Kind::True
            | Kind::False => return self.b.expr(Expr::Builtin),
            Kind::Pointer | Kind::Update | Kind::CoAwait => node.child_by_field_id(f.argument),
            Kind::Parenthesized => node.named_child(0),
            Kind::Conditional => node.child_by_field_id(f.consequence),
            Kind::Assignment | Kind::Binary => node.child_by_field_id(f.left),
            Kind::Comma => node.child_by_field_id(f.right),
            _ => None,
        };
        match inner {
            Some(inner) => self.expr_of(inner, depth + 1),
            None => self.b.unknown(),
        }
    }

    fn member_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let (object, member) = (node.child_by_field_id(f.argument), node.child_by_field_id(f.field));
        let (Some(object), Some(member)) = (object, member) else { return self.b.unknown() };
        let base = self.expr_of(object, depth + 1);
        let leaf = self.own_name(member).leaf;
        let name = self.b.name(leaf);
        self.b.member(base, name)
    }

    fn call_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let Some(callee) = node.child_by_field_id(self.t.fields.function) else { return self.b.unknown() };
        if let Some(made) = self.made_type(callee, depth) {
            return self.b.instance(made);
        }
        if self.kind(callee) == Kind::PrimitiveType {
            return self.b.expr(Expr::Builtin);
        }
        let callee = self.expr_of(callee, depth + 1);
        self.b.call(callee)
    }

    /// The type that `static_cast<T>(…)`, `std::make_unique<T>(…)` and the like give.
    fn made_type(&mut self, callee: Node<'_>, depth: u32) -> Option<ExprId> {
        let f = &self.t.fields;
        let mut function = callee;
        while self.kind(function) == Kind::Qualified {
            function = function.child_by_field_id(f.name)?;
        }
        if self.kind(function) != Kind::TemplateFunction {
            return None;
        }
        let name = self.b.text(function.child_by_field_id(f.name)?);
        if !is_cast(name) && !matches!(name, "make_unique" | "make_shared" | "make_optional") {
            return None;
        }
        let argument = self.last_type_argument(function)?;
        Some(self.type_expr(argument, depth + 1))
    }

    fn qualified_expr(&mut self, node: Node<'_>) -> ExprId {
        let own = self.own_name(node);
        let mut base = self.global_scope(node);
        for scope in &own.scopes {
            base = Some(self.qualifier(*scope, base, false));
        }
        let name = self.b.name(own.leaf);
        match base {
            Some(base) => self.b.member(base, name),
            None => self.b.name_expr(name),
        }
    }

    /// What indexing gives: an element, but a plain pointer's element has the type the pointer was declared
    /// with. With `strict`, only what is known to be a collection has elements.
    pub(super) fn element_of(&mut self, whole: ExprId, strict: bool) -> ExprId {
        let Expr::Instance(ty) = self.b.file.exprs[whole.0 as usize] else {
            return if strict { self.b.unknown() } else { self.b.element(whole) };
        };
        match self.b.file.exprs[ty.0 as usize] {
            Expr::Apply(..) => self.b.element(whole),
            _ if strict => self.b.unknown(),
            _ => whole,
        }
    }

    /// The type that a type node names: no pointers, references, qualifiers or smart pointers.
    pub(super) fn type_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let f = &self.t.fields;
        match self.kind(node) {
            Kind::PrimitiveType | Kind::SizedType => self.b.expr(Expr::Builtin),
            Kind::TypeIdentifier | Kind::Identifier => {
                let name = self.b.name(node);
                if self.type_parameters.contains(&name) {
                    return self.b.unknown();
                }
                self.b.expr(Expr::Name(name))
            }
            Kind::Struct | Kind::Union | Kind::Class | Kind::Enum => match node.child_by_field_id(f.name) {
                Some(name) => self.type_expr(name, depth + 1),
                None => self.b.unknown(),
            },
            Kind::TypeDescriptor => self.described_type(node, depth),
            Kind::DependentType => match node.named_child(0) {
                Some(inner) => self.type_expr(inner, depth + 1),
                None => self.b.unknown(),
            },
            Kind::Qualified | Kind::TemplateType => self.qualified_type(node, depth),
            _ => self.b.unknown(),
        }
    }

    fn described_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let Some(ty) = node.child_by_field_id(f.ty) else { return self.b.unknown() };
        match node.child_by_field_id(f.declarator).map(|declarator| self.kind(declarator)) {
            Some(Kind::AbstractFunction) => self.b.unknown(),
            Some(Kind::AbstractArray) => {
                let element = self.type_expr(ty, depth + 1);
                let array = self.b.expr(Expr::Builtin);
                self.b.expr(Expr::Apply(array, element))
            }
            _ => self.type_expr(ty, depth + 1),
        }
    }

    fn qualified_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let (mut at, mut base) = (node, self.global_scope(node));
        while self.kind(at) == Kind::Qualified {
            if let Some(scope) = at.child_by_field_id(f.scope) {
                base = Some(self.qualifier(scope, base, false));
            }
            match at.child_by_field_id(f.name) {
                Some(name) => at = name,
                None => return self.b.unknown(),
            }
        }
        if self.kind(at) == Kind::DependentName {
            at = at.named_child(0).unwrap_or(at);
        }
        let name_node = at.child_by_field_id(f.name).unwrap_or(at);
        let argument = self.last_type_argument(at);
        let argument = argument.map(|argument| self.type_expr(argument, depth + 1));
        if let Some(argument) = argument
            && is_pointer_like(self.b.text(name_node))
        {
            return argument;
        }
        let name = self.b.name(name_node);
        let whole = match base {
            Some(base) => self.b.member(base, name),
            None if self.type_parameters.contains(&name) => self.b.unknown(),
            None => self.b.expr(Expr::Name(name)),
        };
        match argument {
            Some(argument) => self.b.expr(Expr::Apply(whole, argument)),
            None => whole,
        }
    }

    /// The last template argument that is a type.
    fn last_type_argument<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let list = node.child_by_field_id(self.t.fields.arguments)?;
        let mut cursor = list.walk();
        list.named_children(&mut cursor).filter(|child| self.kind(*child) == Kind::TypeDescriptor).last()
    }

    /// The initialiser decides the type.
    pub(super) fn is_auto(&self, ty: Node<'_>) -> bool {
        self.kind(ty) == Kind::Placeholder
            || (self.kind(ty) == Kind::TypeIdentifier && self.b.text(ty) == "__auto_type")
    }
}

/// Templates whose value stands for what they hold.
fn is_pointer_like(name: &str) -> bool {
    matches!(
        name,
        "unique_ptr"
            | "shared_ptr"
            | "weak_ptr"
            | "auto_ptr"
            | "scoped_ptr"
            | "intrusive_ptr"
            | "scoped_refptr"
            | "optional"
            | "reference_wrapper"
            | "not_null"
            | "RefPtr"
            | "QPointer"
            | "QSharedPointer"
    )
}
