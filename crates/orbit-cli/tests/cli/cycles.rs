//! Modules and types that lead to each other in circles and by many ways: a name is looked for once per place,
//! not once per way there.

use crate::program::{command, indexed};
use crate::worktree::Worktree;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

/// How many modules or types lead to each other, each to all the others.
const ROUND: usize = 8;

/// Such a sync takes milliseconds. Looking along every way takes minutes, or for ever.
const PATIENCE: Duration = Duration::from_secs(15);

/// A sync of these files ends in good time, with all of them indexed.
fn check(files: &[(String, String)]) {
    let worktree = Worktree::new();
    for (path, text) in files {
        worktree.write(path, text);
    }
    let mut sync = command(worktree.root(), &["sync"]);
    let mut child = sync.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts");
    let deadline = Instant::now() + PATIENCE;
    let status = loop {
        if let Some(status) = child.try_wait().expect("it is ours") {
            break status;
        }
        if Instant::now() > deadline {
            child.kill().expect("it is ours");
            child.wait().expect("it ends");
            panic!("no end after {PATIENCE:?}");
        }
        thread::sleep(Duration::from_millis(10));
    };
    assert!(status.success());
    assert_eq!(indexed(worktree.root()).len(), files.len());
}

/// One file per number, with one line for each of the others.
fn round(path: impl Fn(usize) -> String, line: impl Fn(usize) -> String) -> Vec<(String, String)> {
    let text = |own: usize| (0..ROUND).filter(|other| *other != own).map(&line).collect::<Vec<_>>().concat();
    (0..ROUND).map(|number| (path(number), text(number))).collect()
}

fn with(mut files: Vec<(String, String)>, path: &str, text: &str) -> Vec<(String, String)> {
    files.push((path.to_owned(), text.to_owned()));
    files
}

#[test]
fn python_modules_that_import_everything_from_each_other() {
    let files = round(|own| format!("m{own}.py"), |other| format!("from m{other} import *\n"));
    check(&with(files, "user.py", "from m0 import missing\nmissing()\n"));
}

#[test]
fn python_modules_that_import_one_name_from_each_other() {
    let files = round(|own| format!("m{own}.py"), |other| format!("from m{other} import run\n"));
    check(&with(files, "user.py", "from m0 import run\nrun()\n"));
}

#[test]
fn script_modules_that_export_each_other() {
    let files = round(|own| format!("m{own}.ts"), |other| format!("export * from './m{other}';\n"));
    check(&with(files, "user.ts", "import { missing } from './m0';\nmissing();\n"));
}

#[test]
fn rust_modules_that_export_each_other() {
    let files = round(|own| format!("src/m{own}.rs"), |other| format!("pub use crate::m{other}::*;\n"));
    let files = with(files, "Cargo.toml", "[package]\nname = 'kit'\n");
    check(&with(files, "src/lib.rs", "pub mod m0;\n\npub fn run() {\n    m0::missing();\n}\n"));
}

#[test]
fn classes_that_inherit_from_each_other() {
    let class = |own: usize| {
        let bases: Vec<String> =
            (0..ROUND).filter(|other| *other != own).map(|other| format!("C{other}")).collect();
        format!("class C{own}({}): pass\n", bases.join(", "))
    };
    let classes: Vec<String> = (0..ROUND).map(class).collect();
    let text = classes.concat() + "def run(value: C0):\n    value.missing()\n";
    check(&[("a.py".to_owned(), text)]);
}

/// Legal, if unusual: every class of a level inherits from every class of the level above.
#[test]
fn classes_that_meet_their_ancestors_by_many_ways() {
    let level = |level: usize| -> String {
        let bases: Vec<String> = (0..ROUND).map(|number| format!("C{}_{number}", level - 1)).collect();
        let class = |number: usize| format!("class C{level}_{number}({}): pass\n", bases.join(", "));
        (0..ROUND).map(class).collect::<Vec<_>>().concat()
    };
    let levels: Vec<String> = (1..14).map(level).collect();
    let text = levels.concat() + "def run(value: C13_0):\n    value.missing()\n";
    check(&[("a.py".to_owned(), text)]);
}
