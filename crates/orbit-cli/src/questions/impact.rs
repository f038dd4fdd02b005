//! `orbit graph impact`: what a change can reach.

use super::account;
use super::compact::{file_of, finish, name, sign};
use super::options::Threshold;
use super::places::{self, Entry};
use super::{Context, Family, Question};
use crate::failure::Failure;
use crate::render::rows::Rows;
use crate::render::text::{mark, printable, some, stale};
use clap::{Args, ValueEnum};
use orbit_graph::{ImpactAccount, ImpactOptions, Touched};
use serde_json::{Map, Value, json};
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Impact {
    /// Selectors, names, paths or path:line
    #[arg(required_unless_present = "diff", conflicts_with = "diff", value_name = "SELECTORS")]
    selector: Vec<String>,
    /// Start from the symbols of a diff: a revision range, or `worktree`
    #[arg(long, value_name = "RANGE")]
    diff: Option<String>,
    /// Steps from the start
    #[arg(long, default_value_t = 3, value_name = "N")]
    depth: usize,
    /// Which way edges are followed
    #[arg(long, value_enum, default_value = "inbound")]
    direction: Direction,
    /// Follow edges down to this confidence level
    #[arg(long, value_enum, default_value = "dispatch")]
    confidence: Threshold,
    /// At most this many rows of each list
    #[arg(long, default_value_t = 200, value_name = "N")]
    limit: usize,
    /// Sync first
    #[arg(long)]
    sync: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Direction {
    Inbound,
    Outbound,
    Both,
}

impl Question for Impact {
    const FAMILY: Family = Family::Graph;
    const NAME: &'static str = "impact";
    const ABOUT: &'static str = "What a change can reach, nearest first, tests apart";
    const EXAMPLES: &'static [&'static str] = &[
        "graph impact Client::connect",
        "graph impact --diff worktree",
        "graph impact --diff main..HEAD --depth 2",
    ];
    const TOOL: Option<&'static str> = Some(
        "What breaks if these change: transitive users, nearest first, tests apart. Give selector(s), or diff: a git range or 'worktree'.",
    );
    const IS_GROUPED: bool = true;

    type Answer = orbit_graph::Impact;

    fn run(&self, context: &Context<'_>) -> Result<Self::Answer, Failure> {
        let graph = context.graph(self.sync)?;
        let direction = match self.direction {
            Direction::Inbound => orbit_graph::Direction::Inbound,
            Direction::Outbound => orbit_graph::Direction::Outbound,
            Direction::Both => orbit_graph::Direction::Both,
        };
        let confidence = self.confidence.confidence();
        let options = ImpactOptions { depth: self.depth, direction, confidence, limit: self.limit };
        Ok(match &self.diff {
            Some(range) => graph.impact_of_diff(range, &options)?,
            None => graph.impact(&context.selectors(&self.selector)?, &options)?,
        })
    }

    fn text(&self, answer: &Self::Answer, out: &mut dyn Write) -> Result<(), Failure> {
        writeln!(
            out,
            "{} touched, {}, from {}",
            answer.touched.len(),
            some(answer.tests.len(), "test"),
            some(answer.start.len(), "symbol")
        )?;
        touched(out, &answer.touched)?;
        if !answer.tests.is_empty() {
            writeln!(out, "tests:")?;
            touched(out, &answer.tests)?;
        }
        if !answer.unmapped.is_empty() {
            writeln!(out, "changed outside of any symbol: {}", answer.unmapped.join(", "))?;
        }
        if answer.truncated {
            let least = if answer.complete { "" } else { "at least " };
            writeln!(out, "(of {least}{}; narrow --depth or raise --limit)", answer.total)?;
        }
        writeln!(out, "{}", sentence(&answer.account))?;
        stale(out, &answer.stale)
    }

    /// What may change, not what that can reach.
    fn files(&self, answer: &Self::Answer) -> Vec<String> {
        answer.start.iter().filter_map(|selector| file_of(selector)).collect()
    }

    /// `{file: "distance: symbol:line …"}` for code and for tests.
    fn compact(&self, answer: &Self::Answer) -> Value {
        let mut out = Map::new();
        let start = match (&answer.start[..], &self.selector[..]) {
            ([one], [asked]) => json!(places::unless_asked(asked, one)),
            _ => json!(answer.start),
        };
        out.insert("start".into(), start);
        out.insert("touched".into(), by_file(&answer.touched));
        if !answer.tests.is_empty() {
            out.insert("tests".into(), tests_by_file(&answer.tests));
        }
        if answer.tests.len() > MOST_NAMED {
            out.insert("more_tests".into(), json!("+n are not named; detail=true lists all"));
        }
        if !answer.unmapped.is_empty() {
            out.insert("unmapped".into(), json!(answer.unmapped));
        }
        out.insert("account".into(), compact(&answer.account));
        finish(out, answer.truncated.then_some(answer.total), &answer.stale)
    }
}

