//! `orbit refactor commit`

use crate::failure::Failure;
use crate::questions::{Context, Family, Question};
use crate::render;
use crate::render::text::{printable, short};
use clap::Args;
use orbit_knowledge::Followed;
use orbit_refactor::{CommitOptions, Committed};
use serde::Serialize;
use std::io::Write;
use std::path::Path;

#[derive(Debug, Args)]
pub(crate) struct Commit {
    /// The message
    #[arg(short = 'm', long, value_name = "TEXT")]
    message: String,
    /// The agent that asked for the edits, for the operation log
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// The agent's model, for the operation log
    #[arg(long, value_name = "NAME")]
    model: Option<String>,
}

/// What a commit did, and what became of the knowledge that is anchored to its symbols.
#[derive(Serialize)]
pub(crate) struct Done {
    #[serde(flatten)]
    committed: Committed,
    /// Atoms whose anchors moved, or could not be followed; absent when the clone has no knowledge.
    #[serde(skip_serializing_if = "Option::is_none")]
    knowledge: Option<Followed>,
}

impl Question for Commit {
    const FAMILY: Family = Family::Refactor;
    const NAME: &'static str = "commit";
    const ABOUT: &'static str = "Commit exactly the touched files, and write down which symbol became what";
    const EXAMPLES: &'static [&'static str] = &["refactor commit -m 'Say gross when we mean gross'"];
    const TOOL: Option<&'static str> = Some(
        "Commit exactly the touched files and write the operation log, so that history follows the symbols.",
    );
    const ONLY_READS: bool = false;

    type Answer = Done;

    /// Commits, and lets the knowledge that is anchored to symbols follow them.
    fn run(&self, context: &Context<'_>) -> Result<Done, Failure> {
        let refactor = context.refactor()?;
        let Commit { message, agent, model } = self;
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

    fn text(&self, answer: &Done, out: &mut dyn Write) -> Result<(), Failure> {
        let Done { committed, knowledge } = answer;
        let (files, operations) = (committed.files.len(), committed.operations.len());
        writeln!(
            out,
            "{} {files} files, {operations} operations in {}",
            short(&committed.commit),
            committed.log
        )?;
        for operation in &committed.operations {
            writeln!(out, "  {} {}", operation.name(), operation.stable_ids().join(" "))?;
        }
        for warning in &committed.warnings {
            writeln!(out, "warning: {}", printable(warning))?;
        }
        match knowledge {
            Some(followed) if !followed.atoms.is_empty() => {
                out.flush()?;
                render::knowledge::followed(followed)
            }
            _ => Ok(()),
        }
    }
}

fn follow(root: &Path) -> Result<Option<Followed>, Failure> {
    let Some(store) = crate::knowledge::open_existing(root)? else { return Ok(None) };
    Ok(Some(store.follow_code()?))
}
