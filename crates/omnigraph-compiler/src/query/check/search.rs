//! Search functions: what they look at, and what they look for.

use super::Checker;
use super::expr::boolean;
use super::scope::Scope;
use super::value::literal_type;
use crate::code::Code;
use crate::language::Language;
use crate::literal::Literal;
use crate::query::ast::{self, Function};
use crate::query::typed::{Expr, ExprKind, Marked, Score, TextMatch, TextMode};
use crate::source::Span;
use crate::types::{Scalar, Type};

/// The constant of reciprocal rank fusion when none is written.
const RRF_K: i128 = 60;

/// Characters of a snippet when the query does not say.
const SNIPPET: i128 = 160;

/// The most typing errors that an index can bear.
const MAX_EDITS: i128 = 2;

impl Checker<'_> {
    pub(super) fn text_match(
        &mut self,
        function: Function,
        args: &[ast::Expr],
        span: Span,
        scope: &Scope,
    ) -> Option<Expr> {
        let code = if function == Function::MatchText { Code::T20 } else { Code::T19 };
        let most = if function == Function::Fuzzy { 3 } else { 2 };
        if args.len() < 2 || args.len() > most {
            let takes = if most == 3 { "2 or 3 arguments" } else { "2 arguments" };
            return self.arity(code, function, takes, args.len(), span);
        }
        let (var, property) = self.text_property(function, &args[0], code, scope)?;
        let query = Box::new(self.text_query(function, &args[1], code)?);
        let languages = self.languages(&var, &property, scope);
        let mode = match function {
            Function::MatchText => TextMode::Phrase,
            Function::Search => TextMode::Words,
            Function::Prefix => TextMode::Prefix,
            _ => TextMode::Fuzzy(match args.get(2) {
                Some(edits) => Some(Box::new(self.edits(edits)?)),
                None => None,
            }),
        };
        Some(boolean(ExprKind::Text(TextMatch { var, property, mode, query, languages })))
    }

    /// What the texts of a variable are written in, type by type.
    fn languages(&self, var: &str, property: &str, scope: &Scope) -> Vec<(String, Language)> {
        let types = scope.get(var).map(|var| &*var.types).unwrap_or_default();
        let language = |name: &String| {
            let language = self.catalog.body(name)?.language(property)?;
            Some((name.clone(), language))
        };
        types.iter().filter_map(language).collect()
    }

    /// `highlight(search(…))`, `snippet(search(…), 160)`, each with two texts that go around what is found.
    pub(super) fn marked(
        &mut self,
        function: Function,
        args: &[ast::Expr],
        span: Span,
        scope: &Scope,
    ) -> Option<Expr> {
        let word = function.as_str();
        let found = match args.first().map(|first| (&first.kind, first.span)) {
            Some((ast::ExprKind::Call { function: inner, args }, span)) if inner.is_text_match() => {
                Some((self.text_match(*inner, args, span, scope)?, &args[0]))
            }
            _ => None,
        };
        let Some((Expr { kind: ExprKind::Text(what), .. }, field)) = found else {
            let message = format!("{word} marks what search, prefix, fuzzy or match_text finds");
            return self.error_with_hint(
                Code::T19,
                span,
                message,
                format!("write `{word}(search($d.body, $q))`"),
            );
        };
        let text = self.scalar(field, scope)?;
        let mut rest = &args[1..];
        let mut most = None;
        if let (Function::Snippet, [characters, behind @ ..]) = (function, rest) {
            most = Some(self.characters(characters)?);
            rest = behind;
        } else if function == Function::Snippet {
            most =
                Some(Expr { kind: ExprKind::Literal(Literal::Int(SNIPPET)), ty: Type::scalar(Scalar::I64) });
        }
        let marks = match rest {
            [] => None,
            [before, behind] => {
                let before = self.mark(function, before)?;
                Some((before, self.mark(function, behind)?))
            }
            _ => {
                let takes = "two texts to put around what is found, or none";
                return self.error(Code::T19, span, format!("{word} takes {takes}"));
            }
        };
        let is_null = |expr: &Expr| expr.ty.nullable;
        let nullable = is_null(&text) || is_null(&what.query) || most.as_ref().is_some_and(is_null);
        let ty = text.ty.clone().with_null(nullable);
        Some(Expr { kind: ExprKind::Marked(Box::new(Marked { text, what, most, marks })), ty })
    }

    /// What stands before or behind a place.
    fn mark(&mut self, function: Function, mark: &ast::Expr) -> Option<Expr> {
        let word = function.as_str();
        let found = self.constant(mark, word, Code::T19)?;
        if !found.ty.is(&Scalar::String) {
            let message = format!("{word} puts Strings around what it finds, not {}", found.ty);
            return self.error(Code::T19, mark.span, message);
        }
        Some(found)
    }

    fn characters(&mut self, characters: &ast::Expr) -> Option<Expr> {
        let found = self.constant(characters, "snippet", Code::T19)?;
        let is_number = !found.ty.list && found.ty.scalar.is_integer();
        if !is_number || matches!(found.kind, ExprKind::Literal(Literal::Int(value)) if value <= 0) {
            let message = "the length of a snippet is a number of characters greater than 0";
            return self.error(Code::T19, characters.span, message);
        }
        Some(found)
    }

    fn arity<T>(
        &mut self,
        code: Code,
        function: Function,
        takes: &str,
        given: usize,
        span: Span,
    ) -> Option<T> {
        self.error(code, span, format!("{} takes {takes}, not {given}", function.as_str()))
    }

    fn text_property(
        &mut self,
        function: Function,
        field: &ast::Expr,
        code: Code,
        scope: &Scope,
    ) -> Option<(String, String)> {
        let word = function.as_str();
        let Some((var, property)) = Self::as_property(field) else {
            let message = format!("the first argument of {word} is a String property");
            return self.error_with_hint(code, field.span, message, format!("write `{word}($d.title, $q)`"));
        };
        let ty = self.property(var, property, scope, Code::T6)?;
        if !ty.is_text() {
            let message = format!("{word} looks at a String property; `{property}` is {ty}");
            return self.error(code, field.span, message);
        }
        Some((var.text.clone(), property.text.clone()))
    }

    fn text_query(&mut self, function: Function, query: &ast::Expr, code: Code) -> Option<Expr> {
        let word = function.as_str();
        let found = self.constant(query, word, code)?;
        if !found.ty.is(&Scalar::String) {
            let message = format!("{word} looks for a String, not {}", found.ty);
            return self.error(code, query.span, message);
        }
        Some(found)
    }

    /// A parameter or a literal: the same for all rows.
    fn constant(&mut self, value: &ast::Expr, word: &str, code: Code) -> Option<Expr> {
        match &value.kind {
            ast::ExprKind::Literal(literal) => {
                Some(Expr { kind: ExprKind::Literal(literal.clone()), ty: literal_type(literal) })
            }
            ast::ExprKind::Var(name) if self.param(name).is_some() => {
                let ty = self.param(name)?.ty.clone();
                Some(Expr { kind: ExprKind::Param(name.clone()), ty })
            }
            ast::ExprKind::Var(name) => {
                let hint = format!("declare `${name}` as a parameter of the query");
                self.error_with_hint(code, value.span, format!("`${name}` is not a parameter"), hint)
            }
            _ => self.error(code, value.span, format!("{word} needs a parameter or a literal here")),
        }
    }

    fn edits(&mut self, edits: &ast::Expr) -> Option<Expr> {
        let found = self.constant(edits, "fuzzy", Code::T19)?;
        if found.ty.list || !found.ty.scalar.is_integer() {
            let message = format!("the number of typing errors is a whole number, not {}", found.ty);
            return self.error(Code::T19, edits.span, message);
        }
        if let ExprKind::Literal(Literal::Int(value)) = found.kind
            && !(0..=MAX_EDITS).contains(&value)
        {
            let message = format!("fuzzy bears 0 to {MAX_EDITS} typing errors, not {value}");
            return self.error(Code::T19, edits.span, message);
        }
        Some(found)
    }

    pub(super) fn score(
        &mut self,
        function: Function,
        args: &[ast::Expr],
        span: Span,
        scope: &Scope,
    ) -> Option<Expr> {
        let found = match function {
            Function::Bm25 => self.bm25(args, span, scope)?,
            Function::Nearest => self.nearest(args, span, scope)?,
            _ => self.rrf(args, span, scope)?,
        };
        Some(Expr { kind: ExprKind::Score(Box::new(found)), ty: Type::scalar(Scalar::F64).with_null(true) })
    }

    fn bm25(&mut self, args: &[ast::Expr], span: Span, scope: &Scope) -> Option<Score> {
        let [field, query] = args else {
            return self.arity(Code::T20, Function::Bm25, "2 arguments", args.len(), span);
        };
        let (var, property) = self.text_property(Function::Bm25, field, Code::T20, scope)?;
        let query = self.text_query(Function::Bm25, query, Code::T20)?;
        Some(Score::Bm25 { var, property, query })
    }

    fn nearest(&mut self, args: &[ast::Expr], span: Span, scope: &Scope) -> Option<Score> {
        let [field, query] = args else {
            return self.arity(Code::T15, Function::Nearest, "2 arguments", args.len(), span);
        };
        let Some((var, property)) = Self::as_property(field) else {
            let hint = "write `nearest($d.embedding, $q)`";
            let message = "the first argument of nearest is a Vector property";
            return self.error_with_hint(Code::T15, field.span, message, hint);
        };
        let ty = self.property(var, property, scope, Code::T15)?;
        let Scalar::Vector(dimension) = ty.scalar else {
            let message = format!("nearest looks at a Vector property; `{property}` is {ty}");
            return self.error(Code::T15, field.span, message);
        };
        let query = self.vector_query(query, dimension)?;
        Some(Score::Nearest { var: var.text.clone(), property: property.text.clone(), query, dimension })
    }

    /// A vector of the same dimension, a list of as many numbers, or a text to embed.
    fn vector_query(&mut self, query: &ast::Expr, dimension: u32) -> Option<Expr> {
        if let ast::ExprKind::List(items) = &query.kind {
            let place = super::value::Place::property("nearest");
            if items.len() != dimension as usize {
                let message =
                    format!("the property is Vector({dimension}), and the list has {} numbers", items.len());
                return self.error(Code::T15, query.span, message);
            }
            return self.fitting(query, &Type::scalar(Scalar::Vector(dimension)), &place);
        }
        let found = self.constant(query, "nearest", Code::T15)?;
        match found.ty.scalar {
            Scalar::Vector(given) if !found.ty.list && given == dimension => Some(found),
            Scalar::String if !found.ty.list => Some(found),
            _ => {
                let message =
                    format!("nearest looks for a Vector({dimension}) or a String, not {}", found.ty);
                self.error(Code::T15, query.span, message)
            }
        }
    }

    fn rrf(&mut self, args: &[ast::Expr], span: Span, scope: &Scope) -> Option<Score> {
        let is_rank = |arg: &ast::Expr| {
            matches!(arg.kind, ast::ExprKind::Call { function: Function::Nearest | Function::Bm25, .. })
        };
        let ranks = args.iter().take_while(|arg| is_rank(arg)).count();
        if ranks < 2 || args.len() > ranks + 1 {
            let message = "rrf takes two or more of nearest(…) and bm25(…), and perhaps a number";
            return self.error_with_hint(Code::T21, span, message, "write `rrf(nearest(…), bm25(…), 60)`");
        }
        let mut scores = Vec::new();
        for arg in &args[..ranks] {
            let ast::ExprKind::Call { function, args } = &arg.kind else { continue };
            scores.push(match function {
                Function::Nearest => self.nearest(args, arg.span, scope)?,
                _ => self.bm25(args, arg.span, scope)?,
            });
        }
        let k = match args.get(ranks) {
            Some(k) => self.rrf_k(k)?,
            None => Expr { kind: ExprKind::Literal(Literal::Int(RRF_K)), ty: Type::scalar(Scalar::I64) },
        };
        if scores.iter().any(|score| score.vars() != scores[0].vars()) {
            return self.error(Code::T21, span, "rrf ranks one variable; its rankings look at several");
        }
        Some(Score::Rrf { ranks: scores, k })
    }

    fn rrf_k(&mut self, k: &ast::Expr) -> Option<Expr> {
        let found = self.constant(k, "rrf", Code::T21)?;
        if found.ty.list || !found.ty.scalar.is_integer() {
            return self.error(
                Code::T21,
                k.span,
                format!("the k of rrf is a whole number, not {}", found.ty),
            );
        }
        if matches!(found.kind, ExprKind::Literal(Literal::Int(value)) if value <= 0) {
            return self.error(Code::T21, k.span, "the k of rrf is greater than 0");
        }
        Some(found)
    }
}
