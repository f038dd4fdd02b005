//! Random rules and commands of random actors, sent to the real server, against a plain reading of the rules.

#[path = "../../../omnigraph-server/tests/server/random_rules.rs"]
mod random_rules;

use crate::program::{Outcome, Place};
use crate::served::Served;
use omnigraph::Action;
use random_rules::{ACTORS, BRANCHES, Dice, Rules, expected, token};
use serde_json::{Value, json};

const POLICIES: usize = 4;
const COMMANDS: usize = 45;

/// A graph with all branches, and a server for it whose rules are these.
fn served(rules: &Rules) -> (Place, Served) {
    let place = Place::loaded();
    for branch in BRANCHES.iter().filter(|branch| **branch != "main") {
        place.run(&format!("omnigraph branch create --from main {branch} g.omni")).success();
    }
    place.write("policy.yaml", &rules.yaml());
    let tokens: serde_json::Map<String, Value> =
        ACTORS.iter().map(|actor| ((*actor).to_owned(), token(actor).into())).collect();
    let tokens = Value::Object(tokens).to_string();
    let env = [("OMNIGRAPH_SERVER_BEARER_TOKENS_JSON", tokens.as_str())];
    let server = Served::start(&place, &["g.omni", "--policy", "policy.yaml"], &env);
    (place, server)
}

/// What somebody types for an action; none where no command asks for it alone.
fn line(action: Action, branch: &str, url: &str) -> Option<String> {
    let rows = "query q() { match { $p: Person } return { $p.name } }";
    let nothing = "query q() { delete Person where name = \"none\" }";
    Some(match action {
        Action::Read => format!("omnigraph read -e '{rows}' --branch {branch} {url}"),
        Action::Change => format!("omnigraph change -e '{nothing}' --branch {branch} {url}"),
        Action::Export => format!("omnigraph export --branch {branch} {url}"),
        Action::SchemaApply => {
            format!("omnigraph schema apply --schema schema.pg --branch {branch} {url}")
        }
        Action::BranchCreate => format!("omnigraph branch create --from main {branch} {url}"),
        Action::BranchMerge => format!("omnigraph branch merge {branch} --into {branch} --dry-run {url}"),
        Action::Admin => format!("omnigraph fsck {url}"),
        // What the first three end is needed by later commands.
        Action::BranchDelete
        | Action::RunPublish
        | Action::RunAbort
        | Action::InvokeQuery
        | Action::QueryList
        | Action::ToolList
        | Action::GraphList
        | Action::Metrics => return None,
    })
}

fn run(place: &Place, actor: &str, line: &str) -> Outcome {
    place.run(&format!("OMNIGRAPH_BEARER_TOKEN={} {line}", token(actor)))
}

#[test]
fn commands_are_allowed_as_the_rules_read() {
    let mut dice = Dice::new(0x9e37_79b9_7f4a_7c15);
    let (mut allowed, mut commands) = (0, 0);
    for _ in 0..POLICIES {
        let rules = Rules::random(&mut dice);
        let (place, server) = served(&rules);
        for _ in 0..COMMANDS {
            let (actor, branch, action) = (*dice.of(&ACTORS), *dice.of(&BRANCHES), *dice.of(&Action::ALL));
            let Some(line) = line(action, branch, &server.url) else {
                lists(&rules, (&place, &server), actor);
                continue;
            };
            let done = run(&place, actor, &line);
            let is_denied = done.stderr.contains("policy denied");
            let may = expected(&rules, (actor, action, branch));
            assert_eq!(is_denied, !may, "{actor}: {line}\n{done:?}\n{}", rules.yaml());
            assert!(!is_denied || (done.code == Some(1) && done.stdout.is_empty()), "{line}\n{done:?}");
            allowed += usize::from(may);
            commands += 1;
        }
    }
    assert!(allowed > commands / 10 && allowed < commands, "{allowed} of {commands} were allowed");
}

/// The list of branches has those that may be read.
fn lists(rules: &Rules, (place, server): (&Place, &Served), actor: &str) {
    let done = run(place, actor, &format!("omnigraph branch list --json {}", server.url)).success();
    let found: Value = serde_json::from_str(&done).expect("a document");
    let readable: Vec<&str> =
        BRANCHES.iter().copied().filter(|branch| rules.may(actor, Action::Read, branch)).collect();
    assert_eq!(found["branches"], json!(readable), "{actor}\n{}", rules.yaml());
}
