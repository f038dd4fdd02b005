//! `omnigraph shell`: queries and changes, typed one after the other.
//!
//! ```text
//! lines ─until braces close─▶ `\command` | query ─▶ Backend ─▶ rows | outcome | failure (and on)
//! ```
//!
//! Where nobody types, the lines of standard input are run and the first failure ends it, as in any script.

mod complete;
mod text;

use super::read::print;
use crate::args::{FormatChoice, ShellArgs, When};
use crate::backend::Backend;
use crate::failure::Failure;
use crate::render;
use crate::session::{Session, State};
use clap::ValueEnum as _;
use complete::{Helper, Names};
use omnigraph_api::calls::branch::BranchListRequest;
use omnigraph_api::calls::change::ChangeRequest;
use omnigraph_api::calls::explain::ExplainRequest;
use omnigraph_api::calls::read::ReadRequest;
use omnigraph_api::calls::schema::SchemaGetRequest;
use omnigraph_compiler::query::ast::Body;
use omnigraph_compiler::{QueryFile, Schema, Source, did_you_mean};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{Config, Editor};
use serde_json::{Map, Value};
use std::io::{BufRead as _, IsTerminal as _};
use std::path::PathBuf;
use text::{is_whole, whole_query};

/// What errors call the text.
const NAME: &str = "shell";

/// Statements that are kept for the next time.
const KEPT: usize = 1_000;

const COMMANDS: [(&str, &str); 9] = [
    ("\\help", "say this"),
    ("\\quit", "leave; so does the end of input"),
    ("\\explain QUERY", "print the plan of a query"),
    ("\\analyze QUERY", "run a query and print rows and time of every operator"),
    ("\\schema [TYPE]", "print the schema, or one type of it"),
    ("\\branch [NAME]", "work on another branch, or list them"),
    ("\\params [JSON]", "set the values of parameters: {\"name\": \"Alice\"}"),
    ("\\format [FORMAT]", "print rows as table, json, jsonl, csv or kv"),
    ("\\read FILE", "run the lines of a file"),
];

struct Shell<'s> {
    session: &'s Session,
    backend: Backend,
    state: State,
    params: Map<String, Value>,
    format: FormatChoice,
}

/// Whether to go on.
enum Next {
    More,
    End,
}

pub(super) fn run(session: &Session, args: &ShellArgs) -> Result<(), Failure> {
    let configured = session.config.format().map(FormatChoice::from);
    let json = session.json.then_some(FormatChoice::Json);
    let mut shell = Shell {
        session,
        backend: session.backend(&args.place)?,
        state: session.state(&args.at)?,
        params: session.config.params().clone(),
        format: args.format.or(json).or(configured).unwrap_or(FormatChoice::Table),
    };
    // What cannot be read at all is said now, not at the first query.
    let names = shell.names()?;
    if std::io::stdin().is_terminal() {
        shell.converse(names)
    } else {
        shell.lines(&mut std::io::stdin().lock().lines())
    }
}

