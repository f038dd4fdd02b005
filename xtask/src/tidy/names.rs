//! Names that say nothing are not used for files, directories and modules.

use super::tree::{Tree, TreeFile};
use super::{Check, Finding};
use crate::rust_text::{identifier, line_of, words};

const BANNED: [&str; 8] = ["utils", "util", "helpers", "helper", "common", "misc", "manager", "managers"];

/// No path and no module has a banned name.
pub(super) fn banned(tree: &Tree) -> Vec<Finding> {
    tree.files.iter().flat_map(|file| path_of(file).into_iter().chain(modules_of(file))).collect()
}

fn path_of(file: &TreeFile) -> Option<Finding> {
    let stem = |part: &str| part.split('.').next().unwrap_or(part).to_ascii_lowercase();
    let banned = file.parts().map(stem).find(|part| BANNED.contains(&part.as_str()))?;
    let message = format!("`{banned}` says nothing about what is in there");
    Some(Finding::new(Check::BannedName, &file.path, 1, message))
}

fn modules_of(file: &TreeFile) -> impl Iterator<Item = Finding> {
    words(&file.code, "mod").filter_map(|at| {
        let rest = file.code[at + "mod".len()..].trim_start();
        let name = identifier(rest);
        let is_inline = rest[name.len()..].trim_start().starts_with('{');
        (is_inline && BANNED.contains(&name)).then(|| {
            let message = format!("module `{name}`: the name says nothing about what is in there");
            Finding::new(Check::BannedName, &file.path, line_of(&file.code, at), message)
        })
    })
}
