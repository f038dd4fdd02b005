//! `orbit graph unused`: definitions that nothing reaches.

use super::compact::{finish, name, push};
use super::search::symbol_kind;
use super::{Context, Family, Question};
use crate::failure::Failure;
use crate::render::rows::Rows;
use crate::render::text::{printable, some, stale};
use clap::{Args, ValueEnum};
use orbit_graph::{SymbolKind, UnusedGrade, UnusedOptions};
use serde_json::{Map, Value, json};
use std::io::Write;

#[derive(Debug, Args)]
pub(crate) struct Unused {
    /// Only definitions in this file or directory
    selector: Option<String>,
    /// Which definitions to list; the others are counted
    #[arg(long, value_enum, default_value = "unused")]
    grade: Grade,
    /// Only this kind: function, method, class, …
    #[arg(long, value_name = "KIND", value_parser = symbol_kind)]
    symbol_kind: Option<SymbolKind>,
    /// At most this many
    #[arg(long, default_value_t = 200, value_name = "N")]
    limit: usize,
    /// Sync first
    #[arg(long)]
    sync: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Grade {
    /// Nothing in the repository uses it, and nobody else can
    Unused,
    /// Only tests use it
    OnlyTests,
    /// A use that could not be followed has its name, or a decorator or a foreign supertype may call it
    PerhapsUsed,
    /// Nothing in the repository uses it, but others may
    Exported,
    All,
}

impl Grade {
    fn wanted(self) -> Option<UnusedGrade> {
        match self {
            Grade::Unused => Some(UnusedGrade::Unused),
            Grade::OnlyTests => Some(UnusedGrade::OnlyTests),
            Grade::PerhapsUsed => Some(UnusedGrade::PerhapsUsed),
            Grade::Exported => Some(UnusedGrade::Exported),
            Grade::All => None,
        }
    }
}

fn word(grade: UnusedGrade) -> &'static str {
    match grade {
        UnusedGrade::Unused => "unused",
        UnusedGrade::OnlyTests => "only_tests",
        UnusedGrade::PerhapsUsed => "perhaps_used",
        UnusedGrade::Exported => "exported",
    }
}

impl Question for Unused {
    const FAMILY: Family = Family::Graph;
    const NAME: &'static str = "unused";
    const ABOUT: &'static str = "Definitions that nothing reaches, graded by how sure that is";
    const EXAMPLES: &'static [&'static str] =
        &["graph unused", "graph unused src --symbol-kind function", "graph unused --grade only_tests"];
    const TOOL: Option<&'static str> = Some(
        "Definitions that nothing reaches. Grades: unused; only_tests; perhaps_used (a use that could not be followed has its name); exported.",
    );
    const IS_GROUPED: bool = true;
    const IS_LONG: bool = true;

    type Answer = orbit_graph::Unused;

    fn run(&self, context: &Context<'_>) -> Result<Self::Answer, Failure> {
        let scope = self.selector.as_deref().map(|text| context.place(text)).transpose()?;
        let options = UnusedOptions { grade: self.grade.wanted(), kind: self.symbol_kind, limit: self.limit };
        Ok(context.graph(self.sync)?.unused(scope.as_ref(), &options)?)
    }

    fn text(&self, answer: &Self::Answer, out: &mut dyn Write) -> Result<(), Failure> {
        let mut rows = Rows::default();
        for row in &answer.definitions {
            rows.push(&row.file, row.line, word(row.grade), &printable(&row.selector));
        }
        rows.print(out)?;
        if answer.truncated {
            writeln!(out, "({} of {}; raise --limit)", answer.definitions.len(), answer.total)?;
        }
        let counts: Vec<String> =
            answer.grades.iter().map(|(grade, count)| format!("{count} {}", word(*grade))).collect();
        let counts = if counts.is_empty() { "all are used".to_owned() } else { counts.join(", ") };
        writeln!(out, "{} looked at: {counts}", some(answer.looked_at, "definition"))?;
        stale(out, &answer.stale)
    }

    /// `{grade: {file: ["name:line"]}}`, and how many there are of each grade.
    fn compact(&self, answer: &Self::Answer) -> Value {
        let mut out = Map::new();
        let mut rows = json!({});
        for row in &answer.definitions {
            let place = json!(format!("{}:{}", name(&row.selector), row.line));
            push(&mut rows[word(row.grade)][&row.file], place);
        }
        out.insert("definitions".into(), rows);
        out.insert("grades".into(), json!(answer.grades));
        finish(out, answer.truncated.then_some(answer.total), &answer.stale)
    }
}
