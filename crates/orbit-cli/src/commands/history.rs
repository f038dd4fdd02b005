//! `orbit graph history`, and the parts of other commands that ask the history.

use crate::args::SearchArgs;
use crate::failure::Failure;
use crate::history_args::{HistoryArgs, SyncHistoryArgs};
use crate::render;
use orbit_graph::{Graph, GraphError, Match, MatchKind, SearchResult, Selector, Show};
use orbit_history::{
    Blame, History, HistoryError, HistoryOptions, HistoryReport, Subject, SymbolHistory, TaskSymbol,
};
use std::path::Path;

pub(super) fn run(dir: &Path, json: bool, args: &HistoryArgs) -> Result<(), Failure> {
    let pattern = args.task_id_pattern.as_deref();
    let answer = answer(dir, &args.selector, args.limit, args.refresh, pattern)?;
    if json { render::json(&answer) } else { render::history::history(&answer) }
}

/// The history of what a text names.
pub(crate) fn answer(
    dir: &Path,
    selector: &str,
    limit: usize,
    refresh: bool,
    pattern: Option<&str>,
) -> Result<SymbolHistory, Failure> {
    if refresh {
        let args = SyncHistoryArgs { history: true, task_id_pattern: pattern.map(str::to_owned) };
        sync(dir, &args)?;
    }
    let subject = subject(dir, selector)?;
    match History::open(dir, pattern) {
        Ok(history) => Ok(history.history(&subject, limit)?),
        Err(HistoryError::Missing(_)) => Ok(orbit_history::git_log_fallback(dir, &subject, pattern, limit)?),
        Err(error) => Err(error.into()),
    }
}

/// What a text names: a file, a symbol of the index, or one that only the history knows.
pub(crate) fn subject(dir: &Path, text: &str) -> Result<Subject, Failure> {
    let selector = super::selector(text)?;
    let graph = super::open_for_query(dir, false)?;
    let found = match graph.show(&selector, 0) {
        Ok(shown) => Selector::parse(&shown.selector).ok().as_ref().and_then(Subject::of),
        // A file that the index leaves out, or a symbol that is gone, may have a history all the same.
        Err(error @ GraphError::NotFound { .. }) => {
            let subject = match &selector {
                Selector::Loose(path) if graph.location()?.root.join(path).is_file() => {
                    Some(Subject::File(path.clone()))
                }
                selector => Subject::of(selector),
            };
            match subject {
                Some(subject) if is_known(dir, &subject) => return Ok(subject),
                _ => return Err(error.into()),
            }
        }
        Err(error) => return Err(error.into()),
    };
    let needed = GraphError::Selector(orbit_graph::SelectorError {
        input: text.to_owned(),
        reason: "history is kept for symbols and files",
    });
    Ok(found.ok_or(needed)?)
}

fn is_known(dir: &Path, subject: &Subject) -> bool {
    let known = History::open(dir, None).and_then(|history| history.history(subject, 1));
    known.is_ok_and(|answer| answer.total > 0)
}

/// Brings the history up to HEAD, with a progress bar.
pub(super) fn sync(dir: &Path, args: &SyncHistoryArgs) -> Result<HistoryReport, Failure> {
    let progress = render::progress::Bar::new();
    let options = HistoryOptions {
        task_id_pattern: args.task_id_pattern.as_deref(),
        progress: &progress,
        ..HistoryOptions::default()
    };
    let report = orbit_history::sync(dir, &options)?;
    progress.finish();
    Ok(report)
}

/// Who touched what is shown last: the symbol, or each symbol of the file.
pub(super) fn blame(dir: &Path, shown: &Show) -> Result<Vec<Blame>, Failure> {
    let history = History::open(dir, None)?;
    let mut blame = history.blame(&shown.metadata.file)?;
    if shown.metadata.kind != "file" {
        blame.retain(|row| row.selector == shown.selector);
    }
    Ok(blame)
}

/// `orbit graph search --task`: the symbols of a task, narrowed by whatever else was asked for.
pub(super) fn search(
    dir: &Path,
    json: bool,
    graph: &Graph,
    task: &str,
    args: &SearchArgs,
) -> Result<(), Failure> {
    let history = History::open(dir, None)?;
    let touched = history.task(task)?;
    let words: Vec<String> = args.query.join(" ").split_whitespace().map(str::to_lowercase).collect();
    let glob = args.path.as_deref().map(path_glob).transpose()?;
    let mut matches = Vec::new();
    let mut total = 0;
    for symbol in &touched.symbols {
        let text = symbol.selector.to_lowercase();
        let fits = words.iter().all(|word| text.contains(word))
            && args.symbol_kind.is_none_or(|kind| kind.as_str() == symbol.kind)
            && glob.as_ref().is_none_or(|glob| glob.is_match(&symbol.path))
            && args.lang.is_none_or(|lang| orbit_graph::Lang::of_path(&symbol.path) == Some(lang));
        if !fits {
            continue;
        }
        total += 1;
        if matches.len() < args.limit {
            matches.push(to_match(graph, symbol));
        }
    }
    let truncated = matches.len() < total;
    let did_you_mean = touched.did_you_mean.clone();
    let result = SearchResult { matches, total: Some(total), truncated, did_you_mean, stale: Vec::new() };
    if json {
        return render::json(&render::history::TaskSearch { search: result, task: touched });
    }
    render::answers::search(&result)?;
    render::history::task(&touched)
}

fn path_glob(pattern: &str) -> Result<globset::GlobMatcher, GraphError> {
    let bad = |_| {
        GraphError::Selector(orbit_graph::SelectorError {
            input: pattern.to_owned(),
            reason: "not a valid glob",
        })
    };
    Ok(globset::Glob::new(pattern).map_err(bad)?.compile_matcher())
}

/// A touched symbol as search shows it; what is gone keeps its last address.
fn to_match(graph: &Graph, symbol: &TaskSymbol) -> Match {
    let shown = Selector::parse(&symbol.selector).ok().and_then(|selector| graph.show(&selector, 0).ok());
    let about = shown.map(|shown| shown.metadata);
    let last = symbol.name.rsplit([':', '.', '/']).next().unwrap_or(&symbol.name);
    Match {
        kind: MatchKind::Symbol,
        symbol_kind: orbit_graph::SymbolKind::parse(symbol.kind).map(orbit_graph::SymbolKind::as_str),
        name: about.as_ref().and_then(|about| about.name.clone()).or_else(|| Some(last.to_owned())),
        qualified: about.as_ref().and_then(|about| about.qualified.clone()),
        signature: about.as_ref().and_then(|about| about.signature.clone()),
        value: None,
        selector: symbol.selector.clone(),
        path: symbol.path.clone(),
        line: about.map_or(0, |about| about.line),
        score: symbol.commits as f64,
    }
}
