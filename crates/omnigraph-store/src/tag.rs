//! Tags: names for commits that stay where they are.

use crate::Result;
use crate::branch::{bad_name, decoded, encoded, fits};
use crate::commit_id::CommitId;
use crate::error::Error;
use crate::objects::Created;
use crate::released::kept;
use crate::snapshot::Snapshot;
use crate::store::{Store, now_micros};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A name for a commit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tag {
    /// Its name.
    pub name: String,
    /// What it names.
    pub commit: CommitId,
    /// Microseconds since 1970.
    pub created_at: i64,
    /// The name of the actor.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor: Option<String>,
}

impl Store {
    /// Names a commit. A tag that is there already stays what it is, unless it is moved on purpose.
    pub fn create_tag(&self, name: &str, at: &Snapshot, actor: Option<&str>, is_move: bool) -> Result<Tag> {
        let refuse = |reason: &str| Error::TagName { name: name.to_owned(), reason: reason.to_owned() };
        if let Some(reason) = bad_name(name) {
            return Err(refuse(reason));
        }
        let tag = Tag {
            name: name.to_owned(),
            commit: at.id().clone(),
            created_at: now_micros(),
            actor: actor.map(str::to_owned),
        };
        let object = object_of(name);
        let bytes = serde_json::to_vec(&tag).map_err(|error| Error::damaged(&object, error))?;
        let tag = self.wait(async {
            match self.branch(name).await {
                Err(Error::NoBranch { .. }) => {}
                Err(error) => return Err(error),
                Ok(_) => return Err(refuse("a branch has this name")),
            }
            if is_move {
                self.inner.objects.put(&object, bytes.into()).await?;
                return Ok(tag);
            }
            match self.inner.objects.create(&object, bytes.into()).await? {
                Created::Now => Ok(tag),
                Created::Before => {
                    let commit = self.read_tag(name).await?.commit;
                    Err(Error::TagExists { name: name.to_owned(), commit })
                }
            }
        })?;
        // Whoever cleans up puts its mark before it lists the tags, so one of both sees the other.
        match self.look_up(at.id()).and_then(kept) {
            Ok(_) => Ok(tag),
            Err(error) => self.delete_tag(name).and(Err(error)),
        }
    }

    /// A tag.
    pub fn tag(&self, name: &str) -> Result<Tag> {
        self.wait(self.read_tag(name))
    }

    async fn read_tag(&self, name: &str) -> Result<Tag> {
        let missing = || Error::NoTag { name: name.to_owned() };
        if !fits(name) {
            return Err(missing());
        }
        let object = object_of(name);
        let bytes = self.inner.objects.get(&object).await?.ok_or_else(missing)?;
        serde_json::from_slice(&bytes).map_err(|error| Error::damaged(object, error))
    }

    /// The graph that a tag names.
    pub(crate) fn tagged(&self, name: &str) -> Result<Arc<Snapshot>> {
        let tag = self.tag(name)?;
        self.look_up(&tag.commit).and_then(kept)
    }

    /// All tags, by name.
    pub fn tags(&self) -> Result<Vec<Tag>> {
        self.wait(self.all_tags())
    }

    pub(crate) async fn all_tags(&self) -> Result<Vec<Tag>> {
        let files = self.inner.objects.list("tags").await?;
        let names = files.iter().filter_map(|file| file.strip_suffix(".json")).map(decoded);
        let mut tags = Vec::new();
        for name in names {
            match self.read_tag(&name).await {
                Ok(tag) => tags.push(tag),
                Err(Error::NoTag { .. }) => {} // deleted meanwhile
                Err(error) => return Err(error),
            }
        }
        tags.sort_by(|left, right| left.name.cmp(&right.name));
        Ok(tags)
    }

    /// Removes a name. The commit stays for as long as something else leads to it.
    pub fn delete_tag(&self, name: &str) -> Result<Tag> {
        self.wait(async {
            let tag = self.read_tag(name).await?;
            self.inner.objects.delete(&object_of(name)).await?;
            Ok(tag)
        })
    }
}

fn object_of(name: &str) -> String {
    format!("tags/{}.json", encoded(name))
}
