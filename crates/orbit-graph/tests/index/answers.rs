//! What queries say, as text without scores and row numbers.

use orbit_graph::{Graph, MatchKind, OverviewFormat, SearchQuery};
use std::fmt::Write as _;

/// Words that occur in every language of the fixture.
const PROBES: [&str; 8] = ["helper", "Engine", "store", "load", "make", "level", "run", "some text"];

/// More than any probe finds.
const ALL: usize = 1000;

/// The overview of everything and the hits of every probe, best first.
pub(crate) fn answers(graph: &Graph) -> String {
    let overview = graph.overview(None, OverviewFormat::Full).expect("an index");
    let mut out = serde_json::to_string_pretty(&overview).expect("plain values");
    for text in PROBES {
        for kind in [MatchKind::Symbol, MatchKind::String, MatchKind::Config] {
            let hits = search(graph, text, kind);

            let _ = write!(out, "\n{text} {kind:?}\n{}", hits.join("\n"));
        }
    }
    out
}

/// The hits of one search, best first.
pub(crate) fn search(graph: &Graph, text: &str, kind: MatchKind) -> Vec<String> {
    let query = SearchQuery {
        text: text.to_owned(),
        kind: Some(kind),
        symbol_kind: None,
        lang: None,
        path: None,
        limit: ALL,
    };
    let found = graph.search(&query).expect("an index");
    let row = |hit: &orbit_graph::Match| {
        let what = hit.value.as_ref().unwrap_or(&hit.selector);
        format!("{}:{} {what}", hit.path, hit.line)
    };
    found.matches.iter().map(row).collect()
}
