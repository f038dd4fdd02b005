//! Tasks and knowledge used by a client that is not ours, from two worktrees of one clone. The scenario is in
//! `knowledge_client.py`.

use crate::mcp_client::python;
use crate::worktree::Worktree;
use std::path::Path;
use std::process::Command;

#[test]
fn two_worktrees_share_tasks_and_knowledge() {
    let worktree = Worktree::new();
    let main = worktree.root().join("main");
    std::fs::create_dir_all(&main).expect("a directory");
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
        let done =
            Command::new("git").current_dir(&main).args(identity).args(arguments).output().expect("git runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    git(&["init", "-q"]);
    git(&["commit", "-q", "--allow-empty", "-m", "first"]);
    git(&["worktree", "add", "-q", "../linked"]);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/knowledge_client.py");
    let mut command = Command::new(python());
    command.arg(script).arg(env!("CARGO_BIN_EXE_orbit")).arg(&main).arg(worktree.root().join("linked"));
    let output = command.env_remove("ORBIT_KNOWLEDGE_DB").output().expect("Python runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    let ignored =
        Command::new("git").current_dir(&main).args(["status", "--porcelain"]).output().expect("git runs");
    assert_eq!(text(&ignored.stdout), "?? elsewhere/\n", "the database is not offered for commits");
}
