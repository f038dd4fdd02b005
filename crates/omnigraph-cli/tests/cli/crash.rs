//! A load or merge that is killed leaves the old graph or the new one.

use crate::program::Place;
use std::fmt::Write as _;
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, Instant};

const PEOPLE: u64 = 20_000;

/// People who each know the next one.
fn many() -> String {
    let mut text = String::new();
    for person in 0..PEOPLE {
        let _ = writeln!(text, r#"{{"type":"Person","data":{{"name":"p{person}","age":{}}}}}"#, person % 90);
        let next = (person + 1) % PEOPLE;
        let _ = writeln!(text, r#"{{"edge":"Knows","from":"p{person}","to":"p{next}","data":{{}}}}"#);
    }
    text
}

/// Rows of people and of acquaintances.
fn rows(place: &Place) -> (u64, u64) {
    let snapshot = place.json("omnigraph snapshot --json g.omni");
    let tables = snapshot["tables"].as_array().expect("tables");
    let rows = |key: &str| {
        let table = tables.iter().find(|table| table["table_key"] == key).expect("a table");
        table["row_count"].as_u64().expect("a number")
    };
    (rows("node:Person"), rows("edge:Knows"))
}

#[test]
fn a_killed_load_leaves_the_old_graph_or_the_new_one() {
    let place = Place::loaded();
    place.write("many.jsonl", &many());
    place.run("omnigraph init --schema schema.pg whole.omni").success();
    let start = Instant::now();
    place.run("omnigraph load --data many.jsonl --mode merge whole.omni").success();
    let whole = start.elapsed();
    let (old, new) = ((4, 3), (PEOPLE + 4, PEOPLE + 3));
    let mut killed = 0;
    for round in 0..10u64 {
        let chance = RandomState::new().hash_one(round) % 100;
        let wait = whole.mul_f64((round as f64 + chance as f64 / 100.0) / 10.0);
        let mut load = place
            .shell("exec omnigraph load --data many.jsonl --mode merge g.omni 2>/dev/null")
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("the program runs");
        std::thread::sleep(wait.max(Duration::from_millis(1)));
        let _ = load.kill();
        let ended = load.wait().expect("it ended");
        killed += u32::from(!ended.success());
        let found = rows(&place);
        assert!(found == old || found == new, "round {round} after {wait:?}: {found:?}");
        assert!(ended.success() <= (found == new), "what was acknowledged is there");
        let people = place.run("omnigraph export --type Person g.omni").success();
        assert_eq!(people.lines().count() as u64, found.0, "and can be read");
    }
    assert!(killed > 0, "no round was killed in time");
    place.run("omnigraph load --data many.jsonl --mode merge g.omni").success();
    assert_eq!(rows(&place), new);
}

/// People with another age, so that rows are replaced.
fn aged(people: std::ops::Range<u64>, age: u64) -> String {
    people.fold(String::new(), |mut text, person| {
        let _ = writeln!(text, r#"{{"type":"Person","data":{{"name":"p{person}","age":{age}}}}}"#);
        text
    })
}

#[test]
fn a_killed_merge_leaves_the_old_graph_or_the_new_one() {
    let place = Place::loaded();
    place.write("many.jsonl", &many());
    place.write("ours.jsonl", &aged(0..4_000, 91));
    place.write("theirs.jsonl", &aged(4_000..8_000, 92));
    for line in [
        "omnigraph load --data many.jsonl --mode merge g.omni",
        "omnigraph branch create work g.omni",
        "omnigraph load --data ours.jsonl --mode merge g.omni",
        "omnigraph load --data theirs.jsonl --mode merge --branch work g.omni",
        "omnigraph branch create whole g.omni",
    ] {
        place.run(line).success();
    }
    let start = Instant::now();
    place.run("omnigraph branch merge work --into whole g.omni").success();
    let whole = start.elapsed();
    let aged_on = |branch: &str| {
        let people = place.run(&format!("omnigraph export --type Person --branch {branch} g.omni")).success();
        [91, 92].map(|age| people.lines().filter(|line| line.contains(&format!("\"age\":{age}}}"))).count())
    };
    assert_eq!(aged_on("whole"), [4_000, 4_000]);
    let mut killed = 0;
    for round in 0..8u64 {
        place.run(&format!("omnigraph branch create t{round} g.omni")).success();
        let chance = RandomState::new().hash_one(round) % 100;
        let wait = whole.mul_f64((round as f64 + chance as f64 / 100.0) / 8.0);
        let mut merge = place
            .shell(&format!("exec omnigraph branch merge work --into t{round} g.omni 2>/dev/null"))
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("the program runs");
        std::thread::sleep(wait.max(Duration::from_millis(1)));
        let _ = merge.kill();
        let ended = merge.wait().expect("it ended");
        killed += u32::from(!ended.success());
        let found = aged_on(&format!("t{round}"));
        assert!(found == [4_000, 0] || found == [4_000, 4_000], "round {round} after {wait:?}: {found:?}");
        assert!(ended.success() <= (found[1] == 4_000), "what was acknowledged is there");
        place.run(&format!("omnigraph branch merge work --into t{round} g.omni")).success();
        assert_eq!(aged_on(&format!("t{round}")), [4_000, 4_000]);
    }
    assert!(killed > 0, "no round was killed in time");
}
