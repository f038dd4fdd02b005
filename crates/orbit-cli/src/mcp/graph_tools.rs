//! The code family: arguments in, compact JSON out.

use super::budget::{self, DEFAULT_TOKENS};
use super::compact;
use orbit_graph::{
    Confidence, Direction, Graph, GraphError, ImpactOptions, Lang, MatchKind, OverviewFormat, RefOptions,
    SearchQuery, Selector, SymbolKind, SyncMode, SyncOptions,
};
use rmcp::model::JsonObject;
use serde::Serialize;
use serde_json::{Value, json};

/// Up to this many name matches are shown without being asked for.
const FEW_GUESSES: usize = 30;

/// Runs a tool. Both sides are texts for the agent; `Err` is one it can act on.
pub(super) fn call(graph: &Graph, tool: &str, arguments: JsonObject) -> Result<String, String> {
    let arguments = Arguments(arguments);
    let cap = arguments.number("max_tokens", DEFAULT_TOKENS);
    match run(graph, tool, &arguments) {
        Ok(answer) => Ok(budget::fit(answer, cap)),
        Err(error) => Err(budget::fit(describe(&error), cap)),
    }
}

fn describe(error: &GraphError) -> Value {
    let candidates = Some(error.candidates()).filter(|candidates| !candidates.is_empty());
    json!({"error": {
        "code": error.code(), "message": error.to_string(), "hint": error.hint(), "candidates": candidates,
    }})
}

fn run(graph: &Graph, tool: &str, arguments: &Arguments) -> Result<Value, GraphError> {
    let limit = |default| arguments.number("limit", default);
    Ok(match tool {
        "graph_sync" => sync(graph, arguments)?,
        "graph_search" => arguments.shaped(&graph.search(&search_query(arguments)?)?, compact::search),
        "graph_show" => to_json(&graph.show(&arguments.selector()?, arguments.number("max_bytes", 65_536))?),
        "graph_refs" => refs(graph, arguments)?,
        "graph_callees" => {
            let answer = graph.callees(&arguments.selector()?, arguments.confidence()?, limit(200))?;
            arguments.shaped(&answer, compact::callees)
        }
        "graph_impact" => impact(graph, arguments)?,
        "graph_trace" => {
            let command = arguments.required("selector")?;
            to_json(&graph.trace(command, arguments.number("depth", 5), arguments.confidence()?)?)
        }
        "graph_overview" => {
            let scope = arguments.text("selector").map(Selector::parse).transpose()?;
            let is_full = arguments.text("format") == Some("full");
            let format = if is_full { OverviewFormat::Full } else { OverviewFormat::Summary };
            arguments.shaped(&graph.overview(scope.as_ref(), format)?, compact::overview)
        }
        "graph_implementors" => {
            arguments.shaped(&graph.implementors(&arguments.selector()?, limit(200))?, compact::implementors)
        }
        _ => to_json(&graph.deps(&arguments.selector()?, limit(200))?),
    })
}

fn sync(graph: &Graph, arguments: &Arguments) -> Result<Value, GraphError> {
    let mode = if arguments.flag("full") { SyncMode::Full } else { SyncMode::Auto };
    Ok(to_json(&graph.sync(&SyncOptions { mode, ..SyncOptions::default() })?))
}

fn search_query(arguments: &Arguments) -> Result<SearchQuery, GraphError> {
    let kind = match arguments.text("kind") {
        None => None,
        Some("symbol") => Some(MatchKind::Symbol),
        Some("string") => Some(MatchKind::String),
        Some("config") => Some(MatchKind::Config),
        Some(other) => return Err(bad(other, "kind is symbol, string or config")),
    };
    let symbol_kind = match arguments.text("symbol_kind") {
        Some(text) => Some(SymbolKind::parse(text).ok_or_else(|| bad(text, "not a kind of symbol"))?),
        None => None,
    };
    let lang = match arguments.text("lang") {
        Some(text) => Some(Lang::parse(text).ok_or_else(|| bad(text, "not a language of the index"))?),
        None => None,
    };
    Ok(SearchQuery {
        text: arguments.required("query")?.to_owned(),
        kind,
        symbol_kind,
        lang,
        path: arguments.text("path").map(str::to_owned),
        limit: arguments.number("limit", 20),
    })
}

