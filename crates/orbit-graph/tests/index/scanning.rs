//! Which files are indexed, and when a change is seen.

use crate::compare::assert_equals_fresh;
use crate::tree::Tree;
use std::fs;
use std::time::{Duration, SystemTime};

const TEXT: &str = "def run(): pass\n";

/// The index has exactly these of the given files.
fn check(files: &[(&str, &str)], expected: &[&str]) {
    let tree = Tree::new();
    for (path, text) in files {
        tree.write(path, text);
    }
    let report = tree.sync();
    assert_eq!(tree.indexed(), expected);
    assert_eq!(report.files_indexed, expected.len());
    assert_eq!((report.skipped, report.failed), (vec![], vec![]), "ignored files are not worth a word");
}

#[test]
fn gitignore_counts_at_every_level() {
    check(
        &[
            (".gitignore", "*.gen.py\n/only_root.py\nlogs/\n"),
            ("a.py", TEXT),
            ("a.gen.py", TEXT),
            ("only_root.py", TEXT),
            ("logs/x.py", TEXT),
            ("deep/.gitignore", "local.py\n!kept.gen.py\n"),
            ("deep/kept.gen.py", TEXT),
            ("deep/er/local.py", TEXT),
            ("deep/only_root.py", TEXT),
            ("deep/logs/x.py", TEXT),
            ("local.py", TEXT),
        ],
        &["a.py", "deep/kept.gen.py", "deep/only_root.py", "local.py"],
    );
}

#[test]
fn a_worktree_or_clone_inside_is_another_repository() {
    check(
        &[
            ("a.py", TEXT),
            ("clone/.git/HEAD", "ref: refs/heads/main\n"),
            ("clone/a.py", TEXT),
            ("deep/worktree/.git", "gitdir: /somewhere/.git/worktrees/worktree\n"),
            ("deep/worktree/a.py", TEXT),
            ("deep/b.py", TEXT),
            ("submodule/.git", "gitdir: ../.git/modules/submodule\n"),
            ("submodule/c.py", TEXT),
            ("odd/.git/not_a_repository", ""),
            ("odd/d.py", TEXT),
        ],
        &["a.py", "deep/b.py", "odd/d.py", "submodule/c.py"],
    );
}

#[test]
fn tracked_files_in_vendor_and_build_are_source() {
    for version in ["2", "4"] {
        let tree = Tree::without_git();
        for path in ["src/vendor/a.py", "build/b.py", "go/vendor/c.py", "go/vendor/modules.txt", "d.py"] {
            tree.write(path, TEXT);
        }
        git(&tree, &["init", "-q"]);
        git(&tree, &["add", "."]);
        git(&tree, &["update-index", "--index-version", version]);
        tree.write("dist/made.py", TEXT);
        tree.sync();
        assert_eq!(tree.indexed(), ["build/b.py", "d.py", "src/vendor/a.py"], "index version {version}");
    }
}

fn git(tree: &Tree, arguments: &[&str]) {
    let status = std::process::Command::new("git").args(arguments).current_dir(tree.root()).status();
    assert!(status.expect("git").success());
}

#[test]
fn tracked_files_are_read_whatever_gitignore_says() {
    let tree = Tree::without_git();
    tree.write(".gitignore", "mocha.py\nhidden/\n*.tmp.py\ndist/\nnode_modules/\n");
    tree.write(".orbitignore", "left_out.tmp.py\nhidden/deep/\n");
    let forced = ["bin/mocha.py", "hidden/a.py", "hidden/deep/b.py", "vendor/c.tmp.py", "left_out.tmp.py"];
    let output = ["dist/d.py", "node_modules/m/e.py", ".cache/f.tmp.py", "gone.tmp.py"];
    for path in forced.iter().chain(&output).chain(&["g.py"]) {
        tree.write(path, TEXT);
    }
    git(&tree, &["init", "-q"]);
    git(&tree, &["add", "-f", "."]);
    tree.write("hidden/untracked.py", TEXT);
    tree.remove("gone.tmp.py");
    tree.sync();
    assert_eq!(tree.indexed(), ["bin/mocha.py", "g.py", "hidden/a.py", "vendor/c.tmp.py"]);
    git(&tree, &["rm", "-q", "--cached", "hidden/a.py"]);
    git(&tree, &["add", "-f", "hidden/untracked.py"]);
    tree.sync();
    assert_eq!(tree.indexed(), ["bin/mocha.py", "g.py", "hidden/untracked.py", "vendor/c.tmp.py"]);
    let incremental = tree.export();
    tree.sync_full();
    assert_eq!(incremental, tree.export());
}

