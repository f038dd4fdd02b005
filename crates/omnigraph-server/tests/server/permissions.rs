//! What a policy allows over HTTP: one actor for each action, and every request tried by all of them.

use crate::calls::{ADULTS, INSERT};
use crate::host::{DATA, SCHEMA, Server, Setup};
use crate::wire::Answer;
use omnigraph::Action;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A server with a token and a rule for an actor of each action. Only `main` is protected; rules are about the others.
/// There are branches `dev` and `other`, a tag of each commit, and a run on `dev` and on `main`, with these ids.
fn guarded() -> (Server, [String; 2]) {
    let mut setup = Setup::bare();
    let graph = setup.graph("g.omni", SCHEMA, DATA);
    for name in ["dev", "other"] {
        graph.create_branch(name, "main", None).expect("a branch");
        graph
            .change(INSERT, None, json!({ "name": name }).as_object().expect("one"), &on(name))
            .expect("a change");
        graph.create_tag(&format!("of-{name}"), name, false).expect("a tag");
    }
    graph.create_tag("of-main", "main", false).expect("a tag");
    let runs = ["dev", "main"].map(|branch| graph.begin_run(branch, None).expect("a run").run.run_id);
    let mut policy = "version: 1\nprotected_branches: [main]\ngroups:\n".to_owned();
    let mut rules = String::new();
    for action in Action::ALL {
        let scope = match action.scope() {
            omnigraph::Scope::Branch => ", branch_scope: unprotected",
            omnigraph::Scope::TargetBranch => ", target_branch_scope: unprotected",
            omnigraph::Scope::Graph => "",
        };
        let _ = writeln!(policy, "  g-{action}: [only-{action}]");
        let allow = format!("actors: {{ group: g-{action} }}, actions: [{action}]{scope}");
        let _ = writeln!(rules, "  - {{ id: r-{action}, allow: {{ {allow} }} }}");
    }
    setup.write("policy.yaml", &format!("{policy}rules:\n{rules}"));
    setup.write("queries.gq", &format!("{ADULTS}\n{INSERT}"));
    setup.write("omnigraph.yaml", "query: { publish: [queries.gq] }\n");
    let mut tokens: serde_json::Map<String, Value> =
        Action::ALL.iter().map(|action| (format!("only-{action}"), token(action.as_str()).into())).collect();
    tokens.insert("nobody".to_owned(), token("nobody").into());
    for secret in tokens.values() {
        setup.secret(secret.as_str().expect("text"));
    }
    setup.env("OMNIGRAPH_SERVER_BEARER_TOKENS_JSON", &Value::Object(tokens).to_string());
    setup.arg("g.omni --policy policy.yaml --log json");
    (setup.start(), runs)
}

fn on(branch: &str) -> omnigraph::ChangeOptions {
    omnigraph::ChangeOptions { branch: Some(branch.to_owned()), if_commit: None }
}

fn token(name: &str) -> String {
    format!("tok-5e1d-{name}")
}

/// A request that needs an action on a branch, and the status when it is allowed.
fn ask(server: &Server, actor: &str, action: Action, branch: &str, run: &str) -> (Answer, u16) {
    let caller = server.caller(&token(actor));
    let query =
        |source: &str, params: Value| json!({ "query_source": source, "params": params, "branch": branch });
    match action {
        Action::Read => (caller.post("/read", query(ADULTS, json!({ "over": 1 }))), 200),
        Action::Export => (caller.post("/export", json!({ "branch": branch })), 200),
        Action::Change => (caller.post("/change", query(INSERT, json!({ "name": "Eve" }))), 200),
        Action::SchemaApply => {
            (caller.post("/schema/apply", json!({ "schema_source": SCHEMA, "branch": branch })), 200)
        }
        Action::BranchCreate => (caller.post("/branches", json!({ "name": branch, "from": "other" })), 409),
        Action::BranchDelete if branch == "main" => (caller.delete("/branches/main"), 400),
        Action::BranchDelete => (caller.delete("/branches/gone"), 404),
        Action::BranchMerge => (
            caller.post("/branches/merge", json!({ "source": branch, "target": branch, "dry_run": true })),
            200,
        ),
        Action::RunPublish => (caller.post(&format!("/runs/{run}/publish"), json!({})), 200),
        Action::RunAbort => (caller.post(&format!("/runs/{run}/abort"), json!({})), 200),
        Action::InvokeQuery => {
            (caller.post("/queries/adults", json!({ "params": { "over": 1 }, "branch": branch })), 200)
        }
        Action::QueryList => (caller.get("/queries"), 200),
        Action::GraphList => (caller.get("/graphs"), 200),
        Action::ToolList => (tools(server, actor), 200),
        Action::Metrics => (caller.get("/metrics"), 200),
        Action::Admin => (caller.post("/fsck", json!({})), 200),
    }
}

