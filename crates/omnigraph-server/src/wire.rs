//! Bodies of requests and answers, as they are on the wire. The command line prints the same ones.

mod branches;
mod commits;
mod reads;
mod tables;
mod writes;

pub use crate::http::ErrorOutput;
pub use branches::{BranchCreateOutput, BranchCreateRequest, BranchDeleteOutput, BranchListOutput};
pub use commits::{CommitListOutput, CommitOutput};
pub use reads::{ExplainOutput, ExplainRequest, ExportRequest, ReadRequest};
pub use tables::{GraphListOutput, GraphOutput, HealthOutput, SchemaOutput, SnapshotOutput, TableOutput};
pub use writes::{
    ChangeOutput, ChangeRequest, ChangesOutput, IngestOutput, IngestRequest, LoadMode, LoadedOutput,
};

use serde_json::Value;

/// An integer that JavaScript can read; text when it is greater than that.
pub fn safe(number: u64) -> Value {
    const SAFE: u64 = (1 << 53) - 1;
    if number <= SAFE { Value::from(number) } else { Value::from(number.to_string()) }
}
