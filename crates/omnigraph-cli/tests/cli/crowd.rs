//! Eight processes that keep a graph open and write to it: rows of their own, and counters that all of them count up.

use omnigraph::{Access, ChangeOptions, Error, Graph, GraphOptions, Target};
use serde_json::{Map, Value, json};
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const SCHEMA: &str = "node Row { key: String @key } node Counter { key: String @key  n: I64 }";

const QUERIES: &str = "
query add($key: String) { insert Row { key: $key } }
query reset($key: String) { insert Counter { key: $key, n: 0 } }
query set($key: String, $n: I64) { update Counter set { n: $n } where key = $key }
query value($key: String) { match { $c: Counter { key: $key } } return { $c.n } }
query rows() { match { $r: Row } return { $r.key } order { $r.key } }
";

const COUNTERS: [&str; 2] = ["a", "b"];
const PROCESSES: usize = 8;

/// Where the graph is, for a process of the crowd.
const URI: &str = "OMNIGRAPH_CROWD_URI";
/// Which of the processes it is.
const NUMBER: &str = "OMNIGRAPH_CROWD_NUMBER";
/// How long the crowd writes. A long run is a matter of setting it.
const SECONDS: &str = "OMNIGRAPH_CROWD_SECONDS";

/// What a process says that it did.
#[derive(Debug, Default)]
struct Acknowledged {
    rows: u64,
    counted: [i64; COUNTERS.len()],
    conflicts: u64,
}

/// Runs the crowd on a new graph and holds what is there against what was acknowledged.
pub(crate) fn write_together(uri: &str, env: &[(String, String)], seconds: u64) {
    let asked = std::env::var(SECONDS).ok().and_then(|text| text.parse().ok());
    let seconds: u64 = asked.unwrap_or(seconds);
    let start = |number: usize, mode: &str| {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(["--exact", "crowd::one_of_the_crowd", "--ignored", "--nocapture"]);
        command.envs(env.iter().map(|(name, value)| (name, value)));
        command.env(URI, uri).env(NUMBER, number.to_string()).env(SECONDS, seconds.to_string());
        command.env("OMNIGRAPH_CROWD_MODE", mode).stdout(Stdio::piped()).spawn().expect("a process")
    };
    let text = |child: std::process::Child| {
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "a process of the crowd failed");
        String::from_utf8(output.stdout).expect("text")
    };
    text(start(0, "init"));
    let crowd: Vec<_> = (0..PROCESSES).map(|number| start(number, "write")).collect();
    let mut rows: Vec<String> = Vec::new();
    let mut counted = [0; COUNTERS.len()];
    let mut conflicts = 0;
    for (number, child) in crowd.into_iter().enumerate() {
        let done = acknowledged(&text(child));
        assert!(done.rows > 0, "every process gets its turn: {done:?}");
        rows.extend((0..done.rows).map(|at| format!("{number}-{at}")));
        conflicts += done.conflicts;
        for (sum, count) in counted.iter_mut().zip(done.counted) {
            *sum += count;
        }
    }
    rows.sort_unstable();
    let found = found(&text(start(0, "read")));
    assert_eq!(found["counters"], json!(counted), "{conflicts} conflicts");
    assert_eq!(found["rows"], json!(rows), "every acknowledged row once, and no other");
}

fn line<'a>(text: &'a str, mark: &str) -> &'a str {
    let line = text.lines().find_map(|line| line.split_once(mark)).expect("the line of a process");
    line.1
}

fn acknowledged(text: &str) -> Acknowledged {
    let said: Value = serde_json::from_str(line(text, "acknowledged ")).expect("JSON");
    let number = |value: &Value| value.as_i64().expect("a number");
    Acknowledged {
        rows: number(&said["rows"]) as u64,
        conflicts: number(&said["conflicts"]) as u64,
        counted: [number(&said["counted"][0]), number(&said["counted"][1])],
    }
}

fn found(text: &str) -> Value {
    serde_json::from_str(line(text, "found ")).expect("JSON")
}

