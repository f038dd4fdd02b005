//! Who may do what, as a file.

use crate::program::Place;

const POLICY: &str = "version: 1
groups: { team: [act-a], admins: [act-root] }
protected_branches: [main]
rules:
  - { id: r1, allow: { actors: { group: team }, actions: [read, export], branch_scope: any } }
  - { id: r2, allow: { actors: { group: admins }, actions: [branch_merge], target_branch_scope: protected } }
";

const TESTS: &str = "version: 1
cases:
  - { id: team-reads, actor: act-a, action: read, branch: main, expect: allow }
  - { id: team-does-not-merge, actor: act-a, action: branch_merge, target_branch: main, expect: deny }
";

fn place() -> Place {
    let place = Place::new();
    place.write("rules/policy.yaml", POLICY);
    place.write("rules/policy.tests.yaml", TESTS);
    place.write("omnigraph.yaml", "policy:\n  file: ./rules/policy.yaml\n");
    place
}

#[test]
fn a_policy_is_checked_tested_and_asked() {
    let place = place();
    let valid = place.run("omnigraph policy validate").success();
    assert_eq!(valid, "policy valid: ./rules/policy.yaml [2 actors]\n");
    assert_eq!(place.run("omnigraph policy test").success(), "policy tests passed: 2 cases\n");
    let explain = "omnigraph policy explain --action";
    assert_eq!(
        place.run(&format!("{explain} read --actor act-a --branch main")).success(),
        "allow: act-a read on branch 'main' (rule 'r1')\n"
    );
    assert_eq!(
        place.run(&format!("{explain} change --actor act-a --branch main")).success(),
        "deny: act-a change on branch 'main' (no rule allows it)\n"
    );
    let merge = place.json(&format!("{explain} branch_merge --actor act-root --target-branch main --json"));
    assert_eq!((&merge["decision"], &merge["matched_rule"]), (&"allow".into(), &"r2".into()));
}

#[test]
fn what_does_not_hold_is_said() {
    let place = place();
    place.write("rules/policy.tests.yaml", &TESTS.replace("expect: deny", "expect: allow"));
    let failed = place.run("omnigraph policy test");
    assert_eq!(failed.code, Some(1));
    assert_eq!(failed.stderr, "error: case 'team-does-not-merge': expected allow, decided deny\n");
    let reply = place.run("omnigraph policy test --json");
    assert_eq!((reply.code, reply.stderr.as_str()), (Some(1), ""));
    assert!(reply.stdout.contains("\"passed\": false"), "{}", reply.stdout);
    place.write("rules/policy.yaml", &POLICY.replace("group: team", "group: teem"));
    let invalid = place.run("omnigraph policy validate");
    assert_eq!(invalid.code, Some(1));
    let said = "error: ./rules/policy.yaml: policy rule 'r1' references unknown group 'teem'\n";
    assert_eq!(invalid.stderr, said);
    place.write("omnigraph.yaml", "");
    let unnamed = place.run("omnigraph policy validate");
    assert_eq!(unnamed.code, Some(2));
    let wrong =
        place.run("omnigraph policy explain --policy rules/policy.yaml --actor a --action raed --branch b");
    assert!(wrong.stderr.contains("did you mean `read`?"), "{}", wrong.stderr);
}
