//! What is wrong is said where it is wrong, and nothing is written.

use crate::program::Place;
use expect_test::expect_file;

#[test]
fn wrong_rows_are_named_by_line() {
    let place = Place::loaded();
    place.write(
        "bad.jsonl",
        "// a comment counts as a line\n\
         {\"type\":\"Person\",\"data\":{\"name\":\"Zed\",\"age\":\"old\"}}\n\
         {\"type\":\"Persn\",\"data\":{\"name\":\"Zed\"}}\n\
         {\"type\":\"Person\",\"data\":{\"name\":\"Yan\",\"agee\":1}}\n\
         {\"type\":\"Person\",\"data\":{}}\n\
         this is not JSON\n",
    );
    place.write("dangling.jsonl", "{\"edge\":\"Knows\",\"from\":\"Alice\",\"to\":\"Nobody\"}\n");
    place.write(
        "twice.jsonl",
        "{\"type\":\"Person\",\"data\":{\"name\":\"Zed\"}}\n{\"type\":\"Person\",\"data\":{\"name\":\"Zed\"}}\n",
    );
    let before = place.json("omnigraph snapshot --json g.omni");
    let seen = place.transcript(&[
        "omnigraph load --data bad.jsonl --mode merge g.omni",
        "omnigraph load --data bad.jsonl --mode merge --max-errors 1 g.omni",
        "omnigraph load --data dangling.jsonl --mode merge g.omni",
        "omnigraph load --data twice.jsonl --mode merge g.omni",
        "omnigraph load --data seed.jsonl --mode append --max-errors 2 g.omni",
        "omnigraph load --data seed.jsonl --mode append --branch nowhere g.omni",
    ]);
    expect_file!["transcripts/wrong_rows_are_named_by_line.txt"].assert_eq(&seen);
    assert_eq!(place.json("omnigraph snapshot --json g.omni"), before, "nothing was written");
}

#[test]
fn wrong_rows_are_data_for_programs() {
    let place = Place::loaded();
    place.write("bad.jsonl", "\n{\"type\":\"Person\",\"data\":{\"name\":\"Zed\",\"age\":\"old\"}}\n");
    let error = place.run("omnigraph load --data bad.jsonl --mode merge --json g.omni").error();
    assert_eq!(error["code"], "invalid_rows");
    let found = &error["diagnostics"][0];
    assert_eq!(
        (&found["code"], &found["line"], &found["type"], &found["property"], &found["row"]),
        (&"type".into(), &2.into(), &"Person".into(), &"age".into(), &"Zed".into())
    );
}

#[test]
fn questions_that_cannot_be_asked() {
    let place = Place::loaded();
    place.write(
        "wrong.gq",
        "query q() {\n  match {\n    $p: Person\n    $p knws $f\n  }\n  return { $f.name }\n}\n",
    );
    place.write("broken.gq", "query q( {\n");
    place.write("broken.pg", "node Person {\n  name: Strin @key\n}\n");
    let seen = place.transcript(&[
        "omnigraph read --query nowhere.gq --name adults g.omni",
        "omnigraph read --query queries.gq --name adlts g.omni",
        "omnigraph read --query queries.gq g.omni",
        "omnigraph read --query wrong.gq g.omni",
        "omnigraph read --query broken.gq g.omni",
        r#"omnigraph read --query queries.gq --name get_person --params '{"name":3}' g.omni"#,
        r#"omnigraph read --query queries.gq --name get_person --params '{"nme":"x"}' g.omni"#,
        "omnigraph read --query queries.gq --name get_person g.omni",
        "omnigraph read --query queries.gq --name get_person --params 'Alice' g.omni",
        "omnigraph read --query queries.gq --name get_person --params '[1]' g.omni",
        "omnigraph read --query queries.gq --name insert_person --params '{\"name\":\"x\"}' g.omni",
        "omnigraph change --query queries.gq --name adults g.omni",
        "omnigraph read --query queries.gq --name adults --branch nowhere g.omni",
        "omnigraph read --query queries.gq --name adults --snapshot 01ARZ3NDEKTSV4RRFFQ69G5FAV g.omni",
        "omnigraph read --query queries.gq --name adults --snapshot yesterday g.omni",
        "omnigraph read --query queries.gq --name adults --at yesterday g.omni",
        "omnigraph read --query queries.gq --name adults nowhere.omni",
        "omnigraph init --schema broken.pg other.omni",
        "omnigraph init --schema schema.pg g.omni",
        "omnigraph init --schema schema.pg http://localhost:8080",
        "omnigraph load --data nowhere.jsonl --mode merge g.omni",
        "omnigraph change --query queries.gq --name adults --if-commit newest g.omni",
    ]);
    expect_file!["transcripts/questions_that_cannot_be_asked.txt"].assert_eq(&seen);
    assert!(!place.path("other.omni").exists(), "a schema that does not hold makes no graph");
}

