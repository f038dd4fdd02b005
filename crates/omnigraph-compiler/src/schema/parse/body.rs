//! Properties and constraints between the braces of a type.

use super::Parser;
use crate::code::Code;
use crate::cursor::{Failed, Parsed};
use crate::diagnostic::Diagnostic;
use crate::lex::Kind;
use crate::literal::Literal;
use crate::schema::ast::{ConstraintDecl, ConstraintKind, Member, PropertyDecl};
use crate::source::{Name, Span};
use crate::suggest;

const CONSTRAINTS: [&str; 5] = ["key", "unique", "index", "range", "check"];

impl Parser<'_> {
    /// Up to the closing brace, which stays. A member that cannot be read is reported and left out.
    pub(super) fn members(&mut self) -> Vec<Member> {
        let mut members = Vec::new();
        while !self.at.is("}") && !self.at.is_end() {
            let start = self.at.mark();
            let member = if self.at.is("@") {
                self.constraint().map(Member::Constraint)
            } else {
                self.property().map(Member::Property)
            };
            match member {
                Ok(member) => members.push(member),
                Err(Failed) => self.at.skip_item(start),
            }
            self.at.eat(",");
            if self.at.at_most(members.len(), "members in a type").is_err() {
                break;
            }
        }
        members
    }

    pub(super) fn only_property(&mut self, member: Member) -> Option<PropertyDecl> {
        match member {
            Member::Property(property) => Some(property),
            Member::Constraint(constraint) => {
                let message = "an interface holds properties only";
                let found = Diagnostic::error(Code::S004, constraint.span, message);
                self.at.note(found.hint("write the constraint behind a property, or into the node types"));
                None
            }
        }
    }

    fn property(&mut self) -> Parsed<PropertyDecl> {
        let name = self.at.ident("a property or a constraint")?;
        self.at.expect(":")?;
        let start = self.at.span();
        let ty = self.type_ref()?;
        let ty_span = start.to(self.at.previous());
        let mut annotations = Vec::new();
        while self.at.is("@") && !self.is_constraint() {
            annotations.push(self.annotation()?);
        }
        let span = name.span.to(self.at.previous());
        Ok(PropertyDecl { name, ty, ty_span, annotations, span })
    }

    /// `@key(`, `@unique(` …: with names of properties these words are constraints, without they are annotations.
    fn is_constraint(&self) -> bool {
        let known = self.at.kind(1) == Kind::Ident && CONSTRAINTS.contains(&self.at.text(1));
        known && self.at.is_ahead(2, "(") && !self.is_language(3)
    }

    fn constraint(&mut self) -> Parsed<ConstraintDecl> {
        if !self.is_constraint() {
            let hint =
                suggest::closest(self.at.text(1), CONSTRAINTS).map(|word| format!("did you mean `@{word}`?"));
            let general = "constraints are @key(…), @unique(…), @index(…), @range(…) and @check(…)";
            return Err(self.at.expected_or("a property or a constraint", hint.or(Some(general.into()))));
        }
        let start = self.at.bump().span;
        let word = self.at.text(0);
        self.at.bump();
        self.at.expect("(")?;
        let kind = match word {
            "key" => ConstraintKind::Key(self.properties()?),
            "unique" => ConstraintKind::Unique(self.properties()?),
            "index" => self.index()?,
            "range" => self.range()?,
            _ => self.check()?,
        };
        let span = start.to(self.at.expect(")")?);
        Ok(ConstraintDecl { kind, span })
    }

    fn properties(&mut self) -> Parsed<Vec<Name>> {
        let hint = "a constraint behind a property takes no value; in the body it names properties, such as \
                    @unique(email)";
        if self.at.kind(0) != Kind::Ident && !self.at.is("@") {
            return Err(self.at.expected_or("the name of a property", Some(hint.into())));
        }
        let mut names = vec![self.column()?];
        while self.at.is(",") && !self.is_language(1) {
            self.at.bump();
            names.push(self.column()?);
        }
        Ok(names)
    }

    /// A property, or an end of an edge: `@src`.
    fn column(&mut self) -> Parsed<Name> {
        let start = self.at.span();
        let is_end = self.at.eat("@");
        let mut name = self.at.ident("the name of a property")?;
        if is_end {
            name.text.insert(0, '@');
            name.span = start.to(name.span);
        }
        Ok(name)
    }

    fn index(&mut self) -> Parsed<ConstraintKind> {
        let names = self.properties()?;
        if !self.at.eat(",") {
            return Ok(ConstraintKind::Index { names, language: None });
        }
        self.at.bump();
        self.at.expect(":")?;
        let language = Some(self.at.string("the code of a language in quotes, such as \"en\"")?);
        Ok(ConstraintKind::Index { names, language })
    }

    /// `language:` so many tokens ahead.
    fn is_language(&self, ahead: usize) -> bool {
        self.at.is_word_ahead(ahead, "language") && self.at.is_ahead(ahead + 1, ":")
    }

    fn range(&mut self) -> Parsed<ConstraintKind> {
        let property = self.at.ident("the name of a property")?;
        self.at.expect(",")?;
        let start = self.at.span();
        let min = if self.at.is("..") { None } else { Some(self.bound()?) };
        self.at.expect("..")?;
        let max = if self.at.is(")") { None } else { Some(self.bound()?) };
        if min.is_none() && max.is_none() {
            let span: Span = start.to(self.at.previous());
            return Err(self.at.fail(span, "a range needs a bound: `0..`, `..10` or `0..10`"));
        }
        Ok(ConstraintKind::Range { property, min, max })
    }

    fn bound(&mut self) -> Parsed<Literal> {
        Ok(self.at.number()?.0)
    }

    fn check(&mut self) -> Parsed<ConstraintKind> {
        let property = self.at.ident("the name of a property")?;
        self.at.expect(",")?;
        let (pattern, pattern_span) = self.at.string("a regular expression in quotes")?;
        Ok(ConstraintKind::Check { property, pattern, pattern_span })
    }
}
