//! `optimize`, `cleanup`, `fsck` and `doctor` as a user runs them.

use crate::program::Place;
use expect_test::expect;

/// Adds people one by one.
fn grow(place: &Place, names: impl IntoIterator<Item = u32>) {
    for name in names {
        let insert = format!(
            "omnigraph change --query queries.gq --name insert_person --params '{{\"name\":\"p{name}\",\"age\":{name}}}' g.omni"
        );
        place.run(&insert).success();
    }
}

#[test]
fn a_graph_is_optimized_and_cleaned_up() {
    let place = Place::loaded();
    grow(&place, 0..4);
    let said = place.transcript(&[
        "omnigraph optimize g.omni",
        "omnigraph optimize g.omni",
        "omnigraph cleanup --keep 2 g.omni",
        "omnigraph cleanup --keep 2 --confirm g.omni",
        "omnigraph commit list g.omni",
        "omnigraph read --query queries.gq --name adults --snapshot manifest:main:v3 g.omni",
        "omnigraph fsck g.omni",
    ]);
    expect![[r#"
        $ omnigraph optimize g.omni
        edge:Knows    nothing to do
        edge:WorksAt  nothing to do
        node:Company  nothing to do
        node:Person   5 fragments became 1
        optimized branch main of g.omni; commit <commit>
        $ omnigraph optimize g.omni
        edge:Knows    nothing to do
        edge:WorksAt  nothing to do
        node:Company  nothing to do
        node:Person   nothing to do
        optimized branch main of g.omni; nothing changed
        $ omnigraph cleanup --keep 2 g.omni
        would remove 5 commits and 0 files with <size>; 2 commits left
        ! keeps the newest 2 commits of every branch, tags and where branches start; --confirm removes the rest
        $ omnigraph cleanup --keep 2 --confirm g.omni
        removed 5 commits and 0 files with <size>; 2 commits left
        $ omnigraph commit list g.omni
        <commit>  <time>  v7     optimize main
        <commit>  <time>  v6     change   main
        <commit>  <time>  v5     change   main  (cleaned up)
        <commit>  <time>  v4     change   main  (cleaned up)
        <commit>  <time>  v3     change   main  (cleaned up)
        <commit>  <time>  v2     load     main  (cleaned up)
        <commit>  <time>  v1     init     main  (cleaned up)
        ! commits before <commit> were cleaned up: their rows are gone
        $ omnigraph read --query queries.gq --name adults --snapshot manifest:main:v3 g.omni
        ! error: commit <commit> was cleaned up: its place in the history is known, its rows are gone
        ! hint: `omnigraph commit list` says which commits still have rows
        [exit code 1]
        $ omnigraph fsck g.omni
        looked at 7 commits, 5 versions of tables, 19 files and 15 rows: all is well
    "#]].assert_eq(&said);
    assert_eq!(place.run("omnigraph export --type Person g.omni").success().lines().count(), 8);
}

#[test]
fn programs_get_counts() {
    let place = Place::loaded();
    grow(&place, 0..3);
    let done = place.json("omnigraph optimize --json g.omni");
    assert_eq!(done["committed"], true);
    let person = done["tables"].as_array().unwrap().iter().find(|table| table["table_key"] == "node:Person");
    assert_eq!(person.unwrap()["fragments_removed"], 4);
    assert_eq!(person.unwrap()["fragments_added"], 1);
    let preview = place.json("omnigraph cleanup --keep 1 --older-than 0s --grace 0s --json g.omni");
    assert_eq!((&preview["confirmed"], &preview["commits_kept"]), (&false.into(), &1.into()));
    let done = place.json("omnigraph cleanup --keep 1 --older-than 0s --grace 0s --confirm --json g.omni");
    assert_eq!(done["files_removed"], preview["files_removed"]);
    assert!(done["bytes_removed"].as_u64().unwrap() > 0);
    let list = place.json("omnigraph commit list --json g.omni");
    let commits = list["commits"].as_array().unwrap();
    assert_eq!(commits.len(), 6, "the history itself stays");
    assert_eq!(list["oldest_readable_commit_id"], commits[0]["graph_commit_id"]);
    assert!(commits[0].get("cleaned_up").is_none());
    assert!(commits[1..].iter().all(|commit| commit["cleaned_up"] == true));
    let old = commits[2]["graph_commit_id"].as_str().unwrap();
    let error = place.run(&format!("omnigraph export --snapshot {old} --json g.omni")).error();
    assert_eq!(error["code"], "cleaned_up");
    assert_eq!(place.json(&format!("omnigraph commit show {old} --json g.omni"))["operation"], "change");
    let well = place.json("omnigraph fsck --json g.omni");
    assert_eq!((&well["ok"], &well["commits_removed"]), (&true.into(), &5.into()));
    assert_eq!(place.run("omnigraph export --type Person g.omni").success().lines().count(), 7);
}

#[test]
fn wrong_usage_is_refused() {
    let place = Place::loaded();
    for line in [
        "omnigraph cleanup g.omni",
        "omnigraph cleanup --keep 0 g.omni",
        "omnigraph cleanup --keep 1 --older-than 7 g.omni",
        "omnigraph cleanup --older-than week g.omni",
        "omnigraph schema apply g.omni",
    ] {
        assert_eq!(place.run(line).code, Some(2), "{line}");
    }
    assert_eq!(place.run("omnigraph optimize --branch nowhere --json g.omni").error()["code"], "not_found");
    assert_eq!(place.run("omnigraph fsck --json nowhere.omni").error()["code"], "not_found");
}

#[test]
fn damage_is_named_and_is_a_failure() {
    let place = Place::loaded();
    let snapshot = place.json("omnigraph snapshot --json g.omni");
    let table =
        snapshot["tables"].as_array().unwrap().iter().find(|table| table["table_key"] == "node:Person");
    let data = place.path("g.omni").join(table.unwrap()["table_path"].as_str().unwrap()).join("data");
    let file = std::fs::read_dir(&data).unwrap().next().unwrap().unwrap().path();
    std::fs::remove_file(file).unwrap();
    let found = place.run("omnigraph fsck --json g.omni");
    assert_eq!(found.code, Some(1));
    let report: serde_json::Value = serde_json::from_str(&found.stdout).unwrap();
    assert_eq!(report["ok"], false);
    let problems = report["problems"].as_array().unwrap();
    assert!(
        problems.iter().any(|problem| problem["message"].as_str().unwrap().contains("is missing or empty")),
        "{problems:?}"
    );
    let text = place.run("omnigraph fsck g.omni");
    assert_eq!(text.code, Some(1));
    assert!(text.stdout.contains("problem"), "{}", text.stdout);
}

#[test]
fn the_doctor_says_when_to_optimize() {
    let place = Place::loaded();
    let checks = |place: &Place| place.json("omnigraph doctor --json g.omni");
    let tables = |checks: &serde_json::Value| {
        let checks = checks["checks"].as_array().unwrap().clone();
        checks.into_iter().find(|check| check["name"] == "tables").unwrap()
    };
    assert_eq!(tables(&checks(&place))["status"], "ok");
    grow(&place, 0..3);
    let noted = tables(&checks(&place));
    assert_eq!(noted["status"], "note");
    assert!(noted["detail"].as_str().unwrap().contains("omnigraph optimize"), "{noted}");
    place.run("omnigraph optimize g.omni").success();
    assert_eq!(tables(&checks(&place))["status"], "ok");
}
