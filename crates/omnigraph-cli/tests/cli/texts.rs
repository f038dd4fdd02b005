//! Schemas and queries without a graph: lint, format, explain.

use crate::program::Place;
use expect_test::expect_file;

#[test]
fn lint() {
    let place = Place::loaded();
    place.write(
        "mixed.gq",
        "query fine() { match { $p: Person } return { $p.name } }\n\
         query fixed() { insert Person { name: \"x\" } }\n\
         query wrong() { match { $p: Person } return { $p.nme } }\n",
    );
    let seen = place.transcript(&[
        "omnigraph query lint --schema schema.pg --query mixed.gq",
        "omnigraph query check --schema schema.pg --query mixed.gq",
        "omnigraph query check --query queries.gq --uri g.omni",
    ]);
    expect_file!["transcripts/lint.txt"].assert_eq(&seen);
    let report = place.run("omnigraph query lint --schema schema.pg --query mixed.gq --json");
    assert_eq!(report.code, Some(1));
    let report: serde_json::Value = serde_json::from_str(&report.stdout).expect("JSON");
    assert_eq!(
        (&report["status"], &report["errors"], &report["queries_processed"]),
        (&"error".into(), &1.into(), &3.into())
    );
    assert_eq!(report["results"][2]["name"], "wrong");
    assert_eq!(report["diagnostics"].as_array().map(Vec::is_empty), Some(false));
}

#[test]
fn formatting() {
    let place = Place::new();
    place.write("ugly.gq", "query q($n:String){match{$p:Person{name:$n}}return{$p.name}} // why\n");
    place.write("ugly.pg", "node A{x:String @key}edge E:A->A\n");
    for (line, file) in [
        ("omnigraph query fmt --schema schema.pg --query ugly.gq", "ugly.gq"),
        ("omnigraph schema fmt ugly.pg", "ugly.pg"),
    ] {
        let pretty = place.run(line).success();
        assert_eq!(place.run(&format!("{line} --check")).code, Some(1));
        place.run(&format!("{line} --write")).success();
        assert_eq!(std::fs::read_to_string(place.path(file)).expect("a file"), pretty);
        assert_eq!(place.run(line).success(), pretty, "formatting again changes nothing");
        assert_eq!(place.run(&format!("{line} --check")).success(), "");
    }
    let pretty = std::fs::read_to_string(place.path("ugly.gq")).expect("a file");
    assert!(pretty.contains("// why"), "comments stay: {pretty}");
}

#[test]
fn explain() {
    let place = Place::loaded();
    let seen = place.transcript(&[
        "omnigraph explain --query queries.gq --name friends_of g.omni",
        r#"omnigraph explain --query queries.gq --name friends_of --params '{"name":"Alice"}' --analyze g.omni"#,
        "omnigraph explain --query queries.gq --name friend_counts --analyze g.omni",
        "omnigraph explain --query queries.gq --name set_age --schema schema.pg",
    ]);
    expect_file!["transcripts/explain.txt"].assert_eq(&seen);
}

/// A query needs no file, and commands are found by the names that others have for them.
#[test]
fn queries_without_a_file() {
    let place = Place::loaded();
    let names =
        "query names() { match { $p: Person } return { lower($p.name) as name } order { name } limit 1 }";
    let inline = place.run(&format!("omnigraph read -e '{names}' --format csv g.omni")).success();
    assert_eq!(inline, "name\nalice\n");
    let aged = "query grow() { update Person set { age: age + 1 } where name = \"Alice\" }";
    let told = place.run(&format!("omnigraph mutate -e '{aged}' --json g.omni")).success();
    assert!(told.contains("\"affected_nodes\": 1") || told.contains("\"affected_nodes\":1"), "{told}");
    let wrong = place
        .run("omnigraph read -e 'query q() { match { $p: Person  $p Knows $f } return { $f.name } }' g.omni");
    assert!(wrong.stderr.contains("--> -e:1:"), "{}", wrong.stderr);
    assert!(wrong.stderr.contains("or `$p knows $f` for an edge"), "{}", wrong.stderr);
    let both = place.run(&format!("omnigraph read -e '{names}' --query queries.gq g.omni"));
    assert_eq!(both.code, Some(2), "{}", both.stderr);
    place.run("omnigraph lint --schema schema.pg --query queries.gq").success();
    let early =
        place.run("omnigraph read --query queries.gq --name friends_of --at 2020-01-01T00:00:00Z g.omni");
    assert!(early.stderr.contains("2020-01-01T00:00:00.000Z"), "{}", early.stderr);
}
