//! Tags: names of commits.

use super::page::page;
use super::{Call, Context, Method, Route, main_if_none};
use crate::fault::Fault;
use omnigraph::Tag;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A tag.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct TagOutput {
    /// Its name.
    pub name: String,
    /// The commit that it names.
    pub graph_commit_id: String,
    /// Microseconds since 1970.
    pub created_at: i64,
    /// The actor, where one is known.
    pub actor_id: Option<String>,
}

impl From<Tag> for TagOutput {
    fn from(tag: Tag) -> TagOutput {
        TagOutput {
            name: tag.name,
            graph_commit_id: tag.commit.to_string(),
            created_at: tag.created_at,
            actor_id: tag.actor,
        }
    }
}

/// Asks for the tags of branches that the caller may read.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TagListRequest {
    /// At most so many; all if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Those behind this one: the last of an earlier answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// Tags of a graph.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct TagListOutput {
    /// The tags, sorted by name.
    pub tags: Vec<TagOutput>,
    /// Whether there are more: give the last as `after` to get them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_more: bool,
}

impl Call for TagListRequest {
    type Output = TagListOutput;

    const ROUTE: Route = Route {
        id: "tag_list",
        method: Method::Get,
        path: "/tags",
        summary: "The tags of branches that the caller may read.",
        faults: &[],
    };

    fn run(self, context: &mut Context<'_>) -> Result<TagListOutput, Fault> {
        let all = context.graph.tags()?;
        let (tags, has_more) = page(all, self.limit, self.after.as_deref(), |tag| &tag.name);
        Ok(TagListOutput { tags: tags.into_iter().map(TagOutput::from).collect(), has_more })
    }
}

/// A commit to name.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TagCreateRequest {
    /// A branch, a tag, a commit, or `BRANCH@TIME`; `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Moves a tag that is there already.
    #[serde(default)]
    pub force: bool,
    /// Of the tag.
    #[schema(min_length = 1, max_length = 200)]
    pub name: String,
}

impl Call for TagCreateRequest {
    type Output = TagOutput;

    const ROUTE: Route = Route {
        id: "tag_create",
        method: Method::Post,
        path: "/tags",
        summary: "Names a commit.",
        faults: &[400, 404, 409],
    };

    fn run(self, context: &mut Context<'_>) -> Result<TagOutput, Fault> {
        let from = main_if_none(self.from);
        Ok(context.graph.create_tag(&self.name, &from, self.force)?.into())
    }
}

/// A tag to take away.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TagDeleteRequest {
    /// Its name.
    pub tag: String,
}

impl Call for TagDeleteRequest {
    type Output = TagOutput;

    const ROUTE: Route = Route {
        id: "tag_delete",
        method: Method::Delete,
        path: "/tags/{*tag}",
        summary: "Takes a tag away; what it named stays.",
        faults: &[400, 404],
    };

    fn run(self, context: &mut Context<'_>) -> Result<TagOutput, Fault> {
        Ok(context.graph.delete_tag(&self.tag)?.into())
    }
}
