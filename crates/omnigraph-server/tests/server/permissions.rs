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
        Action::Admin => (caller.post("/fsck", json!({})), 200),
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
            let (answer, _) = ask(&server, actor, action, "dev", &on_dev);
            let reply = answer.fault(403, "forbidden", "forbidden");
            let text = format!("policy denied action '{action}'");
            assert!(reply["error"].as_str().is_some_and(|error| error.starts_with(&text)), "{reply}");
            assert_eq!(answer.header("www-authenticate"), None);
        }
        let (answer, _) = ask(&server, action.as_str(), action, "main", &on_main);
        let is_about_branches = action != Action::Admin;
        assert_eq!(answer.status == 403, is_about_branches, "{action} on main: {}", answer.text());
        let (answer, status) = ask(&server, action.as_str(), action, "dev", &on_dev);
        let status = if action == Action::RunAbort { 409 } else { status }; // it was published
        assert_eq!(answer.status, status, "{action}: {}", answer.text());
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

#[test]
fn without_tokens_everybody_is_anonymous() {
    let setup = Setup::new();
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
    setup.arg("--policy policy.yaml");
    let (code, text) = setup.refused();
    assert_eq!(code, Some(1));
    assert!(text.contains("policy.yaml: policy group 'g' must not be empty"), "{text}");
}
