//! `omnigraph reset`

use crate::args::ResetArgs;
use crate::failure::Failure;
use crate::render::{self, versions};
use crate::session::Session;
use omnigraph_api::calls::revert::BranchResetRequest;

pub(super) fn run(session: &Session, args: &ResetArgs) -> Result<(), Failure> {
    let done = session.backend(&args.place)?.call(BranchResetRequest {
        branch: session.branch(args.branch.as_deref()),
        to: args.to.clone(),
        dry_run: args.dry_run,
        if_commit: args.if_commit.clone(),
    })?;
    if session.json {
        return render::json(&done);
    }
    let verb = if done.dry_run { "would reset" } else { "reset" };
    let end = versions::written(done.dry_run, &done.receipt);
    render::line(&format!("{verb} {} to {}: {end}", done.branch, done.to_commit_id))
}
