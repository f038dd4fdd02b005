//! Several programs at once.

use crate::program::Place;
use std::process::{Child, Stdio};

/// Rows that nobody else touches are all written; those who were second wrote on top of the first.
#[test]
fn writers_of_different_rows_all_succeed() {
    let place = Place::loaded();
    let writer = |number: u32| -> Child {
        let line = format!(
            r#"omnigraph change --query queries.gq --name insert_person --params '{{"name":"w{number}","age":99}}' g.omni"#
        );
        place.shell(&line).stdout(Stdio::null()).spawn().expect("it runs")
    };
    let writers: Vec<Child> = (0..6).map(writer).collect();
    for mut writer in writers {
        assert!(writer.wait().expect("it ends").success());
    }
    let mut adults = place.column("--query queries.gq --name adults g.omni");
    adults.sort_unstable();
    assert_eq!(adults, ["Charlie", "w0", "w1", "w2", "w3", "w4", "w5"]);
    let commits = place.json("omnigraph commit list --json g.omni");
    assert_eq!(commits["commits"].as_array().map(Vec::len), Some(8), "init, load, six changes");
}

/// Readers see a whole commit, whatever is being written.
#[test]
fn a_reader_sees_old_or_new() {
    let place = Place::loaded();
    let people = (0..2_000)
        .map(|number| format!("{{\"type\":\"Person\",\"data\":{{\"name\":\"p{number}\",\"age\":50}}}}\n"));
    place.write("more.jsonl", &people.collect::<String>());
    let mut load = place
        .shell("exec omnigraph load --data more.jsonl --mode append g.omni")
        .stdout(Stdio::null())
        .spawn()
        .expect("it runs");
    loop {
        let is_done = load.try_wait().expect("a state").is_some();
        let adults = place.column("--query queries.gq --name adults g.omni").len();
        assert!(adults == 1 || adults == 2_001, "{adults}");
        if is_done {
            assert_eq!(adults, 2_001);
            break;
        }
    }
}
