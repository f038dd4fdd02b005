//! `omnigraph changes`

use super::diff::options;
use crate::args::ChangesArgs;
use crate::failure::Failure;
use crate::render::{self, history, versions};
use crate::session::Session;
use omnigraph::{FeedChange, FeedOptions};
use serde_json::{Value, json};

pub(super) fn run(session: &Session, args: &ChangesArgs) -> Result<(), Failure> {
    let since = args
        .since
        .parse()
        .map_err(|error| Failure::from(error).hint("`omnigraph commit list` prints the ids of commits"))?;
    let options = FeedOptions {
        branch: Some(session.branch(args.branch.as_deref())),
        since,
        limit: args.limit,
        diff: options(&args.choice),
    };
    let (graph, _) = session.open(&args.place)?;
    let feed = graph.changes_since(&options)?;
    if session.json {
        let change = |found: &FeedChange| -> Value {
            let mut document = versions::change(&found.change, args.choice.rows);
            document["graph_commit_id"] = json!(found.commit.id());
            document["actor_id"] = json!(found.commit.record.actor);
            document["created_at"] = json!(found.commit.record.created_at);
            document
        };
        return render::json(&json!({
            "branch": feed.branch,
            "changes": feed.changes.iter().map(change).collect::<Vec<_>>(),
            "cursor": feed.cursor.to_string(),
            "has_more": feed.has_more,
        }));
    }
    let mut out = String::new();
    let mut last = None;
    for found in &feed.changes {
        if last != Some(found.commit.id()) {
            out.push_str(&history::commit_line(&found.commit.record));
            out.push('\n');
            last = Some(found.commit.id());
        }
        out.extend(["  ", &versions::change_line(&found.change), "\n"]);
    }
    render::text(out)?;
    let more = if feed.has_more { "there are more: " } else { "" };
    render::remark(&format!("{more}--since {} goes on from here", feed.cursor));
    Ok(())
}
