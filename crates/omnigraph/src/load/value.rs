//! One JSON value into a column.

use crate::rows::{Cell, Column};
use crate::validate::Problem;
use omnigraph_compiler::Scalar;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A value of a property: adds one row to the column.
pub(super) struct CellSeed<'c> {
    pub(super) column: &'c mut Column,
    /// See [`super::Options::numeric_dates`].
    pub(super) numeric_dates: bool,
}

impl<'l> DeserializeSeed<'l> for CellSeed<'_> {
    type Value = Result<(), Problem>;

    fn deserialize<D: Deserializer<'l>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_any(ValueVisitor(self))
    }
}

/// An element of the list that is open in the column.
struct ElementSeed<'c> {
    column: &'c mut Column,
    numeric_dates: bool,
}

/// A number as the date that it stands for, where numbers stand for dates.
fn dated<'c>(cell: Cell<'c>, column: &Column, numeric_dates: bool) -> Cell<'c> {
    let number = match &cell {
        Cell::Int(number) if numeric_dates => Some(*number),
        Cell::UInt(number) if numeric_dates => i64::try_from(*number).ok(),
        _ => None,
    };
    let Some(number) = number else { return cell };
    match &column.rule().ty.scalar {
        Scalar::Date => i32::try_from(number).map_or(cell, Cell::Date),
        Scalar::DateTime => Cell::DateTime(number),
        _ => cell,
    }
}

impl<'l> DeserializeSeed<'l> for ElementSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'l>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_any(ValueVisitor(self))
    }
}

/// Where a value goes.
trait Place {
    type Outcome;
    fn put(self, cell: Cell<'_>) -> Self::Outcome;
    fn put_list<'l, A: SeqAccess<'l>>(self, list: A) -> Result<Self::Outcome, A::Error>;
}

impl Place for CellSeed<'_> {
    type Outcome = Result<(), Problem>;

    fn put(self, cell: Cell<'_>) -> Result<(), Problem> {
        let cell = dated(cell, self.column, self.numeric_dates);
        self.column.put(cell)
    }

    fn put_list<'l, A: SeqAccess<'l>>(self, mut list: A) -> Result<Self::Outcome, A::Error> {
        self.column.open_list();
        let numeric_dates = self.numeric_dates;
        while list.next_element_seed(ElementSeed { column: self.column, numeric_dates })?.is_some() {}
        Ok(self.column.close_list())
    }
}

impl Place for ElementSeed<'_> {
    type Outcome = ();

    fn put(self, cell: Cell<'_>) {
        let cell = dated(cell, self.column, self.numeric_dates);
        self.column.put_element(cell);
    }

    fn put_list<'l, A: SeqAccess<'l>>(self, mut list: A) -> Result<(), A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        self.column.put_element(Cell::Foreign("a list"));
        Ok(())
    }
}

struct ValueVisitor<P>(P);

impl<'l, P: Place> Visitor<'l> for ValueVisitor<P> {
    type Value = P::Outcome;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<P::Outcome, E> {
        Ok(self.0.put(Cell::Bool(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<P::Outcome, E> {
        Ok(self.0.put(Cell::Int(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<P::Outcome, E> {
        Ok(self.0.put(Cell::UInt(value)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<P::Outcome, E> {
        Ok(self.0.put(Cell::Float(value)))
    }

    fn visit_str<E>(self, text: &str) -> Result<P::Outcome, E> {
        Ok(self.0.put(Cell::Text(text)))
    }

    fn visit_unit<E>(self) -> Result<P::Outcome, E> {
        Ok(self.0.put(Cell::Null))
    }

    fn visit_seq<A: SeqAccess<'l>>(self, list: A) -> Result<P::Outcome, A::Error> {
        self.0.put_list(list)
    }

    fn visit_map<A: MapAccess<'l>>(self, mut map: A) -> Result<P::Outcome, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(self.0.put(Cell::Foreign("an object")))
    }
}
