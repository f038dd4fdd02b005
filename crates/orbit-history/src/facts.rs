//! The words of history: how a commit changed a symbol, and how that is known.

/// What a commit did to a symbol or file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Change {
    /// Seen for the first time.
    Added = 1,
    /// Lines of it changed.
    Modified = 2,
    /// Gone.
    Deleted = 3,
    /// Another name in the same file.
    Renamed = 4,
    /// In another file.
    Moved = 5,
    /// One became several.
    Split = 6,
    /// Several became one.
    Merged = 7,
}

impl Change {
    /// The printed name.
    pub fn as_str(self) -> &'static str {
        match self {
            Change::Added => "added",
            Change::Modified => "modified",
            Change::Deleted => "deleted",
            Change::Renamed => "renamed",
            Change::Moved => "moved",
            Change::Split => "split",
            Change::Merged => "merged",
        }
    }

    /// The change with this stored number.
    pub(crate) fn from_u8(n: u8) -> Change {
        match n {
            1 => Change::Added,
            3 => Change::Deleted,
            4 => Change::Renamed,
            5 => Change::Moved,
            6 => Change::Split,
            7 => Change::Merged,
            _ => Change::Modified,
        }
    }
}

/// How a hop of a symbol's lineage is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum KnownBy {
    /// A valid operation log says so.
    Operation = 1,
    /// Git took the file for renamed, and the symbol has the same name in it.
    Matched = 2,
    /// The only symbol of the commit with the same body.
    Inferred = 3,
}

impl KnownBy {
    /// The printed name.
    pub fn as_str(self) -> &'static str {
        match self {
            KnownBy::Operation => "operation",
            KnownBy::Matched => "matched",
            KnownBy::Inferred => "inferred",
        }
    }

    /// The reason with this stored number.
    pub(crate) fn from_u8(n: u8) -> KnownBy {
        match n {
            1 => KnownBy::Operation,
            2 => KnownBy::Matched,
            _ => KnownBy::Inferred,
        }
    }
}
