//! The skeleton of expressions and types: what a receiver is, as far as the text tells.

use super::builtin::is_standard_integer;
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
                let ty = if self.kind(node) == Kind::New { self.pointer_to(ty, 1, false) } else { ty };
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
            | Kind::False
            | Kind::Null => return self.literal(node),
            Kind::Pointer => return self.pointer_expr(node, depth),
            Kind::Unary => return self.unary_expr(node, depth),
            Kind::Sizeof if self.t.is_cpp => return self.b.primitive("unsigned long"),
            Kind::Lambda if self.t.is_cpp => return self.b.primitive("lambda"),
            Kind::Update | Kind::CoAwait => node.child_by_field_id(f.argument),
            Kind::Parenthesized => node.named_child(0),
            Kind::Conditional => return self.conditional_expr(node, depth),
            Kind::Binary if self.is_comparison(node) => return self.b.primitive("bool"),
            Kind::Binary => return self.binary_expr(node, depth),
            Kind::Assignment => node.child_by_field_id(f.left),
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
        let is_builtin = matches!(self.b.text(callee), "unsigned" | "signed" | "long" | "short");
        if is_builtin || matches!(self.kind(callee), Kind::PrimitiveType | Kind::SizedType) {
            return self.builtin_type(callee);
        }
        let arguments = node.child_by_field_id(self.t.fields.arguments);
        if let Some(passed) = arguments.and_then(|list| self.passed_argument(callee, list)) {
            return self.expr_of(passed, depth + 1);
        }
        let mut callee = self.callee_expr(callee, depth);
        if let Some(list) = arguments.filter(|_| self.t.is_cpp)
            && !matches!(self.b.file.exprs[callee.0 as usize], Expr::Unknown | Expr::Builtin)
        {
            let mut cursor = list.walk();
            let nodes: Vec<Node<'_>> =
                list.named_children(&mut cursor).filter(|it| self.kind(*it) != Kind::Comment).collect();
            let exprs: Vec<ExprId> = nodes.into_iter().map(|it| self.argument_expr(it, depth + 1)).collect();
            let exprs = self.b.list(&exprs);
            callee = self.b.expr(Expr::With(callee, exprs));
        }
        self.b.call(callee)
    }

    /// An argument of a call; `std::move(x)` and `Foo{}` have a mark, because nobody else needs them any more.
    pub(super) fn argument_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let expr = self.expr_of(node, depth);
        let is_moved = match self.kind(node) {
            Kind::CompoundLiteral => true,
            Kind::Call => self.b.text(node).starts_with("std::move"),
            _ => false,
        };
        let is_known = matches!(
            self.b.file.exprs[expr.0 as usize],
            Expr::Instance(_) | Expr::Name(_) | Expr::Member(..) | Expr::Element(_)
        );
        if self.t.is_cpp && is_moved && is_known { self.marked(expr, "&&") } else { expr }
    }

    /// What is called, with the template arguments written there.
    fn callee_expr(&mut self, callee: Node<'_>, depth: u32) -> ExprId {
        let expr = self.expr_of(callee, depth + 1);
        let mut function = callee;
        while let Kind::Qualified | Kind::Field | Kind::DependentName = self.kind(function) {
            let f = &self.t.fields;
            let inner = function.child_by_field_id(f.name).or_else(|| function.child_by_field_id(f.field));
            let Some(inner) = inner.or_else(|| function.named_child(0)) else { break };
            function = inner;
        }
        let arguments = self.template_arguments(function, depth);
        if arguments.is_empty() || matches!(self.b.file.exprs[expr.0 as usize], Expr::Unknown | Expr::Builtin)
        {
            return expr;
        }
        let list = self.b.list(&arguments);
        self.b.expr(Expr::Generic(expr, list))
    }

    /// `std::move(x)`, `std::forward<T>(x)`: what they are given.
    fn passed_argument<'t>(&self, callee: Node<'t>, list: Node<'t>) -> Option<Node<'t>> {
        let own = self.own_name(callee);
        let is_standard = own.scopes.len() == 1 && self.scope_text(own.scopes[0]) == "std";
        let passes = is_standard
            && matches!(
                self.b.text(own.leaf),
                "move" | "forward" | "ref" | "cref" | "as_const" | "addressof"
            );
        list.named_child(0).filter(|_| passes && list.named_child_count() == 1)
    }

    fn is_comparison(&self, node: Node<'_>) -> bool {
        let operator = node.child_by_field_name("operator").map(|operator| operator.kind());
        self.t.is_cpp && matches!(operator, Some("==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||"))
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
        if let Some(pointed) = self.pointed(whole) {
            return pointed;
        }
        let Expr::Instance(ty) = self.b.file.exprs[whole.0 as usize] else {
            return if strict { self.b.unknown() } else { self.b.element(whole) };
        };
        let mut ty = ty;
        while let Expr::Generic(inner, _) = self.b.file.exprs[ty.0 as usize] {
            ty = inner;
        }
        match self.b.file.exprs[ty.0 as usize] {
            Expr::Apply(..) => self.b.element(whole),
            // A class may have an operator for it.
            _ if self.t.is_cpp && !strict => self.b.element(whole),
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
            Kind::PrimitiveType | Kind::SizedType => self.builtin_type(node),
            Kind::TypeIdentifier | Kind::Identifier => {
                let name = self.b.name(node);
                self.type_parameter(name).unwrap_or_else(|| self.b.expr(Expr::Name(name)))
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
            Some(_) => {
                let indirections = node.child_by_field_id(f.declarator).map_or(0, |it| self.indirections(it));
                let ty = self.type_expr(ty, depth + 1);
                self.pointer_to(ty, indirections, self.specifiers(node).is_const)
            }
            None => self.type_expr(ty, depth + 1),
        }
    }

    fn qualified_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let (mut at, mut base) = (node, self.global_scope(node));
        while self.kind(at) == Kind::Qualified {
            let Some(name) = at.child_by_field_id(f.name) else { return self.b.unknown() };
            if let Some(scope) = at.child_by_field_id(f.scope) {
                let outer = self.qualifier(scope, base, false);
                let leads_to_element = self.b.text(name).ends_with("iterator");
                base = Some(if leads_to_element { self.container(scope, outer, depth) } else { outer });
            }
            at = name;
        }
        if self.kind(at) == Kind::DependentName {
            at = at.named_child(0).unwrap_or(at);
        }
        let name_node = at.child_by_field_id(f.name).unwrap_or(at);
        if self.t.is_cpp && self.is_standard_integer(node, name_node) {
            return self.builtin_type(name_node);
        }
        let argument = self.last_type_argument(at);
        let argument = argument.map(|argument| self.type_expr(argument, depth + 1));
        if let Some(argument) = argument
            && is_pointer_like(self.b.text(name_node))
        {
            let holder = self.b.text(name_node);
            let mark =
                if matches!(holder, "optional" | "reference_wrapper" | "not_null") { "?" } else { "^" };
            return if self.t.is_cpp { self.marked(argument, mark) } else { argument };
        }
        let name = self.b.name(name_node);
        let whole = match base {
            Some(base) => self.b.member(base, name),
            None if self.type_parameter(name).is_some() => self.b.unknown(),
            None => self.b.expr(Expr::Name(name)),
        };
        match argument {
            Some(argument) => {
                let all = self.template_arguments(at, depth);
                let list = self.b.list(&all);
                let whole = self.b.expr(Expr::Generic(whole, list));
                self.b.expr(Expr::Apply(whole, argument))
            }
            None => whole,
        }
    }

    /// The type before `::iterator`, with what it holds.
    fn container(&mut self, scope: Node<'_>, plain: ExprId, depth: u32) -> ExprId {
        let Some(argument) = self.last_type_argument(scope) else { return plain };
        let argument = self.type_expr(argument, depth + 1);
        let all = self.template_arguments(scope, depth);
        let list = self.b.list(&all);
        let whole = self.b.expr(Expr::Generic(plain, list));
        self.b.expr(Expr::Apply(whole, argument))
    }

    /// `std::size_t` and the like.
    fn is_standard_integer(&self, whole: Node<'_>, name: Node<'_>) -> bool {
        let scope = whole.child_by_field_id(self.t.fields.scope);
        scope.is_some_and(|scope| self.b.text(scope) == "std") && is_standard_integer(self.b.text(name))
    }

    /// All template arguments in order; what is not a type is unknown.
    pub(super) fn template_arguments(&mut self, node: Node<'_>, depth: u32) -> Vec<ExprId> {
        let Some(list) = node.child_by_field_id(self.t.fields.arguments) else { return Vec::new() };
        let mut cursor = list.walk();
        let arguments: Vec<Node<'_>> =
            list.named_children(&mut cursor).filter(|child| self.kind(*child) != Kind::Comment).collect();
        let arguments = arguments.into_iter().map(|argument| match self.kind(argument) {
            Kind::TypeDescriptor => self.type_expr(argument, depth + 1),
            _ => self.b.unknown(),
        });
        arguments.collect()
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
