//! The format of a log, version 1: structs for producers and consumers, and the JSON Schema that ships with them.

use orbit_extract::SymbolAddress;
use serde::{Deserialize, Serialize};

/// The newest version that is understood.
pub const SCHEMA_VERSION: u32 = 1;

/// The JSON Schema of a log.
pub const SCHEMA_JSON: &str = include_str!("../../schemas/operations-v1.json");

/// A log: one per commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OperationLog {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The commit it describes, in full, lowercase.
    pub commit_sha: String,
    /// Who wrote it.
    pub producer: Producer,
    /// What was done, in order.
    pub operations: Vec<Operation>,
}

/// Who wrote a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Producer {
    /// The program.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The agent that asked for the edits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The agent's model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// One thing that was done to one symbol, or to one group of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the structs say it")]
pub enum Operation {
    Create(Create),
    Delete(Delete),
    Rename(Rename),
    Move(Move),
    ChangeSignature(ChangeSignature),
    ChangeBody(ChangeBody),
    Split(Split),
    Merge(Merge),
}

/// Where a symbol is, as a log writes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Address {
    /// Relative to the worktree, with `/`.
    pub file: String,
    /// As the language writes it; the part inside the file is enough.
    pub qualified_name: String,
    /// The kind of symbol, as selectors have it.
    pub kind: String,
}

impl From<&SymbolAddress> for Address {
    fn from(address: &SymbolAddress) -> Address {
        let (file, qualified_name) = (address.path.clone(), address.local.clone());
        Address { file, qualified_name, kind: address.kind.as_str().to_owned() }
    }
}

/// The name of a symbol before or after; the rest is looked up, and checked when given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamePart {
    /// The name.
    pub qualified_name: String,
    /// The file, if the producer wants it checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The kind, if the producer wants it checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

/// The file of a symbol before or after; the rest is looked up, and checked when given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilePart {
    /// The file.
    pub file: String,
    /// The name, if the producer wants it checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qualified_name: Option<String>,
    /// The kind, if the producer wants it checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

macro_rules! operation {
    ($(#[doc = $doc:literal] $name:ident { $($(#[doc = $field_doc:literal])+ $field:ident: $type:ty,)+ })+) => {$(
        #[doc = $doc]
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[doc = $field_doc])+ pub $field: $type,)+
            /// The producer's remark.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub note: Option<String>,
        }
    )+};
}

operation! {
    /// A symbol without a predecessor appears.
    Create {
        /// The stable id that the symbol gets.
        stable_id: String,
        /// Where it is.
        post: Address,
        /// SHA-256 of its text.
        body_hash_post: String,
        /// Its signature; `null` or left out when it has none.
        signature_post: Option<String>,
    }
    /// A symbol is gone, without a successor.
    Delete {
        /// It ends with this commit.
        stable_id: String,
        /// Where it was.
        pre: Address,
    }
    /// A symbol has another name; file and kind stay.
    Rename {
        /// The stable id, which does not change.
        stable_id: String,
        /// Its name before.
        pre: NamePart,
        /// Its name now.
        post: NamePart,
    }
    /// A symbol is in another file; name and kind stay.
    Move {
        /// The stable id, which does not change.
        stable_id: String,
        /// Its file before.
        pre: FilePart,
        /// Its file now.
        post: FilePart,
    }
    /// A symbol has another signature; its address stays.
    ChangeSignature {
        /// The stable id, which does not change.
        stable_id: String,
        /// Before.
        signature_pre: String,
        /// Now.
        signature_post: String,
    }
    /// A symbol has another body; address and signature stay.
    ChangeBody {
        /// The stable id, which does not change.
        stable_id: String,
        /// SHA-256 of the text before.
        body_hash_pre: String,
        /// SHA-256 of the text now.
        body_hash_post: String,
    }
    /// One symbol becomes several.
    Split {
        /// It ends with this commit.
        source: Source,
        /// At least one, each with a new id.
        children: Vec<Child>,
    }
    /// Several symbols become one.
    Merge {
        /// At least two; they end with this commit, but for the one that the target goes on as.
        sources: Vec<Source>,
        /// What they became.
        target: Target,
    }
}

/// A symbol that ends, and where it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The stable id of the symbol.
    pub stable_id: String,
    /// Where it was.
    pub pre: Address,
}

/// A part of a symbol that was split.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Child {
    /// The stable id that the symbol gets.
    pub stable_id: String,
    /// Where it is.
    pub post: Address,
    /// SHA-256 of its text.
    pub body_hash_post: String,
}

/// What several symbols became.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// New, or that of one of the sources.
    pub stable_id: String,
    /// Where it is.
    pub post: Address,
    /// SHA-256 of its text.
    pub body_hash_post: String,
}

impl Operation {
    /// The discriminator.
    pub fn name(&self) -> &'static str {
        match self {
            Operation::Create(_) => "create",
            Operation::Delete(_) => "delete",
            Operation::Rename(_) => "rename",
            Operation::Move(_) => "move",
            Operation::ChangeSignature(_) => "change_signature",
            Operation::ChangeBody(_) => "change_body",
            Operation::Split(_) => "split",
            Operation::Merge(_) => "merge",
        }
    }

    /// Every stable id it names.
    pub fn stable_ids(&self) -> Vec<&str> {
        match self {
            Operation::Create(op) => vec![&op.stable_id],
            Operation::Delete(op) => vec![&op.stable_id],
            Operation::Rename(op) => vec![&op.stable_id],
            Operation::Move(op) => vec![&op.stable_id],
            Operation::ChangeSignature(op) => vec![&op.stable_id],
            Operation::ChangeBody(op) => vec![&op.stable_id],
            Operation::Split(op) => {
                let children = op.children.iter().map(|child| child.stable_id.as_str());
                std::iter::once(op.source.stable_id.as_str()).chain(children).collect()
            }
            Operation::Merge(op) => {
                let sources = op.sources.iter().map(|source| source.stable_id.as_str());
                sources.chain([op.target.stable_id.as_str()]).collect()
            }
        }
    }

    /// Every file it names.
    pub(crate) fn files(&self) -> Vec<&str> {
        match self {
            Operation::Create(op) => vec![&op.post.file],
            Operation::Delete(op) => vec![&op.pre.file],
            Operation::Rename(op) => {
                [&op.pre.file, &op.post.file].into_iter().flatten().map(String::as_str).collect()
            }
            Operation::Move(op) => vec![&op.pre.file, &op.post.file],
            Operation::ChangeSignature(_) | Operation::ChangeBody(_) => Vec::new(),
            Operation::Split(op) => {
                let children = op.children.iter().map(|child| child.post.file.as_str());
                std::iter::once(op.source.pre.file.as_str()).chain(children).collect()
            }
            Operation::Merge(op) => {
                let sources = op.sources.iter().map(|source| source.pre.file.as_str());
                sources.chain([op.target.post.file.as_str()]).collect()
            }
        }
    }
}
