//! Random rules, actors and calls, over HTTP, over MCP and by the evaluator of `omnigraph policy`, against a plain reading of
//! the rules.

use crate::calls::{ADULTS, INSERT};
use crate::host::{DATA, SCHEMA, Server, Setup};
use crate::random_rules::{ACTORS, BRANCHES, Dice, Rules, TYPES, expected, token};
use omnigraph::{Action, Ask, Guard as _};
use omnigraph_policy::Policy;
use serde_json::{Value, json};

const POLICIES: u64 = 12;
const CALLS: u64 = 850;

/// A server whose rules are these.
fn served(rules: &Rules) -> Server {
    let mut setup = Setup::bare();
    let graph = setup.graph("g.omni", SCHEMA, DATA);
    for branch in BRANCHES.iter().filter(|branch| **branch != "main") {
        graph.create_branch(branch, "main", None).expect("a branch");
    }
    setup.write("policy.yaml", &rules.yaml());
    setup.write("queries.gq", &format!("{ADULTS}\n{INSERT}"));
    setup.write("omnigraph.yaml", "query: { publish: [queries.gq] }\n");
    let tokens: serde_json::Map<String, Value> =
        ACTORS.iter().map(|actor| ((*actor).to_owned(), token(actor).into())).collect();
    setup.env("OMNIGRAPH_SERVER_BEARER_TOKENS_JSON", &Value::Object(tokens).to_string());
    setup.env("OMNIGRAPH_LOG", "warn,omnigraph_server::start=info");
    setup.arg("g.omni --policy policy.yaml");
    setup.start()
}

/// What an agent is answered: the document of a tool or of a list, or its failure.
fn mcp(server: &Server, actor: &str, method: &str, params: &Value) -> Result<Value, String> {
    let ask = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
    let header = format!("Bearer {}", token(actor));
    let headers = [
        ("Authorization", header.as_str()),
        ("Content-Type", "application/json"),
        ("Accept", "application/json, text/event-stream"),
    ];
    let answer = server.send("POST", "/mcp", &headers, Some(ask.as_bytes())).ok();
    if let Some(error) = answer.get("error") {
        return Err(error["message"].as_str().expect("a message").to_owned());
    }
    let result = &answer["result"];
    let text = result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
    if result["isError"] == true { Err(text) } else { Ok(result.clone()) }
}

