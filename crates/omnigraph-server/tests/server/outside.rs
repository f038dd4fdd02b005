//! The server used by programs that are not ours, which `scripts/test-tools` installs: a fuzzer that reads the document,
//! a validator of the document, and the official Python SDK of MCP.

use crate::host::{Server, Setup};
use std::path::{Path, PathBuf};
use std::process::Command;

const SCHEMA: &str =
    "node Person { name: String @key  age: I32? }\nedge Knows: Person -> Person { since: Date? }\n";

const DATA: &str = r#"{"type":"Person","data":{"name":"Alice","age":30}}
{"type":"Person","data":{"name":"Bob","age":25}}
{"edge":"Knows","from":"Alice","to":"Bob"}
"#;

const QUERIES: &str = r#"query by_name($n: String) @description("A person and whom they know") {
  match { $p: Person { name: $n } $p knows $f }
  return { $p.name, $p.age, $f.name }
}
query add($n: String, $a: I32?) { insert Person { name: $n, age: $a } }
"#;

/// Readers see what is protected, which is `main`; owners may do what there is to do.
const POLICY: &str = "version: 1
groups: { readers: [reader], owners: [owner] }
protected_branches: [main]
rules:
  - { id: r1, allow: { actors: { group: readers }, actions: [read], branch_scope: protected } }
  - { id: r2, allow: { actors: { group: readers }, actions: [tool_list, query_list] } }
  - { id: o0, allow: { actors: { group: owners }, actions: [tool_list, query_list, graph_list, metrics] } }
  - { id: o1, allow: { actors: { group: owners }, actions: [read, export, change], branch_scope: any } }
  - { id: o2, allow: { actors: { group: owners }, actions: [branch_create, branch_delete, branch_merge], target_branch_scope: any } }
";

/// A server with a graph `g`, two saved queries, and tokens.
fn served(with_policy: bool) -> Server {
    let mut setup = Setup::bare();
    setup.graph("g.omni", SCHEMA, DATA);
    setup.write("queries.gq", QUERIES);
    setup.write("policy.yaml", POLICY);
    setup.write("omnigraph.yaml", "graphs: { g: { uri: g.omni } }\nquery: { publish: [.] }\n");
    setup.env(
        "OMNIGRAPH_SERVER_BEARER_TOKENS_JSON",
        r#"{"owner": "tok-91b2-owner", "reader": "tok-91b2-reader"}"#,
    );
    setup.secret("tok-91b2-owner").secret("tok-91b2-reader");
    if with_policy {
        setup.arg("--policy policy.yaml");
    }
    setup.start()
}

/// A program of the environment that `scripts/test-tools` makes in cargo's target directory.
fn tool(name: &str) -> PathBuf {
    let binary = Path::new(env!("CARGO_BIN_EXE_omnigraph-server"));
    let targets = binary.ancestors().skip(1).map(|dir| dir.join("test-tools/bin").join(name));
    let found = targets.into_iter().find(|program| program.exists());
    found.expect("run scripts/test-tools first: it installs what this test uses")
}

fn beside(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/server").join(name)
}

fn succeeds(command: &mut Command) {
    let output = command.output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
}

#[test]
fn a_fuzzer_that_reads_the_document_finds_nothing() {
    let server = served(false);
    let mut fuzzer = Command::new(tool("schemathesis"));
    fuzzer.current_dir(server.path(".")).arg("--config-file").arg(beside("schemathesis.toml"));
    fuzzer.args(["run", &format!("http://{}/openapi.json", server.address)]);
    fuzzer.args(["-H", "Authorization: Bearer tok-91b2-owner", "--checks", "all", "--continue-on-failure"]);
    // It would wait for the end of a stream that has none.
    fuzzer.args(["--exclude-path-regex", "/changes/stream$"]);
    succeeds(fuzzer.args(["--max-examples", "12", "--seed", "1"]));
    assert!(server.is_running());
}

#[test]
fn the_document_is_valid() {
    let server = served(false);
    let document = server.path("document.json");
    std::fs::write(&document, server.get("/openapi.json").text()).expect("a file");
    succeeds(Command::new(tool("openapi-spec-validator")).arg(document));
}

#[test]
fn an_agent_uses_every_tool() {
    let server = served(true);
    let mut client = Command::new(tool("python"));
    client.arg(beside("mcp_client.py")).args(["tools", "http", &format!("http://{}/mcp", server.address)]);
    succeeds(client.arg("tok-91b2-owner"));
}

#[test]
fn an_agent_is_refused_what_the_policy_does_not_allow() {
    let server = served(true);
    let url = format!("http://{}/graphs/g/mcp", server.address);
    let mut client = Command::new(tool("python"));
    succeeds(client.arg(beside("mcp_client.py")).args(["reader", "http", &url, "tok-91b2-reader"]));
}
