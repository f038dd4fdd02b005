//! One file per command.

mod blob;
mod branch;
mod change;
mod changes;
mod cleanup;
mod clone;
mod commit;
mod completions;
mod diff;
mod doctor;
mod embed;
mod entity;
mod explain;
mod export;
mod fsck;
mod graphs;
mod init;
mod load;
mod mcp;
mod migrate;
mod optimize;
mod policy;
mod query;
mod read;
mod request;
mod reset;
mod revert;
mod run;
mod schema;
mod shell;
mod sides;
mod snapshot;
mod tag;
mod version;

use crate::args::{Args, Command, QueryCommand};
use crate::failure::Failure;
use crate::session::{Actor, Session};
use clap::{CommandFactory, Parser};
use omnigraph_api::config::Config;
use omnigraph_compiler::did_you_mean;

/// Runs what was typed.
pub(crate) fn run(args: Args) -> Result<(), Failure> {
    let Args { json, config, actor, command, .. } = args;
    if let Command::Completions { shell } = command {
        return completions::run(shell);
    }
    let config = Config::load(config.as_deref())?;
    let actor = Actor { typed: actor, set: std::env::var("OMNIGRAPH_ACTOR").ok() };
    let mut session = Session { json, config, actor };
    match command {
        Command::Alias(words) => {
            let args = aliased(&session, &words)?;
            session.json |= args.json;
            session.actor.typed = args.actor.or(session.actor.typed);
            dispatch(args.command, session)
        }
        command => dispatch(command, session),
    }
}

fn dispatch(command: Command, session: Session) -> Result<(), Failure> {
    let session = &session;
    match command {
        Command::Init(args) => init::run(session, &args),
        Command::Load(args) => load::load(session, &args),
        Command::Ingest(args) => load::ingest(session, &args),
        Command::Read(args) => read::run(session, &args),
        Command::Change(args) => change::run(session, &args),
        Command::Explain(args) => explain::run(session, &args),
        Command::Shell(args) => shell::run(session, &args),
        Command::Snapshot(args) => snapshot::run(session, &args),
        Command::Export(args) => export::run(session, &args),
        Command::Branch(command) => branch::run(session, &command),
        Command::Commit(command) => commit::run(session, &command),
        Command::Revert(args) => revert::run(session, &args),
        Command::Reset(args) => reset::run(session, &args),
        Command::Tag(command) => tag::run(session, &command),
        Command::Diff(args) => diff::run(session, &args),
        Command::Changes(args) => changes::run(session, &args),
        Command::Entity(args) => entity::run(session, &args),
        Command::Blob(command) => blob::run(session, &command),
        Command::Graph(command) => graphs::run(session, &command),
        Command::Run(command) => run::run(session, &command),
        Command::Request(command) => request::run(session, &command),
        Command::Schema(command) => schema::run(session, &command),
        Command::Query(command) => query::run(session, &command),
        Command::Lint(args) => query::run(session, &QueryCommand::Lint(args)),
        Command::Embed(args) => embed::run(session, &args),
        Command::Optimize(args) => optimize::run(session, &args),
        Command::Cleanup(args) => cleanup::run(session, &args),
        Command::Clone(args) => clone::run(session, &args),
        Command::Fsck(place) => fsck::run(session, &place),
        Command::Policy(command) => policy::run(session, &command),
        Command::Doctor(place) => doctor::run(session, &place),
        Command::Mcp(place) => mcp::run(session, &place),
        Command::Version => version::run(session),
        Command::Completions { .. } | Command::Alias(_) => Err(Failure::usage("an alias cannot name this")),
    }
}

/// `omnigraph ALIAS ARGS…` as the command that it is short for.
fn aliased(session: &Session, words: &[String]) -> Result<Args, Failure> {
    let (name, rest) = words.split_first().ok_or_else(|| Failure::usage("no command is named"))?;
    let Some(alias) = session.config.alias(name) else {
        let root = Args::command();
        let known = root.get_subcommands().map(clap::Command::get_name).chain(session.config.aliases());
        let failure = Failure::usage(format!("unrecognized subcommand '{name}'"));
        let hint = did_you_mean(name, known.collect::<Vec<_>>());
        return Err(failure.hint(hint.unwrap_or_else(|| "for more information, try '--help'".to_owned())));
    };
    let fixed = ["omnigraph", alias.command.as_str(), "--alias", name].map(str::to_owned);
    let args = Args::try_parse_from(fixed.into_iter().chain(rest.iter().cloned()));
    args.map_err(|error| {
        let text = error.to_string();
        Failure::usage(text.lines().next().unwrap_or_default().trim_start_matches("error: "))
    })
}