/// What agents are told of tools.
fn tools(server: &Server, actor: &str) -> Answer {
    let ask = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }).to_string();
    let header = format!("Bearer {}", token(actor));
    let headers = [
        ("Authorization", header.as_str()),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ];
    server.send("POST", "/mcp", &headers, Some(ask.as_bytes()))
}

/// Whether an answer is what somebody gets who may. Lists of graphs are empty for others, and MCP has errors of its own.
fn is_allowed(action: Action, answer: &Answer) -> bool {
    match action {
        Action::GraphList => answer.ok()["graphs"] != json!([]),
        Action::ToolList => answer.ok().get("result").is_some(),
        _ => answer.status != 403,
    }
}

/// The decisions in the log, without the time.
fn decisions(server: &Server) -> Vec<Value> {
    let log = server.log();
    let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    lines.filter(|line| line["message"] == "policy").collect()
}

#[test]
fn every_action_is_allowed_to_who_has_it_and_denied_to_all_others() {
    let (server, [on_dev, on_main]) = guarded();
    // A run can be ended once: who may not tries first, publishing before giving up.
    for action in Action::ALL {
        let others = Action::ALL.into_iter().filter(|other| *other != action).map(Action::as_str);
        for actor in others.chain(["nobody"]) {
            if action == Action::InvokeQuery && actor == "read" {
                continue; // who may read may read by names of queries too
            }
            let (answer, _) = ask(&server, actor, action, "dev", &on_dev);
            assert!(!is_allowed(action, &answer), "{actor} {action}: {}", answer.text());
            if matches!(action, Action::GraphList | Action::ToolList) {
                continue;
            }
            let reply = answer.fault(403, "forbidden", "forbidden");
            // A query by its name is refused for what it does to those who may do something else there.
            let text = format!("policy denied action '{action}'");
            let says = |text: &str| reply["error"].as_str().is_some_and(|error| error.starts_with(text));
            let reads = action == Action::InvokeQuery && says("policy denied action 'read'");
            assert!(says(&text) || reads, "{reply}");
            assert_eq!(answer.header("www-authenticate"), None);
        }
        let (answer, _) = ask(&server, action.as_str(), action, "main", &on_main);
        let is_about_branches = action.scope() != omnigraph::Scope::Graph;
        assert_eq!(is_allowed(action, &answer), !is_about_branches, "{action} on main: {}", answer.text());
        let (answer, status) = ask(&server, action.as_str(), action, "dev", &on_dev);
        let status = if action == Action::RunAbort { 409 } else { status }; // it was published
        assert_eq!(answer.status, status, "{action}: {}", answer.text());
        assert!(is_allowed(action, &answer), "{action}: {}", answer.text());
    }
    let made = server.caller(&token("change")).get("/commits?branch=dev");
    made.fault(403, "forbidden", "forbidden");
    let made = server.caller(&token("read")).get("/commits?branch=dev").ok();
    let actors: Vec<_> =
        made["commits"].as_array().expect("commits").iter().map(|it| &it["actor_id"]).collect();
    assert!(actors.contains(&&json!("only-change")), "{actors:?}");
}

