//! History and packs as an agent asks for them.

use super::program::orbit;
use super::worktree::Worktree;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

struct Agent {
    child: Child,
    stdin: Option<ChildStdin>,
    out: BufReader<ChildStdout>,
    next: u64,
}

impl Agent {
    fn start(worktree: &Worktree) -> Agent {
        let mut child = Command::new(env!("CARGO_BIN_EXE_orbit"))
            .arg("mcp")
            .current_dir(worktree.root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs");
        let (stdin, out) = (child.stdin.take(), child.stdout.take().expect("an output"));
        let mut agent = Agent { child, stdin, out: BufReader::new(out), next: 0 };
        let client = json!({"name": "test", "version": "1"});
        agent.ask(
            "initialize",
            json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}),
        );
        agent.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        agent
    }

    fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().expect("open");
        writeln!(stdin, "{message}").expect("the server reads");
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let mut line = String::new();
            assert!(self.out.read_line(&mut line).expect("an answer") > 0, "the server is gone");
            let answer: Value = serde_json::from_str(&line).expect("JSON");
            if answer["id"] == id {
                return answer["result"].clone();
            }
        }
    }

    /// The text of a tool's answer, and whether it is an error.
    fn call(&mut self, tool: &str, arguments: Value) -> (String, bool) {
        let result = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        let text = result["content"][0]["text"].as_str().expect("a text").to_owned();
        (text, result["isError"] == true)
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let _ = self.child.wait();
    }
}

#[test]
fn an_agent_gets_history_and_packs_below_its_cap() {
    let worktree = Worktree::repository();
    let body = "(items):\n    return sum(item.price for item in items)\n";
    worktree.write("a.py", format!("def total{body}"));
    worktree.commit("Start [T20260101-1]");
    worktree.write("a.py", format!("def amount{body}"));
    worktree.commit("Rename");
    orbit(worktree.root(), &["sync"]).success();
    let mut agent = Agent::start(&worktree);
    let tools = agent.ask("tools/list", json!({}));
    let names: Vec<&str> =
        tools["tools"].as_array().unwrap().iter().filter_map(|tool| tool["name"].as_str()).collect();
    assert!(names.contains(&"graph_history") && names.contains(&"graph_pack"), "{names:?}");

    let (text, failed) = agent.call("graph_history", json!({"selector": "amount", "refresh": true}));
    assert!(!failed, "{text}");
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(answer["source"], "graph");
    assert_eq!(answer["commits"].as_array().unwrap().len(), 2);
    assert_eq!(answer["lineage"][0]["known_by"], "inferred");

    let (text, failed) =
        agent.call("graph_pack", json!({"selector": ["amount", "nowhere"], "max_tokens": 500}));
    assert!(!failed && text.len() < 500 * 3, "{text}");
    let pack: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(pack["entries"][0]["level"], "source");
    assert_eq!(pack["unresolved"][0]["selector"], "nowhere");

    let (text, failed) = agent.call("graph_search", json!({"task": "T20260101-1"}));
    assert!(!failed, "{text}");
    let found: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(found["matches"][0]["selector"], "symbol:a.py#amount:function", "{text}");

    let (text, failed) = agent.call("graph_history", json!({"selector": "nowhere"}));
    assert!(failed && text.contains("not_found"), "{text}");
}
