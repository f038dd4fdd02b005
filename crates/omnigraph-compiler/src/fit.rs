//! Whether a literal can be a value of a type.

use crate::calendar::{parse_date, parse_datetime};
use crate::literal::Literal;
use crate::types::{Scalar, Type};

/// Why the literal is not a value of the type, as a part of a sentence; `None` when it is one. A list's elements are asked
/// for one by one.
pub(crate) fn misfit(literal: &Literal, ty: &Type) -> Option<String> {
    if *literal == Literal::Null {
        return (!ty.nullable).then(|| "it may not be null".into());
    }
    if ty.list {
        return Some(format!("it is {ty}, not one {}", ty.scalar));
    }
    let wrong = || Some(format!("it is {}, not {}", ty.scalar, kind(literal)));
    match (literal, &ty.scalar) {
        (Literal::Bool(_), Scalar::Bool) | (Literal::String(_), Scalar::String | Scalar::Blob) => None,
        (Literal::Int(value), scalar) if scalar.is_numeric() => outside(*value, scalar),
        (Literal::Float(value), Scalar::F32) => {
            let lost = (*value as f32).is_infinite();
            lost.then(|| "it does not fit F32".into())
        }
        (Literal::Float(_), Scalar::F64) => None,
        (Literal::Float(value), scalar) if scalar.is_integer() => {
            if value.fract() == 0.0 && value.abs() < 9.0e18 {
                outside(*value as i128, scalar)
            } else {
                Some(format!("it is {scalar}, and {value:?} is not a whole number"))
            }
        }
        (Literal::String(value), Scalar::Enum(values)) => {
            let known = values.contains(value);
            (!known).then(|| format!("it is one of [{}], not \"{value}\"", values.join(", ")))
        }
        (Literal::Date(_), Scalar::Date) | (Literal::DateTime(_), Scalar::DateTime) => malformed(literal),
        _ => wrong(),
    }
}

/// Why a date or moment cannot be read.
pub(crate) fn malformed(literal: &Literal) -> Option<String> {
    match literal {
        Literal::Date(text) if parse_date(text).is_none() => {
            Some(format!("\"{text}\" is not a valid date; write YYYY-MM-DD"))
        }
        Literal::DateTime(text) if parse_datetime(text).is_none() => {
            Some(format!("\"{text}\" is not a valid date and time; write YYYY-MM-DDTHH:MM:SSZ"))
        }
        _ => None,
    }
}

fn outside(value: i128, scalar: &Scalar) -> Option<String> {
    let (least, greatest) = scalar.integer_range()?;
    let fits = (least..=greatest).contains(&value);
    (!fits).then(|| format!("{value} does not fit {scalar}, which goes from {least} to {greatest}"))
}

/// What a literal is called.
pub(crate) fn kind(literal: &Literal) -> &'static str {
    match literal {
        Literal::Null => "null",
        Literal::Bool(_) => "Bool",
        Literal::Int(_) => "an integer",
        Literal::Float(_) => "a float",
        Literal::String(_) => "String",
        Literal::Date(_) => "Date",
        Literal::DateTime(_) => "DateTime",
    }
}

/// How to write the literal that was meant, when a string stands where another type is needed.
pub(crate) fn rewrite_hint(literal: &Literal, ty: &Type) -> Option<String> {
    match (literal, &ty.scalar) {
        (Literal::String(text), Scalar::Date) => Some(format!("write `date(\"{text}\")`")),
        (Literal::String(text), Scalar::DateTime) => Some(format!("write `datetime(\"{text}\")`")),
        (Literal::Int(value), Scalar::String) => Some(format!("write `\"{value}\"`")),
        _ => None,
    }
}
