//! What every call of a graph asks before it does anything, and what becomes of a no.

use crate::access_calls::{CALLS, Call, Scene};
use crate::fixture::{change_on, load_on, main, on, options, rows_of};
use omnigraph::{
    Access, Action, Ask, ChangeOptions, Decision, Error, ExportOptions, Graph, Guard, LoadMode, Target,
};
use serde_json::Map;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex};

const EVE: &str = r#"{"type":"Person","data":{"name":"Eve","age":1}}"#;
const INSERT: &str = "query q() { insert Person { name: \"Eve\" } }";

/// Notes what is asked, and says no to one thing.
#[derive(Debug, Default)]
struct Watch {
    asks: Mutex<Vec<String>>,
    denied: Option<String>,
}

/// `branch_merge dev > main`, with `-` for a branch that is not named.
fn text(ask: &Ask<'_>) -> String {
    let (branch, target) = (ask.branch.unwrap_or("-"), ask.target_branch.unwrap_or("-"));
    format!("{} {branch} > {target}", ask.action)
}

impl Guard for Watch {
    fn decide(&self, ask: &Ask<'_>) -> Decision {
        assert_eq!(ask.actor, "ann");
        let text = text(ask);
        let allowed = self.denied.as_ref() != Some(&text);
        self.asks.lock().unwrap().push(text);
        Decision { allowed, rule: None }
    }

    /// What is asked type by type is in `access_types`.
    fn tells_types_apart(&self) -> bool {
        false
    }
}

/// Says yes on these branches only.
#[derive(Debug)]
struct Only(&'static [&'static str]);

impl Guard for Only {
    fn decide(&self, ask: &Ask<'_>) -> Decision {
        let allowed = ask.scoped_branch().is_some_and(|branch| self.0.contains(&branch));
        Decision { allowed, rule: None }
    }
}

fn only(graph: &Graph, branches: &'static [&'static str]) -> Graph {
    graph.acting(Access::guarded("ann", Arc::new(Only(branches))))
}

/// Names and what they lead to: all that can be seen of a graph from outside.
fn names(graph: &Graph) -> Vec<String> {
    let store = graph.store();
    let heads = store.all_branches().unwrap().into_iter().map(|name| {
        let head = store.head(&name).unwrap();
        format!("{name} {}", head.id())
    });
    let tags = store.tags().unwrap().into_iter().map(|tag| format!("{tag:?}"));
    let runs = store.runs().unwrap().into_iter().map(|run| format!("{run:?}"));
    heads.chain(tags).chain(runs).collect()
}

#[test]
fn every_call_asks_for_what_it_does() {
    for Call { name, asks, run } in CALLS {
        let scene = Scene::new();
        let watch = Arc::new(Watch::default());
        let graph = scene.graph.acting(Access::guarded("ann", watch.clone()));
        run(&graph, &scene).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(*watch.asks.lock().unwrap(), *asks, "{name}");
    }
}

#[test]
fn a_call_that_is_denied_does_nothing() {
    let scene = Scene::new();
    let before = names(&scene.graph);
    for Call { name, asks, run } in CALLS {
        for ask in *asks {
            let watch = Arc::new(Watch { denied: Some((*ask).to_owned()), ..Watch::default() });
            let graph = scene.graph.acting(Access::guarded("ann", watch.clone()));
            scene.graph.store().wait_for_folds();
            let written = scene.graph.store().requests().writes();
            match run(&graph, &scene) {
                Err(Error::Denied { actor, action, .. }) => {
                    assert_eq!((actor.as_str(), ask.split(' ').next()), ("ann", Some(action.as_str())));
                }
                other => panic!("{name} in spite of a no to `{ask}`: {other:?}"),
            }
            assert_eq!(watch.asks.lock().unwrap().last().map(String::as_str), Some(*ask), "{name}");
            assert_eq!(scene.graph.store().requests().writes(), written, "{name} wrote something");
        }
    }
    assert_eq!(names(&scene.graph), before);
}

