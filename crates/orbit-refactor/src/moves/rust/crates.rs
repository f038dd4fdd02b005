//! Crates of one name: a package may have a library and a program that are called alike, and each has modules of its own.

use super::refuse;
use crate::error::RefactorError;
use crate::moves::Subject;
use crate::worktree::Worktree;
use std::collections::{BTreeMap, BTreeSet};

/// Refuses a move between crates of one name, and one that files of both are concerned with: `crate::` means another crate
/// in each.
pub(super) fn check(
    subject: &Subject<'_>,
    worktree: &Worktree,
    modules: &BTreeMap<String, String>,
    name: &str,
) -> Result<(), RefactorError> {
    let roots: Vec<&str> =
        modules.iter().filter(|(_, module)| *module == name).map(|(path, _)| path.as_str()).collect();
    if roots.len() < 2 {
        return Ok(());
    }
    let mut files: BTreeSet<String> = subject.uses()?.into_iter().map(|row| row.file).collect();
    files.retain(|file| modules.get(file).is_some_and(|module| module.split("::").next() == Some(name)));
    files.extend([subject.symbol.path.clone(), subject.target.clone()]);
    let mut owners = BTreeSet::new();
    for file in &files {
        let Some(owner) = owner(worktree, modules, &roots, file)? else {
            return Err(refuse(
                "unsupported",
                format!("{file} may be part of several crates called `{name}`"),
            ));
        };
        owners.insert(owner);
    }
    if owners.len() < 2 {
        return Ok(());
    }
    Err(refuse("unsupported", format!("it concerns several crates that are called `{name}`")))
}

/// The root of the crate that a file belongs to: the nearest one above it that declares its module.
fn owner(
    worktree: &Worktree,
    modules: &BTreeMap<String, String>,
    roots: &[&str],
    path: &str,
) -> Result<Option<String>, RefactorError> {
    if roots.contains(&path) {
        return Ok(Some(path.to_owned()));
    }
    let dir = |root: &str| root.rsplit_once('/').map_or(String::new(), |(dir, _)| format!("{dir}/"));
    let above = roots.iter().filter(|root| path.starts_with(&dir(root)));
    let longest = above.clone().map(|root| dir(root).len()).max();
    let module = modules.get(path).and_then(|module| module.split("::").nth(1)).unwrap_or_default();
    let mut found = Vec::new();
    for root in above.filter(|root| Some(dir(root).len()) == longest) {
        let text = worktree.read_text(root)?;
        let declares = |line: &str| line.trim().trim_end_matches(';').ends_with(&format!("mod {module}"));
        if text.lines().any(declares) {
            found.push((*root).to_owned());
        }
    }
    Ok(if found.len() == 1 { found.pop() } else { None })
}
