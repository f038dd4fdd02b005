//! `omnigraph clone`

use crate::args::CloneArgs;
use crate::failure::Failure;
use crate::render::progress::Work;
use crate::render::{self, counted};
use crate::session::Session;
use serde_json::json;

pub(super) fn run(session: &Session, args: &CloneArgs) -> Result<(), Failure> {
    let backend = session.backend(&args.place)?;
    let Some(graph) = backend.graph() else {
        return Err(Failure::usage(
            "the files of a graph are copied where they are, and a server does not hand them out",
        )
        .hint("name the path or the bucket of the graph, or load what `export` writes into another graph"));
    };
    let bar = Work::new("bytes");
    let copied = graph.copy_to(&args.to, &mut |at| bar.show(&at));
    bar.finish();
    let copied = copied.map_err(omnigraph_api::fault::Fault::from)?;
    if session.json {
        return render::json(&json!({
            "uri": &*backend.uri,
            "to": args.to,
            "is_new": copied.is_new,
            "commits": copied.commits,
            "branches": copied.branches,
            "files": copied.files,
            "bytes": copied.bytes,
            "only_there": copied.only_there,
        }));
    }
    let verb = if copied.is_new { "cloned" } else { "brought up to date" };
    let commits = counted(copied.commits, "commit");
    let branches =
        if copied.branches == 1 { "1 branch".to_owned() } else { format!("{} branches", copied.branches) };
    let files = counted(copied.files, "file");
    let subject = if copied.is_new { format!("{} to {}", backend.uri, args.to) } else { args.to.clone() };
    render::line(&format!("{verb} {subject}: {commits}, {branches}, {files}"))?;
    for branch in &copied.only_there {
        render::remark(&format!("branch {branch} is only in {}: it stays", args.to));
    }
    Ok(())
}
