//! Queries on a small graph.

use crate::fixture::{change, changed, firsts, loaded, none, people, read};
use serde_json::json;

#[test]
fn the_queries_of_the_guide() {
    let graph = people();
    let q = |query: &str, params| firsts(&graph, query, params);
    assert_eq!(
        q(
            "query q($n: String) { match { $p: Person { name: $n } } return { $p.age } }",
            json!({"n":"Alice"})
        ),
        ["30"]
    );
    assert_eq!(q("query q() { match { $p: Person $p.age > 30 } return { $p.name } }", none()), ["Charlie"]);
    let friends = "query q($n: String) { match { $p: Person { name: $n } $p knows $f } return { $f.name } }";
    assert_eq!(q(friends, json!({"n":"Alice"})), ["Bob", "Charlie"]);
    let two = "query q($n: String) { match { $p: Person { name: $n } $p knows $f $f knows $g } return { $g.name } }";
    assert_eq!(q(two, json!({"n":"Alice"})), ["Diana"]);
    let employees =
        "query q($c: String) { match { $c0: Company { name: $c } $p worksAt $c0 } return { $p.name } }";
    assert_eq!(q(employees, json!({"c":"Acme"})), ["Alice"]);
    let unemployed = "query q() { match { $p: Person not { $p worksAt $_ } } return { $p.name } }";
    assert_eq!(q(unemployed, none()), ["Charlie", "Diana"]);
}

#[test]
fn order_limit_skip_and_aggregates() {
    let graph = people();
    let rows = |query: &str| read(&graph, query, none()).unwrap_or_else(|error| panic!("{query}: {error}"));
    assert_eq!(
        rows("query q() { match { $p: Person } return { $p.name, $p.age } order { $p.age desc } limit 2 }"),
        [[json!("Charlie"), json!(35)], [json!("Alice"), json!(30)]]
    );
    assert_eq!(
        rows("query q() { match { $p: Person } return { $p.name } order { $p.name } skip 1 limit 2 }"),
        [[json!("Bob")], [json!("Charlie")]]
    );
    assert_eq!(
        rows(
            "query q() { match { $p: Person $p knows $f } return { $p.name, count($f) as n } order { n desc } }"
        ),
        [[json!("Alice"), json!(2)], [json!("Bob"), json!(1)]]
    );
    assert_eq!(
        rows(
            "query q() { match { $p: Person } return { count($p) as n, sum($p.age) as s, avg($p.age) as a, min($p.age) as lo, max($p.name) as hi } }"
        ),
        [[json!(4), json!(118.0), json!(29.5), json!(25), json!("Diana")]]
    );
    assert_eq!(
        rows("query q() { match { $p: Person $p.age > 99 } return { count($p) as n, avg($p.age) as a } }"),
        [[json!(0), json!(null)]]
    );
    let none: Vec<Vec<serde_json::Value>> = Vec::new();
    assert_eq!(
        rows("query q() { match { $p: Person $p.age > 99 } return { $p.name, count($p) as n } }"),
        none
    );
    assert_eq!(
        rows("query q() { match { $p: Person $p.age > 99 } return { $p.name } order { $p.name } }"),
        none
    );
}

#[test]
fn optional_paths_and_edges() {
    let graph = people();
    let rows = |query: &str| read(&graph, query, none()).unwrap_or_else(|error| panic!("{query}: {error}"));
    assert_eq!(
        rows(
            "query q() { match { $p: Person optional { $p worksAt $c } } return { $p.name, $c.name } order { $p.name } }"
        ),
        [
            [json!("Alice"), json!("Acme")],
            [json!("Bob"), json!("Globex")],
            [json!("Charlie"), json!(null)],
            [json!("Diana"), json!(null)]
        ]
    );
    assert_eq!(
        rows(
            "query q() { match { $p: Person { name: \"Alice\" } $p $r:knows{1,3} $f } return { $f.name, nodes($r) as way, hops($r) as n } order { $f.name } }"
        ),
        [
            [json!("Bob"), json!(["Alice", "Bob"]), json!(1)],
            [json!("Charlie"), json!(["Alice", "Charlie"]), json!(1)],
            [json!("Diana"), json!(["Alice", "Bob", "Diana"]), json!(2)]
        ]
    );
}

