//! Maintenance that is killed while others read and write: nothing that was acknowledged is lost, and all is well after.

use crate::program::Place;
use std::hash::{BuildHasher, RandomState};
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// What is killed. Cleaning up waits longer than a write or a read takes here.
const WORK: [&str; 3] = [
    "omnigraph optimize g.omni",
    "omnigraph cleanup --keep 2 --older-than 0s --grace 20s --confirm g.omni",
    "omnigraph schema apply --schema next.pg --allow-drop g.omni",
];

/// The schema of a round: properties come, are widened and go.
fn schema(round: u32) -> String {
    let ty = if round.is_multiple_of(2) { "I64" } else { "F64" };
    format!(
        "node Person {{ name: String @key  age: I32?  r{}: {ty} @default(1)  all: String @default(\"x\") }}\n\
         node Company {{ name: String @key }}\n\
         edge Knows: Person -> Person {{ since: Date? }}\nedge WorksAt: Person -> Company\n",
        round / 3
    )
}

#[test]
fn maintenance_may_die_at_any_moment() {
    let place = Place::loaded();
    let (stop, acknowledged) = (AtomicBool::new(false), AtomicU32::new(0));
    let killed = std::thread::scope(|scope| {
        scope.spawn(|| write(&place, &stop, &acknowledged));
        scope.spawn(|| read(&place, &stop));
        let mut killed = 0;
        let mut lengths = [Duration::from_millis(200); WORK.len()];
        for round in 0..36u32 {
            place.write("next.pg", &schema(round));
            let at = round as usize % WORK.len();
            let chance = RandomState::new().hash_one(round) % 110;
            let (ended, took) = run_for(&place, WORK[at], lengths[at].mul_f64(chance as f64 / 100.0));
            if ended {
                lengths[at] = took;
            } else {
                killed += 1;
            }
        }
        stop.store(true, Ordering::Relaxed);
        killed
    });
    assert!(killed > 5, "only {killed} rounds were killed in time");
    let report = place.run("omnigraph fsck g.omni");
    assert_eq!(report.code, Some(0), "{report:#?}");
    let people = place.run("omnigraph export --type Person g.omni").success();
    for name in 0..acknowledged.load(Ordering::Relaxed) {
        assert!(people.contains(&format!("\"name\":\"w{name}\"")), "w{name} was acknowledged");
    }
    for line in WORK {
        place.run(line).success();
    }
    assert!(place.run("omnigraph fsck g.omni").success().contains("all is well"));
    assert_eq!(
        place.run("omnigraph export --type Person g.omni").success().lines().count(),
        people.lines().count()
    );
}

/// Runs a line and kills it after a while; says whether it ended by itself, and how long it took.
fn run_for(place: &Place, line: &str, limit: Duration) -> (bool, Duration) {
    let start = Instant::now();
    let mut child = place
        .shell(&format!("exec {line} 2>/dev/null"))
        .stdout(Stdio::null())
        .spawn()
        .expect("the program runs");
    while start.elapsed() < limit {
        if child.try_wait().expect("a child").is_some() {
            return (true, start.elapsed());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let ended = child.try_wait().expect("a child").is_some();
    let _ = child.kill();
    child.wait().expect("it ended");
    (ended, start.elapsed())
}

fn write(place: &Place, stop: &AtomicBool, acknowledged: &AtomicU32) {
    while !stop.load(Ordering::Relaxed) {
        let name = acknowledged.load(Ordering::Relaxed);
        let line = format!(
            "omnigraph change --query queries.gq --name insert_person --params '{{\"name\":\"w{name}\",\"age\":1}}' g.omni"
        );
        place.run(&line).success();
        acknowledged.store(name + 1, Ordering::Relaxed);
    }
}

fn read(place: &Place, stop: &AtomicBool) {
    while !stop.load(Ordering::Relaxed) {
        let people = place.run("omnigraph export --type Person g.omni").success();
        assert!(people.lines().count() >= 4);
        let head = place.json("omnigraph snapshot --json g.omni")["graph_commit_id"]
            .as_str()
            .expect("an id")
            .to_owned();
        let found = place.run(&format!("omnigraph export --type Person --snapshot {head} g.omni"));
        assert!(found.code == Some(0) || found.stderr.contains("was cleaned up"), "{found:#?}");
    }
}
