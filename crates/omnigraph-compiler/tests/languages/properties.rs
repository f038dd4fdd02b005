//! What holds for every text and every tree.

use crate::trees::{query_file, schema_file, soup};
use omnigraph_compiler::query::print_query;
use omnigraph_compiler::schema::{parse_file, print_schema};
use omnigraph_compiler::{QueryFile, Schema, Source, format_query, format_schema, lint, render};
use proptest::prelude::*;

/// A tree without places: spans print as `@1..2`.
fn bare(tree: &impl std::fmt::Debug) -> String {
    let text = format!("{tree:?}");
    let mut parts = text.split('@');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push('@');
        let after = part.trim_start_matches(|c: char| c.is_ascii_digit());
        let span = after.strip_prefix("..").map(|end| end.trim_start_matches(|c: char| c.is_ascii_digit()));
        out.push_str(span.unwrap_or(part));
    }
    out
}

fn comments(text: &str) -> usize {
    text.matches("// c").count() + text.matches("/* c */").count()
}

/// Everything that can be done with a text; nothing may panic.
fn everything(text: &str) {
    let source = Source::new("text", text);
    let schema = Schema::parse(&source);
    if let Err(errors) = &schema {
        render(errors, &source);
        errors.iter().for_each(|found| drop(found.data(&source)));
    }
    if let Ok(once) = format_schema(&source) {
        assert_eq!(format_schema(&Source::new("text", once.clone())).as_ref(), Ok(&once));
        assert_eq!(comments(&once), comments(text));
    }
    let known = "node Person { name: String @key age: I32? tags: [String]? } edge Knows: Person -> Person";
    let catalog = schema.unwrap_or_else(|_| crate::run::schema_of(known)).catalog;
    if let Err(errors) = QueryFile::parse(&source) {
        render(&errors, &source);
    }
    lint(&catalog, &source);
    if let Ok(once) = format_query(&source) {
        assert_eq!(format_query(&Source::new("text", once.clone())).as_ref(), Ok(&once));
        assert_eq!(comments(&once), comments(text));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_printed_query_is_read_as_it_was(file in query_file()) {
        let text = print_query(&file);
        let source = Source::new("q.gq", text.clone());
        let read = QueryFile::parse(&source).map_err(|errors| render(&errors, &source));
        prop_assert_eq!(read.as_ref().map(bare), Ok(bare(&file)), "{}", text);
        let again = format_query(&source).unwrap();
        prop_assert_eq!(&format_query(&Source::new("q.gq", again.clone())).unwrap(), &again, "{}", text);
        prop_assert_eq!(print_query(&read.unwrap()), text);
    }

    #[test]
    fn a_printed_schema_is_read_as_it_was(file in schema_file()) {
        let text = print_schema(&file);
        let source = Source::new("s.pg", text.clone());
        let read = parse_file(&source).map_err(|errors| render(&errors, &source));
        prop_assert_eq!(read.as_ref().map(bare), Ok(bare(&file)), "{}", text);
        prop_assert_eq!(format_schema(&source).unwrap(), text);
    }

    #[test]
    fn token_soup_is_read(text in soup()) {
        everything(&text);
        everything(&format!("query q($p: String) {{ match {{ {text} }} return {{ $p }} }}"));
        everything(&format!("query q() {{ match {{ $p: Person }} return {{ {text} }} }}"));
        everything(&format!("node Person {{ {text} }}"));
    }

    #[test]
    fn bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        everything(&String::from_utf8_lossy(&bytes));
    }

    /// Comments between any two tokens survive, once each.
    #[test]
    fn comments_survive(file in query_file(), every in 1usize..5, block in any::<bool>()) {
        let text = print_query(&file);
        let comment = if block { " /* c */ " } else { " // c\n" };
        let mut lines = String::new();
        for (at, line) in text.lines().enumerate() {
            lines.push_str(line);
            let is_open_string = line.matches('"').count() % 2 == 1;
            lines.push_str(if at % every == 0 && !is_open_string { comment } else { "" });
            lines.push('\n');
        }
        let source = Source::new("q.gq", lines.clone());
        let once = format_query(&source).unwrap();
        let twice = format_query(&Source::new("q.gq", once.clone())).unwrap();
        prop_assert_eq!(&twice, &once);
        prop_assert_eq!(once.matches('c').count() , lines.matches('c').count());
        let parsed = QueryFile::parse(&Source::new("q.gq", once)).unwrap();
        prop_assert_eq!(bare(&parsed), bare(&file));
    }
}
