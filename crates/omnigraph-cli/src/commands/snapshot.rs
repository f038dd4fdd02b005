//! `omnigraph snapshot`

use crate::args::SnapshotArgs;
use crate::failure::Failure;
use crate::render::{self, counted, history, safe};
use crate::session::Session;
use omnigraph::{TableInfo, Target};
use serde_json::json;
use std::fmt::Write as _;

pub(super) fn run(session: &Session, args: &SnapshotArgs) -> Result<(), Failure> {
    let target = session.target(&args.at)?;
    let (graph, _) = session.open(&args.place)?;
    let described = graph.describe(&target)?;
    let record = &described.snapshot.record;
    // A new branch has no commit of its own: what was asked for is its name all the same.
    let branch = match &target {
        Target::Branch(name) | Target::Version(name, _) | Target::At(name, _) => name,
        Target::Commit(_) | Target::Tag(_) => &record.branch,
    };
    if session.json {
        let table = |table: &TableInfo| {
            json!({
                "table_key": table.key,
                "table_path": table.path,
                "table_version": safe(table.version),
                "table_branch": null,
                "row_count": table.rows,
            })
        };
        return render::json(&json!({
            "branch": branch,
            "manifest_version": record.version,
            "graph_commit_id": record.id,
            "created_at": record.created_at,
            "tables": described.tables.iter().map(table).collect::<Vec<_>>(),
        }));
    }
    let time = history::time(record.created_at);
    let mut out = format!("branch {branch} at version {}, commit {}, {time}\n", record.version, record.id);
    let widest = described.tables.iter().map(|table| table.key.len()).max().unwrap_or(0);
    for table in &described.tables {
        let _ = write!(out, "{:<widest$}  {:>12}", table.key, counted(table.rows, "row"));
        if table.path.is_empty() {
            out.push('\n');
        } else {
            let _ = writeln!(out, "  {} version {}", table.path, table.version);
        }
    }
    render::text(out)
}
