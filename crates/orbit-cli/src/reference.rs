//! `docs/reference/{cli,mcp}.md`, made from what the program itself knows. The tests fail when the pages differ;
//! `UPDATE_EXPECT=1 cargo test -p orbit-cli reference` writes them anew.

use crate::args::{Args, Toolset};
use crate::mcp;
use clap::{Arg, Command, CommandFactory};
use expect_test::expect_file;
use serde_json::Value;
use std::fmt::Write as _;

const CLI_HEAD: &str = "# The command line

Made from the program's own help; a test keeps it true. `orbit <command> --help` prints the same.

";

const MCP_HEAD: &str = "# The MCP tools

Made from what `orbit mcp` tells its clients; a test keeps it true. First the tools of the code graph, which only read,
then those of `--toolset knowledge,tasks`.

Answers about code are JSON without nulls; a list that is cut says so in `cut` or `truncated`, with what to do. Errors are results with `isError` and
`{\"error\": {code, message, hint, candidates}}`.

With `detail: true` an answer has the rows that the command line prints with `--json`. Without it, places are grouped:

| tool | form |
|---|---|
| `graph_refs` | `refs: {kind: {file: \"symbol:line,line symbol:line\"}}`; `uncertain` the same by reason; `relations: {kind: {file: \"type:line\"}}` |
| `graph_callees` | `callees: {file of the callee: \"callee:line,line\"}`, the lines of the calls |
| `graph_impact` | `touched: {file: \"1: symbol:line 2: symbol:line\"}` by distance; `tests` the same without lines, the nearest 80 by name, `+12` for so many more |
| `graph_implementors` | `implementors: {kind: {file: [\"type:line\"]}}` |
| `graph_overview` | `files: {file: symbols}`, in full `{file: [\"symbol:line\"]}` |

The selector of such an entry is `symbol:<file>#<name>`. What several names begin with is said once: `Cart.{add:3 drop:9}` is
`Cart.add:3 Cart.drop:9`; names with spaces stand in backticks, and in `Cart.java` a leading `.` is `Cart.`. A key that ends with `/` is a directory that several files share,
and holds them. `?` marks a guess, `~` what may run at a call.

";

const KNOWLEDGE_HEAD: &str = "# Tasks and knowledge

Listed with `--toolset code,knowledge,tasks`. The database is `knowledge.db` in the main worktree's `.orbit` directory,
shared by all worktrees; `--db` or `ORBIT_KNOWLEDGE_DB` name another. Pipelines are chosen in `.orbit/config.toml`:
`[pipelines]` with `feature` and `task`, lists of states from `NEW` to `CLOSED`.

Every answer is `{success, message, data}` or, with `isError`, `{success: false, message, error: {code, details}}`. Codes:
`VALIDATION_ERROR`, `NOT_FOUND`, `CONFLICT`, `INVARIANT_VIOLATION`, `INVALID_OPERATION`, `BLOCKED`, `HAS_CHILDREN`,
`CIRCULAR_DEPENDENCY`, `INTERNAL_ERROR`. A `CONFLICT` carries `currentVersion` and `entity`. Ids are UUIDs, read dashed or
not. Lists carry `total`; a page has 100 rows at most.

";

const REFACTOR_HEAD: &str = "# Refactoring

Listed only with `--toolset …,refactor`, because these tools write files. Answers and errors have the form of the tools of
the code graph; a refusal's `candidates` are the places in its way.

";

#[test]
fn the_page_about_the_command_line_is_true() {
    let mut root = Args::command();
    root.build();
    let mut out = String::from(CLI_HEAD);
    describe(&mut out, &root, "orbit", &[]);
    expect_file!["../../../docs/reference/cli.md"].assert_eq(&tidy(&out));
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
    if let Some(examples) = command.get_after_help() {
        let examples = examples.to_string();
        let lines = examples.lines().filter_map(|line| line.strip_prefix("  ")).collect::<Vec<_>>();
        let _ = writeln!(out, "```text\n{}\n```\n", lines.join("\n"));
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

#[test]
fn the_page_about_the_tools_is_true() {
    let mut out = String::from(MCP_HEAD);
    let _ = writeln!(out, "Every client is told: \u{201c}{}\u{201d}\n", mcp::INSTRUCTIONS);
    describe_tools(&mut out, Toolset::Code);
    out.push_str(KNOWLEDGE_HEAD);
    let _ = writeln!(out, "Clients are told: \u{201c}{}\u{201d}\n", mcp::KNOWLEDGE_INSTRUCTIONS);
    describe_tools(&mut out, Toolset::Knowledge);
    describe_tools(&mut out, Toolset::Tasks);
    out.push_str(REFACTOR_HEAD);
    let _ = writeln!(out, "Clients are told: \u{201c}{}\u{201d}\n", mcp::REFACTOR_INSTRUCTIONS);
    describe_tools(&mut out, Toolset::Refactor);
    expect_file!["../../../docs/reference/mcp.md"].assert_eq(&tidy(&out));
}

fn describe_tools(out: &mut String, toolset: Toolset) {
    for tool in mcp::tools::listed(&[toolset]) {
        let _ = writeln!(out, "## `{}`\n\n{}\n", tool.name, tool.description.as_deref().unwrap_or(""));
        let schema = Value::Object((*tool.input_schema).clone());
        let required: Vec<&str> =
            schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        out.push_str("| argument | type | default | about |\n|---|---|---|---|\n");
        for (name, about) in schema["properties"].as_object().into_iter().flatten() {
            let needed = if required.contains(&name.as_str()) { ", required" } else { "" };
            let default =
                if about["default"].is_null() { String::new() } else { format!("`{}`", about["default"]) };
            let text = about["description"].as_str().unwrap_or("");
            let _ = writeln!(out, "| `{name}` | {}{needed} | {default} | {text} |", type_of(about));
        }
        out.push('\n');
    }
}

fn type_of(schema: &Value) -> String {
    match (&schema["enum"], &schema["type"]) {
        (Value::Array(values), _) => {
            let values: Vec<String> = values.iter().map(|value| format!("`{value}`")).collect();
            values.join(", ")
        }
        (_, Value::Array(types)) => types.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
        (_, kind) => kind.as_str().unwrap_or("").to_owned(),
    }
}

/// One line end at the end, no spaces at the ends of lines.
fn tidy(text: &str) -> String {
    let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}
