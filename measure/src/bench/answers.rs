//! `cargo xtask bench answers`: what answers cost an agent, and whether they are whole. Random symbols are asked
//! about over MCP, and `git grep -n -w` is asked for the same names.

use super::said::said_in_groups;
use super::sample::{Indexed, Symbol, pick, symbols};
use super::stats::median;
use crate::args::AnswersArgs;
use crate::mcp::Client;
use crate::programs;
use crate::scratch::Source;
use crate::summary;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode};
use xtask::failure::{Context, Failure};
use xtask::project::git_command;
use xtask::render;

/// How much of a line is quoted, in bytes.
const MAX_LINE: usize = 120;
const SUMMARY: &str = "benches/answers.md";

const HEAD: &str = "# Answers, weighed

Written by `cargo xtask bench answers --repo … --write`. Random symbols are asked about over MCP; a token is four
characters. *Call lines missed*: lines where `git grep -n -w` finds the name followed by `(` outside of comments, that
are not in the answer although no other symbol has the name; definitions do not count.

";

/// What was asked about one repository.
struct Weighed {
    title: String,
    callers: Vec<Callers>,
    implementors: Vec<usize>,
    impact: Vec<usize>,
    over_cap: usize,
}

/// \"Who calls X?\"
struct Callers {
    name: String,
    ours: usize,
    grep: usize,
    lines: usize,
    missed: Vec<String>,
}

pub(super) fn run(args: &AnswersArgs) -> Result<ExitCode, Failure> {
    let orbit = programs::orbit()?;
    let mut text = String::from(HEAD);
    for line in super::setting_lines(&orbit)? {
        let _ = writeln!(text, "- {line}");
    }
    let mut weighed = Vec::new();
    for repo in &args.repos {
        let source = Source::at(repo)?;
        render::note(format!("asking about {}", source.title()));
        weighed.push(weigh(&orbit, &source, args.samples)?);
    }
    let start = start_up(&orbit, args)?;
    let _ = writeln!(text, "- Schemas and instructions of the code tools: {start} tokens.\n");
    report(&mut text, &weighed);
    summary::publish(SUMMARY, &text, args.write)
}

/// Tokens an agent spends before it asks anything.
fn start_up(orbit: &Path, args: &AnswersArgs) -> Result<usize, Failure> {
    let mut client = Client::start(Command::new(orbit).args(["mcp", "-C"]).arg(&args.repos[0]))?;
    let tools = Value::Array(client.tools()?).to_string();
    Ok(tokens(tools.len() + client.instructions.len()))
}

fn weigh(orbit: &Path, source: &Source, samples: usize) -> Result<Weighed, Failure> {
    let indexed = Indexed::make(orbit, source)?;
    let all = symbols(orbit, &indexed.copy)?;
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    for symbol in &all {
        *names.entry(symbol.name.clone()).or_default() += 1;
    }
    let (types, rest): (Vec<Symbol>, Vec<Symbol>) = all.into_iter().partition(Symbol::is_type);
    let callables = pick(rest.into_iter().filter(Symbol::is_callable).collect(), samples);
    let types = pick(types, samples);
    let mut client = Client::start(Command::new(orbit).args(["mcp", "-C"]).arg(&indexed.copy))?;
    client.call("graph_sync", &json!({}))?;
    let mut weighed = Weighed {
        title: source.title(),
        callers: Vec::new(),
        implementors: Vec::new(),
        impact: Vec::new(),
        over_cap: 0,
    };
    for symbol in &callables {
        let is_only_one = names.get(&symbol.name) == Some(&1);
        weighed.callers.push(callers(&mut client, &indexed.copy, symbol, is_only_one)?);
        let answer = client.call("graph_impact", &json!({"selector": symbol.selector()}))?;
        weighed.impact.push(tokens(answer.text.len()));
    }
    for symbol in &types {
        let answer = client.call("graph_implementors", &json!({"selector": symbol.selector()}))?;
        weighed.implementors.push(tokens(answer.text.len()));
    }
    let caller_tokens = weighed.callers.iter().map(|callers| tokens(callers.ours));
    let all = caller_tokens.chain(weighed.implementors.iter().copied()).chain(weighed.impact.iter().copied());
    weighed.over_cap = all.filter(|tokens| *tokens > 8_000).count();
    Ok(weighed)
}

