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
            Kind::Identifier => self.named_type(node),
            // `typing.Self` and that of `typing_extensions`, whatever they are imported as.
            Kind::Attribute | Kind::MemberType if self.b.text(node).ends_with(".Self") => {
                self.b.expr(Expr::This)
            }
            Kind::Attribute | Kind::MemberType => self.expr_of(node, depth + 1),
            Kind::String => {
                let text = self.b.text(node).trim_matches(['"', '\'']);
                if is_dotted_name(text) { self.b.path_expr(text, ".") } else { self.b.unknown() }
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

    fn named_type(&mut self, node: Node<'_>) -> ExprId {
        let name = self.b.name(node);
        if self.b.text(node) == "Self" {
            return self.b.expr(Expr::This);
        }
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
        let mut types: Vec<ExprId> = Vec::new();
        for part in parts {
            if self.b.text(*part) == "None" {
                continue;
            }
            let ty = self.type_expr(*part, depth + 1);
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
        match types[..] {
            [] => self.b.unknown(),
            [only] => only,
            _ => {
                let list = self.b.list(&types);
                self.b.expr(Expr::Union(list))
            }
        }
    }

    fn generic_type(&mut self, node: Node<'_>, depth: u32) -> ExprId {
        let Some(base) = node.named_child(0) else { return self.b.unknown() };
        let arguments = self.type_arguments(node, base);
        let name = self.b.text(base).rsplit('.').next().unwrap_or("");
        let (Some(first), Some(last)) = (arguments.first().copied(), arguments.last().copied()) else {
            return self.type_expr(base, depth + 1);
        };
        match name {
            // What stands behind the type is about it, not part of it.
            "Annotated" => self.type_expr(first, depth + 1),
            "Optional" | "ClassVar" | "Final" | "Awaitable" | "Type" | "type" | "Required"
            | "NotRequired" => self.type_expr(last, depth + 1),
            "Coroutine" => self.type_expr(last, depth + 1),
            "Callable" => {
                let result = self.type_expr(last, depth + 1);
                let given = self.b.instance(result);
                self.b.expr(Expr::Returns(given))
            }
            "Union" => self.union_type(&arguments, depth),
            "Literal" => self.b.expr(Expr::Builtin),
            "Tuple" | "tuple" if self.b.text(last) != "..." => {
                let parts: Vec<ExprId> =
                    arguments.iter().map(|part| self.type_expr(*part, depth + 1)).collect();
                let whole = self.b.list(&parts);
                self.b.expr(Expr::Tuple(whole))
            }
            _ => {
                let is_one_by_one = matches!(name, "Generator" | "AsyncGenerator" | "Tuple" | "tuple");
                let base = self.type_expr(base, depth + 1);
                let all: Vec<ExprId> =
                    arguments.iter().map(|argument| self.type_expr(*argument, depth + 1)).collect();
                if is_one_by_one {
                    return self.b.expr(Expr::Apply(base, all[0]));
                }
                let element = all[all.len() - 1];
                self.b.apply(base, &all, element)
            }
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

fn is_dotted_name(text: &str) -> bool {
    !text.is_empty()
        && text.split('.').all(|part| {
            part.starts_with(|c: char| c.is_alphabetic() || c == '_')
                && part.chars().all(|c| c.is_alphanumeric() || c == '_')
        })
}
