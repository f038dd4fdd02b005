//! Cold = warm: what the other tests say of constraints, merges, runs, differences and queries holds too when every call
//! finds its graph as a new process does.

use crate::fixture::{COLD, DATA, SCHEMA, load, none, options, read};
use omnigraph::{Access, Graph, GraphOptions, LoadMode};
use std::process::Command;

/// Modules of this binary whose tests do not count what is in memory.
const MODULES: [&str; 19] = [
    "changes::",
    "corpus::",
    "diffs::",
    "graphs::",
    "histories::",
    "loads::",
    "meaning::",
    "merge_laws::",
    "merge_schemas::",
    "merge_traps::",
    "merges::",
    "migrated_histories::",
    "migrations::",
    "resolutions::",
    "reverts::",
    "runs::",
    "since::",
    "states::",
    "walks::",
];

/// Runs them again in a process that keeps nothing in memory.
#[test]
fn every_test_holds_without_memory() {
    if std::env::var_os(COLD).is_some() {
        return; // this is that process
    }
    let binary = std::env::current_exe().unwrap();
    let output =
        Command::new(binary).args(MODULES).env(COLD, "1").env_remove("UPDATE_EXPECT").output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let passed = text.split(" passed").next().and_then(|text| text.rsplit(' ').next());
    let passed: usize = passed.and_then(|count| count.parse().ok()).expect("a count");
    assert!(passed > 90, "{text}");
}

/// The switch is one: what was read for one call is read again for the next.
#[test]
fn nothing_is_kept_where_nothing_may_be() {
    let rows = "query q() { match { $p: Person  $p knows $f } return { $p.age, $f.name } }";
    let asked = |cache_bytes: usize| {
        let place = tempfile::tempdir().unwrap();
        let uri = place.path().join("g").to_str().unwrap().to_owned();
        let options = GraphOptions { cache_bytes, ..options() };
        let graph = Graph::create(&uri, SCHEMA, Access::unrestricted(), &options).unwrap();
        load(&graph, DATA, LoadMode::Overwrite).unwrap();
        read(&graph, rows, none()).unwrap();
        let before = graph.store().requests().total();
        assert_eq!(read(&graph, rows, none()).unwrap().len(), 3);
        graph.store().requests().total() - before
    };
    assert!(asked(0) > asked(64 << 20), "{} and {}", asked(0), asked(64 << 20));
}