#[test]
fn text_search_and_ranking() {
    let graph = loaded(
        "node Doc { slug: String @key  title: String @index  body: String?  vec: Vector(2)? }",
        r#"{"type":"Doc","data":{"slug":"a","title":"Graph databases","body":"A graph of graphs","vec":[1,0]}}
{"type":"Doc","data":{"slug":"b","title":"Relational databases","body":"Tables and rows","vec":[0,1]}}
{"type":"Doc","data":{"slug":"c","title":"Cooking","body":"The graph of taste","vec":[1,1]}}
{"type":"Doc","data":{"slug":"d","title":"Nothing"}}"#,
    );
    let q = |query: &str, params| firsts(&graph, query, params);
    let rows =
        |query: &str, params| read(&graph, query, params).unwrap_or_else(|error| panic!("{query}: {error}"));
    assert_eq!(
        q("query q() { match { $d: Doc search($d.title, \"databases\") } return { $d.slug } }", none()),
        ["a", "b"]
    );
    assert_eq!(
        q("query q() { match { $d: Doc fuzzy($d.title, \"databses\") } return { $d.slug } }", none()),
        ["a", "b"]
    );
    assert_eq!(
        q("query q() { match { $d: Doc match_text($d.body, \"graph of\") } return { $d.slug } }", none()),
        ["a", "c"]
    );
    assert_eq!(
        q("query q() { match { $d: Doc not search($d.title, \"databases\") } return { $d.slug } }", none()),
        ["c", "d"]
    );
    let ranked = rows(
        "query q($t: String) { match { $d: Doc } return { $d.slug, bm25($d.body, $t) as s } order { s } limit 5 }",
        json!({"t":"graph taste"}),
    );
    assert_eq!(ranked.iter().map(|row| row[0].clone()).collect::<Vec<_>>(), [json!("c"), json!("a")]);
    let near = rows(
        "query q($v: Vector(2)) { match { $d: Doc } return { $d.slug } order { nearest($d.vec, $v) } limit 2 }",
        json!({"v":[1, 0.1]}),
    );
    assert_eq!(near, [[json!("a")], [json!("c")]]);
    let fused = rows(
        "query q($v: Vector(2), $t: String) { match { $d: Doc } return { $d.slug, rrf(nearest($d.vec, $v), bm25($d.body, $t)) as s } order { s desc } limit 3 }",
        json!({"v":[0, 1], "t":"rows"}),
    );
    assert_eq!(fused[0][0], json!("b"));
    assert!((fused[0][1].as_f64().unwrap() - 2.0 / 61.0).abs() < 1e-12);
    let filtered = rows(
        "query q($t: String) { match { $d: Doc $d.slug != \"c\" } return { $d.slug } order { bm25($d.body, $t) desc } limit 5 }",
        json!({"t":"graph"}),
    );
    assert_eq!(filtered, [[json!("a")]]);
}

#[test]
fn interfaces_and_types() {
    let graph = loaded(
        "interface Named { name: String @key } node A implements Named { x: I64? } node B implements Named { y: F32? } edge L: A -> B",
        r#"{"type":"A","data":{"name":"a1","x":9007199254740993}}
{"type":"B","data":{"name":"b1","y":0.1}}
{"edge":"L","from":"a1","to":"b1"}"#,
    );
    let q = |query: &str| firsts(&graph, query, none());
    assert_eq!(q("query q() { match { $n: Named } return { $n.name } }"), ["a1", "b1"]);
    assert_eq!(q("query q() { match { $b: B $b.y = 0.1 } return { $b.name } }"), ["b1"]);
    assert_eq!(
        q("query q() { match { $a: A $a.x > 9007199254740992 } return { $a.x } }"),
        ["9007199254740993"]
    );
    assert_eq!(q("query q() { match { $a: A $a $e:l $b } return { $e.src } }"), ["a1"]);
}

#[test]
fn an_empty_graph_answers() {
    let graph = crate::fixture::empty(crate::fixture::SCHEMA);
    assert!(
        firsts(&graph, "query q() { match { $p: Person $p knows{1,3} $f } return { $f.name } }", none())
            .is_empty()
    );
    assert_eq!(firsts(&graph, "query q() { match { $p: Person } return { count($p) as n } }", none()), ["0"]);
    assert!(
        firsts(&graph, "query q() { match { $p: Person { name: \"x\" } } return { $p.age } }", none())
            .is_empty()
    );
}

#[test]
fn what_is_asked_wrongly() {
    let graph = people();
    let error = |query: &str, params| read(&graph, query, params).unwrap_err().to_string();
    let by_name = "query q($n: String) { match { $p: Person { name: $n } } return { $p.age } }";
    assert_eq!(error(by_name, none()), "parameter $n: a value of type String is needed");
    assert!(
        error(by_name, json!({"n": 7})).starts_with("parameter $n: "),
        "{}",
        error(by_name, json!({"n": 7}))
    );
    assert!(error(by_name, json!({"n": "a", "m": 1})).contains("no such parameter"));
    assert!(error("query q() { match { $p: Persn } return { $p.age } }", none()).contains("Persn"));
    assert!(
        error("query q($n: String) { delete Person where name = $n }", json!({"n":"Bob"})).contains("change")
    );
}