/// A call that is new must be put into the table, with what it asks for.
#[test]
fn no_call_is_left_out() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = vec![source.join("graph.rs")];
    for dir in ["graph", "versions"] {
        files.extend(std::fs::read_dir(source.join(dir)).unwrap().map(|entry| entry.unwrap().path()));
    }
    let mut found = BTreeSet::new();
    for file in files.iter().filter(|file| file.is_file()) {
        let text = std::fs::read_to_string(file).unwrap();
        for part in text.split("\nimpl Graph {").skip(1) {
            let body = part.split("\n}").next().unwrap_or_default();
            let calls = body.split("\n    pub fn ").skip(1);
            found.extend(calls.map(|call| call.split(['(', '<']).next().unwrap_or_default().to_owned()));
        }
    }
    for known in ["create", "open", "acting", "stopped_by", "access", "store", "branches", "tags", "runs"] {
        assert!(found.remove(known), "{known} is not a call any more; those are tested elsewhere here");
    }
    let tested: BTreeSet<String> = CALLS.iter().map(|call| call.name.to_owned()).collect();
    let left: Vec<&String> = found.difference(&tested).collect();
    assert!(found.len() > 30 && left.is_empty(), "{left:?}");
}

#[test]
fn asking_reads_nothing_for_a_branch_of_people() {
    let scene = Scene::new();
    let reads = |graph: &Graph| {
        graph.store().wait_for_folds();
        let before = graph.store().requests().total();
        graph.describe(&on("dev")).unwrap();
        graph.store().requests().total() - before
    };
    reads(&scene.graph);
    assert_eq!(reads(&only(&scene.graph, &["dev"])), reads(&scene.graph));
}

#[test]
fn every_action_is_asked_for_by_some_call() {
    for action in Action::ALL {
        let is_asked =
            |call: &Call| call.asks.iter().any(|ask| ask.split(' ').next() == Some(action.as_str()));
        assert!(CALLS.iter().any(is_asked), "{action}");
    }
}

#[test]
fn a_graph_is_made_by_who_may_maintain_it() {
    let place = "memory://access-of-a-new-one/g";
    let schema = "node N { k: String @key }";
    let refused = Graph::create(place, schema, Access::guarded("ann", Arc::new(Only(&["main"]))), &options());
    assert_eq!(refused.unwrap_err().to_string(), "policy denied action 'admin' for actor 'ann'");
    let access = Access::guarded("ann", Arc::new(Watch::default()));
    let graph = Graph::create(place, schema, access, &options()).unwrap();
    assert_eq!(graph.store().head("main").unwrap().record.actor.as_deref(), Some("ann"));
    assert_eq!(graph.access().actor(), Some("ann"));
}

#[test]
fn lists_show_what_may_be_read() {
    let scene = Scene::new();
    let told = |graph: &Graph| {
        let tags = graph.tags().unwrap().into_iter().map(|tag| tag.name);
        let runs = graph.runs().unwrap().into_iter().map(|run| run.target_branch);
        (graph.branches().unwrap(), tags.collect::<Vec<_>>(), runs.collect::<Vec<_>>())
    };
    let (branches, tags, runs) = told(&scene.graph);
    assert_eq!(
        (branches, tags),
        (vec!["dev".into(), "idle".into(), "main".into()], vec!["of-dev".into(), "v1".into()])
    );
    assert_eq!(runs.len(), 2);
    let (branches, tags, runs) = told(&only(&scene.graph, &["dev"]));
    assert_eq!((branches, tags, runs), (vec!["dev".into()], vec!["of-dev".into()], vec!["dev".into()]));
    let (branches, tags, runs) = told(&only(&scene.graph, &[]));
    assert!(branches.is_empty() && tags.is_empty() && runs.is_empty());
}

#[test]
fn whoever_may_not_read_a_branch_is_not_told_whether_it_is_there() {
    let scene = Scene::new();
    let graph = only(&scene.graph, &["dev"]);
    for (there, missing) in
        [("main", "mian"), ("main@2100-01-01", "mian@2100-01-01"), ("manifest:main:v1", "manifest:mian:v1")]
    {
        for text in [there, missing] {
            assert_eq!(graph.state(text).unwrap_err().code(), "forbidden", "{text}");
            let merge = graph.merge(text, "main", &omnigraph::MergeOptions::default());
            assert_eq!(merge.unwrap_err().code(), "forbidden", "{text}");
        }
    }
    assert_eq!(graph.read(&on("mian"), INSERT, None, &Map::new()).unwrap_err().code(), "forbidden");
    assert_eq!(scene.graph.state("mian").unwrap_err().code(), "not_found");
    assert_eq!(graph.state("dev@yesterday").unwrap_err().code(), "bad_request");
}

