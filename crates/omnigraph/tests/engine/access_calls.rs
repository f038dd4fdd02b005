//! All calls of a graph, with what each asks for.

use crate::fixture::{change_on, fork, load_on, on, people};
use omnigraph::{
    Action, ChangeFilter, ChangeOptions, CleanupOptions, CommitId, Cursor, DiffOptions, Error, ExportOptions,
    FeedOptions, Graph, IngestOptions, LoadMode, LoadOptions, MergeOptions, RevertOptions, RunRecord,
    SchemaOptions, Target,
};
use serde_json::{Map, json};
use std::time::Duration;

const ADD: &str = "query q() { insert Person { name: \"Eve\" } }";
const ALL: &str = "query q() { match { $p: Person } return { $p.name } }";
const EVE: &str = r#"{"type":"Person","data":{"name":"Eve","age":1}}"#;
const NEXT: &str = "
node Person { name: String @key  age: I32?  city: String? }
node Company { name: String @key }
edge Knows: Person -> Person { since: Date? }
edge WorksAt: Person -> Company
";

/// A graph with something of every kind: branches `main`, `dev` and `idle`, tags `v1` of main and `of-dev`, a run for each.
pub(crate) struct Scene {
    pub(crate) graph: Graph,
    /// The commit that was made on `dev`.
    pub(crate) on_dev: CommitId,
    /// For `main`, with a commit.
    pub(crate) run: RunRecord,
    pub(crate) on_run: CommitId,
    /// For `dev`, without one.
    pub(crate) dev_run: RunRecord,
}

impl Scene {
    pub(crate) fn new() -> Scene {
        let graph = people();
        graph.store().fold_in_background(false);
        fork(&graph, "main", "dev");
        fork(&graph, "main", "idle");
        let age = "query q($n: String) { update Person set { age: 99 } where name = $n }";
        let on_dev = change_on(&graph, "dev", age, json!({"n":"Bob"})).snapshot.id().clone();
        graph.create_tag("v1", "main", false).unwrap();
        graph.create_tag("of-dev", "dev", false).unwrap();
        let run = graph.begin_run("main", None).unwrap().run;
        let on_run = change_on(&graph, &run.run_branch, age, json!({"n":"Alice"})).snapshot.id().clone();
        let dev_run = graph.begin_run("dev", None).unwrap().run;
        Scene { graph, on_dev, run, on_run, dev_run }
    }
}

/// A call: its name, what it asks for in order, and the call.
pub(crate) struct Call {
    pub(crate) name: &'static str,
    pub(crate) asks: &'static [&'static str],
    pub(crate) run: fn(&Graph, &Scene) -> Result<(), Error>,
}

const fn call(
    name: &'static str,
    asks: &'static [&'static str],
    run: fn(&Graph, &Scene) -> Result<(), Error>,
) -> Call {
    Call { name, asks, run }
}

