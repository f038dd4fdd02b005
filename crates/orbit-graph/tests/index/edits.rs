//! Random changes to a worktree. They work on text, so that one set serves every language: words change
//! places, paragraphs (mostly definitions) come and go, files move.

use crate::fixture::files;
use crate::tree::{FIXTURE, Tree};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::time::SystemTime;

/// Names that the fixture defines or imports, most of them in several languages and files.
const WORDS: [&str; 24] = [
    "helper", "Engine", "Store", "Base", "load", "save", "make", "run", "parse", "Config", "Memory", "open",
    "level", "store", "models", "model", "util", "views", "index", "Helper", "Load", "config", "sub",
    "inner",
];

/// What happens to a file, or to the tree. Simple ones first: proptest shrinks towards the start.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Touch,
    ShiftLines,
    ChangeNumber,
    MendText,
    RenameWord,
    SwapLines,
    SwapParagraphs,
    DeleteLine,
    DeleteParagraph,
    CopyParagraph,
    DeleteFile,
    RestoreFile,
    RenameFile,
    MoveFile,
    TogglePackage,
    RenameManifest,
    BreakSyntax,
    Binary,
    NotUtf8,
    ToggleIgnored,
}

/// Each kind as often as it shall be drawn.
const DRAW: [Kind; 34] = [
    Kind::Touch,
    Kind::ShiftLines,
    Kind::ChangeNumber,
    Kind::MendText,
    Kind::MendText,
    Kind::RenameWord,
    Kind::RenameWord,
    Kind::RenameWord,
    Kind::RenameWord,
    Kind::RenameWord,
    Kind::SwapLines,
    Kind::SwapLines,
    Kind::SwapParagraphs,
    Kind::SwapParagraphs,
    Kind::DeleteLine,
    Kind::DeleteLine,
    Kind::DeleteParagraph,
    Kind::DeleteParagraph,
    Kind::CopyParagraph,
    Kind::CopyParagraph,
    Kind::DeleteFile,
    Kind::DeleteFile,
    Kind::RestoreFile,
    Kind::RestoreFile,
    Kind::RenameFile,
    Kind::RenameFile,
    Kind::MoveFile,
    Kind::MoveFile,
    Kind::TogglePackage,
    Kind::RenameManifest,
    Kind::BreakSyntax,
    Kind::Binary,
    Kind::NotUtf8,
    Kind::ToggleIgnored,
];

/// One change. The numbers pick among what is there when it is applied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edit {
    kind: Kind,
    file: usize,
    first: usize,
    second: usize,
}

/// Any edit.
pub(crate) fn edit() -> impl Strategy<Value = Edit> {
    let number = 0..10_000usize;
    let drawn = (0..DRAW.len(), number.clone(), number.clone(), number);
    drawn.prop_map(|(kind, file, first, second)| Edit { kind: DRAW[kind], file, first, second })
}

impl Edit {
    /// Changes the tree and says what it did. An edit that does not apply leaves the tree alone.
    pub(crate) fn apply(self, tree: &Tree) -> String {
        let files: Vec<String> = tree.files().into_keys().collect();
        let Some(path) = pick(&files, self.file) else { return "nothing left".into() };
        let done = match self.kind {
            Kind::DeleteFile => {
                tree.remove(path);
                String::new()
            }
            Kind::RestoreFile | Kind::MendText => self.restore(tree, path),
            Kind::RenameFile | Kind::MoveFile => self.relocate(tree, &files, path),
            Kind::TogglePackage => self.toggle_package(tree, &files),
            Kind::RenameManifest => self.rename_manifest(tree, &files),
            Kind::ToggleIgnored => toggle_ignored(tree, path),
            Kind::Touch => {
                tree.set_modified(path, SystemTime::now());
                String::new()
            }
            Kind::Binary => {
                tree.write(path, [0x7f, b'E', 0, 0xff, 0]);
                String::new()
            }
            Kind::NotUtf8 => {
                tree.write(path, b"caf\xe9 = helper(\n");
                String::new()
            }
            _ => self.change_text(tree, &files, path),
        };
        format!("{:?} {path} {done}", self.kind)
    }

    /// Puts a file of the fixture back: this one, or any.
    fn restore(self, tree: &Tree, path: &str) -> String {
        let fixture = files(FIXTURE);
        let same = fixture.iter().find(|(known, _)| known == path && matches!(self.kind, Kind::MendText));
        let (path, text) = same.unwrap_or(&fixture[self.first % fixture.len()]);
        if tree.path(path).exists() || tree.path(path).parent().is_some_and(|dir| !dir.is_file()) {
            tree.write(path, text);
        }
        path.clone()
    }

    /// Renames a file in its directory, or moves it to another.
    fn relocate(self, tree: &Tree, files: &[String], path: &str) -> String {
        let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
        let target = if matches!(self.kind, Kind::RenameFile) {
            let ending = name.split_once('.').map_or("", |(_, ending)| ending);
            join(dir, &format!("{}.{ending}", WORDS[self.first % WORDS.len()]))
        } else {
            let directory = |file: &String| file.rsplit_once('/').map_or("", |(dir, _)| dir).to_owned();
            let dirs: BTreeSet<String> = files.iter().map(directory).chain(["new/place".into()]).collect();
            let dirs: Vec<String> = dirs.into_iter().collect();
            join(&dirs[self.first % dirs.len()], name)
        };
        if !tree.path(&target).exists() {
            tree.rename(path, &target);
        }
        format!("to {target}")
    }

