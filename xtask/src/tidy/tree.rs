//! The files the rules look at: what git tracks, and what it would track.

use crate::failure::Failure;
use crate::project::git;
use crate::rust_text::{mask, test_ranges, without};
use std::path::Path;

/// Crates of developer tasks; they lie at the root, all others in `crates/`.
const TASKS: [&str; 2] = ["measure", "xtask"];

/// The text files of the repository, in order of path.
pub(crate) struct Tree {
    pub(crate) files: Vec<TreeFile>,
}

pub(crate) struct TreeFile {
    /// Relative to the root, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
    /// The text without items that are only built for tests.
    pub(crate) shipped: String,
    /// For Rust: `shipped` without comments and the insides of literals. Else empty.
    pub(crate) code: String,
}

impl Tree {
    /// Reads every tracked or new file that is text.
    pub(crate) fn read(root: &Path) -> Result<Tree, Failure> {
        let listed = git(root, &["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
        let mut paths: Vec<&str> = listed.split('\0').filter(|path| !path.is_empty()).collect();
        paths.sort_unstable();
        paths.dedup();
        let files = paths.into_iter().filter_map(|path| {
            let text = std::fs::read_to_string(root.join(path)).ok()?; // deleted, or no text
            Some(TreeFile::new(path, text))
        });
        Ok(Tree { files: files.collect() })
    }

    pub(crate) fn get(&self, path: &str) -> Option<&TreeFile> {
        self.files.iter().find(|file| file.path == path)
    }

    pub(crate) fn rust(&self) -> impl Iterator<Item = &TreeFile> {
        self.files.iter().filter(|file| file.is_rust())
    }
}

impl TreeFile {
    fn new(path: &str, text: String) -> TreeFile {
        let path = path.to_owned();
        if !is_rust(&path) {
            return TreeFile { path, shipped: text.clone(), text, code: String::new() };
        }
        let masked = mask(&text);
        let tests = test_ranges(&masked);
        TreeFile { path, shipped: without(&text, &tests), code: without(&masked, &tests), text }
    }

    pub(crate) fn is_rust(&self) -> bool {
        is_rust(&self.path)
    }

    /// Whether the file is built for tests only.
    pub(crate) fn is_test(&self) -> bool {
        self.parts().any(|part| part == "tests") || self.path.ends_with("/tests.rs")
    }

    /// Directories and file name.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &str> {
        self.path.split('/')
    }

    /// The workspace crate that the file belongs to.
    pub(crate) fn crate_name(&self) -> Option<&str> {
        let mut parts = self.parts();
        match parts.next()? {
            "crates" => parts.next(),
            first => TASKS.into_iter().find(|name| *name == first),
        }
    }
}

/// The directory of a crate of the workspace.
pub(crate) fn crate_dir(name: &str) -> String {
    if TASKS.contains(&name) { name.to_owned() } else { format!("crates/{name}") }
}

fn is_rust(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "rs")
}
