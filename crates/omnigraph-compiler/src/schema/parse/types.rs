//! Types of properties.

use super::Parser;
use crate::code::Code;
use crate::cursor::Parsed;
use crate::diagnostic::Diagnostic;
use crate::lex::Kind;
use crate::source::Span;
use crate::suggest;
use crate::types::{SCALARS, Scalar, Type};

/// The engine counts dimensions in signed 32 bits.
const MAX_DIMENSION: u32 = i32::MAX as u32;

impl Parser<'_> {
    pub(super) fn type_ref(&mut self) -> Parsed<Type> {
        let ty = if self.at.eat("[") {
            let span = self.at.span();
            let scalar = self.scalar()?;
            self.at.expect("]")?;
            if matches!(scalar, Scalar::Blob | Scalar::Vector(_) | Scalar::Enum(_)) {
                let found = Diagnostic::error(
                    Code::S006,
                    span,
                    format!("list of {} is not supported", word(&scalar)),
                );
                self.at.note(found.hint("lists hold String, Bool, numbers, Date or DateTime"));
            }
            Type::list_of(scalar)
        } else {
            Type::scalar(self.scalar()?)
        };
        let nullable = self.at.eat("?");
        Ok(ty.with_null(nullable))
    }

    fn scalar(&mut self) -> Parsed<Scalar> {
        if self.at.is_word("enum") {
            return self.enum_type();
        }
        if self.at.kind(0) == Kind::Type && self.at.text(0) == "Vector" {
            return self.vector();
        }
        if let Some(scalar) = Scalar::named(self.at.text(0)).filter(|_| self.at.kind(0) == Kind::Type) {
            self.at.bump();
            return Ok(scalar);
        }
        let known = SCALARS.iter().map(|(name, _)| *name).chain(["Vector", "enum"]);
        let hint = suggest::did_you_mean(self.at.text(0), known);
        let all = "types are String, Bool, I32, I64, U32, U64, F32, F64, Date, DateTime, Blob, Vector(n), enum(…) and [T]";
        Err(self.at.expected_or("a type", hint.or(Some(all.into()))))
    }

    fn vector(&mut self) -> Parsed<Scalar> {
        self.at.bump();
        self.at.expect("(")?;
        let (dimension, span) = self.at.small_int("a dimension")?;
        self.at.expect(")")?;
        if dimension == 0 || dimension > MAX_DIMENSION {
            let message = format!("a Vector has 1 to {MAX_DIMENSION} dimensions, not {dimension}");
            self.at.note(Diagnostic::error(Code::S006, span, message));
        }
        Ok(Scalar::Vector(dimension))
    }

    fn enum_type(&mut self) -> Parsed<Scalar> {
        self.at.bump();
        self.at.expect("(")?;
        let mut values: Vec<(String, Span)> = Vec::new();
        loop {
            let (value, span) = self.enum_value()?;
            match values.iter().find(|(known, _)| *known == value) {
                Some((_, first)) => {
                    let found =
                        Diagnostic::error(Code::S006, span, format!("the value `{value}` is there twice"));
                    let first = *first;
                    self.at.note(found.also(first, "first here"));
                }
                None => values.push((value, span)),
            }
            if !self.at.eat(",") || self.at.is(")") {
                break;
            }
        }
        self.at.expect(")")?;
        Ok(Scalar::Enum(values.into_iter().map(|(value, _)| value).collect()))
    }

    /// Letters, digits, `_` and `-` without a space between them: several tokens that touch.
    fn enum_value(&mut self) -> Parsed<(String, Span)> {
        let start = self.at.span();
        let mut value = String::new();
        let mut end = start.start;
        while self.at.span().start == end {
            match self.at.kind(0) {
                Kind::Ident | Kind::Type | Kind::Int | Kind::Punct("-") => {}
                Kind::Float if !self.at.text(0).contains(['.', '+']) => {} // `1e5` is a word too
                _ => break,
            }
            value.push_str(self.at.text(0));
            end = self.at.bump().span.end;
        }
        if value.is_empty() {
            return Err(self.at.expected("a value of letters, digits, `_` and `-`"));
        }
        Ok((value, start.to(self.at.previous())))
    }
}

fn word(scalar: &Scalar) -> &'static str {
    match scalar {
        Scalar::Vector(_) => "Vector",
        Scalar::Enum(_) => "enum",
        _ => "Blob",
    }
}
