//! Enums as the numbers that rows have.

use crate::resolve::Confidence;
use orbit_extract::{Lang, RefKind, RelationKind, SymbolKind};
use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

/// A kind, language or confidence, in parameters and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stored<T>(pub(crate) T);

/// An enum that rows have as a number.
pub(crate) trait Numbered: Copy {
    fn number(self) -> u8;
    /// What a number means; one that this program does not know is read as the least that can be said.
    fn of(number: u8) -> Self;
}

impl<T: Numbered> ToSql for Stored<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.number().into())
    }
}

impl<T: Numbered> FromSql for Stored<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Stored<T>> {
        u8::column_result(value).map(|number| Stored(T::of(number)))
    }
}

macro_rules! numbered {
    ($($name:ident else $least:ident;)+) => {$(
        impl Numbered for $name {
            fn number(self) -> u8 {
                self as u8
            }

            fn of(number: u8) -> $name {
                $name::from_u8(number).unwrap_or($name::$least)
            }
        }
    )+};
}

numbered! {
    SymbolKind else Variable;
    RefKind else Value;
    RelationKind else Extends;
    Lang else Config;
}

impl Numbered for Confidence {
    fn number(self) -> u8 {
        self as u8
    }

    /// What comes from outside of the repository is only a name here.
    fn of(number: u8) -> Confidence {
        match number {
            1 => Confidence::Exact,
            2 => Confidence::ImportResolved,
            3 => Confidence::SameModule,
            4 => Confidence::Dispatch,
            _ => Confidence::FuzzyName,
        }
    }
}