/// Calls the action by HTTP or MCP, whether it was allowed, and whether it should have been.
fn tried(server: &Server, rules: &Rules, dice: &mut Dice) -> (String, bool, bool) {
    let (actor, branch) = (*dice.of(&ACTORS), *dice.of(&BRANCHES));
    let action = *dice.of(&Action::ALL);
    let caller = server.caller(&token(actor));
    let by_agent = dice.below(3) == 0;
    let may = |action: Action| rules.may(actor, action, branch);
    let query = |source: &str| json!({ "query_source": source, "branch": branch });
    let nothing = "query q() { delete Person where name = \"none\" }";
    let rows = "query q() { match { $p: Person } return { $p.name } }";
    let tool = |name: &str, given: Value| {
        let done = mcp(server, actor, "tools/call", &json!({ "name": name, "arguments": given }));
        done.err().is_none_or(|error| !error.contains("policy denied"))
    };
    let post = |path: &str, body: Value| caller.post(path, body).status != 403;
    let allowed = match (action, by_agent) {
        (Action::Read, true) => tool("query", json!({ "query": rows, "branch": branch })),
        (Action::Read, false) => post("/read", query(rows)),
        (Action::Change, true) => tool("change", json!({ "query": nothing, "branch": branch })),
        (Action::Change, false) => post("/change", query(nothing)),
        (Action::BranchCreate, true) => tool("branch_create", json!({ "name": branch, "from": "main" })),
        (Action::BranchCreate, false) => post("/branches", json!({ "name": branch, "from": "main" })),
        (Action::BranchMerge, true) => {
            tool("branch_merge", json!({ "source": branch, "target": branch, "dry_run": true }))
        }
        (Action::BranchMerge, false) => {
            post("/branches/merge", json!({ "source": branch, "target": branch, "dry_run": true }))
        }
        (Action::InvokeQuery, true) => tool("adults", json!({ "over": 1, "on_branch": branch })),
        (Action::InvokeQuery, false) => {
            post("/queries/adults", json!({ "params": { "over": 1 }, "branch": branch }))
        }
        (Action::Export, _) => post("/export", json!({ "branch": branch })),
        (Action::SchemaApply, _) => {
            post("/schema/apply", json!({ "schema_source": SCHEMA, "branch": branch }))
        }
        (Action::QueryList, true) => {
            let listed = mcp(server, actor, "tools/list", &json!({}));
            let shows = listed.is_ok_and(|listed| listed["tools"].to_string().contains("\"adults\""));
            return (
                format!("{actor} sees saved queries as tools"),
                shows,
                may(Action::ToolList) && may(Action::QueryList),
            );
        }
        (Action::QueryList, false) => caller.get("/queries").status != 403,
        (Action::ToolList, _) => mcp(server, actor, "tools/list", &json!({})).is_ok(),
        (Action::GraphList, _) => caller.get("/graphs").ok()["graphs"] != json!([]),
        (Action::Metrics, _) => caller.get("/metrics").status != 403,
        (Action::Admin, _) => post("/fsck", json!({})),
        // These would end what other calls need; what is not there is refused first to those who may not.
        (Action::BranchDelete | Action::RunPublish | Action::RunAbort, _) => {
            return listed(server, rules, actor, by_agent);
        }
    };
    let expected = expected(rules, (actor, action, branch));
    (format!("{actor} {action} {branch} (agent: {by_agent})"), allowed, expected)
}

/// The list of branches has those that may be read.
fn listed(server: &Server, rules: &Rules, actor: &str, by_agent: bool) -> (String, bool, bool) {
    let found = if by_agent {
        let result = mcp(server, actor, "tools/call", &json!({ "name": "branches", "arguments": {} }));
        let text = result.expect("a list")["content"][0]["text"].as_str().expect("text").to_owned();
        serde_json::from_str(&text).expect("a document")
    } else {
        server.caller(&token(actor)).get("/branches").ok()
    };
    let readable = BRANCHES.iter().filter(|branch| rules.may(actor, Action::Read, branch));
    let expected: Vec<&str> = readable.copied().collect();
    (format!("{actor} lists {found}, expected {expected:?}"), found["branches"] == json!(expected), true)
}

#[test]
fn every_way_in_decides_as_the_rules_read() {
    let mut dice = Dice::new(0x2545_f491_4f6c_dd1d);
    let mut allowed_calls = 0;
    for _ in 0..POLICIES {
        let rules = Rules::random(&mut dice);
        let policy = Policy::parse(&rules.yaml()).unwrap_or_else(|error| panic!("{error}\n{}", rules.yaml()));
        let server = served(&rules);
        for _ in 0..CALLS {
            let (what, allowed, expected) = tried(&server, &rules, &mut dice);
            assert_eq!(allowed, expected, "{what}\n{}", rules.yaml());
            allowed_calls += u64::from(allowed);
            // The evaluator of the command line is asked everything, calls that end something included.
            let (actor, action, branch) = (*dice.of(&ACTORS), *dice.of(&Action::ALL), *dice.of(&BRANCHES));
            let type_name = (action.has_rows() && dice.below(2) == 0).then(|| *dice.of(&TYPES));
            let ask = Ask { actor, action, branch: Some(branch), target_branch: Some(branch), type_name };
            let expected = rules.may_of(actor, action, branch, type_name);
            assert_eq!(policy.decide(&ask).allowed, expected, "{ask:?}\n{}", rules.yaml());
        }
    }
    let calls = POLICIES * CALLS;
    assert!(allowed_calls > calls / 10 && allowed_calls < calls, "{allowed_calls} of {calls} were allowed");
}
