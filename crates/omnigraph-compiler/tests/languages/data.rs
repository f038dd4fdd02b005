//! Diagnostics as data, and rendering at the edges of a text.

use omnigraph_compiler::{Code, Plan, QueryFile, Schema, Severity, Source, check, plan, render};

#[test]
fn a_diagnostic_as_data() {
    let source = Source::new("é.gq", "query q() {\n    match { $é: Person }\n    retrun { 1 }\n}\n");
    let errors = QueryFile::parse(&source).unwrap_err();
    let data: Vec<_> = errors.iter().map(|found| found.data(&source)).collect();
    assert_eq!(data[0].code, "Q000");
    assert_eq!(data[0].severity, "error");
    assert_eq!(data[0].file, "é.gq");
    assert_eq!((data[0].label.start.line, data[0].label.start.column), (2, 13));
    let last = data.last().unwrap();
    assert_eq!(last.message, "expected `return`, found `retrun`");
    assert_eq!(last.hint.as_deref(), Some("did you mean `return`?"));
    assert_eq!((last.label.start.line, last.label.start.column), (3, 5));
    assert_eq!((last.label.end.line, last.label.end.column), (3, 11));
    assert_eq!(source.slice(last.label.span), "retrun");
}

#[test]
fn rendering_at_the_end_and_in_long_lines() {
    let source = Source::new("s.pg", "node Person {");
    let errors = Schema::parse(&source).unwrap_err();
    assert_eq!(
        render(&errors, &source),
        "error[S000]: expected `}`, found the end of the text\n --> s.pg:1:14\n  |\n1 | node Person {\n  |              ^\n"
    );
    let long = format!("node A {{ {} x: Strin }}", "a: String ".repeat(100));
    let source = Source::new("s.pg", long);
    let errors = Schema::parse(&source).unwrap_err();
    assert!(render(&errors, &source).lines().all(|line| line.chars().count() <= 130));
}

#[test]
fn headlines_and_order() {
    let source = Source::new("s.pg", "node A { x: Foo }\nnode a {}\n");
    let errors = Schema::parse(&source).unwrap_err();
    assert!(errors.iter().all(|found| found.code == Code::S000 && found.severity == Severity::Error));
    assert_eq!(errors.len(), 2);
    let text = errors.to_string();
    assert!(text.starts_with("S000: expected a type, found `Foo`\nS000: "), "{text}");
}

#[test]
fn the_id_of_a_schema() {
    let id = |text: &str| Schema::parse(&Source::new("s.pg", text)).unwrap().catalog.id();
    let plain = id("node A { x: String @key } node B {}");
    assert_eq!(plain.len(), 32);
    assert_eq!(plain, id("// c\nnode B {}\nnode A { x: String\n@key(x) }"));
    assert_eq!(plain, id("node A { x: String @key @rename_from(\"y\") } node B {}"));
    assert_ne!(plain, id("node A { x: String? } node B {}"));
    assert_ne!(plain, id("node A { x: String @key @description(\"d\") } node B {}"));
}

#[test]
fn what_a_plan_says_about_itself() {
    let schema = Schema::parse(&Source::new("s.pg", "node A { x: String @key  n: I32? }")).unwrap();
    let text = "query q($x: String, $n: I64 = 3) { match { $a: A { x: $x } } return { $a.n, count($a) as c } limit $n }
                query m($x: String) { delete A where x = $x }";
    let file = QueryFile::parse(&Source::new("q.gq", text)).unwrap();
    let checked = check(&schema.catalog, &file).unwrap();
    assert_eq!(plan(&schema.catalog, &checked, "nope"), None);
    let Some(Plan::Read(read)) = plan(&schema.catalog, &checked, "q") else { panic!("q reads") };
    let columns: Vec<String> = read.columns().iter().map(|c| format!("{}: {}", c.name, c.expr.ty)).collect();
    assert_eq!(columns, ["a.n: I32?", "c: I64"]);
    let mutation = plan(&schema.catalog, &checked, "m").unwrap();
    assert_eq!((mutation.name(), mutation.params().len()), ("m", 1));
}
