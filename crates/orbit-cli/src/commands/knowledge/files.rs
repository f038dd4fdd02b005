//! Knowledge as files in the worktree: writing them, and reading them back.

use crate::failure::Failure;
use orbit_graph::Location;
use orbit_knowledge::{ExportedFile, Imported, KnowledgeError, Store};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Directories and endings that an export owns; other files in there are left alone.
const OWN: [(&str, &str); 6] = [
    ("molecules", "md"),
    ("atoms", "md"),
    ("marks", "jsonl"),
    ("deleted", "md"),
    ("features", "md"),
    ("tasks", "md"),
];

/// What an export did.
#[derive(Serialize)]
pub(super) struct Exported {
    dir: String,
    pub(super) files: usize,
    pub(super) written: usize,
    pub(super) removed: usize,
    /// Files that somebody changed since: they are to be imported first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) kept: Vec<String>,
}

fn at(path: &Path) -> impl Fn(std::io::Error) -> KnowledgeError + '_ {
    |error| KnowledgeError::File(path.to_owned(), error)
}

fn target(dir: &Path, target: &Path) -> Result<PathBuf, Failure> {
    Ok(Location::of(dir)?.root.join(target))
}

/// Writes all files, and removes those of things that are gone. Files that are right already are not touched, and what
/// somebody changed since they were written or read is left for the next import.
pub(super) fn export(store: &Store, dir: &Path, to: &Path, with_tasks: bool) -> Result<Exported, Failure> {
    let home = target(dir, to)?;
    let directory = home.display().to_string();
    let known = store.travelled(&directory)?;
    attributes(&home)?;
    let files = store.export_knowledge(with_tasks || has_tasks(&home)?)?;
    let mut done =
        Exported { dir: directory.clone(), files: files.len(), written: 0, removed: 0, kept: Vec::new() };
    let mut kept_in_step = Vec::new();
    for file in &files {
        let path = home.join(&file.path);
        let there = fs::read_to_string(&path).ok();
        if there.as_deref() == Some(file.text.as_str()) {
            kept_in_step.push(file.clone());
            continue;
        }
        let base = file.key().and_then(|key| known.get(&key));
        if there.is_some() && there.as_ref() != base {
            done.kept.push(file.path.clone());
            continue;
        }
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(at(parent))?;
        }
        fs::write(&path, &file.text).map_err(at(&path))?;
        done.written += 1;
        kept_in_step.push(file.clone());
    }
    let mut gone = Vec::new();
    for path in own_files(&home)? {
        if files.iter().any(|file| file.path == path) {
            continue;
        }
        let full = home.join(&path);
        let there = ExportedFile { text: fs::read_to_string(&full).map_err(at(&full))?, path };
        let key = there.key();
        if key.as_ref().and_then(|key| known.get(key)) != Some(&there.text) {
            done.kept.push(there.path);
            continue;
        }
        fs::remove_file(&full).map_err(at(&full))?;
        done.removed += 1;
        // A thing with another name now has another file, which was just written.
        gone.extend(key.filter(|key| !files.iter().any(|file| file.key().as_ref() == Some(key))));
    }
    store.keep_travelled(&directory, &kept_in_step, &gone)?;
    Ok(done)
}

/// Whether features and tasks were put into a directory before.
fn has_tasks(home: &Path) -> Result<bool, KnowledgeError> {
    let projects = if home.exists() { names(home)? } else { Vec::new() };
    Ok(projects
        .iter()
        .any(|project| ["features", "tasks"].iter().any(|of| home.join(project).join(of).is_dir())))
}

/// Tells git how to merge: marks by putting lines together, the rest by our driver where it is installed.
pub(super) fn attributes(home: &Path) -> Result<(), Failure> {
    fs::create_dir_all(home).map_err(at(home))?;
    let path = home.join(".gitattributes");
    let mut text = fs::read_to_string(&path).unwrap_or_default();
    for line in ["*.md merge=orbit-knowledge", "*.jsonl merge=union"] {
        if !text.lines().any(|known| known == line) {
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text.push_str(line);
            text.push('\n');
            fs::write(&path, &text).map_err(at(&path))?;
        }
    }
    Ok(())
}

/// Reads what an export wrote.
pub(super) fn import(store: &Store, dir: &Path, from: &Path) -> Result<Imported, Failure> {
    let home = target(dir, from)?;
    let mut files = Vec::new();
    for path in own_files(&home)? {
        let full = home.join(&path);
        files.push(ExportedFile { text: fs::read_to_string(&full).map_err(at(&full))?, path });
    }
    Ok(store.import_knowledge(&home.display().to_string(), &files)?)
}

/// The files of an export, by path: `<project>/project.md` and what [`OWN`] names.
fn own_files(home: &Path) -> Result<Vec<String>, KnowledgeError> {
    let mut found = Vec::new();
    if !home.exists() {
        return Ok(found);
    }
    for project in names(home)? {
        if home.join(&project).join("project.md").is_file() {
            found.push(format!("{project}/project.md"));
        }
        for (kind, ending) in OWN {
            let dir = home.join(&project).join(kind);
            for name in if dir.is_dir() { names(&dir)? } else { Vec::new() } {
                if name.rsplit_once('.').is_some_and(|(_, end)| end == ending) {
                    found.push(format!("{project}/{kind}/{name}"));
                }
            }
        }
    }
    Ok(found)
}

fn names(dir: &Path) -> Result<Vec<String>, KnowledgeError> {
    let mut names = Vec::new();
    for entry in fs::read_dir(dir).map_err(at(dir))? {
        names.push(entry.map_err(at(dir))?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}
