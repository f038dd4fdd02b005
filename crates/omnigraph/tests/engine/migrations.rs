//! Schemas that change under rows that stay.

use crate::fixture::{
    cells, change, changed, empty, firsts, load, loaded, main, none, options, people, read,
};
use omnigraph::{Access, Error, Graph, LoadMode, SchemaOptions, SchemaReport, Target};
use serde_json::{Map, Value, json};
use tempfile::TempDir;

pub(crate) fn apply(graph: &Graph, schema: &str) -> Result<SchemaReport, Error> {
    graph.apply_schema(schema, &SchemaOptions::default(), &mut |_| {})
}

/// Applies a schema that must hold, whatever it drops.
pub(crate) fn applied(graph: &Graph, schema: &str) {
    let options = SchemaOptions { allow_drop: true, ..SchemaOptions::default() };
    let report = graph.apply_schema(schema, &options, &mut |_| {}).unwrap_or_else(|error| panic!("{error}"));
    assert!(report.applied, "{}", report.plan);
    let found = graph.fsck(&mut |_| {}).unwrap();
    assert!(found.problems.is_empty(), "{:?}", found.problems);
}

fn refused(graph: &Graph, schema: &str) -> Vec<String> {
    let head = graph.store().head("main").unwrap();
    let error = apply(graph, schema).unwrap_err();
    assert_eq!(graph.store().head("main").unwrap().id(), head.id(), "nothing is applied");
    assert!(!error.violations().is_empty(), "{error}");
    error.violations().iter().map(ToString::to_string).collect()
}

const AGES: &str = "query q() { match { $p: Person } return { $p.name  $p.age } order { $p.name } }";

