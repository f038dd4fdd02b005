//! The config that makes a client start this server.

use crate::args::Client;
use crate::failure::Failure;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What to write where.
pub(crate) struct Snippet {
    pub(crate) path: PathBuf,
    pub(crate) text: String,
}

/// The config of a client, merged with what is there already.
pub(crate) fn snippet(client: Client, root: &Path) -> Result<Snippet, Failure> {
    let server = json!({"command": "orbit", "args": ["mcp"]});
    match client {
        Client::ClaudeCode => merged(root.join(".mcp.json"), "mcpServers", server),
        Client::Cursor => merged(root.join(".cursor/mcp.json"), "mcpServers", server),
        Client::Gemini => merged(root.join(".gemini/settings.json"), "mcpServers", server),
        Client::Vscode => {
            let server = json!({"type": "stdio", "command": "orbit", "args": ["mcp"]});
            merged(root.join(".vscode/mcp.json"), "servers", server)
        }
        Client::Codex => Ok(codex(root.join(".codex/config.toml"))),
    }
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
fn codex(path: PathBuf) -> Snippet {
    const TABLE: &str = "[mcp_servers.orbit]";
    let mut text = std::fs::read_to_string(&path).unwrap_or_default();
    if !text.contains(TABLE) {
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(TABLE);
        text.push_str("\ncommand = \"orbit\"\nargs = [\"mcp\"]\n");
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
