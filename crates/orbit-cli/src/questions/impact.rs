//! `orbit graph impact`: what a change can reach.

use super::account;
use super::compact::{finish, name, place, push};
use super::options::Threshold;
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

    /// `{distance: {file: ["symbol:line"]}}` for code and for tests.
    fn compact(&self, answer: &Self::Answer) -> Value {
        let mut out = Map::new();
        let start = if let [one] = &answer.start[..] { json!(one) } else { json!(answer.start) };
        out.insert("start".into(), start);
        out.insert("touched".into(), by_distance(&answer.touched));
        if !answer.tests.is_empty() {
            out.insert("tests".into(), by_distance(&answer.tests));
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

/// `{distance: {file: ["symbol:line"]}}`. A member of what the entry before it is a member of begins with its separator, and
/// a directory that all files share is said once.
fn by_distance(rows: &[Touched]) -> Value {
    let shared = shared_directory(rows);
    let mut out = if shared.is_empty() { json!({}) } else { json!({"below": shared}) };
    let mut before: Option<(usize, &str, String)> = None;
    for row in rows {
        let name = name(&row.selector);
        let owner = owner(&name).to_owned();
        let is_same = before.as_ref().is_some_and(|(distance, file, before)| {
            (*distance, *file, before) == (row.distance, &row.file, &owner)
        });
        let shown = if is_same && !owner.is_empty() { &name[owner.len()..] } else { &name };
        let list = &mut out[row.distance.to_string()][&row.file[shared.len()..]];
        push(list, place(shown, row.line, row.confidence));
        before = Some((row.distance, &row.file, owner));
    }
    out
}

/// The directory that all files are below, with the slash behind it, where it is worth saying once.
fn shared_directory(rows: &[Touched]) -> &str {
    const FEW_FILES: usize = 3;
    const SHORT: usize = 12;
    let Some(first) = rows.first().map(|row| row.file.as_str()) else { return "" };
    let shared = |path: &str| path.bytes().zip(first.bytes()).take_while(|(a, b)| a == b).count();
    let length = rows.iter().map(|row| shared(&row.file)).min().unwrap_or(0);
    let directory = first.as_bytes()[..length].iter().rposition(|byte| *byte == b'/').map_or(0, |at| at + 1);
    let files: std::collections::BTreeSet<&str> = rows.iter().map(|row| row.file.as_str()).collect();
    if directory > SHORT && files.len() > FEW_FILES { &first[..directory] } else { "" }
}

/// What a name is a member of, without the separator behind it.
fn owner(name: &str) -> &str {
    let separator = name.rfind("::").or_else(|| name.rfind('.'));
    separator.filter(|_| !name.contains(' ')).map_or("", |at| &name[..at])
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
    fn owners_and_directories_are_said_once() {
        let rows = [
            row(1, "src/test/java/shop/CartTest.java", "CartTest.adds", 3),
            row(1, "src/test/java/shop/CartTest.java", "CartTest.drops", 9),
            row(1, "src/test/java/shop/BillTest.java", "BillTest.adds", 4),
            row(2, "src/test/java/shop/BillTest.java", "BillTest.sums", 8),
            row(2, "src/test/java/shop/a/TaxTest.java", "<Tax as Rate>::of", 5),
            row(2, "src/test/java/shop/b/TaxTest.java", "top", 6),
        ];
        let expected = json!({
            "below": "src/test/java/shop/",
            "1": {"CartTest.java": ["CartTest.adds:3", ".drops:9"], "BillTest.java": ["BillTest.adds:4"]},
            "2": {
                "BillTest.java": ["BillTest.sums:8"],
                "a/TaxTest.java": ["<Tax as Rate>::of:5"],
                "b/TaxTest.java": ["top:6"],
            },
        });
        assert_eq!(by_distance(&rows), expected);
        assert_eq!(by_distance(&rows[..3])["1"]["src/test/java/shop/BillTest.java"][0], "BillTest.adds:4");
        assert_eq!(by_distance(&[]), json!({}));
    }
}