pub(crate) const CALLS: &[Call] = &[
    // Reading
    call("read", &["read dev > -"], |graph, _| graph.read(&on("dev"), ALL, None, &Map::new()).map(drop)),
    call("analyze", &["read dev > -"], |graph, _| {
        graph.analyze(&on("dev"), ALL, None, &Map::new()).map(drop)
    }),
    call("plan", &["read dev > -"], |graph, _| graph.plan(&on("dev"), ALL, None).map(drop)),
    call("describe", &["read dev > -"], |graph, _| graph.describe(&on("dev")).map(drop)),
    call("schema", &["read dev > -"], |graph, _| graph.schema(&on("dev")).map(drop)),
    call("a commit", &["read dev > -"], |graph, scene| {
        graph.describe(&Target::Commit(scene.on_dev.clone())).map(drop)
    }),
    call("a tag", &["read main > -"], |graph, _| graph.describe(&Target::Tag("v1".into())).map(drop)),
    call("a version", &["read dev > -"], |graph, _| {
        graph.describe(&Target::Version("dev".into(), 1)).map(drop)
    }),
    call("a time", &["read dev > -"], |graph, _| {
        graph.describe(&Target::At("dev".into(), i64::MAX)).map(drop)
    }),
    call("the branch of a run", &["read main > -"], |graph, scene| {
        graph.describe(&on(&scene.run.run_branch)).map(drop)
    }),
    call("a commit of a run", &["read main > -"], |graph, scene| {
        graph.describe(&Target::Commit(scene.on_run.clone())).map(drop)
    }),
    call("export", &["export dev > -"], |graph, _| {
        graph.export(&on("dev"), &ExportOptions::default(), &mut Vec::new()).map(drop)
    }),
    call("export of a tag", &["export main > -"], |graph, _| {
        graph.export(&Target::Tag("v1".into()), &ExportOptions::default(), &mut Vec::new()).map(drop)
    }),
    call("entity_at", &["read dev > -"], |graph, _| graph.entity_at(&on("dev"), "Person", "Bob").map(drop)),
    call("diff", &["read main > -", "read dev > -"], |graph, _| {
        graph.diff(&on("main"), &on("dev"), &DiffOptions::default()).map(drop)
    }),
    call("patch", &["read main > -", "read dev > -"], |graph, _| {
        graph.patch(&on("main"), &on("dev"), &ChangeFilter::default(), &mut Vec::new()).map(drop)
    }),
    call("changes_since", &["read dev > -"], |graph, scene| {
        let since = Cursor { commit: scene.on_dev.clone(), seen: 0 };
        let branch = Some("dev".to_owned());
        graph.changes_since(&FeedOptions { branch, since, limit: 9, diff: DiffOptions::default() }).map(drop)
    }),
    call("plan_schema", &["read dev > -"], |graph, _| graph.plan_schema(NEXT, Some("dev")).map(drop)),
    call("state", &["read dev > -"], |graph, _| graph.state("dev").map(drop)),
    call("state of a tag", &["read dev > -"], |graph, _| graph.state("of-dev").map(drop)),
    call("state of a time", &["read dev > -"], |graph, _| graph.state("dev@2100-01-01").map(drop)),
    call("state of a version", &["read dev > -"], |graph, _| graph.state("manifest:dev:v1").map(drop)),
    call("commits", &["read dev > -"], |graph, _| graph.commits("dev", None, 9).map(drop)),
    call("commit", &["read dev > -"], |graph, scene| graph.commit(scene.on_dev.as_str()).map(drop)),
    call("commit of a tag", &["read main > -"], |graph, _| graph.commit("v1").map(drop)),
    call("run", &["read main > -"], |graph, scene| graph.run(&scene.run.run_id).map(drop)),
    // Writing
    call("change", &["change dev > -"], |graph, _| change(graph, "dev")),
    call("change of a run", &["change main > -"], |graph, scene| change(graph, &scene.run.run_branch)),
    call("load", &["change dev > -"], |graph, _| load_on(graph, "dev", EVE, LoadMode::Merge).map(drop)),
    call("load of a run", &["change dev > -"], |graph, scene| {
        load_on(graph, &scene.dev_run.run_branch, EVE, LoadMode::Merge).map(drop)
    }),
    call("ingest", &["change dev > -"], |graph, _| ingest(graph, "dev", "main")),
    call("ingest that makes its branch", &["change new > -", "branch_create main > new"], |graph, _| {
        ingest(graph, "new", "v1")
    }),
    call("apply_schema", &["schema_apply - > dev"], |graph, _| {
        let options = SchemaOptions { branch: Some("dev".into()), ..SchemaOptions::default() };
        graph.apply_schema(NEXT, &options, &mut |_| {}).map(drop)
    }),
    call("revert", &["change dev > -", "read dev > -"], |graph, scene| {
        graph.revert(scene.on_dev.as_str(), "dev", &RevertOptions::default()).map(drop)
    }),
    call("reset", &["change dev > -", "read main > -"], |graph, _| {
        graph.reset("dev", "v1", None, false).map(drop)
    }),
    call("merge", &["branch_merge dev > main"], |graph, _| merge(graph, "dev", "main", false)),
    call("merge of a tag", &["branch_merge dev > main"], |graph, _| merge(graph, "of-dev", "main", false)),
    call("merge into a run", &["branch_merge dev > main"], |graph, scene| {
        merge(graph, "dev", &scene.run.run_branch, false)
    }),
    call("merge on trial", &["branch_merge dev > main"], |graph, _| merge(graph, "dev", "main", true)),
    // Runs
    call("begin_run", &["change dev > -"], |graph, _| graph.begin_run("dev", Some("again")).map(drop)),
    call("publish_run", &["run_publish - > main"], |graph, scene| {
        graph.publish_run(&scene.run.run_id).map(drop)
    }),
    call("abort_run", &["run_abort - > main"], |graph, scene| graph.abort_run(&scene.run.run_id).map(drop)),
    call("fail_run", &["run_abort - > dev"], |graph, scene| graph.fail_run(&scene.dev_run.run_id).map(drop)),
    // What a server decides
    call("check_access", &["query_list - > -"], |graph, _| graph.check_access(Action::QueryList, None)),
    call("the list of graphs", &["graph_list - > -"], |graph, _| graph.check_access(Action::GraphList, None)),
    call("the list of tools", &["tool_list - > -"], |graph, _| graph.check_access(Action::ToolList, None)),
    call("numbers of the server", &["metrics - > -"], |graph, _| graph.check_access(Action::Metrics, None)),
    call("a query by its name", &["invoke_query main > main"], |graph, scene| {
        graph.check_access(Action::InvokeQuery, Some(&scene.run.run_branch))
    }),
    // Names
    call("create_branch", &["branch_create dev > new"], |graph, _| {
        graph.create_branch("new", "dev", None).map(drop)
    }),
    call("create_branch from a commit", &["branch_create dev > new"], |graph, scene| {
        graph.create_branch("new", scene.on_dev.as_str(), None).map(drop)
    }),
    call("create_branch of a time", &["branch_create main > new"], |graph, _| {
        graph.create_branch("new", "main", Some(i64::MAX)).map(drop)
    }),
    call("rename_branch", &["branch_delete - > idle", "branch_create idle > new"], |graph, _| {
        graph.rename_branch("idle", "new")
    }),
    call("delete_branch", &["branch_delete - > dev", "run_abort - > dev"], |graph, _| {
        graph.delete_branch("dev", true).map(drop)
    }),
    call("create_tag", &["branch_create dev > dev"], |graph, _| {
        graph.create_tag("v2", "dev", false).map(drop)
    }),
    call("create_tag that moves", &["branch_create dev > dev", "branch_create dev > main"], |graph, _| {
        graph.create_tag("v1", "dev", true).map(drop)
    }),
    call("delete_tag", &["branch_delete - > main"], |graph, _| graph.delete_tag("v1").map(drop)),
    // Maintenance
    call("optimize", &["admin dev > -"], |graph, _| graph.optimize(Some("dev"), &mut |_| {}).map(drop)),
    call("cleanup", &["admin - > -"], |graph, _| {
        let options =
            CleanupOptions { keep: Some(1), older_than: None, grace: Duration::ZERO, confirm: true };
        graph.cleanup(&options, &mut |_| {}).map(drop)
    }),
    call("copy_to", &["admin - > -"], |graph, _| {
        let place = tempfile::tempdir().unwrap();
        graph.copy_to(place.path().join("copy.omni").to_str().unwrap(), &mut |_| {}).map(drop)
    }),
    call("fsck", &["admin - > -"], |graph, _| graph.fsck(&mut |_| {}).map(drop)),
    call("examine", &["admin - > -"], |graph, _| graph.examine().map(drop)),
];

fn change(graph: &Graph, branch: &str) -> Result<(), Error> {
    let options = ChangeOptions { branch: Some(branch.to_owned()), ..ChangeOptions::default() };
    graph.change(ADD, None, &Map::new(), &options).map(drop)
}

fn merge(graph: &Graph, source: &str, target: &str, dry_run: bool) -> Result<(), Error> {
    graph.merge(source, target, &MergeOptions { dry_run, ..MergeOptions::default() }).map(drop)
}

fn ingest(graph: &Graph, branch: &str, from: &str) -> Result<(), Error> {
    let mut open = |rules: &_| {
        omnigraph::load::jsonl(std::io::Cursor::new(EVE), rules, &omnigraph::load::Options::default())
    };
    let load = LoadOptions { branch: Some(branch.to_owned()), ..LoadOptions::new(LoadMode::Merge) };
    graph.ingest(&IngestOptions { load, from: from.to_owned() }, &mut open, &mut |_| {}).map(drop)
}
