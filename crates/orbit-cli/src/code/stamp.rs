//! What an area looks like now.

use super::files::Files;
use super::{branches, cited, git};
use orbit_extract::{PRINTS_VERSION, Print, Prints, SymbolKind};
use orbit_graph::{Graph, GraphError, Selector, ShowOptions, SymbolSelector, SyncPolicy};
use orbit_history::History;
use orbit_knowledge::{Area, FileMark, Globs, Stamp, StampError, SymbolMark};
use std::collections::BTreeMap;
use std::path::Path;

/// Stamps an area.
pub(super) fn stamp(root: &Path, files: &Files, area: &Area) -> Result<Stamp, StampError> {
    let unknown = || StampError::Unknown("this is not a git worktree".into());
    let listed = git::files(root).ok_or_else(unknown)?;
    let globs = Globs::new(&area.paths);
    let mut marks: BTreeMap<String, FileMark> = BTreeMap::new();
    for path in listed.iter().filter(|path| globs.matches(path)) {
        marks.extend(whole(files, path).map(|mark| (path.clone(), mark)));
    }
    let mut anchors = Vec::new();
    if !area.anchors.is_empty() {
        let graph = graph(root).map_err(|error| StampError::Unknown(error.to_string()))?;
        for anchor in &area.anchors {
            let canonical = anchored(files, &graph, anchor, &mut marks).map_err(StampError::Anchor)?;
            if !anchors.contains(&canonical) {
                anchors.push(canonical);
            }
        }
    }
    let mut cited = cited::places(root, files, area);
    let mut files: Vec<FileMark> = marks.into_values().collect();
    if let Ok(history) = History::open(root, None) {
        for file in &mut files {
            put_ids(&history, &file.path, &mut file.symbols);
        }
        for place in &mut cited {
            put_ids(&history, &place.path, place.symbol.as_mut_slice());
        }
    }
    let uncommitted = git::uncommitted(root);
    let is_dirty = files.iter().any(|file| uncommitted.contains(&file.path));
    let (commit, branch) = (git::head(root), branches::branch(root));
    Ok(Stamp {
        commit,
        branch,
        is_dirty,
        prints_version: PRINTS_VERSION,
        files,
        anchors,
        cited,
        ..Stamp::default()
    })
}

/// The graph as it is on disk: an anchor may have been written a moment ago.
fn graph(root: &Path) -> Result<Graph, GraphError> {
    let graph = Graph::open(root, SyncPolicy::OnRead)?;
    Ok(graph)
}

/// The mark of a file with all of its symbols.
pub(super) fn whole(files: &Files, path: &str) -> Option<FileMark> {
    let seen = files.get(path)?;
    let prints = files.prints(path);
    let symbols = prints.iter().flat_map(|prints| &prints.symbols).map(symbol_mark).collect();
    Some(FileMark {
        path: path.to_owned(),
        content: seen.content.clone(),
        own: Some(prints.map_or(0, |prints| prints.file)),
        symbols,
    })
}

pub(super) fn symbol_mark(print: &Print) -> SymbolMark {
    SymbolMark {
        local: print.local.clone(),
        kind: print.kind.as_str().to_owned(),
        stable_id: None,
        signature: print.signature,
        body: print.body,
    }
}

/// Adds what a selector names, with everything inside of it. Gives the canonical selector.
fn anchored(
    files: &Files,
    graph: &Graph,
    anchor: &str,
    marks: &mut BTreeMap<String, FileMark>,
) -> Result<String, String> {
    let selector = Selector::parse(anchor).map_err(|error| GraphError::from(error).to_string())?;
    let shown = graph.show(&selector, &ShowOptions::METADATA).map_err(|error| {
        let candidates = error.candidates().join(", ");
        let more = if candidates.is_empty() { String::new() } else { format!("; candidates: {candidates}") };
        format!("anchor `{anchor}`: {error}{more}")
    })?;
    let path = shown.metadata.file.clone();
    let gone = || format!("anchor `{anchor}`: {path} cannot be read");
    match Selector::parse(&shown.selector) {
        Ok(Selector::Symbol(symbol)) => {
            let prints = files.prints(&path).ok_or_else(gone)?;
            let inside = inside(&prints, &symbol);
            if inside.is_empty() {
                return Err(format!(
                    "anchor `{anchor}`: what stands inside of a function cannot be told apart; name the function"
                ));
            }
            let seen = files.get(&path).ok_or_else(gone)?;
            let mark = marks.entry(path.clone()).or_insert_with(|| FileMark {
                path: path.clone(),
                content: seen.content.clone(),
                own: None,
                symbols: Vec::new(),
            });
            for print in inside {
                let new = symbol_mark(print);
                if !mark.symbols.iter().any(|known| known.local == new.local && known.kind == new.kind) {
                    mark.symbols.push(new);
                }
            }
        }
        Ok(Selector::File(_)) => {
            marks.insert(path.clone(), whole(files, &path).ok_or_else(gone)?);
        }
        _ => return Err(format!("anchor `{anchor}` must be a symbol or a file")),
    }
    Ok(shown.selector)
}

/// A symbol and all that stands within its span.
fn inside<'p>(prints: &'p Prints, symbol: &SymbolSelector) -> Vec<&'p Print> {
    let is_it = |it: &&Print| it.local == symbol.name && symbol.kind.is_none_or(|kind| it.kind == kind);
    let found = prints.symbols.iter().find(is_it);
    let Some(found) = found else { return Vec::new() };
    let span = found.span;
    prints.symbols.iter().filter(|it| it.span.start >= span.start && it.span.end <= span.end).collect()
}

/// Adds the stable ids that the history knows.
fn put_ids(history: &History, path: &str, symbols: &mut [SymbolMark]) {
    let Ok(ids) = history.ids_of_file(path) else { return };
    for symbol in symbols {
        let kind = SymbolKind::parse(&symbol.kind);
        symbol.stable_id = kind.and_then(|kind| ids.get(&(symbol.local.clone(), kind)).cloned());
    }
}