/// `8 names followed · 3 uncertain (get 2, send 1; --confidence fuzzy follows them) · nothing unread`.
fn sentence(account: &ImpactAccount) -> String {
    let mut parts = vec![format!("{} followed", some(account.names, "name"))];
    if account.uncertain > 0 {
        let most = account.open.iter().filter(|name| name.uncertain > 0);
        let most = most.map(|open| format!("{} {}", printable(&last(&open.selector)), open.uncertain));
        let most: Vec<String> = most.take(3).collect();
        let most = if most.is_empty() { String::new() } else { format!("{}; ", most.join(", ")) };
        parts.push(format!("{} uncertain ({most}--confidence fuzzy follows them)", account.uncertain));
    }
    parts.push(match account.unread {
        0 => "nothing unread".to_owned(),
        count => format!("{count} in code that cannot be read"),
    });
    if !account.called_unnamed.is_empty() {
        let members: Vec<String> = account.called_unnamed.iter().map(|member| last(member)).collect();
        parts.push(format!("{} called without being named", printable(&members.join(", "))));
    }
    parts.join(" · ") + if account.complete { " · complete" } else { "" }
}

/// The name alone of what a selector means.
fn last(selector: &str) -> String {
    let local = name(selector);
    local.rsplit([':', '.']).next().unwrap_or(&local).to_owned()
}

fn compact(account: &ImpactAccount) -> Value {
    let mut out = account::open(account.complete, account.uncertain, account.unread);
    let open = account.open.iter().map(|open| (open.selector.clone(), json!(open.uncertain + open.unread)));
    let open: Map<String, Value> = open.take(3).collect();
    if !open.is_empty() {
        out["most"] = Value::Object(open);
    }
    if !account.called_unnamed.is_empty() {
        out["called_unnamed"] = json!(account.called_unnamed.iter().take(3).collect::<Vec<_>>());
    }
    out
}

fn touched(out: &mut dyn Write, rows: &[Touched]) -> Result<(), Failure> {
    let mut lines = Rows::default();
    for reached in rows {
        let selector = printable(&reached.selector);
        let what = format!("{selector} depth {}{}", reached.distance, mark(reached.confidence));
        lines.push(&reached.file, reached.line, reached.edge_kind, &what);
    }
    lines.print(out)
}

/// So many tests are named, the nearest; of those behind them only the number is said, by file.
const MOST_NAMED: usize = 80;

/// `{file: "1: symbol:line symbol:line 2: symbol:line"}`: behind each distance what is that far away, in the order in which files
/// are first reached.
fn by_file(rows: &[Touched]) -> Value {
    places::by_directory(texts(rows, true))
}