#[test]
fn fused_rankings_count_down_to_a_depth() {
    // The nearest comes first; only the last of 150 has the word.
    let line = |at: u32| {
        let body = if at == 149 { "needle" } else { "hay" };
        let far = f64::from(at) / 100.0;
        json!({"type":"Doc","data":{"slug":format!("d{at:03}"),"body":body,"vec":[1.0, far]}}).to_string()
    };
    let lines = (0..150).map(line).collect::<Vec<_>>().join("\n");
    let graph = loaded("node Doc { slug: String @key  body: String @index  vec: Vector(2) }", &lines);
    let fused = |limit: u32| {
        let query = format!(
            "query q($v: Vector(2), $t: String) {{ match {{ $d: Doc }} return {{ $d.slug, rrf(nearest($d.vec, $v), bm25($d.body, $t)) as s }} order {{ s desc }} limit {limit} }}"
        );
        read(&graph, &query, json!({"v":[1, 0], "t":"needle"})).unwrap()
    };
    let few = fused(3);
    assert_eq!(
        few.iter().map(|row| row[0].clone()).collect::<Vec<_>>(),
        [json!("d000"), json!("d149"), json!("d001")]
    );
    assert!((few[1][1].as_f64().unwrap() - 1.0 / 61.0).abs() < 1e-12, "its place 150 does not count");
    let all = fused(150);
    assert_eq!(all.len(), 150);
    assert!((all[0][1].as_f64().unwrap() - (1.0 / 61.0 + 1.0 / 210.0)).abs() < 1e-12, "now it does");
    assert_eq!(fused(400).len(), 150);
    assert_eq!(fused(100).len(), 100);
}

/// An edge from a node to itself is an edge: for patterns, blocks, variables of edges and paths.
#[test]
fn an_edge_to_itself_is_an_edge() {
    let graph = loaded(
        "node P { name: String @key }\nedge Knows: P -> P { n: I32 }\nedge Keyed: P -> P { n: I32  @key(n) }",
        r#"{"type":"P","data":{"name":"a"}}
           {"type":"P","data":{"name":"b"}}
           {"type":"P","data":{"name":"c"}}
           {"edge":"Knows","from":"a","to":"a","data":{"n":1}}
           {"edge":"Knows","from":"a","to":"b","data":{"n":2}}
           {"edge":"Knows","from":"b","to":"a","data":{"n":3}}
           {"edge":"Keyed","from":"c","to":"c","data":{"n":1}}
           {"edge":"Keyed","from":"c","to":"c","data":{"n":2}}"#,
    );
    let q = |clauses: &str, columns: &str| {
        firsts(&graph, &format!("query q() {{ match {{ {clauses} }} return {{ {columns} }} }}"), none())
    };
    assert_eq!(q("$p knows $p", "$p.name"), ["a"]);
    assert_eq!(q("$p: P { name: \"a\" }  $p knows $x", "$x.name"), ["a", "b"]);
    assert_eq!(q("$p: P { name: \"a\" }  $p $w:knows $x", "$w.n"), ["1", "2"]);
    assert_eq!(q("$p $w:knows $p", "$w.n"), ["1"]);
    assert_eq!(q("$p: P { name: \"a\" }  $p $w:<knows> $x", "$w.n"), ["1", "2", "3"]);
    assert_eq!(q("$p: P { name: \"a\" }  $p <knows> $x", "$x.name"), ["a", "b"]);
    assert_eq!(q("$p: P  not { $p knows $_ }", "$p.name"), ["c"]);
    assert_eq!(q("$p: P  not { $p knows $p }", "$p.name"), ["b", "c"]);
    assert_eq!(q("$p: P  exists { $p keyed $_ }", "$p.name"), ["c"]);
    assert_eq!(q("$p keyed $p", "$p.name"), ["c"]);
    assert_eq!(q("$p $w:keyed $p", "$w.n"), ["1", "2"]);
    // A walk brings its start back only along one edge, and goes on through it.
    assert_eq!(q("$p: P { name: \"a\" }  $p knows{1,3} $x", "$x.name"), ["a", "b"]);
    assert_eq!(q("$p: P { name: \"b\" }  $p knows{1,3} $x", "$x.name"), ["a"]);
    assert_eq!(q("$p: P { name: \"a\" }  $p knows{2,3} $x", "$x.name"), Vec::<String>::new());
    assert_eq!(q("$p: P { name: \"a\" }  $p $r:knows{1,3} $x", "hops($r) as h"), ["1", "1"]);
    assert_eq!(q("$p $r:knows{1,3} $p", "nodes($r) as n"), ["[\"a\",\"a\"]"]);
    assert_eq!(q("$p: P  optional { $p knows $p  $p: P }", "$p.name").len(), 3);
}

