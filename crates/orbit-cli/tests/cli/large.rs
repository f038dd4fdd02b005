//! A worktree whose sync takes long enough to be interrupted, in two versions.

use crate::program::{export, orbit};
use crate::worktree::Worktree;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const FILES: usize = 240;

/// Which files there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    /// Before the edits.
    Old,
    /// After them.
    New,
}

impl Version {
    pub(crate) fn other(self) -> Version {
        match self {
            Version::Old => Version::New,
            Version::New => Version::Old,
        }
    }
}

/// The worktree, and what a fresh build of each version exports.
pub(crate) struct Large {
    pub(crate) worktree: Worktree,
    pub(crate) at: Version,
    old: String,
    new: String,
}

impl Large {
    /// Writes the old version. There is no index yet.
    pub(crate) fn new() -> Large {
        let worktree = Worktree::new();
        write(&worktree, Version::Old);
        Large { worktree, at: Version::Old, old: fresh(Version::Old), new: fresh(Version::New) }
    }

    /// Changes to another version on disk; files that are the same in both are left alone.
    pub(crate) fn set(&mut self, version: Version) {
        if version != self.at {
            write(&self.worktree, version);
            self.at = version;
        }
    }

    /// What the export of a version is.
    pub(crate) fn expected(&self, version: Version) -> &str {
        match version {
            Version::Old => &self.old,
            Version::New => &self.new,
        }
    }

    /// The version that an export is of; panics when it is of neither.
    pub(crate) fn version_of(&self, export: &str) -> Version {
        if export == self.old {
            return Version::Old;
        }
        if export == self.new {
            return Version::New;
        }
        let lines: std::collections::BTreeSet<&str> = self.old.lines().chain(self.new.lines()).collect();
        let strange = export.lines().find(|line| !lines.contains(line));
        let (count, known) = (export.lines().count(), (self.old.lines().count(), self.new.lines().count()));
        panic!("half an index: {count} rows where {known:?} are known; first strange row: {strange:?}");
    }
}

fn fresh(version: Version) -> String {
    let worktree = Worktree::new();
    write(&worktree, version);
    orbit(worktree.root(), &["sync"]).success();
    export(worktree.root())
}

/// Makes the files of a version exist, and no others; equal files are not written again.
fn write(worktree: &Worktree, version: Version) {
    let (wanted, others) = (files(version), files(version.other()));
    for path in others.keys().filter(|path| !wanted.contains_key(*path)) {
        let _ = std::fs::remove_file(worktree.path(path)); // there only after the other version
    }
    for (path, text) in &wanted {
        if std::fs::read_to_string(worktree.path(path)).ok().as_ref() != Some(text) {
            worktree.write(path, text);
        }
    }
}

/// The new version renames what other files use, removes some files and adds some.
fn files(version: Version) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for number in 0..FILES {
        let is_new = version == Version::New;
        if number % 24 == 5 && is_new || number % 24 == 6 && !is_new {
            continue;
        }
        let run = if number % 8 == 3 && is_new { "walk" } else { "run" };
        let next = (number + 1) % FILES;
        let (path, text) = match number % 3 {
            0 => (format!("py/m{number}.py"), python(number, next, run)),
            1 => (format!("web/m{number}.ts"), script(number, next, run)),
            _ => (format!("go/p{number}/m.go"), go(number, run)),
        };
        files.insert(path, text);
    }
    files.insert("go/go.mod".into(), "module example.org/large\n".into());
    files
}

fn python(number: usize, next: usize, run: &str) -> String {
    let (next, mut text) = (next - next % 3, String::new());
    let _ = writeln!(text, "from py.m{next} import run, Base{next} as Other\n\n\nclass Base{number}:");
    for method in 0..12 {
        let _ = writeln!(text, "    def step{method}(self, other: Other):");
        let _ = writeln!(text, "        return run(other.step{method}(self), \"text number {number}\")\n");
    }
    let _ = writeln!(text, "\ndef {run}(value, text):\n    return Base{number}().step1(value)");
    text
}

fn script(number: usize, next: usize, run: &str) -> String {
    let next = next - next % 3 + 1;
    let mut text =
        format!("import {{ run, Base{next} }} from './m{next}';\n\nexport class Base{number} {{\n");
    for method in 0..12 {
        let _ = writeln!(
            text,
            "  step{method}(other: Base{next}) {{\n    return run(other.step{method}(this));\n  }}"
        );
    }
    let _ = writeln!(
        text,
        "}}\n\nexport function {run}(value) {{\n  return new Base{number}().step1(value);\n}}"
    );
    text
}

fn go(number: usize, run: &str) -> String {
    let next = (number + 3) % FILES;
    let next = next - next % 3 + 2;
    let mut text =
        format!("package p{number}\n\nimport \"example.org/large/p{next}\"\n\ntype Base struct{{}}\n\n");
    for method in 0..12 {
        let _ = writeln!(
            text,
            "func (b Base) Step{method}(other p{next}.Base) int {{\n\
             \treturn p{next}.Run(other.Step{method}(b))\n}}\n"
        );
    }
    let name = format!("{}{}", run[..1].to_uppercase(), &run[1..]);
    let _ = writeln!(text, "func {name}(value int) int {{\n\treturn Base{{}}.Step1(value)\n}}");
    text
}
