//! `orbit graph search`: symbols, strings and config keys by words or by name.

use super::compact::finish;
use super::{Context, Family, Question, task_symbols};
use crate::failure::Failure;
use crate::render::rows::Rows;
use crate::render::text::{printable, some, stale, staleness};
use clap::{Args, ValueEnum};
use orbit_graph::{Lang, MatchKind, SearchQuery, SearchResult, SymbolKind};
use orbit_history::TaskSymbols;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Search {
    /// Words or a name; every word is a prefix. Several words need no quotes
    #[arg(required_unless_present = "task", value_name = "QUERY")]
    query: Vec<String>,
    /// Only symbols that commits of this task touched
    #[arg(long, value_name = "ID")]
    task: Option<String>,
    /// Only this kind of thing
    #[arg(long, value_enum)]
    kind: Option<Kind>,
    /// Only this kind: function, method, class, …
    #[arg(long, value_name = "KIND", value_parser = symbol_kind)]
    pub(super) symbol_kind: Option<SymbolKind>,
    /// Only this language: rust, python, …
    #[arg(long, value_name = "LANG", value_parser = lang)]
    pub(super) lang: Option<Lang>,
    /// Only paths that match this glob
    #[arg(long, value_name = "GLOB")]
    pub(super) path: Option<String>,
    /// At most this many
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(super) limit: usize,
    /// Sync first
    #[arg(long)]
    sync: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    Symbol,
    String,
    Config,
}

/// What was found.
#[derive(Serialize)]
pub(crate) struct Found {
    #[serde(flatten)]
    search: SearchResult,
    /// What the task touched, when one was named.
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<TaskSymbols>,
}

impl Search {
    /// What to look for.
    pub(super) fn words(&self) -> String {
        self.query.join(" ")
    }
}

impl Question for Search {
    const FAMILY: Family = Family::Graph;
    const NAME: &'static str = "search";
    const ABOUT: &'static str = "Find symbols, strings and config keys by words or by name";
    const EXAMPLES: &'static [&'static str] = &[
        "graph search due scheduler",
        "graph search runDue --symbol-kind function",
        "graph search server.port --kind config",
        "graph search Client --lang python --path 'src/**'",
    ];
    const TOOL: Option<&'static str> = Some(
        "Find symbols, strings, config keys by words or name (camelCase and snake_case are split, prefixes match).",
    );
    const IS_GROUPED: bool = true;

    type Answer = Found;

    fn run(&self, context: &Context<'_>) -> Result<Found, Failure> {
        let graph = context.graph(self.sync)?;
        if let Some(task) = &self.task {
            let (search, task) = task_symbols::of(context.dir, graph, task, self)?;
            return Ok(Found { search, task: Some(task) });
        }
        let kind = self.kind.map(|kind| match kind {
            Kind::Symbol => MatchKind::Symbol,
            Kind::String => MatchKind::String,
            Kind::Config => MatchKind::Config,
        });
        let search = graph.search(&SearchQuery {
            text: self.words(),
            kind,
            symbol_kind: self.symbol_kind,
            lang: self.lang,
            path: self.path.clone(),
            limit: self.limit,
        })?;
        Ok(Found { search, task: None })
    }

    fn text(&self, answer: &Found, out: &mut dyn Write) -> Result<(), Failure> {
        let result = &answer.search;
        let mut rows = Rows::default();
        for hit in &result.matches {
            let value = hit.value.as_deref().unwrap_or("");
            let (kind, what) = match hit.kind {
                MatchKind::Symbol => (hit.symbol_kind.unwrap_or(""), printable(&hit.selector)),
                MatchKind::String => ("string", format!("{value:?}")),
                MatchKind::Config => ("config", printable(value)),
            };
            rows.push(&hit.path, hit.line, kind, &what);
        }
        rows.print(out)?;
        if !result.did_you_mean.is_empty() {
            writeln!(out, "did you mean: {}", result.did_you_mean.join(", "))?;
        } else if result.matches.is_empty() {
            writeln!(out, "nothing found")?;
        }
        if result.truncated {
            writeln!(out, "({} of {}; raise --limit)", result.matches.len(), result.total)?;
        }
        stale(out, &result.stale)?;
        let Some(task) = &answer.task else { return Ok(()) };
        writeln!(
            out,
            "{}: {}, {}, {}",
            task.task_id,
            some(task.commits, "commit"),
            some(task.symbols.len(), "symbol"),
            some(task.files.len(), "file")
        )?;
        staleness(out, task.staleness.as_ref())
    }

    /// Rows without what their selector says already.
    fn compact(&self, answer: &Found) -> Value {
        let result = &answer.search;
        let rows = result.matches.iter().map(|row| match row.value {
            Some(_) => json!({"kind": row.kind, "value": row.value, "path": row.path, "line": row.line}),
            None => json!({"selector": row.selector, "line": row.line, "signature": row.signature}),
        });
        let mut out = Map::new();
        out.insert("matches".into(), rows.collect());
        if !result.did_you_mean.is_empty() {
            out.insert("did_you_mean".into(), json!(result.did_you_mean));
        }
        if let Some(task) = &answer.task {
            out.insert("commits".into(), json!(task.commits));
            out.insert("files".into(), json!(task.files));
            out.insert("staleness".into(), json!(task.staleness));
        }
        finish(out, result.truncated.then_some(result.total), &result.stale)
    }

    fn schema(argument: &str) -> Option<Value> {
        (argument == "query").then(|| json!({"type": "string"}))
    }
}

pub(super) fn symbol_kind(text: &str) -> Result<SymbolKind, String> {
    let kinds = SymbolKind::ALL.map(SymbolKind::as_str).join(", ");
    SymbolKind::parse(text).ok_or_else(|| format!("kinds are {kinds}"))
}

fn lang(text: &str) -> Result<Lang, String> {
    let langs = Lang::ALL.map(Lang::as_str).join(", ");
    Lang::parse(text).ok_or_else(|| format!("languages are {langs}"))
}
