//! Uses: calls, creations, members, strings, and the skeleton of receivers.

use super::typing::last_named_child;
use super::{Java, Kind};
use crate::builder::{MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, RefKind};
use tree_sitter::Node;

impl Java<'_> {
    /// `m()`, `x.m()`, `super.m()`, `Outer.super.m()`. A local variable cannot be called.
    pub(super) fn invocation(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (object, name) = (node.child_by_field_id(f.object), node.child_by_field_id(f.name));
        if let Some(object) = object {
            self.visit_node(object);
        }
        if let Some(name) = name {
            let base = object.map(|object| self.receiver(object, name, 0));
            let mark = self.b.mark();
            self.b.reference(name, RefKind::Call, base);
            if let Some(arguments) = node.child_by_field_id(f.arguments) {
                let arguments = self.argument_exprs(arguments, 0);
                self.b.with_args(mark, &arguments);
            }
        }
        if let Some(types) = self.child_of_call(node) {
            self.type_refs(types, RefKind::Type, 0);
        }
        if let Some(arguments) = node.child_by_field_id(f.arguments) {
            if self.has_lambda(arguments)
                && let call = self.call_expr(node, 0)
                && let Expr::Call(callee) = self.b.file.exprs[call.0 as usize]
            {
                return self.arguments(arguments, callee);
            }
            self.visit_children_of(arguments);
        }
    }

    /// What is known of each argument: overloads are told apart by it.
    fn argument_exprs(&mut self, arguments: Node<'_>, depth: u32) -> Vec<ExprId> {
        let mut cursor = arguments.walk();
        let nodes: Vec<Node<'_>> = arguments
            .named_children(&mut cursor)
            .filter(|child| !matches!(self.kind(*child), Kind::LineComment | Kind::BlockComment))
            .collect();
        nodes.into_iter().map(|argument| self.expr_of(argument, depth + 1)).collect()
    }

    /// The type arguments of `x.<T>m()`, which only a call on an object can have.
    fn child_of_call<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        if node.named_child_count() < 4 {
            return None;
        }
        self.child_of(node, Kind::TypeArguments)
    }

    /// What stands before `name`: the object, but `Super` in `Outer.super.name`.
    fn receiver(&mut self, object: Node<'_>, name: Node<'_>, depth: u32) -> ExprId {
        let between = self.b.source.get(object.end_byte()..name.start_byte()).unwrap_or("");
        if between.len() > 5 && between.contains("super") {
            return self.b.expr(Expr::Super);
        }
        let base = self.expr_of(object, depth + 1);
        match self.b.file.exprs[base.0 as usize] {
            // What a member of a literal is, the literal's type does not say.
            Expr::Primitive(name) => {
                let ty = self.b.expr(Expr::Name(name));
                self.b.expr(Expr::Instance(ty))
            }
            _ => base,
        }
    }

    /// `this(…)`, `super(…)`, `outer.super(…)`.
    pub(super) fn constructor_call(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        self.visit_field(node, f.object);
        if let Some(constructor) = node.child_by_field_id(f.constructor) {
            let base = self.expr_of(constructor, 0);
            let mark = self.b.mark();
            self.b.reference(constructor, RefKind::Call, Some(base));
            if let Some(arguments) = node.child_by_field_id(f.arguments) {
                let arguments = self.argument_exprs(arguments, 0);
                self.b.with_args(mark, &arguments);
            }
        }
        if let Some(arguments) = node.child_by_field_id(f.arguments) {
            self.visit_children_of(arguments);
        }
    }

    /// `new Foo<Bar>(…) { … }`, `outer.new Inner()`.
    pub(super) fn creation(&mut self, node: Node<'_>) {
        let ty = node.child_by_field_id(self.t.fields.ty);
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if Some(child.id()) == ty.map(|ty| ty.id()) {
                let mark = self.b.mark();
                self.type_refs(child, RefKind::Call, 0);
                if let Some(arguments) = node.child_by_field_id(self.t.fields.arguments) {
                    let arguments = self.argument_exprs(arguments, 0);
                    self.b.with_args(mark, &arguments);
                }
                continue;
            }
            match (self.kind(child), ty) {
                (Kind::ClassBody, Some(ty)) => self.anonymous_class(node, ty, child),
                _ => self.visit_node(child),
            }
        }
    }

    /// `object.field`: a use of the object, then of the field.
    pub(super) fn field_access(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (object, field) = (node.child_by_field_id(f.object), node.child_by_field_id(f.field));
        let (Some(object), Some(field)) = (object, field) else { return };
        self.visit_node(object);
        if self.kind(field) == Kind::Identifier {
            let base = self.receiver(object, field, 0);
            self.b.reference(field, RefKind::Value, Some(base));
        }
    }

    /// `Foo::bar` passes a method by name, `Foo::new` a constructor.
    pub(super) fn method_reference(&mut self, node: Node<'_>) {
        let (Some(owner), Some(last)) = (node.named_child(0), last_named_child(node)) else { return };
        let is_method = self.kind(last) == Kind::Identifier && last.id() != owner.id();
        match self.kind(owner) {
            Kind::Identifier if !is_method => self.b.plain_reference(owner, RefKind::Call),
            Kind::GenericType | Kind::TypeIdentifier | Kind::ScopedType => {
                self.type_refs(owner, if is_method { RefKind::Type } else { RefKind::Call }, 0);
            }
            _ => self.visit_node(owner),
        }
        if is_method {
            let base = self.expr_of(owner, 0);
            self.b.reference(last, RefKind::Value, Some(base));
        }
    }

    pub(super) fn string(&mut self, node: Node<'_>) {
        let text = self.b.text(node);
        let quotes = if text.starts_with("\"\"\"") { 3 } else { 1 };
        let value = text.get(quotes..text.len().saturating_sub(quotes)).unwrap_or("");
        self.b.string(node, if quotes == 3 { value.trim() } else { value });
        if value.contains("\\{") {
            self.visit_children_of(node); // a template's interpolations
        }
    }

    /// What an expression is, as far as its text tells.
    pub(super) fn expr_of(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let f = &self.t.fields;
        match self.kind(node) {
            Kind::Identifier => {
                let name = self.b.name(node);
                self.b.name_expr(name)
            }
            Kind::This => self.b.expr(Expr::This),
            Kind::Super => self.b.expr(Expr::Super),
            Kind::FieldAccess => self.field_expr(node, depth),
            Kind::Invocation => self.call_expr(node, depth),
            Kind::Creation | Kind::Cast => match node.child_by_field_id(f.ty) {
                Some(ty) => {
                    let ty = self.type_expr(ty, depth + 1);
                    self.b.instance(ty)
                }
                None => self.b.unknown(),
            },
            Kind::ArrayCreation => {
                let element = node.child_by_field_id(f.ty).map(|ty| self.type_expr(ty, depth + 1));
                let mut array = element.unwrap_or_else(|| self.b.unknown());
                for _ in 0..self.dimensions(node).max(1) {
                    array = self.array_of(array);
                }
                self.b.instance(array)
            }
            Kind::ArrayAccess => {
                let array = self.inner_expr(node.child_by_field_id(f.array), depth);
                self.b.element(array)
            }
            Kind::Ternary => self.ternary_expr(node, depth),
            Kind::Parenthesized => self.inner_expr(node.named_child(0), depth),
            Kind::Assignment => self.inner_expr(node.child_by_field_id(f.left), depth),
            Kind::GenericType | Kind::TypeIdentifier | Kind::ScopedType | Kind::ArrayType => {
                self.type_expr(node, depth + 1)
            }
            Kind::Binary => self.binary_expr(node, depth),
            Kind::Unary => self.unary_expr(node, depth),
            Kind::Update => self.inner_expr(node.named_child(0), depth),
            Kind::Null => self.b.primitive("null"),
            Kind::Template => self.b.expr(Expr::Builtin),
            Kind::Lambda => self.lambda_expr(node),
            Kind::MethodReference => self.b.primitive("::"),
            kind => match literal_type(kind, self.b.text(node)) {
                Some(name) => self.b.primitive(name),
                None => self.b.unknown(),
            },
        }
    }

    /// Comparing gives a `boolean`, adding to a string a string, other arithmetic the wider of both types.
    fn binary_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let operator = node.child_by_field_name("operator").map_or("", |operator| self.b.text(operator));
        if matches!(operator, "==" | "!=" | "<" | ">" | "<=" | ">=" | "&&" | "||") {
            return self.b.primitive("boolean");
        }
        let (left, right) = (node.child_by_field_id(f.left), node.child_by_field_id(f.right));
        let (left, right) = (self.inner_expr(left, depth), self.inner_expr(right, depth));
        let types = (self.primitive_of(left), self.primitive_of(right));
        let result = match (operator, types) {
            ("+", (Some("String"), _) | (_, Some("String"))) => Some("String"),
            ("<<" | ">>" | ">>>", (left, _)) => promoted(left, Some("int")),
            ("&" | "|" | "^", (Some("boolean"), _) | (_, Some("boolean"))) => Some("boolean"),
            ("+", _) if types.0.is_none() || types.1.is_none() => None,
            (_, (left, right)) => promoted(left, right),
        };
        match result {
            Some(name) => self.b.primitive(name),
            None => self.b.expr(Expr::Builtin),
        }
    }

    /// The built-in type of a value, when its text tells.
    fn primitive_of(&self, value: ExprId) -> Option<&str> {
        let exprs = &self.b.file.exprs;
        match exprs[value.0 as usize] {
            Expr::Primitive(name) => Some(self.b.file.names.get(name)),
            // `String` may be written as a type.
            Expr::Instance(ty) => match exprs[ty.0 as usize] {
                Expr::Name(name) if self.b.file.names.get(name) == "String" => Some("String"),
                _ => None,
            },
            Expr::Element(whole) => match exprs[whole.0 as usize] {
                Expr::Instance(ty) => match exprs[ty.0 as usize] {
                    Expr::Apply(array, element) if exprs[array.0 as usize] == Expr::Builtin => {
                        self.primitive_of(element)
                    }
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    /// `!x` is a `boolean`, other operators make at least an `int`.
    fn unary_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let operator = node.child(0).map_or("", |operator| self.b.text(operator));
        if operator == "!" {
            return self.b.primitive("boolean");
        }
        let operand = self.inner_expr(node.named_child(0), depth);
        match promoted(self.primitive_of(operand), Some("int")) {
            Some(name) => self.b.primitive(name),
            None => operand,
        }
    }

    /// A lambda, by the number of its parameters: `2->`.
    fn lambda_expr(&mut self, node: Node<'_>) -> ExprId {
        let count = match node.child_by_field_id(self.t.fields.parameters) {
            Some(list) if self.kind(list) != Kind::Identifier => {
                let mut cursor = list.walk();
                let is_comment =
                    |child: &Node<'_>| matches!(self.kind(*child), Kind::LineComment | Kind::BlockComment);
                list.named_children(&mut cursor).filter(|child| !is_comment(child)).count()
            }
            Some(_) => 1,
            None => 0,
        };
        self.b.primitive(&format!("{count}->"))
    }

    fn inner_expr(&mut self, inner: Option<Node<'_>>, depth: u32) -> ExprId {
        match inner {
            Some(inner) => self.expr_of(inner, depth + 1),
            None => self.b.unknown(),
        }
    }

    /// `a.b`; `Outer.this` is a value of `Outer`.
    fn field_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let (object, field) = (node.child_by_field_id(f.object), node.child_by_field_id(f.field));
        let (Some(object), Some(field)) = (object, field) else { return self.b.unknown() };
        let base = self.receiver(object, field, depth);
        if self.kind(field) == Kind::This {
            return self.b.instance(base);
        }
        if self.b.text(field) == "length" && self.is_array(base) {
            return self.b.primitive("int");
        }
        let name = self.b.name(field);
        self.b.member(base, name)
    }

    fn is_array(&self, value: ExprId) -> bool {
        let exprs = &self.b.file.exprs;
        matches!(exprs[value.0 as usize], Expr::Instance(ty)
            if matches!(exprs[ty.0 as usize], Expr::Apply(array, _) if exprs[array.0 as usize] == Expr::Builtin))
    }

    fn call_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let Some(name) = node.child_by_field_id(f.name) else { return self.b.unknown() };
        let base = node.child_by_field_id(f.object).map(|object| self.receiver(object, name, depth));
        let name = self.b.name(name);
        let callee = match base {
            Some(base) => self.b.member(base, name),
            None => self.b.expr(Expr::Name(name)),
        };
        let callee = match self.child_of_call(node) {
            Some(types) => {
                let types = self.type_arguments(types, depth);
                self.b.instantiate(callee, &types)
            }
            None => callee,
        };
        match node.child_by_field_id(f.arguments) {
            // Arguments within arguments within arguments say little of what the outermost call gives.
            Some(arguments) if depth < 8 => {
                let arguments = self.argument_exprs(arguments, depth);
                self.b.call_with(callee, &arguments)
            }
            _ => self.b.call(callee),
        }
    }

    /// Numbers give the wider of both types; else the branch that says more, the first unless it is `null`.
    fn ternary_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let first = self.inner_expr(node.child_by_field_id(f.consequence), depth);
        let second = self.inner_expr(node.child_by_field_id(f.alternative), depth);
        let types = (self.primitive_of(first), self.primitive_of(second));
        if first != second
            && let (Some(left), Some(right)) = types
            && let Some(name) = promoted(Some(left), Some(right))
        {
            return self.b.primitive(name);
        }
        match self.b.file.exprs[first.0 as usize] {
            Expr::Unknown | Expr::Builtin => second,
            Expr::Primitive(_) if types.0 == Some("null") => second,
            _ => first,
        }
    }
}

