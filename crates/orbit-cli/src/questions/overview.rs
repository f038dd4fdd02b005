//! `orbit graph overview`: the shape of the repository.

use super::compact::{name, push};
use super::{Context, Family, Question};
use crate::failure::Failure;
use crate::render::rows::Rows;
use crate::render::text::{printable, some, stale};
use clap::{Args, ValueEnum};
use orbit_graph::{EntryPoints, OverviewFormat};
use owo_colors::OwoColorize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Overview {
    /// A directory or file [default: everything]
    #[arg(value_name = "SCOPE")]
    selector: Option<String>,
    /// How much to list
    #[arg(long, value_enum, default_value = "summary")]
    format: Format,
    /// Sync first
    #[arg(long)]
    sync: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Summary,
    Full,
    #[value(name = "entry_points", alias = "entry-points")]
    EntryPoints,
}

impl Question for Overview {
    const FAMILY: Family = Family::Graph;
    const NAME: &'static str = "overview";
    const ABOUT: &'static str = "The shape of the repository, or of a directory or file in it";
    const EXAMPLES: &'static [&'static str] =
        &["graph overview", "graph overview dir:src --format full", "graph overview --format entry_points"];
    const TOOL: Option<&'static str> = Some("Shape of the repository, or of a dir: or file:.");
    const IS_GROUPED: bool = true;

    type Answer = orbit_graph::Overview;

    fn run(&self, context: &Context<'_>) -> Result<Self::Answer, Failure> {
        let graph = context.graph(self.sync)?;
        let scope = self.selector.as_deref().map(|text| context.place(text)).transpose()?;
        let format = match self.format {
            Format::Summary => OverviewFormat::Summary,
            Format::Full => OverviewFormat::Full,
            Format::EntryPoints => OverviewFormat::EntryPoints,
        };
        Ok(graph.overview(scope.as_ref(), format)?)
    }

    fn text(&self, answer: &Self::Answer, out: &mut dyn Write) -> Result<(), Failure> {
        let scope = answer.scope.as_deref().unwrap_or("everything");
        let (files, symbols) = (some(answer.total_files, "file"), some(answer.total_symbols, "symbol"));
        writeln!(out, "{scope}: {files}, {symbols}")?;
        writeln!(out, "languages: {}", counted(&answer.languages))?;
        writeln!(out, "symbols: {}", counted(&answer.symbol_kinds))?;
        for file in &answer.files {
            let symbols = some(file.symbol_count, "symbol");
            writeln!(out, "{} {} {symbols}", printable(&file.path).bold(), file.lang)?;
            let mut rows = Rows::default();
            for symbol in file.symbols.iter().flatten() {
                rows.push(&symbol.file, symbol.line, &symbol.kind, &printable(&symbol.selector));
            }
            rows.print(out)?;
        }
        if let Some(found) = &answer.entry_points {
            let mut rows = Rows::default();
            for entry in &found.entries {
                let is_named = entry.kind == "binary";
                let what = if is_named { &entry.name } else { &entry.selector };
                rows.push(&entry.file, entry.line, entry.kind, &printable(what));
            }
            rows.print(out)?;
            for (dir, count) in &found.tests {
                writeln!(out, "{} {}", printable(dir).bold(), some(*count, "test"))?;
            }
        }
        if answer.truncated {
            let (shown, all) = (answer.files.len(), answer.total_files);
            writeln!(out, "({shown} of {all} files; --format full lists all)")?;
        }
        stale(out, &answer.stale)
    }

    /// Counts, and `{file: symbols}` or, in full, `{file: ["symbol:line"]}`.
    fn compact(&self, answer: &Self::Answer) -> Value {
        let mut files = json!({});
        for file in &answer.files {
            files[&file.path] = match &file.symbols {
                None => json!(file.symbol_count),
                Some(symbols) => symbols
                    .iter()
                    .map(|symbol| json!(format!("{}:{}", name(&symbol.selector), symbol.line)))
                    .collect(),
            };
        }
        let mut out = Map::new();
        out.insert("scope".into(), json!(answer.scope));
        out.insert("total_files".into(), json!(answer.total_files));
        out.insert("total_symbols".into(), json!(answer.total_symbols));
        out.insert("languages".into(), json!(answer.languages));
        out.insert("symbol_kinds".into(), json!(answer.symbol_kinds));
        match &answer.entry_points {
            None => out.insert("files".into(), files),
            Some(found) => out.insert("entry_points".into(), entries(found)),
        };
        if answer.truncated {
            let hint = "the files with most symbols; ask for a dir: or format=full";
            out.insert("truncated".into(), json!(hint));
        }
        Value::Object(out)
    }
}

/// `{kind: {file: ["name:line"]}}`, and how many tests there are where.
fn entries(found: &EntryPoints) -> Value {
    let mut out = json!({});
    for entry in &found.entries {
        let named = if entry.kind == "script" {
            json!(entry.line)
        } else {
            json!(format!("{}:{}", entry.name, entry.line))
        };
        push(&mut out[entry.kind][&entry.file], named);
    }
    out["tests"] = json!(found.tests);
    out
}

/// Most frequent first.
fn counted(counts: &BTreeMap<String, usize>) -> String {
    let mut rows: Vec<(&String, &usize)> = counts.iter().collect();
    rows.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let rows: Vec<String> = rows.into_iter().map(|(name, count)| format!("{name} {count}")).collect();
    rows.join(", ")
}
