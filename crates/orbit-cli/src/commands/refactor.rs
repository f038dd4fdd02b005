//! `orbit refactor`

use crate::failure::Failure;
use crate::refactor_args::{CommitArgs, RefactorArgs, RefactorCommand, RenameArgs};
use crate::render;
use crate::render::refactor::Outcome;
use orbit_refactor::{CommitOptions, Committed, Part, Plan, Refactor, RenameOptions};
use serde::Serialize;
use serde_json::Value;
use std::path::Path;

pub(super) fn run(args: RefactorArgs) -> Result<(), Failure> {
    let refactor = Refactor::open(&args.dir)?;
    if refactor.recovered {
        render::refactor::recovered();
    }
    if let Some(plan) = plan(&refactor, &args.command)? {
        let outcome = finish(&refactor, plan, args.dry_run, args.allow_dirty)?;
        return if args.json { render::json(&outcome) } else { render::refactor::outcome(&outcome) };
    }
    match &args.command {
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
            let done = self::commit(&refactor, commit)?;
            if args.json {
                return render::json(&done);
            }
            render::refactor::committed(&done.committed)?;
            match &done.knowledge {
                Some(atoms) if atoms["atoms"].as_array().is_some_and(|atoms| !atoms.is_empty()) => {
                    render::knowledge::followed(atoms)
                }
                _ => Ok(()),
            }
        }
        _ => Ok(()), // everything else is a plan
    }
}

/// What a command would do to files; `None` for one that does nothing to them by itself.
fn plan(refactor: &Refactor, command: &RefactorCommand) -> Result<Option<Plan>, Failure> {
    let selector = super::selector;
    Ok(Some(match command {
        RefactorCommand::Rename(args) => rename(refactor, args)?,
        RefactorCommand::Move(args) => refactor.relocate(&selector(&args.selector)?, &args.file)?,
        RefactorCommand::Create(args) => {
            refactor.create(&args.file, &args.name, args.kind.as_deref(), &given(&args.body)?)?
        }
        RefactorCommand::Delete(args) => refactor.delete(&selector(&args.selector)?, args.force)?,
        RefactorCommand::ChangeSignature(args) => {
            refactor.change_signature(&selector(&args.selector)?, &args.signature)?
        }
        RefactorCommand::ChangeBody(args) => {
            refactor.change_body(&selector(&args.selector)?, &given(&args.body)?)?
        }
        RefactorCommand::Split(args) => {
            let parts: Vec<Part> = spec(&args.into)?;
            refactor.split(&selector(&args.selector)?, &parts, args.force)?
        }
        RefactorCommand::Merge(args) => {
            let selectors =
                args.selectors.iter().map(|text| selector(text)).collect::<Result<Vec<_>, _>>()?;
            refactor.merge(&selectors, &spec(&args.into)?, args.force)?
        }
        _ => return Ok(None),
    }))
}

/// Text as it is typed, from a file behind `@`, or from standard input for `-`.
fn given(text: &str) -> Result<String, Failure> {
    let read = match text.strip_prefix('@') {
        Some(path) => std::fs::read_to_string(path).map_err(|error| (path, error)),
        None if text == "-" => {
            std::io::read_to_string(std::io::stdin()).map_err(|error| ("standard input", error))
        }
        None => return Ok(text.to_owned()),
    };
    read.map_err(|(from, error)| {
        Failure::input("bad_text", format!("{from}: {error}"), "give text, @file or -")
    })
}

/// A specification in JSON.
fn spec<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Failure> {
    let hint =
        "it is JSON: {\"file\": …, \"name\": …, \"kind\": …, \"body\": …}; file and kind may be left out";
    serde_json::from_str(&given(text)?).map_err(|error| Failure::input("bad_spec", error.to_string(), hint))
}

/// What a commit did, and what became of the knowledge that is anchored to its symbols.
#[derive(Serialize)]
pub(crate) struct Done {
    #[serde(flatten)]
    pub(crate) committed: Committed,
    /// Atoms whose anchors moved, or could not be followed; absent when the clone has no knowledge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) knowledge: Option<Value>,
}

/// Commits, and lets the knowledge that is anchored to symbols follow them.
pub(crate) fn commit(refactor: &Refactor, args: &CommitArgs) -> Result<Done, Failure> {
    let CommitArgs { message, agent, model } = args;
    let options = CommitOptions { message: message.clone(), agent: agent.clone(), model: model.clone() };
    let mut committed = refactor.commit(&options)?;
    let knowledge = match follow(refactor.root()) {
        Ok(knowledge) => knowledge,
        // The commit is made; what is known about its symbols can follow later.
        Err(failure) => {
            committed.warnings.push(format!(
                "knowledge did not follow: {}; `orbit knowledge follow` tries again",
                failure.message
            ));
            None
        }
    };
    Ok(Done { committed, knowledge })
}

fn follow(root: &Path) -> Result<Option<Value>, Failure> {
    let Some(store) = crate::knowledge::open_existing(root)? else { return Ok(None) };
    crate::code::follow_anchors(&store).map(Some)
}

fn rename(refactor: &Refactor, args: &RenameArgs) -> Result<Plan, Failure> {
    let selector = super::selector(&args.selector)?;
    let RenameArgs { include_fuzzy, skip_fuzzy, comments, .. } = *args;
    let options = RenameOptions { include_fuzzy, skip_fuzzy, comments };
    Ok(refactor.rename(&selector, &args.new_name, options)?)
}

/// Shows a plan, or applies it and says what was done.
pub(crate) fn finish(
    refactor: &Refactor,
    plan: Plan,
    dry_run: bool,
    allow_dirty: bool,
) -> Result<Outcome, Failure> {
    let (step, diff) = if dry_run {
        (None, Some(refactor.preview(&plan)?))
    } else {
        (Some(refactor.apply(&plan, allow_dirty)?.id), None)
    };
    Ok(Outcome::new(plan, step, diff))
}
