//! `omnigraph cleanup`

use crate::args::CleanupArgs;
use crate::failure::Failure;
use crate::render::progress::Work;
use crate::render::{self, counted};
use crate::session::Session;
use omnigraph_api::calls::maintenance::{CleanupRequest, time};
use std::fmt::Write as _;

pub(super) fn run(session: &Session, args: &CleanupArgs) -> Result<(), Failure> {
    let request = CleanupRequest {
        keep: args.keep,
        older_than: args.older_than.map(|age| age.as_secs()),
        grace: Some(args.grace.as_secs()),
        confirm: args.confirm,
    };
    let backend = session.backend(&args.place)?;
    let bar = Work::new("");
    let done = backend.watched(request, &mut |at| bar.show(&at));
    bar.finish();
    let done = done?;
    if session.json {
        return render::json(&done);
    }
    let mut out = String::new();
    for table in done.tables.iter().filter(|table| table.files_removed > 0) {
        let name = table.table_key.as_ref().unwrap_or(&table.table_path);
        let versions = counted(table.old_versions_removed, "version");
        let files = counted(table.files_removed, "file");
        let _ = writeln!(out, "{name}: {versions}, {files}, {}", bytes(table.bytes_removed));
    }
    let verb = if done.confirmed { "removed" } else { "would remove" };
    let _ = writeln!(
        out,
        "{verb} {} and {} with {}; {} left",
        counted(done.commits_removed, "commit"),
        counted(done.files_removed, "file"),
        bytes(done.bytes_removed),
        counted(done.commits_kept, "commit"),
    );
    if done.files_waiting > 0 {
        let (files, size) = (counted(done.files_waiting, "file"), bytes(done.bytes_waiting));
        let grace = time(args.grace.as_secs());
        let _ = writeln!(out, "{files} with {size} are not needed either, but younger than {grace}");
    }
    render::text(out)?;
    if !done.confirmed {
        render::remark(&format!("{}; --confirm removes the rest", done.policy));
    }
    Ok(())
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
