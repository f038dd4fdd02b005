//! The engine behind lines of JSON, for benchmarks that run several databases side by side.
//!
//! ```text
//! graphbench QUERIES.gq
//! {"op":"init","uri","schema"}  {"op":"open","uri"}  {"op":"load","path","mode"}  {"op":"ensure_indices"}
//! {"op":"query","name","params"}  {"op":"mutate","name","params"}   ->   {"ok":…} or {"error":"…"}
//! {"op":"writers","count","seconds","prefix"}   ->   {"ok": transactions of one row per second}
//! ```

use omnigraph::{Access, ChangeOptions, Error, Graph, GraphOptions, LoadMode, LoadOptions, Result, Target};
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{BufRead as _, Write as _};
use std::time::Instant;

fn main() -> std::io::Result<()> {
    let path = std::env::args().nth(1).unwrap_or_default();
    let queries = std::fs::read_to_string(path)?;
    let mut driver = Driver { queries, graph: None };
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line?)?;
        let answer =
            driver.answer(&request).unwrap_or_else(|error| json!({ "error": error.to_string() }).to_string());
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

struct Driver {
    queries: String,
    graph: Option<Graph>,
}

fn text<'a>(request: &'a Value, name: &str) -> &'a str {
    request[name].as_str().unwrap_or_default()
}

impl Driver {
    fn graph(&self) -> Result<&Graph> {
        self.graph.as_ref().ok_or_else(|| Error::Request("no graph is open".into()))
    }

    fn answer(&mut self, request: &Value) -> Result<String> {
        let params = request["params"].as_object().cloned().unwrap_or_default();
        match text(request, "op") {
            "init" => {
                let made = Graph::create(
                    text(request, "uri"),
                    text(request, "schema"),
                    Access::unrestricted(),
                    &GraphOptions::default(),
                );
                self.graph = Some(made?);
                Ok(ok(&json!(null)))
            }
            "open" => {
                self.graph = Some(Graph::open(
                    text(request, "uri"),
                    Access::unrestricted(),
                    &GraphOptions::default(),
                )?);
                Ok(ok(&json!(null)))
            }
            "load" => self.load(text(request, "path"), text(request, "mode")),
            "ensure_indices" => Ok(ok(&json!([]))),
            "query" => self.query(text(request, "name"), &params),
            "mutate" => {
                let done = self.graph()?.change(
                    &self.queries,
                    Some(text(request, "name")),
                    &params,
                    &ChangeOptions::default(),
                )?;
                Ok(ok(&json!({ "nodes": done.affected_nodes, "edges": done.affected_edges })))
            }
            "writers" => {
                let (count, seconds) = (request["count"].as_u64(), request["seconds"].as_f64());
                self.writers(count.unwrap_or(1), seconds.unwrap_or(5.0), text(request, "prefix"))
            }
            other => Err(Error::Request(format!("unknown op `{other}`"))),
        }
    }

    fn load(&self, path: &str, mode: &str) -> Result<String> {
        let mode = match mode {
            "append" => LoadMode::Append,
            "merge" => LoadMode::Merge,
            _ => LoadMode::Overwrite,
        };
        let mut open = |rules: &_| {
            omnigraph::load::jsonl(File::open(path)?, rules, &omnigraph::load::Options::default())
        };
        let report = self.graph()?.load(&LoadOptions::new(mode), &mut open, &mut |_| {})?;
        Ok(ok(&json!(report.rows.values().sum::<u64>())))
    }

    /// Writers beside each other, each inserting one row after the other.
    fn writers(&self, count: u64, seconds: f64, prefix: &str) -> Result<String> {
        let graph = self.graph()?;
        let started = Instant::now();
        let write = |writer: u64| -> Result<u64> {
            let mut done = 0;
            while started.elapsed().as_secs_f64() < seconds {
                let mut params = Map::new();
                params.insert("id".into(), format!("{prefix}-{writer}-{done}").into());
                params.insert("n".into(), "a new person".into());
                graph.change(&self.queries, Some("ins"), &params, &ChangeOptions::default())?;
                done += 1;
            }
            Ok(done)
        };
        let done: Result<Vec<u64>> = std::thread::scope(|scope| {
            let write = &write;
            let writers: Vec<_> = (0..count).map(|writer| scope.spawn(move || write(writer))).collect();
            let join = |writer: std::thread::ScopedJoinHandle<'_, _>| {
                writer.join().unwrap_or_else(|_| Err(Error::Request("a writer failed".into())))
            };
            writers.into_iter().map(join).collect()
        });
        Ok(ok(&json!(done?.iter().sum::<u64>() as f64 / started.elapsed().as_secs_f64())))
    }

    fn query(&self, name: &str, params: &Map<String, Value>) -> Result<String> {
        let target = Target::Branch("main".into());
        let answer = self.graph()?.read(&target, &self.queries, Some(name), params)?;
        Ok(format!("{{\"ok\":{}}}", answer.result(&target).rows_json()))
    }
}

fn ok(value: &Value) -> String {
    json!({ "ok": value }).to_string()
}
