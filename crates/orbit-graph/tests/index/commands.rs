//! What the commands of a command-line program do, and where that is not one function.

use crate::compare::assert_equals_fresh;
use crate::tree::Tree;
use expect_test::{Expect, expect};
use orbit_graph::Confidence;
use std::fmt::Write as _;

const CLAP: &str = r#"
==> Cargo.toml
[package]
name = "shop"
==> src/main.rs
mod args;
mod work;
use args::{Command, Extra, Server, Shared};
fn main() {
    let args = args::Args::parse();
    run(args.command, args.json());
}
fn run(command: Command, json: bool) {
    if let Command::Hello = command {
        return work::greet();
    }
    match command {
        Command::Add(args) => work::add(&args.name.clone())?,
        Command::List { all } => {
            work::open();
            work::list(all)
        }
        Command::Server(Server::Start(args)) => work::start(args),
        Command::Server(other) => server(other),
        Command::Admin(shared) | Command::User(shared) => shared.run(),
        Command::Extra(Extra::Clean) => Ok(work::clean().await?),
        Command::Never => {}
        Command::Hello => unreachable!(),
    }
}
fn server(server: Server) {
    let Server::Stop { now } = server else {
        return work::open();
    };
    work::stop(now);
    work::close();
}
impl Shared {
    fn run(self) {
        match self {
            Self::Grant => work::grant(),
        }
    }
}
fn example() -> Command {
    work::greet();
    Command::Never
}
==> src/args.rs
#[derive(Parser)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}
impl Args {
    pub fn json(&self) -> bool {
        match &self.command {
            Command::Add(args) => args.json,
            _ => false,
        }
    }
}
#[derive(Subcommand)]
pub enum Command {
    Hello,
    Add(AddArgs),
    List { all: bool },
    #[command(subcommand)]
    Server(Server),
    #[command(subcommand)]
    Admin(Shared),
    #[command(subcommand)]
    User(Shared),
    #[command(flatten)]
    Extra(Extra),
    Never,
}
pub struct AddArgs { pub name: String, pub json: bool }
#[derive(Subcommand)]
pub enum Server { Start(StartArgs), Stop { now: bool } }
pub struct StartArgs;
#[derive(Subcommand)]
pub enum Shared { Grant }
#[derive(Subcommand)]
pub enum Extra { Clean }
==> src/work.rs
pub fn greet() {}
pub fn add(name: &str) {}
pub fn open() {}
pub fn list(all: bool) {}
pub fn start(args: StartArgs) {}
pub fn stop(now: bool) {}
pub fn close() {}
pub fn grant() {}
pub fn clean() {}
"#;

/// The handler, or the code with its calls, or where to look.
fn trace(tree: &Tree, command: &str) -> String {
    let found = match tree.graph().trace(command, 5, Confidence::SameModule) {
        Ok(found) => found,
        Err(error) => return format!("{command}: {error}\n"),
    };
    let mut out = format!("{command}:");
    if let Some(root) = &found.root {
        let _ = write!(out, " {}", root.qualified_name);
    }
    for code in &found.runs {
        let calls: Vec<&str> = code.calls.iter().map(|call| call.name.as_str()).collect();
        let _ = write!(out, " {}:{} {}", code.file, code.line, calls.join(", "));
    }
    if let Some(place) = &found.look_at {
        let _ = write!(out, " unknown, see {place}");
    }
    out + "\n"
}

fn check(tree: &Tree, commands: &[&str], expected: &Expect) {
    tree.sync();
    let found: String = commands.iter().map(|command| trace(tree, command)).collect();
    expected.assert_eq(&found);
}

#[test]
fn a_variant_is_handled_where_a_pattern_names_it() {
    let tree = Tree::of(CLAP);
    let commands = [
        "hello",
        "add",
        "list",
        "server start",
        "server stop",
        "admin grant",
        "user grant",
        "clean",
        "never",
        "grant",
    ];
    check(
        &tree,
        &commands,
        &expect![[r#"
            hello: shop::work::greet
            add: shop::work::add
            list: src/main.rs:14 open, list
            server start: shop::work::start
            server stop: src/main.rs:27 stop, close
            admin grant: shop::work::grant
            user grant: shop::work::grant
            clean: shop::work::clean
            never: src/main.rs:22 
            grant: nothing in the index is called `command:grant`
        "#]],
    );
}

#[test]
fn arms_follow_the_variants_that_they_name() {
    let tree = Tree::of(CLAP);
    tree.sync();
    tree.replace("src/args.rs", "Never,", "Never,\n    Late,");
    tree.replace(
        "src/main.rs",
        "Command::Never => {}",
        "Command::Late => work::close(),\n        Command::Never => {}",
    );
    assert_equals_fresh(&tree);
    check(
        &tree,
        &["late"],
        &expect![[r#"
        late: shop::work::close
    "#]],
    );
    tree.replace("src/work.rs", "pub fn close() {}\n", "");
    assert_equals_fresh(&tree);
    check(
        &tree,
        &["late"],
        &expect![[r#"
        late: src/main.rs:22 
    "#]],
    );
}

#[test]
fn functions_written_in_place_are_traced_through_their_calls() {
    let tree = Tree::of(
        r#"
==> cli.ts
import { Command } from 'commander';
import yargs from 'yargs';
import { build, serve, watch } from './work';
const program = new Command();
program.command('build').action(build);
program.command('serve').action(async (options) => { watch(); await serve(options); });
function register() {
  program.command('later').action(() => watch());
  build();
}
==> work.ts
export function build() {}
export function serve(options: unknown) {}
export function watch() {}
==> go.mod
module shop
==> root.go
package main
import "github.com/spf13/cobra"
func commands() *cobra.Command {
	root := &cobra.Command{Use: "shop"}
	root.AddCommand(&cobra.Command{Use: "sell", RunE: sell})
	root.AddCommand(&cobra.Command{Use: "buy", Run: func(cmd *cobra.Command, args []string) { pay() }})
	prepare()
	return root
}
func sell(cmd *cobra.Command, args []string) error { return nil }
func pay() {}
func prepare() {}
==> tool.py
import click
@click.group()
def cli(): ...
@cli.command()
def run():
    one()
def run_all():
    pass
@cli.command("run-other")
def run():
    two()
def one(): ...
def two(): ...
"#,
    );
    check(
        &tree,
        &["build", "serve", "later", "sell", "buy", "run", "run-other"],
        &expect![[r#"
        build: unknown, see cli.ts:5
        serve: unknown, see cli.ts:6
        later: unknown, see cli.ts:8
        sell: shop.sell
        buy: root.go:6 pay
        run: tool.run
        run-other: tool.run#2
    "#]],
    );
}
