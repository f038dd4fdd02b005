//! JSONL files that get vectors, without a graph.

use super::{Embedder, Task};
use crate::error::Error;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};

/// Lines that are embedded together.
const LINES: usize = 256;

/// Which properties of which types are vectors, and of what.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct EmbedSpec {
    /// Elements of every vector.
    pub dimension: usize,
    /// By node type.
    pub types: BTreeMap<String, TypeSpec>,
}

/// The vector of one type.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct TypeSpec {
    /// The property that gets the vector.
    pub target: String,
    /// The properties whose values make the text.
    pub fields: Vec<String>,
}

/// What happens to records of the types that are embedded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EmbedMode {
    /// Those without a vector get one; with selectors, those that are selected get a new one.
    #[default]
    FillMissing,
    /// All get a new one.
    ReembedAll,
    /// All lose theirs.
    Clean,
}

/// `Type:field=value` or `field=value`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selector {
    type_name: Option<String>,
    field: String,
    value: String,
}

/// What to do with a file.
#[derive(Clone, Debug)]
pub struct EmbedJob {
    /// What is embedded.
    pub spec: EmbedSpec,
    /// What happens.
    pub mode: EmbedMode,
    /// Only these types; empty is all.
    pub types: Vec<String>,
    /// Only records that one of these selects; empty is all.
    pub selectors: Vec<Selector>,
}

/// What was done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EmbedReport {
    /// Records of any kind.
    pub records: usize,
    /// Those that types and selectors allow.
    pub selected_records: usize,
    /// Those that got a vector.
    pub embedded_records: usize,
    /// Those that lost one.
    pub cleaned_records: usize,
}

impl Selector {
    /// From what the user wrote.
    pub fn parse(text: &str) -> Result<Selector, Error> {
        let bad =
            || Error::Config(format!("`{text}` is not a selector; write Type:field=value or field=value"));
        let (subject, value) = text.split_once('=').ok_or_else(bad)?;
        let (type_name, field) = match subject.split_once(':') {
            Some((type_name, field)) => (Some(type_name.trim().to_owned()), field.trim()),
            None => (None, subject.trim()),
        };
        if field.is_empty() || type_name.as_deref() == Some("") {
            return Err(bad());
        }
        Ok(Selector { type_name, field: field.to_owned(), value: value.trim().to_owned() })
    }

    fn accepts(&self, type_name: &str, data: &Map<String, Value>) -> bool {
        self.type_name.as_deref().is_none_or(|wanted| wanted == type_name)
            && data.get(&self.field).is_some_and(|value| plain(value) == self.value)
    }
}

impl EmbedMode {
    /// Its name in reports.
    pub fn as_str(self, has_selectors: bool) -> &'static str {
        match self {
            EmbedMode::FillMissing if has_selectors => "reembed_selected",
            EmbedMode::FillMissing => "fill_missing",
            EmbedMode::ReembedAll => "reembed_all",
            EmbedMode::Clean => "clean",
        }
    }
}

/// Reads records, and writes them in the same order with what the job changes. Lines it does not concern stay as they
/// are, comments too.
pub fn run(
    job: &EmbedJob,
    input: impl BufRead,
    mut output: impl Write,
    embedder: &dyn Embedder,
) -> Result<EmbedReport, Error> {
    let mut report = EmbedReport::default();
    let mut lines: Vec<Line> = Vec::with_capacity(LINES);
    for (at, text) in input.lines().enumerate() {
        let text =
            text.map_err(|error| Error::Input { line: Some(at as u64 + 1), message: error.to_string() })?;
        let text = if at == 0 { text.trim_start_matches('\u{feff}').to_owned() } else { text };
        lines.push(job.read(text, at as u64 + 1, &mut report)?);
        if lines.len() == LINES {
            job.write(&mut lines, &mut output, embedder, &mut report)?;
        }
    }
    job.write(&mut lines, &mut output, embedder, &mut report)?;
    output.flush()?;
    Ok(report)
}

/// A line on its way through.
enum Line {
    /// As it was read.
    Same(String),
    /// Changed already.
    Changed(Value),
    /// To be given a vector of the text.
    Embedded { record: Value, target: String, text: String },
}

