//! Branches: a name for a log, and where that log left another.

use crate::commit_id::{CommitId, random_uid};
use crate::error::Error;
use crate::objects::{Created, Objects};
use serde::{Deserialize, Serialize};

/// Names that begin so belong to the store itself.
const INTERNAL: &str = "__";

/// A branch as it is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// Its name.
    pub name: String,
    /// The log that its commits go to.
    pub(crate) uid: String,
    /// The commit that it starts from; none for the first branch of a graph.
    pub fork: Option<CommitId>,
    /// Microseconds since 1970.
    pub created_at: i64,
    /// Who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
}

impl Branch {
    /// The branch of a new graph.
    pub const MAIN: &'static str = "main";

    /// Whether the name belongs to something that the store made for itself, such as a run.
    pub fn is_internal(name: &str) -> bool {
        name.starts_with(INTERNAL)
    }

    pub(crate) fn new(name: &str, fork: Option<CommitId>, created_at: i64) -> Result<Branch, Error> {
        if let Some(reason) = bad_name(name) {
            return Err(Error::BranchName { name: name.to_owned(), reason: reason.to_owned() });
        }
        Ok(Branch { name: name.to_owned(), uid: random_uid()?, fork, created_at, actor: None })
    }

    pub(crate) async fn read(objects: &Objects, name: &str) -> Result<Option<Branch>, Error> {
        if !fits(name) {
            return Ok(None);
        }
        let object = object_of(name);
        let Some(bytes) = objects.get(&object).await? else { return Ok(None) };
        serde_json::from_slice(&bytes).map(Some).map_err(|error| Error::damaged(object, error))
    }

    pub(crate) async fn create(&self, objects: &Objects) -> Result<Created, Error> {
        let bytes = serde_json::to_vec(self).map_err(|error| Error::damaged(&self.name, error))?;
        objects.create(&object_of(&self.name), bytes.into()).await
    }

    pub(crate) async fn delete(objects: &Objects, name: &str) -> Result<(), Error> {
        objects.delete(&object_of(name)).await
    }

    /// All names, those of the store itself included, sorted.
    pub(crate) async fn names(objects: &Objects) -> Result<Vec<String>, Error> {
        let files = objects.list("branches").await?;
        let mut names: Vec<String> =
            files.iter().filter_map(|file| file.strip_suffix(".json")).map(decoded).collect();
        names.sort_unstable();
        Ok(names)
    }
}

/// Why a name cannot be one: names are words joined by slashes, as people name branches in git.
#[expect(clippy::case_sensitive_file_extension_comparisons, reason = "git refuses exactly these names")]
pub(crate) fn bad_name(name: &str) -> Option<&'static str> {
    if name.is_empty() || name.len() > 200 {
        return Some("a name has 1 to 200 bytes");
    }
    if !fits(name) {
        return Some(
            "it is too long: what is neither a letter of English nor a digit nor one of `_ - .` counts threefold",
        );
    }
    if name.split('/').any(|part| part.is_empty() || part.starts_with('.') || part.ends_with(".lock")) {
        return Some("its parts between slashes must not be empty or begin with a dot");
    }
    if name.starts_with('-')
        || name.chars().any(|c| c.is_control() || c.is_whitespace() || "~^:?*[\\\"'`".contains(c))
    {
        return Some("letters, digits and `_ - . / @ + #` are fine");
    }
    None
}

fn object_of(name: &str) -> String {
    format!("branches/{}.json", encoded(name))
}

/// Whether a file can have this name: most systems allow 255 bytes. Nothing has a name that does not fit.
pub(crate) fn fits(name: &str) -> bool {
    encoded(name).len() <= 240
}

/// A name as an object of the store can have it.
pub(crate) fn encoded(name: &str) -> String {
    name.bytes().map(encode).collect()
}

fn encode(byte: u8) -> String {
    let plain = byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    if plain { char::from(byte).to_string() } else { format!("={byte:02X}") }
}

/// The name that was encoded.
pub(crate) fn decoded(encoded: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = encoded.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let hex = behind.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) if *first == b'=' => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            _ => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
