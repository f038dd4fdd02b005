//! Everything about one property that needs no other row.

use super::number::Number;
use super::violation::{Code, Problem};
use crate::cells::Cell;
use crate::error::Error;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use omnigraph_compiler::schema::catalog::{Body, Property};
use omnigraph_compiler::{Literal, Scalar, Type, did_you_mean, parse_date, parse_datetime};
use regex::{Regex, RegexBuilder};
use std::borrow::Cow;
use std::cmp::Ordering;

/// How the text of a blob begins.
const BLOB_PREFIX: &str = "base64:";

/// The largest compiled pattern.
const PATTERN_BYTES: usize = 64 << 20;

/// What values of a property must be.
#[derive(Clone, Debug)]
pub struct Rule {
    /// `Person.age`, for messages.
    pub(crate) subject: String,
    /// The name of the property.
    pub(crate) name: String,
    pub(crate) ty: Type,
    pub(crate) default: Option<Literal>,
    /// A vector that is computed from a text when it is not given.
    pub(crate) is_embedded: bool,
    ranges: Vec<(Option<Number>, Option<Number>)>,
    patterns: Vec<Regex>,
}

impl Rule {
    /// Of a property and the constraints on it.
    ///
    /// # Errors
    ///
    /// A pattern that is too large to compile.
    pub fn new(type_name: &str, property: &Property, body: &Body) -> Result<Rule, Error> {
        let subject = format!("{type_name}.{}", property.name);
        let ranges = body.ranges.iter().filter(|range| range.property == property.name).map(|range| {
            (range.min.as_ref().and_then(Number::of_literal), range.max.as_ref().and_then(Number::of_literal))
        });
        let patterns = body.checks.iter().filter(|check| check.property == property.name).map(|check| {
            let built = RegexBuilder::new(&check.pattern).size_limit(PATTERN_BYTES).build();
            built.map_err(|error| Error::Config(format!("@check of {subject}: {error}")))
        });
        Ok(Rule {
            patterns: patterns.collect::<Result<_, _>>()?,
            subject,
            name: property.name.clone(),
            ty: property.ty.clone(),
            default: property.default.clone(),
            is_embedded: property.embed.is_some(),
            ranges: ranges.collect(),
        })
    }

    /// Whether values are vectors, not lists of anything.
    pub(crate) fn is_vector(&self) -> bool {
        matches!(self.ty.scalar, Scalar::Vector(_)) && !self.ty.list
    }

