//! `omnigraph mcp` used by a client that is not ours: the official Python SDK, which `scripts/test-tools` installs. The
//! scenario is that of the server's tests.

use crate::program::Place;
use crate::served::Served;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The Python that has the SDK: where `scripts/test-tools` puts it, in cargo's target directory.
fn python() -> PathBuf {
    let binary = Path::new(env!("CARGO_BIN_EXE_omnigraph"));
    let targets = binary.ancestors().skip(1).map(|dir| dir.join("test-tools/bin/python"));
    let found = targets.into_iter().find(|python| python.exists());
    found.expect("run scripts/test-tools first: it installs the MCP client that this test uses")
}

fn place() -> Place {
    let place = Place::new();
    place.write("s.pg", "node Person { name: String @key  age: I32? }\nedge Knows: Person -> Person\n");
    let rows = [
        r#"{"type":"Person","data":{"name":"Alice","age":30}}"#,
        r#"{"type":"Person","data":{"name":"Bob","age":25}}"#,
        r#"{"edge":"Knows","from":"Alice","to":"Bob"}"#,
    ];
    place.write("rows.jsonl", &rows.join("\n"));
    let queries = "query by_name($n: String) @description(\"A person and whom they know\") {\n\
        match { $p: Person { name: $n } $p knows $f } return { $p.name, $p.age, $f.name } }\n\
        query add($n: String, $a: I32?) { insert Person { name: $n, age: $a } }\n";
    place.run("mkdir mcp-queries && omnigraph init --schema s.pg mcp.omni").success();
    place.write("mcp-queries/q.gq", queries);
    place.write("mcp.yaml", "query: { publish: [mcp-queries] }\n");
    place.run("omnigraph load --data rows.jsonl --mode append mcp.omni").success();
    place
}

fn every_tool(place: &Place, uri: &str) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../omnigraph-server/tests/server/mcp_client.py");
    let mut client = Command::new(python());
    client.arg(script).args(["tools", "stdio", env!("CARGO_BIN_EXE_omnigraph"), "mcp", "--config"]);
    client.arg(place.path("mcp.yaml")).arg(uri).current_dir(place.path("."));
    let output = client.output().expect("Python runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}

#[test]
fn every_tool_on_files() {
    every_tool(&place(), "mcp.omni");
}

#[test]
fn every_tool_through_a_server() {
    let place = place();
    let server = Served::start(&place, &["mcp.omni"], &[]);
    every_tool(&place, &server.url);
}
