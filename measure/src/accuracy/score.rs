//! The index against the truth.

use super::predictions::{Edge, Level, Predictions};
use super::stand_ins::{Imports, StandIn};
use super::truth::{Definition, RefKey, Scope, Site, Truth};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

/// A share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Share {
    pub(super) hits: usize,
    pub(super) total: usize,
}

impl Share {
    fn add(&mut self, hit: bool) {
        self.hits += usize::from(hit);
        self.total += 1;
    }
}

/// Examples of one way to be wrong or to miss, and how many there are.
#[derive(Clone, Debug, Default)]
pub(super) struct Class {
    pub(super) count: usize,
    pub(super) examples: Vec<String>,
}

/// How many examples a class keeps.
const EXAMPLES: usize = 3;

impl Class {
    fn add(&mut self, example: impl FnOnce() -> String) {
        self.count += 1;
        // The examples of a class are spread over it without keeping them all.
        if self.examples.len() < EXAMPLES {
            self.examples.push(example());
        } else if self.count.is_power_of_two() {
            let at = self.count.trailing_zeros() as usize % EXAMPLES;
            self.examples[at] = example();
        }
    }
}

/// What came out for one repository.
#[derive(Debug)]
pub(super) struct Scored {
    pub(super) repo: String,
    pub(super) language: String,
    pub(super) tool: String,
    pub(super) symbols: Share,
    /// Found at a visible level: functions and types; of them calls, types, imports.
    pub(super) core: Share,
    pub(super) calls: Share,
    pub(super) types: Share,
    pub(super) imports: Share,
    /// The same as `core`, each place counted once: a name that stands for several declarations is found with one.
    pub(super) places: Share,
    pub(super) precision: BTreeMap<Level, Share>,
    /// Wrong edges whose target the truth names by what stands for it.
    pub(super) stand_ins: BTreeMap<StandIn, usize>,
    pub(super) misses: BTreeMap<String, Class>,
    pub(super) errors: BTreeMap<String, Class>,
}

impl Scored {
    /// Precision of the levels that answers show by themselves.
    pub(super) fn visible(&self) -> Share {
        let shares = Level::VISIBLE.iter().filter_map(|level| self.precision.get(level));
        shares.fold(Share::default(), |sum, share| Share {
            hits: sum.hits + share.hits,
            total: sum.total + share.total,
        })
    }

    /// The same, with what leads through a stand-in as right.
    pub(super) fn through(&self) -> Share {
        let visible = self.visible();
        Share { hits: visible.hits + self.stand_ins.values().sum::<usize>(), total: visible.total }
    }
}

/// Scores one repository; `root` holds its files.
pub(super) fn score(repo: &str, truth: &Truth, found: &Predictions, root: &Path) -> Scored {
    let mut scored = Scored {
        repo: repo.to_owned(),
        language: truth.language.clone(),
        tool: truth.tool.clone(),
        symbols: symbols(truth, found),
        core: Share::default(),
        calls: Share::default(),
        types: Share::default(),
        imports: Share::default(),
        places: Share::default(),
        precision: BTreeMap::new(),
        stand_ins: BTreeMap::new(),
        misses: BTreeMap::new(),
        errors: BTreeMap::new(),
    };
    let right = judge_edges(&mut scored, truth, found);
    scored.places = places(truth, &right);
    recall(&mut scored, truth, found, &right, root);
    scored
}

fn is_core(definition: &Definition) -> bool {
    matches!(definition.class.as_str(), "func" | "type") && !definition.is_generated
}

fn symbols(truth: &Truth, found: &Predictions) -> Share {
    let mut lines: HashMap<(&str, &str), Vec<u32>> = HashMap::new();
    for symbol in &found.symbols {
        lines.entry((&symbol.file, &symbol.name)).or_default().push(symbol.line);
    }
    let mut share = Share::default();
    for definitions in truth.definitions.values().filter(|all| is_core(&all[0])) {
        share.add(definitions.iter().any(|definition| {
            let accepted = definition.first_line.saturating_sub(1)..=definition.line + 1;
            let at = lines.get(&(definition.file.as_str(), definition.name.as_str()));
            at.into_iter().flatten().any(|line| accepted.contains(line))
        }));
    }
    share
}

/// Judges each distinct edge of a visible level that the truth knows something about. Returns the references
/// that were found.
fn judge_edges(scored: &mut Scored, truth: &Truth, found: &Predictions) -> HashSet<RefKey> {
    let mut right_refs = HashSet::new();
    let mut seen = HashSet::new();
    let imports = Imports::of(found);
    for edge in &found.edges {
        let Some((file, line)) = edge.target() else { continue };
        let known = known_sites(truth, edge);
        if known.is_empty() || !truth.files.contains(&edge.file) {
            continue;
        }
        let mut is_right = false;
        for site in &known {
            match &site.scope {
                Scope::Inside if site.ids.iter().any(|id| truth.is_target(*id, file, line)) => {
                    is_right = true;
                    right_refs.insert((edge.file.clone(), edge.line, site.name.clone(), site.ids[0]));
                }
                Scope::Local(local, lines) => {
                    is_right |= local == file && lines.iter().any(|at| at.abs_diff(line) <= 1);
                }
                _ => {}
            }
        }
        let distinct = (&edge.file, edge.line, edge.column, &edge.name, file, line, edge.confidence);
        if !seen.insert(distinct) {
            continue;
        }
        scored.precision.entry(edge.confidence).or_default().add(is_right);
        if !is_right {
            if let Some(stand_in) = imports.stand_in(truth, edge, &known) {
                *scored.stand_ins.entry(stand_in).or_default() += 1;
            }
            let is_inside = known.iter().any(|site| site.scope == Scope::Inside);
            let is_local = known.iter().all(|site| !matches!(site.scope, Scope::Inside | Scope::Outside));
            let what = match (is_inside, is_local) {
                (true, _) => "another symbol",
                (_, true) => "a local",
                _ => "something outside",
            };
            let class = format!("{}: it is {what}", edge.confidence.name());
            scored
                .errors
                .entry(class)
                .or_default()
                .add(|| format!("{}:{} {} -> {file}:{line}", edge.file, edge.line, edge.name));
        }
    }
    right_refs
}