#[test]
fn every_decision_is_in_the_log() {
    let (server, [run, _]) = guarded();
    for action in Action::ALL {
        for (actor, outcome, rule) in
            [("nobody", "deny", String::new()), (action.as_str(), "allow", format!("r-{action}"))]
        {
            let known = decisions(&server).len();
            ask(&server, actor, action, "dev", &run);
            crate::host::until("a decision", || decisions(&server).len() > known);
            let decision = decisions(&server).swap_remove(known);
            let who = if actor == "nobody" { "nobody".to_owned() } else { format!("only-{actor}") };
            assert_eq!(
                [&decision["actor"], &decision["action"], &decision["outcome"], &decision["rule"]],
                [&json!(who), &json!(action.as_str()), &json!(outcome), &json!(rule)]
            );
            let branch = match action.scope() {
                omnigraph::Scope::Branch => Some(&decision["branch"]),
                omnigraph::Scope::TargetBranch => Some(&decision["target_branch"]),
                omnigraph::Scope::Graph => None,
            };
            let expected = if action == Action::BranchDelete { "gone" } else { "dev" };
            assert!(branch.is_none_or(|branch| branch == expected), "{decision}");
        }
    }
}

#[test]
fn lists_have_what_the_caller_may_read() {
    let (server, _) = guarded();
    let names = |list: &Value, member: &str| -> Vec<String> {
        let items = list.as_array().expect("a list").iter();
        items.map(|item| item[member].as_str().expect("a name").to_owned()).collect()
    };
    let reader = server.caller(&token("read"));
    assert_eq!(reader.get("/branches").ok()["branches"], json!(["dev", "other"]));
    assert_eq!(names(&reader.get("/tags").ok()["tags"], "name"), ["of-dev", "of-other"]);
    assert_eq!(names(&reader.get("/runs").ok()["runs"], "target_branch"), ["dev"]);
    reader.get("/commits").fault(403, "forbidden", "forbidden");
    reader.get("/snapshot?snapshot=of-main").fault(403, "forbidden", "forbidden");
    reader.get("/diff?from=dev&to=main").fault(403, "forbidden", "forbidden");
    reader.get("/diff?from=dev&to=other").ok();
    let other = server.caller(&token("change"));
    assert_eq!(other.get("/branches").ok(), json!({ "branches": [] }));
    assert_eq!(other.get("/tags").ok(), json!({ "tags": [] }));
    assert_eq!(other.get("/runs").ok(), json!({ "runs": [] }));
}

/// Whether a branch is there is not shown to those who may not read it.
#[test]
fn a_denied_and_a_missing_branch_look_alike() {
    let (server, _) = guarded();
    let nobody = server.caller(&token("nobody"));
    let read = |branch: &str| json!({ "query_source": ADULTS, "params": { "over": 1 }, "branch": branch });
    let tries: [&dyn Fn(&str) -> Answer; 9] = [
        &|name| nobody.post("/read", read(name)),
        &|name| nobody.get(&format!("/snapshot?branch={name}")),
        &|name| nobody.get(&format!("/commits?branch={name}")),
        &|name| nobody.get(&format!("/schema?branch={name}")),
        &|name| nobody.get(&format!("/diff?from={name}&to={name}")),
        &|name| nobody.post("/export", json!({ "branch": name })),
        &|name| nobody.delete(&format!("/branches/{name}")),
        &|name| nobody.post("/branches/merge", json!({ "source": name, "target": name })),
        &|name| nobody.post("/ingest", json!({ "branch": name, "from": name, "data": "" })),
    ];
    for (at, attempt) in tries.iter().enumerate() {
        let (there, missing) = (attempt("dev"), attempt("nix"));
        there.fault(403, "forbidden", "forbidden");
        assert_eq!(there.text().replace("dev", "nix"), missing.text(), "attempt {at}");
    }
}

