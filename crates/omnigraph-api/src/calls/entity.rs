//! One row at one state.

use super::diff::{EndpointsOutput, KindChoice};
use super::when::target;
use super::{Call, Context, Method, Route};
use crate::fault::Fault;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

/// Which row.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EntityRequest {
    /// The node or edge type, or the table: `Person`, `node:Person`.
    pub type_name: String,
    /// The id of the row.
    pub id: String,
    /// A branch, `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// A commit, a tag, or `manifest:main:v3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    /// A time such as `2026-11-01T12:00:00Z`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// A row.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct EntityOutput {
    /// `node:Person` or `edge:Knows`.
    pub table_key: String,
    /// Node or edge.
    pub kind: KindChoice,
    /// The type.
    pub type_name: String,
    /// The id of the row.
    pub id: String,
    /// Of an edge.
    pub endpoints: Option<EndpointsOutput>,
    /// The values, without nulls.
    #[schema(value_type = Object)]
    pub properties: Map<String, Value>,
    /// The commit that was read.
    pub graph_commit_id: String,
    /// Its version.
    pub manifest_version: u64,
}

impl Call for EntityRequest {
    type Output = EntityOutput;

    const ROUTE: Route = Route {
        id: "entity",
        method: Method::Get,
        path: "/entity",
        summary: "The row with an id.",
        faults: &[400, 404],
    };

    fn run(self, context: &mut Context<'_>) -> Result<EntityOutput, Fault> {
        let target = target(self.branch, self.snapshot.as_deref(), self.at.as_deref())?;
        let Some(entity) = context.graph.entity_at(&target, &self.type_name, &self.id)? else {
            let message = format!("no {} `{}` at {target}", self.type_name, self.id);
            return Err(Fault::new("not_found", message));
        };
        let record = &entity.snapshot.record;
        Ok(EntityOutput {
            table_key: entity.table_key,
            kind: entity.kind.into(),
            type_name: entity.type_name,
            id: entity.id,
            endpoints: entity.endpoints.map(|ends| EndpointsOutput { src: ends.src, dst: ends.dst }),
            properties: entity.values,
            graph_commit_id: record.id.to_string(),
            manifest_version: record.version,
        })
    }
}
