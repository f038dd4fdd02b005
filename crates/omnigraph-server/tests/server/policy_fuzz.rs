//! Random rules, actors and calls, over HTTP, over MCP and by the evaluator of `omnigraph policy`, against a plain reading of
//! the rules.

use crate::calls::{ADULTS, INSERT};
use crate::host::{DATA, SCHEMA, Server, Setup};
use omnigraph::{Action, Ask, Guard as _, Scope};
use omnigraph_policy::Policy;
use serde_json::{Value, json};
use std::fmt::Write as _;

const POLICIES: u64 = 12;
const CALLS: u64 = 850;

const ACTORS: [&str; 5] = ["a", "b", "c", "a/b", "nobody"];
const BRANCHES: [&str; 6] = ["agent/a/b/y", "agent/a/x", "agent/b/x", "dev", "main", "release/1"];
const PATTERNS: [&str; 8] =
    ["main", "release/*", "*", "agent/${actor}/*", "agent/a/*", "*/x", "dev", "agent/*/x"];
const TYPES: [&str; 4] = ["Company", "Knows", "Person", "WorksAt"];
const TYPE_PATTERNS: [&str; 6] = ["*", "*s", "Company", "Knows", "Person", "W*"];
const SCOPES: [&str; 3] = ["any", "protected", "unprotected"];

/// A stream of numbers that is the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }

    fn of<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }

    fn some<T: Copy>(&mut self, all: &[T]) -> Vec<T> {
        let mut some: Vec<T> = all.iter().filter(|_| self.below(2) == 0).copied().collect();
        if some.is_empty() {
            some.push(*self.of(all));
        }
        some
    }
}

/// A rule as somebody reads it.
struct Rule {
    actors: Vec<&'static str>,
    actions: Vec<Action>,
    scope: Option<&'static str>,
    branches: Option<Vec<&'static str>>,
    types: Option<Vec<&'static str>>,
}

struct Rules {
    protected: Vec<&'static str>,
    rules: Vec<Rule>,
}

impl Rules {
    fn random(dice: &mut Dice) -> Rules {
        let protected = if dice.below(3) == 0 { Vec::new() } else { vec![*dice.of(&["main", "release/*"])] };
        let rules = (0..3 + dice.below(6)).map(|_| Rule::random(dice)).collect();
        Rules { protected, rules }
    }

    fn yaml(&self) -> String {
        let list =
            |words: &[&str]| words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(", ");
        let mut text = format!("version: 1\nprotected_branches: [{}]\ngroups:\n", list(&self.protected));
        for (at, rule) in self.rules.iter().enumerate() {
            let _ = writeln!(text, "  g{at}: [{}]", list(&rule.actors));
        }
        text += "rules:\n";
        for (at, rule) in self.rules.iter().enumerate() {
            let actions: Vec<&str> = rule.actions.iter().map(|action| action.as_str()).collect();
            let word =
                if rule.actions[0].scope() == Scope::Branch { "branch_scope" } else { "target_branch_scope" };
            let scope = rule.scope.map_or(String::new(), |scope| format!(", {word}: {scope}"));
            let patterns = |word: &str, some: &Option<Vec<&str>>| {
                some.as_ref().map_or(String::new(), |some| format!(", {word}: [{}]", list(some)))
            };
            let (branches, types) = (patterns("branches", &rule.branches), patterns("types", &rule.types));
            let _ = writeln!(
                text,
                "  - {{ id: r{at}, allow: {{ actors: {{ group: g{at} }}, actions: [{}]{scope}{branches}{types} }} }}",
                actions.join(", ")
            );
        }
        text
    }

    /// Whether an actor may, on a branch where it is about one.
    fn may(&self, actor: &str, action: Action, branch: &str) -> bool {
        self.may_of(actor, action, branch, None)
    }

    /// Whether an actor may with rows of a type; without a type, whether there is any type of which it may.
    fn may_of(&self, actor: &str, action: Action, branch: &str, type_name: Option<&str>) -> bool {
        let is_protected = self.protected.iter().any(|pattern| means(pattern, branch, actor));
        self.rules.iter().any(|rule| {
            let is_placed = action.scope() == Scope::Graph
                || (match rule.scope {
                    None | Some("any") => true,
                    Some(scope) => (scope == "protected") == is_protected,
                } && rule
                    .branches
                    .as_ref()
                    .is_none_or(|some| some.iter().any(|pattern| means(pattern, branch, actor))));
            let is_of_type = type_name.is_none_or(|name| {
                let some = rule.types.as_ref();
                some.is_none_or(|some| some.iter().any(|pattern| means(pattern, name, actor)))
            });
            rule.actors.contains(&actor) && rule.actions.contains(&action) && is_placed && is_of_type
        })
    }
}

impl Rule {
    fn random(dice: &mut Dice) -> Rule {
        let scope = *dice.of(&[Scope::Branch, Scope::TargetBranch, Scope::Graph]);
        let fitting: Vec<Action> = Action::ALL.into_iter().filter(|action| action.scope() == scope).collect();
        let is_placed = scope != Scope::Graph;
        let branches = (is_placed && dice.below(2) == 0).then(|| dice.some(&PATTERNS));
        let with_scope = is_placed && (branches.is_none() || dice.below(2) == 0);
        Rule {
            actors: dice.some(&ACTORS[..4]),
            actions: dice.some(&fitting),
            scope: with_scope.then(|| *dice.of(&SCOPES)),
            branches,
            types: (scope == Scope::Branch && dice.below(2) == 0).then(|| dice.some(&TYPE_PATTERNS)),
        }
    }
}

/// Whether a pattern means a branch: which beginnings of the pattern fit which beginnings of the name.
fn means(pattern: &str, branch: &str, actor: &str) -> bool {
    if pattern.contains("${actor}") && actor.contains('/') {
        return false;
    }
    let pattern: Vec<u8> = pattern.replace("${actor}", actor).into_bytes();
    let mut fits = vec![false; branch.len() + 1];
    fits[0] = true;
    for letter in pattern {
        let before = fits.clone();
        for at in 0..fits.len() {
            fits[at] = match letter {
                b'*' => before[..=at].contains(&true),
                letter => at > 0 && before[at - 1] && branch.as_bytes()[at - 1] == letter,
            };
        }
    }
    fits[branch.len()]
}

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

fn token(actor: &str) -> String {
    format!("tok-{}", actor.replace('/', "-"))
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

/// Whether the rules allow an action on a branch and on all types that the call touches.
fn expected(rules: &Rules, (actor, action, branch): (&str, Action, &str)) -> bool {
    let may_of = |type_name: Option<&str>| {
        rules.may_of(actor, action, branch, type_name)
            || (action == Action::InvokeQuery && rules.may_of(actor, Action::Read, branch, type_name))
    };
    let touched: &[&str] = match action {
        Action::Export => &TYPES,
        Action::Read | Action::Change | Action::InvokeQuery => &["Person"],
        _ => &[],
    };
    may_of(None) && touched.iter().all(|name| may_of(Some(name)))
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
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
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