impl Shell<'_> {
    /// Asks, answers, and goes on whatever happens.
    fn converse(&mut self, names: Names) -> Result<(), Failure> {
        let config = Config::builder().max_history_size(KEPT).map_err(broken)?.auto_add_history(true).build();
        let mut editor: Editor<Helper, FileHistory> = Editor::with_config(config).map_err(broken)?;
        editor.set_helper(Some(Helper::new(names)));
        let kept = history_file();
        if let Some(kept) = &kept {
            let _ = editor.load_history(kept); // the first time there is none
        }
        render::remark(&format!("{}; \\help lists what can be typed, \\quit leaves", self.backend.uri));
        loop {
            let prompt = format!("{}> ", self.place());
            match editor.readline(&prompt) {
                Ok(typed) => match self.statement(&typed) {
                    Ok(Next::End) => break,
                    Ok(Next::More) => {}
                    Err(failure) => {
                        let _ = render::failure(&failure, false);
                    }
                },
                Err(ReadlineError::Interrupted) => {} // what was typed is given up
                Err(ReadlineError::Eof) => break,
                Err(error) => return Err(broken(error)),
            }
            if let (Some(helper), Ok(names)) = (editor.helper_mut(), self.names()) {
                helper.names = names;
            }
        }
        if let Some(kept) = kept {
            let _ = kept.parent().map(std::fs::create_dir_all);
            if let Err(error) = editor.save_history(&kept) {
                render::remark(&format!("what was typed is not kept: {}: {error}", kept.display()));
            }
        }
        Ok(())
    }

    /// Runs lines that nobody types.
    fn lines(&mut self, lines: &mut dyn Iterator<Item = std::io::Result<String>>) -> Result<(), Failure> {
        let mut typed = String::new();
        for line in lines {
            typed +=
                &line.map_err(|error| Failure::new("io", format!("cannot read the commands: {error}")))?;
            typed.push('\n');
            if is_whole(&typed) && matches!(self.statement(&std::mem::take(&mut typed))?, Next::End) {
                return Ok(());
            }
        }
        self.statement(&typed).map(drop)
    }

    /// The branch, or the state that is read in its place.
    fn place(&self) -> &str {
        let State { branch, snapshot, .. } = &self.state;
        branch.as_deref().or(snapshot.as_deref()).unwrap_or_default()
    }

    fn statement(&mut self, typed: &str) -> Result<Next, Failure> {
        let typed = typed.trim();
        if let Some(command) = typed.strip_prefix('\\') {
            let (name, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
            return self.command(name, rest.trim());
        }
        if text::is_blank(typed) {
            return Ok(Next::More);
        }
        let source = Source::new(NAME, whole_query(typed));
        let file = QueryFile::parse(&source).map_err(|found| Failure::text(&found, &source))?;
        for query in &file.queries {
            self.query(&source, &query.name.text, matches!(query.body, Body::Mutation(_)))?;
        }
        Ok(Next::More)
    }

    fn query(&self, source: &Source, name: &str, is_mutation: bool) -> Result<(), Failure> {
        let State { branch, snapshot, at } = self.state.clone();
        let (query_source, query_name) = (source.text().to_owned(), Some(name.to_owned()));
        let (params, source_name) = (self.params_of(source, name), Some(NAME.to_owned()));
        if !is_mutation {
            let request = ReadRequest { query_source, query_name, params, branch, snapshot, at, source_name };
            return print(self.session, &self.backend.read(request)?, self.format);
        }
        if snapshot.is_some() || at.is_some() {
            return Err(
                Failure::usage("the past cannot be changed").hint("`\\branch NAME` leads to a branch")
            );
        }
        let request =
            ChangeRequest { query_source, query_name, params, branch, if_commit: None, source_name };
        let changed = self.backend.call(request)?;
        render::line(&format!(
            "changed {}: {} nodes, {} edges; {}",
            changed.branch,
            changed.affected_nodes,
            changed.affected_edges,
            changed.receipt.outcome()
        ))
    }

    /// The values that a query has parameters for.
    fn params_of(&self, source: &Source, name: &str) -> Map<String, Value> {
        let file = QueryFile::parse(source).ok();
        let query = file.as_ref().and_then(|file| file.query(name));
        let declared = query.into_iter().flat_map(|query| &query.params).map(|param| &param.name.text);
        declared.filter_map(|name| Some((name.clone(), self.params.get(name)?.clone()))).collect()
    }

    fn command(&mut self, name: &str, rest: &str) -> Result<Next, Failure> {
        match name {
            "q" | "quit" | "exit" => return Ok(Next::End),
            "?" | "h" | "help" => help()?,
            "explain" => self.explain(rest, false)?,
            "analyze" => self.explain(rest, true)?,
            "schema" => self.schema(rest)?,
            "branch" => self.branch(rest)?,
            "params" => self.set_params(rest)?,
            "format" => self.set_format(rest)?,
            "read" => self.file(rest)?,
            other => {
                let failure = Failure::usage(format!("there is no command `\\{other}`"));
                let known = COMMANDS.map(|(usage, _)| usage[1..].split(' ').next().unwrap_or_default());
                let hint = did_you_mean(other, known);
                return Err(failure.hint(hint.unwrap_or_else(|| "`\\help` lists them".to_owned())));
            }
        }
        Ok(Next::More)
    }

    fn explain(&self, typed: &str, analyze: bool) -> Result<(), Failure> {
        if text::is_blank(typed) {
            return Err(Failure::usage("no query is given").hint("write it behind the command"));
        }
        let source = Source::new(NAME, whole_query(typed));
        let State { branch, snapshot, at } = self.state.clone();
        let file = QueryFile::parse(&source).map_err(|found| Failure::text(&found, &source))?;
        for query in &file.queries {
            let explained = self.backend.call(ExplainRequest {
                query_source: source.text().to_owned(),
                query_name: Some(query.name.text.clone()),
                params: self.params_of(&source, &query.name.text),
                branch: branch.clone(),
                snapshot: snapshot.clone(),
                at: at.clone(),
                analyze,
                source_name: Some(NAME.to_owned()),
            })?;
            render::text(explained.plan.iter().flat_map(|line| [line.as_str(), "\n"]).collect::<String>())?;
        }
        Ok(())
    }

    fn schema_source(&self) -> Result<Source, Failure> {
        let State { branch, snapshot, at } = self.state.clone();
        let found = self.backend.call(SchemaGetRequest { branch, snapshot, at })?;
        Ok(Source::new("schema", found.schema_source))
    }

    /// What completion offers.
    fn names(&self) -> Result<Names, Failure> {
        let source = self.schema_source()?;
        let schema = Schema::parse(&source).map_err(|found| Failure::text(&found, &source))?;
        Ok(Names::of(&schema.catalog))
    }

    fn schema(&self, name: &str) -> Result<(), Failure> {
        let source = self.schema_source()?;
        if name.is_empty() {
            return render::text(source.text());
        }
        let schema = Schema::parse(&source).map_err(|found| Failure::text(&found, &source))?;
        if let Some(declaration) = text::declaration(source.text(), name) {
            return render::line(declaration);
        }
        let failure = Failure::new("not_found", format!("the graph has no type `{name}`"));
        let catalog = &schema.catalog;
        let known = catalog.nodes.keys().chain(catalog.edges.keys()).chain(catalog.interfaces.keys());
        Err(match did_you_mean(name, known.map(String::as_str)) {
            Some(hint) => failure.hint(hint),
            None => failure,
        })
    }

    fn branch(&mut self, name: &str) -> Result<(), Failure> {
        if name.is_empty() {
            let found = self.backend.call(BranchListRequest::default())?;
            let line = |name: &String| format!("{} {name}\n", if name == self.place() { '*' } else { ' ' });
            return render::text(found.branches.iter().map(line).collect::<String>());
        }
        let before = self.state.clone();
        self.state = self.session.state(&When { branch: Some(name.to_owned()), ..When::default() })?;
        // A branch that is not there is not gone to.
        if let Err(failure) = self.schema_source() {
            self.state = before;
            return Err(failure);
        }
        Ok(())
    }

    fn set_params(&mut self, text: &str) -> Result<(), Failure> {
        if text.is_empty() {
            return render::json(&self.params);
        }
        let Ok(Value::Object(values)) = serde_json::from_str(text) else {
            let failure = Failure::new("bad_param", "values are a JSON object");
            return Err(failure.hint(r#"\params {"name": "Alice"}"#));
        };
        self.params = values;
        Ok(())
    }

    fn set_format(&mut self, name: &str) -> Result<(), Failure> {
        let known = FormatChoice::value_variants().iter().filter(|format| **format != FormatChoice::Arrow);
        let spelled = |format: &FormatChoice| {
            format.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
        };
        if name.is_empty() {
            return render::line(&spelled(&self.format));
        }
        let Some(format) = known.clone().find(|format| spelled(format) == name) else {
            let known: Vec<String> = known.map(spelled).collect();
            let failure = Failure::usage(format!("there is no format `{name}`"));
            return Err(failure.hint(known.join(", ")));
        };
        self.format = *format;
        Ok(())
    }

    fn file(&mut self, path: &str) -> Result<(), Failure> {
        let text = crate::queries::read(&PathBuf::from(path))?;
        self.lines(&mut text.lines().map(|line| Ok(line.to_owned())))
    }
}

fn help() -> Result<(), Failure> {
    let widest = COMMANDS.iter().map(|(usage, _)| usage.len()).max().unwrap_or(0);
    let commands = COMMANDS.iter().map(|(usage, what)| format!("{usage:<widest$}  {what}\n"));
    let text = "A query or a change, on as many lines as it needs; `query name() { … }` around it can be left out:\n  \
                match { $p: Person } return { $p.name }\n  insert Person { name: \"Eve\" }\n";
    render::text(format!("{text}{}", commands.collect::<String>()))
}

/// Where what was typed is kept.
fn history_file() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let state = set("XDG_STATE_HOME").or_else(|| Some(set("HOME")?.join(".local/state")))?;
    Some(state.join("omnigraph").join("history"))
}

fn broken(error: ReadlineError) -> Failure {
    Failure::new("io", format!("the terminal cannot be used: {error}"))
}