#[test]
fn no_secret_gets_into_the_index() {
    let tree = Tree::new();
    let secrets = ["sk_live_4eC39HqLyjWDarjtT1zdp7dc", "s3cr3t-of-the-db", "hunter22", "tiger-77"];
    tree.write(
        "a.py",
        format!("STRIPE = \"{}\"\nURL = \"postgres://admin:{}@db/app\"\n", secrets[0], secrets[1]),
    );
    tree.write("b.py", format!("def f(password=\"{}\"):\n    api_token = '{}'\n", secrets[2], secrets[3]));
    tree.write("c.ts", format!("export const password: string = \"{}\"\n", secrets[2]));
    tree.write("D.java", format!("class D {{ static final String API_KEY = \"{}\"; }}\n", secrets[3]));
    tree.sync();
    let export = tree.export();
    for secret in secrets {
        assert!(!export.contains(secret), "{secret} is in the index");
    }
    assert!(export.contains("STRIPE ="), "the rest of the signature stays");
}

#[test]
fn gitignore_counts_without_git() {
    let tree = Tree::without_git();
    tree.write(".gitignore", "b.py\n");
    tree.write("a.py", TEXT);
    tree.write("b.py", TEXT);
    tree.sync();
    assert_eq!(tree.indexed(), ["a.py"]);
}

#[test]
fn the_exclude_file_of_git_counts() {
    check(&[(".git/info/exclude", "mine.py\n"), ("mine.py", TEXT), ("a.py", TEXT)], &["a.py"]);
}

#[test]
fn the_exclude_file_counts_in_a_linked_worktree() {
    let tree = crate::repository::with_commit("==> a.py\ndef run(): pass\n");
    tree.write(".git/info/exclude", "mine.py\n");
    let outside = tempfile::tempdir().unwrap();
    let linked = outside.path().join("linked");
    crate::repository::git(tree.root(), &["worktree", "add", "-q", linked.to_str().unwrap()]);
    fs::write(linked.join("mine.py"), TEXT).unwrap();
    let graph = orbit_graph::Graph::open(&linked, orbit_graph::SyncPolicy::Manual).unwrap();
    let report = graph.sync(&orbit_graph::SyncOptions::default()).unwrap();
    assert_eq!(report.files_indexed, 1, "git ignores mine.py there too");
}

#[test]
fn orbitignore_counts_at_every_level_and_has_the_last_word() {
    check(
        &[
            (".gitignore", "generated.py\n"),
            (".orbitignore", "fixtures/\n*.skip.py\n!generated.py\n"),
            ("a.py", TEXT),
            ("a.skip.py", TEXT),
            ("generated.py", TEXT),
            ("fixtures/x.py", TEXT),
            ("deep/.orbitignore", "x.py\n"),
            ("deep/x.py", TEXT),
            ("deep/y.py", TEXT),
        ],
        &["a.py", "deep/y.py", "generated.py"],
    );
}

#[test]
fn built_in_names_are_ignored_everywhere() {
    let dirs =
        ["node_modules", "target", "dist", "build", ".venv", "venv", "__pycache__", "x.egg-info", "vendor"];
    let mut files = vec![("a.py".to_owned(), TEXT), ("app.min.js".to_owned(), "run();\n")];
    for dir in dirs {
        files.push((format!("{dir}/x.py"), TEXT));
        files.push((format!("deep/{dir}/er/x.py"), TEXT));
    }
    // A file, not a directory, may have such a name, and a longer name is another name.
    files.push(("deep/build.py".to_owned(), TEXT));
    files.push(("vendored/x.py".to_owned(), TEXT));
    files.push(("app.min.jsx".to_owned(), "run();\n"));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    check(&files, &["a.py", "app.min.jsx", "deep/build.py", "vendored/x.py"]);
}

#[test]
fn an_orbitignore_at_the_root_brings_built_in_names_back() {
    check(
        &[
            (".orbitignore", "!vendor/\n!*.min.js\n!/build/\n"),
            ("vendor/x.py", TEXT),
            ("deep/vendor/er/x.py", TEXT),
            ("build/x.py", TEXT),
            ("deep/build/x.py", TEXT),
            ("dist/x.py", TEXT),
            ("app.min.js", "run();\n"),
        ],
        &["app.min.js", "build/x.py", "deep/vendor/er/x.py", "vendor/x.py"],
    );
}

#[test]
fn a_nested_orbitignore_brings_built_in_names_back_below_it() {
    check(
        &[
            ("tools/.orbitignore", "!build/\n"),
            ("tools/build/x.py", TEXT),
            ("tools/deep/build/x.py", TEXT),
            ("build/x.py", TEXT),
            ("tools/vendor/x.py", TEXT),
        ],
        &["tools/build/x.py", "tools/deep/build/x.py"],
    );
}