/// A query by its name can be allowed without more, and is not told to those who may not run it.
#[test]
fn queries_are_invoked_without_reading() {
    let (server, _) = guarded();
    let invoker = server.caller(&token("invoke_query"));
    let run = |who: &str, name: &str, body: Value| {
        server.caller(&token(who)).post(&format!("/queries/{name}"), body)
    };
    let over = |branch: &str| json!({ "params": { "over": 1 }, "branch": branch });
    assert_eq!(run("invoke_query", "adults", over("dev")).ok()["row_count"], 4);
    invoker.post("/read", json!({ "query_source": ADULTS, "params": { "over": 1 }, "branch": "dev" })).fault(
        403,
        "forbidden",
        "forbidden",
    );
    invoker.get("/schema?branch=dev").fault(403, "forbidden", "forbidden");
    // What it changes is a change.
    let eve = json!({ "params": { "name": "Eve" }, "branch": "dev" });
    run("invoke_query", "insert_person", eve.clone()).fault(403, "forbidden", "forbidden");
    run("change", "insert_person", eve).ok();
    run("change", "adults", over("dev")).fault(403, "forbidden", "forbidden");
    // A commit is judged by its branch.
    let at = |tag: &str| json!({ "params": { "over": 1 }, "snapshot": tag });
    run("invoke_query", "adults", at("of-dev")).ok();
    run("invoke_query", "adults", at("of-main")).fault(403, "forbidden", "forbidden");
    for (who, branch) in [("nobody", "dev"), ("invoke_query", "main"), ("export", "dev")] {
        let [there, missing] = ["adults", "nowhere"].map(|name| run(who, name, over(branch)));
        there.fault(403, "forbidden", "forbidden");
        assert_eq!(there.text(), missing.text(), "{who} on {branch}");
    }
    let missing = run("invoke_query", "adlts", over("dev")).fault(404, "not_found", "not_found");
    assert_eq!(missing.get("hint"), None, "names are for those who may see the list: {missing}");
}

/// The list of tools has saved queries for those who may see them.
#[test]
fn tools_are_listed_to_who_may() {
    let (server, _) = guarded();
    let names = |answer: &Answer| -> Vec<String> {
        let tools = answer.ok()["result"]["tools"].as_array().expect("tools").clone();
        tools.iter().map(|tool| tool["name"].as_str().expect("a name").to_owned()).collect()
    };
    let listed = names(&tools(&server, "tool_list"));
    assert!(listed.contains(&"query".to_owned()) && !listed.contains(&"adults".to_owned()), "{listed:?}");
}

#[test]
fn tokens_without_a_policy_open_nothing() {
    let mut setup = Setup::new();
    setup.env("OMNIGRAPH_SERVER_BEARER_TOKEN", "tok-40ad").secret("tok-40ad");
    setup.env("OMNIGRAPH_ALLOW_ALL_TOKENS", "0");
    let server = setup.start();
    assert!(
        server.log().contains("there are tokens and no policy: nobody may do anything"),
        "{}",
        server.log()
    );
    let caller = server.caller("tok-40ad");
    for path in ["/snapshot", "/schema", "/commits", "/queries", "/metrics"] {
        caller.get(path).fault(403, "forbidden", "forbidden");
    }
    caller.post("/change", json!({ "query_source": INSERT, "params": { "name": "Eve" } })).fault(
        403,
        "forbidden",
        "forbidden",
    );
    assert_eq!(caller.get("/graphs").ok(), json!({ "graphs": [] }));
    assert_eq!(caller.get("/branches").ok(), json!({ "branches": [] }));
    for (name, text) in [("OMNIGRAPH_ALLOW_ALL_TOKENS", "1"), ("OMNIGRAPH_ALLOW_ALL_TOKENS", "")] {
        let mut setup = Setup::new();
        setup.env("OMNIGRAPH_SERVER_BEARER_TOKEN", "tok-40ad").secret("tok-40ad").env(name, text);
        if text.is_empty() {
            setup.arg("--allow-all-tokens");
        }
        setup.start().caller("tok-40ad").get("/metrics");
    }
}

#[test]
fn a_policy_needs_callers_with_names() {
    let mut setup = Setup::new();
    setup.write("policy.yaml", "version: 1\n");
    setup.arg("--policy policy.yaml");
    let (code, text) = setup.refused();
    assert_eq!(code, Some(1));
    assert!(text.contains("policy.yaml says who may do what, and there are no tokens"), "{text}");
}

