//! A plan: everything a refactoring will do, before anything is done.

use crate::edit::Edit;
use orbit_extract::SymbolAddress;
use serde::{Deserialize, Serialize};

/// What will happen, as data. Nothing in it depends on the file system any more.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// As a person would say it: `rename symbol:a.rs#f:function to g`.
    pub title: String,
    /// What the refactoring is about, before.
    pub subject: String,
    /// The files, sorted by path.
    pub files: Vec<FileChange>,
    /// For the operation log.
    pub entries: Vec<Entry>,
    /// What a person should look at: it was not changed, or only for a reason that is given.
    pub review: Vec<Review>,
}

impl Plan {
    /// How many places change.
    pub fn edits(&self) -> usize {
        self.files.iter().map(|file| file.edits.len().max(1)).sum()
    }
}

/// A file before and after.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// Relative to the worktree.
    pub path: String,
    /// `None` for a new file.
    pub before: Option<Vec<u8>>,
    /// `None` for a file that goes.
    pub after: Option<Vec<u8>>,
    /// How the one becomes the other, when both are there.
    pub edits: Vec<Edit>,
}

/// A place that a person should look at.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Review {
    /// Relative to the worktree.
    pub file: String,
    /// 1-based.
    pub line: u32,
    /// What it is.
    pub reason: String,
    /// Whether it is changed.
    pub edited: bool,
}

/// One thing that is done to one symbol or group, for the operation log. Ids come in when it is committed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are addresses before and after")]
pub enum Entry {
    Create {
        #[serde(with = "stored")]
        post: SymbolAddress,
    },
    Delete {
        #[serde(with = "stored")]
        pre: SymbolAddress,
    },
    Rename {
        #[serde(with = "stored")]
        pre: SymbolAddress,
        #[serde(with = "stored")]
        post: SymbolAddress,
    },
    Move {
        #[serde(with = "stored")]
        pre: SymbolAddress,
        #[serde(with = "stored")]
        post: SymbolAddress,
    },
    ChangeSignature {
        #[serde(with = "stored")]
        at: SymbolAddress,
    },
    ChangeBody {
        #[serde(with = "stored")]
        at: SymbolAddress,
    },
    Split {
        #[serde(with = "stored")]
        pre: SymbolAddress,
        #[serde(with = "stored::list")]
        post: Vec<SymbolAddress>,
    },
    Merge {
        #[serde(with = "stored::list")]
        pre: Vec<SymbolAddress>,
        #[serde(with = "stored")]
        post: SymbolAddress,
    },
}

impl Entry {
    /// The word for it in logs.
    pub fn name(&self) -> &'static str {
        match self {
            Entry::Create { .. } => "create",
            Entry::Delete { .. } => "delete",
            Entry::Rename { .. } => "rename",
            Entry::Move { .. } => "move",
            Entry::ChangeSignature { .. } => "change_signature",
            Entry::ChangeBody { .. } => "change_body",
            Entry::Split { .. } => "split",
            Entry::Merge { .. } => "merge",
        }
    }
}

/// Addresses as buffered steps have them.
mod stored {
    use orbit_extract::{SymbolAddress, SymbolKind};
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    #[derive(Serialize, Deserialize)]
    struct Stored {
        file: String,
        name: String,
        kind: String,
    }

    impl From<&SymbolAddress> for Stored {
        fn from(address: &SymbolAddress) -> Stored {
            let (file, name) = (address.path.clone(), address.local.clone());
            Stored { file, name, kind: address.kind.as_str().to_owned() }
        }
    }

    impl Stored {
        fn address<E: Error>(self) -> Result<SymbolAddress, E> {
            let kind = SymbolKind::parse(&self.kind);
            let kind = kind.ok_or_else(|| E::custom(format!("`{}` is not a kind of symbol", self.kind)))?;
            Ok(SymbolAddress { path: self.file, local: self.name, kind })
        }
    }

    pub(super) fn serialize<S: Serializer>(address: &SymbolAddress, to: S) -> Result<S::Ok, S::Error> {
        Stored::from(address).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<SymbolAddress, D::Error> {
        Stored::deserialize(from)?.address()
    }

    pub(super) mod list {
        use super::{Deserialize, Deserializer, Serializer, Stored, SymbolAddress};

        pub(in super::super) fn serialize<S: Serializer>(
            addresses: &[SymbolAddress],
            to: S,
        ) -> Result<S::Ok, S::Error> {
            to.collect_seq(addresses.iter().map(Stored::from))
        }

        pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
            from: D,
        ) -> Result<Vec<SymbolAddress>, D::Error> {
            Vec::<Stored>::deserialize(from)?.into_iter().map(Stored::address).collect()
        }
    }
}
