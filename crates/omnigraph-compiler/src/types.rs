//! Types of properties, parameters and columns. The engine maps them to its own.

use std::fmt;

/// A type without nullability.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// Text.
    String,
    /// True or false.
    Bool,
    /// 32 bits, signed.
    I32,
    /// 64 bits, signed.
    I64,
    /// 32 bits, unsigned.
    U32,
    /// 64 bits, unsigned.
    U64,
    /// 32 bits.
    F32,
    /// 64 bits.
    F64,
    /// A day.
    Date,
    /// A moment, in milliseconds.
    DateTime,
    /// Bytes.
    Blob,
    /// So many 32-bit floats.
    Vector(u32),
    /// One of these words, stored as text; without duplicates. Sorted in a catalog, in order of writing in a tree.
    Enum(Vec<String>),
}

/// The names of the scalars that are a single word.
pub(crate) const SCALARS: [(&str, Scalar); 11] = [
    ("String", Scalar::String),
    ("Bool", Scalar::Bool),
    ("I32", Scalar::I32),
    ("I64", Scalar::I64),
    ("U32", Scalar::U32),
    ("U64", Scalar::U64),
    ("F32", Scalar::F32),
    ("F64", Scalar::F64),
    ("Date", Scalar::Date),
    ("DateTime", Scalar::DateTime),
    ("Blob", Scalar::Blob),
];

impl Scalar {
    /// By its name in the languages.
    pub(crate) fn named(name: &str) -> Option<Scalar> {
        SCALARS.iter().find(|(known, _)| *known == name).map(|(_, scalar)| scalar.clone())
    }

    /// Integers and floats.
    pub fn is_numeric(&self) -> bool {
        self.is_integer() || matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// Integers of any width.
    pub fn is_integer(&self) -> bool {
        matches!(self, Scalar::I32 | Scalar::I64 | Scalar::U32 | Scalar::U64)
    }

    /// Stored as text: strings and enums.
    pub fn is_text(&self) -> bool {
        matches!(self, Scalar::String | Scalar::Enum(_))
    }

    /// The integers that fit, inclusive; `None` for what is not an integer.
    pub fn integer_range(&self) -> Option<(i128, i128)> {
        Some(match self {
            Scalar::I32 => (i32::MIN.into(), i32::MAX.into()),
            Scalar::I64 => (i64::MIN.into(), i64::MAX.into()),
            Scalar::U32 => (0, u32::MAX.into()),
            Scalar::U64 => (0, u64::MAX.into()),
            _ => return None,
        })
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Vector(dim) => write!(f, "Vector({dim})"),
            Scalar::Enum(values) => write!(f, "enum({})", values.join(", ")),
            plain => {
                let found = SCALARS.iter().find(|(_, scalar)| scalar == plain);
                f.write_str(found.map_or("?", |(name, _)| name))
            }
        }
    }
}

/// The type of a property, parameter, expression or column.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Type {
    /// Of the value, or of each element.
    pub scalar: Scalar,
    /// A list of the scalar. Elements are never null.
    pub list: bool,
    /// May be null.
    pub nullable: bool,
}

impl Type {
    /// A required scalar.
    pub fn scalar(scalar: Scalar) -> Type {
        Type { scalar, list: false, nullable: false }
    }

    /// A required list.
    pub fn list_of(scalar: Scalar) -> Type {
        Type { scalar, list: true, nullable: false }
    }

    /// The same, with this nullability.
    #[must_use]
    pub fn with_null(mut self, nullable: bool) -> Type {
        self.nullable = nullable;
        self
    }

    /// The same, with the words of an enum sorted.
    #[must_use]
    pub(crate) fn normalized(mut self) -> Type {
        if let Scalar::Enum(values) = &mut self.scalar {
            values.sort();
        }
        self
    }

    /// One element of a list; the type itself when it is none.
    #[must_use]
    pub fn element(&self) -> Type {
        Type { scalar: self.scalar.clone(), list: false, nullable: false }
    }

    /// Whether it is exactly one scalar of this kind, null or not.
    pub fn is(&self, scalar: &Scalar) -> bool {
        !self.list && self.scalar == *scalar
    }

    /// One text value, null or not.
    pub fn is_text(&self) -> bool {
        !self.list && self.scalar.is_text()
    }

    /// Whether values of both can be compared or assigned: the same scalar, any two numbers, text and enum.
    pub fn fits(&self, other: &Type) -> bool {
        let same = self.scalar == other.scalar
            || (self.scalar.is_numeric() && other.scalar.is_numeric())
            || (self.scalar.is_text() && other.scalar.is_text());
        self.list == other.list && same
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let null = if self.nullable { "?" } else { "" };
        if self.list { write!(f, "[{}]{null}", self.scalar) } else { write!(f, "{}{null}", self.scalar) }
    }
}
