//! Texts made to break a parser: deep, long, or nonsense. Each must give an answer, and soon.

use omnigraph_compiler::{QueryFile, Schema, Source, check, format_query, lint, plan};

fn query(clauses: &str) -> Source {
    Source::new("q.gq", format!("query q() {{ match {{ {clauses} }} return {{ $p.name }} }}"))
}

#[track_caller]
fn too_deep(source: &Source) {
    let errors = QueryFile::parse(source).expect_err("nested too deeply");
    assert!(errors.iter().any(|found| found.message == "nested too deeply"), "{errors}");
    assert!(errors.len() < 5, "one cause, few errors: {}", errors.len());
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = 100_000;
    too_deep(&query(&"not { ".repeat(deep)));
    too_deep(&query(&format!("{}$p.age = 1{}", "(".repeat(deep), ")".repeat(deep))));
    too_deep(&query(&format!("$p.age in {}{}", "[".repeat(deep), "]".repeat(deep))));
    too_deep(&query(&"not ".repeat(deep)));
    too_deep(&query(&"exists { ".repeat(deep)));
    too_deep(&query(&format!("$p.age = {}", "search(".repeat(deep))));
    too_deep(&query(&format!("$p.age = {}", "count(".repeat(deep))));
}

#[test]
fn what_is_not_too_deep_is_read() {
    let source = query(&format!("$p: Person {}$p.age = 1{}", "(".repeat(50), ")".repeat(50)));
    QueryFile::parse(&source).unwrap();
    let source = query(&format!("$p: Person {} $p knows $q {}", "not { ".repeat(50), "}".repeat(50)));
    QueryFile::parse(&source).unwrap();
}

#[test]
fn long_chains_are_not_nesting() {
    let clauses = format!("$p: Person $p.age = 1{}", " or $p.age = 1".repeat(20_000));
    let source = query(&clauses);
    QueryFile::parse(&source).unwrap();
    assert!(format_query(&source).unwrap().len() > 200_000);
}

#[test]
fn many_errors_are_cut_off() {
    let source = Source::new("s.pg", "node A { x: 1 }\n".repeat(10_000));
    assert_eq!(Schema::parse(&source).unwrap_err().len(), 100);
    let source = query(&"$p.x ) $q\n".repeat(50_000));
    assert_eq!(QueryFile::parse(&source).unwrap_err().len(), 100);
}

#[test]
fn long_lists_are_cut_off() {
    let most = "$p: Person ".repeat(1000);
    QueryFile::parse(&query(&most)).unwrap();
    let errors = QueryFile::parse(&query(&"$p: Person ".repeat(30_000))).unwrap_err();
    assert_eq!(errors.to_string(), "Q000: at most 1000 clauses in a pattern are read");
    let source = Source::new("s.pg", format!("node A {{ {} }}", "x: String ".repeat(5_000)));
    let errors = Schema::parse(&source).unwrap_err();
    assert!(errors.to_string().starts_with("S000: at most 1000 members in a type are read"), "{errors}");
}

/// The largest pattern that is read is also planned.
#[test]
fn a_large_pattern_is_planned() {
    let schema = "node Person { name: String @key age: I32? } edge Knows: Person -> Person";
    let catalog = Schema::parse(&Source::new("s.pg", schema)).unwrap().catalog;
    let chain = (0..400).rev().map(|n| format!("$p{n} knows $p{}", n + 1));
    let alone = (0..200).map(|n| format!("$q{n}: Person {{ age: {n} }}"));
    let joined = (0..200).map(|n| format!("$q{n}.age = $p{n}.age"));
    let clauses: Vec<String> = chain.chain(alone).chain(joined).collect();
    let source = query(&format!("$p: Person {}", clauses.join(" ")));
    let checked = check(&catalog, &QueryFile::parse(&source).unwrap()).unwrap();
    let plan = plan(&catalog, &checked, "q").unwrap().to_string();
    assert_eq!(plan.matches("expand").count(), 400);
    assert_eq!(plan.matches("scan").count(), 202);
}

#[test]
fn unclosed_things_end_with_the_text() {
    for text in [
        "query q(",
        "query q() { match { $p: Person {",
        "query q() { insert A { x: \"",
        "query",
        "/*",
        "$",
        "@",
    ] {
        let source = Source::new("q.gq", text);
        assert!(QueryFile::parse(&source).is_err(), "{text}");
        let catalog = Schema::parse(&Source::new("s.pg", "")).unwrap().catalog;
        lint(&catalog, &source);
    }
    for text in [
        "node",
        "node A",
        "node A {",
        "edge E: A ->",
        "node A { x: enum(",
        "node A { x: [",
        "node A { @range(",
    ] {
        assert!(Schema::parse(&Source::new("s.pg", text)).is_err(), "{text}");
    }
    assert!(QueryFile::parse(&Source::new("q.gq", "")).unwrap().queries.is_empty());
}

#[test]
fn too_large_is_an_error() {
    let source = Source::new("q.gq", " ".repeat((16 << 20) + 1));
    assert!(QueryFile::parse(&source).unwrap_err().to_string().contains("at most 16777216 are read"));
}
