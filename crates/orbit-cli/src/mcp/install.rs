//! The config that makes a client start this server.

use super::tools;
use crate::args::{Client, Toolset};
use crate::failure::Failure;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Tokens of schemas that a client is given unless it asks for more.
const AFFORDABLE: usize = 6_000;

/// What to write where.
pub(crate) struct Snippet {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// The config of a client, merged with what is there already.
pub(crate) fn snippet(client: Client, root: &Path) -> Result<Snippet, Failure> {
    let args = arguments();
    let server = json!({"command": "orbit", "args": args});
    match client {
        Client::ClaudeCode => merged(root.join(".mcp.json"), "mcpServers", server),
        Client::Cursor => merged(root.join(".cursor/mcp.json"), "mcpServers", server),
        Client::Gemini => merged(root.join(".gemini/settings.json"), "mcpServers", server),
        Client::Vscode => {
            let server = json!({"type": "stdio", "command": "orbit", "args": args});
            merged(root.join(".vscode/mcp.json"), "servers", server)
        }
        Client::Codex => Ok(codex(root.join(".codex/config.toml"), &args)),
    }
}

/// How the server is started: with the tools that the skills speak of, as long as a client can afford to read their
/// schemas; else with those about code, and the others by choice.
fn arguments() -> Vec<&'static str> {
    let all = [Toolset::Code, Toolset::Knowledge, Toolset::Tasks];
    if cost(&all) < AFFORDABLE { vec!["mcp", "--toolset", "code,knowledge,tasks"] } else { vec!["mcp"] }
}

/// What the schemas of tools take of a client's context, by four bytes to a token.
fn cost(toolsets: &[Toolset]) -> usize {
    serde_json::to_string(&tools::listed(toolsets)).map_or(usize::MAX, |text| text.len() / 4)
}

/// A JSON config with the server added under `key`.
fn merged(path: PathBuf, key: &str, server: Value) -> Result<Snippet, Failure> {
    let mut config = match std::fs::read_to_string(&path) {
        Ok(text) => serde_json::from_str(&text).map_err(|_| unreadable(&path))?,
        Err(_) => json!({}),
    };
    if !config.is_object() || config.get(key).is_some_and(|servers| !servers.is_object()) {
        return Err(unreadable(&path));
    }
    config[key]["orbit"] = server;
    let text = serde_json::to_string_pretty(&config).unwrap_or_default() + "\n";
    Ok(Snippet { path, text })
}

/// Codex reads TOML: the table is appended unless it is there.
fn codex(path: PathBuf, args: &[&str]) -> Snippet {
    const TABLE: &str = "[mcp_servers.orbit]";
    let mut text = std::fs::read_to_string(&path).unwrap_or_default();
    if !text.contains(TABLE) {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(TABLE);
        let args = serde_json::to_string(args).unwrap_or_default();
        text.push_str("\ncommand = \"orbit\"\nargs = ");
        text.push_str(&args);
        text.push('\n');
    }
    Snippet { path, text }
}

fn unreadable(path: &Path) -> Failure {
    Failure {
        code: "config_unreadable",
        message: format!("{} is not the JSON that was expected; it is left alone", path.display()),
        hint: Some("run without --write and merge the printed config by hand".into()),
        candidates: Vec::new(),
        is_broken_pipe: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_toolsets_are_affordable() {
        let cost = cost(&[Toolset::Code, Toolset::Knowledge, Toolset::Tasks]);
        assert!(cost < AFFORDABLE, "{cost} tokens");
        assert_eq!(arguments(), ["mcp", "--toolset", "code,knowledge,tasks"]);
    }
}