    /// The value in the form in which the type is stored, if it fits. For a list and a vector this is an element;
    /// null is asked for elsewhere.
    pub fn admit<'a>(&self, cell: Cell<'a>) -> Result<Cell<'a>, Problem> {
        let cell = self.convert(cell)?;
        if !self.ranges.is_empty() {
            self.check_ranges(&cell)?;
        }
        if let (false, Cell::Text(text)) = (self.patterns.is_empty(), &cell)
            && let Some(pattern) = self.patterns.iter().find(|pattern| !pattern.is_match(text))
        {
            let message =
                format!("@check violation on {}: {} does not match {pattern}", self.subject, cell.excerpt());
            return Err(Problem::new(Code::Check, message));
        }
        Ok(cell)
    }

    /// The admitted value as it reads when it is stored: an `F32` keeps fewer digits.
    pub(crate) fn narrow<'a>(&self, cell: Cell<'a>) -> Cell<'a> {
        match cell {
            Cell::Float(value) if self.ty.scalar == Scalar::F32 => {
                Cell::Float((value as f32).to_string().parse().unwrap_or(value))
            }
            cell => cell,
        }
    }

    /// An element of a vector.
    pub(crate) fn admit_float(&self, cell: &Cell<'_>) -> Result<f32, Problem> {
        let value = match cell {
            Cell::Float(value) => *value,
            Cell::Int(value) => *value as f64,
            Cell::UInt(value) => *value as f64,
            Cell::Null => return Err(self.null_element()),
            other => return Err(self.mismatch(other)),
        };
        let narrow = value as f32;
        if narrow.is_finite() { Ok(narrow) } else { Err(self.not_finite(value)) }
    }

    fn convert<'a>(&self, cell: Cell<'a>) -> Result<Cell<'a>, Problem> {
        match (&self.ty.scalar, &cell) {
            (Scalar::String, Cell::Text(_)) | (Scalar::Bool, Cell::Bool(_)) => Ok(cell),
            (Scalar::Date, Cell::Date(_)) | (Scalar::DateTime, Cell::DateTime(_)) => Ok(cell),
            (Scalar::Blob, Cell::Bytes(_)) => Ok(cell),
            (Scalar::Enum(values), Cell::Text(text)) => self.word(values, text).map(|()| cell),
            (scalar, _) if scalar.is_integer() => self.integer(cell),
            (Scalar::F32 | Scalar::F64, _) => self.float(&cell),
            (Scalar::Date, Cell::Text(text)) => parse_date(text)
                .map(Cell::Date)
                .ok_or_else(|| self.malformed(text, "not a valid date; write YYYY-MM-DD")),
            (Scalar::DateTime, Cell::Date(days)) => Ok(Cell::DateTime(i64::from(*days) * 86_400_000)),
            (Scalar::DateTime, Cell::Text(text)) => parse_datetime(text)
                .map(Cell::DateTime)
                .ok_or_else(|| self.malformed(text, "not a valid date and time; write YYYY-MM-DDTHH:MM:SSZ")),
            (Scalar::Blob, Cell::Text(text)) => self.blob(text),
            _ => Err(self.mismatch(&cell)),
        }
    }

    fn word(&self, values: &[String], text: &str) -> Result<(), Problem> {
        if values.binary_search_by(|known| known.as_str().cmp(text)).is_ok() {
            return Ok(());
        }
        let hint = did_you_mean(text, values.iter().map(String::as_str));
        let hint = hint.map_or(String::new(), |hint| format!("; {hint}"));
        let message = format!(
            "enum violation on {}: {} is not one of [{}]{hint}",
            self.subject,
            Cell::Text(text).excerpt(),
            values.join(", ")
        );
        Err(Problem::new(Code::Enum, message))
    }

    /// 64-bit integers may be written as text, because JSON readers lose what is beyond 2^53.
    fn integer<'a>(&self, cell: Cell<'a>) -> Result<Cell<'a>, Problem> {
        let is_wide = matches!(self.ty.scalar, Scalar::I64 | Scalar::U64);
        let value: i128 = match &cell {
            Cell::Int(value) => (*value).into(),
            Cell::UInt(value) => (*value).into(),
            Cell::Float(value) if value.fract() == 0.0 && value.abs() < 1.0e30 => *value as i128,
            Cell::Float(value) => {
                let message =
                    format!("{} is {}, and {value} is not a whole number", self.subject, self.ty.scalar);
                return Err(Problem::new(Code::Type, message));
            }
            Cell::Text(text) if is_wide => text.parse().map_err(|_| self.mismatch(&cell))?,
            _ => return Err(self.mismatch(&cell)),
        };
        let (least, greatest) = self.ty.scalar.integer_range().unwrap_or_default();
        if !(least..=greatest).contains(&value) {
            let scalar = &self.ty.scalar;
            let message = format!(
                "{}: {value} does not fit {scalar}, which goes from {least} to {greatest}",
                self.subject
            );
            return Err(Problem::new(Code::Type, message));
        }
        Ok(i64::try_from(value).map_or(Cell::UInt(value as u64), Cell::Int))
    }

    fn float<'a>(&self, cell: &Cell<'a>) -> Result<Cell<'a>, Problem> {
        let value = match cell {
            Cell::Float(value) => *value,
            Cell::Int(value) => *value as f64,
            Cell::UInt(value) => *value as f64,
            _ => return Err(self.mismatch(cell)),
        };
        let fits = if self.ty.scalar == Scalar::F32 { (value as f32).is_finite() } else { value.is_finite() };
        if fits { Ok(Cell::Float(value)) } else { Err(self.not_finite(value)) }
    }

    fn blob<'a>(&self, text: &str) -> Result<Cell<'a>, Problem> {
        let Some(encoded) = text.strip_prefix(BLOB_PREFIX) else {
            return Err(self.malformed(text, "not a blob; blobs are written base64:…"));
        };
        let bytes = STANDARD.decode(encoded).map_err(|error| {
            Problem::new(Code::Type, format!("{}: the blob is not valid base64: {error}", self.subject))
        })?;
        Ok(Cell::Bytes(Cow::Owned(bytes)))
    }

    fn check_ranges(&self, cell: &Cell<'_>) -> Result<(), Problem> {
        let Some(value) = Number::of_cell(cell) else { return Ok(()) };
        for (min, max) in &self.ranges {
            let below = min.filter(|min| value.order(*min) == Some(Ordering::Less));
            let above = max.filter(|max| value.order(*max) == Some(Ordering::Greater));
            let (side, bound) = match (below, above) {
                (Some(min), _) => ("below", min),
                (_, Some(max)) => ("above", max),
                _ => continue,
            };
            let message = format!("@range violation on {}: {value} is {side} {bound}", self.subject);
            return Err(Problem::new(Code::Range, message));
        }
        Ok(())
    }

    /// A value of another type.
    pub(crate) fn mismatch(&self, cell: &Cell<'_>) -> Problem {
        Problem::new(Code::Type, format!("{} is {}, not {}", self.subject, self.ty, cell.excerpt()))
    }

    /// A required value that is not there.
    pub(crate) fn missing(&self) -> Problem {
        Problem::new(Code::Required, format!("{} is required and missing", self.subject))
    }

    pub(crate) fn null_element(&self) -> Problem {
        Problem::new(Code::Type, format!("{} is {}, whose elements are never null", self.subject, self.ty))
    }

    pub(crate) fn dimension(&self, found: usize) -> Problem {
        let elements = if found == 1 { "element" } else { "elements" };
        Problem::new(Code::Dimension, format!("{} is {}, not {found} {elements}", self.subject, self.ty))
    }

    pub(crate) fn too_large(&self) -> Problem {
        Problem::new(Code::Type, format!("{}: more than 2 GiB of text in one block of rows", self.subject))
    }

    fn not_finite(&self, value: f64) -> Problem {
        let message = format!("{} is {}, and {value:?} does not fit it", self.subject, self.ty.scalar);
        Problem::new(Code::Type, message)
    }

    fn malformed(&self, text: &str, what: &str) -> Problem {
        Problem::new(Code::Type, format!("{}: {} is {what}", self.subject, Cell::Text(text).excerpt()))
    }
}
