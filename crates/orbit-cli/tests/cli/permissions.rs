//! Files and directories that may not be read or written. Permissions do not bind root, so when the tests run
//! as root the program runs as a user without rights.

use crate::program::{Outcome, command_of, outcome, skipped};
use crate::worktree::Worktree;
use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// `nobody`, by the number every system has for it.
const NOBODY: u32 = 65_534;

/// A worktree, and the program run by a user whom permissions bind.
struct Bound {
    worktree: Worktree,
    programs: TempDir,
    is_root: bool,
}

impl Bound {
    fn new() -> Bound {
        let programs = tempfile::tempdir().expect("a temporary directory");
        let program = programs.path().join("orbit");
        fs::copy(env!("CARGO_BIN_EXE_orbit"), &program).expect("a copy of the program");
        for path in [programs.path(), &program] {
            fs::set_permissions(path, Permissions::from_mode(0o755)).expect("it is ours");
        }
        let is_root = fs::metadata(&program).expect("it is there").uid() == 0;
        let bound = Bound { worktree: Worktree::small(), programs, is_root };
        bound.hand_over();
        bound
    }

    /// Gives the worktree to the user who runs the program.
    fn hand_over(&self) {
        if self.is_root {
            let mut open: Vec<PathBuf> = vec![self.worktree.root().to_owned()];
            while let Some(path) = open.pop() {
                chown(&path, Some(NOBODY), Some(NOBODY)).expect("root may");
                if path.is_dir() {
                    let entries = fs::read_dir(&path).expect("root may");
                    open.extend(entries.map(|entry| entry.expect("readable").path()));
                }
            }
        }
    }

    fn write(&self, path: &str, text: &str) {
        self.worktree.write(path, text);
        self.hand_over();
    }

    fn orbit(&self, args: &[&str]) -> Outcome {
        let mut command = command_of(&self.programs.path().join("orbit"), self.worktree.root(), args);
        if self.is_root {
            command.uid(NOBODY).gid(NOBODY);
        }
        // A test that starts a program while the copy is written has the copy open for a moment, and a file
        // that is open for writing does not run.
        loop {
            match command.output() {
                Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => std::thread::yield_now(),
                output => return outcome(output.expect("the program runs as another user")),
            }
        }
    }

    fn sync(&self) -> serde_json::Value {
        self.orbit(&["sync", "--json"]).json()
    }

    /// Sets the mode of a path, and gives it back when dropped so that the directory can be removed.
    fn mode(&self, path: &str, mode: u32) -> Mode {
        let path = self.worktree.path(path);
        let before = fs::metadata(&path).expect("it is there").permissions();
        fs::set_permissions(&path, Permissions::from_mode(mode)).expect("it is ours");
        Mode { path, before }
    }
}

struct Mode {
    path: PathBuf,
    before: Permissions,
}

impl Drop for Mode {
    fn drop(&mut self) {
        let _ = fs::set_permissions(&self.path, self.before.clone()); // the path may be gone
    }
}

fn pair(path: &str, reason: &str) -> (String, String) {
    (path.to_owned(), reason.to_owned())
}

#[test]
fn a_file_that_may_not_be_read_is_skipped_until_it_may() {
    let bound = Bound::new();
    let denied = bound.mode("b.py", 0o000);
    let report = bound.sync();
    assert_eq!(skipped(&report), [pair("b.py", "permission_denied")]);
    assert_eq!((&report["files_indexed"], &report["failed"]), (&2.into(), &serde_json::json!([])));
    assert_eq!(skipped(&bound.sync()), [pair("b.py", "permission_denied")], "said every time");
    drop(denied);
    let report = bound.sync();
    assert_eq!((skipped(&report), &report["files_indexed"]), (vec![], &3.into()));
}

/// Permissions leave the time of a file alone, and an empty one has no bytes to differ by.
#[test]
fn an_old_empty_file_that_may_be_read_again_is_indexed() {
    let bound = Bound::new();
    bound.write("empty.py", "");
    let file = fs::File::options().write(true).open(bound.worktree.path("empty.py")).unwrap();
    file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(1000)).unwrap();
    let denied = bound.mode("empty.py", 0o000);
    assert_eq!(skipped(&bound.sync()), [pair("empty.py", "permission_denied")]);
    drop(denied);
    assert_eq!(skipped(&bound.sync()), []);
}

#[test]
fn a_directory_that_may_not_be_read_is_skipped_until_it_may() {
    let bound = Bound::new();
    bound.write("closed/c.py", "def inside(): pass\n");
    assert_eq!(bound.sync()["files_indexed"], 4);
    let denied = bound.mode("closed", 0o000);
    let report = bound.sync();
    assert_eq!(skipped(&report), [pair("closed", "permission_denied")]);
    assert_eq!((&report["files_indexed"], &report["failed"]), (&3.into(), &serde_json::json!([])));
    drop(denied);
    assert_eq!(bound.sync()["files_indexed"], 4);
}

/// Queries change nothing, so they need no right to.
#[test]
fn queries_work_where_nothing_may_be_written() {
    let bound = Bound::new();
    bound.sync();
    let _closed = closed(&bound);
    let found = bound.orbit(&["search", "helper", "--json"]).json();
    assert_eq!(found["matches"][0]["name"], "helper");
    assert!(bound.orbit(&["export"]).success().lines().count() > 3);
    bound.orbit(&["db-path"]).success();
}

#[test]
fn a_sync_where_nothing_may_be_written_says_so() {
    let bound = Bound::new();
    bound.sync();
    bound.write("c.py", "def more(): pass\n");
    let _closed = closed(&bound);
    assert_unwritable(&bound.orbit(&["sync", "--json"]));
}

#[test]
fn a_first_sync_where_nothing_may_be_written_says_so() {
    let bound = Bound::new();
    let _closed = bound.mode("", 0o555);
    assert_unwritable(&bound.orbit(&["sync", "--json"]));
    assert_unwritable(&bound.orbit(&["search", "helper", "--json"]));
    assert!(!bound.worktree.path(".orbit").exists());
}

fn assert_unwritable(outcome: &Outcome) {
    let error = outcome.error();
    assert_eq!(error["code"], "state_unwritable", "{error}");
    assert!(error["hint"].as_str().is_some_and(|hint| hint.contains(".orbit")), "{error}");
}

/// Takes the right to write from `.orbit` and everything in it.
fn closed(bound: &Bound) -> Vec<Mode> {
    let dir = bound.worktree.path(".orbit/graph");
    let name = |path: &Path| path.file_name().expect("a name").to_string_lossy().into_owned();
    let files: Vec<String> =
        fs::read_dir(dir).expect("synced").map(|entry| name(&entry.expect("readable").path())).collect();
    let mut modes: Vec<Mode> =
        files.iter().map(|file| bound.mode(&format!(".orbit/graph/{file}"), 0o444)).collect();
    modes.push(bound.mode(".orbit/graph", 0o555));
    modes.push(bound.mode(".orbit", 0o555));
    modes
}
