//! What rules decide, compared with a plain reading of them, and what is refused as a rule.

use omnigraph::{Action, Ask, Guard, Scope};
use omnigraph_policy::{Cases, Policy, Verdict};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write as _;

const TEAM: &str = "
version: 1
groups: { team: [act-a, act-b], admins: [act-root] }
protected_branches: [main]
rules:
  - { id: r1, allow: { actors: { group: team }, actions: [read, export], branch_scope: any } }
  - { id: r2, allow: { actors: { group: admins }, actions: [branch_merge, schema_apply], target_branch_scope: protected } }
  - { id: r3, allow: { actors: { group: team }, actions: [change], branch_scope: unprotected } }
  - { id: r0, allow: { actors: { group: team }, actions: [read], branch_scope: protected } }
  - { id: r4, allow: { actors: { group: admins }, actions: [admin] } }
";

fn decide(text: &str, actor: &str, action: Action, branch: &str) -> (bool, Option<String>) {
    let policy = Policy::parse(text).expect("a policy that holds");
    let is_target = action.scope() == Scope::TargetBranch;
    let (branch, target_branch) = if is_target { (None, Some(branch)) } else { (Some(branch), None) };
    let decision = policy.decide(&Ask { actor, action, branch, target_branch, type_name: None });
    (decision.allowed, decision.rule)
}

#[test]
fn rules_decide_by_group_action_and_branch() {
    let allowed = |rule: &str| (true, Some(rule.to_owned()));
    let denied = (false, None);
    assert_eq!(decide(TEAM, "act-a", Action::Read, "dev"), allowed("r1"));
    assert_eq!(decide(TEAM, "act-b", Action::Read, "main"), allowed("r0"), "the smallest id is named");
    assert_eq!(decide(TEAM, "act-a", Action::Change, "dev"), allowed("r3"));
    assert_eq!(decide(TEAM, "act-a", Action::Change, "main"), denied);
    assert_eq!(decide(TEAM, "act-root", Action::BranchMerge, "main"), allowed("r2"));
    assert_eq!(decide(TEAM, "act-root", Action::BranchMerge, "dev"), denied);
    assert_eq!(decide(TEAM, "act-root", Action::Read, "main"), denied);
    assert_eq!(decide(TEAM, "act-root", Action::Admin, ""), allowed("r4"));
    assert_eq!(decide(TEAM, "somebody", Action::Read, "dev"), denied);
    assert_eq!(decide(TEAM, "", Action::Read, "dev"), denied);
}

#[test]
fn names_that_look_like_policies_are_only_names() {
    let actor = r#"x"||true)permit(principal,action,resource);//"#;
    let text = format!(
        "version: 1\ngroups: {{ '{actor}': ['{actor}'] }}\nrules:\n  - {{ id: '{actor}', allow: {{ actors: \
         {{ group: '{actor}' }}, actions: [read], branch_scope: unprotected }} }}\nprotected_branches: ['{actor}']\n"
    );
    assert_eq!(decide(&text, actor, Action::Read, "dev"), (true, Some(actor.to_owned())));
    assert_eq!(decide(&text, actor, Action::Read, actor), (false, None));
    assert_eq!(decide(&text, "x", Action::Read, "dev"), (false, None));
}

#[test]
fn an_ask_without_the_branch_that_rules_are_about_is_denied() {
    let policy = Policy::parse(TEAM).expect("a policy that holds");
    let ask = Ask {
        actor: "act-a",
        action: Action::Read,
        branch: None,
        target_branch: Some("main"),
        type_name: None,
    };
    assert!(!policy.decide(&ask).allowed);
}

