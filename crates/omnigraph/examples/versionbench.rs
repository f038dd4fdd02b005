//! What versions cost, as lines of JSON: `versionbench DIR COMMITS ROWS`.
//!
//! ```text
//! {"case":"open","small":…,"large":…,"ratio":…,"asked":…,"unit":"ms"}
//! ```
//!
//! Every case compares something small with something large that ought to cost the same, or nearly.

use omnigraph::{
    Access, ChangeOptions, CleanupOptions, Graph, GraphOptions, LoadMode, LoadOptions, MergeOptions,
    MergeOutcome, Target,
};
use serde_json::{Map, Value, json};
use std::error::Error;
use std::fmt::Write as _;
use std::io::{Cursor, Write as _, stdout};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

const SCHEMA: &str = "node N { k: String @key  n: I64  text: String }\n";

/// How often something short is measured.
const RUNS: usize = 30;

/// Measures and prints.
type Case = fn(&Bench) -> Outcome;

/// What is measured. A case is one function.
const CASES: [Case; 5] = [branches, merges, reading, scanning, upkeep];

struct Bench {
    dir: PathBuf,
    commits: usize,
    rows: usize,
}

fn main() -> Outcome {
    let mut args = std::env::args().skip(1);
    let dir = PathBuf::from(args.next().ok_or("no directory is named")?);
    let mut number = |fallback: usize| args.next().and_then(|text| text.parse().ok()).unwrap_or(fallback);
    let bench = Bench { dir, commits: number(10_000), rows: number(1_000_000) };
    CASES.iter().try_for_each(|case| case(&bench))
}

/// One line of the result.
fn say(case: &str, small: Duration, large: Duration, asked: Option<f64>) -> Outcome {
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    let ratio = large.as_secs_f64() / small.as_secs_f64().max(1e-9);
    let line = json!({
        "case": case, "small": millis(small), "large": millis(large), "ratio": ratio, "asked": asked,
    });
    Ok(writeln!(stdout(), "{line}")?)
}

impl Bench {
    fn make(&self, name: &str) -> Outcome<(Graph, PathBuf)> {
        let place = self.dir.join(name);
        let _ = std::fs::remove_dir_all(&place);
        let graph = Graph::create(&path(&place), SCHEMA, Access::unrestricted(), &GraphOptions::default())?;
        Ok((graph, place))
    }
}

fn path(place: &Path) -> String {
    place.display().to_string()
}

fn line(at: usize) -> String {
    format!(
        "{{\"type\":\"N\",\"data\":{{\"k\":\"k{at}\",\"n\":{},\"text\":\"some text {at}\"}}}}\n",
        at % 1000
    )
}

fn load(graph: &Graph, rows: usize) -> Outcome {
    let mut text = String::new();
    (0..rows).for_each(|at| text.push_str(&line(at)));
    let mut open = |rules: &_| {
        omnigraph::load::jsonl(Cursor::new(text.clone()), rules, &omnigraph::load::Options::default())
    };
    graph.load(&LoadOptions::new(LoadMode::Append), &mut open, &mut |_| {})?;
    Ok(())
}

fn insert(graph: &Graph, at: usize) -> Outcome {
    let query = "query q($k: String, $n: I64, $t: String) { insert N { k: $k, n: $n, text: $t } }";
    let params = json!({ "k": format!("k{at}"), "n": at % 1000, "t": format!("some text {at}") });
    graph.change(query, None, &object(params), &ChangeOptions::default())?;
    Ok(())
}

