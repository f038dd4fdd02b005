//! `omnigraph optimize`

use crate::args::OptimizeArgs;
use crate::failure::Failure;
use crate::render::progress::Work;
use crate::render::{self, counted};
use crate::session::Session;
use omnigraph_api::calls::maintenance::OptimizeRequest;
use omnigraph_api::calls::receipt::outcome;
use std::fmt::Write as _;

pub(super) fn run(session: &Session, args: &OptimizeArgs) -> Result<(), Failure> {
    let backend = session.backend(&args.place)?;
    let request = OptimizeRequest { branch: Some(session.branch(args.branch.as_deref())) };
    let bar = Work::new("rows");
    let done = backend.watched(request, &mut |at| bar.show(&at));
    bar.finish();
    let done = done?;
    if session.json {
        return render::json(&done);
    }
    let mut out = String::new();
    let widest = done.tables.iter().map(|table| table.table_key.len()).max().unwrap_or(0);
    for table in &done.tables {
        let text = if table.fragments_removed == 0 {
            "nothing to do".to_owned()
        } else {
            let before = counted(table.fragments_removed, "fragment");
            format!("{before} became {}", table.fragments_added)
        };
        let _ = writeln!(out, "{:<widest$}  {text}", table.table_key);
    }
    let end = outcome(done.committed, &done.graph_commit_id);
    let _ = writeln!(out, "optimized branch {} of {}; {end}", done.branch, done.uri);
    render::text(out)
}
