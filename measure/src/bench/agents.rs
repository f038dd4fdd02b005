//! `cargo xtask bench agents`: what one answer is worth to an agent. A protocol, not a model.
//!
//! ```text
//! truth ─known─▶ Known ─drawn─▶ Question ─asked (one call)─▶ Answer ─judged─▶ Score ─report─▶ benches/agents.md
//!                                        └─floor (`git grep`, reading)─▶ Floor
//! ```
//!
//! - [`known`]: who uses what, as a compiler says; [`bindings`] are not uses.
//! - [`drawn`]: questions at random; [`testing`] knows which functions are tests.
//! - [`asked`]: the answer over MCP, alone.
//! - [`judged`]: right, wrong, missed; places that the compiler could not judge count neither way.
//! - [`census`]: names counted in the files, and the accounts beside them.

mod asked;
mod bindings;
mod census;
mod drawn;
mod floor;
mod judged;
mod known;
mod report;
mod testing;

use super::sample::{Indexed, symbols};
use crate::accuracy::{check_commit, truth, truth_file};
use crate::args::AgentsArgs;
use crate::mcp::Client;
use crate::scratch::Source;
use crate::{programs, summary};
use asked::Answer;
use census::{Accounts, Census};
use drawn::{Kind, Question};
use floor::Floor;
use judged::Score;
use known::Known;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, ExitCode};
use xtask::failure::{Failure, fail};
use xtask::render;

const SUMMARY: &str = "benches/agents.md";

/// A question with all that came out.
struct Asked {
    question: Question,
    answer: Answer,
    score: Score,
    /// Calls until the answer is complete or each uncertain row was read.
    calls: usize,
    /// Of impacts there is none.
    floor: Option<Floor>,
    /// In words, an account that does not add up.
    odd: Option<String>,
}

impl Asked {
    /// The answer says that nothing is left, and a use is not in it.
    fn is_wrongly_complete(&self) -> bool {
        self.answer.is_complete && !self.answer.is_cut && !self.score.missed.is_empty()
    }

    /// The answer says that nothing is left, and something in it is not a use.
    fn is_complete_with_more(&self) -> bool {
        self.answer.is_complete && !self.score.wrong.is_empty()
    }
}

/// What came out for one repository.
struct Repository {
    title: String,
    language: String,
    lines: usize,
    asked: Vec<Asked>,
    accounts: Accounts,
}

pub(super) fn run(args: &AgentsArgs) -> Result<ExitCode, Failure> {
    if let Some(dir) = args.truth.as_ref().filter(|dir| !dir.is_dir()) {
        return Err(fail(format!("{} is not a directory", dir.display())));
    }
    let orbit = args.orbit.clone().map_or_else(programs::orbit, Ok)?;
    let mut repositories = Vec::new();
    for repo in &args.repos {
        let source = Source::at(repo)?;
        render::note(format!("asking about {}", source.title()));
        let known = match &args.truth {
            Some(dir) if truth_file(dir, &source).is_ok() => {
                let truth = truth::read(&truth_file(dir, &source)?)?;
                check_commit(&source, &truth)?;
                Some(Known::of(truth, repo))
            }
            _ => None,
        };
        repositories.push(repository(&orbit, &source, known.as_ref(), args)?);
    }
    let text = report::markdown(&super::setting_lines(&orbit)?, &args.notes, &repositories);
    if args.show {
        report::differences(&repositories).iter().for_each(render::line);
    }
    summary::publish(SUMMARY, &text, args.write)
}

fn repository(
    orbit: &Path,
    source: &Source,
    known: Option<&Known>,
    args: &AgentsArgs,
) -> Result<Repository, Failure> {
    let indexed = Indexed::make(orbit, source)?;
    let root = indexed.copy.as_path();
    let questions = known.map_or_else(Vec::new, |known| drawn::draw(known, root, args.samples, args.seed));
    let all = symbols(orbit, root)?;
    let names = census::names(&all, args.names, args.seed);
    let wanted: BTreeSet<String> =
        names.iter().chain(questions.iter().map(|question| &question.name)).cloned().collect();
    let census = Census::take(root, &wanted)?;
    let mut client = Client::start(Command::new(orbit).args(["mcp", "-C"]).arg(root))?;
    client.call("graph_sync", &json!({}))?;
    let mut asked = Vec::new();
    for question in questions {
        if let Some(known) = known {
            asked.push(ask(&mut client, known, root, &census, question)?);
        }
    }
    Ok(Repository {
        title: source.title(),
        language: known.map(|known| known.truth.language.clone()).unwrap_or_default(),
        lines: census.lines,
        asked,
        accounts: census::accounts(&mut client, root, &census, &names, &all)?,
    })
}

fn ask(
    client: &mut Client,
    known: &Known,
    root: &Path,
    census: &Census,
    question: Question,
) -> Result<Asked, Failure> {
    let mut answer = asked::ask(client, &question, known.break_depth())?;
    let (mut calls, mut odd, mut floor) = (1, None, None);
    if answer.open > answer.uncertain.len() {
        calls += 1;
        asked::ask_again(client, &question, known.break_depth(), &mut answer)?;
    }
    calls += answer.uncertain.len();
    if !matches!(question.kind, Kind::Breaks | Kind::Tests) {
        let account = asked::account(client, &format!("{}:{}", question.file, question.line))?;
        if !account.is_null() {
            odd = census.check(root, &question.name, &account);
        }
        floor = Some(floor::floor(known, root, &question)?);
    }
    let score = judged::judge(known, root, &question, &answer);
    Ok(Asked { question, answer, score, calls, floor, odd })
}
