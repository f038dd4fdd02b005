//! Paths with every character a file system allows.

use crate::program::{column, export, json, orbit, skipped};
use crate::worktree::Worktree;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

const STRANGE: [&str; 12] = [
    "with space.py",
    "quote\"double.py",
    "quote'single.py",
    "new\nline.py",
    "tab\tand return\r.py",
    "ümläut.py",
    "漢字/ファイル.py",
    "emoji😀.py",
    "back\\slash.py",
    "-dash.py",
    "semi;colon&and|more$(x).py",
    "%percent#hash?question.py",
];

#[test]
fn strange_paths_are_indexed_like_others() {
    let worktree = Worktree::new();
    for (number, path) in STRANGE.iter().enumerate() {
        worktree.write(path, format!("def strange{number}(): pass\n"));
    }
    let report = json(worktree.root(), &["sync"]);
    assert_eq!(report["files_indexed"], STRANGE.len());
    assert_eq!((&report["skipped"], &report["failed"]), (&serde_json::json!([]), &serde_json::json!([])));
    let mut expected = STRANGE.map(str::to_owned);
    expected.sort();
    assert_eq!(column(&export(worktree.root()), "file", "path"), expected);
    for (number, path) in STRANGE.iter().enumerate() {
        let found = json(worktree.root(), &["search", &format!("strange{number}")]);
        assert_eq!(found["matches"][0]["path"], *path);
    }
    let again = json(worktree.root(), &["sync"]);
    assert_eq!((&again["files_changed"], &again["files_removed"]), (&0.into(), &0.into()));
}

#[test]
fn strange_paths_can_change_and_go() {
    let worktree = Worktree::new();
    for path in STRANGE {
        worktree.write(path, "def run(): pass\n");
    }
    orbit(worktree.root(), &["sync"]).success();
    for path in STRANGE {
        worktree.write(path, "def walk(): return 1\n");
    }
    assert_eq!(json(worktree.root(), &["sync"])["files_changed"], STRANGE.len());
    for path in STRANGE {
        std::fs::remove_file(worktree.path(path)).unwrap();
    }
    assert_eq!(json(worktree.root(), &["sync"])["files_removed"], STRANGE.len());
    assert_eq!(export(worktree.root()), "");
}

#[test]
fn one_row_is_one_line_whatever_the_path() {
    let worktree = Worktree::new();
    worktree.write("new\nline.py", "def strange(): pass\n");
    worktree.write("bad\nname.py", b"\0");
    let synced = orbit(worktree.root(), &["sync"]).success();
    assert_eq!(synced.lines().count(), 2, "the counts and one skipped file: {synced}");
    let found = orbit(worktree.root(), &["search", "strange"]).success();
    assert_eq!(found.lines().count(), 1, "{found}");
}

#[test]
fn a_path_that_is_not_utf8_is_skipped_with_a_reason() {
    let worktree = Worktree::small();
    let name = OsStr::from_bytes(b"caf\xe9.py");
    if std::fs::write(worktree.root().join(name), "def run(): pass\n").is_err() {
        return; // a file system that takes UTF-8 only has no such files to index
    }
    let dir = worktree.root().join(OsStr::from_bytes(b"d\xefr"));
    std::fs::create_dir(&dir).unwrap();
    std::fs::write(dir.join("x.py"), "def run(): pass\n").unwrap();
    let report = json(worktree.root(), &["sync"]);
    let reasons: Vec<String> = skipped(&report).into_iter().map(|(_, reason)| reason).collect();
    assert_eq!(reasons, ["path_not_utf8", "path_not_utf8"]);
    assert_eq!(report["files_indexed"], 3);
}

#[test]
fn long_paths_and_deep_directories_are_indexed() {
    let worktree = Worktree::small();
    let deep = vec!["d"; 300].join("/") + "/deep.py";
    let long = "n".repeat(250) + ".py";
    worktree.write(&deep, "def deep(): pass\n");
    worktree.write(&long, "def long(): pass\n");
    let report = json(worktree.root(), &["sync"]);
    assert_eq!((&report["files_indexed"], &report["skipped"]), (&5.into(), &serde_json::json!([])));
    let paths = column(&export(worktree.root()), "file", "path");
    assert!(paths.contains(&deep) && paths.contains(&long));
}

#[test]
fn paths_are_relative_to_the_current_directory() {
    let worktree = Worktree::repository();
    worktree.write("src/shop/cart.py", "class Cart:\n    def add(self): pass\n");
    orbit(worktree.root(), &["sync"]).success();
    let below = worktree.path("src");
    let absolute = worktree.path("src/shop/cart.py").display().to_string();
    let wanted = "symbol:src/shop/cart.py#Cart.add:method";
    for text in ["shop/cart.py:2", "./shop/cart.py:2:5", "shop/cart.py#Cart.add", &format!("{absolute}:2")] {
        assert_eq!(json(&below, &["show", text])["selector"], wanted, "{text}");
    }
    assert_eq!(json(&below, &["overview", "shop"])["scope"], "dir:src/shop");
    assert_eq!(json(&below, &["deps", &absolute])["total"], 0);
}

#[test]
fn a_note_says_where_an_inherited_member_is_defined() {
    let worktree = Worktree::repository();
    worktree.write("a.py", "class Base:\n    def loads(self): pass\n\nclass Safe(Base): pass\n");
    orbit(worktree.root(), &["sync"]).success();
    let note = "`Safe.loads` is inherited; it is defined as `a.Base.loads`";
    for question in ["show", "refs", "callees", "impact"] {
        assert_eq!(json(worktree.root(), &[question, "Safe.loads"])["notes"][0], note, "{question}");
        let text = orbit(worktree.root(), &[question, "Safe.loads"]).success();
        assert!(text.ends_with(&format!("({note})\n")), "{text}");
        assert!(json(worktree.root(), &[question, "Base.loads"])["notes"].is_null(), "{question}");
    }
}
