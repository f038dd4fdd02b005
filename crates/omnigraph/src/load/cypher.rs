//! The CSV that graph databases which speak Cypher write of a whole graph (`apoc.export.csv.all`): nodes with `_id` and
//! `_labels`, then relationships with `_start`, `_end` and `_type`, and one column for each property of any of them.
//!
//! A node is of the first of its labels that the schema has. A relationship is of the edge type with its name, however
//! that is written: `ACTED_IN` is `ActedIn`. Their numbers only join the two: a node of a type with a key is known by
//! its key, other nodes keep the number as their id.

use super::csv::{Unmarked, input, put};
use super::{Blocks, Options, Parsed, Source};
use crate::error::Error;
use crate::rows::{BLOCK_ROWS, RowBuilder, Rows};
use crate::validate::{Code, Problem, RuleBook, TypeRules, Violation};
use ::csv::{Reader, ReaderBuilder, StringRecord};
use std::collections::HashMap;
use std::io::Read;
use std::sync::Arc;

/// Reads a whole graph. Properties are read as those of CSV; an empty field is a missing value.
pub fn cypher(
    reader: impl Read + Send + 'static,
    book: &Arc<RuleBook>,
    options: &Options,
) -> Result<Blocks, Error> {
    let mut reader = ReaderBuilder::new().from_reader(Unmarked::new(reader));
    let header = reader.headers().map_err(|error| input(&error))?.clone();
    let source = CypherSource {
        reader,
        columns: Columns::of(&header, book)?,
        book: Arc::clone(book),
        builders: Vec::new(),
        nodes: HashMap::new(),
        violations: Vec::new(),
        limit: options.max_errors.max(1),
        bytes: 0,
        is_done: false,
    };
    Ok(Blocks::new(source, options))
}

/// Where what is in the file.
struct Columns {
    id: Option<usize>,
    labels: Option<usize>,
    start: Option<usize>,
    end: Option<usize>,
    kind: Option<usize>,
    properties: Vec<(usize, String)>,
}

impl Columns {
    fn of(header: &StringRecord, book: &RuleBook) -> Result<Columns, Error> {
        let mut columns =
            Columns { id: None, labels: None, start: None, end: None, kind: None, properties: Vec::new() };
        for (at, name) in header.iter().map(str::trim).enumerate() {
            match name {
                "_id" => columns.id = Some(at),
                "_labels" => columns.labels = Some(at),
                "_start" => columns.start = Some(at),
                "_end" => columns.end = Some(at),
                "_type" => columns.kind = Some(at),
                name if book.all().any(|rules| rules.position(name).is_some()) => {
                    columns.properties.push((at, name.to_owned()));
                }
                name => {
                    let message = format!("no type of the schema has a property `{name}`");
                    return Err(Error::Input { line: Some(1), message });
                }
            }
        }
        let has_nodes = columns.id.is_some() && columns.labels.is_some();
        let has_edges = columns.start.is_some() && columns.end.is_some() && columns.kind.is_some();
        if has_nodes || has_edges {
            return Ok(columns);
        }
        let message = "the header has neither `_id` and `_labels` nor `_start`, `_end` and `_type`";
        Err(Error::Input { line: Some(1), message: message.to_owned() })
    }
}

struct CypherSource<R> {
    reader: Reader<Unmarked<R>>,
    columns: Columns,
    book: Arc<RuleBook>,
    builders: Vec<RowBuilder>,
    /// The number of each node in the file, and its id here.
    nodes: HashMap<String, String>,
    violations: Vec<Violation>,
    limit: usize,
    bytes: u64,
    is_done: bool,
}

impl<R: Read + Send> Source for CypherSource<R> {
    fn next_part(&mut self) -> Option<Result<Parsed, Error>> {
        if self.is_done {
            return None;
        }
        let mut record = StringRecord::new();
        for _ in 0..BLOCK_ROWS {
            if self.count() >= self.limit {
                break;
            }
            match self.reader.read_record(&mut record) {
                Ok(true) => {
                    let line =
                        record.position().map(|position| position.line() + self.reader.get_ref().shift());
                    if let Err((name, problem)) = self.row(&record, line) {
                        self.violations.push(Violation::new(&name, problem).at(line));
                    }
                }
                Ok(false) => {
                    self.is_done = true;
                    break;
                }
                Err(error) => match input(&error) {
                    Error::Input { line, message } => {
                        let problem = Problem::new(Code::Record, message);
                        self.violations.push(Violation::new("", problem).at(line));
                    }
                    other => {
                        self.is_done = true;
                        return Some(Err(other));
                    }
                },
            }
        }
        Some(self.part())
    }
}

