//! `omnigraph cleanup`

use crate::args::CleanupArgs;
use crate::failure::Failure;
use crate::render::progress::Work;
use crate::render::{self, counted};
use crate::session::Session;
use omnigraph::{CleanupOptions, CleanupReport};
use serde_json::json;
use std::fmt::Write as _;
use std::time::Duration;

pub(super) fn run(session: &Session, args: &CleanupArgs) -> Result<(), Failure> {
    let (graph, uri) = session.open(&args.place)?;
    let options = CleanupOptions {
        keep: args.keep.map(|keep| keep as usize),
        older_than: args.older_than,
        grace: args.grace,
        confirm: args.confirm,
    };
    let bar = Work::new("");
    let report = graph.cleanup(&options, &mut |at| bar.show(&at));
    bar.finish();
    let report = report?;
    if session.json {
        return document(&report, args, &uri);
    }
    let removed = report.removed();
    let mut out = String::new();
    for (dir, table) in report.tables.iter().filter(|(_, table)| table.files > 0) {
        let name = table.key.clone().unwrap_or_else(|| format!("tables/{dir}"));
        let (versions, files) = (counted(table.versions, "version"), counted(table.files, "file"));
        let _ = writeln!(out, "{name}: {versions}, {files}, {}", bytes(table.bytes));
    }
    let verb = if args.confirm { "removed" } else { "would remove" };
    let _ = writeln!(
        out,
        "{verb} {} and {} with {}; {} left",
        counted(report.commits_removed, "commit"),
        counted(removed.files, "file"),
        bytes(removed.bytes),
        counted(report.commits_kept, "commit"),
    );
    if report.waiting.files > 0 {
        let (files, size) = (counted(report.waiting.files, "file"), bytes(report.waiting.bytes));
        let _ =
            writeln!(out, "{files} with {size} are not needed either, but younger than {}", time(args.grace));
    }
    render::text(out)?;
    if !args.confirm {
        render::remark(&format!("{}; --confirm removes the rest", policy(args)));
    }
    Ok(())
}

fn document(report: &CleanupReport, args: &CleanupArgs, uri: &str) -> Result<(), Failure> {
    let tables = report.tables.iter().map(|(dir, table)| {
        json!({
            "table_key": table.key,
            "table_path": format!("tables/{dir}"),
            "old_versions_removed": table.versions,
            "files_removed": table.files,
            "bytes_removed": table.bytes,
        })
    });
    let removed = report.removed();
    render::json(&json!({
        "uri": uri,
        "confirmed": args.confirm,
        "policy": policy(args),
        "commits_kept": report.commits_kept,
        "commits_removed": report.commits_removed,
        "files_removed": removed.files,
        "bytes_removed": removed.bytes,
        "files_waiting": report.waiting.files,
        "bytes_waiting": report.waiting.bytes,
        "tables": tables.collect::<Vec<_>>(),
    }))
}

/// What stays, in words.
fn policy(args: &CleanupArgs) -> String {
    let newest =
        args.keep.map(|keep| format!("the newest {} of every branch", counted(keep.into(), "commit")));
    let young = args.older_than.map(|age| format!("commits of the last {}", time(age)));
    let kept: Vec<String> = newest.into_iter().chain(young).collect();
    format!("keeps {}, tags and where branches start", kept.join(" and "))
}

fn time(duration: Duration) -> String {
    let seconds = duration.as_secs();
    let units = [(604_800, "week"), (86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")];
    let fits = |(length, _): &&(u64, &str)| seconds >= *length && seconds.is_multiple_of(*length);
    let (length, unit) = units.iter().find(fits).unwrap_or(&(1, "second"));
    counted(seconds / length, unit)
}

fn bytes(count: u64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let mut size = count as f64;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < units.len() {
        size /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{count} B") } else { format!("{size:.1} {}", units[unit]) }
}
