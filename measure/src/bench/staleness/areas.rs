//! Random areas of a checkout: a file of code or configuration, the files of a directory, a function or class.

use super::Truth;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use xtask::failure::Failure;
use xtask::project::git;

/// Areas of each kind that are planted at one commit.
const EACH: usize = 6;
/// Files of a directory that is chosen.
const WIDEST: usize = 30;

/// Where an atom is planted.
pub(super) enum Area {
    File(String),
    Directory(String, Vec<String>),
    Symbol(String, String),
}

impl Area {
    /// As the truth is asked.
    pub(super) fn question(&self) -> Value {
        match self {
            Area::File(path) => json!({"files": [path]}),
            Area::Directory(_, files) => json!({"files": files}),
            Area::Symbol(path, name) => json!({"file": path, "name": name}),
        }
    }

    /// As the atom is made. An atom needs a glob; that of a symbol matches nothing.
    pub(super) fn arguments(&self) -> Value {
        match self {
            Area::File(path) => json!({"paths": [escaped(path)]}),
            Area::Directory(dir, _) if dir.is_empty() => json!({"paths": ["*.py"]}),
            Area::Directory(dir, _) => json!({"paths": [format!("{}/*.py", escaped(dir))]}),
            Area::Symbol(path, name) => {
                json!({"paths": ["no/such/place"], "anchors": [format!("symbol:{path}#{name}")]})
            }
        }
    }
}

fn escaped(path: &str) -> String {
    path.replace('[', "[[]")
}

/// The same numbers for the same seed.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(super) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// Areas of what is checked out.
pub(super) fn choose(
    dir: &Path,
    commit: &str,
    dice: &mut Dice,
    truth: &mut Truth,
) -> Result<Vec<Area>, Failure> {
    let listed = git(dir, &["ls-files", "*.py"])?;
    let files: Vec<&str> = listed.lines().filter(|path| !path.starts_with('"')).collect();
    let mut by_directory: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for path in &files {
        let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
        by_directory.entry(dir).or_default().push((*path).to_owned());
    }
    let directories: Vec<(&str, Vec<String>)> =
        by_directory.into_iter().filter(|(_, files)| files.len() <= WIDEST).collect();
    let configs = git(dir, &["ls-files", "*.toml", "*.json", "*.yaml", "*.yml"])?;
    let configs: Vec<&str> = configs.lines().filter(|path| !path.starts_with('"')).collect();
    let mut areas = Vec::new();
    for _ in 0..EACH {
        if let Some(path) = configs.get(dice.below(configs.len())) {
            areas.push(Area::File((*path).to_owned()));
        }
        if let Some(path) = files.get(dice.below(files.len())) {
            areas.push(Area::File((*path).to_owned()));
        }
        if let Some((dir, files)) = directories.get(dice.below(directories.len())) {
            areas.push(Area::Directory((*dir).to_owned(), files.clone()));
        }
        for _ in 0..2 {
            let Some(path) = files.get(dice.below(files.len())) else { continue };
            let names = truth.ask(&json!({"base": commit, "list": path}))?;
            let names = names.as_array().cloned().unwrap_or_default();
            if let Some(name) = names.get(dice.below(names.len())).and_then(Value::as_str) {
                areas.push(Area::Symbol((*path).to_owned(), name.to_owned()));
            }
        }
    }
    Ok(areas)
}
