//! What differs between two states.

use super::receipt::{ChangedOutput, changed, present};
use super::{Call, Context, Method, Route};
use crate::fault::Fault;
use omnigraph::{ChangeFilter, ChangeOp, ChangeStats, DiffOptions, EntityChange, EntityKind};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::io::Write;
use utoipa::ToSchema;

/// What happened to a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OpChoice {
    /// It is new.
    Insert,
    /// It is different.
    Update,
    /// It is gone.
    Delete,
}

impl From<OpChoice> for ChangeOp {
    fn from(op: OpChoice) -> ChangeOp {
        match op {
            OpChoice::Insert => ChangeOp::Insert,
            OpChoice::Update => ChangeOp::Update,
            OpChoice::Delete => ChangeOp::Delete,
        }
    }
}

impl From<ChangeOp> for OpChoice {
    fn from(op: ChangeOp) -> OpChoice {
        match op {
            ChangeOp::Insert => OpChoice::Insert,
            ChangeOp::Update => OpChoice::Update,
            ChangeOp::Delete => OpChoice::Delete,
        }
    }
}

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum KindChoice {
    /// A node.
    Node,
    /// An edge.
    Edge,
}

impl From<KindChoice> for EntityKind {
    fn from(kind: KindChoice) -> EntityKind {
        match kind {
            KindChoice::Node => EntityKind::Node,
            KindChoice::Edge => EntityKind::Edge,
        }
    }
}

impl From<EntityKind> for KindChoice {
    fn from(kind: EntityKind) -> KindChoice {
        match kind {
            EntityKind::Node => KindChoice::Node,
            EntityKind::Edge => KindChoice::Edge,
        }
    }
}

/// Which two states, and which of their differences. An empty list selects everything.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DiffRequest {
    /// The state before: a branch, a tag, a commit, `manifest:BRANCH:vN`, or `BRANCH@TIME`.
    pub from: String,
    /// The state behind.
    pub to: String,
    /// Only these types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub type_names: Vec<String>,
    /// Only rows that this happened to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ops: Vec<OpChoice>,
    /// Only nodes, or only edges.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kinds: Vec<KindChoice>,
    /// With the values of the rows.
    #[serde(default)]
    pub rows: bool,
}

/// What differs.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct DiffOutput {
    /// The commit before.
    pub from_commit_id: String,
    /// The commit behind.
    pub to_commit_id: String,
    /// Its version.
    pub from_version: u64,
    /// Its version.
    pub to_version: u64,
    /// The branch of the commit behind.
    pub branch: Option<String>,
    /// Every row.
    pub changes: Vec<ChangeRowOutput>,
    /// How many rows were inserted, updated and deleted.
    pub stats: StatsOutput,
}

/// One row that differs.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ChangeRowOutput {
    /// `node:Person` or `edge:Knows`.
    pub table_key: String,
    /// Node or edge.
    pub kind: KindChoice,
    /// The type.
    pub type_name: String,
    /// The id of the row.
    pub id: String,
    /// What happened to it.
    pub op: OpChoice,
    /// The version of the commit that shows it.
    pub manifest_version: u64,
    /// Of an edge.
    pub endpoints: Option<EndpointsOutput>,
    /// The values before, without nulls; null when there was no row. Only when rows were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[schema(value_type = Option<Object>)]
    pub before: Option<Option<Map<String, Value>>>,
    /// The values behind, without nulls; null when there is no row. Only when rows were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[schema(value_type = Option<Object>)]
    pub after: Option<Option<Map<String, Value>>>,
}

/// The nodes that an edge joins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EndpointsOutput {
    /// Where it leaves.
    pub src: String,
    /// Where it arrives.
    pub dst: String,
}

/// Numbers of changes.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct StatsOutput {
    /// Rows that are new.
    pub inserted: u64,
    /// Rows that are different.
    pub updated: u64,
    /// Rows that are gone.
    pub deleted: u64,
    /// By table.
    pub tables: Vec<ChangedOutput>,
}

impl Call for DiffRequest {
    type Output = DiffOutput;

    const ROUTE: Route = Route {
        id: "diff",
        method: Method::Get,
        path: "/diff",
        summary: "The rows that differ between two states.",
        faults: &[400, 404],
    };

    fn run(self, context: &mut Context<'_>) -> Result<DiffOutput, Fault> {
        let options =
            DiffOptions { filter: filter(&self.type_names, &self.ops, &self.kinds), with_rows: self.rows };
        let ((from, _), (to, _)) = (context.graph.state(&self.from)?, context.graph.state(&self.to)?);
        let set = context.graph.diff(&from, &to, &options)?;
        Ok(DiffOutput {
            from_commit_id: set.from.id().to_string(),
            to_commit_id: set.to.id().to_string(),
            from_version: set.from.record.version,
            to_version: set.to.record.version,
            branch: set.branch,
            changes: set.changes.into_iter().map(|change| row(change, self.rows)).collect(),
            stats: stats(&set.stats),
        })
    }
}

impl DiffRequest {
    /// Where the lines that a load applies are.
    pub const PATCH: Route = Route {
        id: "patch",
        method: Method::Get,
        path: "/diff/patch",
        summary: "The rows that differ between two states, as lines that a load applies.",
        faults: &[400, 404],
    };

    /// Writes the differences as lines that a load applies. Nothing is written when the request is refused.
    pub fn write(self, context: &Context<'_>, out: &mut dyn Write) -> Result<(), Fault> {
        let ((from, _), (to, _)) = (context.graph.state(&self.from)?, context.graph.state(&self.to)?);
        context.graph.patch(&from, &to, &filter(&self.type_names, &self.ops, &self.kinds), out)?;
        Ok(())
    }
}

/// What was asked for.
pub(super) fn filter(types: &[String], ops: &[OpChoice], kinds: &[KindChoice]) -> ChangeFilter {
    ChangeFilter {
        kinds: kinds.iter().copied().map(EntityKind::from).collect(),
        type_names: types.to_vec(),
        ops: ops.iter().copied().map(ChangeOp::from).collect(),
    }
}

/// A changed row; values only when they were asked for.
pub(super) fn row(change: EntityChange, with_rows: bool) -> ChangeRowOutput {
    ChangeRowOutput {
        table_key: change.table_key,
        kind: change.kind.into(),
        type_name: change.type_name,
        id: change.id,
        op: change.op.into(),
        manifest_version: change.manifest_version,
        endpoints: change.endpoints.map(|ends| EndpointsOutput { src: ends.src, dst: ends.dst }),
        before: with_rows.then_some(change.before),
        after: with_rows.then_some(change.after),
    }
}

fn stats(stats: &ChangeStats) -> StatsOutput {
    let [inserted, updated, deleted] = stats.totals();
    StatsOutput { inserted, updated, deleted, tables: changed(&stats.tables) }
}
