//! Pages of the manual: a schema, rows, queries, and what they give. `UPDATE_EXPECT=1` writes down what comes out now.

#[path = "../../../omnigraph-compiler/tests/languages/markdown.rs"]
mod markdown;

use crate::fixture::{cells, empty, load, main};
use markdown::Page;
use omnigraph::{ChangeOptions, Error, Graph, LoadMode};
use omnigraph_compiler::query::typed::Body;
use omnigraph_compiler::{QueryFile, Source, check};
use serde_json::{Map, Value};
use std::fmt::Write as _;
use std::path::Path;

/// Runs a case: loads, then every query of every block in order.
fn run(inputs: &[(String, String)]) -> String {
    let of = |language: &'static str| {
        inputs.iter().filter(move |(known, _)| known == language).map(|(_, text)| text)
    };
    let schema = of("pg").next_back().expect("a schema");
    let graph = empty(schema);
    let mut out = String::new();
    for data in of("jsonl") {
        if let Err(error) = load(&graph, data, LoadMode::Merge) {
            let _ = writeln!(out, "load: {error}");
        }
    }
    let params: Map<String, Value> =
        of("params").next_back().map_or_else(Map::new, |text| serde_json::from_str(text).unwrap());
    for source in of("gq") {
        queries(&graph, schema, source, &params, &mut out);
    }
    out
}

fn queries(graph: &Graph, schema: &str, source: &str, params: &Map<String, Value>, out: &mut String) {
    let file =
        QueryFile::parse(&Source::new("q", source)).unwrap_or_else(|errors| panic!("{source}\n{errors}"));
    let checked = check(&crate::catalog(schema), &file).unwrap_or_else(|errors| panic!("{source}\n{errors}"));
    for query in &checked.queries {
        let known = |name: &&String| query.params.iter().any(|param| param.name == **name);
        let given =
            params.iter().filter(|(name, _)| known(name)).map(|(name, value)| (name.clone(), value.clone()));
        let given: Map<String, Value> = given.collect();
        let done = match &query.body {
            Body::Read(_) => read(graph, source, &query.name, &given),
            Body::Mutation(_) => {
                graph.change(source, Some(&query.name), &given, &ChangeOptions::default()).map(|receipt| {
                    format!("{} nodes, {} edges\n", receipt.affected_nodes, receipt.affected_edges)
                })
            }
        };
        let _ = match done {
            Ok(text) => write!(out, "{}: {text}", query.name),
            Err(error) => writeln!(out, "{}: error: {error}", query.name),
        };
    }
}

/// Rows as they come when the query orders them, else sorted.
fn read(graph: &Graph, source: &str, name: &str, given: &Map<String, Value>) -> Result<String, Error> {
    let answer = graph.read(&main(), source, Some(name), given)?;
    let mut rows: Vec<String> = cells(&answer.rows)
        .iter()
        .map(|row| row.iter().map(ToString::to_string).collect::<Vec<_>>().join("  "))
        .collect();
    let plan = graph.plan(&main(), source, Some(name))?.to_string();
    if !plan.lines().any(|line| line.trim_start().starts_with("sort")) {
        rows.sort();
    }
    let mut out = format!("{} row{}\n", rows.len(), if rows.len() == 1 { "" } else { "s" });
    for row in &rows {
        let _ = writeln!(out, "  {row}");
    }
    Ok(out)
}

#[test]
fn every_page_gives_what_stands_below_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut paths: Vec<_> = std::fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(paths.len() >= 5);
    let mut wrong = String::new();
    for path in paths {
        let page = Page::parse(&std::fs::read_to_string(&path).unwrap());
        let printed: Vec<String> = page.cases.iter().map(|case| run(&case.inputs)).collect();
        for (case, printed) in page.cases.iter().zip(&printed) {
            if case.expected.as_ref() != Some(printed) {
                let expected = case.expected.as_deref().unwrap_or("nothing\n");
                let _ = writeln!(
                    wrong,
                    "{}: {}\nexpected:\n{expected}printed:\n{printed}",
                    path.display(),
                    case.title
                );
            }
        }
        if update {
            std::fs::write(&path, page.with(&printed)).unwrap();
        }
    }
    assert!(update || wrong.is_empty(), "\n{wrong}UPDATE_EXPECT=1 writes down what is printed");
}
