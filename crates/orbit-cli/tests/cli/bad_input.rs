//! Files nobody can read as code: skipped with a reason or indexed as far as they go, and nothing else lost.

use crate::program::{column, export, indexed, json, orbit, skipped};
use crate::worktree::Worktree;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

const MEBIBYTE: usize = 1 << 20;

fn pair(path: &str, reason: &str) -> (String, String) {
    (path.to_owned(), reason.to_owned())
}

/// Whether the good files of [`Worktree::small`] are all there.
fn assert_nothing_lost(worktree: &Worktree) {
    let export = export(worktree.root());
    let files = column(&export, "file", "path");
    for path in ["README.md", "a.py", "b.py"] {
        assert!(files.contains(&path.to_owned()), "{path} is lost");
    }
    assert!(export.contains(r#""target":"b.helper""#), "references still resolve");
}

#[test]
fn binary_and_badly_encoded_files_are_skipped_with_a_reason() {
    let worktree = Worktree::small();
    worktree.write("nul.py", b"def run():\0 pass\n");
    worktree.write("image.rs", [0x89, b'P', b'N', b'G', 0, 0, 0]);
    worktree.write("latin.py", b"# caf\xe9\ndef run(): pass\n");
    worktree.write("utf16.js", b"\xff\xfef\0(\0)\0");
    worktree.write("cut.go", b"package a\n// \xe2\x82");
    let report = json(worktree.root(), &["sync"]);
    let expected = [
        pair("cut.go", "not_utf8"),
        pair("image.rs", "binary"),
        pair("latin.py", "not_utf8"),
        pair("nul.py", "binary"),
        pair("utf16.js", "binary"),
    ];
    assert_eq!(skipped(&report), expected);
    assert_eq!(report["failed"], serde_json::json!([]));
    assert_nothing_lost(&worktree);
    let again = json(worktree.root(), &["sync"]);
    assert_eq!(skipped(&again), expected, "said every time");
    worktree.write("latin.py", "# café\ndef run(): pass\n");
    worktree.write("b.py", b"\0");
    let mended = json(worktree.root(), &["sync"]);
    let paths: Vec<String> = skipped(&mended).into_iter().map(|(path, _)| path).collect();
    assert_eq!(paths, ["b.py", "cut.go", "image.rs", "nul.py", "utf16.js"]);
    assert!(indexed(worktree.root()).contains(&"latin.py".to_owned()));
}

#[test]
fn files_over_the_cap_are_skipped() {
    let worktree = Worktree::small();
    worktree.write("huge.py", "x = 1\n".repeat(50 * MEBIBYTE / 6));
    worktree.write("huge.json", vec![b' '; 50 * MEBIBYTE]);
    worktree.write("over.md", vec![b'#'; 4 * MEBIBYTE + 1]);
    worktree.write("just.md", vec![b'#'; 4 * MEBIBYTE]);
    let report = json(worktree.root(), &["sync"]);
    let expected = [pair("huge.json", "oversize"), pair("huge.py", "oversize"), pair("over.md", "oversize")];
    assert_eq!(skipped(&report), expected);
    assert!(indexed(worktree.root()).contains(&"just.md".to_owned()));
    assert_nothing_lost(&worktree);
}

#[test]
fn a_manifest_that_is_not_a_manifest_does_no_harm() {
    let worktree = Worktree::small();
    worktree.write("Cargo.toml", b"[package\xff");
    worktree.write("package.json", "{ \"name\": ");
    worktree.write("go.mod", b"\0\0\0");
    worktree.write("tsconfig.json", "[1, 2");
    worktree.write("deep/Cargo.toml", "[package]\nname = 7\n");
    worktree.write("deep/package.json/inner.py", "def inner(): pass\n");
    worktree.write("deep/src/lib.rs", "pub fn run() {}\n");
    let report = json(worktree.root(), &["sync"]);
    assert_eq!(skipped(&report), [pair("Cargo.toml", "not_utf8")]);
    assert_nothing_lost(&worktree);
}

#[test]
fn links_are_not_followed() {
    let worktree = Worktree::small();
    let outside = Worktree::without_git();
    outside.write("secret.py", "def outside(): pass\n");
    let link = |from: &str, to: &std::path::Path| symlink(to, worktree.path(from)).unwrap();
    link("loop_a.py", "loop_b.py".as_ref());
    link("loop_b.py", "loop_a.py".as_ref());
    link("self.py", "self.py".as_ref());
    link("up", "..".as_ref());
    link("here", ".".as_ref());
    link("outside", outside.root());
    link("outside.py", &outside.path("secret.py"));
    link("inside.py", "a.py".as_ref());
    link("nowhere.py", "gone.py".as_ref());
    let report = json(worktree.root(), &["sync"]);
    assert_eq!(report["failed"], serde_json::json!([]));
    assert_eq!(indexed(worktree.root()), ["README.md", "a.py", "b.py"]);
    assert_nothing_lost(&worktree);
}

#[test]
fn a_file_that_becomes_a_link_leaves_the_index() {
    let worktree = Worktree::small();
    orbit(worktree.root(), &["sync"]).success();
    std::fs::remove_file(worktree.path("a.py")).unwrap();
    symlink("b.py", worktree.path("a.py")).unwrap();
    orbit(worktree.root(), &["sync"]).success();
    assert_eq!(indexed(worktree.root()), ["README.md", "b.py"]);
}

#[test]
fn what_is_not_a_file_is_left_alone() {
    let worktree = Worktree::small();
    worktree.write("foo.rs/bar.py", "def inside(): pass\n");
    worktree.write("Cargo.toml/x.md", "# Inside\n");
    let _socket = UnixListener::bind(worktree.path("socket.py")).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(worktree.path("pipe.py")).status().unwrap();
    assert!(pipe.success());
    let report = json(worktree.root(), &["sync"]);
    assert_eq!(report["failed"], serde_json::json!([]));
    let expected = ["Cargo.toml/x.md", "README.md", "a.py", "b.py", "foo.rs/bar.py"];
    assert_eq!(indexed(worktree.root()), expected);
}

#[test]
fn a_directory_and_a_file_change_places() {
    let worktree = Worktree::small();
    worktree.write("foo.py/bar.py", "def inside(): pass\n");
    orbit(worktree.root(), &["sync"]).success();
    std::fs::remove_dir_all(worktree.path("foo.py")).unwrap();
    worktree.write("foo.py", "def outside(): pass\n");
    orbit(worktree.root(), &["sync"]).success();
    assert_eq!(indexed(worktree.root()), ["README.md", "a.py", "b.py", "foo.py"]);
    std::fs::remove_file(worktree.path("foo.py")).unwrap();
    worktree.write("foo.py/bar.py", "def inside(): pass\n");
    orbit(worktree.root(), &["sync"]).success();
    assert_eq!(indexed(worktree.root()), ["README.md", "a.py", "b.py", "foo.py/bar.py"]);
}

#[test]
fn nothing_to_index_is_a_success() {
    for worktree in [Worktree::new(), Worktree::without_git(), Worktree::repository()] {
        let report = json(worktree.root(), &["sync"]);
        assert_eq!((&report["files_indexed"], &report["skipped"]), (&0.into(), &serde_json::json!([])));
        assert_eq!(export(worktree.root()), "");
        assert_eq!(json(worktree.root(), &["search", "x"])["matches"], serde_json::json!([]));
        assert_eq!(json(worktree.root(), &["overview"])["total_files"], 0);
        worktree.write("a.py", "def run(): pass\n");
        assert_eq!(json(worktree.root(), &["sync"])["files_indexed"], 1);
    }
}

#[test]
fn a_directory_without_git_is_indexed() {
    let worktree = Worktree::without_git();
    worktree.write("a.py", "def run(): pass\n");
    let report = json(worktree.root(), &["sync"]);
    assert_eq!((&report["branch"], &report["files_indexed"]), (&"worktree".into(), &1.into()));
}

#[test]
fn empty_files_and_byte_order_marks() {
    let worktree = Worktree::small();
    for ending in [
        "rs", "ts", "tsx", "js", "py", "go", "java", "kt", "cs", "rb", "c", "cpp", "md", "yaml", "toml",
        "json", "csv",
    ] {
        worktree.write(&format!("empty.{ending}"), "");
        worktree.write(&format!("mark.{ending}"), "\u{feff}");
        worktree.write(&format!("line.{ending}"), "\n");
    }
    worktree.write("marked.py", "\u{feff}def marked(): pass\n");
    worktree.write("marked.rs", "\u{feff}fn marked() {}\n");
    let report = json(worktree.root(), &["sync"]);
    assert_eq!((&report["skipped"], &report["failed"]), (&serde_json::json!([]), &serde_json::json!([])));
    assert_eq!(report["files_indexed"], 3 + 3 * 17 + 2);
    let found = json(worktree.root(), &["search", "marked"]);
    let places: Vec<(&str, u64)> = found["matches"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| (hit["path"].as_str().unwrap(), hit["line"].as_u64().unwrap()))
        .collect();
    assert_eq!(places, [("marked.py", 1), ("marked.rs", 1)]);
    assert_nothing_lost(&worktree);
}

#[test]
fn carriage_returns_stay_out_of_names_and_lines_are_right() {
    let worktree = Worktree::new();
    worktree.write("a.py", "import b\r\n\r\ndef run(\r\n    value,\r\n):\r\n    return b.helper(value)\r\n");
    worktree.write("b.py", "def helper(value):\r\n    return value\r\n");
    worktree.write(
        "c.rs",
        "pub struct A {\r\n    pub b: u8,\r\n}\r\n\r\nfn run(\r\n    a: A,\r\n) -> A {\r\n    a\r\n}\r\n",
    );
    worktree.write("d.md", "# One\r\n\r\n## Two\r\n");
    worktree.write("e.yaml", "server:\r\n  port: 1\r\n");
    orbit(worktree.root(), &["sync"]).success();
    let export = export(worktree.root());
    assert!(export.contains(r#""target":"b.helper""#));
    assert!(export.contains(r#""name":"run","qualified":"a.run","line":3,"end_line":6"#), "{export}");
    let with_return: Vec<&str> = export.lines().filter(|line| line.contains(r"\r")).collect();
    assert_eq!(with_return, [""; 0]);
}

#[test]
fn broken_syntax_keeps_what_can_be_read() {
    let worktree = Worktree::small();
    worktree.write("broken.py", "def before(): pass\n\ndef broken(:\n    x = = 1\n\n\ndef after(): pass\n");
    worktree.write("broken.rs", "fn before() {}\n\nfn broken( { let = ;\n\nfn after() {}\n");
    orbit(worktree.root(), &["sync"]).success();
    let export = export(worktree.root());
    let marked = export.lines().filter(|line| line.contains(r#""has_errors":1"#)).count();
    assert_eq!(marked, 2);
    let names = column(&export, "symbol", "qualified");
    assert!(names.iter().filter(|name| name.ends_with("before")).count() == 2, "{names:?}");
    assert_nothing_lost(&worktree);
}