fn params(value: Value) -> Map<String, Value> {
    value.as_object().cloned().expect("an object")
}

/// What a process of the crowd does; not a test of its own.
#[test]
#[ignore = "a part of the crowd, started by it"]
fn one_of_the_crowd() {
    let Ok(uri) = std::env::var(URI) else { return };
    let options = GraphOptions { durable: false, ..GraphOptions::default() };
    match std::env::var("OMNIGRAPH_CROWD_MODE").as_deref() {
        Ok("init") => {
            let graph = Graph::create(&uri, SCHEMA, Access::unrestricted(), &options).expect("a graph");
            for key in COUNTERS {
                change(&graph, "reset", json!({ "key": key }), None).expect("a counter");
            }
        }
        Ok("write") => write(&Graph::open(&uri, Access::unrestricted(), &options).expect("the graph")),
        _ => read(&Graph::open(&uri, Access::unrestricted(), &options).expect("the graph")),
    }
}

fn change(graph: &Graph, query: &str, given: Value, base: Option<omnigraph::CommitId>) -> Result<(), Error> {
    let options = ChangeOptions { if_commit: base, ..ChangeOptions::default() };
    graph.change(QUERIES, Some(query), &params(given), &options).map(|_| ())
}

/// A line for who started this process.
fn say(mark: &str, what: &Value) {
    writeln!(std::io::stdout(), "\n{mark} {what}").expect("a pipe");
}

fn write(graph: &Graph) {
    let number: usize = std::env::var(NUMBER).expect("a number").parse().expect("a number");
    let seconds: u64 = std::env::var(SECONDS).expect("seconds").parse().expect("seconds");
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut done = Acknowledged::default();
    while Instant::now() < end || done.rows == 0 {
        match change(graph, "add", json!({ "key": format!("{number}-{}", done.rows) }), None) {
            Ok(()) => done.rows += 1,
            // Rows of its own are never in conflict; a process may only hear that others were always faster.
            Err(Error::Conflict { rows, .. }) if rows.is_empty() => done.conflicts += 1,
            Err(error) => panic!("{error}"),
        }
        let counter = (number + done.rows as usize) % COUNTERS.len();
        match count(graph, COUNTERS[counter]) {
            Ok(()) => done.counted[counter] += 1,
            Err(Error::Conflict { .. } | Error::NotAtCommit { .. }) => done.conflicts += 1,
            Err(error) => panic!("{error}"),
        }
    }
    let said = json!({ "rows": done.rows, "counted": done.counted, "conflicts": done.conflicts });
    say("acknowledged", &said);
}

/// Counts up on the condition that nobody else wrote since it was read.
fn count(graph: &Graph, key: &str) -> Result<(), Error> {
    let (value, base) = value(graph, key);
    change(graph, "set", json!({ "key": key, "n": value + 1 }), Some(base))
}

fn value(graph: &Graph, key: &str) -> (i64, omnigraph::CommitId) {
    let main = Target::Branch("main".into());
    let answer = graph.read(&main, QUERIES, Some("value"), &params(json!({ "key": key }))).expect("rows");
    let column = answer.rows.column(0).as_any().downcast_ref::<arrow_array::Int64Array>().expect("numbers");
    (column.value(0), answer.snapshot.id().clone())
}

fn read(graph: &Graph) {
    let counters: Vec<i64> = COUNTERS.iter().map(|key| value(graph, key).0).collect();
    let main = Target::Branch("main".into());
    let answer = graph.read(&main, QUERIES, Some("rows"), &Map::new()).expect("rows");
    let column = answer.rows.column(0).as_any().downcast_ref::<arrow_array::StringArray>().expect("texts");
    let rows: Vec<&str> = column.iter().flatten().collect();
    say("found", &json!({ "counters": counters, "rows": rows }));
}

#[test]
fn on_a_disk() {
    let place = tempfile::tempdir().expect("a directory");
    let uri = place.path().join("g.omni").display().to_string();
    write_together(&uri, &[], 3);
}
