//! `cargo xtask bench queries`: how long answers take, in a process that has the graph open and by call, beside
//! `git grep` for the same names and beside `orbit --version`.

use super::sample::{Indexed, Symbol, pick, symbols};
use super::stats::{median, percentile};
use crate::args::QueriesArgs;
use crate::child;
use crate::programs;
use crate::scratch::Source;
use crate::summary;
use orbit_graph::{
    Confidence, Graph, GraphError, ImpactOptions, OverviewFormat, RefOptions, SearchQuery, Selector,
    ShowOptions, SyncPolicy,
};
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};
use xtask::failure::{Failure, fail};
use xtask::project::git_command;
use xtask::render;

const SUMMARY: &str = "benches/queries.md";
/// How many names git greps for, and how often a program is started.
const STARTS: usize = 30;

/// One question, asked about many symbols.
struct Timed {
    name: &'static str,
    bound_ms: Option<u32>,
    times: Vec<Duration>,
}

pub(super) fn run(args: &QueriesArgs) -> Result<ExitCode, Failure> {
    let orbit = programs::orbit()?;
    let mut text = String::from(HEAD);
    for line in super::setting_lines(&orbit)? {
        let _ = writeln!(text, "- {line}");
    }
    for repo in &args.repos {
        let source = Source::at(repo)?;
        render::note(format!("measuring {}", source.title()));
        let indexed = Indexed::make(&orbit, &source)?;
        let all = symbols(&orbit, &indexed.copy)?;
        let total = all.len();
        let sample = pick(
            all.into_iter().filter(|symbol| symbol.is_callable() || symbol.is_type()).collect(),
            args.samples,
        );
        if sample.is_empty() {
            return Err(fail(format!("{} has no functions and no types", source.title())));
        }
        let timed = warm(&indexed.copy, &sample)?;
        let grep = grep(&indexed.copy, &sample)?;
        let calls = cold(&orbit, &indexed.copy, &sample)?;
        report(&mut text, &source.title(), total, &timed, &grep, &calls);
    }
    summary::publish(SUMMARY, &text, args.write)
}

const HEAD: &str = "# Questions, timed

Written by `cargo xtask bench queries --repo … --write`. Symbols are functions, methods and types picked at random.
*Warm* is one process with the graph open, no sync in between; *by call* is a process for each question.

";

/// Every question about every symbol, in one process.
fn warm(repo: &Path, sample: &[Symbol]) -> Result<Vec<Timed>, Failure> {
    let graph = Graph::open(repo, SyncPolicy::Manual)?;
    let (floor, limit) = (Confidence::SameModule, 200);
    let impact = ImpactOptions { depth: 3, ..ImpactOptions::default() };
    let compact = RefOptions { snippets: false, limit: 500, ..RefOptions::default() };
    let questions: Vec<(&'static str, Option<u32>, Ask<'_>)> = vec![
        ("search, whole name", Some(5), Box::new(|symbol| graph.search(&words(&symbol.name)).map(drop))),
        ("search, words", Some(5), Box::new(|symbol| graph.search(&words(&spaced(&symbol.name))).map(drop))),
        (
            "search, beginning",
            Some(5),
            Box::new(|symbol| graph.search(&words(beginning(&symbol.name))).map(drop)),
        ),
        (
            "search, mistyped",
            None,
            Box::new(|symbol| graph.search(&words(&mistyped(&symbol.name))).map(drop)),
        ),
        (
            "show",
            Some(5),
            Box::new(|symbol| graph.show(&selector(symbol)?, &ShowOptions::up_to(65_536)).map(drop)),
        ),
        ("refs", Some(10), Box::new(|symbol| graph.refs(&selector(symbol)?, &compact).map(drop))),
        (
            "refs by bare name",
            Some(10),
            Box::new(|symbol| graph.refs(&Selector::parse(&symbol.name)?, &compact).map(drop)),
        ),
        (
            "refs with snippets",
            None,
            Box::new(|symbol| graph.refs(&selector(symbol)?, &RefOptions::default()).map(drop)),
        ),
        ("callees", Some(10), Box::new(|symbol| graph.callees(&selector(symbol)?, floor, limit).map(drop))),
        (
            "impact, depth 3",
            Some(50),
            Box::new(|symbol| graph.impact(&[selector(symbol)?], &impact).map(drop)),
        ),
        ("implementors", None, Box::new(|symbol| graph.implementors(&selector(symbol)?, limit).map(drop))),
        ("deps", None, Box::new(|symbol| graph.deps(&Selector::parse(&symbol.file)?, limit).map(drop))),
        (
            "overview of a file",
            None,
            Box::new(|symbol| {
                graph.overview(Some(&Selector::parse(&symbol.file)?), OverviewFormat::Full).map(drop)
            }),
        ),
    ];
    time(questions, sample)
}

type Ask<'g> = Box<dyn Fn(&Symbol) -> Result<(), GraphError> + 'g>;

