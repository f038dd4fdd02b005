//! JSONL into blocks.

use super::book;
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use expect_test::{Expect, expect};
use omnigraph::load::{Block, Options, Target, jsonl};
use omnigraph::rows::{Ulids, cell_to_json};
use omnigraph::{Error, validate::Violation};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Cursor;

const SCHEMA: &str = "node Person { name: String @key  age: I32?  @range(age, 0..150) }
    node Note { text: String  tags: [String]? }
    edge Knows: Person -> Person { since: Date? }";

fn options() -> Options {
    Options { threads: 2, ..Options::default() }
}

fn load_with(text: &[u8], options: &Options) -> Result<Vec<Block>, Error> {
    let blocks = jsonl(Cursor::new(text.to_vec()), &book(SCHEMA), options)?;
    blocks.with_ids(Ulids::seeded(5, 5)).collect()
}

fn load(text: &str) -> Vec<Block> {
    load_with(text.as_bytes(), &options()).unwrap_or_else(|error| panic!("{error}"))
}

fn error(text: &[u8]) -> String {
    load_with(text, &options()).unwrap_err().to_string()
}

fn show(batch: &RecordBatch) -> String {
    let mut out = String::new();
    for row in 0..batch.num_rows() {
        for column in batch.columns() {
            let _ = write!(out, "{} ", cell_to_json(column, row));
        }
        out.push('\n');
    }
    out
}

fn check(text: &str, expected: Expect) {
    let shown = load(text)
        .into_iter()
        .map(|block| format!("{:?} {:?}\n{}", block.target, block.lines, show(&block.batch)));
    expected.assert_eq(&shown.collect::<String>());
}