/// Name matches are shown with the facts, apart from them, when they are few: the agent then has every line.
fn refs(graph: &Graph, arguments: &Arguments) -> Result<Value, GraphError> {
    let detail = arguments.flag("detail");
    let selector = arguments.selector()?;
    let mut options = RefOptions {
        confidence: arguments.confidence()?,
        kind: arguments.text("kind").map(str::to_owned),
        limit: arguments.number("limit", 500),
        snippets: detail,
    };
    let answer = graph.refs(&selector, &options)?;
    if detail {
        return Ok(to_json(&answer));
    }
    let is_default = arguments.text("confidence").is_none();
    if is_default && (1..=FEW_GUESSES).contains(&answer.skipped_low_confidence) {
        options.confidence = Confidence::FuzzyName;
        return Ok(compact::refs(&graph.refs(&selector, &options)?, &selector));
    }
    Ok(compact::refs(&answer, &selector))
}

fn impact(graph: &Graph, arguments: &Arguments) -> Result<Value, GraphError> {
    let direction = match arguments.text("direction") {
        None | Some("inbound") => Direction::Inbound,
        Some("outbound") => Direction::Outbound,
        Some("both") => Direction::Both,
        Some(other) => return Err(bad(other, "direction is inbound, outbound or both")),
    };
    let default = ImpactOptions::default();
    let confidence =
        if arguments.text("confidence").is_none() { default.confidence } else { arguments.confidence()? };
    let (depth, limit) = (arguments.number("depth", 3), arguments.number("limit", 200));
    let options = ImpactOptions { depth, direction, confidence, limit };
    let answer = match arguments.text("diff") {
        Some(range) => graph.impact_of_diff(range, &options)?,
        None => graph.impact(&arguments.selectors()?, &options)?,
    };
    Ok(arguments.shaped(&answer, compact::impact))
}

fn to_json(answer: &impl Serialize) -> Value {
    serde_json::to_value(answer).unwrap_or(Value::Null)
}

fn bad(input: &str, reason: &'static str) -> GraphError {
    GraphError::Selector(orbit_graph::SelectorError { input: input.to_owned(), reason })
}

/// What the agent passed. Numbers and lists may come as strings.
pub(super) struct Arguments(JsonObject);

impl Arguments {
    pub(super) fn new(arguments: JsonObject) -> Arguments {
        Arguments(arguments)
    }

    /// One text or a list of them.
    pub(super) fn texts(&self, key: &'static str) -> Result<Vec<String>, GraphError> {
        match self.0.get(key) {
            Some(Value::Array(list)) if !list.is_empty() => {
                Ok(list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
            }
            _ => Ok(vec![self.required(key)?.to_owned()]),
        }
    }

    /// Whatever was given.
    pub(super) fn value(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(Value::as_str).filter(|text| !text.is_empty())
    }

    pub(super) fn required(&self, key: &'static str) -> Result<&str, GraphError> {
        self.text(key).ok_or_else(|| bad(key, "this argument is needed, as a string"))
    }

    pub(super) fn number(&self, key: &str, default: usize) -> usize {
        let given = self.0.get(key);
        let number = given.and_then(Value::as_u64).or_else(|| given?.as_str()?.parse().ok());
        number.map_or(default, |number| number as usize)
    }

    pub(super) fn flag(&self, key: &str) -> bool {
        self.0.get(key).is_some_and(|value| value.as_bool() == Some(true) || value.as_str() == Some("true"))
    }

    /// Rows as the command line gives them with `detail`, else grouped.
    fn shaped<T: Serialize>(&self, answer: &T, compact: fn(&T) -> Value) -> Value {
        if self.flag("detail") { to_json(answer) } else { compact(answer) }
    }

    fn selector(&self) -> Result<Selector, GraphError> {
        Ok(Selector::parse(self.required("selector")?)?)
    }

    fn selectors(&self) -> Result<Vec<Selector>, GraphError> {
        let texts: Vec<&str> = match self.0.get("selector") {
            Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).collect(),
            _ => vec![self.required("selector")?],
        };
        Ok(texts.into_iter().map(Selector::parse).collect::<Result<_, _>>()?)
    }

    fn confidence(&self) -> Result<Confidence, GraphError> {
        Ok(match self.text("confidence") {
            None | Some("same_module") => Confidence::SameModule,
            Some("exact") => Confidence::Exact,
            Some("import" | "import_resolved") => Confidence::ImportResolved,
            Some("dispatch") => Confidence::Dispatch,
            Some("fuzzy" | "fuzzy_name") => Confidence::FuzzyName,
            Some(other) => {
                return Err(bad(other, "confidence is exact, import, same_module, dispatch or fuzzy"));
            }
        })
    }
}
