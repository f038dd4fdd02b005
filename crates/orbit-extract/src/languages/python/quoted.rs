//! Types that are written in quotes: `"Foo"`, `"list[Foo] | None"`.

use super::Python;
use crate::ExprId;
use crate::builder::MAX_EXPR_DEPTH;

/// What is left of a type's text.
struct Rest<'t>(&'t str);

impl<'t> Rest<'t> {
    /// Takes a word or sign, if it comes next.
    fn take(&mut self, sign: &str) -> bool {
        let text = self.0.trim_start();
        let rest = text.strip_prefix(sign);
        self.0 = rest.unwrap_or(text);
        rest.is_some()
    }

    /// Takes the dotted name that comes next.
    fn name(&mut self) -> &'t str {
        let text = self.0.trim_start();
        let end = text.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '.').unwrap_or(text.len());
        self.0 = &text[end..];
        &text[..end]
    }

    /// Takes what stands in quotes, behind the first one.
    fn quoted(&mut self, quote: char) -> &'t str {
        let (inner, rest) = self.0.split_once(quote).unwrap_or((self.0, ""));
        self.0 = rest;
        inner
    }
}

impl Python<'_> {
    /// The type that a text names.
    pub(super) fn type_of_text(&mut self, text: &str, depth: u32) -> ExprId {
        let mut rest = Rest(text);
        let ty = self.quoted_union(&mut rest, depth);
        // What cannot be read to its end is not understood.
        if rest.0.trim().is_empty() { ty } else { self.b.unknown() }
    }

    fn quoted_union(&mut self, rest: &mut Rest<'_>, depth: u32) -> ExprId {
        let mut parts = Vec::new();
        loop {
            parts.extend(self.quoted_type(rest, depth));
            if !rest.take("|") {
                return self.union_of(&parts);
            }
        }
    }

    /// A type without `|` at its outside; nothing for `None`.
    fn quoted_type(&mut self, rest: &mut Rest<'_>, depth: u32) -> Option<ExprId> {
        if depth > MAX_EXPR_DEPTH {
            return Some(self.b.unknown());
        }
        for quote in ['"', '\''] {
            if rest.take(quote.encode_utf8(&mut [0; 4])) {
                let inner = rest.quoted(quote);
                return Some(self.type_of_text(inner, depth + 1));
            }
        }
        // The parameters of a `Callable`.
        if rest.take("[") {
            self.quoted_arguments(rest, depth);
            return Some(self.b.unknown());
        }
        let name = rest.name();
        if name == "None" {
            return None;
        }
        if !super::types::is_dotted_name(name) {
            return Some(self.b.unknown());
        }
        let base = self.named_type(name);
        if !rest.take("[") {
            return Some(base);
        }
        let is_literal = name.ends_with("Literal");
        let inner = rest.0;
        let arguments = self.quoted_arguments(rest, depth);
        let is_open = inner[..inner.len() - rest.0.len()].contains("...");
        if is_literal || arguments.is_empty() {
            return Some(if is_literal { self.b.expr(crate::Expr::Builtin) } else { base });
        }
        Some(self.generic_of(name, base, &arguments, is_open))
    }

    /// What stands between brackets, behind the first one.
    fn quoted_arguments(&mut self, rest: &mut Rest<'_>, depth: u32) -> Vec<ExprId> {
        let mut arguments = Vec::new();
        while !rest.take("]") && !rest.0.is_empty() {
            let before = rest.0.len();
            arguments.push(self.quoted_union(rest, depth + 1));
            rest.take(",");
            // What is no type, such as a number of a `Literal`.
            if rest.0.len() == before {
                let mut signs = rest.0.chars();
                signs.next();
                rest.0 = signs.as_str();
            }
        }
        arguments
    }
}
