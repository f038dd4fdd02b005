//! What files for other programs say is true of the workspace.

use crate::place::{programs, root, run};
use std::process::Command;

fn text(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What stands between two words of a text, the first time.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).unwrap_or_else(|| panic!("no `{before}`"));
    rest.split_once(after).unwrap_or_else(|| panic!("no `{after}`")).0
}

#[test]
fn the_image_is_built_with_the_rust_of_the_workspace() {
    let (image, workspace) = (text("Dockerfile"), text("Cargo.toml"));
    let version = between(&workspace, "rust-version = \"", "\"");
    assert!(image.contains(&format!("/rust:{version}-bookworm AS build\n")), "{version}");
}

/// systemd would kill a server that still has time.
#[test]
fn the_unit_waits_longer_than_the_server() {
    let help = run(Command::new(programs().join("omnigraph-server")).arg("--help")).success();
    let (_, said) = help.split_once("--shutdown-timeout <SECONDS>").expect("an option");
    let farewell: u32 = between(said, "[default: ", "]").parse().expect("seconds");
    let unit = text("packaging/omnigraph-server.service");
    let patience: u32 = between(&unit, "\nTimeoutStopSec=", "\n").parse().expect("seconds");
    assert!(patience > farewell, "{patience} s for {farewell} s");
}

/// Variables that the files set are those that the server reads.
#[test]
fn the_server_reads_what_it_is_told() {
    let source =
        text("crates/omnigraph-server/src/start.rs") + &text("crates/omnigraph-server/src/auth/source.rs");
    let files = text("Dockerfile") + &text("packaging/omnigraph-server.service");
    let mut words: Vec<&str> = files
        .split(|c: char| !c.is_ascii_uppercase() && c != '_')
        .filter(|word| word.starts_with("OMNIGRAPH_"))
        .collect();
    words.sort_unstable();
    words.dedup();
    assert!(words.len() >= 5, "{words:?}");
    let unknown: Vec<&&str> = words.iter().filter(|word| !source.contains(&format!("\"{word}\""))).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}
