//! One JSON value into a column.

use crate::rows::{Cell, Column};
use crate::validate::Problem;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A value of a property: adds one row to the column.
pub(super) struct CellSeed<'c> {
    pub(super) column: &'c mut Column,
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
        self.column.put(cell)
    }

    fn put_list<'l, A: SeqAccess<'l>>(self, mut list: A) -> Result<Self::Outcome, A::Error> {
        self.column.open_list();
        while list.next_element_seed(ElementSeed { column: self.column })?.is_some() {}
        Ok(self.column.close_list())
    }
}

impl Place for ElementSeed<'_> {
    type Outcome = ();

    fn put(self, cell: Cell<'_>) {
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
