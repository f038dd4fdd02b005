//! `omnigraph snapshot`

use crate::args::SnapshotArgs;
use crate::failure::Failure;
use crate::render::{self, counted, history};
use crate::session::{Session, State};
use omnigraph_api::calls::snapshot::SnapshotRequest;
use std::fmt::Write as _;

pub(super) fn run(session: &Session, args: &SnapshotArgs) -> Result<(), Failure> {
    let State { branch, snapshot, at } = session.state(&args.at)?;
    let found = session.backend(&args.place)?.call(SnapshotRequest { branch, snapshot, at })?;
    if session.json {
        return render::json(&found);
    }
    let (branch, version, id) = (&found.branch, found.manifest_version, &found.graph_commit_id);
    let time = history::time(found.created_at);
    let mut out = format!("branch {branch} at version {version}, commit {id}, {time}\n");
    let widest = found.tables.iter().map(|table| table.table_key.len()).max().unwrap_or(0);
    for table in &found.tables {
        let _ = write!(out, "{:<widest$}  {:>12}", table.table_key, counted(table.row_count, "row"));
        if table.table_path.is_empty() {
            out.push('\n');
        } else {
            let version = &table.table_version;
            let version = version.as_str().map_or_else(|| version.to_string(), str::to_owned);
            let _ = writeln!(out, "  {} version {version}", table.table_path);
        }
    }
    render::text(out)
}