fn time(
    questions: Vec<(&'static str, Option<u32>, Ask<'_>)>,
    sample: &[Symbol],
) -> Result<Vec<Timed>, Failure> {
    let mut all = Vec::new();
    for (name, bound_ms, ask) in questions {
        for symbol in sample.iter().take(5) {
            answered(ask(symbol))?; // what the question needs is in memory afterwards
        }
        let mut times = Vec::new();
        for symbol in sample {
            let started = Instant::now();
            answered(ask(symbol))?;
            times.push(started.elapsed());
        }
        all.push(Timed { name, bound_ms, times });
    }
    Ok(all)
}

/// That several symbols fit, or that a function has no implementors, is an answer too.
fn answered(outcome: Result<(), GraphError>) -> Result<(), Failure> {
    match outcome {
        Ok(()) | Err(GraphError::Ambiguous { .. } | GraphError::NotFound { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

fn selector(symbol: &Symbol) -> Result<Selector, GraphError> {
    Ok(Selector::parse(&symbol.selector())?)
}

fn words(text: &str) -> SearchQuery {
    SearchQuery { text: text.to_owned(), kind: None, symbol_kind: None, lang: None, path: None, limit: 20 }
}

/// The words of a name, as a person would type them.
fn spaced(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter == '_' || letter.is_uppercase() {
            out.push(' ');
        }
        out.extend(letter.to_lowercase().filter(|letter| *letter != '_'));
    }
    out
}

fn beginning(name: &str) -> &str {
    &name[..name.floor_char_boundary(name.len().min(5))]
}

/// The name without its third letter.
fn mistyped(name: &str) -> String {
    name.chars().enumerate().filter(|(at, _)| *at != 2).map(|(_, letter)| letter).collect()
}

fn grep(repo: &Path, sample: &[Symbol]) -> Result<Vec<Duration>, Failure> {
    let mut times = Vec::new();
    for symbol in sample.iter().take(STARTS) {
        let mut command = git_command();
        command.args(["grep", "-n", "-w", "-F", "-e", &symbol.name]).current_dir(repo);
        times.push(child::run(&mut command)?.0.wall);
    }
    Ok(times)
}

/// Starting the program: with nothing to do, and with one question.
fn cold(orbit: &Path, repo: &Path, sample: &[Symbol]) -> Result<Vec<Timed>, Failure> {
    let questions: [(&'static str, &[&str]); 4] = [
        ("orbit --version", &[]),
        ("orbit graph search", &["graph", "search"]),
        ("orbit graph show", &["graph", "show"]),
        ("orbit graph refs", &["graph", "refs"]),
    ];
    let mut timed: Vec<Timed> =
        questions.iter().map(|(name, _)| Timed { name, bound_ms: None, times: Vec::new() }).collect();
    for symbol in sample.iter().take(STARTS) {
        for ((_, words), timed) in questions.iter().zip(&mut timed) {
            let mut command = Command::new(orbit);
            match words {
                [] => command.arg("--version"),
                [.., "search"] => command.args(*words).arg(&symbol.name),
                _ => command.args(*words).arg(symbol.selector()),
            };
            timed.times.push(child::run(command.current_dir(repo))?.0.wall);
        }
    }
    Ok(timed)
}

fn report(out: &mut String, title: &str, symbols: usize, warm: &[Timed], grep: &[Duration], cold: &[Timed]) {
    let grep_p50 = median(grep.iter().copied());
    let _ = writeln!(out, "\n## {title}, {symbols} symbols, {} asked about\n", warm[0].times.len());
    out.push_str(
        "| warm | p50 ms | p95 ms | bound for p95 | `git grep -n -w` p50 / ours |\n|---|--:|--:|--:|--:|\n",
    );
    for timed in warm {
        let [p50, p95] = [50, 95].map(|percent| percentile(timed.times.iter().copied(), percent));
        let bound = timed.bound_ms.map_or("-".to_owned(), |bound| bound.to_string());
        let ratio = grep_p50.as_secs_f64() / p50.as_secs_f64();
        let _ = writeln!(
            out,
            "| {} | {:.2} | {:.2} | {bound} | {ratio:.0} |",
            timed.name,
            millis(p50),
            millis(p95)
        );
    }
    let _ = writeln!(
        out,
        "| `git grep -n -w` | {:.1} | {:.1} | - | 1 |",
        millis(grep_p50),
        millis(percentile(grep.iter().copied(), 95))
    );
    out.push_str("\n| by call | p50 ms | p95 ms | p50 over `--version` |\n|---|--:|--:|--:|\n");
    let nothing = median(cold[0].times.iter().copied());
    for timed in cold {
        let [p50, p95] = [50, 95].map(|percent| percentile(timed.times.iter().copied(), percent));
        let over = millis(p50) - millis(nothing);
        let _ = writeln!(out, "| `{}` | {:.1} | {:.1} | {over:.1} |", timed.name, millis(p50), millis(p95));
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
