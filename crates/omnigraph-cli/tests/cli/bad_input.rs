//! What is wrong is said where it is wrong, and nothing is written.

use crate::program::Place;
use expect_test::expect;

#[test]
fn wrong_rows_are_named_by_line() {
    let place = Place::loaded();
    place.write(
        "bad.jsonl",
        "// a comment counts as a line\n\
         {\"type\":\"Person\",\"data\":{\"name\":\"Zed\",\"age\":\"old\"}}\n\
         {\"type\":\"Persn\",\"data\":{\"name\":\"Zed\"}}\n\
         {\"type\":\"Person\",\"data\":{\"name\":\"Yan\",\"agee\":1}}\n\
         {\"type\":\"Person\",\"data\":{}}\n\
         this is no JSON\n",
    );
    place.write("dangling.jsonl", "{\"edge\":\"Knows\",\"from\":\"Alice\",\"to\":\"Nobody\"}\n");
    place.write(
        "twice.jsonl",
        "{\"type\":\"Person\",\"data\":{\"name\":\"Zed\"}}\n{\"type\":\"Person\",\"data\":{\"name\":\"Zed\"}}\n",
    );
    let before = place.json("omnigraph snapshot --json g.omni");
    let seen = place.transcript(&[
        "omnigraph load --data bad.jsonl --mode merge g.omni",
        "omnigraph load --data bad.jsonl --mode merge --max-errors 1 g.omni",
        "omnigraph load --data dangling.jsonl --mode merge g.omni",
        "omnigraph load --data twice.jsonl --mode merge g.omni",
        "omnigraph load --data seed.jsonl --mode append --max-errors 2 g.omni",
    ]);
    expect![[r#"
        $ omnigraph load --data bad.jsonl --mode merge g.omni
        ! error: bad.jsonl:
        ! line 2: Person.age is I32?, not "old"
        ! line 3: unknown node type `Persn`; did you mean `Person`?
        ! line 4: Person has no property `agee`; did you mean `age`?
        ! line 5: Person.name is required and missing
        ! line 6: not a JSON record: expected ident, column 2
        ! hint: nothing was written; correct the rows and load again
        [exit code 1]
        $ omnigraph load --data bad.jsonl --mode merge --max-errors 1 g.omni
        ! error: bad.jsonl:
        ! line 2: Person.age is I32?, not "old"
        ! there may be more: reading stopped here
        ! hint: nothing was written; correct the rows and load again
        [exit code 1]
        $ omnigraph load --data dangling.jsonl --mode merge g.omni
        ! error: dangling.jsonl: line 1: edge Knows: dst 'Nobody' not found in Person
        ! hint: nothing was written; correct the rows and load again
        [exit code 1]
        $ omnigraph load --data twice.jsonl --mode merge g.omni
        ! error: twice.jsonl: line 2: Person 'Zed' is on line 1 too
        ! hint: nothing was written; correct the rows and load again
        [exit code 1]
        $ omnigraph load --data seed.jsonl --mode append --max-errors 2 g.omni
        ! error: seed.jsonl:
        ! line 6: Company 'Acme' is there already
        ! line 7: Company 'Globex' is there already
        ! there may be more: reading stopped here
        ! hint: nothing was written; correct the rows and load again
        [exit code 1]
    "#]]
    .assert_eq(&seen);
    assert_eq!(place.json("omnigraph snapshot --json g.omni"), before, "nothing was written");
}

#[test]
fn wrong_rows_are_data_for_programs() {
    let place = Place::loaded();
    place.write("bad.jsonl", "\n{\"type\":\"Person\",\"data\":{\"name\":\"Zed\",\"age\":\"old\"}}\n");
    let error = place.run("omnigraph load --data bad.jsonl --mode merge --json g.omni").error();
    assert_eq!(error["code"], "invalid_rows");
    let found = &error["diagnostics"][0];
    assert_eq!(
        (&found["code"], &found["line"], &found["type"], &found["property"], &found["row"]),
        (&"type".into(), &2.into(), &"Person".into(), &"age".into(), &"Zed".into())
    );
}

#[test]
fn questions_that_cannot_be_asked() {
    let place = Place::loaded();
    place.write(
        "wrong.gq",
        "query q() {\n  match {\n    $p: Person\n    $p knws $f\n  }\n  return { $f.name }\n}\n",
    );
    place.write("broken.gq", "query q( {\n");
    place.write("broken.pg", "node Person {\n  name: Strin @key\n}\n");
    let seen = place.transcript(&[
        "omnigraph read --query nowhere.gq --name adults g.omni",
        "omnigraph read --query queries.gq --name adlts g.omni",
        "omnigraph read --query queries.gq g.omni",
        "omnigraph read --query wrong.gq g.omni",
        "omnigraph read --query broken.gq g.omni",
        r#"omnigraph read --query queries.gq --name get_person --params '{"name":3}' g.omni"#,
        r#"omnigraph read --query queries.gq --name get_person --params '{"nme":"x"}' g.omni"#,
        "omnigraph read --query queries.gq --name get_person g.omni",
        "omnigraph read --query queries.gq --name get_person --params 'Alice' g.omni",
        "omnigraph read --query queries.gq --name get_person --params '[1]' g.omni",
        "omnigraph read --query queries.gq --name insert_person --params '{\"name\":\"x\"}' g.omni",
        "omnigraph change --query queries.gq --name adults g.omni",
        "omnigraph read --query queries.gq --name adults --branch nowhere g.omni",
        "omnigraph read --query queries.gq --name adults --snapshot 01ARZ3NDEKTSV4RRFFQ69G5FAV g.omni",
        "omnigraph read --query queries.gq --name adults --snapshot yesterday g.omni",
        "omnigraph read --query queries.gq --name adults --at yesterday g.omni",
        "omnigraph read --query queries.gq --name adults nowhere.omni",
        "omnigraph init --schema broken.pg other.omni",
        "omnigraph init --schema schema.pg g.omni",
        "omnigraph init --schema schema.pg http://localhost:8080",
        "omnigraph load --data nowhere.jsonl --mode merge g.omni",
        "omnigraph change --query queries.gq --name adults --if-commit newest g.omni",
    ]);
    expect![[r#"
        $ omnigraph read --query nowhere.gq --name adults g.omni
        ! error: cannot read nowhere.gq: no such file or directory
        [exit code 1]
        $ omnigraph read --query queries.gq --name adlts g.omni
        ! error: queries.gq: no query `adlts`; there are get_person, adults, friends_of, friends_of_friends, employees_of, unemployed, friend_counts, insert_person, add_friend, set_age, remove_person
        ! hint: did you mean `adults`?
        [exit code 1]
        $ omnigraph read --query queries.gq g.omni
        ! error: the file has 11 queries; name one of get_person, adults, friends_of, friends_of_friends, employees_of, unemployed, friend_counts, insert_person, add_friend, set_age, remove_person
        [exit code 1]
        $ omnigraph read --query wrong.gq g.omni
        ! error[T4]: unknown edge `knws`
        !  --> wrong.gq:4:8
        !   |
        ! 4 |     $p knws $f
        !   |        ^^^^
        !   = help: did you mean `knows`?
        [exit code 1]
        $ omnigraph read --query broken.gq g.omni
        ! error[Q000]: expected a parameter such as `$name: String`, found `{`
        !  --> broken.gq:1:10
        !   |
        ! 1 | query q( {
        !   |          ^
        [exit code 1]
        $ omnigraph read --query queries.gq --name get_person --params '{"name":3}' g.omni
        ! error: parameter $name: the value is String, not 3
        [exit code 1]
        $ omnigraph read --query queries.gq --name get_person --params '{"nme":"x"}' g.omni
        ! error: parameter $nme: the query has no such parameter; there are $name
        [exit code 1]
        $ omnigraph read --query queries.gq --name get_person g.omni
        ! error: parameter $name: a value of type String is needed
        [exit code 1]
        $ omnigraph read --query queries.gq --name get_person --params 'Alice' g.omni
        ! error: --params is no JSON: expected value at line 1 column 1
        ! hint: values are a JSON object: {"name": "Alice"}
        [exit code 1]
        $ omnigraph read --query queries.gq --name get_person --params '[1]' g.omni
        ! error: --params is no JSON object
        ! hint: values are a JSON object: {"name": "Alice"}
        [exit code 1]
        $ omnigraph read --query queries.gq --name insert_person --params '{"name":"x"}' g.omni
        ! error: query `insert_person` changes the graph: run it with `change`
        [exit code 1]
        $ omnigraph change --query queries.gq --name adults g.omni
        ! error: query `adults` changes nothing: run it with `read`
        [exit code 1]
        $ omnigraph read --query queries.gq --name adults --branch nowhere g.omni
        ! error: no branch `nowhere`
        ! hint: `omnigraph branch list` prints the branches there are
        [exit code 1]
        $ omnigraph read --query queries.gq --name adults --snapshot <commit> g.omni
        ! error: no commit <commit>
        ! hint: `omnigraph commit list` prints the commits of a branch
        [exit code 1]
        $ omnigraph read --query queries.gq --name adults --snapshot yesterday g.omni
        ! error: no commit `yesterday`: a snapshot is a commit id or `manifest:BRANCH:vN`
        ! hint: `omnigraph commit list` prints the commits of a branch
        [exit code 1]
        $ omnigraph read --query queries.gq --name adults --at yesterday g.omni
        ! error: `yesterday` is no time
        ! hint: write 2026-11-01T12:00:00Z, or 2026-11-01 for the first moment of the day in UTC
        [exit code 2]
        $ omnigraph read --query queries.gq --name adults nowhere.omni
        ! error: no graph at <dir>/nowhere.omni; `omnigraph init --schema FILE <dir>/nowhere.omni` makes one
        [exit code 1]
        $ omnigraph init --schema broken.pg other.omni
        ! error[S000]: expected a type, found `Strin`
        !  --> broken.pg:2:9
        !   |
        ! 2 |   name: Strin @key
        !   |         ^^^^^
        !   = help: did you mean `String`?
        [exit code 1]
        $ omnigraph init --schema schema.pg g.omni
        ! error: there is a graph at <dir>/g.omni already
        ! hint: choose another place, or remove the graph first
        [exit code 1]
        $ omnigraph init --schema schema.pg http://localhost:8080
        ! error: `http://localhost:8080` cannot hold a graph: it is the address of a server, not of a store
        [exit code 1]
        $ omnigraph load --data nowhere.jsonl --mode merge g.omni
        ! error: cannot read nowhere.jsonl: no such file or directory
        [exit code 1]
        $ omnigraph change --query queries.gq --name adults --if-commit newest g.omni
        ! error: `newest` is no commit id
        ! hint: `omnigraph commit list` prints the ids
        [exit code 1]
    "#]].assert_eq(&seen);
    assert!(!place.path("other.omni").exists(), "a schema that does not hold makes no graph");
}

#[test]
fn wrong_usage_is_2() {
    let place = Place::loaded();
    std::fs::remove_file(place.path("omnigraph.yaml")).expect("init wrote one");
    let seen = place.transcript(&[
        "omnigraph raed",
        "omnigraph read --query queries.gq --name adults",
        "omnigraph read --name adults g.omni",
        "omnigraph read --query queries.gq --name adults g.omni h.omni",
        "omnigraph load --data seed.jsonl g.omni",
        "omnigraph load --data seed.jsonl --mode upsert g.omni",
        "omnigraph load --data seed.txt --mode merge g.omni",
        "omnigraph load --data people.csv --mode merge g.omni",
        "omnigraph load --data seed.jsonl --type Person --mode merge g.omni",
        "omnigraph snapshot --nonsense g.omni",
    ]);
    expect![[r#"
        $ omnigraph raed
        ! error: unrecognized subcommand 'raed'
        ! hint: did you mean `read`?
        [exit code 2]
        $ omnigraph read --query queries.gq --name adults
        ! error: no graph is named
        ! hint: give its place as the last argument or with --uri, or set `cli.graph` in omnigraph.yaml
        [exit code 2]
        $ omnigraph read --name adults g.omni
        ! error: the following required arguments were not provided:
        !   --query <FILE>
        !
        ! Usage: omnigraph read --name <NAME> --query <FILE> <URI>...
        !
        ! For more information, try '--help'.
        [exit code 2]
        $ omnigraph read --query queries.gq --name adults g.omni h.omni
        ! error: unexpected argument 'h.omni'
        ! hint: the last argument is the graph
        [exit code 2]
        $ omnigraph load --data seed.jsonl g.omni
        ! error: the following required arguments were not provided:
        !   --mode <MODE>
        !
        ! Usage: omnigraph load --data <FILE> --mode <MODE> <URI>
        !
        ! For more information, try '--help'.
        [exit code 2]
        $ omnigraph load --data seed.jsonl --mode upsert g.omni
        ! error: invalid value 'upsert' for '--mode <MODE>'
        !   [possible values: overwrite, append, merge]
        !
        ! For more information, try '--help'.
        [exit code 2]
        $ omnigraph load --data seed.txt --mode merge g.omni
        ! error: the name of seed.txt does not say what it is
        ! hint: add --format jsonl, csv, parquet or arrow
        [exit code 2]
        $ omnigraph load --data people.csv --mode merge g.omni
        ! error: rows of CSV, Parquet and Arrow need --type
        ! hint: name the node or edge type that the rows belong to
        [exit code 2]
        $ omnigraph load --data seed.jsonl --type Person --mode merge g.omni
        ! error: --type is for CSV, Parquet and Arrow: every line of JSONL names its type
        [exit code 2]
        $ omnigraph snapshot --nonsense g.omni
        ! error: unexpected argument '--nonsense' found
        !
        !   tip: to pass '--nonsense' as a value, use '-- --nonsense'
        !
        ! Usage: omnigraph snapshot [OPTIONS] [URI]
        !
        ! For more information, try '--help'.
        [exit code 2]
    "#]]
    .assert_eq(&seen);
    let wrong = place.run("omnigraph snapshot --nonsense --json g.omni");
    assert_eq!((wrong.code, wrong.stdout.as_str()), (Some(2), ""));
    let document: serde_json::Value = serde_json::from_str(&wrong.stderr).expect("JSON");
    assert_eq!(document["error"]["code"], "usage");
}

/// Nobody reads the answer any more: that is no failure. The answer is longer than a pipe holds.
#[test]
fn a_closed_pipe_is_fine() {
    let place = Place::loaded();
    let person = |number: u32| format!("{{\"type\":\"Person\",\"data\":{{\"name\":\"person {number}\"}}}}\n");
    place.write("more.jsonl", &(0..5_000).map(person).collect::<String>());
    place.run("omnigraph load --data more.jsonl --mode append g.omni").success();
    let outcome = place.run("{ omnigraph export g.omni; echo \"exit code $?\" >&2; } | head -n 1");
    assert_eq!(outcome.stderr, "exit code 0\n");
    assert_eq!(outcome.stdout.lines().count(), 1);
}
