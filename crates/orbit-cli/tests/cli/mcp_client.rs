//! `orbit mcp` used by a client that is not ours: the official Python SDK, which `scripts/test-tools` installs.
//! The scenarios are in `mcp_client.py`.

use crate::worktree::Worktree;
use std::path::{Path, PathBuf};
use std::process::Command;

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
fn the_server_goes_with_its_client() {
    run("goes");
}
