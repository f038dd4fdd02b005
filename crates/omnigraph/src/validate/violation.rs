//! What is wrong with a row.

use std::fmt;

/// Which promise of the schema is broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Code {
    /// A value of another type.
    Type,
    /// A required value is missing.
    Required,
    /// A word that the enum does not have.
    Enum,
    /// `@range`
    Range,
    /// `@check`
    Check,
    /// A vector with too few or too many elements.
    Dimension,
    /// A property that the type does not have.
    UnknownProperty,
    /// A type that the schema does not have.
    UnknownType,
    /// A property that is given twice.
    Repeated,
    /// An id that is empty, too long, or contradicts the key.
    Id,
    /// A record that has not the shape of a node or an edge.
    Record,
    /// Two rows with the same id.
    Duplicate,
    /// `@unique`
    Unique,
    /// An edge from or to a node that is not there.
    Endpoint,
    /// `@card`
    Cardinality,
}

impl Code {
    /// A stable word for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::Type => "type",
            Code::Required => "required",
            Code::Enum => "enum",
            Code::Range => "range",
            Code::Check => "check",
            Code::Dimension => "dimension",
            Code::UnknownProperty => "unknown_property",
            Code::UnknownType => "unknown_type",
            Code::Repeated => "repeated",
            Code::Id => "id",
            Code::Record => "record",
            Code::Duplicate => "duplicate",
            Code::Unique => "unique",
            Code::Endpoint => "endpoint",
            Code::Cardinality => "cardinality",
        }
    }
}

/// What is wrong with a value, before it is known which row it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which promise.
    pub code: Code,
    /// A whole sentence that names type and property.
    pub message: String,
}

impl Problem {
    /// Of its parts.
    pub fn new(code: Code, message: impl Into<String>) -> Problem {
        Problem { code, message: message.into() }
    }
}

/// One broken promise of one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The node or edge type; empty when the record does not say.
    pub type_name: String,
    /// The property, if it is about one.
    pub property: Option<String>,
    /// The id of the row, if it has one.
    pub row: Option<String>,
    /// Where the row stands in its file, from 1.
    pub line: Option<u64>,
    /// Which promise.
    pub code: Code,
    /// A sentence that names type and property.
    pub message: String,
}

impl Violation {
    /// A problem of a row as such.
    pub fn new(type_name: &str, problem: Problem) -> Violation {
        Violation {
            type_name: type_name.to_owned(),
            property: None,
            row: None,
            line: None,
            code: problem.code,
            message: problem.message,
        }
    }

    /// A problem of a property.
    #[must_use]
    pub fn of(mut self, property: &str) -> Violation {
        self.property = Some(property.to_owned());
        self
    }

    /// In the row with this id.
    #[must_use]
    pub fn in_row(mut self, row: &str) -> Violation {
        self.row = Some(row.to_owned());
        self
    }

    /// On this line, if it is known.
    #[must_use]
    pub fn at(mut self, line: Option<u64>) -> Violation {
        self.line = line;
        self
    }

    /// Two rows of a load, or a row and a stored one, with the same id.
    pub fn duplicate(type_name: &str, id: &str, first_line: Option<u64>) -> Violation {
        let first = first_line.map_or("is there already".to_owned(), |line| format!("is on line {line} too"));
        let problem = Problem::new(Code::Duplicate, format!("{type_name} '{id}' {first}"));
        Violation::new(type_name, problem).in_row(id)
    }

    /// Two rows with the same values of an `@unique`.
    pub fn unique(type_name: &str, properties: &[String], id: &str, value: &str, other: &str) -> Violation {
        let names = properties.join(", ");
        let message = format!(
            "@unique violation on {type_name}({names}): '{value}' of '{id}' is also the value of '{other}'"
        );
        let violation = Violation::new(type_name, Problem::new(Code::Unique, message)).in_row(id);
        match properties {
            [property] => violation.of(property),
            _ => violation,
        }
    }

    /// An edge whose end (`src` or `dst`) is not a node of the type it must be.
    pub fn endpoint(edge: &str, end: &str, node_id: &str, node_type: &str, edge_id: &str) -> Violation {
        let message = format!("edge {edge}: {end} '{node_id}' not found in {node_type}");
        Violation::new(edge, Problem::new(Code::Endpoint, message)).of(end).in_row(edge_id)
    }

    /// A node that too few or too many edges leave.
    pub fn cardinality(edge: &str, src: &str, found: u64, min: u32, max: Option<u32>) -> Violation {
        let bound = match max {
            Some(max) if found > u64::from(max) => format!("max {max}"),
            _ => format!("min {min}"),
        };
        let edges = if found == 1 { "edge" } else { "edges" };
        let message = format!("@card violation on edge {edge}: source '{src}' has {found} {edges} ({bound})");
        Violation::new(edge, Problem::new(Code::Cardinality, message)).in_row(src)
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.message)
    }
}
