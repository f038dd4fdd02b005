//! `omnigraph change`

use crate::args::ChangeArgs;
use crate::failure::Failure;
use crate::queries::Asked;
use crate::render;
use crate::session::Session;
use omnigraph_api::calls::change::ChangeRequest;
use omnigraph_api::config::AliasCommand;

pub(super) fn run(session: &Session, args: &ChangeArgs) -> Result<(), Failure> {
    let asked = Asked::new(session, &args.ask, AliasCommand::Change)?;
    let branch = session.branch(asked.branch(args.branch.as_deref()).as_deref());
    let changed = asked.backend(session)?.call(ChangeRequest {
        query_source: asked.source.text().to_owned(),
        query_name: asked.name.clone(),
        params: asked.params.clone(),
        branch: Some(branch),
        if_commit: args.if_commit.clone(),
        source_name: Some(asked.source.name().to_owned()),
    })?;
    if session.json {
        return render::json(&changed);
    }
    render::line(&format!(
        "changed {} via {}: {} nodes, {} edges; {}",
        changed.branch,
        changed.query_name,
        changed.affected_nodes,
        changed.affected_edges,
        changed.receipt.outcome()
    ))
}