/// Each graph has its own rules, or those of all.
#[test]
fn graphs_have_rules_of_their_own() {
    let mut setup = Setup::bare();
    for name in ["one.omni", "two.omni"] {
        setup.graph(name, SCHEMA, DATA);
    }
    let policy = |actor: &str| {
        format!(
            "version: 1\ngroups: {{ g: [{actor}] }}\nrules:\n  - {{ id: r, allow: {{ actors: {{ group: g }}, actions: \
             [read], branch_scope: any }} }}\n  - {{ id: s, allow: {{ actors: {{ group: g }}, actions: [graph_list, \
             metrics] }} }}\n"
        )
    };
    setup.write("all.yaml", &policy("ann"));
    setup.write("two.yaml", &policy("bob"));
    setup.write(
        "omnigraph.yaml",
        "graphs: { one: { uri: one.omni }, two: { uri: two.omni, policy: two.yaml } }\npolicy: { file: all.yaml }\n",
    );
    setup.env("OMNIGRAPH_SERVER_BEARER_TOKENS_JSON", r#"{"ann": "tok-aa01", "bob": "tok-bb02"}"#);
    setup.secret("tok-aa01").secret("tok-bb02");
    let server = setup.start();
    for (token, mine, other, number) in [("tok-aa01", "one", "two", 200), ("tok-bb02", "two", "one", 403)] {
        let caller = server.caller(token);
        caller.get(&format!("/graphs/{mine}/snapshot")).ok();
        caller.get(&format!("/graphs/{other}/snapshot")).fault(403, "forbidden", "forbidden");
        let listed = caller.get("/graphs").ok();
        assert_eq!(listed["graphs"].as_array().map(Vec::len), Some(1), "{listed}");
        assert_eq!(listed["graphs"][0]["name"], mine);
        assert_eq!(caller.get("/metrics").status, number, "numbers are of the whole server");
    }
}

/// One graph that cannot be opened does not keep the others from being served.
#[test]
fn a_graph_that_cannot_be_opened_is_left_alone() {
    let setup = Setup::bare();
    setup.graph("one.omni", SCHEMA, DATA);
    setup.graph("two.omni", SCHEMA, DATA);
    let marker = setup.path("two.omni/omnigraph.json");
    let good = std::fs::read(&marker).expect("a graph");
    std::fs::write(&marker, b"{").expect("a file");
    setup.write("omnigraph.yaml", "graphs: { one: { uri: one.omni }, two: { uri: two.omni } }\n");
    let server = setup.start();
    server.await_log("graph two cannot be opened");
    server.get("/graphs/one/snapshot").ok();
    let fault = server.get("/graphs/two/snapshot").fault(503, "unavailable", "graph_unavailable");
    assert!(!fault.to_string().contains("two.omni"), "where it is is told to the log only: {fault}");
    assert_eq!(server.get("/graphs").ok()["graphs"][1]["is_unavailable"], true);
    std::fs::write(&marker, good).expect("a file");
    server.signal("HUP");
    server.await_log("graph two is open now");
    server.get("/graphs/two/snapshot").ok();
    assert_eq!(server.get("/graphs").ok()["graphs"][1].get("is_unavailable"), None);
}

#[test]
fn without_tokens_everybody_is_anonymous() {
    let mut setup = Setup::new();
    setup.arg("--unauthenticated");
    setup.write(
        "policy.yaml",
        "version: 1\ngroups: { all: [anonymous] }\nrules: [{ id: r, allow: { actors: { group: all }, actions: \
         [read], branch_scope: any } }]\n",
    );
    setup.write("omnigraph.yaml", "policy: { file: policy.yaml }\n");
    let server = setup.start();
    server.get("/snapshot").ok();
    let reply = server.post("/fsck", json!({})).fault(403, "forbidden", "forbidden");
    assert_eq!(reply["error"], "policy denied action 'admin' for actor 'anonymous'");
}

#[test]
fn a_policy_that_does_not_hold_is_not_used() {
    let mut setup = Setup::new();
    setup.write("policy.yaml", "version: 1\ngroups: { g: [] }\n");
    setup.arg("--policy policy.yaml --unauthenticated");
    let (code, text) = setup.refused();
    assert_eq!(code, Some(1));
    assert!(text.contains("policy.yaml: policy group 'g' must not be empty"), "{text}");
}
