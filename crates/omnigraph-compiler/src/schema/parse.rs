//! Tokens to [`SchemaFile`]. Bodies and constraints are in [`body`], types in [`types`].

mod body;
mod types;

use super::ast::{
    Annotation, AnnotationArg, AnnotationValue, Card, Decl, EdgeDecl, InterfaceDecl, NodeDecl, SchemaFile,
};
use crate::code::Code;
use crate::cursor::{Cursor, Failed, Parsed};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::lex::{Comment, Kind};
use crate::literal::Literal;
use crate::source::Span;

const DECLARATIONS: [&str; 3] = ["interface", "node", "edge"];

/// Everything that could be read, and what could not.
pub(super) fn parse(text: &str) -> (SchemaFile, Diagnostics) {
    let (file, errors, _) = parse_with_comments(text);
    (file, errors)
}

/// With the comments, by place.
pub(super) fn parse_with_comments(text: &str) -> (SchemaFile, Diagnostics, Vec<Comment>) {
    let mut parser = Parser { at: Cursor::new(text, Code::S000) };
    let mut file = SchemaFile::default();
    while !parser.at.is_end() {
        match parser.decl() {
            Ok(decl) => file.decls.push(decl),
            Err(Failed) => parser.at.skip_declaration(&DECLARATIONS),
        }
    }
    (file, parser.at.errors, parser.at.comments)
}

struct Parser<'t> {
    at: Cursor<'t>,
}

impl Parser<'_> {
    fn decl(&mut self) -> Parsed<Decl> {
        let word = self.at.text(0);
        let start = self.at.expect_word(&DECLARATIONS)?;
        match word {
            "interface" => self.interface(start).map(Decl::Interface),
            "node" => self.node(start).map(Decl::Node),
            _ => self.edge(start).map(Decl::Edge),
        }
    }

    fn interface(&mut self, start: Span) -> Parsed<InterfaceDecl> {
        let name = self.at.type_name("the name of the interface")?;
        let annotations = self.annotations()?;
        self.at.expect("{")?;
        let members = self.members();
        let end = self.at.expect("}")?;
        let properties = members.into_iter().filter_map(|member| self.only_property(member)).collect();
        Ok(InterfaceDecl { name, annotations, properties, span: start.to(end) })
    }

    fn node(&mut self, start: Span) -> Parsed<NodeDecl> {
        let name = self.at.type_name("the name of the node type")?;
        let mut annotations = self.annotations()?;
        let mut implements = Vec::new();
        if self.at.eat_word("implements") {
            implements.push(self.at.type_name("the name of an interface")?);
            while self.at.eat(",") {
                implements.push(self.at.type_name("the name of an interface")?);
            }
        }
        annotations.extend(self.annotations()?);
        self.at.expect("{")?;
        let members = self.members();
        let end = self.at.expect("}")?;
        Ok(NodeDecl { name, annotations, implements, members, span: start.to(end) })
    }

    fn edge(&mut self, start: Span) -> Parsed<EdgeDecl> {
        let name = self.at.type_name("the name of the edge type")?;
        self.at.expect(":")?;
        let from = self.at.type_name("the node type the edge starts at")?;
        self.at.expect("->")?;
        let to = self.at.type_name("the node type the edge ends at")?;
        let mut card = None;
        let mut annotations = Vec::new();
        while self.at.is("@") {
            if self.at.is_word_ahead(1, "card") {
                let found = self.card()?;
                if let Some(first) = card.replace(found) {
                    self.twice("@card", found.span, first.span);
                }
            } else {
                annotations.push(self.annotation()?);
            }
        }
        let mut members = Vec::new();
        if self.at.eat("{") {
            members = self.members();
            self.at.expect("}")?;
        }
        let span = start.to(self.at.previous());
        Ok(EdgeDecl { name, from, to, card, annotations, members, span })
    }

    fn twice(&mut self, what: &str, second: Span, first: Span) {
        let found = Diagnostic::error(Code::S001, second, format!("{what} is declared twice"));
        self.at.note(found.also(first, "first here"));
    }

    /// `@card(0..1)`, `@card(1..)`, `@card(0..*)`
    fn card(&mut self) -> Parsed<Card> {
        let start = self.at.expect("@")?;
        self.at.bump();
        self.at.expect("(")?;
        let (min, _) = self.at.small_int("the least number of edges")?;
        self.at.expect("..")?;
        let open = self.at.eat("*") || self.at.is(")");
        let max = if open { None } else { Some(self.at.small_int("the greatest number of edges")?.0) };
        let span = start.to(self.at.expect(")")?);
        Ok(Card { min, max, span })
    }

    fn annotations(&mut self) -> Parsed<Vec<Annotation>> {
        let mut annotations = Vec::new();
        while self.at.is("@") {
            annotations.push(self.annotation()?);
        }
        Ok(annotations)
    }

    fn annotation(&mut self) -> Parsed<Annotation> {
        let start = self.at.expect("@")?;
        let name = self.at.ident("the name of an annotation")?;
        let mut args = Vec::new();
        if self.at.eat("(") {
            loop {
                args.push(self.annotation_arg()?);
                if !self.at.eat(",") {
                    break;
                }
            }
            self.at.expect(")")?;
        }
        Ok(Annotation { name, args, span: start.to(self.at.previous()) })
    }

    fn annotation_arg(&mut self) -> Parsed<AnnotationArg> {
        let mut key = None;
        // Others write `model="x"`; formatting makes it `model: "x"`.
        if self.at.kind(0) == Kind::Ident && (self.at.is_ahead(1, ":") || self.at.is_ahead(1, "=")) {
            key = Some(self.at.ident("a name")?);
            self.at.bump();
        }
        let start = self.at.span();
        let value = self.annotation_value()?;
        Ok(AnnotationArg { key, value, span: start.to(self.at.previous()) })
    }

    fn annotation_value(&mut self) -> Parsed<AnnotationValue> {
        let literal = match self.at.kind(0) {
            Kind::Str => Literal::String(self.at.string("a string")?.0),
            Kind::Int | Kind::Float | Kind::Punct("-") => self.at.number()?.0,
            Kind::Ident if self.at.is_ahead(1, "(") => self.date_literal()?,
            Kind::Ident => {
                let name = self.at.ident("a value")?;
                match name.text.as_str() {
                    "true" => Literal::Bool(true),
                    "false" => Literal::Bool(false),
                    "null" => Literal::Null,
                    _ => return Ok(AnnotationValue::Ident(name.text)),
                }
            }
            _ => return Err(self.at.expected("a value: a name, a string, a number, true or false")),
        };
        Ok(AnnotationValue::Literal(literal))
    }

    /// `date("…")` or `datetime("…")`
    fn date_literal(&mut self) -> Parsed<Literal> {
        let word = self.at.text(0);
        self.at.expect_word(&["date", "datetime"])?;
        self.at.expect("(")?;
        let (text, _) = self.at.string("a date in quotes")?;
        self.at.expect(")")?;
        Ok(if word == "date" { Literal::Date(text) } else { Literal::DateTime(text) })
    }
}