/// The same of tests, without lines: a test is run by its name. Behind the nearest ones, `+12` stands for so many more.
fn tests_by_file(rows: &[Touched]) -> Value {
    let (named, others) = rows.split_at(rows.len().min(MOST_NAMED));
    let mut files = texts(named, false);
    let mut more: Map<String, Value> = Map::new();
    for row in others {
        let count = more.get(&row.file).and_then(Value::as_u64).unwrap_or(0);
        more.insert(row.file.clone(), json!(count + 1));
    }
    for (file, count) in more {
        append(&mut files, &file, &format!("+{count}"));
    }
    places::by_directory(files)
}

fn texts(rows: &[Touched], has_lines: bool) -> Map<String, Value> {
    let entry = |row: &Touched| {
        let name = places::below_file(&row.file, name(&row.selector));
        let line = if has_lines || name.is_empty() { format!(":{}", row.line) } else { String::new() };
        Entry::new(&name, format!("{line}{}", sign(row.confidence)))
    };
    let mut files: Map<String, Value> = Map::new();
    for near in rows.chunk_by(|a, b| (a.distance, &a.file) == (b.distance, &b.file)) {
        let entries: Vec<Entry> = near.iter().map(entry).collect();
        let text = format!("{}: {}", near[0].distance, places::text(&entries));
        append(&mut files, &near[0].file, &text);
    }
    files
}

/// Adds to what is said of a file.
fn append(files: &mut Map<String, Value>, file: &str, text: &str) {
    match files.get_mut(file) {
        Some(Value::String(before)) => before.extend([" ", text]),
        _ => drop(files.insert(file.to_owned(), json!(text))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use orbit_graph::Confidence;

    fn row(distance: usize, file: &str, name: &str, line: u32) -> Touched {
        Touched {
            qualified_name: name.to_owned(),
            selector: format!("symbol:{file}#{name}:method"),
            file: file.to_owned(),
            line,
            distance,
            edge_kind: "call",
            confidence: Confidence::Exact,
            via: String::new(),
        }
    }

    #[test]
    fn files_and_what_names_begin_with_are_said_once() {
        let mut rows = vec![
            row(1, "src/test/java/shop/CartTest.java", "CartTest.adds", 3),
            row(1, "src/test/java/shop/CartTest.java", "CartTest.drops", 9),
            row(1, "src/test/java/shop/BillTest.java", "BillTest.adds", 4),
            row(2, "src/test/java/shop/BillTest.java", "BillTest.sums", 8),
            row(2, "src/test/java/shop/a/TaxTest.java", "<Tax as Rate>::of", 5),
            row(2, "top.java", "top", 6),
        ];
        rows[3].confidence = Confidence::Dispatch;
        rows[5].confidence = Confidence::FuzzyName;
        let expected = json!({
            "src/test/java/shop/": {
                "CartTest.java": "1: .adds:3 .drops:9",
                "BillTest.java": "1: .adds:4 2: .sums:8~",
                "a/TaxTest.java": "2: `<Tax as Rate>::of`:5",
            },
            "top.java": "2: top:6?",
        });
        assert_eq!(by_file(&rows), expected);
        let tests = json!({"src/test/java/shop/CartTest.java": "1: .adds .drops"});
        assert_eq!(tests_by_file(&rows[..2]), tests);
        assert_eq!(by_file(&[]), json!({}));
        let mut outside = row(1, "a.py", "", 7);
        outside.selector = "file:a.py".to_owned();
        assert_eq!(tests_by_file(&[outside]), json!({"a.py": "1: :7"}));
    }

    #[test]
    fn the_nearest_tests_are_named_and_the_others_counted() {
        let mut rows: Vec<Touched> =
            (0..MOST_NAMED).map(|at| row(1, "a.py", &format!("test_{at}"), 1)).collect();
        rows.extend([
            row(2, "a.py", "test_far", 1),
            row(2, "b.py", "test_far", 1),
            row(3, "b.py", "test_farther", 1),
        ]);
        let said = tests_by_file(&rows);
        assert!(said["a.py"].as_str().is_some_and(|text| text.ends_with(" 79} +1")), "{said}");
        assert_eq!(said["b.py"], "+2");
    }
}
