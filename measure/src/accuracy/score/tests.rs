use super::super::truth::parse;
use super::*;
use serde_json::json;

const TRUTH: &str = "#commit\tabc
#language\trust
#tool\thand
F\ta.rs
F\tb.rs
D\t1\ta.rs\t10\t4\t8\t12\tfunc\tfunction\tfoo\t-\tfoo().
D\t2\ta.rs\t20\t4\t20\t22\tfunc\tfunction\tbar\t-\tbar().
D\t3\tb.rs\t5\t4\t5\t9\ttype\tstruct\tThing\t-\tThing#
D\t4\tb.rs\t30\t4\t30\t31\tfunc\tfunction\tmade\tg\tmade().
R\tb.rs\t50\t5\tfoo\tcall\tin\t1\ta.rs:10
R\tb.rs\t51\t5\tfoo\tcall\tin\t2\ta.rs:20
R\tb.rs\t52\t5\tThing\ttype\tin\t3\tb.rs:5
R\ta.rs\t53\t5\tlen\tcall\text\t0\texternal
R\ta.rs\t54\t5\tbar\tother\tlocal\t0\ta.rs:49
R\ta.rs\t55\t5\tbar\tother\tunk\t0\t
R\ta.rs\t57\t5\tbar\tcall\tin\t2\ta.rs:20
";

fn edge(file: &str, line: u32, name: &str, level: &str, target: Option<(&str, u32)>) -> Edge {
    let (target_file, target_line) = target.unzip();
    let row = json!({
        "file": file, "line": line, "span_start": 4, "name": name, "kind": "call", "confidence": level,
        "target_file": target_file, "target_line": target_line, "column": 5,
    });
    serde_json::from_value(row).expect("the shape of an edge")
}

fn scored() -> Scored {
    let truth = parse(TRUTH).expect("the truth parses");
    let symbol = |file: &str, line: u32, name: &str| {
        serde_json::from_value(json!({ "file": file, "line": line, "name": name })).expect("a symbol")
    };
    let found = Predictions {
        symbols: vec![symbol("a.rs", 8, "foo"), symbol("a.rs", 25, "bar"), symbol("b.rs", 5, "Thing")],
        edges: vec![
            edge("b.rs", 50, "foo", "exact", Some(("a.rs", 9))),
            edge("b.rs", 51, "foo", "exact", Some(("a.rs", 10))),
            edge("b.rs", 52, "Thing", "import_resolved", Some(("b.rs", 5))),
            edge("a.rs", 53, "len", "same_module", Some(("b.rs", 40))),
            edge("a.rs", 54, "bar", "same_module", Some(("a.rs", 20))),
            edge("a.rs", 55, "bar", "exact", Some(("a.rs", 20))),
            edge("a.rs", 57, "bar", "fuzzy_name", None),
        ],
    };
    score("demo", &truth, &found, Path::new("."))
}

#[test]
fn symbols_are_found_from_their_first_line_to_their_name() {
    assert_eq!(scored().symbols, Share { hits: 2, total: 3 });
}

#[test]
fn references_are_found_at_visible_rungs_only() {
    let scored = scored();
    assert_eq!(scored.core, Share { hits: 2, total: 4 });
    assert_eq!(scored.calls, Share { hits: 1, total: 3 });
    assert_eq!(scored.types, Share { hits: 1, total: 1 });
    let unresolved = &scored.misses["call of a function by its plain name: unresolved"];
    assert_eq!(unresolved.examples, ["a.rs:57 bar -> a.rs:20"]);
}

#[test]
fn precision_counts_what_the_truth_can_judge() {
    let scored = scored();
    assert_eq!(scored.precision[&Level::Exact], Share { hits: 1, total: 2 });
    assert_eq!(scored.precision[&Level::ImportResolved], Share { hits: 1, total: 1 });
    assert_eq!(scored.precision[&Level::SameModule], Share { hits: 0, total: 2 });
    let classes: Vec<&str> = scored.errors.keys().map(String::as_str).collect();
    assert_eq!(
        classes,
        ["exact: it is another symbol", "same_module: it is a local", "same_module: it is something outside"]
    );
}

#[test]
fn what_stands_for_a_definition_is_counted_apart() {
    let truth = parse(
        "#language\tjavascript
F\ta.js
F\tb.js
D\t1\ta.js\t3\t10\t3\t4\tfunc\tfunction\tfoo\t-\tfoo().
D\t2\ta.js\t9\t3\t9\t9\tother\tobject_key\tfoo\t-\tfoo0:
D\t3\ttypes.d.ts\t1\t3\t1\t1\tfunc\tfunction\tbar\t-\tbar().
R\ta.js\t9\t3\tfoo\tother\tin\t1\ta.js:3
R\tb.js\t5\t5\tfoo\tcall\tin\t2\ta.js:9
R\tb.js\t6\t5\tfoo\tcall\tlocal\t0\tb.js:1
R\tb.js\t7\t5\tbar\tcall\tin\t3\ttypes.d.ts:1
R\tb.js\t8\t5\tfoo\tcall\tin\t2\ta.js:9
",
    )
    .expect("the truth parses");
    let mut import = edge("b.js", 1, "foo", "import_resolved", Some(("a.js", 3)));
    import.kind = "import".into();
    let edges = vec![
        import,
        edge("b.js", 5, "foo", "import_resolved", Some(("a.js", 3))),
        edge("b.js", 6, "foo", "import_resolved", Some(("a.js", 3))),
        edge("b.js", 7, "bar", "import_resolved", Some(("a.js", 20))),
        edge("b.js", 8, "foo", "import_resolved", Some(("a.js", 30))),
    ];
    let scored = score("demo", &truth, &Predictions { symbols: vec![], edges }, Path::new("."));
    assert_eq!(scored.visible(), Share { hits: 0, total: 4 });
    let all = [StandIn::Property, StandIn::Binding, StandIn::Declaration];
    assert_eq!(scored.stand_ins, all.map(|stand_in| (stand_in, 1)).into());
    assert_eq!(scored.through(), Share { hits: 3, total: 4 });
}

#[test]
fn a_place_with_several_declarations_is_found_with_one() {
    let truth = parse(
        "#language\ttypescript
F\ta.ts
D\t1\ta.ts\t1\t3\t1\t1\ttype\tinterface\tBox\t-\tBox#
D\t2\ta.ts\t5\t3\t5\t5\ttype\tinterface\tBox\t-\tBox0#
R\ta.ts\t9\t5\tBox\ttype\tin\t1\ta.ts:1
R\ta.ts\t9\t5\tBox\ttype\tin\t2\ta.ts:5
",
    )
    .expect("the truth parses");
    let edges = vec![edge("a.ts", 9, "Box", "exact", Some(("a.ts", 1)))];
    let scored = score("demo", &truth, &Predictions { symbols: vec![], edges }, Path::new("."));
    assert_eq!(scored.core, Share { hits: 1, total: 2 });
    assert_eq!(scored.places, Share { hits: 1, total: 1 });
}
