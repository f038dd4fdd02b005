//! What the guide promises, in the words of the guide.

use crate::program::Place;
use expect_test::expect_file;

#[test]
fn the_first_walk() {
    let place = Place::new();
    let seen = place.transcript(&[
        "omnigraph init --schema ./schema.pg ./g.omni",
        "omnigraph load --data ./seed.jsonl --mode overwrite ./g.omni",
        "omnigraph read --query ./queries.gq --name adults ./g.omni",
        r#"omnigraph read --query ./queries.gq --name friends_of --params '{"name":"Alice"}' --format table ./g.omni"#,
        r#"omnigraph change --query ./queries.gq --name insert_person --params '{"name":"Eve","age":41}' ./g.omni"#,
        "omnigraph read --query ./queries.gq --name adults --format csv ./g.omni",
        "omnigraph read --query ./queries.gq --name adults --snapshot manifest:main:v2 --format kv ./g.omni",
        "omnigraph commit list ./g.omni",
        "omnigraph snapshot ./g.omni",
    ]);
    expect_file!["transcripts/the_first_walk.txt"].assert_eq(&seen);
}

#[test]
fn a_review_batch() {
    let place = Place::loaded();
    place.write("batch.jsonl", "{\"type\":\"Person\",\"data\":{\"name\":\"Frank\",\"age\":50}}\n");
    let seen = place.transcript(&[
        "omnigraph branch create --from main review/2026-04-25 ./g.omni",
        "omnigraph ingest --branch review/2026-04-25 --data ./batch.jsonl ./g.omni",
        "omnigraph read --query ./queries.gq --name adults --branch review/2026-04-25 --format csv ./g.omni",
        "omnigraph read --query ./queries.gq --name adults --format csv ./g.omni",
        "omnigraph ingest --branch review/next --from review/2026-04-25 --data ./batch.jsonl ./g.omni",
        "omnigraph branch list ./g.omni",
        "omnigraph branch delete --force review/2026-04-25 ./g.omni",
        "omnigraph branch list ./g.omni",
        "omnigraph commit list --branch review/next --limit 1 ./g.omni",
    ]);
    expect_file!["transcripts/a_review_batch.txt"].assert_eq(&seen);
}

/// The seven questions whose answers are known beforehand.
#[test]
fn the_answers_of_the_fixture() {
    let place = Place::loaded();
    let ask = |rest: &str| place.column(&format!("--query queries.gq {rest} g.omni"));
    assert_eq!(ask(r#"--name get_person --params '{"name":"Alice"}'"#), ["Alice"]);
    assert_eq!(ask("--name adults"), ["Charlie"]);
    assert_eq!(ask(r#"--name friends_of --params '{"name":"Alice"}'"#), ["Bob", "Charlie"]);
    assert_eq!(ask(r#"--name friends_of_friends --params '{"name":"Alice"}'"#), ["Diana"]);
    assert_eq!(ask(r#"--name employees_of --params '{"company":"Acme"}'"#), ["Alice"]);
    assert_eq!(ask("--name unemployed"), ["Charlie", "Diana"]);
    assert_eq!(ask("--name friend_counts"), ["Alice", "Bob"]);
    let alice = place.json(
        r#"omnigraph read --json --query queries.gq --name get_person --params '{"name":"Alice"}' g.omni"#,
    );
    assert_eq!(alice["rows"][0]["p.age"], 30);
}

/// A vector that is computed at ingest, and a question that joins it with the words.
#[test]
fn a_hybrid_question() {
    let mut place = Place::new();
    place.set("OMNIGRAPH_EMBEDDINGS_MOCK", "1");
    place.write(
        "docs.pg",
        "node Doc {\n  slug: String @key\n  title: String @index\n  embedding: Vector(8)? @index @embed(title)\n}\n",
    );
    place.write(
        "docs.jsonl",
        "{\"type\":\"Doc\",\"data\":{\"slug\":\"safety\",\"title\":\"trends in AI safety\"}}\n\
         {\"type\":\"Doc\",\"data\":{\"slug\":\"bread\",\"title\":\"how bread rises\"}}\n\
         {\"type\":\"Doc\",\"data\":{\"slug\":\"trends\",\"title\":\"fashion trends\"}}\n",
    );
    place.write(
        "docs.gq",
        "query find_similar($q: String) {\n  match { $d: Doc }\n  return { $d.slug }\n  \
         order { rrf(nearest($d.embedding, $q), bm25($d.title, $q)) }\n  limit 2\n}\n",
    );
    place.run("omnigraph init --schema docs.pg d.omni").success();
    place.run("omnigraph load --data docs.jsonl --mode overwrite d.omni").success();
    let found =
        place.column(r#"--query docs.gq --name find_similar --params '{"q":"trends in AI safety"}' d.omni"#);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0], "safety");
}

#[test]
fn a_write_on_a_condition() {
    let place = Place::loaded();
    let add = |name: &str, rest: &str| {
        place.run(&format!(
            r#"omnigraph change --json --query queries.gq --name insert_person --params '{{"name":"{name}"}}' {rest} g.omni"#
        ))
    };
    let first = add("Eve", "").success();
    let first: serde_json::Value = serde_json::from_str(&first).expect("a receipt");
    let id = first["graph_commit_id"].as_str().expect("an id");
    let second = add("Frank", &format!("--if-commit {id} --actor act-alice")).success();
    let second: serde_json::Value = serde_json::from_str(&second).expect("a receipt");
    assert_eq!(second["actor_id"], "act-alice");
    let refused = add("Grace", &format!("--if-commit {id}"));
    assert_eq!(refused.error()["code"], "precondition_failed");
    let commits = place.json("omnigraph commit list --json g.omni");
    assert_eq!(commits["commits"][0]["actor_id"], "act-alice");
    assert_eq!(commits["commits"][1]["actor_id"], serde_json::Value::Null);
}

#[test]
fn time_travel() {
    let place = Place::loaded();
    let before = place.json("omnigraph commit list --json g.omni");
    let id = before["commits"][0]["graph_commit_id"].as_str().expect("an id").to_owned();
    let micros = before["commits"][0]["created_at"].as_i64().expect("a time");
    place
        .run(r#"omnigraph change --query queries.gq --name remove_person --params '{"name":"Charlie"}' g.omni"#)
        .success();
    let adults = |rest: &str| place.column(&format!("--query queries.gq --name adults {rest} g.omni"));
    assert!(adults("").is_empty());
    assert_eq!(adults(&format!("--snapshot {id}")), ["Charlie"]);
    assert_eq!(adults("--snapshot manifest:main:v2"), ["Charlie"]);
    let at = place.run(&format!(
        "date -u -d @{}.{:03} +%Y-%m-%dT%H:%M:%S.%3NZ",
        micros / 1_000_000,
        micros / 1_000 % 1_000
    ));
    assert_eq!(adults(&format!("--at {}", at.success().trim())), ["Charlie"]);
    let early = place.run("omnigraph read --query queries.gq --name adults --at 2001-01-01 --json g.omni");
    assert_eq!(early.error()["code"], "not_found");
}
