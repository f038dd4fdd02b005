//! Names counted in the files themselves, apart from the index, and the accounts that must add up to them.

use super::asked;
use crate::bench::sample::{Symbol, pick_seeded};
use crate::mcp::Client;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use xtask::failure::{Context, Failure};

/// How often words stand in the files of a repository.
pub(super) struct Census {
    words: BTreeMap<String, usize>,
    files: BTreeSet<String>,
    pub(super) lines: usize,
}

/// Accounts that were looked at.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    pub(super) asked: usize,
    pub(super) complete: usize,
    /// Names without an account, such as those of modules.
    pub(super) without: usize,
    /// In words, those that do not add up.
    pub(super) odd: Vec<String>,
}

impl Census {
    /// Counts these words in every file that the index reads.
    pub(super) fn take(root: &Path, wanted: &BTreeSet<String>) -> Result<Census, Failure> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let found = orbit_graph::indexable_files(root, threads).context("the files of the index")?;
        let mut files = BTreeSet::new();
        let mut words = BTreeMap::new();
        let mut lines = 0;
        for (file, _) in found {
            let Ok(bytes) = std::fs::read(root.join(&file)) else { continue };
            // What git takes for binary, by a zero in its start, is not read: an account may say so.
            if bytes.iter().take(8000).any(|byte| *byte == 0) {
                continue;
            }
            let text = String::from_utf8_lossy(&bytes);
            lines += text.lines().count();
            count(&text, wanted, &mut words);
            files.insert(file);
        }
        Ok(Census { words, files, lines })
    }

    /// Whether the account of a name adds up to what stands in the files; in words where it does not.
    pub(super) fn check(&self, root: &Path, name: &str, account: &Value) -> Option<String> {
        let class = |class: &str| account[class].as_u64().unwrap_or(0) as usize;
        let classes = ["here", "definitions", "elsewhere", "uncertain", "text", "unread"];
        let sum: usize = classes.into_iter().map(class).sum();
        let mut counted = self.words.get(name).copied().unwrap_or(0);
        // Files without a parser are not among those that the index reads; they are counted where the account names them.
        for file in
            account["unread_files"].as_array().into_iter().flatten().filter_map(|file| file["file"].as_str())
        {
            if !self.files.contains(file) {
                let text = std::fs::read(root.join(file)).unwrap_or_default();
                let mut found = BTreeMap::new();
                count(&String::from_utf8_lossy(&text), &BTreeSet::from([name.to_owned()]), &mut found);
                counted += found.values().sum::<usize>();
            }
        }
        let occurrences = class("occurrences");
        (sum != occurrences || counted != occurrences)
            .then(|| format!("`{name}`: classes {sum}, occurrences {occurrences}, counted {counted}"))
    }
}

/// Words as `grep -w -o` sees them.
fn count(text: &str, wanted: &BTreeSet<String>, words: &mut BTreeMap<String, usize>) {
    for word in text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()) {
        if wanted.contains(word) {
            *words.entry(word.to_owned()).or_default() += 1;
        }
    }
}

/// Random names of an index.
pub(super) fn names(symbols: &[Symbol], count: usize, seed: u64) -> Vec<String> {
    let is_word = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let code = symbols.iter().filter(|symbol| symbol.kind != "heading" && is_word(&symbol.name));
    let names: BTreeSet<String> = code.map(|symbol| symbol.name.clone()).collect();
    pick_seeded(names.into_iter().collect(), count, seed)
}

/// Asks for the account of each name.
pub(super) fn accounts(
    client: &mut Client,
    root: &Path,
    census: &Census,
    names: &[String],
    symbols: &[Symbol],
) -> Result<Accounts, Failure> {
    let mut accounts = Accounts::default();
    for name in names {
        accounts.asked += 1;
        let mut account = asked::account(client, name)?;
        if account.is_null() {
            // A name of very many symbols is refused; any of them has the same account of occurrences.
            let one = symbols.iter().find(|symbol| symbol.name == *name);
            account = one.map_or(Ok(Value::Null), |one| asked::account(client, &one.selector()))?;
        }
        if account.is_null() {
            accounts.without += 1;
            continue;
        }
        accounts.complete += usize::from(account["complete"] == Value::Bool(true));
        accounts.odd.extend(census.check(root, name, &account));
    }
    Ok(accounts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_account_adds_up_to_the_words_of_the_files() {
        let wanted = BTreeSet::from(["run".to_owned()]);
        let mut words = BTreeMap::new();
        count("run(); re_run(); // run, rerun\n", &wanted, &mut words);
        let census = Census { words, files: BTreeSet::new(), lines: 1 };
        let whole = json!({"occurrences": 2, "here": 1, "text": 1});
        assert_eq!(census.check(Path::new("."), "run", &whole), None);
        let short = json!({"occurrences": 2, "here": 1});
        assert!(census.check(Path::new("."), "run", &short).is_some());
    }
}