#[test]
fn new_properties_are_null_constant_or_copied() {
    let graph = people();
    change(&graph, "query q() { delete Person where name = \"Bob\" }", none()).unwrap();
    let before = graph.store().head("main").unwrap();
    let next = "
node Person { name: String @key  age: I32?  nick: String?  level: I64 @default(3)  alias: String @backfill(name)
              kind: enum(new, old) @default(\"old\")  score: F64? @backfill(0.5) }
node Company { name: String @key }
edge Knows: Person -> Person { since: Date?  weight: F32 @default(1.0) }
edge WorksAt: Person -> Company
";
    applied(&graph, next);
    let all = "query q() { match { $p: Person } return { $p.name $p.nick $p.level $p.alias $p.kind $p.score $p.age }
               order { $p.name } }";
    let rows = read(&graph, all, none()).unwrap();
    assert_eq!(
        rows[0],
        [json!("Alice"), json!(null), json!(3), json!("Alice"), json!("old"), json!(0.5), json!(30)]
    );
    assert_eq!(rows.len(), 3);
    changed(&graph, "query q() { insert Person { name: \"Eve\", alias: \"E\", nick: \"e\" } }", none());
    changed(&graph, "query q() { update Person set { level: 9 } where name = \"Diana\" }", none());
    let rows = read(&graph, all, none()).unwrap();
    assert_eq!(rows[2][2], json!(9));
    assert_eq!(rows[3][..4], [json!("Eve"), json!("e"), json!(3), json!("E")]);
    let weights = "query q() { match { $a: Person  $a $w:knows $b } return { sum($w.weight) as s } }";
    assert_eq!(read(&graph, weights, none()).unwrap()[0][0], json!(1.0));
    let old = Target::Commit(before.id().clone());
    assert_eq!(graph.read(&old, AGES, None, &Map::new()).unwrap().rows.num_rows(), 3);
    let failed = graph.read(&old, all, None, &Map::new()).unwrap_err();
    assert_eq!(failed.code(), "invalid_text", "an old commit has its old schema");
}

/// Adding a column writes that column, whatever else the table holds.
#[test]
fn columns_that_stay_are_not_written_again() {
    let schema = "node N { k: String @key  text: String }";
    let data: Vec<String> = (0..2000)
        .map(|n| json!({"type":"N","data":{"k":format!("k{n}"),"text":"long text ".repeat(40)}}).to_string())
        .collect();
    let dir = TempDir::new().unwrap();
    let place = dir.path().join("g");
    let graph = Graph::create(place.to_str().unwrap(), schema, Access::unrestricted(), &options()).unwrap();
    load(&graph, &data.join("\n"), LoadMode::Overwrite).unwrap();
    let size = || walk(&place);
    let before = size();
    applied(
        &graph,
        "node N { k: String @key  text: String  a: I64?  b: I64 @default(7)  c: String @rename_from(text) }"
            .replace("  text: String  a", "  a")
            .as_str(),
    );
    let added = size() - before;
    assert!(added < 40_000, "{added} bytes for columns of constants");
    let sum = read(&graph, "query q() { match { $n: N } return { sum($n.b) as s } }", none()).unwrap();
    assert_eq!(sum[0][0].as_f64(), Some(14_000.0));
    let again = Graph::open(place.to_str().unwrap(), Access::unrestricted(), &options()).unwrap();
    let found = read(&again, "query q() { match { $n: N { k: \"k5\" } } return { $n.c $n.a $n.b } }", none());
    assert_eq!(found.unwrap()[0], [json!("long text ".repeat(40)), json!(null), json!(7)]);
}

fn walk(path: &std::path::Path) -> u64 {
    if path.is_file() {
        return path.metadata().unwrap().len();
    }
    std::fs::read_dir(path).unwrap().map(|entry| walk(&entry.unwrap().path())).sum()
}

/// Whatever was in memory under the old names is not taken for the new ones.
#[test]
fn names_change_hands() {
    let graph = loaded(
        "node P { k: String @key  a: String  b: String }\nnode Q { k: String @key }\nedge E: P -> Q",
        r#"{"type":"P","data":{"k":"1","a":"one","b":"uno"}}
           {"type":"P","data":{"k":"2","a":"two","b":"dos"}}
           {"type":"Q","data":{"k":"2"}}
           {"type":"Q","data":{"k":"1"}}
           {"edge":"E","from":"1","to":"2"}"#,
    );
    let search = |graph: &Graph, ty: &str, property: &str, word: &str| {
        let query = format!(
            "query q() {{ match {{ $p: {ty}  search($p.{property}, \"{word}\") }} return {{ $p.k }} }}"
        );
        firsts(graph, &query, none())
    };
    let walk = |graph: &Graph, from: &str, edge: &str| {
        firsts(
            graph,
            &format!("query q() {{ match {{ $p: {from}  $p {edge} $q }} return {{ $q.k }} }}"),
            none(),
        )
    };
    assert_eq!(search(&graph, "P", "a", "one"), ["1"]);
    assert_eq!(walk(&graph, "P", "e"), ["2"]);
    let start = graph.store().head("main").unwrap();
    applied(&graph, "node P { k: String @key  b: String }\nnode Q { k: String @key }\nedge E: P -> Q");
    applied(
        &graph,
        "node Q2 @rename_from(\"P\") { k: String @key  a: String @rename_from(b) }\nnode Q { k: String @key }
         edge F: Q2 -> Q @rename_from(\"E\")",
    );
    assert_eq!(search(&graph, "Q2", "a", "uno"), ["1"]);
    assert!(search(&graph, "Q2", "a", "one").is_empty());
    assert_eq!(walk(&graph, "Q2", "f"), ["2"]);
    let old = graph
        .read(
            &Target::Commit(start.id().clone()),
            "query q() { match { $p: P } return { $p.a } }",
            None,
            &Map::new(),
        )
        .unwrap();
    assert_eq!(cells(&old.rows), [[json!("one")], [json!("two")]]);
    // The same edge again is the same edge.
    load(&graph, r#"{"edge":"F","from":"1","to":"2"}"#, LoadMode::Merge).unwrap();
    assert_eq!(walk(&graph, "Q2", "f"), ["2"]);
    let twice = load(&graph, r#"{"edge":"F","from":"1","to":"2"}"#, LoadMode::Append).unwrap_err();
    assert!(twice.to_string().contains("there already"), "{twice}");
}

#[test]
fn types_widen() {
    let graph = loaded(
        "node N { k: String @key  i: I32  u: U32  f: F32?  e: enum(a, b)  l: [I32]  s: enum(x) }",
        r#"{"type":"N","data":{"k":"1","i":-7,"u":7,"f":0.5,"e":"a","l":[1,2],"s":"x"}}
           {"type":"N","data":{"k":"2","i":8,"u":9,"e":"b","l":[],"s":"x"}}"#,
    );
    applied(
        &graph,
        "node N { k: String @key  i: I64?  u: U64  f: F64?  e: enum(a, b, c)  l: [I64]  s: String }",
    );
    let rows = read(
        &graph,
        "query q() { match { $n: N } return { $n.i $n.u $n.f $n.e $n.l $n.s } order { $n.k } }",
        none(),
    );
    let rows = rows.unwrap();
    assert_eq!(rows[0], [json!(-7), json!(7), json!(0.5), json!("a"), json!([1, 2]), json!("x")]);
    assert_eq!(rows[1], [json!(8), json!(9), json!(null), json!("b"), json!([]), json!("x")]);
    changed(
        &graph,
        "query q() { insert N { k: \"3\", i: 5000000000, u: 1, e: \"c\", l: [6000000000], s: \"any\" } }",
        none(),
    );
    let big = read(&graph, "query q() { match { $n: N } return { sum($n.i) as s } }", none()).unwrap();
    assert_eq!(big[0][0].as_f64(), Some(5_000_000_001.0));
    let narrow = apply(
        &graph,
        "node N { k: String @key  i: I32?  u: U64  f: F64?  e: enum(a, b, c)  l: [I64]  s: String }",
    );
    assert!(!narrow.unwrap().plan.is_supported());
}

#[test]
fn stricter_rules_are_checked_first() {
    let graph = people();
    changed(&graph, "query q() { insert Person { name: \"Eve\" } }", none());
    let rest = "node Company { name: String @key }\nedge WorksAt: Person -> Company\n";
    let schema = |person: &str, knows: &str| {
        format!("node Person {{ {person} }}\n{rest}edge Knows: Person -> Person {knows}")
    };
    let since = "{ since: Date? }";
    for (person, knows, expected) in [
        ("name: String @key  age: I32", since, "Person.age is required and missing"),
        (
            "name: String @key  age: I32?  @range(age, 0..29)",
            since,
            "@range violation on Person.age: 30 is above 29",
        ),
        ("name: String @key  age: I32?  @check(name, \"^A\")", since, "@check violation on Person.name"),
        ("name: String @key  age: I32?  nick: String", since, "Person.nick is required and missing"),
        ("name: enum(Alice, Bob) @key  age: I32?", since, "enum violation on Person.name"),
        (
            "name: String @key  age: I32?",
            "@card(0..1) { since: Date? }",
            "@card violation on edge Knows: source 'Alice' has 2 edges",
        ),
        (
            "name: String @key  age: I32?",
            "@card(1..) { since: Date? }",
            "@card violation on edge Knows: source 'Charlie' has 0 edges",
        ),
    ] {
        let found = refused(&graph, &schema(person, knows));
        assert!(found.iter().any(|violation| violation.contains(expected)), "{expected}: {found:?}");
    }
    changed(&graph, "query q() { update Person set { age: 28 } where name = \"Eve\" }", none());
    let found = refused(&graph, &schema("name: String @key  age: I32? @unique", since));
    assert!(found[0].contains("@unique violation on Person(age): '28'"), "{found:?}");
    changed(&graph, "query q() { update Person set { age: 29 } where name = \"Eve\" }", none());
    applied(&graph, &schema("name: String @key  age: I32 @unique  @range(age, 0..99)", since));
    let again = change(&graph, "query q() { insert Person { name: \"F\", age: 29 } }", none()).unwrap_err();
    assert_eq!(again.code(), "invalid_rows");
    applied(&graph, &schema("name: String @key  age: I32?", since));
    changed(&graph, "query q() { insert Person { name: \"F\", age: 29 } }", none());
}

/// Rows that are deleted are still in the files, with nulls that no longer may be.
#[test]
fn nulls_of_deleted_rows_do_not_matter() {
    let graph = people();
    changed(
        &graph,
        "query q() { insert Person { name: \"Eve\" } insert Person { name: \"Finn\", age: 1 } }",
        none(),
    );
    changed(&graph, "query q() { delete Person where name = \"Eve\" }", none());
    let next = crate::fixture::SCHEMA.replace("age: I32?", "age: I32");
    applied(&graph, &next);
    let rows = read(&graph, AGES, none()).unwrap();
    assert_eq!(rows.last().unwrap()[..], [json!("Finn"), json!(1)]);
    applied(&graph, &next.replace("age: I32", "age: I64"));
    assert_eq!(read(&graph, AGES, none()).unwrap(), rows);
    let filled = people();
    changed(&filled, "query q() { insert Person { name: \"Eve\" } }", none());
    applied(&filled, &crate::fixture::SCHEMA.replace("age: I32?", "age: I64 @backfill(-1)"));
    let ages: Vec<Value> =
        read(&filled, AGES, none()).unwrap().into_iter().map(|row| row[1].clone()).collect();
    assert_eq!(ages, [30, 25, 35, 28, -1]);
}

#[test]
fn a_dropped_property_is_hidden_and_purged_on_request() {
    let dir = TempDir::new().unwrap();
    let place = dir.path().join("g");
    let graph = Graph::create(
        place.to_str().unwrap(),
        "node N { k: String @key  secret: String  n: I64 }",
        Access::unrestricted(),
        &options(),
    );
    let graph = graph.unwrap();
    load(&graph, r#"{"type":"N","data":{"k":"1","secret":"xyzzy-plugh","n":1}}"#, LoadMode::Overwrite)
        .unwrap();
    let before = graph.store().head("main").unwrap();
    applied(&graph, "node N { k: String @key  n: I64 }");
    assert!(read(&graph, "query q() { match { $n: N } return { $n.secret } }", none()).is_err());
    assert_eq!(firsts(&graph, "query q() { match { $n: N } return { $n.n } }", none()), ["1"]);
    let old = Target::Commit(before.id().clone());
    let secret = "query q() { match { $n: N } return { $n.secret } }";
    assert_eq!(cells(&graph.read(&old, secret, None, &Map::new()).unwrap().rows), [[json!("xyzzy-plugh")]]);
    // The name is free again.
    applied(&graph, "node N { k: String @key  n: I64  secret: I32? }");
    assert_eq!(firsts(&graph, secret, none()), ["null"]);
    let files = |target: &Target| {
        let tables = graph.describe(target).unwrap().tables;
        let table =
            graph.store().table(graph.store().resolve(target).unwrap().table(&tables[0].key).unwrap());
        table.unwrap().fragments().iter().map(|fragment| fragment.files().to_string()).collect::<Vec<_>>()
    };
    let options = SchemaOptions { allow_data_loss: true, ..SchemaOptions::default() };
    let soft = files(&main());
    graph.apply_schema("node N { k: String @key  n: I64 }", &options, &mut |_| {}).unwrap();
    assert_ne!(files(&main()), soft, "the rows are in another file");
    let bytes = |name: &str| {
        let (dir, file) = name.split_once('/').unwrap();
        std::fs::read(place.join("tables").join(dir).join("data").join(file)).unwrap()
    };
    let holds = |name: &str| bytes(name).windows(5).any(|part| part == b"xyzzy");
    assert!(soft.iter().any(|name| holds(name)), "the test sees values in files");
    assert!(!files(&main()).iter().any(|name| holds(name)));
    assert_eq!(firsts(&graph, "query q() { match { $n: N } return { $n.n } }", none()), ["1"]);
}

/// What has rows or values is dropped only when that is allowed; what is empty goes unasked.
#[test]
fn data_is_not_dropped_unasked() {
    let graph = people();
    let losses = |schema: &str| match apply(&graph, schema) {
        Err(Error::DataLoss(losses)) => losses,
        other => panic!("{other:?}"),
    };
    let head = graph.store().head("main").unwrap();
    let less = crate::fixture::SCHEMA.replace("age: I32?", "").replace("edge WorksAt: Person -> Company", "");
    assert_eq!(losses(&less), ["Person.age has values in 4 rows", "edge WorksAt has 2 rows"]);
    let renamed = less.replace("node Person {", "node Human @rename_from(\"Person\") {");
    let renamed = renamed.replace("Person -> Person", "Human -> Human");
    assert_eq!(losses(&renamed), ["Human.age has values in 4 rows", "edge WorksAt has 2 rows"]);
    assert_eq!(graph.store().head("main").unwrap().id(), head.id(), "nothing is applied");
    // No edge has a date.
    assert!(apply(&graph, &crate::fixture::SCHEMA.replace("{ since: Date? }", "")).unwrap().applied);
    changed(&graph, "query q() { update Person set { age: null } where name != \"Bob\" }", none());
    let ageless = "node Person { name: String @key }
                   node Company { name: String @key }
                   edge Knows: Person -> Person
                   edge WorksAt: Person -> Company";
    assert_eq!(losses(ageless), ["Person.age has values in 1 row"]);
    changed(&graph, "query q() { delete Person where name = \"Bob\" }", none());
    assert!(apply(&graph, ageless).unwrap().applied, "rows that are gone have no values");
    changed(&graph, "query q() { delete Company where name = \"Acme\" or name = \"Globex\" }", none());
    let only = "node Person { name: String @key }\nedge Knows: Person -> Person";
    assert!(apply(&graph, only).unwrap().applied);
}

#[test]
fn types_come_and_go() {
    let graph = people();
    let before = graph.store().head("main").unwrap();
    applied(
        &graph,
        "node Person { name: String @key  age: I32? }\nnode Pet { name: String @key }\nedge Has: Person -> Pet",
    );
    assert!(read(&graph, "query q() { match { $c: Company } return { $c.name } }", none()).is_err());
    changed(
        &graph,
        "query q() { insert Pet { name: \"Rex\" } insert Has { from: \"Alice\", to: \"Rex\" } }",
        none(),
    );
    assert_eq!(
        firsts(&graph, "query q() { match { $p: Person  $p has $x } return { $x.name } }", none()),
        ["Rex"]
    );
    // A type of the same name as one that was dropped begins without rows.
    applied(
        &graph,
        "node Person { name: String @key  age: I32? }\nnode Company { name: String @key }\nedge WorksAt: Person -> Company",
    );
    assert!(firsts(&graph, "query q() { match { $c: Company } return { $c.name } }", none()).is_empty());
    let old = Target::Commit(before.id().clone());
    let companies =
        graph.read(&old, "query q() { match { $c: Company } return { $c.name } }", None, &Map::new());
    assert_eq!(companies.unwrap().rows.num_rows(), 2);
}

#[test]
fn keys_come_change_and_go_and_edges_follow() {
    let graph = loaded(
        "node P { name: String  mail: String }\nedge E: P -> P { n: I64 }",
        r#"{"type":"P","data":{"id":"a","name":"Ann","mail":"ann@x"}}
           {"type":"P","data":{"id":"b","name":"Bob","mail":"bob@x"}}
           {"edge":"E","from":"a","to":"b","data":{"n":1}}"#,
    );
    let walk = "query q() { match { $p: P { name: \"Ann\" }  $p e $q } return { $q.name } }";
    assert_eq!(firsts(&graph, walk, none()), ["Bob"]);
    applied(&graph, "node P { name: String  mail: String @key }\nedge E: P -> P { n: I64 }");
    assert_eq!(firsts(&graph, walk, none()), ["Bob"]);
    assert_eq!(
        firsts(&graph, "query q() { match { $p: P { mail: \"bob@x\" } } return { $p.id } }", none()),
        ["bob@x"]
    );
    changed(&graph, "query q() { insert E { from: \"bob@x\", to: \"ann@x\", n: 2 } }", none());
    applied(
        &graph,
        "node P { name: String  mail: String  @key(name, mail) }\nedge E: P -> P { n: I64 @key }",
    );
    assert_eq!(firsts(&graph, walk, none()), ["Bob"]);
    changed(&graph, "query q() { insert E { from: \"Ann|ann@x\", to: \"Bob|bob@x\", n: 7 } }", none());
    assert_eq!(
        read(&graph, "query q() { match { $p: P  $p $w:e $q } return { count($w.n) as c } }", none())
            .unwrap()[0][0],
        json!(3)
    );
    let found =
        refused(&graph, "node P { name: String  mail: String  @key(name, mail) }\nedge E: P -> P { n: I64 }");
    assert!(found.iter().any(|violation| violation.contains("is there more than once")), "{found:?}");
    applied(&graph, "node P { name: String  mail: String }\nedge E: P -> P { n: I64 @key }");
    assert_eq!(firsts(&graph, walk, none()), ["Bob"]);
    changed(&graph, "query q() { insert P { name: \"Ann\", mail: \"other\" } }", none());
    let found = refused(&graph, "node P { name: String @key  mail: String }\nedge E: P -> P { n: I64 @key }");
    assert!(found[0].contains("have the same key 'Ann'"), "{found:?}");
}

/// Every branch has the schema of its own commits.
#[test]
fn branches_keep_their_schema() {
    let graph = people();
    let head = graph.store().head("main").unwrap();
    graph.store().create_branch("old", &head, None).unwrap();
    applied(&graph, &crate::fixture::SCHEMA.replace("age: I32?", "years: I64? @rename_from(age)"));
    let old = Target::Branch("old".to_owned());
    assert_eq!(graph.read(&old, AGES, None, &Map::new()).unwrap().rows.num_rows(), 4);
    let options = omnigraph::ChangeOptions { branch: Some("old".to_owned()), ..Default::default() };
    let insert = "query q() { insert Person { name: \"Eve\", age: 3 } }";
    graph.change(insert, None, &Map::new(), &options).unwrap();
    assert_eq!(graph.read(&old, AGES, None, &Map::new()).unwrap().rows.num_rows(), 5);
    assert!(change(&graph, insert, none()).is_err(), "main calls it years");
    let branch = SchemaOptions { branch: Some("old".to_owned()), ..SchemaOptions::default() };
    let other = crate::fixture::SCHEMA.replace("age: I32?", "age: I32?  nick: String?");
    assert!(graph.apply_schema(&other, &branch, &mut |_| {}).unwrap().applied);
    let nick = "query q() { match { $p: Person } return { $p.nick $p.age } order { $p.name } limit 1 }";
    let found = graph.read(&old, nick, None, &Map::new()).unwrap();
    assert_eq!(cells(&found.rows), [[json!(null), json!(30)]]);
    assert_eq!(
        firsts(&graph, "query q() { match { $p: Person { name: \"Alice\" } } return { $p.years } }", none()),
        ["30"]
    );
}

#[test]
fn the_same_schema_changes_nothing() {
    let graph = people();
    let report = apply(&graph, crate::fixture::SCHEMA).unwrap();
    assert!(!report.applied && report.plan.steps.is_empty());
    let commented = format!("// about people\n{}", crate::fixture::SCHEMA);
    let report = apply(&graph, &commented).unwrap();
    assert!(report.applied && report.plan.steps.is_empty());
    assert_eq!(graph.schema(&main()).unwrap(), commented);
    assert!(apply(&graph, "node Person { name: Strin }").is_err());
    let report = apply(&graph, &commented.replace("age: I32?", "age: Bool?")).unwrap();
    assert!(!report.applied && !report.plan.is_supported());
}

/// Writers that began before the schema changed are brought onto it or told; nothing that was acknowledged is lost.
#[test]
fn writers_and_migrations_meet() {
    let dir = TempDir::new().unwrap();
    let place = dir.path().join("g");
    let place = place.to_str().unwrap();
    Graph::create(place, "node N { k: String @key  n: I32? }", Access::unrestricted(), &options()).unwrap();
    let rounds = 25;
    std::thread::scope(|scope| {
        for writer in 0..2 {
            scope.spawn(move || {
                let graph = Graph::open(place, Access::unrestricted(), &options()).unwrap();
                for round in 0..rounds {
                    let insert = "query q($k: String) { insert N { k: $k } }";
                    change(&graph, insert, json!({ "k": format!("{writer}-{round}") })).unwrap();
                }
            });
        }
        scope.spawn(move || {
            let graph = Graph::open(place, Access::unrestricted(), &options()).unwrap();
            for round in 0..6 {
                let added: Vec<String> = (0..=round).map(|n| format!("p{n}: I64 @default({n})")).collect();
                let ty = if round % 2 == 0 { "I64?" } else { "I64? @index" };
                assert!(
                    apply(&graph, &format!("node N {{ k: String @key  n: {ty}  {} }}", added.join("  ")))
                        .unwrap()
                        .applied
                );
            }
        });
    });
    let graph = Graph::open(place, Access::unrestricted(), &options()).unwrap();
    let rows = read(&graph, "query q() { match { $n: N } return { $n.k $n.p0 $n.p5 } }", none()).unwrap();
    assert_eq!(rows.len(), 2 * rounds);
    assert!(rows.iter().all(|row| row[1] == json!(0) && row[2] == json!(5)), "{rows:?}");
    assert!(graph.fsck(&mut |_| {}).unwrap().problems.is_empty());
}

#[test]
fn two_migrations_at_once_are_a_conflict() {
    let graph = empty("node N { k: String @key }");
    let results: Vec<Result<SchemaReport, Error>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..6)
            .map(|n| {
                let graph = graph.clone();
                scope.spawn(move || apply(&graph, &format!("node N {{ k: String @key  p{n}: I64? }}")))
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let won = results.iter().filter(|result| result.is_ok()).count();
    assert!(won >= 1);
    for result in results {
        match result {
            Ok(report) => assert!(report.applied),
            Err(error) => assert_eq!(error.code(), "conflict", "{error}"),
        }
    }
    assert_eq!(graph.store().head("main").unwrap().record.version, 1 + won as u64);
}