/// The type of an arithmetic result: the wider of both, and at least `int`.
fn promoted(left: Option<&str>, right: Option<&str>) -> Option<&'static str> {
    let is_number = |ty: Option<&str>| ty.is_some_and(|ty| matches!(ty, "byte" | "short" | "char" | "int"));
    match (left, right) {
        (Some("double"), _) | (_, Some("double")) => Some("double"),
        (Some("float"), Some(_)) | (Some(_), Some("float")) => Some("float"),
        (Some("long"), Some(_)) | (Some(_), Some("long")) => Some("long"),
        _ if is_number(left) && is_number(right) => Some("int"),
        _ => None,
    }
}

/// The type of a literal; `Foo.class` is a `Class`.
fn literal_type(kind: Kind, text: &str) -> Option<&'static str> {
    Some(match kind {
        Kind::String => "String",
        Kind::Character => "char",
        Kind::True | Kind::False | Kind::InstanceOf => "boolean",
        Kind::ClassLiteral => "Class",
        Kind::DecimalInteger | Kind::HexInteger | Kind::OctalInteger | Kind::BinaryInteger => {
            if text.ends_with(['l', 'L']) { "long" } else { "int" }
        }
        Kind::DecimalFloat | Kind::HexFloat => {
            if text.ends_with(['f', 'F']) {
                "float"
            } else {
                "double"
            }
        }
        _ => return None,
    })
}
