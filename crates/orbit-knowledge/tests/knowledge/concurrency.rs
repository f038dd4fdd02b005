//! Several connections on one file, as several processes have them: nothing is lost, nothing is given twice, nobody
//! is told that the database is locked.

use crate::scene::{Scene, text, with_task};
use orbit_knowledge::{Code, Facts, Options, Store};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Barrier};
use std::thread;

const WRITERS: usize = 6;

/// Runs one closure per writer, each with a connection of its own, all at once.
fn at_once<T: Send + 'static>(
    path: &Path,
    work: impl Fn(usize, &Store) -> T + Send + Sync + 'static,
) -> Vec<T> {
    let (work, barrier) = (Arc::new(work), Arc::new(Barrier::new(WRITERS)));
    let threads: Vec<_> = (0..WRITERS)
        .map(|number| {
            let (work, barrier, path) = (Arc::clone(&work), Arc::clone(&barrier), path.to_owned());
            thread::spawn(move || {
                barrier.wait();
                let store = Store::open(&path, Options::default()).unwrap();
                work(number, &store)
            })
        })
        .collect();
    threads.into_iter().map(|thread| thread.join().unwrap()).collect()
}

#[test]
fn one_file_is_made_once() {
    let dir = tempfile::tempdir().unwrap();
    let totals = at_once(&dir.path().join("new/knowledge.db"), |_, store| {
        let list = store.call("query_templates", json!({"operation": "list"})).unwrap();
        list.data.unwrap()["total"].as_i64().unwrap()
    });
    assert_eq!(totals, [8; WRITERS]);
}

#[test]
fn no_update_is_lost() {
    let (scene, project, task) = with_task();
    let atom = scene.atom(&project, &task, "A", json!({}));
    let id = atom.clone();
    let conflicts: usize = at_once(&scene.path(), move |number, store| {
        let mut conflicts = 0;
        for round in 0..10 {
            let mut version = 1;
            loop {
                let done = store
                    .call(
                        "manage_graph",
                        json!({"operation": "update", "entityType": "atom", "id": id, "version": version,
                            "knowledge": format!("<{number}.{round}>"), "knowledgeMode": "append", "lastTaskId": task}),
                    )
                    .unwrap();
                match done.error {
                    None => break,
                    // The refusal carries all that the next try needs.
                    Some(error) if error.code == Code::Conflict => {
                        let Facts::Stale { current_version, .. } = error.details.facts else { panic!("{error:?}") };
                        version = current_version;
                        conflicts += 1;
                    }
                    Some(error) => panic!("{error:?}"),
                }
            }
        }
        conflicts
    })
    .into_iter()
    .sum();
    let after = scene.unit("atom", &atom);
    assert_eq!(after["version"], 1 + WRITERS as i64 * 10);
    let knowledge = text(&after["knowledge"]);
    for number in 0..WRITERS {
        for round in 0..10 {
            assert_eq!(knowledge.matches(&format!("<{number}.{round}>")).count(), 1);
        }
    }
    assert!(conflicts > 0, "the writers did meet");
}

#[test]
fn no_task_is_given_twice() {
    let scene = Scene::new();
    for number in 0..40 {
        scene.task(json!({}), &format!("T{number}"));
    }
    let taken = at_once(&scene.path(), |number, store| {
        let mut taken = Vec::new();
        for round in 0.. {
            let actor = format!("{number}.{round}");
            let next = store.call("get_next_task", json!({"claim": true, "actor": actor})).unwrap();
            assert!(next.success, "{}", next.message);
            match next.data.unwrap()["task"]["id"].as_str() {
                Some(id) => taken.push(id.to_owned()),
                None => break,
            }
        }
        taken
    });
    let all: Vec<String> = taken.into_iter().flatten().collect();
    assert_eq!(all.len(), 40);
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 40);
}

#[test]
fn one_of_many_gets_the_path() {
    let scene = Scene::new();
    let tasks: Vec<String> =
        (0..WRITERS).map(|number| scene.task(json!({}), &format!("T{number}"))).collect();
    let winners = at_once(&scene.path(), move |number, store| {
        let arguments = json!({"operation": "reserve", "taskId": tasks[number], "actor": number.to_string(),
            "paths": ["src/**"]});
        let done = store.call("manage_reservation", arguments).unwrap();
        assert!(done.success || done.code() == Some("CONFLICT"), "{}", done.message);
        usize::from(done.success)
    });
    assert_eq!(winners.iter().sum::<usize>(), 1);
}

#[test]
fn readers_go_on_while_others_write() {
    let (scene, project, task) = with_task();
    let path = scene.path();
    let totals = at_once(&path, move |number, store| {
        let mut last = 0;
        for round in 0..15 {
            if number % 2 == 0 {
                let name = format!("{number}.{round}");
                let made = store
                    .call("manage_graph", crate::scene::atom_arguments(&project, &task, &name, json!({})))
                    .unwrap();
                assert!(made.success, "{}", made.message);
            }
            let search = json!({"operation": "search", "entityType": "atom", "projectId": project});
            let found = store.call("query_graph", search).unwrap();
            assert!(found.success, "{}", found.message);
            let total = found.data.unwrap()["total"].as_i64().unwrap();
            assert!(total >= last, "what was seen stays seen");
            last = total;
        }
        last
    });
    assert_eq!(totals.into_iter().max(), Some(WRITERS as i64 / 2 * 15));
}
