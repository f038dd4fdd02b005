//! Where a question about a diff, symbols or a task leads: files, symbols, and what is a few calls away.

use super::git;
use orbit_graph::{
    Confidence, Direction, Graph, GraphError, Impact, ImpactOptions, Selector, ShowOptions, SyncPolicy,
};
use orbit_history::History;
use orbit_knowledge::{Places, Question};
use std::collections::BTreeMap;
use std::path::Path;

/// Calls that are followed.
const DEPTH: usize = 2;
/// Files a few calls away that are looked at.
const NEAR: usize = 200;

/// Finds out where a question leads.
pub(super) fn places(root: &Path, question: &Question) -> Result<Places, String> {
    match question {
        Question::Diff(range) => of_diff(root, range),
        Question::Selectors(selectors) => of_selectors(root, selectors),
        Question::Task(task) => Ok(of_task(root, task)),
    }
}

fn graph(root: &Path) -> Result<Graph, String> {
    Graph::open(root, SyncPolicy::OnRead).map_err(|error| error.to_string())
}

fn options() -> ImpactOptions {
    ImpactOptions {
        depth: DEPTH,
        direction: Direction::Both,
        confidence: Confidence::SameModule,
        limit: NEAR,
    }
}

fn of_diff(root: &Path, range: &str) -> Result<Places, String> {
    let paths =
        git::files_of_diff(root, range).ok_or_else(|| format!("git does not know the range `{range}`"))?;
    let mut places = Places { paths, ..Places::default() };
    if let Ok(impact) = graph(root)?.impact_of_diff(range, &options()) {
        add_near(&mut places, &impact);
    }
    Ok(places)
}

fn of_selectors(root: &Path, texts: &[String]) -> Result<Places, String> {
    let graph = graph(root)?;
    let mut places = Places::default();
    let mut symbols = Vec::new();
    for text in texts {
        let selector = Selector::parse(text).map_err(|error| GraphError::from(error).to_string())?;
        let shown = graph.show(&selector, &ShowOptions::METADATA).map_err(|error| {
            let candidates = error.candidates().join(", ");
            if candidates.is_empty() {
                error.to_string()
            } else {
                format!("{error}; candidates: {candidates}")
            }
        })?;
        if !places.paths.contains(&shown.metadata.file) {
            places.paths.push(shown.metadata.file.clone());
        }
        if let Ok(selector @ Selector::Symbol { .. }) = Selector::parse(&shown.selector) {
            symbols.push(selector);
        }
        places.selectors.push(shown.selector);
    }
    if !symbols.is_empty()
        && let Ok(impact) = graph.impact(&symbols, &options())
    {
        add_near(&mut places, &impact);
    }
    Ok(places)
}

/// The files of what a change reaches, each with its least distance.
fn add_near(places: &mut Places, impact: &Impact) {
    let mut near: BTreeMap<String, u32> = BTreeMap::new();
    for touched in &impact.touched {
        let distance = near.entry(touched.file.clone()).or_insert(u32::MAX);
        *distance = (*distance).min(touched.distance as u32);
    }
    places.near.extend(near.into_iter().filter(|(path, _)| !places.paths.contains(path)));
}

/// The files that commits naming a task changed: from the history, and from git's log where the history is behind.
fn of_task(root: &Path, task: &str) -> Places {
    let mut places = Places::default();
    if let Ok(history) = History::open(root, None)
        && let Ok(found) = history.task(task)
    {
        places.paths = found.files;
        places.selectors = found.symbols.into_iter().map(|symbol| symbol.selector).collect();
    }
    // A trailer may have the first letters only; whoever wrote the whole id wrote those, too.
    let is_id = task.len() == 36 && task.chars().all(|letter| letter.is_ascii_hexdigit() || letter == '-');
    let (commits, files) = git::commits_that_name(root, if is_id { &task[..8] } else { task });
    places.commits = commits;
    places.paths.extend(files);
    places.paths.sort();
    places.paths.dedup();
    places
}
