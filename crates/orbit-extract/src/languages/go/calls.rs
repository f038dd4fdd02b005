//! What calls give: the callee, with the type arguments and arguments that say what its type parameters stand for.

use super::exprs::is_predeclared_function;
use super::types::is_predeclared_type;
use super::{Go, Kind};
use crate::builder::MAX_EXPR_DEPTH;
use crate::{Expr, ExprId};
use tree_sitter::Node;

impl Go<'_> {
    pub(super) fn call_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let Some(callee) = node.child_by_field_id(f.function) else { return self.b.unknown() };
        let arguments = node.child_by_field_id(f.arguments);
        let first = arguments.and_then(|arguments| arguments.named_child(0));
        if let (Kind::Identifier, Some(first)) = (self.kind(callee), first) {
            match self.b.text(callee) {
                "new" | "make" => return self.instance_of(Some(first), depth),
                "append" | "max" | "min" => return self.expr_of(first, depth + 1),
                text if is_predeclared_type(text) || is_predeclared_function(text) => {
                    return self.b.expr(Expr::Builtin);
                }
                _ => {}
            }
        }
        let head = self.callee_expr(callee, depth);
        // A conversion to a type parameter.
        if let Expr::Parameter(..) = self.b.file.exprs[head.0 as usize] {
            return self.b.instance(head);
        }
        let types = node.child_by_field_id(f.type_arguments);
        let types = types.map(|types| self.type_list(types, depth)).unwrap_or_default();
        let head = self.b.instantiate(head, &types);
        let arguments = arguments.map(|arguments| self.expressions(arguments)).unwrap_or_default();
        self.call_with(head, &arguments, depth)
    }

    /// `f[T]` with one type argument reads like an element.
    fn callee_expr(&mut self, callee: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        if self.kind(callee) != Kind::Index {
            return self.expr_of(callee, depth + 1);
        }
        let (operand, index) = (callee.child_by_field_id(f.operand), super::types::last_named_child(callee));
        let (Some(operand), Some(index)) = (operand, index) else { return self.b.unknown() };
        let whole = self.expr_of(operand, depth + 1);
        match self.b.file.exprs[whole.0 as usize] {
            // Only what has a name of the package can be generic.
            Expr::Name(_) | Expr::Member(..) => {
                let ty = self.type_operand(index, depth + 1);
                self.b.instantiate(whole, &[ty])
            }
            _ => self.b.element(whole),
        }
    }

    /// `f[T](x)`, which reads like a conversion.
    pub(super) fn generic_call(&mut self, node: Node<'_>, ty: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let Some(head) = ty.child_by_field_id(f.ty) else { return self.b.unknown() };
        let head = self.type_expr(head, depth + 1);
        let types = ty.child_by_field_id(f.type_arguments);
        let types = types.map(|types| self.type_list(types, depth)).unwrap_or_default();
        let head = self.b.instantiate(head, &types);
        let arguments: Vec<Node<'_>> = node.child_by_field_id(f.operand).into_iter().collect();
        self.call_with(head, &arguments, depth)
    }

    fn call_with(&mut self, callee: ExprId, arguments: &[Node<'_>], depth: u32) -> ExprId {
        let args: Vec<ExprId> = arguments.iter().map(|arg| self.argument_expr(*arg, depth + 1)).collect();
        let tells = |arg: &ExprId| {
            !matches!(self.b.file.exprs[arg.0 as usize], Expr::Unknown | Expr::Builtin | Expr::Primitive(_))
        };
        if args.iter().any(tells) { self.b.call_with(callee, &args) } else { self.b.call(callee) }
    }

    /// `xs...` gives its elements.
    fn argument_expr(&mut self, argument: Node<'_>, depth: u32) -> ExprId {
        if self.kind(argument) != Kind::VariadicArgument {
            return self.expr_of(argument, depth);
        }
        let Some(whole) = argument.named_child(0) else { return self.b.unknown() };
        let whole = self.expr_of(whole, depth);
        self.b.element(whole)
    }

    /// `Pair[int, string]` that is not called.
    pub(super) fn instantiation_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let mut cursor = node.walk();
        let parts: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        let Some((head, types)) = parts.split_first() else { return self.b.unknown() };
        let head = self.type_expr(*head, depth + 1);
        let types: Vec<ExprId> = types.iter().map(|ty| self.type_expr(*ty, depth + 1)).collect();
        self.b.instantiate(head, &types)
    }

    /// The type that an expression names where a type argument reads like an index.
    fn type_operand(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let f = &self.t.fields;
        match self.kind(node) {
            Kind::Identifier => self.named_type(node),
            Kind::Selector => {
                let (operand, field) = (node.child_by_field_id(f.operand), node.child_by_field_id(f.field));
                let (Some(operand), Some(field)) = (operand, field) else { return self.b.unknown() };
                let (package, name) = (self.b.name(operand), self.b.name(field));
                let package = self.b.expr(Expr::Name(package));
                self.b.expr(Expr::Member(package, name))
            }
            Kind::Unary | Kind::Parenthesized => match super::types::last_named_child(node) {
                Some(inner) => self.type_operand(inner, depth + 1),
                None => self.b.unknown(),
            },
            Kind::Index => {
                let operand = node.child_by_field_id(f.operand);
                let (Some(operand), Some(index)) = (operand, super::types::last_named_child(node)) else {
                    return self.b.unknown();
                };
                let (head, ty) = (self.type_operand(operand, depth + 1), self.type_operand(index, depth + 1));
                self.b.apply(head, &[ty], ty)
            }
            _ => self.type_expr(node, depth),
        }
    }
}
