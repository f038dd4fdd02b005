//! `omnigraph changes`

use crate::args::{ChangesArgs, KindChoice, OpChoice};
use crate::failure::Failure;
use crate::render::{self, history, versions};
use crate::session::Session;
use omnigraph_api::calls::changes::{ChangesOutput, ChangesRequest};

pub(super) fn run(session: &Session, args: &ChangesArgs) -> Result<(), Failure> {
    let choice = &args.choice;
    let feed = session.backend(&args.place)?.call(ChangesRequest {
        since: args.since.clone(),
        limit: Some(args.limit),
        branch: Some(session.branch(args.branch.as_deref())),
        type_names: choice.types.clone(),
        ops: choice.ops.iter().copied().map(OpChoice::into).collect(),
        kinds: choice.kinds.iter().copied().map(KindChoice::into).collect(),
        rows: choice.rows,
        // People see which commit made a change.
        commits: !session.json,
    })?;
    if session.json {
        return render::json(&feed);
    }
    render::text(text(&feed))?;
    let more = if feed.has_more { "there are more: " } else { "" };
    render::remark(&format!("{more}--since {} goes on from here", feed.cursor));
    Ok(())
}

/// Commits, each above its changes.
fn text(feed: &ChangesOutput) -> String {
    let mut out = String::new();
    let mut last = None;
    for found in &feed.changes {
        let id = found.graph_commit_id.as_str();
        if last != Some(id) {
            let commit = feed.commits.iter().find(|commit| commit.graph_commit_id == id);
            out.extend(commit.map(|commit| history::commit_line(commit) + "\n"));
            last = Some(id);
        }
        out.extend(["  ", &versions::change_line(&found.change), "\n"]);
    }
    out
}
