//! Tokens to [`QueryFile`]. Patterns are in [`clause`], values in [`expr`], changes in [`mutation`].

mod clause;
mod expr;
mod mutation;

pub(super) use clause::{ANY_EDGE, as_filter, in_queries};

use super::ast::{Body, Direction, Expr, ExprKind, OrderKey, Param, Projection, QueryDecl, QueryFile, Read};
use crate::code::Code;
use crate::cursor::{Cursor, Failed, Parsed};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::lex::{Comment, Kind};
use crate::literal::Literal;
use crate::source::Span;
use crate::suggest;
use crate::types::{SCALARS, Scalar, Type};

/// Everything that could be read, what could not, and the comments by place.
pub(super) fn parse(text: &str) -> (QueryFile, Diagnostics, Vec<Comment>) {
    let mut parser = Parser { at: Cursor::new(text, Code::Q000) };
    let mut file = QueryFile::default();
    while !parser.at.is_end() {
        match parser.query() {
            Ok(query) => file.queries.push(query),
            Err(Failed) => parser.at.skip_declaration(&["query"]),
        }
    }
    (file, parser.at.errors, parser.at.comments)
}

pub(super) struct Parser<'t> {
    at: Cursor<'t>,
}

impl Parser<'_> {
    fn query(&mut self) -> Parsed<QueryDecl> {
        let start = self.at.expect_word(&["query"])?;
        let name = self.at.ident("the name of the query")?;
        if !self.at.is("(") {
            let hint = format!("write `query {name}()` for a query without parameters");
            return Err(self.at.expected_or("`(`", Some(hint)));
        }
        let params = self.params()?;
        let (description, instruction) = self.annotations(&name.text)?;
        let header = start.to(self.at.expect("{")?);
        let body = match self.at.kind(0) {
            Kind::Ident if self.at.is_word("match") => Body::Read(self.read()?),
            Kind::Ident if mutation::WORDS.contains(&self.at.text(0)) => Body::Mutation(self.statements()),
            _ => {
                let words = ["match", "insert", "update", "delete"];
                let hint = suggest::did_you_mean(self.at.text(0), words);
                return Err(self.at.expected_or("`match`, `insert`, `update` or `delete`", hint));
            }
        };
        let span = start.to(self.close_body(&body)?);
        Ok(QueryDecl { name, params, description, instruction, body, header, span })
    }

    fn close_body(&mut self, body: &Body) -> Parsed<Span> {
        let hint = match (body, self.at.text(0)) {
            (Body::Read(_), "skip" | "order" | "match") => {
                Some("the parts are `match`, `return`, `order`, `skip`, `limit`, in this order".to_owned())
            }
            (Body::Read(_), word) => suggest::did_you_mean(word, ["order", "skip", "limit"]),
            (Body::Mutation(_), word) => suggest::did_you_mean(word, mutation::WORDS),
        };
        if self.at.is("}") { Ok(self.at.bump().span) } else { Err(self.at.expected_or("`}`", hint)) }
    }

    fn params(&mut self) -> Parsed<Vec<Param>> {
        self.at.expect("(")?;
        let mut params = Vec::new();
        while !self.at.is(")") {
            let name = self.at.variable("a parameter such as `$name: String`")?;
            self.at.expect(":")?;
            let ty = self.param_type()?;
            let default = if self.at.eat("=") { Some(self.operand()?) } else { None };
            params.push(Param { name, ty, default });
            self.at.at_most(params.len(), "parameters")?;
            if !self.at.eat(",") {
                break;
            }
        }
        self.at.expect(")")?;
        Ok(params)
    }

    fn param_type(&mut self) -> Parsed<Type> {
        let ty = if self.at.eat("[") {
            let scalar = self.param_scalar()?;
            self.at.expect("]")?;
            Type::list_of(scalar)
        } else if self.at.kind(0) == Kind::Type && self.at.text(0) == "Vector" {
            self.at.bump();
            self.at.expect("(")?;
            let (dimension, _) = self.at.small_int("a dimension")?;
            self.at.expect(")")?;
            Type::scalar(Scalar::Vector(dimension))
        } else {
            Type::scalar(self.param_scalar()?)
        };
        let nullable = self.at.eat("?");
        Ok(ty.with_null(nullable))
    }

    fn param_scalar(&mut self) -> Parsed<Scalar> {
        if let Some(scalar) = Scalar::named(self.at.text(0)).filter(|_| self.at.kind(0) == Kind::Type) {
            self.at.bump();
            return Ok(scalar);
        }
        if self.at.is_word("enum") {
            let hint = "the value of an enum property is passed as a String".to_owned();
            return Err(self.at.expected_or("a type", Some(hint)));
        }
        let known = SCALARS.iter().map(|(name, _)| *name).chain(["Vector"]);
        let hint = suggest::did_you_mean(self.at.text(0), known);
        Err(self.at.expected_or("a type", hint))
    }

    /// `@description("…")` and `@instruction("…")`, each once, in any order.
    fn annotations(&mut self, query: &str) -> Parsed<(Option<String>, Option<String>)> {
        let mut texts = (None, None);
        while self.at.is("@") {
            let start = self.at.bump().span;
            let word = self.at.text(0);
            let span = start.to(self.at.expect_word(&["description", "instruction"])?);
            self.at.expect("(")?;
            let (text, _) = self.at.string("a text in quotes")?;
            self.at.expect(")")?;
            let place = if word == "description" { &mut texts.0 } else { &mut texts.1 };
            if place.replace(text).is_some() {
                self.at.fail(span, format!("query `{query}` has @{word} twice"));
            }
        }
        Ok(texts)
    }

    fn read(&mut self) -> Parsed<Read> {
        let start = self.at.expect_word(&["match"])?;
        let (mut clauses, mut end) = self.pattern()?;
        while self.at.is_word("optional") && self.at.is_word_ahead(1, "match") {
            let block = self.block(super::ast::BlockKind::Optional)?;
            end = block.span;
            clauses.push(super::ast::Clause::Block(block));
        }
        let match_span = start.to(end);
        let start = self.at.expect_word(&["return"])?;
        let distinct = self.at.eat_word("distinct");
        let projections = self.projections()?;
        let return_span = start.to(self.at.previous());
        let mut read = Read {
            clauses,
            match_span,
            distinct,
            projections,
            return_span,
            order: Vec::new(),
            order_span: Span::default(),
            skip: None,
            limit: None,
        };
        if self.at.is_word("order") {
            let start = self.at.bump().span;
            read.order = self.order()?;
            read.order_span = start.to(self.at.previous());
        }
        loop {
            let place = match self.at.text(0) {
                "skip" => &mut read.skip,
                "limit" => &mut read.limit,
                _ => return Ok(read),
            };
            let span = self.at.bump().span;
            let count = self.count()?;
            if place.replace(count).is_some() {
                self.at.fail(span, "is there twice");
            }
        }
    }

    /// A whole number or a parameter.
    fn count(&mut self) -> Parsed<Expr> {
        let span = self.at.span();
        let kind = match self.at.kind(0) {
            Kind::Int => ExprKind::Literal(self.at.number()?.0),
            Kind::Var => ExprKind::Var(self.at.variable("a parameter")?.text),
            _ => return Err(self.at.expected("a whole number or a parameter")),
        };
        if let ExprKind::Literal(Literal::Int(value)) = kind
            && i64::try_from(value).is_err()
        {
            return Err(self.at.fail(span, format!("{value} rows are too many")));
        }
        Ok(Expr { kind, span })
    }

    /// Separated by commas, lines, or nothing at all.
    fn projections(&mut self) -> Parsed<Vec<Projection>> {
        let brace = self.at.expect("{")?;
        let mut projections = Vec::new();
        while !self.at.is("}") && !self.at.is_end() {
            let start = self.at.mark();
            match self.projection() {
                Ok(projection) => {
                    projections.push(projection);
                    self.at.at_most(projections.len(), "columns")?;
                }
                Err(Failed) => self.at.skip_item(start),
            }
            self.at.eat(",");
        }
        let span = brace.to(self.at.expect("}")?);
        if projections.is_empty() {
            let found = Diagnostic::error(Code::Q000, span, "`return` needs at least one value");
            return Err(self.at.note(found));
        }
        Ok(projections)
    }

    fn projection(&mut self) -> Parsed<Projection> {
        let expr = self.expr()?;
        let alias = if self.at.eat_word("as") { Some(self.at.ident("a name for the column")?) } else { None };
        Ok(Projection { expr, alias })
    }

    fn order(&mut self) -> Parsed<Vec<OrderKey>> {
        self.at.expect("{")?;
        let mut keys = vec![self.order_key()?];
        while self.at.eat(",") && !self.at.is("}") {
            keys.push(self.order_key()?);
            self.at.at_most(keys.len(), "sort keys")?;
        }
        self.at.expect("}")?;
        Ok(keys)
    }

    fn order_key(&mut self) -> Parsed<OrderKey> {
        let expr = self.expr()?;
        let direction = match self.at.text(0) {
            "asc" => Some(Direction::Asc),
            "desc" => Some(Direction::Desc),
            _ => return Ok(OrderKey { expr, direction: None }),
        };
        let span = self.at.bump().span;
        if let ExprKind::Call { function: super::ast::Function::Nearest, .. } = expr.kind {
            let found = Diagnostic::error(Code::Q000, span, "nearest takes no direction");
            return Err(self.at.note(found.hint("the nearest is always first; remove the word")));
        }
        Ok(OrderKey { expr, direction })
    }
}