/// The places of references to be found, and at how many of them one was.
fn places(truth: &Truth, right: &HashSet<RefKey>) -> Share {
    let mut found: BTreeMap<(&str, u32, u32, &str), bool> = BTreeMap::new();
    let sites = truth.sites.iter().flat_map(|(place, sites)| sites.iter().map(move |site| (place, site)));
    sites.filter(|(_, site)| site.scope == Scope::Inside).for_each(|((file, line), site)| {
        let Some(id) = site.ids.first() else { return };
        if truth.definitions.get(id).is_some_and(|all| is_core(&all[0])) {
            let key = (file.clone(), *line, site.name.clone(), *id);
            *found.entry((file, *line, site.column, &site.name)).or_default() |= right.contains(&key);
        }
    });
    Share { hits: found.values().filter(|hit| **hit).count(), total: found.len() }
}

/// What the truth knows at an edge's place.
fn known_sites<'t>(truth: &'t Truth, edge: &Edge) -> Vec<&'t Site> {
    let here = truth.sites.get(&(edge.file.clone(), edge.line));
    let named = here
        .into_iter()
        .flatten()
        .filter(|site| site.name == edge.name || truth.names(&site.ids).contains(edge.name.as_str()));
    let named: Vec<&Site> = named.collect();
    let at_column: Vec<&Site> = named.iter().copied().filter(|site| site.column == edge.column).collect();
    let candidates = if at_column.is_empty() { named } else { at_column };
    candidates.into_iter().filter(|site| site.scope != Scope::Unknown).collect()
}

fn recall(scored: &mut Scored, truth: &Truth, found: &Predictions, right: &HashSet<RefKey>, root: &Path) {
    let mut rows: HashMap<(&str, u32, &str), bool> = HashMap::new();
    for edge in &found.edges {
        *rows.entry((&edge.file, edge.line, &edge.name)).or_default() |= edge.target().is_some();
    }
    let mut texts: HashMap<String, Vec<String>> = HashMap::new();
    for (key, (ids, roles)) in &truth.refs {
        let Some(definition) = truth.definitions.get(&key.3).map(|all| &all[0]) else { continue };
        if !is_core(definition) {
            continue;
        }
        let hit = right.contains(key);
        scored.core.add(hit);
        for (role, share) in
            [("call", &mut scored.calls), ("type", &mut scored.types), ("import", &mut scored.imports)]
        {
            if roles.contains(role) {
                share.add(hit);
            }
        }
        if hit {
            continue;
        }
        let names = truth.names(ids);
        let row = std::iter::once(key.2.as_str())
            .chain(names)
            .filter_map(|name| rows.get(&(key.0.as_str(), key.1, name)))
            .max();
        let state = match row {
            None => "no reference",
            Some(false) => "unresolved",
            Some(true) => "another target",
        };
        let shape = shape(truth, key, root, &mut texts);
        let role = roles.iter().next().map_or("other", String::as_str);
        let class = format!("{role} of a {} {shape}: {state}", definition.kind);
        scored
            .misses
            .entry(class)
            .or_default()
            .add(|| format!("{}:{} {} -> {}:{}", key.0, key.1, key.2, definition.file, definition.line));
    }
}

/// What stands before the name: a receiver, a path, or nothing.
fn shape(truth: &Truth, key: &RefKey, root: &Path, texts: &mut HashMap<String, Vec<String>>) -> &'static str {
    let lines = texts.entry(key.0.clone()).or_insert_with(|| {
        let text = std::fs::read(root.join(&key.0)).unwrap_or_default();
        String::from_utf8_lossy(&text).lines().map(str::to_owned).collect()
    });
    let sites = truth.sites.get(&(key.0.clone(), key.1));
    let site =
        sites.into_iter().flatten().find(|site| site.name == key.2 && site.ids.first() == Some(&key.3));
    let line = lines.get(key.1 as usize - 1).map_or("", String::as_str);
    let before = site.and_then(|site| line.get(..site.column as usize - 1)).unwrap_or("").trim_end();
    match before {
        _ if before.ends_with("::") || before.ends_with("->") => "behind a path",
        _ if before.ends_with('.') => "on a receiver",
        _ => "by its plain name",
    }
}

#[cfg(test)]
mod tests;
