//! `orbit graph search --task`: the symbols of a task, narrowed by whatever else was asked for.

use super::search::Search;
use crate::failure::Failure;
use orbit_graph::{
    Graph, GraphError, Lang, Match, MatchKind, SearchResult, Selector, SelectorError, ShowOptions, SymbolKind,
};
use orbit_history::{History, TaskSymbol, TaskSymbols};
use std::path::Path;

pub(super) fn of(
    dir: &Path,
    graph: &Graph,
    task: &str,
    search: &Search,
) -> Result<(SearchResult, TaskSymbols), Failure> {
    let touched = History::open(dir, None)?.task(task)?;
    let words: Vec<String> = search.words().split_whitespace().map(str::to_lowercase).collect();
    let glob = search.path.as_deref().map(path_glob).transpose()?;
    let mut matches = Vec::new();
    let mut total = 0;
    for symbol in &touched.symbols {
        let text = symbol.selector.to_lowercase();
        let fits = words.iter().all(|word| text.contains(word))
            && search.symbol_kind.is_none_or(|kind| kind.as_str() == symbol.kind)
            && glob.as_ref().is_none_or(|glob| glob.is_match(&symbol.path))
            && search.lang.is_none_or(|lang| Lang::of_path(&symbol.path) == Some(lang));
        if !fits {
            continue;
        }
        total += 1;
        if matches.len() < search.limit {
            matches.push(to_match(graph, symbol));
        }
    }
    let truncated = matches.len() < total;
    let did_you_mean = touched.did_you_mean.clone();
    let result = SearchResult { matches, total, truncated, did_you_mean, stale: Vec::new() };
    Ok((result, touched))
}

fn path_glob(pattern: &str) -> Result<globset::GlobMatcher, GraphError> {
    let bad =
        |_| GraphError::Selector(SelectorError { input: pattern.to_owned(), reason: "not a valid glob" });
    Ok(globset::Glob::new(pattern).map_err(bad)?.compile_matcher())
}

/// A touched symbol as search shows it; what is gone keeps its last address.
fn to_match(graph: &Graph, symbol: &TaskSymbol) -> Match {
    let shown = Selector::parse(&symbol.selector)
        .ok()
        .and_then(|selector| graph.show(&selector, &ShowOptions::METADATA).ok());
    let about = shown.map(|shown| shown.metadata);
    let last = symbol.name.rsplit([':', '.', '/']).next().unwrap_or(&symbol.name);
    Match {
        kind: MatchKind::Symbol,
        symbol_kind: SymbolKind::parse(symbol.kind).map(SymbolKind::as_str),
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