impl<R: Read> CypherSource<R> {
    fn count(&self) -> usize {
        self.violations.len() + self.builders.iter().map(|builder| builder.violations().len()).sum::<usize>()
    }

    /// What the last records gave.
    fn part(&mut self) -> Result<Parsed, Error> {
        let now = self.reader.position().byte();
        let bytes = now - self.bytes;
        self.bytes = now;
        let mut violations = std::mem::take(&mut self.violations);
        for builder in &mut self.builders {
            violations.append(&mut builder.take_violations());
        }
        let mut rows: Vec<Rows> = Vec::new();
        if violations.is_empty() {
            for builder in self.builders.iter_mut().filter(|builder| !builder.is_empty()) {
                rows.push(builder.finish_rows()?);
            }
        } else {
            self.builders.clear();
            violations.sort_by_key(|violation| violation.line);
        }
        Ok(Parsed { rows, violations, bytes, ..Parsed::default() })
    }

    fn row(&mut self, record: &StringRecord, line: Option<u64>) -> Result<(), (String, Problem)> {
        let field = |at: Option<usize>| at.and_then(|at| record.get(at)).unwrap_or_default().trim();
        let kind = field(self.columns.kind);
        let (number, labels) = (field(self.columns.id), field(self.columns.labels));
        let ends = [field(self.columns.start), field(self.columns.end)];
        let rules = if kind.is_empty() { self.node_type(labels) } else { self.edge_type(kind) };
        let rules = rules.map_err(|problem| (String::new(), problem))?;
        let name = rules.name().to_owned();
        let ends = if rules.ends().is_some() { Some(self.ends(ends)) } else { None };
        let ends = ends.transpose().map_err(|problem| (name.clone(), problem))?;
        let at = self.builder(&rules);
        let builder = &mut self.builders[at];
        builder.start(line);
        for (at, property) in &self.columns.properties {
            let text = record.get(*at).unwrap_or_default();
            match rules.position(property) {
                Some(position) => put(builder, position, text),
                None if text.is_empty() => {}
                None => builder.unknown(property),
            }
        }
        match &ends {
            Some([from, to]) => builder.ends(from, to),
            None if !rules.has_key() => builder.id(number),
            None => {}
        }
        builder.end();
        if ends.is_none() {
            let id = if rules.has_key() { builder.key().to_owned() } else { number.to_owned() };
            if self.nodes.insert(number.to_owned(), id).is_some() {
                let message = format!("there are two nodes with the number {number}");
                return Err((name, Problem::new(Code::Record, message)));
            }
        }
        Ok(())
    }

    fn builder(&mut self, rules: &Arc<TypeRules>) -> usize {
        let known = self.builders.iter().position(|builder| Arc::ptr_eq(builder.rules(), rules));
        known.unwrap_or_else(|| {
            self.builders.push(RowBuilder::new(Arc::clone(rules)).with_limit(self.limit));
            self.builders.len() - 1
        })
    }

    fn node_type(&self, labels: &str) -> Result<Arc<TypeRules>, Problem> {
        let mut labels = labels.split([':', ';']).map(str::trim).filter(|label| !label.is_empty());
        let found = labels.clone().find_map(|label| self.book.node(label).ok());
        match (found, labels.next()) {
            (Some(rules), _) => Ok(Arc::clone(rules)),
            (None, Some(label)) => self.book.node(label).cloned(),
            (None, None) => Err(Problem::new(Code::Record, "a row without labels and without a type")),
        }
    }

    fn edge_type(&self, kind: &str) -> Result<Arc<TypeRules>, Problem> {
        let plain = |name: &str| name.replace('_', "").to_lowercase();
        let wanted = plain(kind);
        let mut alike =
            self.book.all().filter(|rules| rules.ends().is_some() && plain(rules.name()) == wanted);
        match (self.book.edge(kind), alike.next(), alike.next()) {
            (Ok(rules), ..) | (Err(_), Some(rules), None) => Ok(Arc::clone(rules)),
            (Err(_), Some(one), Some(other)) => {
                let message =
                    format!("`{kind}` could be {} and {}: rename one of them", one.name(), other.name());
                Err(Problem::new(Code::UnknownType, message))
            }
            (Err(problem), None, _) => Err(problem),
        }
    }

    fn ends(&self, numbers: [&str; 2]) -> Result<[String; 2], Problem> {
        let [from, to] = numbers.map(|number| {
            self.nodes.get(number).cloned().ok_or_else(|| {
                let message = format!("no row before this one is the node {number}");
                Problem::new(Code::Endpoint, message)
            })
        });
        Ok([from?, to?])
    }
}
