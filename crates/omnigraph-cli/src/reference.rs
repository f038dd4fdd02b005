//! `docs/reference/omnigraph-cli.md`, made from what the program itself knows. The test fails when the page differs;
//! `UPDATE_EXPECT=1 cargo test -p omnigraph-cli reference` writes it anew.

use crate::args::Args;
use clap::{Arg, Command, CommandFactory};
use expect_test::expect_file;
use std::fmt::Write as _;

const HEAD: &str = "# The command line of omnigraph

Made from the program's own help; a test keeps it true. `omnigraph <command> --help` prints the same.

Exit code 0; 1 when something failed, 2 when the command line is wrong. With `--json` a failure is
`{\"error\": {code, message, diagnostics, merge_conflicts}}` on standard error.

";

#[test]
fn the_page_about_the_command_line_is_true() {
    let mut root = Args::command();
    root.build();
    let mut out = String::from(HEAD);
    describe(&mut out, &root, "omnigraph", &[]);
    expect_file!["../../../docs/reference/omnigraph-cli.md"].assert_eq(&tidy(&out));
}

/// A command and those below it. Options that it shares with its parents are shown there.
fn describe(out: &mut String, command: &Command, path: &str, inherited: &[String]) {
    let about = command.get_long_about().or_else(|| command.get_about());
    let _ = writeln!(out, "## `{path}`\n\n{}.\n", about.map(ToString::to_string).unwrap_or_default());
    let is_new = |argument: &&Arg| {
        let id = argument.get_id().to_string();
        !argument.is_hide_set() && !["help", "version"].contains(&id.as_str()) && !inherited.contains(&id)
    };
    let arguments: Vec<&Arg> = command.get_arguments().filter(is_new).collect();
    if !arguments.is_empty() {
        out.push_str("| argument | meaning | default | values |\n|---|---|---|---|\n");
        for argument in &arguments {
            argument_row(out, argument);
        }
        out.push('\n');
    }
    if let Some(after) = command.get_after_help().map(ToString::to_string) {
        let _ = match after.strip_prefix("Examples:\n") {
            Some(examples) => {
                let lines: Vec<&str> = examples.lines().map(str::trim_start).collect();
                writeln!(out, "```text\n{}\n```\n", lines.join("\n"))
            }
            None => writeln!(out, "{after}\n"),
        };
    }
    let shared = command.get_arguments().filter(|argument| argument.is_global_set());
    let inherited: Vec<String> =
        inherited.iter().cloned().chain(shared.map(|argument| argument.get_id().to_string())).collect();
    for below in command.get_subcommands().filter(|below| below.get_name() != "help") {
        describe(out, below, &format!("{path} {}", below.get_name()), &inherited);
    }
}

fn argument_row(out: &mut String, argument: &Arg) {
    let value = argument.get_value_names().map(|names| names[0].to_string()).unwrap_or_default();
    let takes_value = argument.get_action().takes_values();
    let name = match (argument.get_long(), argument.get_short()) {
        (Some(long), _) if takes_value => format!("--{long} <{value}>"),
        (Some(long), _) => format!("--{long}"),
        (None, Some(short)) => format!("-{short} <{value}>"),
        (None, None) => format!("<{value}>"),
    };
    let meaning = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let defaults: Vec<String> =
        argument.get_default_values().iter().map(|value| format!("`{}`", value.to_string_lossy())).collect();
    let values = if takes_value { argument.get_possible_values() } else { Vec::new() };
    let values: Vec<String> = values.iter().map(|value| format!("`{}`", value.get_name())).collect();
    let defaults = if takes_value { defaults.join(", ") } else { String::new() };
    let _ =
        writeln!(out, "| `{name}` | {} | {defaults} | {} |", meaning.replace('|', "\\|"), values.join(", "));
}

/// One line end at the end, no spaces at the ends of lines.
fn tidy(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}