impl EmbedJob {
    fn read(&self, line: String, number: u64, report: &mut EmbedReport) -> Result<Line, Error> {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with("//") {
            return Ok(Line::Same(line));
        }
        report.records += 1;
        let mut record: Value = serde_json::from_str(trimmed).map_err(|error| {
            let text = error.to_string();
            let reason = text.rsplit_once(" at line ").map_or(text.as_str(), |(reason, _)| reason);
            Error::Input {
                line: Some(number),
                message: format!("not a JSON record: {reason}, column {}", error.column()),
            }
        })?;
        let Some(type_name) = record.get("type").and_then(Value::as_str).map(str::to_owned) else {
            return Ok(Line::Same(line));
        };
        let Some(data) = record.get_mut("data").and_then(Value::as_object_mut) else {
            return Err(Error::Input {
                line: Some(number),
                message: "a record with a `type` needs `data`".into(),
            });
        };
        if !self.selects(&type_name, data) {
            return Ok(Line::Same(line));
        }
        report.selected_records += 1;
        let Some(spec) = self.spec.types.get(&type_name) else { return Ok(Line::Same(line)) };
        if self.mode == EmbedMode::Clean {
            let was_there = data.shift_remove(&spec.target).is_some();
            report.cleaned_records += usize::from(was_there);
            return Ok(if was_there { Line::Changed(record) } else { Line::Same(line) });
        }
        let is_wanted = self.mode == EmbedMode::ReembedAll
            || !self.selectors.is_empty()
            || is_missing(data.get(&spec.target));
        let Some(text) = is_wanted.then(|| describe(&type_name, data, &spec.fields)).flatten() else {
            return Ok(Line::Same(line));
        };
        Ok(Line::Embedded { record, target: spec.target.clone(), text })
    }

    fn selects(&self, type_name: &str, data: &Map<String, Value>) -> bool {
        let is_type = self.types.is_empty() || self.types.iter().any(|wanted| wanted == type_name);
        let is_selected = self.selectors.is_empty()
            || self.selectors.iter().any(|selector| selector.accepts(type_name, data));
        is_type && is_selected
    }

    fn write(
        &self,
        lines: &mut Vec<Line>,
        output: &mut impl Write,
        embedder: &dyn Embedder,
        report: &mut EmbedReport,
    ) -> Result<(), Error> {
        let texts = lines.iter().filter_map(|line| match line {
            Line::Embedded { text, .. } => Some(text.as_str()),
            _ => None,
        });
        let texts: Vec<&str> = texts.collect();
        let made = if texts.is_empty() {
            Vec::new()
        } else {
            embedder.embed(&texts, Task::Document, self.spec.dimension)?
        };
        let mut made = made.into_iter();
        for line in lines.drain(..) {
            match line {
                Line::Same(text) => writeln!(output, "{text}")?,
                Line::Changed(record) => writeln!(output, "{record}")?,
                Line::Embedded { mut record, target, .. } => {
                    let vector =
                        made.next().ok_or_else(|| super::refused("fewer vectors than texts".into()))?;
                    record["data"][target] = vector.into_iter().map(shortest).collect();
                    report.embedded_records += 1;
                    writeln!(output, "{record}")?;
                }
            }
        }
        Ok(())
    }
}

/// The number with as few digits as tell it from every other `f32`.
fn shortest(value: f32) -> Value {
    Value::from(value.to_string().parse::<f64>().unwrap_or(value.into()))
}

fn is_missing(value: Option<&Value>) -> bool {
    match value {
        None | Some(Value::Null) => true,
        Some(Value::Array(items)) => items.is_empty(),
        Some(_) => false,
    }
}

/// The text of a record: its type, then each field with a value. `None` when no field has one.
fn describe(type_name: &str, data: &Map<String, Value>, fields: &[String]) -> Option<String> {
    let mut text = format!("type: {type_name}");
    let head = text.len();
    for field in fields {
        let value = data.get(field).map(plain).unwrap_or_default();
        if !value.is_empty() {
            text.push('\n');
            text.push_str(field);
            text.push_str(": ");
            text.push_str(&value);
        }
    }
    (text.len() > head).then_some(text)
}

/// A value without quotes; of a list its values.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.trim().to_owned(),
        Value::Array(items) => {
            let items = items.iter().map(plain).filter(|item| !item.is_empty());
            items.collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}
