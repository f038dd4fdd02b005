//! Schemas and queries without a graph: lint, format, explain.

use crate::program::Place;
use expect_test::expect;

#[test]
fn lint() {
    let place = Place::loaded();
    place.write(
        "mixed.gq",
        "query fine() { match { $p: Person } return { $p.name } }\n\
         query fixed() { insert Person { name: \"x\" } }\n\
         query wrong() { match { $p: Person } return { $p.nme } }\n",
    );
    let seen = place.transcript(&[
        "omnigraph query lint --schema schema.pg --query mixed.gq",
        "omnigraph query check --schema schema.pg --query mixed.gq",
        "omnigraph query check --query queries.gq --uri g.omni",
    ]);
    expect![[r#"
        $ omnigraph query lint --schema schema.pg --query mixed.gq
        OK    query `fine` (read)
        OK    query `fixed` (mutation)
        WARN  query `fixed`: mutation declares no params; hardcoded mutations are easy to miss
        ERROR query `wrong` (read)
        INFO  Lint complete: 3 queries, 1 error, 1 warning

        error[T6]: type `Person` has no property `nme`
         --> mixed.gq:3:50
          |
        3 | query wrong() { match { $p: Person } return { $p.nme } }
          |                                                  ^^^
          = help: did you mean `name`?
        [exit code 1]
        $ omnigraph query check --schema schema.pg --query mixed.gq
        OK    query `fine` (read)
        OK    query `fixed` (mutation)
        ERROR query `wrong` (read)
        INFO  Lint complete: 3 queries, 1 error, 0 warnings

        error[T6]: type `Person` has no property `nme`
         --> mixed.gq:3:50
          |
        3 | query wrong() { match { $p: Person } return { $p.nme } }
          |                                                  ^^^
          = help: did you mean `name`?
        [exit code 1]
        $ omnigraph query check --query queries.gq --uri g.omni
        OK    query `get_person` (read)
        OK    query `adults` (read)
        OK    query `friends_of` (read)
        OK    query `friends_of_friends` (read)
        OK    query `employees_of` (read)
        OK    query `unemployed` (read)
        OK    query `friend_counts` (read)
        OK    query `insert_person` (mutation)
        OK    query `add_friend` (mutation)
        OK    query `set_age` (mutation)
        OK    query `remove_person` (mutation)
        INFO  Lint complete: 11 queries, 0 errors, 0 warnings
    "#]]
    .assert_eq(&seen);
    let report = place.run("omnigraph query lint --schema schema.pg --query mixed.gq --json");
    assert_eq!(report.code, Some(1));
    let report: serde_json::Value = serde_json::from_str(&report.stdout).expect("JSON");
    assert_eq!(
        (&report["status"], &report["errors"], &report["queries_processed"]),
        (&"error".into(), &1.into(), &3.into())
    );
    assert_eq!(report["results"][2]["name"], "wrong");
    assert_eq!(report["diagnostics"].as_array().map(Vec::is_empty), Some(false));
}

#[test]
fn formatting() {
    let place = Place::new();
    place.write("ugly.gq", "query q($n:String){match{$p:Person{name:$n}}return{$p.name}} // why\n");
    place.write("ugly.pg", "node A{x:String @key}edge E:A->A\n");
    for (line, file) in [
        ("omnigraph query fmt --schema schema.pg --query ugly.gq", "ugly.gq"),
        ("omnigraph schema fmt ugly.pg", "ugly.pg"),
    ] {
        let pretty = place.run(line).success();
        assert_eq!(place.run(&format!("{line} --check")).code, Some(1));
        place.run(&format!("{line} --write")).success();
        assert_eq!(std::fs::read_to_string(place.path(file)).expect("a file"), pretty);
        assert_eq!(place.run(line).success(), pretty, "formatting again changes nothing");
        assert_eq!(place.run(&format!("{line} --check")).success(), "");
    }
    let pretty = std::fs::read_to_string(place.path("ugly.gq")).expect("a file");
    assert!(pretty.contains("// why"), "comments stay: {pretty}");
}

#[test]
fn explain() {
    let place = Place::loaded();
    let seen = place.transcript(&[
        "omnigraph explain --query queries.gq --name friends_of g.omni",
        r#"omnigraph explain --query queries.gq --name friends_of --params '{"name":"Alice"}' --analyze g.omni"#,
        "omnigraph explain --query queries.gq --name friend_counts --analyze g.omni",
        "omnigraph explain --query queries.gq --name set_age --schema schema.pg",
    ]);
    expect![[r#"
        $ omnigraph explain --query queries.gq --name friends_of g.omni
        read friends_of($name: String)
          scan $p: Person by key where $p.name = $name reads $p.name
          expand $p -Knows-> $f: Person reads $f.age, $f.name
          sort $f.name asc
          project f.name: String = $f.name, f.age: I32? = $f.age
        $ omnigraph explain --query queries.gq --name friends_of --params '{"name":"Alice"}' --analyze g.omni
        read friends_of($name: String)
          scan $p: Person by key where $p.name = $name reads $p.name  [1 row, <n> ms]
          expand $p -Knows-> $f: Person reads $f.age, $f.name  [2 rows, <n> ms]
          sort $f.name asc  [2 rows, <n> ms]
          project f.name: String = $f.name, f.age: I32? = $f.age  [2 rows, <n> ms]
        $ omnigraph explain --query queries.gq --name friend_counts --analyze g.omni
        read friend_counts()
          scan $p: Person reads $p.name  [4 rows, <n> ms]
          expand $p -Knows-> $f: Person  [3 rows, <n> ms]
          aggregate by #0 = $p.name give #1 = count($f.id)  [2 rows, <n> ms]
          sort #1 desc  [2 rows, <n> ms]
          project p.name: String = #0, friends: I64 = #1  [2 rows, <n> ms]
        $ omnigraph explain --query queries.gq --name set_age --schema schema.pg
        mutation set_age($name: String, $age: I32)
          update node Person by key where name = $name set { age: $age }
    "#]]
    .assert_eq(&seen);
}
