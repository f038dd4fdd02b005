//! `orbit knowledge merge-driver`: what git calls to merge a file of an export.

use super::files;
use crate::args::DriverArgs;
use crate::failure::Failure;
use crate::render;
use orbit_git::Git;
use orbit_graph::Location;
use orbit_knowledge::{KnowledgeError, merge_knowledge};
use std::fs;
use std::path::Path;

const COMMAND: &str = "orbit knowledge merge-driver %O %A %B %P";

/// Merges three files into the second, as git wants it; or tells git to do so from now on.
pub(super) fn run(dir: &Path, args: &DriverArgs) -> Result<(), Failure> {
    match &args.files[..] {
        [] if args.install => install(dir, args),
        [base, ours, theirs] => merge(dir, base, ours, theirs, None),
        [base, ours, theirs, path] => merge(dir, base, ours, theirs, Some(path)),
        _ => Err(Failure::input(
            "usage",
            "give the base, ours and theirs, or --install".into(),
            "git calls this; `orbit knowledge merge-driver --install` makes it",
        )),
    }
}

fn merge(dir: &Path, base: &str, ours: &str, theirs: &str, path: Option<&str>) -> Result<(), Failure> {
    let read =
        |path: &str| fs::read_to_string(path).map_err(|error| KnowledgeError::File(path.into(), error));
    let (common, mine, other) = (read(base)?, read(ours)?, read(theirs)?);
    let common = (!common.is_empty()).then_some(common.as_str());
    match merge_knowledge(common, &mine, &other, path) {
        Ok(text) => Ok(fs::write(ours, text)?),
        Err(why) => {
            // Marks in the text, as for any other file.
            let names = ["merge-file", "-L", "ours", "-L", "base", "-L", "theirs", ours, base, theirs];
            let _ = Git::at(dir).output(&names); // it fails by the number of conflicts
            Err(Failure::input("conflict", why.join("; "), "solve it in the file, then `git add` it"))
        }
    }
}

/// Makes git use this for the files of an export.
fn install(dir: &Path, args: &DriverArgs) -> Result<(), Failure> {
    let root = Location::of(dir)?.root;
    let git = Git::at(&root);
    for (key, value) in [
        ("merge.orbit-knowledge.name", "molecules and atoms of orbit"),
        ("merge.orbit-knowledge.driver", COMMAND),
    ] {
        let set = git.output(&["config", key, value]);
        set.map_err(|error| Failure::input("git_failed", error.to_string(), "run it in a git worktree"))?;
    }
    let home = root.join(&args.target);
    files::attributes(&home)?;
    let path = home.join(".gitattributes");
    render::line(&format!("git merges the files of {} with orbit; commit {}", home.display(), path.display()))
}
