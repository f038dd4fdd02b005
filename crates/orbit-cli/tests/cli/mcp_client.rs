//! `orbit mcp` used by a client that is not ours: the official Python SDK, which `scripts/test-tools` installs.
//! The scenarios are in `mcp_client.py`.

use crate::large::{Large, Version};
use crate::program::export;
use crate::worktree::Worktree;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const MAIN: &str = "import click
from app.config import load_config


def run(path):
    return load_config(path)


@click.command()
def check():
    load_config('a')
    return [load_config('b')]
";

const CONFIG: &str = "from app.source import Source


class FileSource(Source):
    def read(self): ...


def load_config(path):
    return FileSource().read()
";

const SOURCE: &str = "class Source:
    def read(self): ...
";

/// The Python that has the SDK: where `scripts/test-tools` puts it, in cargo's target directory.
pub(crate) fn python() -> PathBuf {
    let binary = Path::new(env!("CARGO_BIN_EXE_orbit"));
    let targets = binary.ancestors().skip(1).map(|dir| dir.join("test-tools/bin/python"));
    let found = targets.into_iter().find(|python| python.exists());
    found.expect("run scripts/test-tools first: it installs the MCP client that this test uses")
}

fn run(scenario: &str) {
    let worktree = Worktree::new();
    worktree.git(&["init", "-q"]);
    for (path, text) in [("app/main.py", MAIN), ("app/config.py", CONFIG), ("app/source.py", SOURCE)] {
        worktree.write(path, text);
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/mcp_client.py");
    let mut command = Command::new(python());
    command.arg(script).arg(env!("CARGO_BIN_EXE_orbit")).arg(scenario).arg(worktree.root());
    let output = command.output().expect("Python runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}

#[test]
fn every_tool_is_listed_and_answers() {
    run("tools");
}

#[test]
fn errors_are_results_and_the_server_goes_on() {
    run("errors");
}

#[test]
fn long_sources_come_in_pages() {
    run("pages");
}

#[test]
fn edits_are_seen_after_a_sync_and_by_the_watcher() {
    run("fresh");
}

#[test]
fn two_clients_work_on_one_worktree() {
    run("two");
}

#[test]
fn garbage_does_not_end_the_server_and_the_end_of_input_does() {
    run("garbage");
}

#[test]
fn one_server_answers_for_several_worktrees() {
    run("worktrees");
}

/// A server does not finish what nobody waits for; the index is as whole as after any other end.
#[test]
fn a_server_that_is_building_goes_at_once() {
    let large = Large::new();
    let mut orbit = Command::new(env!("CARGO_BIN_EXE_orbit"));
    orbit.args(["mcp", "-C"]).arg(large.worktree.root()).stdin(Stdio::piped()).stdout(Stdio::null());
    for _ in 0..3 {
        let _ = fs::remove_dir_all(large.worktree.path(".orbit"));
        let mut server = orbit.spawn().expect("the program starts");
        while large.worktree.graph_files().is_empty() {
            std::thread::sleep(Duration::from_millis(1));
        }
        let closed = Instant::now();
        drop(server.stdin.take());
        server.wait().expect("it ends");
        let waited = closed.elapsed();
        assert!(waited < Duration::from_millis(500), "{waited:?}");
        super::program::orbit(large.worktree.root(), &["sync"]).success();
        assert_eq!(large.version_of(&export(large.worktree.root())), Version::Old);
    }
}

#[test]
fn the_server_goes_with_its_client() {
    run("goes");
}
