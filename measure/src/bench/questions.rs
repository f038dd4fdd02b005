//! `cargo xtask bench questions`: the same questions put to `orbit mcp` and to the servers of its peers. What is true
//! stands in `benches/questions.tsv`.

mod tools;

use super::stats::median;
use crate::args::QuestionsArgs;
use crate::mcp::Client;
use crate::programs;
use crate::scratch::Source;
use crate::summary;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Duration;
use tools::{Entry, Tool};
use xtask::failure::{Context, Failure, fail};
use xtask::project;
use xtask::render;

const SUMMARY: &str = "benches/questions.md";
const TRUTH: &str = "benches/questions.tsv";
/// How often a question is put; the table has medians, without the first.
const ROUNDS: usize = 9;

/// How long a server has until the first question.
const START: Duration = Duration::from_secs(1);

const HEAD: &str = "# The same questions, side by side

Written by `cargo xtask bench questions … --write`. Every server runs over standard input and output with its index
ready; the time is the median of warm calls, a token is four characters. *True*: callers (or implementing types) of
`questions.tsv` that the answer has, of all there are. *False*: those it has that are not true. Guesses that an answer
marks as such count as neither. *Sites*: lines of calls that the answer gives.

";

/// One question, with every place that answers it.
pub(super) struct Question {
    repository: String,
    pub(super) symbol: String,
    pub(super) is_callers: bool,
    /// `(file, line)` and the caller or type there.
    truth: BTreeMap<(String, u32), String>,
}

struct Scored {
    found: usize,
    wrong: Vec<String>,
    sites: usize,
    tokens: usize,
    wall: Duration,
}

pub(super) fn run(args: &QuestionsArgs) -> Result<ExitCode, Failure> {
    let orbit = programs::orbit()?;
    let tools = Tool::chosen(&orbit, args);
    let questions = read_truth()?;
    let mut text = String::from(HEAD);
    for line in super::setting_lines(&orbit)? {
        let _ = writeln!(text, "- {line}");
    }
    for tool in &tools {
        let _ = writeln!(text, "- {} {}.", tool.name, tool.version()?);
    }
    text.push_str("\n| question | all | ");
    text.push_str(
        &tools.iter().map(|tool| format!("{} true, false, sites", tool.name)).collect::<Vec<_>>().join(" | "),
    );
    text.push_str(" | tokens | warm ms |\n|---|--:|");
    text.push_str(&"---|".repeat(tools.len() + 2));
    text.push('\n');
    let mut remarks = String::new();
    for repo in &args.repos {
        let source = Source::at(repo)?;
        render::note(format!("asking about {}", source.title()));
        ask_about(&source, &tools, &questions, &mut text, &mut remarks)?;
    }
    text.push_str(&remarks);
    summary::publish(SUMMARY, &text, args.write)
}

fn ask_about(
    source: &Source,
    tools: &[Tool],
    questions: &[Question],
    text: &mut String,
    remarks: &mut String,
) -> Result<(), Failure> {
    let asked: Vec<&Question> =
        questions.iter().filter(|question| question.repository == source.name).collect();
    let mut scored: Vec<Vec<Option<Scored>>> = Vec::new();
    for tool in tools {
        let scratch = crate::scratch::dir()?;
        let copy = scratch.path().join(&source.name);
        source.copy(&copy)?;
        tool.index(&copy, scratch.path())?;
        let mut client = Client::start(&mut tool.server(&copy, scratch.path()))?;
        std::thread::sleep(START); // servers look at the files once when they start
        scored.push(asked.iter().map(|question| ask(tool, &mut client, question)).collect::<Result<_, _>>()?);
    }
    for (number, question) in asked.iter().enumerate() {
        let of = if question.is_callers { "who calls" } else { "what implements" };
        let _ =
            write!(text, "| {} {of} `{}` | {} |", source.title(), question.symbol, question.answers().len());
        let row: Vec<&Option<Scored>> = scored.iter().map(|tool| &tool[number]).collect();
        for cell in &row {
            let _ = match cell {
                Some(cell) => write!(text, " {}, {}, {} |", cell.found, cell.wrong.len(), cell.sites),
                None => write!(text, " no such question |"),
            };
        }
        let each = |show: fn(&Scored) -> String| {
            let cells = row.iter().map(|cell| cell.as_ref().map_or("-".to_owned(), show));
            cells.collect::<Vec<_>>().join(" / ")
        };
        let tokens = each(|cell| cell.tokens.to_string());
        let wall = each(|cell| format!("{:.2}", cell.wall.as_secs_f64() * 1e3));
        let _ = writeln!(text, " {tokens} | {wall} |");
        for (tool, cell) in tools.iter().zip(&row) {
            for wrong in cell.iter().flat_map(|cell| &cell.wrong) {
                let _ = writeln!(
                    remarks,
                    "\n- {} on `{}`, counted as false: {wrong}",
                    tool.name, question.symbol
                );
            }
        }
    }
    Ok(())
}

fn ask(tool: &Tool, client: &mut Client, question: &Question) -> Result<Option<Scored>, Failure> {
    let Some((name, arguments)) = tool.question(question) else { return Ok(None) };
    let mut walls = Vec::new();
    let mut text = String::new();
    for round in 0..ROUNDS {
        let answer = client.call(name, &arguments)?;
        if answer.is_error {
            return Err(fail(format!("{} on {}: {}", tool.name, question.symbol, answer.text)));
        }
        if round > 0 {
            walls.push(answer.took);
        }
        text = answer.text;
    }
    let entries = tool.entries(&text, question);
    Ok(Some(question.score(&entries, &text, median(walls))))
}

impl Question {
    /// The different callers or types.
    fn answers(&self) -> BTreeSet<(String, String)> {
        self.truth.iter().map(|((file, _), name)| (file.clone(), name.clone())).collect()
    }

    fn score(&self, entries: &[Entry], text: &str, wall: Duration) -> Scored {
        let answers = self.answers();
        let (mut found, mut wrong, mut sites) = (BTreeSet::new(), BTreeSet::new(), 0);
        for entry in entries {
            let by_line = entry.lines.iter().filter_map(|line| self.truth.get(&(entry.file.clone(), *line)));
            let mut true_names: Vec<&String> = by_line.collect();
            sites += true_names.len();
            let by_name = answers.iter().find(|(file, name)| *file == entry.file && *name == entry.name);
            true_names.extend(by_name.map(|(_, name)| name));
            if true_names.is_empty() {
                wrong.insert(format!("`{}` in {}", entry.name, entry.file));
            }
            found.extend(true_names.into_iter().map(|name| (entry.file.clone(), name.clone())));
        }
        Scored {
            found: found.len(),
            wrong: wrong.into_iter().collect(),
            sites,
            tokens: text.len().div_ceil(4),
            wall,
        }
    }
}

fn read_truth() -> Result<Vec<Question>, Failure> {
    let text = std::fs::read_to_string(project::root().join(TRUTH)).context(TRUTH)?;
    let mut questions: Vec<Question> = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let [repository, symbol, kind, file, number, name] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(fail(format!("{TRUTH}: {line}")));
        };
        let is_new =
            questions.last().is_none_or(|last| last.repository != repository || last.symbol != symbol);
        if is_new {
            questions.push(Question {
                repository: repository.to_owned(),
                symbol: symbol.to_owned(),
                is_callers: kind == "callers",
                truth: BTreeMap::new(),
            });
        }
        let line: u32 = number.parse().context(TRUTH)?;
        if let Some(question) = questions.last_mut() {
            question.truth.insert((file.to_owned(), line), name.to_owned());
        }
    }
    Ok(questions)
}
