//! Which crate of the workspace may use which. Arrows never point back.

use super::tree::{Tree, TreeFile, crate_dir};
use super::{Check, Finding};
use std::collections::BTreeSet;

/// Every crate there is or will be, and what it may use.
pub(super) const CRATES: [(&str, &[&str]); 16] = [
    ("orbit-extract", &[]),
    ("orbit-git", &[]),
    ("orbit-graph", &["orbit-extract", "orbit-git"]),
    ("orbit-history", &["orbit-extract", "orbit-git", "orbit-graph"]),
    ("orbit-refactor", &["orbit-extract", "orbit-git", "orbit-graph", "orbit-history"]),
    ("orbit-knowledge", &[]),
    (
        "orbit-cli",
        &["orbit-extract", "orbit-git", "orbit-graph", "orbit-history", "orbit-refactor", "orbit-knowledge"],
    ),
    ("omnigraph-compiler", &[]),
    ("omnigraph-store", &[]),
    ("omnigraph", &["omnigraph-compiler", "omnigraph-store"]),
    ("omnigraph-api", &["omnigraph"]),
    ("omnigraph-policy", &["omnigraph"]),
    ("omnigraph-server", &["omnigraph", "omnigraph-api", "omnigraph-policy"]),
    (
        "omnigraph-cli",
        &["omnigraph", "omnigraph-compiler", "omnigraph-store", "omnigraph-api", "omnigraph-policy"],
    ),
    ("xtask", &["orbit-git"]),
    ("measure", &["orbit-extract", "orbit-graph", "xtask"]),
];

const DOCUMENT: &str = "ARCHITECTURE.md";

/// No crate depends on one it must not know, for tests and builds neither.
pub(super) fn dependencies(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, manifest) in manifests(tree) {
        let Some((_, allowed)) = CRATES.iter().find(|(known, _)| *known == name) else {
            let message = format!("crate `{name}` is not in the table of crates (xtask, {DOCUMENT})");
            findings.push(Finding::new(Check::Edge, &manifest.path, 1, message));
            continue;
        };
        for used in used_crates(&manifest.text) {
            let is_ours = CRATES.iter().any(|(known, _)| *known == used);
            if is_ours && !allowed.contains(&used.as_str()) {
                let message = format!("`{name}` must not use `{used}`");
                findings.push(Finding::new(Check::Edge, &manifest.path, line_with(manifest, &used), message));
            }
        }
    }
    findings
}

/// The table of crates in the architecture document says the same, and which crates exist.
pub(super) fn documented(tree: &Tree) -> Vec<Finding> {
    let Some(document) = tree.get(DOCUMENT) else {
        return vec![Finding::new(Check::Documented, DOCUMENT, 1, "is missing")];
    };
    let existing: BTreeSet<&str> = manifests(tree).map(|(name, _)| name).collect();
    let rows: Vec<Row<'_>> =
        document.text.lines().enumerate().filter_map(|(at, line)| row(at + 1, line)).collect();
    let mut findings = Vec::new();
    let mut report = |line: usize, message: String| {
        findings.push(Finding::new(Check::Documented, DOCUMENT, line, message));
    };
    for (name, allowed) in CRATES {
        let Some(row) = rows.iter().find(|row| row.name == name) else {
            report(1, format!("the table of crates has no row for `{name}`"));
            continue;
        };
        if row.uses != allowed.iter().copied().collect() {
            report(row.line, format!("`{name}` may use [{}], says xtask", allowed.join(", ")));
        }
        if row.exists != existing.contains(name) {
            let truth = if row.exists { "does not exist" } else { "exists" };
            report(row.line, format!("`{name}` {truth}"));
        }
    }
    findings
}

/// A row of the table `| crate | purpose | may use | state |`.
struct Row<'t> {
    line: usize,
    name: &'t str,
    uses: BTreeSet<&'t str>,
    /// The state is not `to come`.
    exists: bool,
}

fn row(line: usize, text: &str) -> Option<Row<'_>> {
    let cells: Vec<&str> = text.trim().strip_prefix('|')?.split('|').map(str::trim).collect();
    let [name, _, uses, state, ..] = cells[..] else { return None };
    let name = name.strip_prefix('`')?.strip_suffix('`')?;
    let uses = uses.split('`').skip(1).step_by(2).collect();
    Some(Row { line, name, uses, exists: state != "to come" })
}

/// The manifests of the workspace's crates.
fn manifests(tree: &Tree) -> impl Iterator<Item = (&str, &TreeFile)> {
    let found = tree.files.iter().filter(|file| file.path.ends_with("/Cargo.toml"));
    found.filter_map(|file| {
        let name = file.crate_name()?;
        (file.path == format!("{}/Cargo.toml", crate_dir(name))).then_some((name, file))
    })
}

/// The names of all dependencies of a manifest, under the name they have at home.
pub(super) fn used_crates(manifest: &str) -> BTreeSet<String> {
    let Ok(table) = toml::from_str::<toml::Table>(manifest) else { return BTreeSet::new() };
    let mut used = BTreeSet::new();
    collect(&table, &mut used);
    for target in table.get("target").and_then(toml::Value::as_table).into_iter().flatten() {
        if let Some(target) = target.1.as_table() {
            collect(target, &mut used);
        }
    }
    used
}

fn collect(table: &toml::Table, used: &mut BTreeSet<String>) {
    for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
        for (name, how) in table.get(section).and_then(toml::Value::as_table).into_iter().flatten() {
            let renamed = how.get("package").and_then(toml::Value::as_str);
            used.insert(renamed.unwrap_or(name).to_owned());
        }
    }
}

pub(super) fn line_with(file: &TreeFile, word: &str) -> usize {
    file.text.lines().position(|line| line.contains(word)).map_or(1, |at| at + 1)
}