#[test]
fn what_is_not_a_policy_is_refused_with_the_reason() {
    let rule =
        |allow: &str| format!("version: 1\ngroups: {{ g: [a] }}\nrules: [{{ id: r, allow: {allow} }}]");
    let cases = [
        ("version: 2".to_owned(), "policy version must be 1"),
        ("version: 1\ngroups: { g: [] }".to_owned(), "policy group 'g' must not be empty"),
        ("version: 1\ngroups: { g: [' '] }".to_owned(), "policy group 'g' contains a blank actor id"),
        ("version: 1\nprotected_branches: ['']".to_owned(), "branch patterns must not be blank"),
        ("version: 1\nrulez: []".to_owned(), "unknown field `rulez`"),
        (
            rule("{ actors: { group: h }, actions: [read], branch_scope: any }"),
            "policy rule 'r' references unknown group 'h'",
        ),
        (rule("{ actors: { group: g }, actions: [], branch_scope: any }"), "must include at least one action"),
        (
            rule("{ actors: { group: g }, actions: [fly], branch_scope: any }"),
            "unknown policy action 'fly'; there are read, export",
        ),
        (
            rule("{ actors: { group: g }, actions: [read], branch_scope: any, target_branch_scope: any }"),
            "may specify branch_scope or target_branch_scope, not both",
        ),
        (
            rule("{ actors: { group: g }, actions: [read, branch_merge], branch_scope: any }"),
            "uses branch_scope with unsupported action 'branch_merge'",
        ),
        (
            rule("{ actors: { group: g }, actions: [change], target_branch_scope: any }"),
            "uses target_branch_scope with unsupported action 'change'",
        ),
        (
            rule("{ actors: { group: g }, actions: [admin], branch_scope: any }"),
            "uses branch_scope with unsupported action 'admin'",
        ),
        (rule("{ actors: { group: g }, actions: [read] }"), "must say where 'read' is allowed"),
        (rule("{ actors: { group: g }, actions: [read], types: [Person] }"), "must say where 'read' is allowed"),
        (
            rule("{ actors: { group: g }, actions: [read], branch_scope: any, types: [] }"),
            "must name at least one type in types",
        ),
        (
            rule("{ actors: { group: g }, actions: [change], branch_scope: any, types: ['${actor}'] }"),
            "types are the same for all actors: '${actor}' is not",
        ),
        (
            rule("{ actors: { group: g }, actions: [change, branch_create], branches: ['*'], types: [Person] }"),
            "uses types with 'branch_create', which is about no rows",
        ),
        (
            "version: 1\ngroups: { g: [a] }\nrules: [{ id: r, allow: { actors: { group: g }, actions: [admin] } }, \
             { id: r, allow: { actors: { group: g }, actions: [admin] } }]"
                .to_owned(),
            "duplicate policy rule id 'r'",
        ),
    ];
    for (text, reason) in cases {
        let error = Policy::parse(&text).expect_err(&text).to_string();
        assert!(error.contains(reason), "{text}\n{error}");
    }
}

#[test]
fn a_rule_with_types_is_about_rows_of_those() {
    let text = "version: 1\ngroups: { g: [a] }\nrules:
  - { id: r1, allow: { actors: { group: g }, actions: [read], branch_scope: any, types: [Person, 'Works*'] } }
  - { id: r2, allow: { actors: { group: g }, actions: [read], branches: [dev], types: [Company] } }
  - { id: r3, allow: { actors: { group: g }, actions: [export], branch_scope: any } }
";
    let policy = Policy::parse(text).expect("a policy that holds");
    let decide = |action: Action, branch: &str, type_name: Option<&str>| {
        policy.decide(&Ask { actor: "a", action, branch: Some(branch), target_branch: None, type_name }).rule
    };
    assert!(policy.tells_types_apart());
    assert_eq!(decide(Action::Read, "main", Some("Person")).as_deref(), Some("r1"));
    assert_eq!(decide(Action::Read, "main", Some("WorksAt")).as_deref(), Some("r1"));
    assert_eq!(decide(Action::Read, "main", Some("person")), None);
    assert_eq!(decide(Action::Read, "main", Some("Company")), None);
    assert_eq!(decide(Action::Read, "dev", Some("Company")).as_deref(), Some("r2"));
    assert_eq!(decide(Action::Read, "main", None).as_deref(), Some("r1"), "what is about no rows");
    assert_eq!(decide(Action::Export, "main", Some("Company")).as_deref(), Some("r3"));
    assert!(!Policy::parse(TEAM).expect("a policy that holds").tells_types_apart());
    let cases = "version: 1\ncases:
  - { id: one, actor: a, action: read, branch: main, type: Person, expect: allow }
  - { id: two, actor: a, action: read, branch: main, type: Company, expect: deny }
";
    let verdicts = Cases::parse(cases).expect("cases that can be read").run(&policy);
    assert!(verdicts.iter().all(Verdict::holds), "{verdicts:?}");
}

