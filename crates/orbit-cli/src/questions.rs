//! What can be asked of a worktree: on the command line and over MCP, with the same answers.
//!
//! ```text
//! words ─clap─┐
//!             ├─▶ request (a `Question`) ─run(Context)─▶ Answer ─┬─▶ text, JSON       command line
//! JSON ─clap──┘                                                  └─▶ compact, JSON    MCP
//! ```
//!
//! A question is its request: one type whose fields are the arguments, with their help and defaults. Its file says what
//! is asked, how it is answered and how the answer looks; [`LIST`] is what exists. The command line gets a subcommand
//! from it ([`entry`]), MCP a tool with a schema ([`arguments`]).

mod arguments;
mod account;
mod callees;
mod cochange;
mod compact;
mod context;
mod cycles;
mod deps;
mod entry;
mod history;
mod impact;
mod implementors;
mod meant;
mod options;
mod overview;
mod pack;
mod path;
mod places;
mod refactor;
mod refs;
mod search;
mod several;
mod show;
mod sync;
mod task_symbols;
mod trace;
mod unused;
mod whereabouts;
mod wording;

use crate::failure::Failure;
use clap::Args;
use serde::Serialize;
use serde_json::Value;
use std::io::Write;
use std::marker::PhantomData;

pub(crate) use context::{Caller, Context, open_graph};
use entry::Of;
pub(crate) use entry::{Asked, Entry, error_text};
pub(crate) use meant::meant;

/// Something that can be asked.
pub(crate) trait Question: Args + 'static {
    /// Where it is listed.
    const FAMILY: Family;
    /// The subcommand; behind the name of the family it is the tool.
    const NAME: &'static str;
    /// One line for people, without a full stop.
    const ABOUT: &'static str;
    /// Command lines, behind the name of the program.
    const EXAMPLES: &'static [&'static str];
    /// One or two sentences for agents; none when it is not a tool.
    const TOOL: Option<&'static str>;
    /// Arguments that agents are not offered.
    const ONLY_TYPED: &'static [&'static str] = &["sync"];
    /// Whether agents get rows grouped by what they share, unless they ask for `detail`.
    const IS_GROUPED: bool = false;
    /// Whether it may take longer than handing it to another thread.
    const IS_LONG: bool = false;
    /// Whether it changes nothing.
    const ONLY_READS: bool = true;

    /// What comes back.
    type Answer: Serialize;

    /// Answers it.
    fn run(&self, context: &Context<'_>) -> Result<Self::Answer, Failure>;

    /// The answer for people and for agents behind a shell.
    fn text(&self, answer: &Self::Answer, out: &mut dyn Write) -> Result<(), Failure>;

    /// The answer for agents: every fact once.
    fn compact(&self, answer: &Self::Answer) -> Value {
        to_json(answer)
    }

    /// The files that the answer is about: what is known about them is said in one line.
    fn files(&self, _answer: &Self::Answer) -> Vec<String> {
        Vec::new()
    }

    /// The schema of an argument whose type the command line cannot tell.
    fn schema(_argument: &str) -> Option<Value> {
        None
    }
}

/// Questions that are listed together: below one command, and in one toolset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// Reads the code graph.
    Graph,
    /// Changes source files.
    Refactor,
}

impl Family {
    /// The command above the questions, and the first part of their tools' names.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Family::Graph => "graph",
            Family::Refactor => "refactor",
        }
    }

    /// Its questions.
    pub(crate) fn questions(self) -> impl Iterator<Item = &'static dyn Entry> {
        LIST.iter().copied().filter(move |question| question.family() == self)
    }
}

/// Every question, in the order of the help.
pub(crate) static LIST: &[&dyn Entry] = &[
    of::<sync::Sync>(),
    of::<search::Search>(),
    of::<show::Show>(),
    of::<refs::Refs>(),
    of::<callees::Callees>(),
    of::<impact::Impact>(),
    of::<path::Path>(),
    of::<trace::Trace>(),
    of::<overview::Overview>(),
    of::<implementors::Implementors>(),
    of::<deps::Deps>(),
    of::<cycles::Cycles>(),
    of::<unused::Unused>(),
    of::<history::History>(),
    of::<cochange::Cochange>(),
    of::<pack::Pack>(),
    of::<refactor::rename::Rename>(),
    of::<refactor::relocate::Move>(),
    of::<refactor::create::Create>(),
    of::<refactor::delete::Delete>(),
    of::<refactor::change_signature::ChangeSignature>(),
    of::<refactor::change_body::ChangeBody>(),
    of::<refactor::split::Split>(),
    of::<refactor::merge::Merge>(),
    of::<refactor::status::Status>(),
    of::<refactor::diff::Diff>(),
    of::<refactor::undo::Undo>(),
    of::<refactor::abort::Abort>(),
    of::<refactor::commit::Commit>(),
];

const fn of<Q: Question>() -> &'static dyn Entry {
    &Of::<Q>(PhantomData)
}

fn to_json(answer: &impl Serialize) -> Value {
    serde_json::to_value(answer).unwrap_or(Value::Null)
}
