//! All rows as lines that a load reads back.

use super::when::target;
use super::{Context, Method, Route};
use crate::fault::Fault;
use omnigraph::ExportOptions;
use serde::{Deserialize, Serialize};
use std::io::Write;
use utoipa::ToSchema;

/// What to export. Both lists empty is everything; else what either names.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExportRequest {
    /// A branch, `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// A commit, a tag, or `manifest:main:v3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snapshot: Option<String>,
    /// A time such as `2026-11-01T12:00:00Z`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Only these types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub type_names: Vec<String>,
    /// Only these tables, such as `node:Person`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub table_keys: Vec<String>,
}

impl ExportRequest {
    /// Where it is on the wire.
    pub const ROUTE: Route = Route {
        id: "export",
        method: Method::Post,
        path: "/export",
        summary: "All rows of a state as lines of JSON, nodes before edges.",
        faults: &[400, 404],
    };

    /// Writes the lines. Nothing is written when the request is refused.
    pub fn write(self, context: &Context<'_>, out: &mut dyn Write) -> Result<(), Fault> {
        let target = target(self.branch, self.snapshot.as_deref(), self.at.as_deref())?;
        let options = ExportOptions { types: self.type_names, tables: self.table_keys };
        context.graph.export(&target, &options, out)?;
        Ok(())
    }
}
