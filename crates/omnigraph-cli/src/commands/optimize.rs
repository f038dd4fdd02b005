//! `omnigraph optimize`

use crate::args::OptimizeArgs;
use crate::failure::Failure;
use crate::render::progress::Work;
use crate::render::{self, counted, history};
use crate::session::Session;
use serde_json::json;
use std::fmt::Write as _;

pub(super) fn run(session: &Session, args: &OptimizeArgs) -> Result<(), Failure> {
    let (graph, uri) = session.open(&args.place)?;
    let branch = session.branch(args.branch.as_deref());
    let bar = Work::new("rows");
    let report = graph.optimize(Some(&branch), &mut |at| bar.show(&at));
    bar.finish();
    let report = report?;
    if session.json {
        let tables = report.tables.iter().map(|(key, done)| {
            json!({
                "table_key": key,
                "fragments_removed": done.fragments_removed,
                "fragments_added": done.fragments_added,
                "committed": report.committed && done.fragments_removed > 0,
            })
        });
        return render::json(&json!({
            "uri": uri,
            "branch": branch,
            "committed": report.committed,
            "graph_commit_id": report.snapshot.id(),
            "manifest_version": report.snapshot.record.version,
            "tables": tables.collect::<Vec<_>>(),
        }));
    }
    let mut out = String::new();
    let widest = report.tables.keys().map(String::len).max().unwrap_or(0);
    for (key, done) in &report.tables {
        let told = if done.fragments_removed == 0 {
            "nothing to do".to_owned()
        } else {
            let before = counted(done.fragments_removed as u64, "fragment");
            format!("{before} became {}", done.fragments_added)
        };
        let _ = writeln!(out, "{key:<widest$}  {told}");
    }
    let end = history::outcome(report.committed, &report.snapshot);
    let _ = writeln!(out, "optimized branch {branch} of {uri}; {end}");
    render::text(out)
}
