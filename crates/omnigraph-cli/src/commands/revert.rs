//! `omnigraph revert`

use super::sides;
use crate::args::RevertArgs;
use crate::failure::Failure;
use crate::render::{self, versions};
use crate::session::Session;
use omnigraph_api::calls::revert::CommitRevertRequest;

pub(super) fn run(session: &Session, args: &RevertArgs) -> Result<(), Failure> {
    let (take, resolutions) = sides::read(&args.sides)?;
    let done = session.backend(&args.place)?.call(CommitRevertRequest {
        commit_id: args.commit.clone(),
        branch: Some(session.branch(args.branch.as_deref())),
        dry_run: args.dry_run,
        if_commit: args.if_commit.clone(),
        take,
        resolutions,
    })?;
    if session.json {
        return render::json(&done);
    }
    let verb = if done.dry_run { "would revert" } else { "reverted" };
    let end = versions::written(done.dry_run, &done.receipt);
    let taken = sides::taken(&done.resolved);
    render::line(&format!("{verb} {} on {}{taken}: {end}", done.reverted_commit_id, done.branch))
}
