//! How fast the in-memory parts are: `cargo run --release -p omnigraph --example measure -- load text vector render`.

use arrow_array::builder::{FixedSizeListBuilder, Float32Builder};
use arrow_array::{ArrayRef, RecordBatch, StringArray};
use omnigraph::load::{Options, jsonl};
use omnigraph::render::{QueryResult, ReadTarget, TableOptions};
use omnigraph::rows::data_type;
use omnigraph::text::{Live, Match, Postings, TextIndex};
use omnigraph::validate::RuleBook;
use omnigraph::vector::{VectorIndex, Vectors};
use omnigraph_compiler::{Scalar, Schema, Source, Type};
use std::error::Error;
use std::fmt::Write as _;
use std::io::{Cursor, Write as _, stdout};
use std::sync::Arc;
use std::time::Instant;

type Outcome = Result<(), Box<dyn Error>>;

/// Measures and prints.
type Part = fn() -> Outcome;

/// What can be measured.
const PARTS: [(&str, Part); 4] = [("load", load), ("text", text), ("vector", vector), ("render", render)];

const RUNS: usize = 200;

fn main() -> Outcome {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    for (name, run) in PARTS {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            run()?;
        }
    }
    Ok(())
}

fn load() -> Outcome {
    const LINES: usize = 3_000_000;
    let schema = "node Person { name: String @key  age: I32? } edge Knows: Person -> Person { since: Date? }";
    let catalog = Schema::parse(&Source::new("s.pg", schema)).map_err(|_| "schema")?.catalog;
    let book = Arc::new(RuleBook::new(&catalog)?);
    let mut text = String::new();
    for at in 0..LINES {
        if at % 3 == 0 {
            writeln!(text, r#"{{"type":"Person","data":{{"name":"person-{at}","age":{}}}}}"#, at % 90)?;
        } else {
            let to = at / 2;
            writeln!(
                text,
                r#"{{"edge":"Knows","from":"person-{at}","to":"person-{to}","data":{{"since":"2026-01-31"}}}}"#
            )?;
        }
    }
    let bytes = text.len();
    for threads in [1, 2] {
        let options = Options { threads, ..Options::default() };
        let input = Cursor::new(text.clone().into_bytes());
        let start = Instant::now();
        let mut rows = 0;
        for block in jsonl(input, &book, &options)? {
            rows += block?.batch.num_rows();
        }
        let seconds = start.elapsed().as_secs_f64();
        let (lines, rate) = (rows as f64 / seconds / 1e6, bytes as f64 / seconds / 1e6);
        writeln!(
            stdout(),
            "load: {rows} lines, {threads} parsing, {lines:.2} million lines/s, {rate:.0} MB/s"
        )?;
    }
    Ok(())
}

/// A generator that needs no dependency.
struct Numbers(u64);

impl Numbers {
    /// From 0 to 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn text() -> Outcome {
    const DOCS: usize = 100_000;
    const WORDS: usize = 60;
    let mut numbers = Numbers(1);
    // Small numbers come often, as words do in a language.
    let word = |numbers: &mut Numbers| format!("w{}", (20_000.0_f64.powf(numbers.next()) - 1.0) as u32);
    let docs: StringArray = (0..DOCS)
        .map(|_| Some((0..WORDS).map(|_| word(&mut numbers)).collect::<Vec<_>>().join(" ")))
        .collect();
    let start = Instant::now();
    let postings = Postings::build(&docs, None)?;
    let seconds = start.elapsed().as_secs_f64();
    let size = postings.memory_size() as f64 / 1e6;
    writeln!(stdout(), "text: {DOCS} documents of {WORDS} words built in {seconds:.2} s, {size:.0} MB")?;
    let index = TextIndex::new(vec![Live::new(Arc::new(postings), None)], None);
    let queries = ["w300 w1000 w5000", "w20 w200 w2000", "w1 w2 w3"];
    for query in queries {
        let hits = index.find(&Match::any(query)).len();
        let time = median(|| index.top(query, 20, |a, b| a.cmp(&b)).len());
        writeln!(stdout(), "text: top 20 of `{query}`, {hits} rows match, {time}")?;
    }
    let time = median(|| index.find(&Match::near("w12345", None)).len());
    writeln!(stdout(), "text: near `w12345` {time}")?;
    let time = median(|| index.find(&Match::phrase("w20 w200")).len());
    writeln!(stdout(), "text: phrase `w20 w200` {time}")?;
    let candidates: Vec<_> = (0..170).map(|at| omnigraph::rows::RowRef::new(0, at * 500)).collect();
    let time = median(|| index.scores("w20 w200 w2000", &candidates).len());
    writeln!(stdout(), "text: scores of 170 candidates {time}")?;
    Ok(())
}

fn vector() -> Outcome {
    const ROWS: usize = 100_000;
    const DIM: usize = 128;
    let mut numbers = Numbers(2);
    let mut builder = FixedSizeListBuilder::new(Float32Builder::new(), DIM as i32);
    for _ in 0..ROWS {
        for _ in 0..DIM {
            builder.values().append_value(numbers.next() as f32 - 0.5);
        }
        builder.append(true);
    }
    let vectors = Arc::new(Vectors::new(&builder.finish())?);
    let query: Vec<f32> = (0..DIM).map(|_| numbers.next() as f32 - 0.5).collect();
    for threads in [1, 2] {
        let index = VectorIndex::new(DIM, vec![(Arc::clone(&vectors), None)])?.with_threads(threads);
        let time = median(|| index.nearest(&query, 20, |a, b| a.cmp(&b)).map_or(0, |found| found.len()));
        writeln!(stdout(), "vector: top 20 of {ROWS} x {DIM}, {threads} threads, {time}")?;
    }
    Ok(())
}

fn render() -> Outcome {
    const ROWS: usize = 8000;
    let names: StringArray = (0..ROWS).map(|at| Some(format!("person-{at}"))).collect();
    let batch = RecordBatch::try_from_iter([("p.name", Arc::new(names) as ArrayRef)])?;
    let columns = vec![("p.name".to_owned(), data_type(&Type::scalar(Scalar::String)))];
    let target = ReadTarget { branch: Some("main".into()), snapshot: None };
    let result = QueryResult { query_name: "people".into(), target, columns, batches: vec![batch] };
    let time = median(|| result.to_json(true).len());
    writeln!(stdout(), "render: {ROWS} rows of one text as JSON {time}")?;
    let time = median(|| result.to_table(&TableOptions::default()).len());
    writeln!(stdout(), "render: the same as a table {time}")?;
    Ok(())
}

/// Milliseconds, the middle and the least of many runs: on a busy machine the least says more about the code.
fn median(mut run: impl FnMut() -> usize) -> String {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            std::hint::black_box(run());
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    times.sort_by(f64::total_cmp);
    format!("{:.3} ms (least {:.3})", times[RUNS / 2], times[0])
}