/// Values that are computed, where values can stand.
#[test]
fn values_are_computed() {
    let graph = loaded(
        "node P { name: String @key  n: I32?  u: U64?  f: F32?  s: String? }",
        r#"{"type":"P","data":{"name":"Ann","n":7,"u":18446744073709551615,"f":0.5,"s":"Zoë"}}
           {"type":"P","data":{"name":"bob","n":0,"u":3,"f":2.0,"s":"x"}}
           {"type":"P","data":{"name":"Cid"}}"#,
    );
    let rows = |query: &str| read(&graph, query, none()).unwrap_or_else(|error| panic!("{query}: {error}"));
    assert_eq!(
        rows(
            "query q() { match { $p: P } return { $p.n + 1 as a, 10 - $p.n * 2 as b, $p.n / 2 as c, 7 % $p.n as d } order { $p.name } }"
        ),
        [
            [json!(8), json!(-4), json!(3.5), json!(0)],
            [json!(null), json!(null), json!(null), json!(null)],
            [json!(1), json!(10), json!(0.0), json!(null)],
        ]
    );
    assert_eq!(
        rows(
            "query q() { match { $p: P  $p.n is not null } return { upper($p.s) as a, lower($p.name) + \"-\" + $p.s as b, $p.f * 2 as c } order { $p.name } }"
        ),
        [[json!("ZOË"), json!("ann-Zoë"), json!(1.0)], [json!("X"), json!("bob-x"), json!(4.0)]]
    );
    let names = |clause: &str| {
        firsts(&graph, &format!("query q() {{ match {{ $p: P  {clause} }} return {{ $p.name }} }}"), none())
    };
    assert_eq!(names("lower($p.name) ends_with \"b\""), ["bob"]);
    assert_eq!(names("$p.name ends_with \"d\""), ["Cid"]);
    assert_eq!(names("$p.n + 1 > 2 * 3"), ["Ann"]);
    assert_eq!(names("$p.n - 7 = 0 or $p.n - (3 - 3) = 0"), ["Ann", "bob"]);
    assert_eq!(names("$p.n in [3 + 4]"), ["Ann"]);
    assert_eq!(
        rows("query q() { match { $p: P } return { sum($p.n * 2) as s, max($p.n + 1) as m } }"),
        [[json!(14.0), json!(8)]]
    );
    assert_eq!(
        rows("query q() { match { $p: P  $p.n is not null } return { $p.name } order { 0 - $p.n } }"),
        [[json!("Ann")], [json!("bob")]]
    );
    // Lines are values of their own.
    assert_eq!(
        rows("query q() { match { $p: P { name: \"bob\" } } return { $p.n as a\n -1 as b } }"),
        [[json!(0), json!(-1)]]
    );
    for (clause, reason) in [
        ("$p.n + 9223372036854775807 > 0", "a number is too great: `+` leads out of I64"),
        ("$p.u + 1 > 0", "a number is too great"),
    ] {
        let query = format!("query q() {{ match {{ $p: P  {clause} }} return {{ $p.name }} }}");
        let error = read(&graph, &query, none()).unwrap_err();
        assert!(error.code() == "bad_request" && error.to_string().contains(reason), "{error}");
    }
}

/// One change computes from the rows as they were.
#[test]
fn updates_compute_from_the_row() {
    let graph = loaded(
        "node P { name: String @key  a: I32  b: I32?  s: String? }",
        r#"{"type":"P","data":{"name":"x","a":1,"b":10,"s":"Q"}}
           {"type":"P","data":{"name":"y","a":2147483647,"s":"R"}}"#,
    );
    let state = || {
        read(&graph, "query q() { match { $p: P } return { $p.a, $p.b, $p.s } order { $p.name } }", none())
            .unwrap()
    };
    changed(
        &graph,
        "query q($by: I32) { update P set { a: a + $by, b: a * 2, s: lower(s) + \"!\" } where name = \"x\" }",
        json!({"by": 4}),
    );
    assert_eq!(state()[0], [json!(5), json!(2), json!("q!")]);
    changed(&graph, "query q() { update P set { b: a } where a > 5 - 1 and lower(name) = \"x\" }", none());
    assert_eq!(state()[0][1], json!(5));
    let before = state();
    let error = change(&graph, "query q() { update P set { a: a + 1 } where a > 0 }", none()).unwrap_err();
    assert_eq!(error.to_string(), "a number is too great: it does not fit Int32");
    let error = change(&graph, "query q() { update P set { a: b } where name = \"y\" }", none()).unwrap_err();
    assert_eq!(error.code(), "invalid_rows", "what is required stays so: {error}");
    assert_eq!(state(), before);
    for wrong in ["a: a / 2", "a: s", "s: a + 1", "a: a + s", "a: nope + 1", "name: lower(name)"] {
        let query = format!("query q() {{ update P set {{ {wrong} }} where name = \"x\" }}");
        assert_eq!(change(&graph, &query, none()).unwrap_err().code(), "invalid_text", "{wrong}");
    }
}
