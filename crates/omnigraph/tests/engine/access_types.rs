//! Rules about types: what each call asks of which type, and that nothing of another type gets out or is changed.

use crate::fixture::{fork, load_on, main, people, rows_of};
use omnigraph::{
    Access, Action, Ask, ChangeFilter, ChangeOptions, Cursor, Decision, DiffOptions, Error, ExportOptions,
    FeedOptions, Graph, Guard, LoadMode, MergeOptions, RevertOptions, Target,
};
use serde_json::Map;
use std::sync::Arc;

/// Reads and changes these types only; all else is allowed.
#[derive(Debug)]
struct Only(&'static [&'static str]);

impl Guard for Only {
    fn decide(&self, ask: &Ask<'_>) -> Decision {
        assert!(ask.type_name.is_none() || ask.action.has_rows());
        Decision { allowed: ask.type_name.is_none_or(|name| self.0.contains(&name)), rule: None }
    }
}

fn only(graph: &Graph, types: &'static [&'static str]) -> Graph {
    graph.acting(Access::guarded("ann", Arc::new(Only(types))))
}

/// The type that was denied; none when nothing was.
fn denied<T>(done: Result<T, Error>) -> Option<String> {
    match done {
        Ok(_) => None,
        Err(Error::Denied { type_name: Some(name), .. }) => Some(name),
        Err(other) => panic!("{other}"),
    }
}

fn reading(graph: &Graph, query: &str) -> Option<String> {
    let analyzed = denied(graph.analyze(&main(), query, None, &Map::new()));
    let read = denied(graph.read(&main(), query, None, &Map::new()));
    assert_eq!(analyzed, read);
    read
}

fn changing(graph: &Graph, query: &str) -> Option<String> {
    denied(graph.change(query, None, &Map::new(), &ChangeOptions::default()))
}

#[test]
fn a_query_may_read_what_all_its_parts_may() {
    let graph = only(&people(), &["Person", "Knows"]);
    for query in [
        "query q() { match { $p: Person } return { $p.name } }",
        "query q() { match { $p: Person  $p knows $f } return { $f.name } }",
        "query q() { match { $p: Person  not { $p knows $_ } } return { $p.name } }",
        "query q() { match { $p: Person  $q: Person  $p * $q  count { $p <*> $q } > 0 } return { $p.name } }",
    ] {
        assert_eq!(reading(&graph, query), None, "{query}");
    }
    for (query, name) in [
        ("query q() { match { $c: Company } return { $c.name } }", "Company"),
        ("query q() { match { $c: Company } return { count($c) as n } }", "Company"),
        ("query q() { match { $p: Person  $p worksAt $c } return { $p.name } }", "Company"),
        ("query q() { match { $p: Person  not { $p worksAt $_ } } return { $p.name } }", "Company"),
        ("query q() { match { $p: Person  optional { $p worksAt $c } } return { $p.name } }", "Company"),
        (
            "query q() { match { $p: Person  $q: Person  $p knows $q  exists { $p worksAt $c } } return { $p.name } }",
            "Company",
        ),
        ("query q() { match { $p: Person  $c: Company } return { $p.name } }", "Company"),
        ("query q() { match { $p: Person  count { $p worksAt $c } > 0 } return { $p.name } }", "Company"),
        ("query q() { match { $p: Person } return { count { $p worksAt $c } as n } }", "Company"),
        ("query q() { match { $p: Person  $p * $x } return { $p.name } }", "Company"),
    ] {
        assert_eq!(reading(&graph, query).as_deref(), Some(name), "{query}");
    }
    // An edge is read by whoever may read both, the edge and its ends.
    let ends = only(&people(), &["Person", "Company"]);
    let query = "query q() { match { $p: Person  $p worksAt $c } return { $p.name } }";
    assert_eq!(reading(&ends, query).as_deref(), Some("WorksAt"));
}

#[test]
fn a_plan_a_schema_and_names_are_not_rows() {
    let graph = only(&people(), &[]);
    let query = "query q() { match { $c: Company } return { $c.name } }";
    assert!(graph.plan(&main(), query, None).is_ok());
    assert!(graph.schema(&main()).is_ok() && graph.describe(&main()).is_ok());
    assert!(graph.commits("main", None, 9).is_ok() && graph.branches().is_ok());
}

#[test]
fn a_change_touches_only_what_it_may() {
    let whole = people();
    let graph = only(&whole, &["Person", "Knows"]);
    let before = rows_of(&whole, &main());
    for (query, name) in [
        ("query q() { insert Company { name: \"New\" } }", "Company"),
        ("query q() { insert Person { name: \"Eve\" } insert Company { name: \"New\" } }", "Company"),
        ("query q() { delete WorksAt where from = \"Alice\" }", "WorksAt"),
        // Edges that go with a node are changed too.
        ("query q() { delete Person where name = \"Alice\" }", "WorksAt"),
    ] {
        assert_eq!(changing(&graph, query).as_deref(), Some(name), "{query}");
        assert_eq!(rows_of(&whole, &main()), before, "{query}");
    }
    assert_eq!(changing(&graph, "query q() { delete Person where name = \"Diana\" }"), None);
    assert_eq!(changing(&graph, "query q() { insert Person { name: \"Eve\" } }"), None);
}

#[test]
fn one_denied_change_does_not_stop_others_of_the_same_moment() {
    let whole = people();
    let graph = only(&whole, &["Person", "Knows"]);
    std::thread::scope(|scope| {
        for round in 0..12 {
            let graph = &graph;
            scope.spawn(move || {
                let allowed = format!("query q() {{ insert Person {{ name: \"P{round}\" }} }}");
                assert_eq!(changing(graph, &allowed), None);
                let cascade = "query q() { delete Person where name = \"Alice\" }";
                assert_eq!(changing(graph, cascade).as_deref(), Some("WorksAt"));
            });
        }
    });
    let rows = rows_of(&whole, &main());
    assert_eq!(rows.iter().filter(|row| row.contains("\"name\":\"P")).count(), 12);
    assert!(rows.iter().any(|row| row.contains("\"Alice\"")));
}