#[test]
fn a_deeper_orbitignore_can_take_back_what_one_above_brought_back() {
    check(
        &[
            (".orbitignore", "!build/\n"),
            ("build/x.py", TEXT),
            ("deep/.orbitignore", "build/\n"),
            ("deep/build/x.py", TEXT),
        ],
        &["build/x.py"],
    );
}

#[test]
fn rules_above_the_worktree_do_not_reach_into_it() {
    let outer = tempfile::tempdir().unwrap();
    for name in [".gitignore", ".ignore", ".orbitignore"] {
        fs::write(outer.path().join(name), "a.py\n").unwrap();
    }
    let root = outer.path().join("worktree");
    fs::create_dir_all(root.join(".git")).unwrap();
    fs::write(root.join(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(root.join("a.py"), TEXT).unwrap();
    let graph = orbit_graph::Graph::open(&root, orbit_graph::SyncPolicy::Manual).unwrap();
    let report = graph.sync(&orbit_graph::SyncOptions::default()).unwrap();
    assert_eq!(report.files_indexed, 1, "the same files give the same index wherever they are");
}

#[test]
fn hidden_files_are_skipped_but_for_github_and_env() {
    check(
        &[
            (".hidden.py", TEXT),
            (".hidden/x.py", TEXT),
            ("deep/.cache/x.py", TEXT),
            (".github/workflows/ci.yml", "on: push\n"),
            (".env", "KEY=1\n"),
            (".env.local", "KEY=1\n"),
            ("deep/.env.test", "KEY=1\n"),
            ("prod.env", "KEY=1\n"),
            ("a.py", TEXT),
        ],
        &[".env", ".env.local", ".github/workflows/ci.yml", "a.py", "deep/.env.test", "prod.env"],
    );
}

#[test]
fn other_ignore_files_do_not_count() {
    check(&[(".ignore", "a.py\n"), (".rgignore", "a.py\n"), ("a.py", TEXT)], &["a.py"]);
}

#[test]
fn a_changed_rule_takes_files_out_and_brings_them_back() {
    let tree = Tree::new();
    tree.write("a.py", "from b import run\nrun()\n");
    tree.write("b.py", TEXT);
    assert_equals_fresh(&tree);
    for rules in [".gitignore", ".orbitignore", ".git/info/exclude"] {
        tree.write(rules, "b.py\n");
        assert_equals_fresh(&tree);
        assert_eq!(tree.indexed(), ["a.py"], "{rules}");
        tree.remove(rules);
        assert_equals_fresh(&tree);
        assert_eq!(tree.indexed(), ["a.py", "b.py"], "{rules}");
    }
}

#[test]
fn an_edit_of_another_size_is_seen_although_the_time_stays() {
    let tree = Tree::new();
    tree.write("a.py", TEXT);
    let time = SystemTime::now() - Duration::from_secs(1000);
    tree.set_modified("a.py", time);
    tree.sync();
    tree.write("a.py", "def walks(): pass\n");
    tree.set_modified("a.py", time);
    assert_equals_fresh(&tree);
    assert!(tree.export().contains("walks"));
}

#[test]
fn an_edit_of_the_same_size_right_after_a_sync_is_seen() {
    let tree = Tree::new();
    for round in 0..20 {
        tree.write("a.py", format!("def f{round:02}(): pass\n"));
        tree.sync();
        assert!(tree.export().contains(&format!("a.f{round:02}")), "round {round}");
    }
}

/// Copying tools keep times: a file may be replaced by one that is older.
#[test]
fn a_file_that_becomes_older_is_seen() {
    let tree = Tree::new();
    tree.write_old("a.py", "def new(): pass\n");
    tree.sync();
    tree.write("a.py", "def old(): pass\n");
    tree.set_age("a.py", Duration::from_secs(1_000_000));
    assert_equals_fresh(&tree);
    assert!(tree.export().contains("a.old"));
}

#[test]
fn a_file_from_the_future_or_from_before_1970_is_compared_by_its_bytes() {
    for time in [
        SystemTime::now() + Duration::from_secs(100_000),
        SystemTime::UNIX_EPOCH,
        SystemTime::UNIX_EPOCH - Duration::from_secs(10),
    ] {
        let tree = Tree::new();
        tree.write("a.py", "def one(): pass\n");
        tree.set_modified("a.py", time);
        tree.sync();
        tree.write("a.py", "def two(): pass\n");
        tree.set_modified("a.py", time - Duration::from_secs(1));
        assert_equals_fresh(&tree);
        assert!(tree.export().contains("a.two"), "{time:?}");
    }
}
