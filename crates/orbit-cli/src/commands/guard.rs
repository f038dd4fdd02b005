//! `orbit task guard`: for hooks and for people who are about to write.

use super::store::Desk;
use crate::args::GuardArgs;
use crate::failure::Failure;
use crate::{guard, render};
use orbit_git::Git;
use orbit_graph::Location;
use std::fs;
use std::io::Write as _;
use std::path::Path;

/// What the hook runs.
const LINE: &str = "orbit task guard --staged || exit 1";

/// Says what is reserved by others, of these paths or of what is staged. Fails when settings want it.
pub(super) fn run(desk: &Desk, dir: &Path, args: &GuardArgs) -> Result<(), Failure> {
    let root = Location::of(dir)?.root;
    if args.install {
        return install(&root);
    }
    let mut paths = args.paths.clone();
    if args.staged {
        let listed = Git::at(&root).text(&["diff", "--cached", "--name-only", "--no-renames", "-z"]);
        let listed = listed
            .map_err(|error| Failure::input("git_failed", error.to_string(), "run it in a worktree"))?;
        paths.extend(listed.split('\0').filter(|path| !path.is_empty()).map(str::to_owned));
    }
    let found = guard::look(&root, &paths, args.actor.as_deref())?;
    found.refusal()?;
    desk.tell(&found, || {
        for warning in found.warnings() {
            render::warning(&warning);
        }
        Ok(())
    })
}

/// Puts the guard into the pre-commit hook; a hook that is there keeps what it does.
fn install(root: &Path) -> Result<(), Failure> {
    let path = Git::at(root).line(&["rev-parse", "--git-path", "hooks/pre-commit"]);
    let path = path
        .ok_or_else(|| Failure::input("git_failed", "this is not a git worktree".into(), "run `git init`"))?;
    let path = root.join(path);
    let text = fs::read_to_string(&path).unwrap_or_default();
    if text.lines().any(|line| line == LINE) {
        return render::line(&format!("{} has the guard already", path.display()));
    }
    let is_shell = text.lines().next().is_none_or(|line| line.starts_with("#!") && line.ends_with("sh"));
    if !is_shell {
        let message = format!("{} is not a shell script; it is left alone", path.display());
        return Err(Failure::input("hook_not_shell", message, "call `orbit task guard --staged` from it"));
    }
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    // Behind the first line, so that a hook that ends early does not skip it.
    let (first, rest) = text.split_once('\n').unwrap_or(("#!/bin/sh", ""));
    let mut file = fs::File::create(&path)?;
    write!(file, "{first}\n{LINE}\n{rest}")?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    }
    render::line(&format!("{} runs `orbit task guard --staged`", path.display()))
}
