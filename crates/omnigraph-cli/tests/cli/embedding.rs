//! `omnigraph embed`: vectors for files.

use crate::program::Place;
use serde_json::Value;

const RAW: &str = "// decisions
{\"type\":\"Decision\",\"data\":{\"slug\":\"a\",\"intent\":\"ship\"}}
{\"type\":\"Decision\",\"data\":{\"slug\":\"b\",\"intent\":\"wait\",\"embedding\":[1.0,0.0,0.0,0.0]}}
{\"type\":\"Other\",\"data\":{\"slug\":\"c\"}}
{\"edge\":\"After\",\"from\":\"a\",\"to\":\"b\"}
";

fn place() -> Place {
    let mut place = Place::new();
    place.set("OMNIGRAPH_EMBEDDINGS_MOCK", "1");
    place.write("data/raw.jsonl", RAW);
    place.write(
        "seed.yaml",
        "graph: { slug: decisions }\nsources: { raw_seed: ./data/raw.jsonl }\nartifacts: { embedded_seed: ./build/out.jsonl }\n\
         embeddings: { dimension: 4, types: { Decision: { target: embedding, fields: [slug, intent] } } }\n",
    );
    place
}

fn vectors(place: &Place, file: &str) -> Vec<Option<usize>> {
    let text = std::fs::read_to_string(place.path(file)).expect("it was written");
    let records = text.lines().filter(|line| !line.starts_with("//"));
    let records = records.map(|line| serde_json::from_str::<Value>(line).expect("JSON lines"));
    records.map(|record| record["data"]["embedding"].as_array().map(Vec::len)).collect()
}

#[test]
fn missing_vectors_are_filled() {
    let place = place();
    let report = place.json("omnigraph embed --seed seed.yaml --json");
    assert_eq!((&report["records"], &report["embedded_records"]), (&4.into(), &1.into()));
    assert_eq!((&report["mode"], &report["dimension"]), (&"fill_missing".into(), &4.into()));
    assert_eq!(vectors(&place, "build/out.jsonl"), [Some(4), Some(4), None, None]);
    let text = std::fs::read_to_string(place.path("build/out.jsonl")).expect("it was written");
    assert!(text.contains("\"embedding\":[1.0,0.0,0.0,0.0]"), "what is there stays: {text}");
}

#[test]
fn all_some_or_none() {
    let place = place();
    assert_eq!(place.json("omnigraph embed --seed seed.yaml --reembed-all --json")["embedded_records"], 2);
    let some = place.json("omnigraph embed --seed seed.yaml --select Decision:slug=b --json");
    assert_eq!((&some["mode"], &some["embedded_records"]), (&"reembed_selected".into(), &1.into()));
    let clean = place.json("omnigraph embed --seed seed.yaml --clean --output clean.jsonl --json");
    assert_eq!(clean["cleaned_records"], 1);
    assert_eq!(vectors(&place, "clean.jsonl"), [None, None, None, None]);
}

#[test]
fn plain_files() {
    let place = place();
    place.write(
        "spec.json",
        r#"{"dimension": 3, "types": {"Decision": {"target": "embedding", "fields": ["intent"]}}}"#,
    );
    let line = "omnigraph embed --input data/raw.jsonl --output out.jsonl --spec spec.json";
    place.run(line).success();
    assert_eq!(vectors(&place, "out.jsonl"), [Some(3), Some(4), None, None]);
    assert_eq!(place.run("omnigraph embed --input data/raw.jsonl --output out.jsonl").code, Some(2));
    place.write("data/raw.jsonl", "{\n");
    let failed = place.run(line);
    assert!(
        failed.stderr.starts_with("error: data/raw.jsonl: line 1: not a JSON record"),
        "{}",
        failed.stderr
    );
    assert_eq!(vectors(&place, "out.jsonl").len(), 4, "the old output stays");
}

#[test]
fn without_a_provider_there_is_a_hint() {
    let place = Place::new();
    place.write("raw.jsonl", RAW);
    place.write(
        "spec.json",
        r#"{"dimension": 3, "types": {"Decision": {"target": "e", "fields": ["intent"]}}}"#,
    );
    let failed = place.run("omnigraph embed --input raw.jsonl --output out.jsonl --spec spec.json");
    assert!(failed.stderr.contains("OMNIGRAPH_EMBEDDINGS_MOCK=1"), "{}", failed.stderr);
    assert!(!place.path("out.jsonl").exists());
}
