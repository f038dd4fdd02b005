//! Many processes on one store: nothing is lost, nothing is given twice, nobody hears of a lock; and what was
//! acknowledged survives a kill. `ORBIT_CROWD_SECONDS` makes it longer.

use crate::worktree::Worktree;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const PROCESSES: usize = 16;

/// An `orbit mcp` process.
struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    last: u64,
}

impl Server {
    fn start(dir: &Path) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_orbit"))
            .args(["mcp", "--toolset", "knowledge,tasks"])
            .current_dir(dir)
            .env_remove("ORBIT_KNOWLEDGE_DB")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program runs");
        let (input, output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let mut server = Server { child, input, output: BufReader::new(output), last: 0 };
        let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}});
        server.request("initialize", hello).expect("an answer");
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).expect("it listens");
        server
    }

    fn send(&mut self, message: &Value) -> Option<()> {
        writeln!(self.input, "{message}").ok()?;
        self.input.flush().ok()
    }

    /// `None` when the server is gone.
    fn request(&mut self, method: &str, params: Value) -> Option<Value> {
        self.last += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}))?;
        let mut line = String::new();
        self.output.read_line(&mut line).ok().filter(|read| *read > 0)?;
        let answer: Value = serde_json::from_str(&line).ok()?;
        Some(answer["result"].clone())
    }

    /// The envelope of a call; `None` when the server is gone.
    fn call(&mut self, tool: &str, arguments: Value) -> Option<Value> {
        let result = self.request("tools/call", json!({"name": tool, "arguments": arguments}))?;
        let text = result["content"][0]["text"].as_str().expect("a text").to_owned();
        assert!(!text.contains("is locked"), "{text}");
        Some(serde_json::from_str(&text).expect("an envelope"))
    }

    fn ok(&mut self, tool: &str, arguments: Value) -> Value {
        let envelope = self.call(tool, arguments.clone()).expect("it is there");
        assert_eq!(envelope["success"], true, "{tool} {arguments}: {envelope}");
        envelope["data"].clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn seconds() -> Duration {
    let given = std::env::var("ORBIT_CROWD_SECONDS").ok().and_then(|text| text.parse().ok());
    Duration::from_secs(given.unwrap_or(4))
}

fn task(server: &mut Server, project: &str, title: &str) -> String {
    let arguments = json!({"operation": "create", "containerType": "task", "title": title, "summary": "s",
        "priority": "HIGH", "complexity": 1, "projectId": project});
    server.ok("manage_container", arguments)["task"]["id"].as_str().expect("an id").to_owned()
}

/// A repository with a project, a task and an atom in it.
fn scene() -> (Worktree, Server, String, String, String) {
    let worktree = Worktree::repository();
    worktree.write("src/a.py", "def a():\n    return 1\n");
    worktree.commit("first");
    let mut server = Server::start(worktree.root());
    let project = server.ok(
        "manage_container",
        json!({"operation": "create", "containerType": "project", "name": "P", "summary": "s"}),
    );
    let project = project["project"]["id"].as_str().expect("an id").to_owned();
    let first = task(&mut server, &project, "first");
    let atom = json!({"operation": "create", "entityType": "atom", "projectId": project, "name": "A",
        "createdByTaskId": first, "paths": ["src/**"]});
    let atom = server.ok("manage_graph", atom)["atom"]["id"].as_str().expect("an id").to_owned();
    (worktree, server, project, first, atom)
}

/// What one process of the crowd did.
#[derive(Default)]
struct Done {
    entries: usize,
    updates: i64,
    made: Vec<String>,
    claimed: Vec<String>,
    conflicts: usize,
}

fn one_of_many(dir: &Path, number: usize, project: &str, first: &str, atom: &str, until: Instant) -> Done {
    let mut server = Server::start(dir);
    let mut done = Done::default();
    let mut version = 1;
    while Instant::now() < until {
        let arguments = json!({"operation": "update", "entityType": "atom", "id": atom, "version": version,
            "name": format!("A {number}"), "lastTaskId": first});
        let envelope = server.call("manage_graph", arguments).expect("it is there");
        if envelope["success"] == true {
            done.updates += 1;
            version = envelope["data"]["atom"]["version"].as_i64().expect("a version");
        } else {
            assert_eq!(envelope["error"]["code"], "CONFLICT", "{envelope}");
            let details = &envelope["error"]["details"];
            assert_eq!(details["entity"]["version"], details["currentVersion"], "the entity comes along");
            version = details["currentVersion"].as_i64().expect("a version");
            done.conflicts += 1;
        }
        let append = json!({"operation": "append", "parentType": "atom", "parentId": atom, "taskId": first, "summary": "s"});
        server.ok("manage_changelog", append);
        done.entries += 1;
        done.made.push(task(&mut server, project, &format!("task of {number}")));
        let next = server.ok(
            "get_next_task",
            json!({"claim": true, "actor": format!("actor {number}"), "projectId": project}),
        );
        if let Some(id) = next["task"]["id"].as_str() {
            done.claimed.push(id.to_owned());
            let version = next["task"]["version"].as_i64().expect("a version");
            let give_up = json!({"containerType": "task", "id": id, "version": version, "reason": "done",
                "actor": format!("actor {number}")});
            server.ok("terminate", give_up);
        }
    }
    done
}

#[test]
fn sixteen_processes_lose_nothing_and_share_nothing() {
    let (worktree, mut server, project, first, atom) = scene();
    let until = Instant::now() + seconds();
    let done: Vec<Done> = thread::scope(|scope| {
        let started: Vec<_> = (0..PROCESSES)
            .map(|number| {
                let (dir, project, first, atom) = (worktree.root(), &project, &first, &atom);
                scope.spawn(move || one_of_many(dir, number, project, first, atom, until))
            })
            .collect();
        started.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    let updates: i64 = done.iter().map(|it| it.updates).sum();
    let now = server.ok("query_graph", json!({"operation": "get", "entityType": "atom", "id": atom}));
    assert_eq!(now["atom"]["version"], 1 + updates, "an update was lost");
    let entries =
        server.ok("manage_changelog", json!({"operation": "search", "parentType": "atom", "parentId": atom}));
    assert_eq!(entries["total"], done.iter().map(|it| it.entries).sum::<usize>());
    let mut owners: BTreeMap<&str, usize> = BTreeMap::new();
    for id in done.iter().flat_map(|it| &it.claimed) {
        *owners.entry(id).or_default() += 1;
    }
    assert!(owners.values().all(|count| *count == 1), "a task was given twice");
    let made: usize = done.iter().map(|it| it.made.len()).sum();
    let tasks =
        server.ok("query_container", json!({"operation": "search", "containerType": "task", "limit": 1}));
    assert_eq!(tasks["total"], made + 1);
    assert!(done.iter().map(|it| it.conflicts).sum::<usize>() > 0, "they never met");
}

#[test]
fn a_kill_takes_nothing_that_was_acknowledged() {
    let (worktree, mut server, project, _, _) = scene();
    let mut acknowledged = BTreeSet::new();
    for round in 0..12_u64 {
        let mut victim = Server::start(worktree.root());
        let pid = victim.child.id().to_string();
        // Every round ends at another moment of a write.
        let killer = thread::spawn(move || {
            thread::sleep(Duration::from_micros(3_000 + round * 1_700));
            Command::new("kill").args(["-KILL", &pid]).status().expect("kill runs")
        });
        let arguments = |count: usize| {
            json!({"operation": "create", "containerType": "task", "title": format!("{round} {count}"), "summary": "s",
                "priority": "LOW", "complexity": 1, "projectId": project})
        };
        let mut count = 0;
        while let Some(envelope) = victim.call("manage_container", arguments(count)) {
            acknowledged.insert(envelope["data"]["task"]["id"].as_str().expect("an id").to_owned());
            count += 1;
        }
        killer.join().expect("no panic");
    }
    for id in &acknowledged {
        server.ok("query_container", json!({"operation": "get", "containerType": "task", "id": id}));
    }
    assert!(acknowledged.len() > 3, "the kills came too early to prove anything: {}", acknowledged.len());
}
