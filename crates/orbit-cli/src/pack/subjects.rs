//! What a selector names, with its source and with what stands for it when there is no room.

use super::tokens::tokens;
use super::{Entry, Level};
use crate::failure::Failure;
use orbit_graph::{Graph, GraphError, OverviewFormat, Selector, Show, ShowOptions, SymbolSummary};
use std::fmt::Write as _;

/// Members of a class or file that a summary lists.
const MOST_MEMBERS: usize = 40;

/// A resolved selector.
pub(super) struct Subject {
    pub(super) selector: String,
    pub(super) kind: String,
    /// The whole text; `None` when it is cut, gone, or a directory.
    pub(super) source: Option<String>,
    /// What stands for it when there is no room for the source.
    pub(super) signature: String,
    pub(super) is_symbol: bool,
}

impl Subject {
    pub(super) fn entry(&self, level: Level, text: &str) -> Entry {
        let (selector, kind) = (self.selector.clone(), self.kind.clone());
        Entry { selector, kind, level, tokens: tokens(text), text: text.to_owned() }
    }
}

/// The subject of a text as typed, or the reason why there is none.
pub(super) fn resolve(
    graph: &Graph,
    text: &str,
    max_tokens: usize,
) -> Result<Result<Subject, String>, Failure> {
    let selector = match Selector::parse(text) {
        Ok(selector) => selector,
        Err(error) => return Ok(Err(error.reason.to_owned())),
    };
    let found = match &selector {
        Selector::Dir(_) => directory(graph, &selector),
        // No text of more bytes than this fits; the cut one is not used.
        _ => graph
            .show(&selector, &ShowOptions::up_to(max_tokens.saturating_mul(16)))
            .and_then(|shown| symbol_or_file(graph, shown)),
    };
    match found {
        Ok(subject) => Ok(Ok(subject)),
        Err(error @ GraphError::NotFound { .. }) => Ok(Err(reason(&error))),
        Err(error @ GraphError::Ambiguous { .. }) => Ok(Err(reason(&error))),
        Err(GraphError::Selector(error)) => Ok(Err(error.reason.to_owned())),
        Err(error) => Err(error.into()),
    }
}

fn reason(error: &GraphError) -> String {
    let candidates = error.candidates().iter().take(5).cloned().collect::<Vec<_>>().join(", ");
    let more = if candidates.is_empty() { String::new() } else { format!("; {candidates}") };
    format!("{}: {error}{more}", error.code())
}

fn symbol_or_file(graph: &Graph, shown: Show) -> Result<Subject, GraphError> {
    let about = shown.metadata;
    let is_symbol = about.kind != "file";
    let place = format!("{}:{}-{}", about.file, about.line, about.end_line);
    let mut signature = match &about.signature {
        Some(signature) => format!("{place} {signature}"),
        None => format!("{place} {} {}", about.kind, about.qualified.as_deref().unwrap_or("")),
    };
    let scope = Selector::File(about.file.clone());
    let overview = graph.overview(Some(&scope), OverviewFormat::Full)?;
    let symbols = overview.files.iter().flat_map(|file| file.symbols.iter().flatten());
    let prefix = about.qualified.as_deref().filter(|_| is_symbol);
    signature.push_str(&members(symbols, prefix));
    let source = shown.source.filter(|_| !about.truncated);
    Ok(Subject { selector: shown.selector, kind: about.kind, source, signature, is_symbol })
}

/// One line per member: those of a symbol, or all of a file.
fn members<'s>(symbols: impl Iterator<Item = &'s SymbolSummary>, of: Option<&str>) -> String {
    let is_member = |symbol: &&SymbolSummary| match of {
        Some(name) => {
            symbol.qualified.strip_prefix(name).is_some_and(|rest| rest.starts_with([':', '.', '/']))
        }
        None => true,
    };
    let members = symbols.filter(is_member).take(MOST_MEMBERS);
    members.fold(String::new(), |mut text, symbol| {
        let _ = write!(text, "\n{} {} {}", symbol.line, symbol.kind, symbol.name);
        text
    })
}

fn directory(graph: &Graph, selector: &Selector) -> Result<Subject, GraphError> {
    let overview = graph.overview(Some(selector), OverviewFormat::Summary)?;
    let mut signature = format!("{} files, {} symbols", overview.total_files, overview.total_symbols);
    for file in &overview.files {
        let _ = write!(signature, "\n{} {}", file.symbol_count, file.path);
    }
    Ok(Subject {
        selector: selector.to_string(),
        kind: "dir".into(),
        source: None,
        signature,
        is_symbol: false,
    })
}
