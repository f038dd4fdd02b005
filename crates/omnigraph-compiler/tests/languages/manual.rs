//! The examples of the two reference pages hold, and their tables of codes are complete.

use crate::run::schema_of;
use omnigraph_compiler::{Code, QueryFile, Source, check, plan, render};

fn page(name: &str) -> String {
    let path = format!("{}/../../docs/reference/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The blocks of a language, in order.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    text.split(&fence).skip(1).filter_map(|rest| rest.split("```").next()).map(str::to_owned).collect()
}

#[test]
fn schemas_of_the_manual() {
    let page = page("schema-language.md");
    assert!(blocks(&page, "pg").len() > 5);
    for example in blocks(&page, "pg") {
        schema_of(&example);
    }
}

#[test]
fn queries_of_the_manual() {
    let page = page("query-language.md");
    let schema = schema_of(&blocks(&page, "pg")[0]);
    assert!(blocks(&page, "gq").len() > 7);
    for example in blocks(&page, "gq") {
        let source = Source::new("manual", example);
        let checked = QueryFile::parse(&source).and_then(|file| check(&schema.catalog, &file));
        let checked = checked.unwrap_or_else(|errors| panic!("{}", render(&errors, &source)));
        if checked.query("related").is_some() {
            let plan = plan(&schema.catalog, &checked, "related").expect("it is there").to_string();
            assert!(page.contains(&format!("```text\n{plan}```")), "{plan}");
        }
    }
}

#[test]
fn the_example_holds() {
    let example = |file: &str| page(&format!("../../examples/team/{file}"));
    let schema = schema_of(&example("schema.pg"));
    let source = Source::new("team.gq", example("queries/team.gq"));
    let checked = QueryFile::parse(&source).and_then(|file| check(&schema.catalog, &file));
    let checked = checked.unwrap_or_else(|errors| panic!("{}", render(&errors, &source)));
    assert!(checked.query("authors").is_some());
}

#[test]
fn codes_of_the_manual() {
    let pages = page("schema-language.md") + &page("query-language.md");
    for code in Code::all() {
        let row = format!("| `{}` | {} |", code.as_str(), code.meaning());
        assert!(pages.contains(&row), "no page has the row {row}");
    }
}
