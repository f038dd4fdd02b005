//! What the scan takes from outside the worktree, and what it never keeps.

use crate::program::{column, command, export, indexed, json, orbit, outcome};
use crate::worktree::Worktree;

const SECRETS: [&str; 4] =
    ["hunter2-first-value", "hunter2-second-value", "hunter2-third-value", "hunter2 quoted value"];

/// Every byte that the index has written.
fn state(worktree: &Worktree) -> Vec<(String, Vec<u8>)> {
    let read = |name: String| {
        let bytes = std::fs::read(worktree.path(&format!(".orbit/graph/{name}"))).expect("readable");
        (name, bytes)
    };
    worktree.graph_files().into_iter().map(read).collect()
}

fn assert_no_secret(worktree: &Worktree) {
    for (name, bytes) in state(worktree) {
        for secret in SECRETS {
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "{secret} is in {name}");
        }
    }
}

fn with_secrets() -> Worktree {
    let worktree = Worktree::small();
    let [first, second, third, quoted] = SECRETS;
    worktree.write(".env", format!("API_TOKEN={first}\nexport DB_URL='{quoted}'\n# {third}\nEMPTY=\n"));
    worktree.write(".env.local", format!("LOCAL_KEY=\"{second}\"\nMULTI=\"line one\n{third}\"\n"));
    worktree.write("deep/prod.env", format!("PROD_KEY: {third}\n{second}\n"));
    worktree
}

#[test]
fn values_of_env_files_are_never_stored() {
    let worktree = with_secrets();
    orbit(worktree.root(), &["sync"]).success();
    assert_no_secret(&worktree);
    worktree.write(".env", format!("API_TOKEN={}\nOTHER={}\n", SECRETS[1], SECRETS[2]));
    orbit(worktree.root(), &["sync"]).success();
    assert_no_secret(&worktree);
    orbit(worktree.root(), &["sync", "--full"]).success();
    assert_no_secret(&worktree);
}

#[test]
fn keys_of_env_files_are_found() {
    let worktree = with_secrets();
    orbit(worktree.root(), &["sync"]).success();
    let keys = column(&export(worktree.root()), "config", "key");
    for key in ["API_TOKEN", "DB_URL", "EMPTY", "LOCAL_KEY"] {
        assert!(keys.contains(&key.to_owned()), "{key} is not among {keys:?}");
    }
    let found = json(worktree.root(), &["search", "API_TOKEN", "--kind", "config"]);
    assert_eq!((&found["matches"][0]["path"], &found["matches"][0]["line"]), (&".env".into(), &1.into()));
}

#[test]
fn the_ignore_file_of_the_user_counts() {
    let home = Worktree::without_git();
    home.write("config/git/ignore", "b.py\n");
    home.write(".gitconfig", "[core]\n\texcludesFile = ~/mine\n");
    home.write("mine", "b.py\n");
    let by_xdg = Worktree::small();
    let mut sync = command(by_xdg.root(), &["sync"]);
    sync.env("HOME", "/nonexistent").env("XDG_CONFIG_HOME", home.path("config"));
    outcome(sync.output().unwrap()).success();
    assert_eq!(indexed(by_xdg.root()), ["README.md", "a.py"]);
    let by_setting = Worktree::small();
    let mut sync = command(by_setting.root(), &["sync"]);
    sync.env("HOME", home.root());
    outcome(sync.output().unwrap()).success();
    assert_eq!(indexed(by_setting.root()), ["README.md", "a.py"]);
}

#[test]
fn the_state_of_the_index_is_never_indexed() {
    let worktree = Worktree::small();
    worktree.write(".orbitignore", "!.orbit/\n");
    worktree.write(".orbit/notes.md", "# Notes\n");
    worktree.write(".git/hook.py", "def hook(): pass\n");
    orbit(worktree.root(), &["sync"]).success();
    assert_eq!(indexed(worktree.root()), ["README.md", "a.py", "b.py"]);
}

#[test]
fn nothing_is_written_outside_of_the_state() {
    let worktree = Worktree::repository();
    worktree.write("a.py", "def run(): pass\n");
    worktree.write("AGENTS.md", "# Agents\n");
    worktree.commit("first");
    let listing = || -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![worktree.root().to_owned()];
        while let Some(dir) = open.pop() {
            for entry in std::fs::read_dir(dir).unwrap().flatten() {
                let (path, kind) = (entry.path(), entry.file_type().unwrap());
                let name = path.strip_prefix(worktree.root()).unwrap().to_string_lossy().into_owned();
                if kind.is_dir() && name != ".orbit" {
                    open.push(path);
                } else if kind.is_file() {
                    found.push(format!("{name} {:?}", entry.metadata().unwrap().modified().unwrap()));
                }
            }
        }
        found.sort();
        found
    };
    let before = listing();
    for args in
        [&["sync"] as &[&str], &["sync", "--full"], &["search", "run"], &["export"], &["clean", "--confirm"]]
    {
        orbit(worktree.root(), args).success();
        assert_eq!(listing(), before, "{args:?}");
    }
}