/// A mistake in one query of a file does not keep the others from being asked.
#[test]
fn only_the_query_that_is_asked_must_hold() {
    let place = Place::loaded();
    place.write(
        "half.gq",
        "query good() { match { $c: Company } return { $c.name } order { $c.name } }\n\
         query bad() { match { $c: Compny } return { $c.name } }\n",
    );
    assert_eq!(place.column("--query half.gq --name good g.omni"), ["Acme", "Globex"]);
    assert_eq!(place.run("omnigraph explain --query half.gq --name good --schema schema.pg").code, Some(0));
    let bad = place.run("omnigraph read --query half.gq --name bad --json g.omni").error();
    assert_eq!((&bad["code"], &bad["diagnostics"][0]["code"]), (&"invalid_text".into(), &"T1".into()));
    assert_eq!(
        (&bad["diagnostics"][0]["line"], &bad["diagnostics"][0]["file"]),
        (&2.into(), &"half.gq".into())
    );
}

#[test]
fn rows_of_a_change_are_checked_as_those_of_a_load() {
    let place = Place::loaded();
    let failed = place.run(
        r#"omnigraph change --query queries.gq --name add_friend --params '{"from":"Alice","to":"Nobody"}' g.omni"#,
    );
    assert_eq!(
        failed.stderr,
        "error: edge Knows: dst 'Nobody' not found in Person\nhint: nothing was written\n"
    );
}

#[test]
fn wrong_usage_is_2() {
    let place = Place::loaded();
    std::fs::remove_file(place.path("omnigraph.yaml")).expect("init wrote one");
    let seen = place.transcript(&[
        "omnigraph raed",
        "omnigraph read --query queries.gq --name adults",
        "omnigraph read --name adults g.omni",
        "omnigraph read --query queries.gq --name adults g.omni h.omni",
        "omnigraph load --data seed.jsonl g.omni",
        "omnigraph load --data seed.jsonl --mode upsert g.omni",
        "omnigraph load --data seed.txt --mode merge g.omni",
        "omnigraph load --data people.csv --mode merge g.omni",
        "omnigraph load --data seed.jsonl --type Person --mode merge g.omni",
        "omnigraph snapshot --nonsense g.omni",
    ]);
    expect_file!["transcripts/wrong_usage_is_2.txt"].assert_eq(&seen);
    let wrong = place.run("omnigraph snapshot --nonsense --json g.omni");
    assert_eq!((wrong.code, wrong.stdout.as_str()), (Some(2), ""));
    let document: serde_json::Value = serde_json::from_str(&wrong.stderr).expect("JSON");
    assert_eq!(document["error"]["code"], "usage");
    let bytes = place.run(r#"omnigraph entity Person "$(printf '\377')" g.omni"#);
    assert_eq!(bytes.code, Some(2), "{}", bytes.stderr);
    assert!(bytes.stderr.contains("invalid UTF-8"), "{}", bytes.stderr);
}

/// Nobody reads the answer any more: that is not a failure. The answer is longer than a pipe holds.
#[test]
fn a_closed_pipe_is_fine() {
    let place = Place::loaded();
    let person = |number: u32| format!("{{\"type\":\"Person\",\"data\":{{\"name\":\"person {number}\"}}}}\n");
    place.write("more.jsonl", &(0..5_000).map(person).collect::<String>());
    place.run("omnigraph load --data more.jsonl --mode append g.omni").success();
    let outcome = place.run("{ omnigraph export g.omni; echo \"exit code $?\" >&2; } | head -n 1");
    assert_eq!(outcome.stderr, "exit code 0\n");
    assert_eq!(outcome.stdout.lines().count(), 1);
}
