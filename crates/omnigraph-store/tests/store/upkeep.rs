//! Columns, folding and cleaning up.

use crate::{Fixture, commit, done, draft, fixture, numbers, rows, staged};
use arrow_array::{Array, ArrayRef, Int64Array, StringArray};
use arrow_schema::{DataType, Field};
use lance::dataset::builder::DatasetBuilder;
use omnigraph_store::{
    CleanupOptions, ColumnSource, Error, Evolution, NewColumn, Rewrite, Store, Table, TableEntry, Target,
};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn evolved(store: &Store, base: &TableEntry, columns: Vec<NewColumn>) -> TableEntry {
    let mut evolution = Evolution::new(columns);
    evolution
        .apply::<Error>(store, base, &mut |table: &Table, place| {
            let count = table.fragments()[place].rows() as usize;
            Ok(vec![Arc::new(StringArray::from(vec!["x"; count])) as ArrayRef])
        })
        .expect("it can be done")
}

fn column(name: &str, ty: DataType, nullable: bool, source: ColumnSource) -> NewColumn {
    NewColumn { field: Field::new(name, ty, nullable), source }
}

fn options(keep: usize, grace: Duration) -> CleanupOptions {
    CleanupOptions { keep: Some(keep), older_than: None, grace, confirm: true }
}

fn clean(store: &Store, keep: usize) -> omnigraph_store::CleanupReport {
    store.cleanup(&options(keep, Duration::ZERO), &mut |_, _, _| {}).expect("it can be done")
}

fn whole(store: &Store) {
    let checked = store.check(&mut |_, _, _| {}).expect("it can be done");
    assert!(checked.findings.is_empty(), "{:?}", checked.findings);
}

fn files(path: &Path) -> usize {
    if path.is_file() {
        return 1;
    }
    std::fs::read_dir(path)
        .map_or(0, |entries| entries.map(|entry| files(&entry.expect("it can be done").path())).sum())
}

fn tables(graph: &Fixture) -> std::path::PathBuf {
    graph.dir.path().join("g/tables")
}

/// What is added, renamed and dropped is seen by any program that reads Lance.
#[test]
fn other_tools_read_the_columns_of_a_version() {
    let graph = fixture();
    let base = staged(&graph.store, None, 0..3, &[]);
    let first = rows(&graph.store.table(&base).unwrap())[0].1;
    let base = staged(&graph.store, Some(&base), [7], &[first]);
    let new = evolved(
        &graph.store,
        &base,
        vec![
            column("id", DataType::Utf8, false, ColumnSource::Kept("id".into())),
            column("word", DataType::Utf8, false, ColumnSource::Computed),
            column("number", DataType::Int64, true, ColumnSource::Kept("n".into())),
            column("none", DataType::Float64, true, ColumnSource::Null),
        ],
    );
    let path = tables(&graph).join(&new.dir);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let opened = DatasetBuilder::from_uri(path.to_str().unwrap()).with_version(new.version).load();
    let opened = runtime.block_on(opened).unwrap();
    let read = runtime.block_on(async { opened.scan().try_into_batch().await }).unwrap();
    let names: Vec<&String> = opened.schema().fields.iter().map(|field| &field.name).collect();
    assert_eq!(names, ["id", "word", "number", "none"]);
    assert_eq!(read.num_rows(), 3);
    let numbers = read.column_by_name("number").unwrap();
    let numbers = numbers.as_any().downcast_ref::<Int64Array>().unwrap();
    assert_eq!(numbers.values(), &[1, 2, 7]);
    assert_eq!(read.column_by_name("none").unwrap().null_count(), 3);
    assert!(read.column_by_name("word").unwrap().null_count() == 0);
    runtime.block_on(opened.validate()).unwrap();
    let table = graph.again().table(&new).unwrap();
    assert!(table.column(0, "n").is_err(), "the old name is gone");
    assert_eq!(rows(&graph.store.table(&base).unwrap()).len(), 3, "the base is as it was");
}