    /// Makes a directory with Python files a package, or takes that away.
    fn toggle_package(self, tree: &Tree, files: &[String]) -> String {
        let dirs: BTreeSet<&str> = files
            .iter()
            .filter_map(|path| path.rsplit_once('/'))
            .filter(|(_, name)| name.rsplit_once('.').is_some_and(|(_, ending)| ending == "py"))
            .map(|(dir, _)| dir)
            .collect();
        let dirs: Vec<&str> = dirs.into_iter().collect();
        let Some(dir) = pick(&dirs, self.first) else { return "no packages".into() };
        let init = join(dir, "__init__.py");
        if tree.path(&init).exists() {
            tree.remove(&init);
        } else {
            tree.write(&init, "from .models import *\n");
        }
        init
    }

    /// Gives the package, crate or module that a manifest names another name.
    fn rename_manifest(self, tree: &Tree, files: &[String]) -> String {
        let is_manifest = |path: &&String| {
            ["Cargo.toml", "package.json", "go.mod", "tsconfig.json"].iter().any(|name| path.ends_with(name))
        };
        let manifests: Vec<&String> = files.iter().filter(is_manifest).collect();
        let Some(path) = pick(&manifests, self.first) else { return "no manifest".into() };
        let Ok(text) = std::fs::read_to_string(tree.path(path)) else { return "not text".into() };
        let names = [
            "engine-core",
            "app",
            "@acme/ui",
            "@acme/app",
            "example.org/engine",
            "@shared",
            "engine-renamed",
        ];
        let Some(from) = names.iter().find(|name| text.contains(**name)) else { return "no name".into() };
        let to = names[self.second % names.len()];
        tree.write(path, text.replacen(from, to, 1));
        format!("{path}: {from} to {to}")
    }

    /// Edits inside a file.
    fn change_text(self, tree: &Tree, files: &[String], path: &str) -> String {
        let Ok(text) = std::fs::read_to_string(tree.path(path)) else { return "not text".into() };
        let (first, second) = (self.first, self.second);
        let changed = match self.kind {
            Kind::ShiftLines => format!("\n\n{text}"),
            Kind::ChangeNumber => text.replace('1', "21").replace('2', "34"),
            Kind::BreakSyntax => {
                let at = (0..=first % (text.len() + 1)).rev().find(|at| text.is_char_boundary(*at));
                format!("{} ({{[ \" ", &text[..at.unwrap_or(0)])
            }
            Kind::RenameWord => {
                let present: Vec<&str> = WORDS.into_iter().filter(|word| text.contains(word)).collect();
                let Some(from) = pick(&present, first) else { return "no word".into() };
                let to = WORDS[second % WORDS.len()];
                tree.write(path, replace_word(&text, from, to));
                return format!("{from} to {to}");
            }
            Kind::CopyParagraph => {
                let paragraphs: Vec<&str> = text.split("\n\n").collect();
                return copy_paragraph(tree, files, path, paragraphs[first % paragraphs.len()], second);
            }
            _ => self.reorder(&text),
        };
        tree.write(path, &changed);
        format!("at {first}, {second}")
    }

    /// Swaps or deletes lines or paragraphs.
    fn reorder(self, text: &str) -> String {
        let is_by_line = matches!(self.kind, Kind::SwapLines | Kind::DeleteLine);
        let separator = if is_by_line { "\n" } else { "\n\n" };
        let mut parts: Vec<&str> = text.split(separator).collect();
        let (count, first) = (parts.len(), self.first % parts.len());
        match self.kind {
            Kind::SwapLines => parts.swap(first, (first + 1) % count),
            Kind::SwapParagraphs => parts.swap(first, self.second % count),
            _ => {
                parts.remove(first);
            }
        }
        parts.join(separator)
    }
}

/// Appends a paragraph to another file of the same language.
fn copy_paragraph(tree: &Tree, files: &[String], path: &str, paragraph: &str, second: usize) -> String {
    let ending = |path: &str| path.rsplit_once('.').map(|(_, ending)| ending.to_owned());
    let alike: Vec<&String> = files.iter().filter(|other| ending(other) == ending(path)).collect();
    let target = alike[second % alike.len()];
    let Ok(text) = std::fs::read_to_string(tree.path(target)) else { return "not text".into() };
    tree.write(target, format!("{text}\n{paragraph}\n"));
    format!("to {target}")
}

/// Makes git ignore a file, or nothing.
fn toggle_ignored(tree: &Tree, path: &str) -> String {
    if tree.path(".gitignore").exists() {
        tree.remove(".gitignore");
        return "ignores nothing".into();
    }
    tree.write(".gitignore", format!("/{path}\n"));
    "ignored".into()
}

fn pick<T>(all: &[T], at: usize) -> Option<&T> {
    if all.is_empty() { None } else { all.get(at % all.len()) }
}

fn join(dir: &str, name: &str) -> String {
    if dir.is_empty() { name.to_owned() } else { format!("{dir}/{name}") }
}

/// Every occurrence of `from` that is not a part of a longer word.
fn replace_word(text: &str, from: &str, to: &str) -> String {
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(from) {
        let (before, after) = (&rest[..at], &rest[at + from.len()..]);
        let last = before.chars().next_back().or_else(|| out.chars().next_back());
        let stays = is_part(last) || is_part(after.chars().next());
        out.push_str(before);
        out.push_str(if stays { from } else { to });
        rest = after;
    }
    out + rest
}

#[test]
fn only_whole_words_are_replaced() {
    assert_eq!(replace_word("run(rerun, run.run_all) run", "run", "go"), "go(rerun, go.run_all) go");
}
