//! Code in token trees of macros that is not parsed again: chains of names, members and calls.

use super::{Kind, Rust};
use crate::builder::Walk;
use crate::{Expr, ExprId, RefKind};
use tree_sitter::Node;

impl Rust<'_> {
    /// Finds paths, fields and calls in a flat list of tokens.
    pub(super) fn scan(&mut self, tree: Node<'_>, depth: u32) {
        let mut cursor = tree.walk();
        let tokens: Vec<Node<'_>> = tree.children(&mut cursor).collect();
        let mut at = 0;
        while at < tokens.len() {
            at = match self.kind(tokens[at]) {
                // `name: value` is a field or an argument of the macro's own syntax.
                Kind::Identifier if tokens.get(at + 1).is_some_and(|next| next.kind() == ":") => at + 1,
                Kind::Identifier | Kind::SelfValue | Kind::Crate | Kind::SuperPath => {
                    self.scan_chain(&tokens, at, depth)
                }
                // `i32::MAX`
                Kind::PrimitiveType if tokens.get(at + 1).is_some_and(|next| next.kind() == "::") => {
                    self.scan_chain(&tokens, at, depth)
                }
                Kind::TokenTree => {
                    self.token_tree(tokens[at], depth + 1);
                    at + 1
                }
                Kind::StringLiteral | Kind::RawString => {
                    self.string(tokens[at]);
                    at + 1
                }
                _ => at + 1,
            };
        }
    }

    /// One chain such as `self.a.b(x)?.c` or `m::f(y)`, starting at a name. Returns the index behind it.
    fn scan_chain(&mut self, tokens: &[Node<'_>], start: usize, depth: u32) -> usize {
        let source = self.b.source.as_bytes();
        let kinds = &self.t.kinds;
        let called = |at: usize| {
            let end = generics_end(tokens, at + 1);
            tokens.get(end).is_some_and(|next| {
                kinds.of(*next) == Kind::TokenTree && source.get(next.start_byte()) == Some(&b'(')
            })
        };
        let mut expr = self.chain_head(tokens, start, called(start));
        let mut at = start + 1;
        while let Some(token) = tokens.get(at) {
            match token.kind() {
                // `f::<T>`, `Vec<T>::new`
                "::" | "<" if generics_end(tokens, at) > at => {
                    let end = generics_end(tokens, at);
                    self.scan_types(&tokens[at..end]);
                    at = end;
                }
                "::" | "." => {
                    let is_member =
                        |next: &&Node<'_>| self.kind(**next) == Kind::Identifier || next.kind() == "await";
                    let Some(member) = tokens.get(at + 1).filter(is_member) else {
                        break;
                    };
                    expr = self.scan_member(*member, expr, called(at + 1));
                    at += 2;
                }
                "?" => {
                    expr = self.b.element(expr);
                    at += 1;
                }
                "token_tree" if called(at - 1) || self.is_index(*token, tokens[at - 1]) => {
                    self.token_tree(*token, depth + 1);
                    expr = if called(at - 1) { self.b.call(expr) } else { self.b.element(expr) };
                    at += 1;
                }
                _ => break,
            }
        }
        at
    }

    /// What a chain of tokens starts with.
    fn chain_head(&mut self, tokens: &[Node<'_>], start: usize, is_call: bool) -> ExprId {
        let first = tokens[start];
        let is_macro = tokens.get(start + 1).is_some_and(|next| next.kind() == "!")
            && tokens.get(start + 2).is_some_and(|next| self.kind(*next) == Kind::TokenTree);
        let is_path = tokens.get(start + 1).is_some_and(|next| next.kind() == "::");
        match self.kind(first) {
            Kind::SelfValue if !is_path => self.self_value(),
            Kind::PrimitiveType => {
                let name = self.b.name(first);
                self.b.expr(Expr::Primitive(name))
            }
            Kind::Identifier if self.b.text(first) == "Self" => self.b.expr(Expr::This),
            Kind::Identifier => {
                let kind = match (is_macro, is_call) {
                    (true, _) => RefKind::Macro,
                    (_, true) => RefKind::Call,
                    _ if is_path && self.b.text(first).starts_with(char::is_uppercase) => RefKind::Type,
                    _ => RefKind::Value,
                };
                self.b.plain_reference(first, kind);
                let name = self.b.name(first);
                self.b.name_expr(name)
            }
            _ => {
                let name = self.b.name(first);
                self.b.expr(Expr::Name(name))
            }
        }
    }

    /// The types among tokens.
    fn scan_types(&mut self, tokens: &[Node<'_>]) {
        let mut at = 0;
        while at < tokens.len() {
            let token = tokens[at];
            at += 1;
            if self.kind(token) == Kind::TokenTree {
                let mut cursor = token.walk();
                let inner: Vec<Node<'_>> = token.children(&mut cursor).collect();
                self.deeper(|walk| walk.scan_types(&inner));
                continue;
            }
            let is_path = tokens.get(at).is_some_and(|next| next.kind() == "::");
            let is_type = self.b.text(token).starts_with(char::is_uppercase);
            let is_name = self.kind(token) == Kind::Identifier && self.b.text(token) != "Self";
            if is_name && (is_type || is_path) {
                self.b.plain_reference(token, if is_type { RefKind::Type } else { RefKind::Value });
            } else if !is_path || !matches!(self.kind(token), Kind::Crate | Kind::SuperPath) {
                continue;
            }
            let name = self.b.name(token);
            let mut path = self.b.expr(Expr::Name(name));
            while let Some([colons, part]) = tokens.get(at..at + 2)
                && colons.kind() == "::"
                && self.kind(*part) == Kind::Identifier
            {
                let is_type = self.b.text(*part).starts_with(char::is_uppercase);
                self.b.reference(*part, if is_type { RefKind::Type } else { RefKind::Value }, Some(path));
                let name = self.b.name(*part);
                path = self.b.member(path, name);
                at += 2;
            }
        }
    }

    /// `x[i]`: brackets right behind a chain.
    fn is_index(&self, tree: Node<'_>, before: Node<'_>) -> bool {
        self.b.source.as_bytes().get(tree.start_byte()) == Some(&b'[')
            && before.end_byte() == tree.start_byte()
    }

    fn scan_member(&mut self, member: Node<'_>, base: ExprId, is_call: bool) -> ExprId {
        let kind = if is_call { RefKind::Call } else { RefKind::Value };
        if self.b.text(member) != "await" {
            self.b.reference(member, kind, Some(base));
            let name = self.b.name(member);
            return self.b.member(base, name);
        }
        self.b.reference(member, RefKind::Value, Some(base));
        self.awaited(base)
    }
}

/// The index behind the type arguments that start at `at`, or `at` when there are none: `::<T>`, and `<T>` where a
/// path goes on behind it.
fn generics_end(tokens: &[Node<'_>], at: usize) -> usize {
    const MOST: usize = 64;
    let kind = |at: usize| tokens.get(at).map_or("", |token| token.kind());
    let is_turbofish = kind(at) == "::";
    let first = at + usize::from(is_turbofish);
    if kind(first) != "<" {
        return at;
    }
    let mut depth = 0;
    for end in first..tokens.len().min(first + MOST) {
        match kind(end) {
            "<" => depth += 1,
            ">" => depth -= 1,
            ">>" => depth -= 2,
            ";" | "{" | "&&" | "||" | "==" => return at,
            _ => {}
        }
        if depth <= 0 {
            return if is_turbofish || kind(end + 1) == "::" { end + 1 } else { at };
        }
    }
    at
}