/// Two branches may give one number to different columns of the same files.
#[test]
fn columns_of_two_branches_are_told_apart() {
    let graph = fixture();
    let base = staged(&graph.store, None, 0..3, &[]);
    let kept = || column("id", DataType::Utf8, false, ColumnSource::Kept("id".into()));
    let left =
        evolved(&graph.store, &base, vec![kept(), column("a", DataType::Int64, true, ColumnSource::Null)]);
    let right =
        evolved(&graph.store, &base, vec![kept(), column("b", DataType::Utf8, true, ColumnSource::Null)]);
    let ty = |entry: &TableEntry, name: &str| {
        graph.store.table(entry).unwrap().column(0, name).unwrap().data_type().clone()
    };
    assert_eq!((ty(&left, "a"), ty(&right, "b")), (DataType::Int64, DataType::Utf8));
    let swapped = vec![kept(), column("n", DataType::Utf8, false, ColumnSource::Computed)];
    let swapped = evolved(&graph.store, &base, swapped);
    assert_eq!((ty(&base, "n"), ty(&swapped, "n")), (DataType::Int64, DataType::Utf8));
}

#[test]
fn many_small_commits_leave_few_fragments() {
    for in_background in [true, false] {
        let graph = fixture();
        graph.store.fold_in_background(in_background);
        let mut most = 0;
        for number in 0..130 {
            let head = commit(&graph.store, "main", [number]);
            let table = graph.store.table(head.table("node:N").unwrap()).unwrap();
            most = most.max(table.fragments().len());
            if number % 40 == 0 {
                graph.store.wait_for_folds();
            }
        }
        assert!(most < 40, "{most} fragments");
        let head = graph.again().head("main").unwrap();
        assert_eq!(numbers(&graph.again(), &head), (0..130).collect::<Vec<_>>());
        whole(&graph.store);
    }
}

/// What was folded and not taken in is not needed by anybody, and must not be taken in once it is gone.
#[test]
fn folds_do_not_outlive_their_files() {
    let graph = fixture();
    (0..40).for_each(|number| drop(commit(&graph.store, "main", [number])));
    graph.store.wait_for_folds();
    clean(&graph.store, 1);
    (40..90).for_each(|number| drop(commit(&graph.store, "main", [number])));
    graph.store.wait_for_folds();
    commit(&graph.store, "main", [90]);
    let again = graph.again();
    assert_eq!(numbers(&again, &again.head("main").unwrap()), (0..91).collect::<Vec<_>>());
    whole(&again);
}

/// A compaction takes its time; whoever writes meanwhile wins.
#[test]
fn a_compaction_goes_behind_others() {
    let graph = fixture();
    (0..6).for_each(|number| drop(commit(&graph.store, "main", [number])));
    let base = graph.store.head("main").unwrap();
    let entry = base.table("node:N").unwrap().clone();
    let compaction = graph.store.compact(&entry, Rewrite::All, &mut |_| {}).unwrap();
    let appended = staged(&graph.store, Some(&entry), [77], &[]);
    let (put, compacted) = graph.store.put_compacted(&appended, &compaction).unwrap().unwrap();
    assert_eq!((compacted.fragments_removed, compacted.fragments_added), (6, 1));
    let found: Vec<i64> = rows(&graph.store.table(&put).unwrap()).iter().map(|row| row.0).collect();
    assert_eq!(found, [0, 1, 2, 3, 4, 5, 77]);
    let gone = rows(&graph.store.table(&entry).unwrap())[3].1;
    let thinned = staged(&graph.store, Some(&entry), [], &[gone]);
    assert!(graph.store.put_compacted(&thinned, &compaction).unwrap().is_none(), "a source has changed");
}