#[test]
fn cases_are_held_against_the_rules() {
    let policy = Policy::parse(TEAM).expect("a policy that holds");
    let cases = Cases::parse(
        "version: 1\ncases:\n  - { id: one, actor: act-a, action: read, branch: main, expect: allow }\n  - \
         { id: two, actor: act-a, action: branch_merge, target_branch: main, expect: allow }\n",
    );
    let verdicts = cases.expect("cases that can be read").run(&policy);
    assert_eq!(verdicts.iter().map(Verdict::holds).collect::<Vec<_>>(), [true, false]);
    let error = Cases::parse("version: 1\ncases: [{ id: x, actor: a, action: read, expect: deny }]");
    assert!(error.expect_err("no branch").to_string().contains("names no branch for 'read'"));
}

/// A rule as the property test makes it.
#[derive(Clone, Debug)]
struct Made {
    group: usize,
    actions: Vec<Action>,
    scope: usize,
}

const SCOPES: [&str; 3] = ["any", "protected", "unprotected"];
const BRANCHES: [&str; 4] = ["main", "dev", "release", "x"];
const ACTORS: [&str; 5] = ["a", "b", "c", "d", "nobody"];

fn made() -> impl Strategy<Value = Made> {
    let family = prop_oneof![Just(Scope::Branch), Just(Scope::TargetBranch), Just(Scope::Graph)];
    let actions = family.prop_flat_map(|scope| {
        let fitting: Vec<Action> = Action::ALL.into_iter().filter(|action| action.scope() == scope).collect();
        let most = fitting.len();
        proptest::sample::subsequence(fitting, 1..=most)
    });
    (0..3_usize, actions, 0..3_usize).prop_map(|(group, actions, scope)| Made { group, actions, scope })
}

fn yaml(groups: &[BTreeSet<usize>], protected: &BTreeSet<usize>, rules: &[Made]) -> String {
    let names =
        |set: &BTreeSet<usize>, of: &[&str]| set.iter().map(|at| of[*at]).collect::<Vec<_>>().join(", ");
    let mut text = "version: 1\ngroups:\n".to_owned();
    for (at, group) in groups.iter().enumerate() {
        let _ = writeln!(text, "  g{at}: [{}]", names(group, &ACTORS));
    }
    let _ = writeln!(text, "protected_branches: [{}]\nrules:", names(protected, &BRANCHES));
    for (at, rule) in rules.iter().enumerate() {
        let actions: Vec<_> = rule.actions.iter().map(|action| action.as_str()).collect();
        let scope = match rule.actions[0].scope() {
            Scope::Branch => format!(", branch_scope: {}", SCOPES[rule.scope]),
            Scope::TargetBranch => format!(", target_branch_scope: {}", SCOPES[rule.scope]),
            Scope::Graph => String::new(),
        };
        let actions = actions.join(", ");
        let group = rule.group;
        let _ = writeln!(
            text,
            "  - {{ id: r{at}, allow: {{ actors: {{ group: g{group} }}, actions: [{actions}]{scope} }} }}"
        );
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn every_decision_is_that_of_a_plain_reading(
        groups in proptest::collection::vec(proptest::collection::btree_set(0..4_usize, 1..4), 3),
        protected in proptest::collection::btree_set(0..4_usize, 0..3),
        rules in proptest::collection::vec(made(), 1..6),
    ) {
        let text = yaml(&groups, &protected, &rules);
        let policy = Policy::parse(&text).expect("what was made holds");
        for (at, actor) in ACTORS.iter().enumerate() {
            for action in Action::ALL {
                for (branch_at, branch) in BRANCHES.iter().enumerate() {
                    let is_protected = protected.contains(&branch_at);
                    let rule = rules.iter().position(|rule| {
                        let in_scope = match (action.scope(), SCOPES[rule.scope]) {
                            (Scope::Graph, _) | (_, "any") => true,
                            (_, scope) => (scope == "protected") == is_protected,
                        };
                        groups[rule.group].contains(&at) && rule.actions.contains(&action) && in_scope
                    });
                    let ask = Ask { actor, action, branch: Some(branch), target_branch: Some(branch), type_name: None };
                    let decision = policy.decide(&ask);
                    prop_assert_eq!(decision.allowed, rule.is_some(), "{} {} {}\n{}", actor, action, branch, text);
                    prop_assert_eq!(decision.rule, rule.map(|at| format!("r{at}")));
                }
            }
        }
    }
}