fn callers(client: &mut Client, repo: &Path, symbol: &Symbol, is_only_one: bool) -> Result<Callers, Failure> {
    let question = json!({"selector": symbol.selector(), "kind": "call"});
    let answer = client.call("graph_refs", &question)?;
    let parsed: Value = serde_json::from_str(&answer.text).context("graph_refs")?;
    let mut found = lines_of(&parsed["refs"]);
    found.append(&mut lines_of(&parsed["uncertain"]));
    found.append(&mut lines_of(&serde_json::json!({ "dispatch": parsed["dispatch"] })));
    let grep =
        git_command().args(["grep", "-n", "-w", "-F", "-e", &symbol.name]).current_dir(repo).output()?;
    let grep = String::from_utf8_lossy(&grep.stdout).into_owned();
    let missed = if is_only_one { missed(&grep, symbol, &found) } else { Vec::new() };
    Ok(Callers {
        name: symbol.name.clone(),
        ours: answer.text.len(),
        grep: grep.len(),
        lines: found.len(),
        missed,
    })
}

/// Every `file:line` of a grouped answer.
fn lines_of(refs: &Value) -> BTreeSet<String> {
    let all = said_in_groups(refs).into_iter();
    all.flat_map(|one| one.lines.into_iter().map(move |line| format!("{}:{line}", one.file))).collect()
}

/// Lines that look like calls and are not in the answer.
fn missed(grep: &str, symbol: &Symbol, found: &BTreeSet<String>) -> Vec<String> {
    let call = format!("{}(", symbol.name);
    let mut missed = Vec::new();
    for line in grep.lines() {
        let mut parts = line.splitn(3, ':');
        let (Some(file), Some(number), Some(text)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let before = text.split(&call).next().unwrap_or("");
        let is_comment = ["//", "#", "*", "/*", "--"].iter().any(|mark| text.trim_start().starts_with(mark))
            || before.contains("//")
            || before.contains(" # ");
        let place = format!("{file}:{number}");
        let is_definition = file == symbol.file && number == symbol.line.to_string();
        let is_code = orbit_graph::Lang::of_path(file)
            .is_some_and(|lang| !matches!(lang, orbit_graph::Lang::Markdown | orbit_graph::Lang::Config));
        if text.contains(&call) && is_code && !is_comment && !is_definition && !found.contains(&place) {
            missed.push(line.to_owned());
        }
    }
    missed
}

fn report(out: &mut String, weighed: &[Weighed]) {
    out.push_str(
        "| repository | asked | \"who calls X\" median tokens | `git grep` median tokens | longer than `git grep` \
         | call lines found | call lines missed | \"what implements Y\" median | \"what breaks\" median | above the cap |\n\
         |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for one in weighed {
        let longer = one.callers.iter().filter(|callers| callers.ours > callers.grep).count();
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {longer} | {} | {} | {} | {} | {} |",
            one.title,
            one.callers.len(),
            median(one.callers.iter().map(|callers| tokens(callers.ours))),
            median(one.callers.iter().map(|callers| tokens(callers.grep))),
            one.callers.iter().map(|callers| callers.lines).sum::<usize>(),
            one.callers.iter().map(|callers| callers.missed.len()).sum::<usize>(),
            median(one.implementors.iter().copied()),
            median(one.impact.iter().copied()),
            one.over_cap,
        );
    }
    for one in weighed {
        let _ = writeln!(out, "\n## {}\n", one.title);
        for callers in one.callers.iter().filter(|callers| callers.ours > callers.grep) {
            let _ = writeln!(
                out,
                "- `{}`: {} characters, `git grep` {}.",
                callers.name, callers.ours, callers.grep
            );
        }
        for line in one.callers.iter().flat_map(|callers| &callers.missed) {
            // A line of generated code may be as long as its file.
            let line = line.trim().replace('`', "'");
            let _ = writeln!(out, "- missed: `{}`", &line[..line.floor_char_boundary(MAX_LINE)]);
        }
    }
}

fn tokens(characters: usize) -> usize {
    characters.div_ceil(4)
}
