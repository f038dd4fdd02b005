//! Small graphs.

use omnigraph::{
    Access, ChangeOptions, Error, Graph, GraphOptions, LoadMode, LoadOptions, LoadReport, Receipt, Target,
};
use serde_json::{Map, Value, json};
use std::io::Cursor;
use std::sync::atomic::{AtomicU32, Ordering};
use tempfile::TempDir;

pub(crate) const SCHEMA: &str = "
node Person { name: String @key  age: I32? }
node Company { name: String @key }
edge Knows: Person -> Person { since: Date? }
edge WorksAt: Person -> Company
";

pub(crate) const DATA: &str = r#"
// people
{"type":"Person","data":{"name":"Alice","age":30}}
{"type":"Person","data":{"name":"Bob","age":25}}
{"type":"Person","data":{"name":"Charlie","age":35}}
{"type":"Person","data":{"name":"Diana","age":28}}
{"type":"Company","data":{"name":"Acme"}}
{"type":"Company","data":{"name":"Globex"}}
{"edge":"Knows","from":"Alice","to":"Bob"}
{"edge":"Knows","from":"Alice","to":"Charlie"}
{"edge":"Knows","from":"Bob","to":"Diana"}
{"edge":"WorksAt","from":"Alice","to":"Acme"}
{"edge":"WorksAt","from":"Bob","to":"Globex"}
"#;

static NEXT: AtomicU32 = AtomicU32::new(0);

/// Set where every call shall find its graph as a new process does, with nothing in memory.
pub(crate) const COLD: &str = "OMNIGRAPH_TEST_COLD";

pub(crate) fn options() -> GraphOptions {
    let cache_bytes = if std::env::var_os(COLD).is_some() { 0 } else { 64 << 20 };
    GraphOptions { cache_bytes, durable: false, ..GraphOptions::default() }
}

/// A graph in memory.
pub(crate) fn empty(schema: &str) -> Graph {
    let name = format!("memory://{}-{}/g", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    Graph::create(&name, schema, Access::unrestricted(), &options()).unwrap_or_else(|error| panic!("{error}"))
}

/// A graph on disk, in a directory that goes when it is dropped.
pub(crate) fn stored(schema: &str) -> (Graph, TempDir) {
    let place = tempfile::tempdir().unwrap();
    let graph = Graph::create(&address(&place), schema, Access::unrestricted(), &options());
    (graph.unwrap_or_else(|error| panic!("{error}")), place)
}

/// The graph as a new process sees it: nothing of it has been read.
pub(crate) fn reopened(place: &TempDir) -> Graph {
    let graph = Graph::open(&address(place), Access::unrestricted(), &options());
    graph.unwrap_or_else(|error| panic!("{error}"))
}

fn address(place: &TempDir) -> String {
    place.path().join("g").to_str().unwrap().to_owned()
}

pub(crate) fn loaded(schema: &str, data: &str) -> Graph {
    let graph = empty(schema);
    load(&graph, data, LoadMode::Overwrite).unwrap_or_else(|error| panic!("{error}"));
    graph
}

pub(crate) fn people() -> Graph {
    loaded(SCHEMA, DATA)
}

pub(crate) fn load(graph: &Graph, data: &str, mode: LoadMode) -> Result<LoadReport, Error> {
    let mut open = |rules: &_| {
        omnigraph::load::jsonl(Cursor::new(data.to_owned()), rules, &omnigraph::load::Options::default())
    };
    graph.load(&LoadOptions::new(mode), &mut open, &mut |_| {})
}

pub(crate) fn main() -> Target {
    Target::Branch("main".to_owned())
}

pub(crate) fn map(params: Value) -> Map<String, Value> {
    params.as_object().cloned().unwrap_or_default()
}

pub(crate) fn read(graph: &Graph, query: &str, params: Value) -> Result<Vec<Vec<Value>>, Error> {
    let answer = graph.read(&main(), query, None, &map(params))?;
    Ok(cells(&answer.rows))
}

/// The values of all rows.
pub(crate) fn cells(rows: &arrow_array::RecordBatch) -> Vec<Vec<Value>> {
    let cell = |column: &arrow_array::ArrayRef, row: usize| {
        serde_json::from_str(&omnigraph::rows::cell_to_json(column, row)).unwrap()
    };
    (0..rows.num_rows()).map(|row| rows.columns().iter().map(|column| cell(column, row)).collect()).collect()
}

/// The values of the first column, sorted.
pub(crate) fn firsts(graph: &Graph, query: &str, params: Value) -> Vec<String> {
    let rows = read(graph, query, params).unwrap_or_else(|error| panic!("{query}\n{error}"));
    let mut texts: Vec<String> = rows
        .into_iter()
        .map(|row| match &row[0] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        })
        .collect();
    texts.sort();
    texts
}

pub(crate) fn change(graph: &Graph, query: &str, params: Value) -> Result<Receipt, Error> {
    graph.change(query, None, &map(params), &ChangeOptions::default())
}

pub(crate) fn changed(graph: &Graph, query: &str, params: Value) -> (usize, usize) {
    let receipt = change(graph, query, params).unwrap_or_else(|error| panic!("{query}\n{error}"));
    (receipt.affected_nodes, receipt.affected_edges)
}

pub(crate) fn none() -> Value {
    json!({})
}

/// Loads rows into a branch.
pub(crate) fn load_on(graph: &Graph, branch: &str, data: &str, mode: LoadMode) -> Result<LoadReport, Error> {
    let mut open = |rules: &_| {
        omnigraph::load::jsonl(Cursor::new(data.to_owned()), rules, &omnigraph::load::Options::default())
    };
    let options = LoadOptions { branch: Some(branch.to_owned()), ..LoadOptions::new(mode) };
    graph.load(&options, &mut open, &mut |_| {})
}

/// Runs statements on a branch; they must hold.
pub(crate) fn change_on(graph: &Graph, branch: &str, query: &str, params: Value) -> Receipt {
    let options = ChangeOptions { branch: Some(branch.to_owned()), ..ChangeOptions::default() };
    graph.change(query, None, &map(params), &options).unwrap_or_else(|error| panic!("{query}\n{error}"))
}

/// A branch from the newest commit of another.
pub(crate) fn fork(graph: &Graph, from: &str, name: &str) {
    let head = graph.store().head(from).unwrap();
    graph.store().create_branch(name, &head, None).unwrap();
}

/// All rows of a target as `export` writes them, sorted.
pub(crate) fn rows_of(graph: &Graph, target: &Target) -> Vec<String> {
    let mut out = Vec::new();
    graph.export(target, &omnigraph::ExportOptions::default(), &mut out).unwrap();
    let mut lines: Vec<String> = String::from_utf8(out).unwrap().lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

pub(crate) fn on(branch: &str) -> Target {
    Target::Branch(branch.to_owned())
}