fn object(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

/// Medians of several runs of both, in turn, so that both meet the same noise.
fn in_turn(
    runs: usize,
    mut small: impl FnMut() -> Outcome,
    mut large: impl FnMut() -> Outcome,
) -> Outcome<[Duration; 2]> {
    let mut times: [Vec<Duration>; 2] = Default::default();
    for _ in 0..runs {
        let start = Instant::now();
        small()?;
        times[0].push(start.elapsed());
        let start = Instant::now();
        large()?;
        times[1].push(start.elapsed());
    }
    Ok(times.map(|mut times| {
        times.sort_unstable();
        times[times.len() / 2]
    }))
}

/// A branch made and deleted.
fn branch(graph: &Graph) -> Outcome {
    let head = graph.store().head("main")?;
    graph.store().create_branch("b", &head, None)?;
    Ok(graph.store().delete_branch("b")?)
}

/// A branch made and deleted, on few and on many rows.
fn branches(bench: &Bench) -> Outcome {
    let ((few, _), (many, _)) = (bench.make("few")?, bench.make("many")?);
    load(&few, 1_000)?;
    load(&many, bench.rows)?;
    let [small, large] = in_turn(RUNS, || branch(&few), || branch(&many))?;
    say(&format!("a branch made and deleted, 1,000 against {} rows", bench.rows), small, large, Some(1.2))
}

/// Rows of a branch from one number on get another value.
fn touch(graph: &Graph, branch: &str, first: usize, count: usize, value: usize) -> Outcome {
    let mut text = String::new();
    for at in first..first + count {
        writeln!(
            text,
            "{{\"type\":\"N\",\"data\":{{\"k\":\"k{at}\",\"n\":{value},\"text\":\"some text {at}\"}}}}"
        )?;
    }
    let mut open = |rules: &_| {
        omnigraph::load::jsonl(Cursor::new(text.clone()), rules, &omnigraph::load::Options::default())
    };
    let options = LoadOptions { branch: Some(branch.to_owned()), ..LoadOptions::new(LoadMode::Merge) };
    graph.load(&options, &mut open, &mut |_| {})?;
    Ok(())
}

/// The time of a three-way merge of a branch with so many changed rows into one with others.
fn merge(graph: &Graph, run: usize, theirs: usize, ours: usize) -> Outcome<Duration> {
    let head = graph.store().head("main")?;
    graph.store().create_branch("side", &head, None)?;
    touch(graph, "side", 0, theirs, 10_000 + run)?;
    touch(graph, "main", theirs, ours, 20_000 + run)?;
    let start = Instant::now();
    let report = graph.merge("side", "main", &MergeOptions::default())?;
    let took = start.elapsed();
    if report.outcome != MergeOutcome::Merged {
        return Err("it was not a three-way merge".into());
    }
    graph.store().delete_branch("side")?;
    Ok(took)
}

/// Merges of few changed rows, into few and into many rows.
fn merges(bench: &Bench) -> Outcome {
    let open = |name: &str| {
        Graph::open(&path(&bench.dir.join(name)), Access::unrestricted(), &GraphOptions::default())
    };
    let (few, many) = (open("few")?, open("many")?);
    let middle = |mut times: Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2]
    };
    let (mut small, mut large) = (Vec::new(), Vec::new());
    for run in 0..RUNS / 2 {
        small.push(merge(&few, run, 100, 100)?);
        large.push(merge(&many, run, 100, 100)?);
    }
    let case = format!("a merge of 100 changed rows, into 1,000 against {} rows", bench.rows);
    say(&case, middle(small), middle(large), Some(3.0))?;
    let (medium, _) = bench.make("medium")?;
    load(&medium, 20_000)?;
    let (mut small, mut large) = (Vec::new(), Vec::new());
    for run in 0..RUNS / 2 {
        small.push(merge(&medium, run, 3_000, 1_000)?);
        large.push(merge(&many, 1_000 + run, 3_000, 1_000)?);
    }
    let case = format!("a merge of 3,000 against 1,000 changed rows, in 20,000 and in {} rows", bench.rows);
    say(&case, middle(small), middle(large), Some(1.5))
}

