//! `cargo xtask accuracy`: the index beside what compilers say of the same commit.
//!
//! ```text
//! truth (TSV of a compiler) ─┐
//! repository ─copy─ export ──┴─score─▶ Scored ─report─▶ text, Markdown
//! ```
//!
//! - [`truth`]: definitions and references as a compiler resolved them.
//! - [`predictions`]: the same, as `orbit graph export` tells them.
//! - [`score`]: what was found, what was missed, what is wrong, by level of confidence.
//! - [`stand_ins`]: where both mean the same thing and name different places.
//! - [`judged`]: references of a repository judged by hand, for languages without a compiler's word.
//!
//! A reference is known by file, line and name, and by column where several of one name share a line.

mod judged;
mod predictions;
mod report;
mod score;
mod stand_ins;
pub(crate) mod truth;

use crate::args::AccuracyArgs;
use crate::programs;
use crate::scratch::{self, Source};
use crate::summary;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xtask::failure::{Failure, fail};
use xtask::render;

const SUMMARY: &str = "benches/accuracy.md";

/// Scores every repository and prints the summary.
pub(crate) fn run(args: &AccuracyArgs) -> Result<ExitCode, Failure> {
    let orbit = programs::orbit()?;
    if let Some(file) = &args.judged {
        return judged::run(&orbit, file, &args.repos);
    }
    let Some(truth) = &args.truth else { return Err(fail("either --truth or --judged is needed")) };
    let mut scored = Vec::new();
    for repo in &args.repos {
        let source = Source::at(repo)?;
        render::note(format!("scoring {}", source.title()));
        let truth = truth::read(&truth_file(truth, &source)?)?;
        check_commit(&source, &truth)?;
        let scratch = scratch::dir()?;
        let copy = scratch.path().join("copy");
        source.copy(&copy)?;
        let predictions = predictions::read(&orbit, &copy)?;
        scored.push(score::score(&source.name, &truth, &predictions, &copy));
    }
    let text = report::markdown(&scored);
    summary::publish(SUMMARY, &text, args.write)
}

/// The truth of a repository is called after the last part of its path.
pub(crate) fn truth_file(dir: &Path, source: &Source) -> Result<PathBuf, Failure> {
    let name = format!("{}.gt.tsv.gz", source.name.to_lowercase());
    let places = [dir.join(&name), dir.join("data").join(&name)];
    let found = places.into_iter().find(|path| path.is_file());
    found.ok_or_else(|| fail(format!("{} has no {name}", dir.display())))
}

/// Positions mean something only at the commit they were taken from.
pub(crate) fn check_commit(source: &Source, truth: &truth::Truth) -> Result<(), Failure> {
    match (&source.commit, &truth.commit) {
        (Some(here), Some(there)) if !there.starts_with(here.as_str()) => {
            Err(fail(format!("{} is at {here}, its truth at {there}: check that commit out", source.name)))
        }
        _ => Ok(()),
    }
}
