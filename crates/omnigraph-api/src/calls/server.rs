//! What a server says of itself and of its graphs.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The server lives.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct HealthOutput {
    /// `ok`
    pub status: String,
    /// Of the program.
    pub version: String,
}

/// Graphs of a server.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct GraphListOutput {
    /// The graphs, sorted by name.
    pub graphs: Vec<GraphOutput>,
}

/// A graph of a server.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct GraphOutput {
    /// Its routes are below `/graphs/` and this name.
    pub name: String,
    /// Whether routes that name no graph mean this one.
    pub is_default: bool,
    /// Whether it could not be opened: its routes answer 503.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_unavailable: bool,
}