#[test]
fn what_is_not_needed_goes_and_what_is_stays() {
    let graph = fixture();
    let commits: Vec<_> = (0..6).map(|number| commit(&graph.store, "main", [number])).collect();
    graph.store.create_branch("b", &commits[2], None).unwrap();
    graph.store.create_tag("first", &commits[0], None, false).unwrap();
    let before = files(&tables(&graph));
    let preview = CleanupOptions { confirm: false, ..options(1, Duration::ZERO) };
    let preview = graph.store.cleanup(&preview, &mut |_, _, _| {}).unwrap();
    assert_eq!(files(&tables(&graph)), before, "without consent nothing goes");
    let report = clean(&graph.store, 1);
    assert_eq!(report, preview, "what would go is what goes");
    assert_eq!((report.commits_kept, report.commits_removed), (3, 4));
    assert!(files(&tables(&graph)) < before);
    let store = graph.again();
    for (at, made) in commits.iter().enumerate() {
        let found = store.resolve(&Target::Commit(made.id().clone()));
        match at {
            0 | 2 | 5 => assert_eq!(numbers(&store, &found.unwrap()), (0..=at as i64).collect::<Vec<_>>()),
            _ => assert!(matches!(found, Err(Error::CommitRemoved { .. })), "{at}: {found:?}"),
        }
    }
    let error = store.resolve(&Target::Version("main".into(), 3)).unwrap_err();
    assert!(error.to_string().contains("was cleaned up"), "{error}");
    assert!(matches!(store.create_branch("c", &commits[1], None), Err(Error::CommitRemoved { .. })));
    assert_eq!(store.branches().unwrap(), ["b", "main"]);
    let mut at = store.head("main").unwrap();
    let mut seen = 1;
    while let Some(parent) = store.parent(&at).unwrap() {
        at = parent;
        seen += 1;
    }
    assert_eq!(seen, 7, "the way back is known");
    whole(&store);
    assert_eq!(clean(&store, 1).removed().files, 0, "a second time nothing is left");
    commit(&store, "b", [9]);
    whole(&store);
}

#[test]
fn who_waits_longer_can_clean_up_behind_who_waited_less() {
    let graph = fixture();
    for number in 1..=5 {
        commit(&graph.store, "main", [number]);
    }
    let day = Duration::from_hours(24);
    let first = graph.store.cleanup(&options(2, Duration::ZERO), &mut |_, _, _| {}).unwrap();
    assert!(first.removed().files > 0, "{first:?}");
    let second = graph.store.cleanup(&options(2, day), &mut |_, _, _| {}).unwrap();
    assert_eq!((second.commits_removed, second.removed().files), (0, 0), "{second:?}");
    assert_eq!(numbers(&graph.again(), &graph.store.head("main").unwrap()), [1, 2, 3, 4, 5]);
}

#[test]
fn a_deleted_branch_goes_with_everything_only_it_had() {
    let graph = fixture();
    let base = commit(&graph.store, "main", [1]);
    graph.store.create_branch("b", &base, None).unwrap();
    let gone = commit(&graph.store, "b", 10..20);
    graph.store.create_branch("c", &gone, None).unwrap();
    graph.store.delete_branch("b").unwrap();
    clean(&graph.store, 1);
    assert_eq!(
        numbers(&graph.again(), &graph.again().head("c").unwrap()).len(),
        11,
        "another branch needs it"
    );
    graph.store.delete_branch("c").unwrap();
    let before = files(&tables(&graph));
    let day = Duration::from_hours(24);
    graph.store.cleanup(&options(1, day), &mut |_, _, _| {}).unwrap();
    assert_eq!(files(&tables(&graph)), before, "somebody may still be reading it");
    clean(&graph.store, 1);
    assert!(files(&tables(&graph)) < before);
    assert!(matches!(graph.again().resolve(&Target::Commit(gone.id().clone())), Err(Error::NoCommit { .. })));
    whole(&graph.store);
}

