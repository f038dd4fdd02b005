//! `omnigraph change`

use crate::args::ChangeArgs;
use crate::config::AliasCommand;
use crate::failure::Failure;
use crate::queries::Asked;
use crate::render::{self, history};
use crate::session::{Session, commit, open};
use omnigraph::ChangeOptions;
use serde_json::json;

pub(super) fn run(session: &Session, args: &ChangeArgs) -> Result<(), Failure> {
    let asked = Asked::new(session, &args.ask, AliasCommand::Change)?;
    let branch = session.branch(asked.branch(args.branch.as_deref()).as_deref());
    let options =
        ChangeOptions { branch: Some(branch.clone()), if_commit: commit(args.if_commit.as_deref())? };
    let graph = open(session, &asked.location(session)?)?;
    let receipt = graph
        .change(asked.source.text(), asked.name.as_deref(), &asked.params, &options)
        .map_err(|error| Failure::about(error, &asked.source))?;
    let name = asked.query_name();
    if session.json {
        let mut document = json!({
            "branch": branch,
            "query_name": name,
            "affected_nodes": receipt.affected_nodes,
            "affected_edges": receipt.affected_edges,
            "actor_id": session.actor,
        });
        history::receipt(&mut document, &receipt.snapshot, receipt.committed, &receipt.changes);
        return render::json(&document);
    }
    render::line(&format!(
        "changed {branch} via {name}: {} nodes, {} edges; {}",
        receipt.affected_nodes,
        receipt.affected_edges,
        history::outcome(receipt.committed, &receipt.snapshot)
    ))
}
