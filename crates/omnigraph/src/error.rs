//! What can go wrong, by what the caller can do about it.

use omnigraph_compiler::Diagnostics;
use std::fmt;

/// What calls of this crate return.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a call failed.
#[derive(Debug)]
#[expect(missing_docs, reason = "the fields are named after what they hold")]
pub enum Error {
    /// A schema or a query does not hold.
    Text(Diagnostics),
    /// The file has no query of this name.
    NoQuery { name: String, known: Vec<String> },
    /// A value for a parameter is missing or does not fit.
    Param { name: String, reason: String },
    /// The request makes no sense for this graph or query.
    Request { reason: String },
    /// Others changed the same rows, or the commit that was named is not the newest.
    Conflict { message: String, rows: Vec<String> },
    /// The store said no.
    Store(omnigraph_store::Error),
    /// Something stored is not as it was written.
    Damaged { reason: String },
}

impl Error {
    pub(crate) fn damaged(reason: impl fmt::Display) -> Error {
        Error::Damaged { reason: reason.to_string() }
    }

    pub(crate) fn request(reason: impl Into<String>) -> Error {
        Error::Request { reason: reason.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Text(diagnostics) => write!(f, "{diagnostics}"),
            Error::NoQuery { name, known } if known.is_empty() => write!(f, "no query `{name}`: the file has none"),
            Error::NoQuery { name, known } => write!(f, "no query `{name}`; there are {}", known.join(", ")),
            Error::Param { name, reason } => write!(f, "parameter ${name}: {reason}"),
            Error::Request { reason } => f.write_str(reason),
            Error::Conflict { message, .. } => f.write_str(message),
            Error::Store(error) => write!(f, "{error}"),
            Error::Damaged { reason } => write!(f, "the graph is damaged: {reason}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<omnigraph_store::Error> for Error {
    fn from(error: omnigraph_store::Error) -> Error {
        Error::Store(error)
    }
}

impl From<Diagnostics> for Error {
    fn from(diagnostics: Diagnostics) -> Error {
        Error::Text(diagnostics)
    }
}

/// Kernels of Arrow fail when types do not fit, which the checker rules out, or when an array would be too large.
impl From<arrow_schema::ArrowError> for Error {
    fn from(error: arrow_schema::ArrowError) -> Error {
        Error::Request { reason: format!("a value could not be computed: {error}") }
    }
}
