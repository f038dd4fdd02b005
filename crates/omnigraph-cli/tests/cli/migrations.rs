//! `schema plan` and `schema apply` as a user runs them.

use crate::program::{Place, SCHEMA};
use expect_test::expect;

const PEOPLE: &str = "omnigraph export --type Person g.omni";

#[test]
fn a_plan_is_printed_and_applied() {
    let place = Place::loaded();
    let next = SCHEMA.replace("age: I32?", "years: I64? @rename_from(age)\n    level: I32 @default(1)");
    assert_ne!(next, SCHEMA);
    place.write("next.pg", &next);
    let said = place.transcript(&[
        "omnigraph schema plan --schema next.pg g.omni",
        "omnigraph schema apply --schema next.pg --actor ann g.omni",
        "omnigraph schema apply --schema next.pg g.omni",
        "omnigraph commit list --limit 1 g.omni",
    ]);
    expect![[r#"
        $ omnigraph schema plan --schema next.pg g.omni
        rename_property [safe] Person.age -> years
        add_property [safe] Person.level: I32, rows get 1
        change_property_type [safe] Person.years: I32? -> I64?
        3 steps, supported
        $ omnigraph schema apply --schema next.pg --actor ann g.omni
        rename_property [safe] Person.age -> years
        add_property [safe] Person.level: I32, rows get 1
        change_property_type [safe] Person.years: I32? -> I64?
        3 steps, supported
        applied the schema to branch main of g.omni; commit <commit>
        $ omnigraph schema apply --schema next.pg g.omni
        no steps: the schema declares the same
        applied the schema to branch main of g.omni; nothing changed
        $ omnigraph commit list --limit 1 g.omni
        <commit>  <time>  v3     schema_apply main  by ann
        ! there are more: --limit N lists them
    "#]]
    .assert_eq(&said);
    let people = place.run(PEOPLE).success();
    assert!(people.contains(r#"{"type":"Person","data":{"name":"Alice","years":30,"level":1}}"#), "{people}");
    assert!(place.run("omnigraph fsck g.omni").success().contains("all is well"));
}

#[test]
fn programs_get_steps_with_their_parts() {
    let place = Place::loaded();
    place.write("next.pg", &SCHEMA.replace("age: I32?", "age: I32? @index\n    nick: String?"));
    let plan = place.json("omnigraph schema plan --schema next.pg --json g.omni");
    assert_eq!((&plan["supported"], &plan["step_count"]), (&true.into(), &2.into()));
    let kinds: Vec<&str> =
        plan["steps"].as_array().unwrap().iter().map(|s| s["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["add_property", "add_constraint"]);
    assert_eq!(plan["steps"][0]["type_name"], "Person");
    assert_eq!(plan["steps"][0]["property_name"], "nick");
    assert_eq!(plan["steps"][0]["property_type"], "String?");
    assert_eq!(plan["steps"][1]["constraint"], "@index(age)");
    let applied = place.json("omnigraph schema apply --schema next.pg --json g.omni");
    assert_eq!((&applied["applied"], &applied["manifest_version"]), (&true.into(), &3.into()));
    let again = place.json("omnigraph schema apply --schema next.pg --json g.omni");
    assert_eq!((&again["applied"], &again["manifest_version"]), (&false.into(), &3.into()));
}

#[test]
fn what_cannot_be_applied_is_explained_and_leaves_everything() {
    let place = Place::loaded();
    let before = place.run("omnigraph snapshot g.omni").success();
    place.write("narrow.pg", &SCHEMA.replace("age: I32?", "age: Bool?"));
    let error = place.run("omnigraph schema apply --schema narrow.pg --json g.omni").error();
    assert_eq!(error["code"], "unsupported_migration");
    assert_eq!(error["diagnostics"][0]["entity"], "node:Person.age");
    let plan = place.json("omnigraph schema plan --schema narrow.pg --json g.omni");
    assert_eq!(plan["supported"], false);
    place.write("strict.pg", &SCHEMA.replace("age: I32?", "age: I32?\n    @range(age, 0..29)"));
    let error = place.run("omnigraph schema apply --schema strict.pg --json g.omni").error();
    assert_eq!((&error["code"], &error["diagnostics"][0]["code"]), (&"invalid_rows".into(), &"range".into()));
    assert_eq!(error["diagnostics"][0]["row"], "Alice");
    place.write("bad.pg", "node Person { name: Strin }");
    let error = place.run("omnigraph schema apply --schema bad.pg --json g.omni").error();
    assert_eq!(error["code"], "invalid_text");
    assert_eq!(error["diagnostics"][0]["line"], 1);
    let error = place.run("omnigraph schema apply --schema nowhere.pg --json g.omni").error();
    assert_eq!(error["code"], "io");
    let error = place.run("omnigraph schema plan --schema strict.pg --branch nowhere --json g.omni").error();
    assert_eq!(error["code"], "not_found");
    assert_eq!(place.run("omnigraph snapshot g.omni").success(), before);
}

/// The predecessor refused to change a schema while there was a second branch.
#[test]
fn branches_keep_their_schema() {
    let place = Place::loaded();
    place.run("omnigraph branch create --from main work g.omni").success();
    place.write("next.pg", &SCHEMA.replace("age: I32?", "age: I32?\n    nick: String @default(\"-\")"));
    place.run("omnigraph schema apply --schema next.pg --branch work g.omni").success();
    assert_eq!(place.run("omnigraph schema get g.omni").success(), SCHEMA);
    assert!(place.run("omnigraph schema get --branch work g.omni").success().contains("nick"));
    assert!(
        place.run("omnigraph export --branch work --type Person g.omni").success().contains(r#""nick":"-""#)
    );
    assert!(!place.run(PEOPLE).success().contains("nick"));
    assert!(place.run("omnigraph fsck g.omni").success().contains("all is well"));
}

#[test]
fn a_schema_without_types_is_taken_for_a_mistake() {
    let place = Place::loaded();
    place.write("empty.pg", "");
    let refused = place.run("omnigraph schema apply --schema empty.pg --json g.omni").error();
    assert_eq!(refused["code"], "bad_request");
    assert_eq!(place.run("omnigraph schema get g.omni").success(), SCHEMA);
}

#[test]
fn a_schema_that_a_branch_has_is_merged_with_its_rows() {
    let place = Place::loaded();
    let years = SCHEMA.replace("age: I32?", "years: I64? @rename_from(\"age\")\n    level: I32 @default(7)");
    place.write("next.pg", &years);
    place.write(
        "next.gq",
        "query all() { match { $p: Person } return { $p.name, $p.years, $p.level } order { $p.name } }\n",
    );
    place.run("omnigraph branch create --from main work g.omni").success();
    place.run("omnigraph schema apply --schema next.pg --branch work g.omni").success();
    let add = r#"omnigraph change --query queries.gq --name insert_person --params '{"name":"Eve","age":41}' g.omni"#;
    place.run(add).success();
    place.run("omnigraph branch merge work --into main g.omni").success();
    let all = place.run("omnigraph read --query next.gq --name all --format csv g.omni").success();
    assert_eq!(
        all, "p.name,p.years,p.level\nAlice,30,7\nBob,25,7\nCharlie,35,7\nDiana,28,7\nEve,41,7\n",
        "rows of both sides, as the new schema has them"
    );
    place.run("omnigraph branch create --from main other g.omni").success();
    place.write("third.pg", &years.replace("level: I32", "mail: String?\n    level: I32"));
    place.run("omnigraph schema apply --schema third.pg g.omni").success();
    place.write("zed.jsonl", "{\"type\":\"Person\",\"data\":{\"name\":\"Zed\",\"level\":3}}\n");
    place.run("omnigraph load --data zed.jsonl --mode merge --branch other g.omni").success();
    place.run("omnigraph branch merge other --into main g.omni").success();
    let all = place.run("omnigraph read --query next.gq --name all --format csv g.omni").success();
    assert!(all.ends_with("Zed,,3\n"), "{all}");
    assert!(place.run("omnigraph fsck g.omni").success().contains("all is well"));
}

#[test]
fn vectors_are_computed_for_rows_that_are_there() {
    let mut place = Place::new();
    place.set("OMNIGRAPH_EMBEDDINGS_MOCK", "true");
    place.write("docs.pg", "node Doc { slug: String @key  title: String }\n");
    place.write("docs.jsonl", "{\"type\":\"Doc\",\"data\":{\"slug\":\"a\",\"title\":\"one title\"}}\n");
    place.run("omnigraph init --schema docs.pg d.omni").success();
    place.run("omnigraph load --data docs.jsonl --mode merge d.omni").success();
    place.write("next.pg", "node Doc { slug: String @key  title: String  v: Vector(4) @embed(title) }\n");
    place.run("omnigraph schema apply --schema next.pg d.omni").success();
    let filled = place.run("omnigraph export d.omni").success();
    place.run("omnigraph init --schema next.pg fresh.omni").success();
    place.run("omnigraph load --data docs.jsonl --mode merge fresh.omni").success();
    assert_eq!(place.run("omnigraph export fresh.omni").success(), filled);
}
