//! A question as a subcommand and as a tool.

use super::arguments::{self, DETAIL, MAX_TOKENS};
use super::{Caller, Context, Family, Question, to_json, wording};
use crate::budget::{self, DEFAULT_TOKENS};
use crate::failure::Failure;
use crate::knowledge::hint;
use crate::render;
use clap::error::ErrorKind;
use clap::{ArgMatches, Command};
use orbit_graph::Graph;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};
use std::io::Write as _;
use std::marker::PhantomData;
use std::path::Path;

/// A question of any type.
pub(crate) trait Entry: Sync {
    fn family(&self) -> Family;
    /// The subcommand.
    fn name(&self) -> &'static str;
    fn is_long(&self) -> bool;
    /// What can be typed.
    fn command(&self) -> Command;
    /// What an agent sees.
    fn tool(&self) -> Option<Tool>;
    /// Answers on standard output.
    fn print(&self, dir: &Path, json: bool, matches: &ArgMatches) -> Result<(), Failure>;
    /// Answers an agent. Both sides are texts; `Err` is one it can act on.
    fn call(&self, dir: &Path, graph: Option<&Graph>, arguments: &JsonObject) -> Result<String, String>;
}

/// The question of this type.
pub(super) struct Of<Q>(pub(super) PhantomData<fn() -> Q>);

impl<Q: Question> Of<Q> {
    fn tool_name() -> String {
        format!("{}_{}", Q::FAMILY.name(), Q::NAME.replace('-', "_"))
    }

    /// The request with nothing around it.
    fn request() -> Command {
        Q::augment_args(Command::new(Q::NAME).no_binary_name(true).disable_help_flag(true))
    }

    fn answer(dir: &Path, graph: Option<&Graph>, arguments: &JsonObject) -> Result<Value, Failure> {
        let matches = arguments::parse::<Q>(&Self::tool_name(), Self::request(), arguments)?;
        let question = Q::from_arg_matches(&matches).map_err(|error| unusable(&error))?;
        let detail = Q::IS_GROUPED && arguments::flag(arguments.get(DETAIL));
        let max_tokens = cap(arguments);
        let context = Context::new(dir, Caller::Agent { detail, max_tokens }, graph);
        let given = question.run(&context)?;
        let mut answer = if detail { to_json(&given) } else { question.compact(&given) };
        if let Some(Value::String(remedy)) = answer.pointer_mut("/staleness/remedy") {
            *remedy = wording::for_agents(&format!("`{remedy}`"));
        }
        let answer = with_knowledge(answer, hint::line(dir, &question.files(&given)));
        Ok(with_notes(answer, &context.notes()?))
    }
}

impl<Q: Question> Entry for Of<Q> {
    fn family(&self) -> Family {
        Q::FAMILY
    }

    fn name(&self) -> &'static str {
        Q::NAME
    }

    fn is_long(&self) -> bool {
        Q::IS_LONG
    }

    fn command(&self) -> Command {
        // Behind the arguments: shared ones bring a description of their own.
        let command = Q::augment_args(Command::new(Q::NAME)).about(Q::ABOUT);
        let lines = Q::EXAMPLES.iter().map(|line| format!("\n  orbit {line}"));
        match Q::EXAMPLES {
            [] => command,
            _ => command.after_help(format!("Examples:{}", lines.collect::<String>())),
        }
    }

    fn tool(&self) -> Option<Tool> {
        let description = Q::TOOL?;
        let schema = arguments::schema::<Q>(&Self::request());
        let annotations = ToolAnnotations::new().read_only(Q::ONLY_READS);
        Some(Tool::new(Self::tool_name(), description, schema).with_annotations(annotations))
    }

    fn print(&self, dir: &Path, json: bool, matches: &ArgMatches) -> Result<(), Failure> {
        let question = Q::from_arg_matches(matches).map_err(|error| unusable(&error))?;
        let context = Context::new(dir, Caller::CommandLine, None);
        let answer = question.run(&context)?;
        let notes = context.notes()?;
        let known = hint::line(dir, &question.files(&answer));
        if json {
            return if notes.is_empty() && known.is_none() {
                render::json(&answer)
            } else {
                render::json(&with_notes(with_knowledge(to_json(&answer), known), &notes))
            };
        }
        let mut out = render::buffered();
        question.text(&answer, &mut out)?;
        if let Some(line) = known {
            writeln!(out, "knowledge: {}", render::text::printable(&line))?;
        }
        for note in &notes {
            writeln!(out, "({})", render::text::printable(note))?;
        }
        out.flush()?;
        Ok(())
    }

    fn call(&self, dir: &Path, graph: Option<&Graph>, arguments: &JsonObject) -> Result<String, String> {
        let arguments = arguments::named::<Q>(&Self::request(), arguments);
        let cap = cap(&arguments);
        match Self::answer(dir, graph, &arguments) {
            Ok(answer) => Ok(budget::fit(answer, cap)),
            Err(failure) => Err(budget::fit(describe(&failure), cap)),
        }
    }
}

/// The tokens that an answer may take.
fn cap(arguments: &JsonObject) -> usize {
    arguments::number(arguments.get(MAX_TOKENS)).unwrap_or(DEFAULT_TOKENS)
}

/// An answer with what is to be said of atoms about it.
fn with_knowledge(mut answer: Value, line: Option<String>) -> Value {
    if let (Some(fields), Some(line)) = (answer.as_object_mut(), line) {
        fields.insert("knowledge".into(), json!(line));
    }
    answer
}

/// An answer with what is to be said about the names in the question.
fn with_notes(mut answer: Value, notes: &[String]) -> Value {
    if let (Some(fields), false) = (answer.as_object_mut(), notes.is_empty()) {
        fields.insert("notes".into(), json!(notes));
    }
    answer
}

/// What clap accepted has every field.
fn unusable(error: &clap::Error) -> Failure {
    Failure::input("usage", error.to_string(), "see --help")
}

/// An error as an agent gets it.
pub(crate) fn error_text(failure: &Failure) -> String {
    budget::fit(describe(failure), DEFAULT_TOKENS)
}

fn describe(failure: &Failure) -> Value {
    let candidates = Some(&failure.candidates).filter(|candidates| !candidates.is_empty());
    json!({"error": {
        "code": failure.code,
        "message": wording::for_agents(&failure.message),
        "hint": failure.hint.as_deref().map(wording::for_agents),
        "candidates": candidates,
    }})
}

/// A question of a family as it was typed.
#[derive(Clone)]
pub(crate) struct Asked {
    question: &'static dyn Entry,
    matches: ArgMatches,
}

impl Asked {
    /// The question among these subcommands, when it is one.
    pub(crate) fn of(family: Family, matches: &ArgMatches) -> Option<Asked> {
        let (name, matches) = matches.subcommand()?;
        let question = family.questions().find(|question| question.name() == name)?;
        Some(Asked { question, matches: matches.clone() })
    }

    /// The question among these subcommands, which have nothing else.
    pub(crate) fn required(family: Family, matches: &ArgMatches) -> Result<Asked, clap::Error> {
        Asked::of(family, matches).ok_or_else(|| clap::Error::new(ErrorKind::MissingSubcommand))
    }

    /// The subcommands of a family.
    pub(crate) fn augment(family: Family, command: Command) -> Command {
        family.questions().fold(command, |command, question| command.subcommand(question.command()))
    }

    pub(crate) fn print(&self, dir: &Path, json: bool) -> Result<(), Failure> {
        self.question.print(dir, json, &self.matches)
    }
}

impl std::fmt::Debug for Asked {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("Asked").field(&self.question.name()).finish()
    }
}
