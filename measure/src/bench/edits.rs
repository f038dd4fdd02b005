//! Changing one file at a time: a new function at its end, in its language, and back again.

use orbit_graph::Lang;
use std::path::{Path, PathBuf};
use std::time::Duration;
use xtask::failure::{Context, Failure};

/// A sync does not trust the time of a file written just before its walk. Edits rest this long, so that
/// each sync has one file to read.
const REST: Duration = Duration::from_millis(50);

/// A file and what it is changed to.
pub(crate) struct Edit {
    path: PathBuf,
    before: Vec<u8>,
    after: Vec<u8>,
}

/// A sync after an edit.
#[derive(Clone, Copy, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Edited {
    pub(crate) wall: Duration,
    /// Files resolved again because of the edit.
    pub(crate) reresolved: usize,
}

/// Up to `count` code files of a worktree, evenly spread, each with its edit.
pub(crate) fn edits(root: &Path, count: usize, threads: usize) -> Result<Vec<Edit>, Failure> {
    let files = orbit_graph::indexable_files(root, threads)?;
    let code: Vec<(usize, String, Lang)> = files
        .into_iter()
        .filter(|(_, lang)| probe(*lang, 0).is_some())
        .enumerate()
        .map(|(at, (path, lang))| (at, path, lang))
        .collect();
    let count = count.min(code.len());
    let chosen = (0..count).map(|number| &code[number * code.len() / count]);
    let edits = chosen.map(|(number, path, lang)| {
        let path = root.join(path);
        let before = std::fs::read(&path).context(path.display())?;
        let added = probe(*lang, *number).unwrap_or_default();
        let after = [before.as_slice(), added.as_bytes()].concat();
        Ok(Edit { path, before, after })
    });
    edits.collect()
}

impl Edit {
    /// Makes the change.
    pub(crate) fn make(&self) -> Result<(), Failure> {
        write(&self.path, &self.after)
    }

    /// Takes it back.
    pub(crate) fn revert(&self) -> Result<(), Failure> {
        write(&self.path, &self.before)
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    std::fs::write(path, bytes).context(path.display())?;
    std::thread::sleep(REST);
    Ok(())
}

/// A function that no file has, or a class with one where functions need it. `None` for prose.
fn probe(lang: Lang, number: usize) -> Option<String> {
    Some(match lang {
        Lang::Rust => format!("\nfn orbit_probe_{number}() -> usize {{\n    {number}\n}}\n"),
        Lang::TypeScript | Lang::Tsx => {
            format!("\nfunction orbitProbe{number}(): number {{\n  return {number};\n}}\n")
        }
        Lang::JavaScript => format!("\nfunction orbitProbe{number}() {{\n  return {number};\n}}\n"),
        Lang::Python => format!("\n\ndef orbit_probe_{number}():\n    return {number}\n"),
        Lang::Go => format!("\nfunc orbitProbe{number}() int {{\n\treturn {number}\n}}\n"),
        Lang::Java | Lang::CSharp => {
            format!("\nclass OrbitProbe{number} {{\n  int probe() {{ return {number}; }}\n}}\n")
        }
        Lang::Kotlin => format!("\nfun orbitProbe{number}(): Int = {number}\n"),
        Lang::Ruby => format!("\ndef orbit_probe_{number}\n  {number}\nend\n"),
        Lang::C | Lang::Cpp => format!("\nint orbit_probe_{number}(void) {{\n  return {number};\n}}\n"),
        Lang::Markdown | Lang::Config => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_adds_a_symbol_in_every_language_but_prose() {
        for lang in Lang::ALL {
            let Some(text) = probe(lang, 7) else {
                assert!(matches!(lang, Lang::Markdown | Lang::Config));
                continue;
            };
            let facts = orbit_extract::extract("probe", lang, text.as_bytes());
            assert!(!facts.unwrap().has_errors, "{lang:?}");
        }
    }

    #[test]
    fn edits_come_and_go() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a.py", "b.md", "c.rs", "d.go"] {
            std::fs::write(dir.path().join(name), "# x\n").unwrap();
        }
        let edits = edits(dir.path(), 2, 1).unwrap();
        let names: Vec<_> = edits.iter().map(|edit| edit.path.file_name().unwrap().to_owned()).collect();
        assert_eq!(names, ["a.py", "c.rs"]);
        edits[1].make().unwrap();
        let text = std::fs::read_to_string(dir.path().join("c.rs")).unwrap();
        assert_eq!(text, "# x\n\nfn orbit_probe_1() -> usize {\n    1\n}\n");
        edits[1].revert().unwrap();
        assert_eq!(std::fs::read_to_string(dir.path().join("c.rs")).unwrap(), "# x\n");
    }
}
