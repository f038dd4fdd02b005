//! Which top-level module of a crate uses which. Between modules, too, arrows never point back.

use super::tree::{Tree, TreeFile, crate_dir};
use super::{Check, Finding};
use std::collections::{BTreeMap, BTreeSet};

/// Errors wrap what the rooms report, so this module names them and they name it.
const ERRORS: &str = "error";

/// The modules that each module of a crate uses, with the first place of each use.
type Edges<'t> = BTreeMap<&'t str, BTreeMap<&'t str, (&'t str, usize)>>;

/// No two modules use each other, however many lie between them.
pub(super) fn cycles(tree: &Tree) -> Vec<Finding> {
    let mut crates: BTreeMap<&str, Edges<'_>> = BTreeMap::new();
    for file in tree.rust().filter(|file| !file.is_test()) {
        let (Some(name), Some(module)) = (file.crate_name(), top_module(file)) else { continue };
        let edges = crates.entry(name).or_default().entry(module).or_default();
        for (used, line) in used_modules(file, module).filter(|_| module != ERRORS) {
            edges.entry(used).or_insert((&file.path, line));
        }
    }
    crates.iter_mut().flat_map(|(name, edges)| in_crate(name, edges)).collect()
}

fn in_crate(name: &str, edges: &mut Edges<'_>) -> Vec<Finding> {
    let modules: BTreeSet<&str> = edges.keys().copied().collect();
    for uses in edges.values_mut() {
        uses.retain(|used, _| modules.contains(used));
    }
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        modules.iter().map(|module| (*module, reached_from(module, edges))).collect();
    let mut seen = BTreeSet::new();
    let mut findings = Vec::new();
    for module in &modules {
        let cycle: Vec<&str> = modules
            .iter()
            .copied()
            .filter(|other| reached[module].contains(other) && reached[other].contains(module))
            .collect();
        if cycle.len() < 2 || !seen.insert(cycle.clone()) {
            continue;
        }
        let places: Vec<String> = cycle
            .iter()
            .flat_map(|from| edges[from].iter().map(move |(to, place)| (from, to, place)))
            .filter(|(_, to, _)| cycle.contains(to))
            .map(|(from, to, (path, line))| format!("{from} -> {to} ({path}:{line})"))
            .collect();
        let message = format!("modules use each other in a circle: {}", places.join(", "));
        let mut finding = Finding::new(Check::ModuleCycle, &crate_dir(name), 1, message);
        finding.item = Some(cycle.join(" "));
        findings.push(finding);
    }
    findings
}

fn reached_from<'t>(start: &str, edges: &Edges<'t>) -> BTreeSet<&'t str> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = edges[start].keys().copied().collect();
    while let Some(module) = open.pop() {
        if let Some((module, uses)) = edges.get_key_value(module)
            && reached.insert(*module)
        {
            open.extend(uses.keys());
        }
    }
    reached
}

/// The module below the root of the crate that a file belongs to.
fn top_module(file: &TreeFile) -> Option<&str> {
    let (_, inside) = file.path.split_once("/src/")?;
    let first = inside.split('/').next()?;
    let module = first.strip_suffix(".rs").unwrap_or(first);
    (!matches!(module, "lib" | "main" | "bin")).then_some(module)
}

/// The modules that a file names from the root of its crate: `crate::a`, and each of `crate::{a, b::c}`.
fn used_modules<'t>(file: &'t TreeFile, own: &str) -> impl Iterator<Item = (&'t str, usize)> {
    let code = file.code.as_str();
    code.match_indices("crate::")
        .filter(|(at, _)| !code[..*at].ends_with(is_word))
        .flat_map(move |(at, root)| {
            let line = code[..at].matches('\n').count() + 1;
            first_names(&code[at + root.len()..]).into_iter().map(move |name| (name, line))
        })
        .filter(move |(name, _)| *name != own)
}

/// The first name of a path, or of each path of a group.
fn first_names(path: &str) -> Vec<&str> {
    let word = |text: &str| text.find(|letter| !is_word(letter)).unwrap_or(text.len());
    let Some(group) = path.strip_prefix('{') else { return vec![&path[..word(path)]] };
    let mut names = Vec::new();
    let (mut depth, mut is_first) = (0, true);
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => is_first = true,
            _ if is_first && is_word(letter) => {
                names.push(&group[at..at + word(&group[at..])]);
                is_first = false;
            }
            _ => {}
        }
    }
    names
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}