/// Whoever makes a branch at an old commit gets it whole, or is told that it is too late.
#[test]
fn branches_are_made_while_others_clean_up() {
    let graph = fixture();
    let commits: Vec<_> = (0..8).map(|number| commit(&graph.store, "main", [number])).collect();
    let made: Vec<(String, usize)> = std::thread::scope(|scope| {
        let maker = scope.spawn(|| {
            let store = graph.again();
            let attempt = |round: usize| {
                let (name, at) = (format!("b{round}"), round % commits.len());
                match store.create_branch(&name, &commits[at], None) {
                    Ok(_) => Some((name, at)),
                    Err(Error::CommitRemoved { .. }) => None,
                    Err(other) => panic!("{other}"),
                }
            };
            (0..40).filter_map(attempt).collect::<Vec<_>>()
        });
        scope.spawn(|| (0..6).for_each(|_| drop(clean(&graph.again(), 1))));
        maker.join().expect("it ended")
    });
    let store = graph.again();
    assert!(!made.is_empty());
    for (name, at) in made {
        let head = store.head(&name).expect("a branch");
        assert_eq!(numbers(&store, &head), (0..=at as i64).collect::<Vec<_>>(), "{name}");
    }
    whole(&store);
}

/// Inside of the grace nobody loses what is in use.
#[test]
fn a_paused_writer_and_an_old_reader_are_safe() {
    let graph = fixture();
    let old = commit(&graph.store, "main", 0..5);
    let reader = graph.again();
    let table = reader.table(old.table("node:N").unwrap()).unwrap();
    let base = graph.store.head("main").unwrap();
    let paused = staged(&graph.store, None, [100], &[]);
    let all: Vec<_> = rows(&table).into_iter().map(|(_, row)| row).collect();
    let entry = staged(&graph.store, old.table("node:N"), [6], &all);
    let head = done(graph.store.publish("main", &base, &draft("node:N", entry)).unwrap());
    let cleaner = graph.again();
    let day = Duration::from_hours(24);
    let report = cleaner.cleanup(&options(1, day), &mut |_, _, _| {}).unwrap();
    assert_eq!((report.removed().files, report.commits_removed), (0, 2));
    assert!(report.waiting.files > 0, "the files of the writer are seen");
    assert!(matches!(cleaner.resolve(&Target::Commit(old.id().clone())), Err(Error::CommitRemoved { .. })));
    assert_eq!(rows(&graph.again().table(old.table("node:N").unwrap()).unwrap()).len(), 5);
    let other = draft("node:Other", paused);
    let head = done(graph.store.publish("main", &head, &other).unwrap());
    let again = graph.again();
    assert_eq!(again.table(head.table("node:Other").unwrap()).unwrap().rows(), 1);
    whole(&again);
}

#[test]
fn what_is_wrong_is_found() {
    let findings = |graph: &Fixture| {
        let checked = graph.again().check(&mut |_, _, _| {}).unwrap();
        checked.findings.into_iter().map(|finding| finding.message).collect::<Vec<_>>()
    };
    let made = || {
        let graph = fixture();
        let head = commit(&graph.store, "main", 0..5);
        (tables(&graph).join(&head.table("node:N").unwrap().dir), graph)
    };
    let only = |path: &Path| std::fs::read_dir(path).unwrap().next().unwrap().unwrap().path();
    let (table, graph) = made();
    assert!(findings(&graph).is_empty());
    std::fs::remove_file(only(&table.join("data"))).unwrap();
    assert!(findings(&graph)[0].contains("is missing or empty"), "{:?}", findings(&graph));
    let (table, graph) = made();
    for entry in std::fs::read_dir(table.join("_versions")).unwrap() {
        std::fs::remove_file(entry.unwrap().path()).unwrap();
    }
    assert_eq!(findings(&graph).len(), 1);
    let (_, graph) = made();
    let log = only(&graph.dir.path().join("g/log"));
    let record = log.join(format!("{:020}.json", 2));
    let text = std::fs::read_to_string(&record).unwrap();
    std::fs::write(&record, text.replace("\"rows\":5", "\"rows\":6")).unwrap();
    assert_eq!(findings(&graph), ["it has 5 rows, and the commit says 6"]);
    std::fs::write(&record, "{").unwrap();
    let broken = graph.store.check(&mut |_, _, _| {}).unwrap();
    assert_eq!(broken.findings.len(), 1, "{:?}", broken.findings);
}
