//! Knowledge as files in the worktree: writing them, and reading them back.

use crate::failure::Failure;
use orbit_graph::Location;
use orbit_knowledge::{ExportedFile, Imported, KnowledgeError, Store};
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// Directories and endings that an export owns; other files in there are left alone.
const OWN: [(&str, &str); 3] = [("molecules", "md"), ("atoms", "md"), ("marks", "jsonl")];

/// What an export did.
#[derive(Serialize)]
pub(super) struct Exported {
    dir: String,
    pub(super) files: usize,
    pub(super) written: usize,
    pub(super) removed: usize,
}

fn at(path: &Path) -> impl Fn(std::io::Error) -> KnowledgeError + '_ {
    |error| KnowledgeError::File(path.to_owned(), error)
}

fn target(dir: &Path, target: &Path) -> Result<PathBuf, Failure> {
    Ok(Location::of(dir)?.root.join(target))
}

/// Writes all files, and removes those of things that are gone. Files that are right already are not touched.
pub(super) fn export(store: &Store, dir: &Path, to: &Path) -> Result<Exported, Failure> {
    let home = target(dir, to)?;
    let files = store.export_knowledge()?;
    let mut written = 0;
    for file in &files {
        let path = home.join(&file.path);
        if fs::read_to_string(&path).is_ok_and(|text| text == file.text) {
            continue;
        }
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(at(parent))?;
        }
        fs::write(&path, &file.text).map_err(at(&path))?;
        written += 1;
    }
    let mut removed = 0;
    for path in own_files(&home)? {
        if !files.iter().any(|file| file.path == path) {
            let path = home.join(path);
            fs::remove_file(&path).map_err(at(&path))?;
            removed += 1;
        }
    }
    Ok(Exported { dir: home.display().to_string(), files: files.len(), written, removed })
}

/// Reads what an export wrote.
pub(super) fn import(store: &Store, dir: &Path, from: &Path) -> Result<Imported, Failure> {
    let home = target(dir, from)?;
    let mut files = Vec::new();
    for path in own_files(&home)? {
        let full = home.join(&path);
        files.push(ExportedFile { text: fs::read_to_string(&full).map_err(at(&full))?, path });
    }
    Ok(store.import_knowledge(&files)?)
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
