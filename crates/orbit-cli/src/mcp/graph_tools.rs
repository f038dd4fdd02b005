//! The code family: arguments in, compact JSON out.

use super::budget::{self, DEFAULT_TOKENS};
use orbit_graph::{
    Confidence, Direction, Graph, GraphError, ImpactOptions, Lang, MatchKind, OverviewFormat, RefOptions,
    Refs, SearchQuery, Selector, SymbolKind, SyncMode, SyncOptions,
};
use rmcp::model::JsonObject;
use serde::Serialize;
use serde_json::{Map, Value, json};

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
        "graph_search" => to_json(&graph.search(&search_query(arguments)?)?),
        "graph_show" => to_json(&graph.show(&arguments.selector()?, arguments.number("max_bytes", 65_536))?),
        "graph_refs" => refs(graph, arguments)?,
        "graph_callees" => {
            to_json(&graph.callees(&arguments.selector()?, arguments.confidence()?, limit(200))?)
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
            to_json(&graph.overview(scope.as_ref(), format)?)
        }
        "graph_implementors" => to_json(&graph.implementors(&arguments.selector()?, limit(200))?),
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

fn refs(graph: &Graph, arguments: &Arguments) -> Result<Value, GraphError> {
    let detail = arguments.flag("detail");
    let options = RefOptions {
        confidence: arguments.confidence()?,
        kind: arguments.text("kind").map(str::to_owned),
        limit: arguments.number("limit", 500),
        snippets: detail,
    };
    let answer = graph.refs(&arguments.selector()?, &options)?;
    Ok(if detail { to_json(&answer) } else { grouped(&answer) })
}

/// References as `{kind: {file: {symbol: [lines]}}}`: every line, nothing twice. Name matches stand apart.
fn grouped(answer: &Refs) -> Value {
    let mut out = Map::new();
    let targets: Vec<&str> = answer.targets.iter().map(|target| target.selector.as_str()).collect();
    out.insert("targets".into(), json!(targets));
    for row in &answer.refs {
        let group = if row.confidence == Confidence::FuzzyName { "fuzzy" } else { row.kind };
        let symbol = match row.from_selector.split_once('#') {
            Some((_, symbol)) => symbol.rsplit_once(':').map_or(symbol, |(name, _)| name),
            None => "",
        };
        let files = out.entry(group).or_insert_with(|| json!({}));
        let lines = &mut files[&row.file][symbol];
        match lines.as_array_mut() {
            Some(lines) if lines.last() != Some(&json!(row.line)) => lines.push(json!(row.line)),
            Some(_) => {}
            None => *lines = json!([row.line]),
        }
    }
    for row in &answer.relations {
        let place = format!("{}:{}", row.file, row.line);
        let list = out.entry(row.kind).or_insert_with(|| json!([]));
        if let Some(list) = list.as_array_mut() {
            list.push(json!(format!("{place} {}", row.from)));
        }
    }
    out.insert("total".into(), json!(answer.total));
    if answer.truncated {
        out.insert("truncated".into(), json!("raise limit"));
    }
    if answer.skipped_low_confidence > 0 {
        out.insert("skipped_low_confidence".into(), json!(answer.skipped_low_confidence));
    }
    if !answer.stale.is_empty() {
        out.insert("stale".into(), json!(answer.stale));
    }
    Value::Object(out)
}

fn impact(graph: &Graph, arguments: &Arguments) -> Result<Value, GraphError> {
    let direction = match arguments.text("direction") {
        None | Some("inbound") => Direction::Inbound,
        Some("outbound") => Direction::Outbound,
        Some("both") => Direction::Both,
        Some(other) => return Err(bad(other, "direction is inbound, outbound or both")),
    };
    let (depth, confidence, limit) =
        (arguments.number("depth", 3), arguments.confidence()?, arguments.number("limit", 200));
    let options = ImpactOptions { depth, direction, confidence, limit };
    let answer = match arguments.text("diff") {
        Some(range) => graph.impact_of_diff(range, &options)?,
        None => graph.impact(&arguments.selectors()?, &options)?,
    };
    let mut value = to_json(&answer);
    for list in ["touched", "tests"] {
        for row in value[list].as_array_mut().into_iter().flatten() {
            // The selector has the name and the file; the way is of interest only behind the first step.
            if let Some(row) = row.as_object_mut() {
                row.remove("qualified_name");
                row.remove("file");
                if row.get("distance") == Some(&json!(1)) {
                    row.remove("via");
                }
                if row.get("confidence") != Some(&json!("fuzzy_name")) {
                    row.remove("confidence");
                }
            }
        }
    }
    Ok(value)
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
            Some("fuzzy" | "fuzzy_name") => Confidence::FuzzyName,
            Some(other) => return Err(bad(other, "confidence is exact, import, same_module or fuzzy")),
        })
    }
}
