//! `db-path`, `clean`, `version` and `-C`.

use crate::program::{indexed, json, orbit};
use crate::worktree::Worktree;
use expect_test::expect;

/// Output with the worktree's directory and the versions taken out.
fn neutral(worktree: &Worktree, text: &str) -> String {
    let root = worktree.root().canonicalize().expect("it is there");
    let extractor = format!(".{}.db", orbit_graph::EXTRACTOR_VERSION);
    text.replace(root.to_str().expect("UTF-8"), "<root>").replace(&extractor, ".<v>.db")
}

#[test]
fn the_path_of_the_database() {
    let worktree = Worktree::repository();
    worktree.write("a.py", "def run(): pass\n");
    worktree.commit("first");
    worktree.git(&["checkout", "-q", "-b", "fix/it"]);
    let told = orbit(worktree.root(), &["db-path"]).success();
    expect!["<root>/.orbit/graph/fix_it.<v>.db\n"].assert_eq(&neutral(&worktree, &told));
    let before = json(worktree.root(), &["db-path"]);
    assert_eq!((&before["branch"], &before["exists"]), (&"fix/it".into(), &false.into()));
    assert_eq!(before["extractor_version"], orbit_graph::EXTRACTOR_VERSION);
    assert!(!worktree.path(".orbit").exists(), "asking makes nothing");
    let report = json(worktree.root(), &["sync"]);
    let after = json(worktree.root(), &["db-path"]);
    assert_eq!((&after["path"], &after["exists"]), (&report["database_path"], &true.into()));
}

#[test]
fn a_detached_head() {
    let worktree = Worktree::repository();
    worktree.write("a.py", "def run(): pass\n");
    worktree.commit("first");
    worktree.git(&["checkout", "-q", "--detach"]);
    let report = json(worktree.root(), &["sync"]);
    assert_eq!(report["branch"], "HEAD");
    let sha = worktree.git(&["rev-parse", "HEAD"]);
    let path = report["database_path"].as_str().unwrap().to_owned();
    let short = path.rsplit_once("detached-").unwrap().1.split('.').next().unwrap();
    assert!(sha.starts_with(short) && short.len() >= 7, "{path}");
}

#[test]
fn a_directory_is_picked_with_c() {
    let worktree = Worktree::small();
    worktree.write("deep/er/c.py", "def deep(): pass\n");
    let elsewhere = Worktree::without_git();
    let root = worktree.root().to_str().unwrap();
    orbit(elsewhere.root(), &["-C", root, "sync"]).success();
    assert_eq!(indexed(worktree.root()), ["README.md", "a.py", "b.py", "deep/er/c.py"]);
    assert!(!elsewhere.path(".orbit").exists());
    let nested = worktree.path("deep/er");
    let from_nested = orbit(&nested, &["db-path"]).success();
    assert_eq!(from_nested.trim_end(), worktree.database().to_str().unwrap());
    let picked = orbit(elsewhere.root(), &["search", "deep", "-C", nested.to_str().unwrap()]).success();
    assert!(picked.starts_with("deep/er/c.py:1 function symbol:deep/er/c.py#"), "{picked}");
    assert!(!worktree.path("deep/er/.orbit").exists());
}

#[test]
fn clean_is_a_dry_run_unless_confirmed() {
    let worktree = Worktree::small();
    let nothing = orbit(worktree.root(), &["clean"]).success();
    expect!["nothing to remove in <root>/.orbit/graph\n"].assert_eq(&neutral(&worktree, &nothing));
    orbit(worktree.root(), &["sync"]).success();
    let listed = orbit(worktree.root(), &["clean"]).success();
    expect![[r#"
        would remove <root>/.orbit/graph/main.<v>.db
        would remove <root>/.orbit/graph/main.<v>.db.lock
        nothing was removed; add --confirm
    "#]]
    .assert_eq(&neutral(&worktree, &listed));
    let report = json(worktree.root(), &["clean"]);
    assert_eq!((&report["applied"], report["files"].as_array().map(Vec::len)), (&false.into(), Some(2)));
    assert!(worktree.database().exists());
    let removed = json(worktree.root(), &["clean", "--confirm"]);
    assert_eq!(removed["applied"], true);
    assert_eq!(worktree.graph_files(), [""; 0]);
    assert_eq!(json(worktree.root(), &["sync"])["files_indexed"], 3);
}

#[test]
fn the_version() {
    let worktree = Worktree::without_git();
    let version = json(worktree.root(), &["version"]);
    assert_eq!(version["crate_version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(version["extractor_version"], orbit_graph::EXTRACTOR_VERSION);
    let told = orbit(worktree.root(), &["version"]).success();
    let expected =
        format!("orbit {} (extractor {})\n", env!("CARGO_PKG_VERSION"), orbit_graph::EXTRACTOR_VERSION);
    assert_eq!(told, expected);
    assert!(!worktree.path(".orbit").exists());
}

#[test]
fn a_sync_tells_people_what_it_did() {
    let worktree = Worktree::small();
    worktree.write("bad.py", b"\xff");
    let told = orbit(worktree.root(), &["sync"]).success();
    let (first, rest) = told.split_once('\n').unwrap();
    assert!(first.starts_with("3 files indexed, 3 changed, 0 removed in "), "{first}");
    assert_eq!(rest, "skipped bad.py: not_utf8\n");
}