#[test]
fn both_shapes_comments_and_order_of_keys() {
    check(
        "\u{feff}// people\r\n\
         {\"type\":\"Person\",\"data\":{\"name\":\"ann\",\"age\":30}}\r\n\
         \r\n\
         {\"edge\":\"knows\",\"from\":\"ann\",\"to\":\"bob\"}\n\
         \x20 // indented comment\n\
         {\"data\":{\"age\":null,\"name\":\"bo\\u0062\"},\"type\":\"Person\"}\n\
         {\"to\":\"ann\",\"data\":{\"since\":\"2026-01-31\",\"id\":\"ignored\"},\"from\":\"bob\",\"edge\":\"Knows\"}\n\
         {\"type\":\"Note\",\"data\":{\"id\":\"n1\",\"text\":\"hi\",\"tags\":[\"a\",\"b\"]}}\n\
         {\"type\":\"Note\",\"data\":{\"text\":\"no id\"}}",
        expect![[r#"
            Node("Note") [8, 9]
            "n1" "hi" ["a","b"] 
            "0000000005RDDC15SH9P9SEDQR" "no id" null 
            Node("Person") [2, 6]
            "ann" "ann" 30 
            "bob" "bob" null 
            Edge("Knows") [4, 7]
            "5DT7ZB5NT7WSGGVJP7K8T3WQ2W" "ann" "bob" null 
            "1XS4FXCH3BNCSM7STFB5XPG0D3" "bob" "ann" "2026-01-31" 
        "#]],
    );
}

#[test]
fn errors_name_the_line_and_the_cure() {
    let text = [
        r#"{"type":"Person","data":{"name":"ann","age":212}}"#,
        r#"{"type":"Persn","data":{"name":"ann"}}"#,
        r#"{"type":"Person","data":{"name":"ann","agee":1}}"#,
        r#"{"type":"Person","data":{"name":"ann",}}"#,
        r#"{"type":"Person","data":{"name":"ann"}"#,
        r#"[1]"#,
        r#"{"edge":"Knows","from":"ann"}"#,
        r#"{"edge":"Person","from":"ann","to":"b"}"#,
        r#"{"type":"Knows","data":{}}"#,
        r#"{"name":"ann"}"#,
        r#"{}"#,
        r#"{"type":"Person","data":{"name":"a","name":"b"}}"#,
        r#"{"type":"Person","data":[]}"#,
        r#"{"type":7,"data":{}}"#,
        r#"{"type":"Person","data":{"name":"x"}} trailing"#,
        r#"{"type":"Person","from":"a","data":{"name":"x"}}"#,
        r#"{"edge":"Knows","from":"","to":"b"}"#,
    ];
    expect![[r#"
        line 1: @range violation on Person.age: 212 is above 150
        line 2: unknown node type `Persn`; did you mean `Person`?
        line 3: Person has no property `agee`; did you mean `age`?
        line 4: not a JSON record: trailing comma, column 39
        line 5: not a JSON record: EOF while parsing an object, column 38
        line 6: not a JSON record: invalid type: sequence, expected an object, column 0
        line 7: edge Knows has no `to`
        line 8: unknown edge type `Person`; it is a node type: write `type`
        line 9: unknown node type `Knows`; it is an edge type: write `edge`
        line 10: a record has no `name`: properties stand in `data`, beside it `type`, or `edge`, `from` and `to`
        line 11: a record has `type` and `data`, or `edge`, `from`, `to` and `data`
        line 12: Person.name is given twice
        line 13: not a JSON record: invalid type: sequence, expected an object with properties in `data`, column 26
        line 14: unknown node type `7`
        line 15: not a JSON record: trailing characters, column 39
        line 16: `from` and `to` belong to edges; Person is a node type
        line 17: Knows: the id of `from` is empty"#]]
    .assert_eq(&error(text.join("\n").as_bytes()));
}

/// As the program writes that this one grew out of: numbers for dates, `id` in `data` or beside it.
#[test]
fn exports_of_others_are_rows_here() {
    let text = r#"{"type":"Note","id":"n1","data":{"text":"a"}}
{"type":"Note","data":{"id":"n2","text":"b"}}
{"type":"Person","id":"Ann","data":{"id":"Ann","name":"Ann"}}
{"edge":"Knows","from":"Ann","to":"Ann","data":{"id":"01KA3G","since":18276}}
{"edge":"Knows","from":"Ann","to":"Bob","data":{"since":-1}}
{"edge":"Knows","from":"Ann","to":"Eve","data":{"since":"2020-01-15"}}"#;
    let numeric = Options { numeric_dates: true, ..options() };
    let blocks = load_with(text.as_bytes(), &numeric).unwrap_or_else(|error| panic!("{error}"));
    let shown: String = blocks.iter().map(|block| show(&block.batch)).collect();
    for expected in ["\"n1\" ", "\"n2\" ", "\"2020-01-15\" ", "\"1969-12-31\" "] {
        assert!(shown.contains(expected), "{expected}: {shown}");
    }
    // Unasked, a number is no date: it could be a year.
    let plain = error(br#"{"edge":"Knows","from":"a","to":"b","data":{"since":1990}}"#);
    assert!(plain.contains("line 1") && plain.contains("since"), "{plain}");
    let far = r#"{"edge":"Knows","from":"a","to":"b","data":{"since":4294967296}}"#;
    assert!(load_with(far.as_bytes(), &numeric).is_err());
    let two = error(br#"{"type":"Note","id":"n1","data":{"id":"n2","text":"a"}}"#);
    assert!(two.contains("two ids are given, and they differ"), "{two}");
    let two = error(br#"{"type":"Person","id":"Ann","data":{"name":"Bob"}}"#);
    assert!(two.contains("the id 'Ann' contradicts the key 'Bob'"), "{two}");
}

#[test]
fn at_most_so_many_errors_are_gathered() {
    let text = "{\"type\":\"Person\",\"data\":{}}\n".repeat(1000);
    let limited = Options { max_errors: 3, chunk_bytes: 100, ..options() };
    let Err(Error::Invalid { violations, truncated }) = load_with(text.as_bytes(), &limited) else {
        panic!()
    };
    assert!(truncated);
    assert_eq!(
        violations.iter().map(|found: &Violation| found.line).collect::<Vec<_>>(),
        [Some(1), Some(2), Some(3)]
    );
}

#[test]
fn a_late_error_ends_the_load() {
    let mut text = String::new();
    for at in 0..20_000 {
        writeln!(text, r#"{{"type":"Person","data":{{"name":"p{at}"}}}}"#).unwrap();
    }
    text.push_str("{\"type\":\"Person\",\"data\":{\"age\":1}}\n");
    let mut blocks = jsonl(Cursor::new(text.into_bytes()), &book(SCHEMA), &options()).unwrap();
    let found = blocks.by_ref().find_map(Result::err).unwrap();
    assert_eq!(found.to_string(), "line 20001: Person.name is required and missing");
    assert!(blocks.next().is_none());
}

#[test]
fn bytes_that_are_not_text_are_named_by_line() {
    let mut text = b"{\"type\":\"Person\",\"data\":{\"name\":\"ann\"}}\n{\"type\":\"Pers".to_vec();
    text.push(0xff);
    text.extend_from_slice(b"on\"}\n// fine\n{\"type\":\"Person\",\"data\":{}}\n");
    assert_eq!(
        error(&text),
        "line 2: not UTF-8: byte 14 of the line\nline 4: Person.name is required and missing"
    );
}

#[test]
fn lines_are_bounded() {
    let long = format!("// short\n{{\"type\":\"Person\",\"data\":{{\"name\":\"{}\"}}}}\n", "x".repeat(5000));
    let bounded = Options { max_line_bytes: 2000, chunk_bytes: 64, ..options() };
    let found = load_with(long.as_bytes(), &bounded).unwrap_err().to_string();
    assert_eq!(found, "line 2: the line is longer than 2000 bytes; is this JSONL, with one record per line?");
    let wide = Options { max_line_bytes: 1 << 20, chunk_bytes: 64, ..options() };
    let found = load_with(long.as_bytes(), &wide).unwrap_err().to_string();
    assert!(found.starts_with("line 2: Person: the key has 5000 bytes"), "{found}");
}

#[test]
fn blocks_are_of_one_type_and_not_too_long() {
    let mut text = String::new();
    for at in 0..30_000 {
        writeln!(text, r#"{{"type":"Person","data":{{"name":"p{at}","age":{}}}}}"#, at % 100).unwrap();
        writeln!(text, r#"{{"edge":"Knows","from":"p{at}","to":"p{}"}}"#, at / 2).unwrap();
    }
    let size = text.len() as u64;
    let mut blocks = jsonl(Cursor::new(text.into_bytes()), &book(SCHEMA), &options()).unwrap();
    let mut next: BTreeMap<Target, u64> = BTreeMap::new();
    for block in blocks.by_ref() {
        let block = block.unwrap();
        assert!(block.batch.num_rows() <= 8192 && block.batch.num_rows() == block.lines.len());
        let ids = block.batch.column(1).as_string::<i32>();
        for (row, line) in block.lines.iter().enumerate() {
            let next = next.entry(block.target.clone()).or_default();
            assert_eq!(ids.value(row), format!("p{next}"));
            assert_eq!((line - 1) / 2, *next);
            *next += 1;
        }
    }
    assert_eq!(next.into_values().collect::<Vec<_>>(), [30_000, 30_000]);
    assert_eq!(blocks.bytes_read(), size);
}

/// Blank lines without end; says when it is dropped.
struct Endless(std::sync::mpsc::Sender<()>);

impl std::io::Read for Endless {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        out.fill(b'\n');
        Ok(out.len())
    }
}

impl Drop for Endless {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

#[test]
fn dropping_a_load_ends_its_threads() {
    let (ended, end) = std::sync::mpsc::channel();
    let blocks = jsonl(Endless(ended), &book(SCHEMA), &Options { chunk_bytes: 16, ..options() }).unwrap();
    assert!(end.try_recv().is_err());
    drop(blocks);
    end.recv_timeout(std::time::Duration::from_mins(1)).unwrap();
}

/// Fails in the middle of a file: with an error, or as a bug would.
struct Broken {
    left: usize,
    panics: bool,
}

impl std::io::Read for Broken {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        if self.left == 0 {
            assert!(!self.panics, "the reader has a bug");
            return Err(std::io::Error::other("the disk is gone"));
        }
        let read = out.len().min(self.left);
        out[..read].fill(b'\n');
        self.left -= read;
        Ok(read)
    }
}

#[test]
fn a_reader_that_fails_is_not_at_the_end_of_the_file() {
    for (panics, expected) in
        [(false, "the disk is gone"), (true, "internal: a thread that reads the file failed")]
    {
        let reader = Broken { left: 1000, panics };
        let mut blocks = jsonl(reader, &book(SCHEMA), &Options { chunk_bytes: 64, ..options() }).unwrap();
        assert_eq!(blocks.next().unwrap().unwrap_err().to_string(), expected);
        assert!(blocks.next().is_none());
    }
}

proptest! {
    /// Chunks, threads and line ends make no difference.
    #[test]
    fn the_same_rows_however_it_is_cut(kinds in prop::collection::vec(0..5_u8, 0..60), chunk in 1..200_usize, threads in 1..4_usize, ending in prop::bool::ANY) {
        let mut text = String::new();
        for (at, kind) in kinds.iter().enumerate() {
            match kind {
                0 => writeln!(text, r#"{{"type":"Person","data":{{"name":"p{at}"}}}}"#).unwrap(),
                1 => writeln!(text, r#"{{"edge":"Knows","from":"p{at}","to":"x"}}"#).unwrap(),
                2 => text.push('\n'),
                3 => text.push_str("// c\n"),
                _ => writeln!(text, r#"{{"type":"Note","data":{{"id":"{at}","text":"é"}}}}"#).unwrap(),
            }
        }
        if !ending {
            text.pop();
        }
        let rows = |options: &Options| {
            let blocks = load_with(text.as_bytes(), options).unwrap();
            let mut rows: Vec<(Target, u64, String)> = Vec::new();
            for block in &blocks {
                let shown = show(&block.batch);
                rows.extend(block.lines.iter().zip(shown.lines()).map(|(line, row)| (block.target.clone(), *line, row.to_owned())));
            }
            rows.sort();
            rows
        };
        let whole = rows(&Options { threads: 1, ..Options::default() });
        prop_assert_eq!(whole.len(), kinds.iter().filter(|kind| !matches!(kind, 2 | 3)).count());
        prop_assert_eq!(rows(&Options { threads, chunk_bytes: chunk, ..Options::default() }), whole);
    }
}
