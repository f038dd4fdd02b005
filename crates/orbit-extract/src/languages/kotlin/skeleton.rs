//! The skeleton of receivers.

use super::exprs::is_keyword;
use super::{Kind, Kotlin, last_named_child};
use crate::builder::MAX_EXPR_DEPTH;
use crate::{Expr, ExprId};
use tree_sitter::Node;

impl Kotlin<'_> {
    /// What an expression is, as far as its text tells.
    pub(super) fn expr_of(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let f = &self.t.fields;
        match self.kind(node) {
            Kind::Identifier => {
                let name = self.name(node);
                match self.b.local(name) {
                    Some(held) => held,
                    None if is_keyword(self.b.text(node)) => self.b.expr(Expr::Builtin),
                    None => self.implied(name),
                }
            }
            Kind::This => self.this_expr(node),
            Kind::Super => self.b.expr(Expr::Super),
            Kind::Navigation => match self.object_and_name(node) {
                Some((_, name)) if self.b.text(name) == "class" => {
                    let class = self.b.intern("KClass");
                    let class = self.b.expr(Expr::Name(class));
                    self.b.instance(class)
                }
                Some((object, name)) => {
                    let base = self.expr_of(object, depth + 1);
                    let name = self.name(name);
                    self.b.member(base, name)
                }
                None => self.b.unknown(),
            },
            Kind::Call => self.call_expr(node, depth),
            Kind::Index => {
                let whole = self.inner_expr(node.named_child(0), depth);
                self.b.element(whole)
            }
            Kind::As => match node.child_by_field_id(f.right) {
                Some(ty) => self.instance_of(ty),
                None => self.b.unknown(),
            },
            Kind::Parenthesized => self.inner_expr(node.named_child(0), depth),
            Kind::Annotated | Kind::Labeled => self.inner_expr(last_named_child(node), depth),
            Kind::Unary => self.inner_expr(node.child_by_field_id(f.argument), depth),
            Kind::Binary => self.binary_expr(node, depth),
            Kind::If => self.branch_expr(node, depth),
            Kind::ObjectLiteral => self.object_expr(node),
            Kind::String | Kind::MultilineString => self.b.primitive("String"),
            Kind::Character => self.b.primitive("Char"),
            Kind::Float => {
                self.b.primitive(if self.b.text(node).ends_with(['f', 'F']) { "Float" } else { "Double" })
            }
            Kind::Number => self.b.primitive(if self.b.text(node).ends_with('L') { "Long" } else { "Int" }),
            Kind::Is | Kind::In => self.b.primitive("Boolean"),
            Kind::Range | Kind::Collection => self.b.primitive("Boolean"),
            _ => self.b.unknown(),
        }
    }

    pub(super) fn inner_expr(&mut self, inner: Option<Node<'_>>, depth: u32) -> ExprId {
        match inner {
            Some(inner) => self.expr_of(inner, depth + 1),
            None => self.b.unknown(),
        }
    }

    /// `this`, or the receiver of an extension; `this@Outer` is a value of `Outer`.
    fn this_expr(&mut self, node: Node<'_>) -> ExprId {
        if let Some(label) = self.child_of(node, Kind::Identifier) {
            if !self.b.text(label).starts_with(char::is_uppercase) {
                return self.b.unknown();
            }
            let name = self.name(label);
            let outer = self.b.expr(Expr::Name(name));
            return self.b.instance(outer);
        }
        let this = self.b.intern("this");
        match self.b.local(this) {
            // A lambda need not have a `this` of its own.
            Some(receiver) if matches!(self.b.form(receiver), Expr::Receives(..)) => self.implied(this),
            Some(receiver) => receiver,
            None => self.b.expr(Expr::This),
        }
    }

    /// What a call gives; `x.apply { }` and `x.also { }` give `x`.
    fn call_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let Some(callee) = node.named_child(0) else { return self.b.unknown() };
        if let (Kind::Navigation, Some((object, name))) = (self.kind(callee), self.object_and_name(callee))
            && matches!(self.b.text(name), "apply" | "also" | "takeIf" | "takeUnless")
        {
            return self.expr_of(object, depth + 1);
        }
        let has_lambda = last_named_child(node).is_some_and(|last| self.kind(last) == Kind::AnnotatedLambda);
        if self.kind(callee) == Kind::Call && has_lambda {
            return self.expr_of(callee, depth + 1); // `f(x) { }` is one call, though two to the grammar
        }
        if let Some(made) = self.made_collection(node, callee, depth) {
            return made;
        }
        let callee = self.expr_of(callee, depth + 1);
        self.b.call(callee)
    }

    /// `ArrayList<Foo>()`, `mutableListOf<Foo>()`: a collection of `Foo`.
    fn made_collection(&mut self, node: Node<'_>, callee: Node<'_>, depth: u32) -> Option<ExprId> {
        let arguments = self.child_of(node, Kind::TypeArguments)?;
        if self.kind(callee) != Kind::Identifier {
            return None;
        }
        let text = self.b.text(callee);
        let base = if text.starts_with(char::is_uppercase) {
            self.expr_of(callee, depth + 1)
        } else if is_collection_factory(text) {
            self.b.expr(Expr::Builtin)
        } else {
            return None;
        };
        let argument = self.type_expr(last_named_child(arguments)?, depth + 1);
        let made = self.b.expr(Expr::Apply(base, argument));
        Some(self.b.instance(made))
    }

    /// `a ?: b` is `a` unless nothing is known of it; `a || b` is a Boolean; others may be overloaded.
    fn binary_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if let Some([callee, ..]) = self.generic_call(node) {
            let callee = self.expr_of(callee, depth + 1);
            return self.b.call(callee);
        }
        let f = &self.t.fields;
        match self.operator(node) {
            "?:" => {
                let first = self.inner_expr(node.child_by_field_id(f.left), depth);
                match self.b.file.exprs[first.0 as usize] {
                    Expr::Unknown | Expr::Builtin | Expr::Primitive(_) => {
                        self.inner_expr(node.child_by_field_id(f.right), depth)
                    }
                    _ => first,
                }
            }
            "&&" | "||" | "==" | "!=" | "===" | "!==" | "<" | ">" | "<=" | ">=" => self.b.expr(Expr::Builtin),
            _ => self.b.unknown(),
        }
    }

    /// The first branch of `if`, or the second when the first says nothing.
    fn branch_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let condition = node.child_by_field_id(self.t.fields.condition).map(|condition| condition.id());
        let mut cursor = node.walk();
        let branches: Vec<Node<'_>> =
            node.named_children(&mut cursor).filter(|child| Some(child.id()) != condition).collect();
        for branch in branches {
            let value =
                if self.kind(branch) == Kind::Block { last_named_child(branch) } else { Some(branch) };
            let held = self.inner_expr(value, depth);
            if !matches!(
                self.b.file.exprs[held.0 as usize],
                Expr::Unknown | Expr::Builtin | Expr::Primitive(_)
            ) {
                return held;
            }
        }
        self.b.unknown()
    }

    /// An `object` expression is a value of its first supertype.
    fn object_expr(&mut self, node: Node<'_>) -> ExprId {
        let list = self.child_of(node, Kind::Delegations);
        let first = list.and_then(|list| list.named_child(0)).and_then(|first| self.supertype_of(first));
        match first {
            Some((ty, _)) => self.instance_of(ty),
            None => self.b.unknown(),
        }
    }

    /// What `by …` gives: the last value of the lambda of `lazy`, else unknown.
    pub(super) fn delegated(&mut self, delegate: Node<'_>) -> ExprId {
        let call = delegate.named_child(0).filter(|call| self.kind(*call) == Kind::Call);
        let Some(call) = call else { return self.b.unknown() };
        let is_lazy = call.named_child(0).is_some_and(|callee| self.b.text(callee) == "lazy");
        let lambda = self.child_of(call, Kind::AnnotatedLambda).and_then(|l| self.child_of(l, Kind::Lambda));
        match lambda.filter(|_| is_lazy).and_then(last_named_child) {
            Some(value) => self.expr_of(value, 0),
            None => self.b.unknown(),
        }
    }
}

fn is_collection_factory(name: &str) -> bool {
    matches!(
        name,
        "listOf"
            | "mutableListOf"
            | "arrayListOf"
            | "emptyList"
            | "setOf"
            | "mutableSetOf"
            | "hashSetOf"
            | "emptySet"
            | "mapOf"
            | "mutableMapOf"
            | "hashMapOf"
            | "emptyMap"
            | "arrayOf"
            | "sequenceOf"
    )
}