/// Opening a graph and reading a row, after few and after many commits.
fn reading(bench: &Bench) -> Outcome {
    let ((young, new), (old, aged)) = (bench.make("young")?, bench.make("old")?);
    // Both have the same rows in the end.
    load(&young, bench.commits.saturating_sub(10))?;
    (bench.commits.saturating_sub(10)..bench.commits).try_for_each(|at| insert(&young, at))?;
    (0..bench.commits).try_for_each(|at| insert(&old, at))?;
    old.store().wait_for_folds();
    let against = format!("10 against {} commits", bench.commits);
    let open = |place: &Path| {
        Graph::open(&path(place), Access::unrestricted(), &GraphOptions::default())?.store().head("main")?;
        Ok(())
    };
    let [small, large] = in_turn(RUNS, || open(&new), || open(&aged))?;
    say(&format!("opening and reading the head, {against}"), small, large, Some(1.2))?;
    let one = |graph: &Graph| {
        let query = "query q() { match { $n: N { k: \"k3\" } } return { $n.n } }";
        graph.read(&Target::Branch("main".into()), query, None, &Map::new())?;
        Ok(())
    };
    let [small, large] = in_turn(RUNS * 10, || one(&young), || one(&old))?;
    say(&format!("a row by its key, warm, {against}"), small, large, Some(1.2))?;
    let [small, large] = in_turn(RUNS, || branch(&young), || branch(&old))?;
    say(&format!("a branch made and deleted, {against}"), small, large, Some(1.2))
}

/// A filtered scan of rows that came one by one, against the same rows loaded at once.
fn scanning(bench: &Bench) -> Outcome {
    let (loaded, fresh) = bench.make("loaded")?;
    load(&loaded, bench.commits)?;
    let aged = bench.dir.join("old");
    let scan = |graph: &Graph| {
        let query = "query q() { match { $n: N  $n.n > 990  $n.text contains \"7\" } return { $n.k } order { $n.k } }";
        graph.read(&Target::Branch("main".into()), query, None, &Map::new())?;
        Ok(())
    };
    let cold =
        |place: &Path| scan(&Graph::open(&path(place), Access::unrestricted(), &GraphOptions::default())?);
    let rows = bench.commits;
    let [small, large] = in_turn(RUNS, || cold(&fresh), || cold(&aged))?;
    let case = format!(
        "a graph opened and {rows} rows scanned with a filter, loaded at once against one commit each"
    );
    say(&case, small, large, Some(2.0))?;
    let old = Graph::open(&path(&aged), Access::unrestricted(), &GraphOptions::default())?;
    scan(&loaded)?;
    scan(&old)?;
    let [small, large] = in_turn(RUNS, || scan(&loaded), || scan(&old))?;
    say("the same scan, warm", small, large, Some(2.0))
}

/// What was answered does not matter here.
#[expect(clippy::unnecessary_wraps, reason = "it ends a closure that measures")]
fn done<T>(_: T) -> Outcome {
    Ok(())
}

/// What upkeep takes after many commits, beside nothing to compare with.
fn upkeep(bench: &Bench) -> Outcome {
    let graph = Graph::open(&path(&bench.dir.join("old")), Access::unrestricted(), &GraphOptions::default())?;
    let timed = |name: &str, work: &mut dyn FnMut() -> Outcome| {
        let start = Instant::now();
        work()?;
        let mut text = String::new();
        write!(text, "{name} after {} commits", bench.commits)?;
        say(&text, start.elapsed(), start.elapsed(), None)
    };
    timed("fsck", &mut || done(graph.fsck(&mut |_| {})?))?;
    timed("optimize", &mut || done(graph.optimize(None, &mut |_| {})?))?;
    let next = SCHEMA.replace("n: I64", "n: I64  more: I64 @default(1)");
    timed("schema apply, one new column with a default", &mut || {
        done(graph.apply_schema(&next, &omnigraph::SchemaOptions::default(), &mut |_| {})?)
    })?;
    let options = CleanupOptions { keep: Some(10), older_than: None, grace: Duration::ZERO, confirm: true };
    timed("cleanup to 10 commits", &mut || done(graph.cleanup(&options, &mut |_| {})?))
}
