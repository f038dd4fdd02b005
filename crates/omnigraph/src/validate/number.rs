//! Numbers of different kinds, compared without loss.

use crate::cells::Cell;
use omnigraph_compiler::Literal;
use std::cmp::Ordering;
use std::fmt;

/// A number as it was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Number {
    Int(i128),
    Float(f64),
}

impl Number {
    pub(super) fn of_literal(literal: &Literal) -> Option<Number> {
        match literal {
            Literal::Int(value) => Some(Number::Int(*value)),
            Literal::Float(value) => Some(Number::Float(*value)),
            _ => None,
        }
    }

    pub(super) fn of_cell(cell: &Cell<'_>) -> Option<Number> {
        match cell {
            Cell::Int(value) => Some(Number::Int((*value).into())),
            Cell::UInt(value) => Some(Number::Int((*value).into())),
            Cell::Float(value) => Some(Number::Float(*value)),
            _ => None,
        }
    }

    pub(super) fn order(self, other: Number) -> Option<Ordering> {
        match (self, other) {
            (Number::Int(left), Number::Int(right)) => Some(left.cmp(&right)),
            (Number::Float(left), Number::Float(right)) => left.partial_cmp(&right),
            (Number::Int(left), Number::Float(right)) => order(left, right),
            (Number::Float(left), Number::Int(right)) => order(right, left).map(Ordering::reverse),
        }
    }
}

/// An integer of 65 bits against a float: by whole parts, then by what is behind the point.
fn order(int: i128, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    // Floats beyond i128 saturate, which keeps the order: the integer is far smaller.
    let whole = float.trunc() as i128;
    Some(int.cmp(&whole).then_with(|| 0.0_f64.total_cmp(&(float.fract() + 0.0))))
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Int(value) => write!(f, "{value}"),
            Number::Float(value) => write!(f, "{value}"),
        }
    }
}
