//! Uses of values: calls, paths, fields, struct literals, strings, and the skeleton of receivers.

use super::{Kind, Rust};
use crate::builder::{MAX_EXPR_DEPTH, Walk};
use crate::{Expr, ExprId, RefKind};
use tree_sitter::Node;

impl Rust<'_> {
    pub(super) fn identifier(&mut self, node: Node<'_>, kind: RefKind) {
        if self.b.text(node) != "Self" {
            self.b.plain_reference(node, kind);
        }
    }

    /// `f::<T>()`.
    pub(super) fn generic_function(&mut self, node: Node<'_>, kind: RefKind) {
        let f = &self.t.fields;
        if let Some(function) = node.child_by_field_id(f.function) {
            match self.kind(function) {
                Kind::Identifier => self.identifier(function, kind),
                Kind::ScopedIdentifier => self.scoped(function, kind),
                Kind::FieldExpression => self.field_expression(function, kind),
                _ => self.visit_node(function),
            }
        }
        self.visit_field(node, f.type_arguments);
    }

    pub(super) fn field_expression(&mut self, node: Node<'_>, kind: RefKind) {
        let f = &self.t.fields;
        let (value, field) = (node.child_by_field_id(f.value), node.child_by_field_id(f.field));
        let (Some(value), Some(field)) = (value, field) else { return };
        let base = self.expr_of(value, 0);
        self.visit_node(value);
        if self.kind(field) == Kind::FieldIdentifier {
            self.b.reference(field, kind, Some(base));
        }
    }

    /// `a::b::c`: a use of `c` as `kind`, and of what stands before it.
    pub(super) fn scoped(&mut self, node: Node<'_>, kind: RefKind) {
        let f = &self.t.fields;
        let Some(name) = node.child_by_field_id(f.name) else { return };
        let Some(path) = node.child_by_field_id(f.path) else {
            return self.b.reference(name, kind, None); // `::name`
        };
        match self.kind(path) {
            Kind::Identifier => {
                let is_type = self.b.text(path).starts_with(char::is_uppercase);
                self.identifier(path, if is_type { RefKind::Type } else { RefKind::Value });
            }
            Kind::ScopedIdentifier => {
                let is_type = path
                    .child_by_field_id(f.name)
                    .is_some_and(|last| self.b.text(last).starts_with(char::is_uppercase));
                let kind = if is_type { RefKind::Type } else { RefKind::Value };
                self.deeper(|walk| walk.scoped(path, kind));
            }
            Kind::SelfValue | Kind::Crate | Kind::SuperPath => {}
            _ => self.visit_node(path),
        }
        let declaring = if kind == RefKind::Type || kind == RefKind::TraitBound {
            self.qualifying_trait(path)
        } else {
            None
        };
        let base = declaring.unwrap_or_else(|| self.path_of(path, 0));
        self.b.reference(name, kind, Some(base));
    }

    /// A path as written: `crate`, `self` and `super` are names here.
    pub(super) fn path_of(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let f = &self.t.fields;
        match self.kind(node) {
            Kind::ScopedIdentifier | Kind::ScopedType => {
                let Some(name) = node.child_by_field_id(f.name) else { return self.b.unknown() };
                let name = self.b.name(name);
                match node.child_by_field_id(f.path) {
                    Some(path) => {
                        let base = self.path_of(path, depth + 1);
                        self.b.member(base, name)
                    }
                    None => self.b.expr(Expr::Name(name)),
                }
            }
            Kind::SelfValue | Kind::Crate | Kind::SuperPath => {
                let name = self.b.name(node);
                self.b.expr(Expr::Name(name))
            }
            _ => self.type_expr(node, depth + 1),
        }
    }

    /// What an expression is, as far as its text tells.
    pub(super) fn expr_of(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        let f = &self.t.fields;
        match self.kind(node) {
            Kind::Identifier if self.b.text(node) == "Self" => self.b.expr(Expr::This),
            Kind::Identifier => {
                let name = self.b.name(node);
                self.b.name_expr(name)
            }
            Kind::SelfValue => self.self_value(),
            Kind::ScopedIdentifier => self.path_of(node, depth + 1),
            Kind::GenericFunction => self.generic_function_expr(node, depth),
            Kind::FieldExpression => {
                let Some(field) = node.child_by_field_id(f.field) else { return self.b.unknown() };
                let base = self.expr_field(node, f.value, depth);
                if let Ok(at) = self.b.text(field).parse::<u16>() {
                    return self.b.position(base, usize::from(at));
                }
                let name = self.b.name(field);
                self.b.member(base, name)
            }
            Kind::Call => self.call_expr(node, depth),
            Kind::Try => {
                let inner = self.first_child_expr(node, depth);
                self.b.element(inner)
            }
            Kind::Index => self.index_expr(node, depth),
            Kind::Await => {
                let future = self.first_child_expr(node, depth);
                self.awaited(future)
            }
            Kind::Binary => self.binary_expr(node, depth),
            Kind::Parenthesized => self.first_child_expr(node, depth),
            Kind::Unary | Kind::Reference => self.prefixed_expr(node, depth),
            Kind::Closure => self.closure_expr(node, depth),
            Kind::Match | Kind::If | Kind::Unsafe | Kind::Block => self.branch_expr(node, depth),
            Kind::StructExpression | Kind::Cast => {
                let field = if self.kind(node) == Kind::Cast { f.ty } else { f.name };
                let Some(ty) = node.child_by_field_id(field) else { return self.b.unknown() };
                let ty = self.type_expr(ty, depth + 1);
                self.b.instance(ty)
            }
            Kind::StringLiteral | Kind::RawString | Kind::Integer | Kind::Float | Kind::Bool | Kind::Char => {
                self.literal_expr(node)
            }
            Kind::Array => self.array_expr(node, depth),
            Kind::TupleExpression => self.tuple_expr(node, depth),
            Kind::Range => self.range_expr(node),
            Kind::MacroInvocation => self.macro_value(node, depth),
            _ if node.kind() == "unit_expression" => {
                let nothing = self.b.list(&[]);
                self.b.expr(Expr::Values(nothing))
            }
            _ => self.b.unknown(),
        }
    }

    fn tuple_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let mut cursor = node.walk();
        let parts: Vec<Node<'_>> = node
            .named_children(&mut cursor)
            .filter(|part| !part.is_extra() && self.kind(*part) != Kind::AttributeItem)
            .collect();
        let values: Vec<ExprId> = parts.into_iter().map(|part| self.expr_of(part, depth + 1)).collect();
        let values = self.b.list(&values);
        self.b.expr(Expr::Values(values))
    }

    /// The type of `a..b` and the like.
    fn range_expr(&mut self, node: Node<'_>) -> ExprId {
        let first = node.child(0).is_some_and(|child| !child.is_named());
        let mut cursor = node.walk();
        let is_inclusive = node.children(&mut cursor).any(|child| child.kind() == "..=");
        let ty = match (first, node.named_child_count(), is_inclusive) {
            (_, 0, _) => "RangeFull",
            (true, _, false) => "RangeTo",
            (true, _, true) => "RangeToInclusive",
            (false, 1, _) => "RangeFrom",
            (false, _, false) => "Range",
            (false, _, true) => "RangeInclusive",
        };
        self.b.primitive(ty)
    }

    /// A text is a `str`, or an array of bytes; a number has the type that its suffix names.
    fn literal_expr(&mut self, node: Node<'_>) -> ExprId {
        let text = self.b.text(node);
        match self.kind(node) {
            Kind::StringLiteral | Kind::RawString if text.starts_with(['"', 'r']) => {
                let text = self.b.primitive("str");
                self.marked(text, "&")
            }
            Kind::StringLiteral | Kind::RawString if text.starts_with('b') => {
                let (array, byte) = (self.b.expr(Expr::Builtin), self.b.primitive("u8"));
                let array = self.marked(array, "[_]");
                let bytes = self.b.expr(Expr::Apply(array, byte));
                let bytes = self.b.instance(bytes);
                self.marked(bytes, "&")
            }
            Kind::Bool => self.b.primitive("bool"),
            Kind::Char => self.b.primitive(if text.starts_with('b') { "u8" } else { "char" }),
            Kind::Integer | Kind::Float if let Some(suffix) = number_suffix(text) => self.b.primitive(suffix),
            _ => self.b.expr(Expr::Builtin),
        }
    }

    /// A closure whose result is written down, or is an expression that does not need its locals.
    fn closure_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let value = match (node.child_by_field_id(f.return_type), node.child_by_field_id(f.body)) {
            (Some(ty), _) => {
                let ty = self.type_expr(ty, depth + 1);
                self.b.instance(ty)
            }
            (None, Some(body)) => {
                let body =
                    if self.kind(body) == Kind::Block { only_expression(body).unwrap_or(body) } else { body };
                let bound = node.child_by_field_id(f.parameters).map_or("", |list| self.b.text(list));
                match Some(body).filter(|body| self.is_rooted(*body, bound, depth)) {
                    Some(body) => self.expr_of(body, depth + 1),
                    None => return self.b.unknown(),
                }
            }
            _ => return self.b.unknown(),
        };
        self.b.expr(Expr::Returns(value))
    }

    /// All branches of a `match` or `if` have one type: that of the first one that says it without the
    /// locals of its pattern.
    fn branch_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let f = &self.t.fields;
        let mut branches: Vec<(Node<'_>, &str)> = Vec::new();
        let block = if self.kind(node) == Kind::Unsafe { node.named_child(0) } else { Some(node) };
        if let Some(block) = block.filter(|block| self.kind(*block) == Kind::Block)
            && let Some(last) = last_expression(block)
        {
            // What the block binds may hide a name from outside.
            let bound = if block.named_child_count() == 1 { "" } else { self.b.text(block) };
            branches.push((last, bound));
        }
        if let Some(first) = node.child_by_field_id(f.consequence).and_then(last_expression) {
            let condition = node.child_by_field_id(f.condition);
            branches.push((first, condition.map_or("", |condition| self.b.text(condition))));
        }
        if let Some(body) = node.child_by_field_id(f.body) {
            let mut cursor = body.walk();
            branches.extend(
                body.named_children(&mut cursor).filter(|arm| self.kind(*arm) == Kind::MatchArm).filter_map(
                    |arm| {
                        let pattern = arm.child_by_field_id(f.pattern);
                        Some((arm.child_by_field_id(f.value)?, pattern.map_or("", |it| self.b.text(it))))
                    },
                ),
            );
        }
        match branches.into_iter().find(|(branch, bound)| self.is_rooted(*branch, bound, depth)) {
            Some((branch, _)) => self.expr_of(branch, depth + 1),
            None => self.b.unknown(),
        }
    }

    /// Whether an expression starts at a path, `self`, a struct literal or a local from outside, so that it
    /// means the same without the names that `bound`, a pattern's text, binds.
    fn is_rooted(&self, node: Node<'_>, bound: &str, depth: u32) -> bool {
        let f = &self.t.fields;
        let inner = |field: u16| node.child_by_field_id(field);
        let next = match self.kind(node) {
            Kind::ScopedIdentifier | Kind::StructExpression | Kind::SelfValue => return true,
            Kind::Identifier => {
                let name = self.b.text(node);
                let is_bound =
                    bound.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
                return !is_wrapper(name)
                    && !is_bound
                    && (name.starts_with(char::is_uppercase) || self.is_local(name));
            }
            Kind::Call | Kind::GenericFunction => inner(f.function),
            Kind::FieldExpression | Kind::Reference => inner(f.value),
            Kind::Try | Kind::Await | Kind::Parenthesized => node.named_child(0),
            _ => None,
        };
        depth < MAX_EXPR_DEPTH && next.is_some_and(|next| self.is_rooted(next, bound, depth + 1))
    }

    fn is_local(&self, name: &str) -> bool {
        self.b.file.names.find(name).is_some_and(|name| self.b.local(name).is_some())
    }

    pub(super) fn expr_field(&mut self, node: Node<'_>, field: u16, depth: u32) -> ExprId {
        match node.child_by_field_id(field) {
            Some(child) => self.expr_of(child, depth + 1),
            None => self.b.unknown(),
        }
    }

    pub(super) fn first_child_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        match node.named_child(0) {
            Some(child) => self.expr_of(child, depth + 1),
            None => self.b.unknown(),
        }
    }

    /// `Foo { a: 1, b }`: a use of the type, its fields and their values.
    pub(super) fn struct_expression(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let Some(name) = node.child_by_field_id(f.name) else { return };
        self.visit_node(name);
        let ty = self.type_expr(name, 0);
        let base = self.b.instance(ty);
        let Some(body) = node.child_by_field_id(f.body) else { return };
        let mut cursor = body.walk();
        for initializer in body.named_children(&mut cursor) {
            match self.kind(initializer) {
                Kind::FieldInitializer => {
                    let field = initializer
                        .child_by_field_id(f.field)
                        .or_else(|| initializer.child_by_field_id(f.name));
                    if let Some(field) = field.filter(|field| self.kind(*field) == Kind::FieldIdentifier) {
                        self.b.reference(field, RefKind::Value, Some(base));
                    }
                    let value = initializer.child_by_field_id(f.value);
                    match (field, value) {
                        (Some(field), Some(value)) => {
                            let name = self.b.name(field);
                            if self.is_default(value) {
                                let field = self.b.member(base, name);
                                self.default_of(value, field);
                            } else {
                                self.expect(value, |walk| walk.b.member(base, name));
                                self.visit_node(value);
                            }
                        }
                        _ => self.visit_field(initializer, f.value),
                    }
                }
                Kind::ShorthandField => {
                    if let Some(field) = initializer.named_child(0) {
                        self.b.reference(field, RefKind::Value, Some(base));
                    }
                }
                // `..Default::default()`
                _ => match initializer.named_child(0).filter(|value| self.is_default(*value)) {
                    Some(value) => self.default_of(value, base),
                    None => self.visit_node(initializer),
                },
            }
        }
    }

    pub(super) fn string(&mut self, node: Node<'_>) {
        let text = self.b.text(node).trim_start_matches(['b', 'c', 'r']);
        let inner = text.trim_matches('#').trim_start_matches('"');
        self.b.string(node, inner.strip_suffix('"').unwrap_or(inner));
    }
}

/// The type that the end of a number names: `1u8`, `2.5_f32`.
fn number_suffix(text: &str) -> Option<&str> {
    let is_hexadecimal = text.starts_with("0x");
    let start = text.find(['i', 'u']).or_else(|| text.find('f').filter(|_| !is_hexadecimal))?;
    Some(&text[start..])
}

/// The expression that is all of a block.
fn only_expression(block: Node<'_>) -> Option<Node<'_>> {
    last_expression(block).filter(|_| block.named_child_count() == 1)
}

/// The expression that a block ends with.
pub(super) fn last_expression(block: Node<'_>) -> Option<Node<'_>> {
    let mut last = block.named_child(block.named_child_count().checked_sub(1)? as u32)?;
    while last.is_extra() {
        last = last.prev_named_sibling()?;
    }
    (!last.kind().ends_with("_statement") && !last.kind().ends_with("_declaration")).then_some(last)
}

/// `Some(…)`, `Ok(…)`: constructors whose type says nothing of what they hold.
fn is_wrapper(name: &str) -> bool {
    matches!(name, "Some" | "None" | "Ok" | "Err" | "Box" | "Vec" | "String" | "Arc" | "Rc")
}
