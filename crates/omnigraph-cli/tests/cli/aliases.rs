//! `omnigraph.yaml`: graphs by name, defaults, aliases.

use crate::program::Place;

const CONFIG: &str = "graphs:
  team: { uri: ./g.omni }
cli:
  graph: team
  output_format: csv
query:
  roots: [queries]
aliases:
  friends:
    command: read
    query: people.gq
    name: friends_of
    args: [name]
  hire:
    command: change
    query: people.gq
    name: insert_person
    args: [name, age]
    branch: work
  person:
    command: read
    query: queries/people.gq
    name: get_person
    args: [name]
    format: kv
";

fn place() -> Place {
    let place = Place::loaded();
    place.write("omnigraph.yaml", CONFIG);
    std::fs::create_dir(place.path("queries")).expect("a directory");
    std::fs::rename(place.path("queries.gq"), place.path("queries/people.gq")).expect("a file");
    place
}

#[test]
fn the_configuration_names_graph_format_and_queries() {
    let place = place();
    assert_eq!(
        place.run("omnigraph read --query people.gq --name adults").success(),
        "p.name,p.age\nCharlie,35\n"
    );
    assert_eq!(
        place.run("omnigraph read --query people.gq --name adults --target team --format kv").success(),
        "row 1\np.name: Charlie\np.age: 35\n"
    );
    let unknown = place.run("omnigraph snapshot --target tem --json").error();
    assert_eq!(unknown["message"], "omnigraph.yaml has no graph `tem`; did you mean `team`?");
}

#[test]
fn an_alias_is_a_command() {
    let place = place();
    let friends = "f.name,f.age\nBob,25\nCharlie,35\n";
    assert_eq!(place.run("omnigraph read --alias friends Alice").success(), friends);
    assert_eq!(place.run("omnigraph friends Alice").success(), friends);
    assert_eq!(place.run("omnigraph friends Alice ./g.omni").success(), friends);
    assert_eq!(place.run("omnigraph friends Alice --uri ./g.omni").success(), friends);
    assert_eq!(place.run("omnigraph person Alice").success(), "row 1\np.name: Alice\np.age: 30\n");
    assert_eq!(place.json("omnigraph person Alice --json")["row_count"], 1);
}

#[test]
fn explicit_params_win_over_arguments() {
    let place = place();
    let line = r#"omnigraph friends Alice --params '{"name":"Bob"}' --format jsonl | tail -n 1"#;
    assert_eq!(place.run(line).success(), "{\"f.name\":\"Diana\",\"f.age\":28}\n");
    place.write("params.json", r#"{"name":"Nobody"}"#);
    let both = r#"omnigraph person Alice --params-file params.json --params '{"name":"Bob"}'"#;
    assert_eq!(place.run(both).success(), "row 1\np.name: Bob\np.age: 25\n");
    assert_eq!(place.run("omnigraph person Alice --params-file params.json").success(), "");
}

#[test]
fn the_configuration_has_values_for_parameters_that_nobody_gives() {
    let place = place();
    place.write(
        "omnigraph.yaml",
        &CONFIG.replace("roots: [queries]", "roots: [queries]\n  params: { name: Bob, other: 1 }"),
    );
    let bob = "row 1\np.name: Bob\np.age: 25\n";
    let read = "omnigraph read --query people.gq --name get_person --format kv";
    assert_eq!(place.run(read).success(), bob, "what the query does not have is left out");
    assert_eq!(place.run("omnigraph person").success(), bob);
    assert_eq!(place.run("omnigraph person Alice").success(), "row 1\np.name: Alice\np.age: 30\n");
    let of_alias = CONFIG.replace("format: kv", "format: kv\n    params: { name: Charlie }");
    place.write("omnigraph.yaml", &of_alias);
    assert_eq!(place.run("omnigraph person").success(), "row 1\np.name: Charlie\np.age: 35\n");
}

#[test]
fn an_alias_changes_its_branch() {
    let place = place();
    place.run("omnigraph branch create --from main work").success();
    let reply = place.json("omnigraph hire 42 30 --json");
    assert_eq!((&reply["branch"], &reply["affected_nodes"]), (&"work".into(), &1.into()));
    let found = place.run(r#"omnigraph person 42 --branch work"#).success();
    assert_eq!(found, "row 1\np.name: 42\np.age: 30\n", "text where the query wants text");
}

#[test]
fn mistakes_are_reported() {
    let place = place();
    let wrong = place.run("omnigraph read --alias hire Eve 3");
    assert_eq!(
        (wrong.code, wrong.stderr.as_str()),
        (Some(2), "error: alias `hire` is for `change`, not for `read`\n")
    );
    let wrong = place.run("omnigraph read --alias frends Alice");
    assert_eq!(wrong.stderr, "error: omnigraph.yaml has no alias `frends`\nhint: did you mean `friends`?\n");
    let wrong = place.run("omnigraph frends Alice");
    assert_eq!(wrong.stderr, "error: unrecognized subcommand 'frends'\nhint: did you mean `friends`?\n");
    place.write("omnigraph.yaml", "cli:\n  grph: team\n");
    let error = place.run("omnigraph snapshot --json").error();
    assert_eq!(error["code"], "bad_config");
    assert!(error["message"].as_str().is_some_and(|text| text.contains("grph")), "{error}");
}

/// Paths are relative to the file, not to where the program runs.
#[test]
fn a_configuration_elsewhere() {
    let place = place();
    place.write("below/empty.txt", "");
    let line = "cd below && omnigraph --config ../omnigraph.yaml read --query people.gq --name adults";
    assert_eq!(place.run(line).success(), "p.name,p.age\nCharlie,35\n");
    let plain = place.run("cd below && omnigraph snapshot");
    assert_eq!(plain.code, Some(2), "only the current directory is looked at");
}

#[test]
fn init_leaves_a_configuration_that_works() {
    let place = Place::loaded();
    let text = std::fs::read_to_string(place.path("omnigraph.yaml")).expect("init wrote it");
    assert!(text.contains("uri: \"./g.omni\""), "{text}");
    assert_eq!(place.column("--query queries.gq --name adults"), ["Charlie"]);
    place.run("omnigraph init --schema schema.pg h.omni").success();
    assert_eq!(std::fs::read_to_string(place.path("omnigraph.yaml")).expect("it is there"), text);
}