#[test]
fn the_branch_of_a_run_is_judged_as_its_target() {
    let scene = Scene::new();
    let graph = only(&scene.graph, &["dev"]);
    let options =
        |branch: &str| ChangeOptions { branch: Some(branch.to_owned()), ..ChangeOptions::default() };
    let (of_main, of_dev) = (&scene.run.run_branch, &scene.dev_run.run_branch);
    let refused = graph.change(INSERT, None, &Map::new(), &options(of_main)).unwrap_err();
    assert_eq!(refused.to_string(), "policy denied action 'change' on branch 'main' for actor 'ann'");
    let receipt = graph.change(INSERT, None, &Map::new(), &options(of_dev)).unwrap();
    // A run on the branch of a run is for the same branch in the end.
    let within = graph.begin_run(of_dev, None).unwrap().run;
    assert_eq!(within.target_branch, *of_dev);
    load_on(&graph, &within.run_branch, EVE, LoadMode::Merge).unwrap();
    assert_eq!(graph.begin_run(of_main, None).unwrap_err().code(), "forbidden");
    let hidden = scene.graph.begin_run(of_main, None).unwrap().run;
    assert_eq!(load_on(&graph, &hidden.run_branch, EVE, LoadMode::Merge).unwrap_err().code(), "forbidden");
    assert_eq!(graph.run(&hidden.run_id).unwrap_err().code(), "forbidden");
    assert_eq!(graph.runs().unwrap().len(), 2, "what is for main is not shown");
    // What a run wrote stays under the rules of its target when its branch is gone.
    graph.publish_run(&within.run_id).unwrap();
    graph.publish_run(&scene.dev_run.run_id).unwrap();
    let of_run = receipt.snapshot.id();
    assert!(receipt.snapshot.record.branch.starts_with("__run__"));
    assert_eq!(graph.commit(of_run.as_str()).unwrap().id(), of_run);
    let other = only(&scene.graph, &["main"]);
    assert_eq!(other.commit(of_run.as_str()).unwrap_err().code(), "forbidden");
    assert_eq!(other.describe(&Target::Commit(of_run.clone())).unwrap_err().code(), "forbidden");
}

#[test]
fn two_handles_of_one_graph_do_not_mix() {
    let scene = Scene::new();
    let (ann, bob) =
        (only(&scene.graph, &["main"]), scene.graph.acting(Access::unrestricted().named(Some("bob"))));
    let insert = "query q($n: String) { insert Person { name: $n } }";
    std::thread::scope(|scope| {
        for (who, graph) in [("ann", &ann), ("bob", &bob)] {
            for writer in 0..3 {
                scope.spawn(move || {
                    for round in 0..6 {
                        let name = format!("{who}-{writer}-{round}");
                        let params = Map::from_iter([("n".to_owned(), name.into())]);
                        let receipt = graph.change(insert, None, &params, &ChangeOptions::default()).unwrap();
                        assert_eq!(receipt.snapshot.record.actor.as_deref(), Some(who));
                        let ids = receipt.changes["node:Person"].ids.clone().unwrap();
                        assert!(ids.all().all(|id| id.starts_with(who)), "{ids:?}");
                    }
                });
            }
        }
    });
    // What one has in memory does not lead the other to it.
    assert!(bob.export(&on("dev"), &ExportOptions::default(), &mut Vec::new()).is_ok());
    let refused = ann.export(&on("dev"), &ExportOptions::default(), &mut Vec::new()).unwrap_err();
    assert_eq!(refused.to_string(), "policy denied action 'export' on branch 'dev' for actor 'ann'");
    assert_eq!(rows_of(&ann, &main()), rows_of(&bob, &main()));
    change_on(&bob, "dev", INSERT, serde_json::json!({}));
}
