//! Annotations: the types they name, and the references they make.

use super::{Kind, Python};
use crate::builder::{MAX_EXPR_DEPTH, line};
use crate::{Expr, ExprId, RefKind, Span};
use tree_sitter::Node;

impl Python<'_> {
    /// The type an annotation names. `Optional[X]` and `X | None` are `X`.
    pub(super) fn type_expr(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        if depth > MAX_EXPR_DEPTH {
            return self.b.unknown();
        }
        match self.kind(node) {
            Kind::Type | Kind::Parenthesized => match node.named_child(0) {
                Some(inner) => self.type_expr(inner, depth + 1),
                None => self.b.unknown(),
            },
            Kind::Identifier => {
                let name = self.b.text(node);
                self.named_type(name)
            }
            Kind::Attribute | Kind::MemberType if self.b.text(node).ends_with(".Self") => {
                self.b.expr(Expr::This)
            }
            Kind::Attribute | Kind::MemberType => self.expr_of(node, depth + 1),
            Kind::String => {
                let text = self.b.text(node).trim_matches(['"', '\'']);
                self.type_of_text(text, depth + 1)
            }
            Kind::Subscript | Kind::GenericType => self.generic_type(node, depth),
            Kind::Binary | Kind::UnionType => {
                let mut cursor = node.walk();
                let parts: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
                self.union_type(&parts, depth)
            }
            _ => self.b.unknown(),
        }
    }

    /// The type with a name, which may be dotted. `typing.Self` and that of `typing_extensions` are what they stand in,
    /// whatever they are imported as.
    pub(super) fn named_type(&mut self, text: &str) -> ExprId {
        if text == "Self" || text.ends_with(".Self") {
            return self.b.expr(Expr::This);
        }
        if text.contains('.') {
            return self.b.path_expr(text, ".");
        }
        let name = self.b.intern(text);
        match self.type_variables.get(&name).copied() {
            Some(parameter) => {
                if !self.used_variables.contains(&parameter) {
                    self.used_variables.push(parameter);
                }
                parameter
            }
            None => self.b.expr(Expr::Name(name)),
        }
    }

    /// One of several types; `None` is left out.
    fn union_type(&mut self, parts: &[Node<'_>], depth: u32) -> ExprId {
        let parts: Vec<Node<'_>> =
            parts.iter().copied().filter(|part| self.b.text(*part) != "None").collect();
        let types: Vec<ExprId> = parts.into_iter().map(|part| self.type_expr(part, depth + 1)).collect();
        self.union_of(&types)
    }

    /// One of several types.
    pub(super) fn union_of(&mut self, types: &[ExprId]) -> ExprId {
        let mut different: Vec<ExprId> = Vec::new();
        for ty in types {
            if !different.contains(ty) {
                different.push(*ty);
            }
        }
        match different[..] {
            [] => self.b.unknown(),
            [only] => only,
            _ => {
                let list = self.b.list(&different);
                self.b.expr(Expr::Union(list))
            }
        }
    }

    fn generic_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let Some(base) = node.named_child(0) else { return self.b.unknown() };
        let arguments = self.type_arguments(node, base);
        let name = self.b.text(base);
        let Some(last) = arguments.last().copied() else { return self.type_expr(base, depth + 1) };
        match last_part(name) {
            "Union" => self.union_type(&arguments, depth),
            "Literal" => self.b.expr(Expr::Builtin),
            // What stands behind the type is about it, not part of it.
            "Annotated" => self.type_expr(arguments[0], depth + 1),
            _ => {
                let is_open = self.b.text(last) == "...";
                let base = self.type_expr(base, depth + 1);
                let arguments: Vec<ExprId> =
                    arguments.into_iter().map(|argument| self.type_expr(argument, depth + 1)).collect();
                self.generic_of(name, base, &arguments, is_open)
            }
        }
    }

    /// A generic type with at least one argument; `is_open` says that `...` is the last.
    pub(super) fn generic_of(
        &mut self,
        name: &str,
        base: ExprId,
        arguments: &[ExprId],
        is_open: bool,
    ) -> ExprId {
        let (first, last) = (arguments[0], arguments[arguments.len() - 1]);
        match last_part(name) {
            "Annotated" => first,
            "Optional" | "ClassVar" | "Final" | "Awaitable" | "Required" | "NotRequired" | "Coroutine" => {
                last
            }
            "Type" | "type" => self.b.expr(Expr::Class(last)),
            "Callable" => {
                let given = self.b.instance(last);
                self.b.expr(Expr::Returns(given))
            }
            "Union" => self.union_of(arguments),
            "Tuple" | "tuple" if !is_open => {
                let whole = self.b.list(arguments);
                self.b.expr(Expr::Tuple(whole))
            }
            "Generator" | "AsyncGenerator" | "Tuple" | "tuple" => self.b.expr(Expr::Apply(base, first)),
            _ => self.b.apply(base, arguments, last),
        }
    }

    /// The arguments in the brackets of `base[…]`, whichever node the grammar makes of them.
    fn type_arguments<'t>(&self, node: Node<'t>, base: Node<'t>) -> Vec<Node<'t>> {
        let mut cursor = node.walk();
        let mut arguments: Vec<Node<'t>> = node
            .named_children(&mut cursor)
            .filter(|child| child.id() != base.id() && self.kind(*child) != Kind::Comment)
            .collect();
        if let [only] = arguments[..]
            && matches!(only.kind(), "type_parameter" | "tuple")
        {
            let mut cursor = only.walk();
            arguments =
                only.named_children(&mut cursor).filter(|child| self.kind(*child) != Kind::Comment).collect();
        }
        arguments
    }

    /// Records the types an annotation uses.
    pub(super) fn type_refs(&mut self, node: Node<'_>, depth: u32) {
        if depth > MAX_EXPR_DEPTH {
            return;
        }
        match self.kind(node) {
            Kind::Identifier => self.b.plain_reference(node, RefKind::Type),
            Kind::Attribute => self.attribute(node, RefKind::Type),
            Kind::String => self.types_in_string(node),
            Kind::Call => self.call(node),
            Kind::Subscript | Kind::GenericType
                if node.named_child(0).is_some_and(|base| self.b.text(base).ends_with("Literal")) =>
            {
                if let Some(base) = node.named_child(0) {
                    self.type_refs(base, depth + 1);
                }
            }
            _ => {
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    self.type_refs(child, depth + 1);
                }
            }
        }
    }

    /// A forward reference: `x: "Foo"`, `x: "list[Foo]"`.
    fn types_in_string(&mut self, node: Node<'_>) {
        let text = self.b.text(node);
        let quotes = text.len() - text.trim_start_matches(['"', '\'']).len();
        let inner = text.trim_matches(['"', '\'']);
        let is_type = |c: char| {
            c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']' | ',' | ' ' | '|' | '\'' | '"')
        };
        if quotes == 0 || !inner.contains(|c: char| c.is_alphabetic()) || !inner.chars().all(is_type) {
            return;
        }
        let start = node.start_byte() + quotes;
        let mut at = 0;
        for part in inner.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.') {
            let here = at;
            at += part.len() + inner[at + part.len()..].chars().next().map_or(0, char::len_utf8);
            if is_dotted_name(part) && part != "None" {
                self.type_at(part, start + here, line(node));
            }
        }
    }

    fn type_at(&mut self, dotted: &str, start: usize, line: u32) {
        let last = dotted.rsplit('.').next().unwrap_or(dotted);
        let qualifier = dotted.strip_suffix(last).map_or("", |rest| rest.trim_end_matches('.'));
        let base = (!qualifier.is_empty()).then(|| self.b.path_expr(qualifier, "."));
        let end = (start + dotted.len()) as u32;
        self.b.reference_at(Span { start: end - last.len() as u32, end }, line, RefKind::Type, base);
    }

    // ── type variables ──────────────────────────────────────────────────────────────────────────────

    /// `T = TypeVar("T", bound=Foo)` makes `T` a type parameter of what is annotated with it.
    pub(super) fn type_variable(&mut self, name: Node<'_>, value: Node<'_>) {
        let f = &self.t.fields;
        let callee = value.child_by_field_id(f.function).map_or("", |callee| self.b.text(callee));
        if self.kind(value) != Kind::Call || !matches!(callee.rsplit('.').next(), Some("TypeVar")) {
            return;
        }
        let mut bound = self.b.unknown();
        if let Some(arguments) = value.child_by_field_id(f.arguments) {
            let mut cursor = arguments.walk();
            let given = arguments.named_children(&mut cursor).find(|argument| {
                let name = argument.child_by_field_id(f.name);
                name.is_some_and(|name| self.b.text(name) == "bound")
            });
            if let Some(ty) = given.and_then(|given| given.child_by_field_id(f.value)) {
                bound = self.type_expr(ty, 0);
            }
        }
        let name = self.b.name(name);
        let parameter = self.b.parameter(name, bound);
        self.type_variables.insert(name, parameter);
    }
}

/// The last part of a dotted name.
fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

pub(super) fn is_dotted_name(text: &str) -> bool {
    !text.is_empty()
        && text.split('.').all(|part| {
            part.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && part.chars().all(|c| c.is_alphanumeric() || c == '_')
        })
}
