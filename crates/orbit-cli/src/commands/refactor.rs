//! `orbit refactor`

use crate::failure::Failure;
use crate::refactor_args::{CommitArgs, RefactorArgs, RefactorCommand, RenameArgs};
use crate::render;
use orbit_refactor::{CommitOptions, Committed, Plan, Refactor, RenameOptions};

pub(super) fn run(args: RefactorArgs) -> Result<(), Failure> {
    let refactor = Refactor::open(&args.dir)?;
    if refactor.recovered {
        render::refactor::recovered();
    }
    match &args.command {
        RefactorCommand::Rename(rename) => finish(&refactor, &args, self::rename(&refactor, rename)?),
        RefactorCommand::Status => {
            let steps = refactor.status()?;
            if args.json {
                render::json(&render::refactor::Status { steps })
            } else {
                render::refactor::status(&steps)
            }
        }
        RefactorCommand::Diff => {
            let diff = refactor.diff()?;
            if args.json {
                render::json(&render::refactor::Diff { diff })
            } else {
                render::refactor::diff(&diff)
            }
        }
        RefactorCommand::Undo => {
            let step = refactor.undo()?;
            if args.json { render::json(&step) } else { render::line(&format!("taken back: {}", step.title)) }
        }
        RefactorCommand::Abort => {
            let steps = refactor.abort()?;
            let aborted = render::refactor::Aborted { steps };
            if args.json { render::json(&aborted) } else { render::line(&format!("{steps} taken back")) }
        }
        RefactorCommand::Commit(commit) => {
            let committed = self::commit(&refactor, commit)?;
            if args.json { render::json(&committed) } else { render::refactor::committed(&committed) }
        }
    }
}

/// Commits, and hands what was done to whoever keeps something about symbols.
fn commit(refactor: &Refactor, args: &CommitArgs) -> Result<Committed, Failure> {
    let CommitArgs { message, agent, model } = args;
    let options = CommitOptions { message: message.clone(), agent: agent.clone(), model: model.clone() };
    let committed = refactor.commit(&options)?;
    follow(&committed);
    Ok(committed)
}

/// The one place where knowledge that is anchored to symbols follows them: `committed.operations` says which symbol
/// became what, in the words of the operation log.
fn follow(_committed: &Committed) {}

fn rename(refactor: &Refactor, args: &RenameArgs) -> Result<Plan, Failure> {
    let selector = super::selector(&args.selector)?;
    let RenameArgs { include_fuzzy, skip_fuzzy, comments, .. } = *args;
    let options = RenameOptions { include_fuzzy, skip_fuzzy, comments };
    Ok(refactor.rename(&selector, &args.new_name, options)?)
}

/// Shows a plan, or applies it and says what was done.
fn finish(refactor: &Refactor, args: &RefactorArgs, plan: Plan) -> Result<(), Failure> {
    let (step, diff) = if args.dry_run {
        (None, Some(refactor.preview(&plan)?))
    } else {
        (Some(refactor.apply(&plan, args.allow_dirty)?.id), None)
    };
    let outcome = render::refactor::Outcome::new(plan, step, diff);
    if args.json { render::json(&outcome) } else { render::refactor::outcome(&outcome) }
}
