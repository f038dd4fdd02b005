//! Calls: what is called, with which arguments, and what that gives.

use super::{Kind, Rust};
use crate::builder::Walk;
use crate::{Expr, ExprId, RefKind};
use tree_sitter::{Node, TreeCursor};

impl Rust<'_> {
    pub(super) fn call(&mut self, cursor: &mut TreeCursor<'_>) {
        let node = cursor.node();
        if let Some(callee) = node.child_by_field_id(self.t.fields.function) {
            self.callee(callee);
        }
        let (routes, mark) = (self.routes_of_call(node), self.b.mark());
        self.arguments(node);
        self.registered(&routes, mark);
    }

    fn arguments(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let callee = node.child_by_field_id(f.function);
        let Some(arguments) = node.child_by_field_id(f.arguments) else { return };
        if let Some(callee) = callee {
            let expected = self.expected_of(node);
            self.keep_first_argument(callee, arguments, expected);
            self.expect_arguments(callee, arguments);
        }
        let mut inner = arguments.walk();
        let has_closure = arguments.named_children(&mut inner).any(|child| self.kind(child) == Kind::Closure);
        if !has_closure {
            return self.visit_children_of(arguments);
        }
        let element = callee.and_then(|callee| self.closure_element(callee));
        let function = callee.map(|callee| self.expr_of(callee, 0));
        let mut inner = arguments.walk();
        let mut at = 0;
        for argument in arguments.named_children(&mut inner) {
            match (self.kind(argument), function) {
                (Kind::LineComment | Kind::BlockComment | Kind::AttributeItem, _) => continue,
                (Kind::Closure, Some(function)) if element.is_none() => {
                    let wanted = self.b.expects(function, at);
                    self.closure(argument, None, Some(wanted));
                }
                (Kind::Closure, _) => self.closure(argument, element, None),
                _ => self.visit_node(argument),
            }
            at += 1;
        }
    }

    /// What a function takes as its arguments is expected of what stands there.
    fn expect_arguments(&mut self, callee: Node<'_>, arguments: Node<'_>) {
        let mut cursor = arguments.walk();
        let all = arguments.named_children(&mut cursor).filter(|argument| {
            !matches!(self.kind(*argument), Kind::LineComment | Kind::BlockComment | Kind::AttributeItem)
        });
        let all: Vec<Node<'_>> = all.collect();
        for (at, argument) in all.into_iter().enumerate() {
            self.expect(argument, |walk| {
                let function = walk.expr_of(callee, 0);
                walk.b.expects(function, at)
            });
        }
    }

    /// `Trait::method(x)`: what a trait's method is called on, and what the place expects that it gives.
    fn keep_first_argument(&mut self, callee: Node<'_>, arguments: Node<'_>, expected: Option<ExprId>) {
        let path = callee.child_by_field_id(self.t.fields.path);
        let Some(path) = path.filter(|_| self.kind(callee) == Kind::ScopedIdentifier) else { return };
        let text = self.b.text(path);
        let text = text.split('<').next().unwrap_or_default().trim_end_matches("::");
        let last = text.rsplit("::").next().unwrap_or_default();
        let first = arguments.named_child(0).filter(|_| last.starts_with(char::is_uppercase));
        let mut args = Vec::new();
        if let Some(first) = first {
            args.push(self.expr_of(first, 1));
            // A value that is written in place is of exactly the type that it seems to be.
            if matches!(self.kind(first), Kind::StringLiteral | Kind::RawString) {
                args.push(self.b.expr(Expr::Builtin));
            }
        } else if expected.is_none() {
            return;
        }
        let args = self.b.list(&args);
        let args = expected.map_or(args, |expected| self.b.expr(Expr::Giving(args, expected)));
        if let Some(row) = self.b.file.refs.last_mut() {
            row.args = Some(args);
        }
    }

    /// The type that `Default::default()` stands for is told by its place.
    pub(super) fn is_default(&self, node: Node<'_>) -> bool {
        self.kind(node) == Kind::Call
            && matches!(self.b.text(node), "Default::default()" | "std::default::Default::default()")
    }

    pub(super) fn default_of(&mut self, node: Node<'_>, ty: ExprId) {
        let callee = node.child_by_field_id(self.t.fields.function);
        let path = callee.and_then(|callee| callee.child_by_field_id(self.t.fields.path));
        if let Some(path) = path.filter(|path| self.kind(*path) == Kind::Identifier) {
            self.identifier(path, RefKind::Type);
        }
        if let Some(name) = callee.and_then(|callee| callee.child_by_field_id(self.t.fields.name)) {
            self.b.reference(name, RefKind::Call, Some(ty));
        }
    }

    /// `items.iter().map(|item| …)`, `option.and_then(|held| …)`: what the methods of the standard library
    /// hand to a closure is one element of what they are called on.
    fn closure_element(&mut self, callee: Node<'_>) -> Option<ExprId> {
        let f = &self.t.fields;
        if self.kind(callee) != Kind::FieldExpression {
            return None;
        }
        let method = self.b.text(callee.child_by_field_id(f.field)?);
        if !hands_elements(method) {
            return None;
        }
        let whole = self.expr_of(callee.child_by_field_id(f.value)?, 0);
        Some(self.b.element(whole))
    }

    fn callee(&mut self, callee: Node<'_>) {
        match self.kind(callee) {
            Kind::Identifier => self.identifier(callee, RefKind::Call),
            Kind::ScopedIdentifier => self.scoped(callee, RefKind::Call),
            Kind::FieldExpression => self.field_expression(callee, RefKind::Call),
            Kind::GenericFunction => self.generic_function(callee, RefKind::Call),
            _ => self.visit_node(callee),
        }
    }

    /// `x.await` runs the future that `x` is.
    pub(super) fn await_expression(&mut self, node: Node<'_>) {
        self.visit_children_of(node);
        let last = node.child_count().checked_sub(1).and_then(|at| node.child(at));
        if let Some(keyword) = last.filter(|last| last.kind() == "await") {
            let future = self.first_child_expr(node, 0);
            self.b.reference(keyword, RefKind::Value, Some(future));
        }
    }

    /// A list with this element, which is to its elements what an option is to what it holds.
    pub(super) fn holder_of(&mut self, element: ExprId) -> ExprId {
        if matches!(self.b.form(element), Expr::Unknown | Expr::Builtin) {
            return self.b.expr(Expr::Builtin);
        }
        let some = self.b.intern("Some");
        let some = self.b.expr(Expr::Name(some));
        self.b.call_with(some, &[element])
    }

    /// `Arc::new(x)`, `Box::pin(x)`, `Rc::clone(&x)`: pointers are what they point to.
    fn pointee<'t>(&self, call: Node<'t>) -> Option<Node<'t>> {
        let f = &self.t.fields;
        let callee = call.child_by_field_id(f.function)?;
        if self.kind(callee) != Kind::ScopedIdentifier {
            return None;
        }
        let pointer = self.b.text(callee.child_by_field_id(f.path)?).rsplit("::").next()?;
        let function = self.b.text(callee.child_by_field_id(f.name)?);
        let is_pointer = match function {
            "new" => matches!(pointer, "Box" | "Rc" | "Arc" | "Pin"),
            "clone" => matches!(pointer, "Rc" | "Arc"),
            "pin" => pointer == "Box",
            _ => false,
        };
        let arguments = call.child_by_field_id(f.arguments)?;
        arguments.named_child(0).filter(|_| is_pointer && arguments.named_child_count() == 1)
    }

    /// `x.await`, which is spelled like a member that no type can have.
    pub(super) fn awaited(&mut self, future: ExprId) -> ExprId {
        let name = self.b.intern("await");
        let member = self.b.member(future, name);
        self.b.call(member)
    }

    fn argument_exprs(&mut self, arguments: Node<'_>, depth: u32) -> Vec<ExprId> {
        let mut cursor = arguments.walk();
        let nodes: Vec<Node<'_>> = arguments
            .named_children(&mut cursor)
            .filter(|child| {
                !matches!(self.kind(*child), Kind::LineComment | Kind::BlockComment | Kind::AttributeItem)
            })
            .collect();
        nodes.into_iter().map(|argument| self.expr_of(argument, depth + 1)).collect()
    }

    /// What a call gives.
    pub(super) fn call_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if let Some(held) = self.pointee(node) {
            let held = self.expr_of(held, depth + 1);
            return self.marked(held, "box");
        }
        let callee = self.expr_field(node, self.t.fields.function, depth);
        match node.child_by_field_id(self.t.fields.arguments) {
            // Arguments within arguments say little of what the outermost call gives.
            Some(arguments) if depth < 8 => {
                let arguments = self.argument_exprs(arguments, depth);
                self.b.call_with(callee, &arguments)
            }
            _ => self.b.call(callee),
        }
    }

    /// `a & b` is what the method gives that the operator stands for.
    pub(super) fn binary_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let operator = node.child(1).map_or("", |operator| self.b.text(operator));
        let Some(method) = operator_method(operator) else { return self.b.unknown() };
        let f = &self.t.fields;
        let left = self.expr_field(node, f.left, depth);
        let right = self.expr_field(node, f.right, depth);
        let is_built_in = |expr: Expr| matches!(expr, Expr::Builtin | Expr::Primitive(_));
        match (self.b.form(left), self.b.form(right)) {
            (number, other) if is_built_in(number) && is_built_in(other) => self.b.expr(number),
            // A type of the repository may say what a number times one of its values is.
            (number, _) if is_built_in(number) => self.b.unknown(),
            _ => {
                let method = self.b.intern(method);
                let callee = self.b.member(left, method);
                self.b.call_with(callee, &[right])
            }
        }
    }

    /// `f::<T>`.
    pub(super) fn generic_function_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let callee = self.expr_field(node, self.t.fields.function, depth);
        match node.child_by_field_id(self.t.fields.type_arguments) {
            Some(list) => {
                let types = self.argument_types(list, depth);
                self.b.instantiate(callee, &types)
            }
            None => callee,
        }
    }

    pub(super) fn array_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let list = match node.named_child(0) {
            Some(first) => {
                let first = self.expr_of(first, depth + 1);
                self.holder_of(first)
            }
            None => self.b.expr(Expr::Builtin),
        };
        self.marked(list, "[_]")
    }
}

/// The method of the standard library's traits that an operator between two values calls.
fn operator_method(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "+" => "add",
        "-" => "sub",
        "*" => "mul",
        "/" => "div",
        "%" => "rem",
        "&" => "bitand",
        "|" => "bitor",
        "^" => "bitxor",
        "<<" => "shl",
        ">>" => "shr",
        _ => return None,
    })
}

/// Methods of iterators, options and results that hand their closure one element.
fn hands_elements(method: &str) -> bool {
    matches!(
        method,
        "map"
            | "for_each"
            | "filter"
            | "filter_map"
            | "flat_map"
            | "and_then"
            | "any"
            | "all"
            | "find"
            | "find_map"
            | "position"
            | "inspect"
            | "take_while"
            | "skip_while"
            | "map_while"
            | "partition"
            | "retain"
            | "is_some_and"
            | "is_ok_and"
            | "map_or"
            | "map_or_else"
            | "max_by_key"
            | "min_by_key"
            | "sort_by_key"
            | "then"
    )
}
