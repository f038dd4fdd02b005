//! The JSON documents, member by member.

use crate::program::Place;
use serde_json::Value;

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn load_and_ingest() {
    let place = Place::new();
    place.run("omnigraph init --schema schema.pg g.omni").success();
    let load = place.json("omnigraph load --data seed.jsonl --mode overwrite --json g.omni");
    let counts = ["nodes_loaded", "edges_loaded", "node_types_loaded", "edge_types_loaded"];
    assert_eq!(counts.map(|name| load[name].as_u64()), [Some(6), Some(5), Some(2), Some(2)]);
    assert_eq!(
        (&load["uri"], &load["branch"], &load["mode"]),
        (&"g.omni".into(), &"main".into(), &"overwrite".into())
    );
    assert_eq!(load["graph_commit_id"].as_str().map(str::len), Some(26));
    let ingest = place.json("omnigraph ingest --data seed.jsonl --branch r --json g.omni");
    assert_eq!(
        (&ingest["base_branch"], &ingest["branch_created"], &ingest["mode"]),
        (&"main".into(), &true.into(), &"merge".into())
    );
    assert_eq!(ingest["tables"][3]["table_key"], "node:Person");
    assert_eq!(ingest["tables"][3]["rows_loaded"], 4);
    let load = place.json("omnigraph load --data seed.jsonl --mode merge --branch s --from r --json g.omni");
    assert_eq!((&load["base_branch"], &load["branch_created"]), (&"r".into(), &true.into()));
    let again = place.json("omnigraph ingest --data seed.jsonl --branch r --json g.omni");
    assert_eq!(again["branch_created"], false);
}

#[test]
fn read_and_change() {
    let place = Place::loaded();
    let read = place.json("omnigraph read --query queries.gq --name friend_counts --json g.omni");
    assert_eq!(keys(&read), ["query_name", "target", "row_count", "columns", "rows"]);
    assert_eq!(read["target"], serde_json::json!({ "branch": "main", "snapshot": null }));
    assert_eq!(keys(&read["rows"][0]), ["p.name", "friends"], "in the order of the projection");
    let change = place.json(
        r#"omnigraph change --query queries.gq --name remove_person --params '{"name":"Alice"}' --json g.omni"#,
    );
    assert_eq!(
        keys(&change)[..6],
        ["branch", "query_name", "affected_nodes", "affected_edges", "actor_id", "graph_commit_id"]
    );
    assert_eq!((&change["affected_nodes"], &change["affected_edges"]), (&1.into(), &3.into()));
    let nothing = place.json(
        r#"omnigraph change --query queries.gq --name remove_person --params '{"name":"Alice"}' --json g.omni"#,
    );
    assert_eq!((&nothing["affected_nodes"], &nothing["committed"]), (&0.into(), &false.into()));
    assert_eq!(nothing["graph_commit_id"], change["graph_commit_id"]);
}

#[test]
fn commits_and_snapshot() {
    let place = Place::loaded();
    let list = place.json("omnigraph commit list --json g.omni");
    let newest = &list["commits"][0];
    assert_eq!(
        keys(newest)[..7],
        [
            "graph_commit_id",
            "manifest_branch",
            "manifest_version",
            "parent_commit_id",
            "merged_parent_commit_id",
            "actor_id",
            "created_at"
        ]
    );
    assert_eq!(newest["parent_commit_id"], list["commits"][1]["graph_commit_id"]);
    let snapshot = place.json("omnigraph snapshot --json g.omni");
    assert_eq!((&snapshot["branch"], &snapshot["manifest_version"]), (&"main".into(), &2.into()));
    let table = &snapshot["tables"][1];
    assert_eq!(keys(table), ["table_key", "table_path", "table_version", "table_branch", "row_count"]);
    assert_eq!((&table["table_key"], &table["row_count"]), (&"node:Person".into(), &4.into()));
    let path = place.path("g.omni").join(table["table_path"].as_str().expect("a path"));
    assert!(path.join("_versions").is_dir(), "it is a Lance dataset");
}

#[test]
fn everything_else() {
    let place = Place::loaded();
    assert_eq!(
        place.json("omnigraph branch list --json g.omni"),
        serde_json::json!({ "branches": ["main"] })
    );
    let made = place.json("omnigraph branch create --from main b --actor me --json g.omni");
    assert_eq!(
        (&made["from"], &made["name"], &made["actor_id"]),
        (&"main".into(), &"b".into(), &"me".into())
    );
    assert_eq!(place.json("omnigraph branch delete b --json g.omni")["name"], "b");
    let schema = place.json("omnigraph schema get --json g.omni");
    assert_eq!(schema["schema_source"], crate::program::SCHEMA);
    assert_eq!(place.run("omnigraph schema get g.omni").success(), crate::program::SCHEMA);
    assert_eq!(place.json("omnigraph version --json")["version"], env!("CARGO_PKG_VERSION"));
    for line in ["omnigraph version", "omnigraph -v", "omnigraph --version"] {
        assert_eq!(place.run(line).success(), format!("omnigraph {}\n", env!("CARGO_PKG_VERSION")));
    }
    let doctor = place.json("omnigraph doctor --json g.omni");
    assert_eq!(doctor["ok"], true);
    let names: Vec<&str> = doctor["checks"]
        .as_array()
        .expect("checks")
        .iter()
        .map(|check| check["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(
        names,
        ["version", "store", "conditional put", "history", "schema", "branches", "tables", "embeddings"]
    );
    let sick = place.run("omnigraph doctor --json nowhere.omni");
    assert_eq!(sick.code, Some(1));
    assert!(sick.stdout.contains("no graph at"), "{}", sick.stdout);
    assert!(place.run("omnigraph completions bash").success().contains("_omnigraph"));
}