#[test]
fn loads_are_held_to_the_tables_that_they_touch() {
    let whole = people();
    let graph = only(&whole, &["Person", "Knows"]);
    let before = rows_of(&whole, &main());
    let eve = r#"{"type":"Person","data":{"name":"Eve"}}"#;
    let both = "{\"type\":\"Person\",\"data\":{\"name\":\"Fay\"}}\n{\"type\":\"Company\",\"data\":{\"name\":\"New\"}}";
    assert_eq!(denied(load_on(&graph, "main", both, LoadMode::Merge)).as_deref(), Some("Company"));
    // Everything that is there would go.
    let company = r#"{"type":"Company","data":{"name":"New"}}"#;
    assert_eq!(denied(load_on(&graph, "main", company, LoadMode::Overwrite)).as_deref(), Some("Company"));
    assert!(load_on(&graph, "main", eve, LoadMode::Overwrite).is_err(), "edges would lead nowhere");
    assert_eq!(rows_of(&whole, &main()), before);
    assert_eq!(denied(load_on(&graph, "main", eve, LoadMode::Merge)), None);
}

#[test]
fn what_leaves_as_rows_is_asked_for_by_type() {
    let whole = people();
    let start = whole.store().head("main").unwrap().id().clone();
    let insert = "query q() { insert Person { name: \"Eve\" } insert Company { name: \"New\" } }";
    whole.change(insert, None, &Map::new(), &ChangeOptions::default()).unwrap();
    let graph = only(&whole, &["Person", "Knows"]);
    let some = |types: &[&str]| types.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let export = |types: &[&str]| {
        let options = ExportOptions { types: some(types), ..ExportOptions::default() };
        denied(graph.export(&main(), &options, &mut Vec::new()))
    };
    assert!(export(&[]).is_some());
    assert_eq!(export(&["Company"]).as_deref(), Some("Company"));
    assert_eq!(export(&["Person", "Knows"]), None);

    assert_eq!(denied(graph.entity_at(&main(), "Person", "Alice")), None);
    for of in ["Company", "node:Company"] {
        assert_eq!(denied(graph.entity_at(&main(), of, "Acme")).as_deref(), Some("Company"), "{of}");
        assert_eq!(denied(graph.entity_at(&main(), of, "none")).as_deref(), Some("Company"), "{of}");
    }

    let filter = |types: &[&str]| ChangeFilter { type_names: some(types), ..ChangeFilter::default() };
    let from = Target::Commit(start.clone());
    for (types, is_denied) in [(&[][..], true), (&["Company"], true), (&["Person"], false)] {
        let options = DiffOptions { filter: filter(types), with_rows: true };
        assert_eq!(denied(graph.diff(&from, &main(), &options)).is_some(), is_denied, "{types:?}");
        assert_eq!(denied(graph.patch(&from, &main(), &filter(types), &mut Vec::new())).is_some(), is_denied);
        let since = Cursor { commit: start.clone(), seen: 0 };
        let feed = FeedOptions { branch: None, since, limit: 99, diff: options };
        assert_eq!(denied(graph.changes_since(&feed)).is_some(), is_denied, "{types:?}");
    }
}

#[test]
fn reverts_and_resets_are_changes_of_what_they_bring_back() {
    let whole = people();
    let start = whole.store().head("main").unwrap().id().to_string();
    let insert = "query q() { insert Company { name: \"New\" } }";
    let commit = whole.change(insert, None, &Map::new(), &ChangeOptions::default()).unwrap().snapshot;
    let before = rows_of(&whole, &main());
    let graph = only(&whole, &["Person", "Knows"]);
    for dry_run in [true, false] {
        let options = RevertOptions { dry_run, ..RevertOptions::default() };
        let done = graph.revert(commit.id().as_str(), "main", &options);
        assert_eq!(denied(done).as_deref(), Some("Company"));
        assert_eq!(denied(graph.reset("main", &start, None, dry_run)).as_deref(), Some("Company"));
    }
    assert_eq!(rows_of(&whole, &main()), before);
    // Who may merge a branch may merge all of it: what is on it was somebody's to change.
    fork(&whole, "main", "dev");
    load_on(&whole, "dev", r#"{"type":"Company","data":{"name":"Other"}}"#, LoadMode::Merge).unwrap();
    assert_eq!(denied(graph.merge("dev", "main", &MergeOptions::default())), None);
    assert!(graph.check_access(Action::BranchMerge, Some("main")).is_ok());
}

/// Reads everything but one branch.
#[derive(Debug)]
struct NotOn(&'static str);

impl Guard for NotOn {
    fn decide(&self, ask: &Ask<'_>) -> Decision {
        Decision { allowed: ask.branch != Some(self.0), rule: None }
    }
}

#[test]
fn what_changed_since_a_state_is_told_to_whom_may_read_the_state() {
    let graph = people();
    fork(&graph, "main", "secret");
    fork(&graph, "main", "open");
    let bob = graph.acting(Access::guarded("bob", Arc::new(NotOn("secret"))));
    let since = |state: &str| {
        let query =
            format!("query q() {{ match {{ $p: Person  $p changed since \"{state}\" }} return {{ $p }} }}");
        bob.read(&main(), &query, None, &Map::new())
    };
    assert!(since("open").is_ok());
    assert!(matches!(since("secret"), Err(Error::Denied { .. })));
}
