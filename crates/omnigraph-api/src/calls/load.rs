//! Loading rows.

use super::change::commit_id;
use super::receipt::{ReceiptOutput, present};
use super::{Call, Context, Method, Route, main_if_none};
use crate::fault::Fault;
use omnigraph::load::{self, Blocks, Format};
use omnigraph::validate::{RuleBook, TypeRules};
use omnigraph::{
    Error, IngestOptions, IngestReport, LoadMode, LoadOptions, LoadProgress, LoadReport, StoreError,
    TableName,
};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{Cursor, Seek};
use std::sync::Arc;
use utoipa::ToSchema;

/// What to do with rows that are there already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ModeChoice {
    /// Replaces them.
    #[default]
    Merge,
    /// Refuses them.
    Append,
    /// Replaces whole tables.
    Overwrite,
}

impl ModeChoice {
    /// As written.
    pub const fn as_str(self) -> &'static str {
        match self {
            ModeChoice::Merge => "merge",
            ModeChoice::Append => "append",
            ModeChoice::Overwrite => "overwrite",
        }
    }
}

impl From<ModeChoice> for LoadMode {
    fn from(mode: ModeChoice) -> LoadMode {
        match mode {
            ModeChoice::Merge => LoadMode::Merge,
            ModeChoice::Append => LoadMode::Append,
            ModeChoice::Overwrite => LoadMode::Overwrite,
        }
    }
}

/// What the body of a load is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum InputFormat {
    /// Lines of JSON.
    #[default]
    Jsonl,
    /// Comma-separated values below a header.
    Csv,
    /// A Parquet file.
    Parquet,
    /// An Arrow IPC file or stream.
    Arrow,
    /// A whole graph in one CSV, as `apoc.export.csv.all` of Neo4j writes it.
    Cypher,
}

impl From<InputFormat> for Format {
    fn from(format: InputFormat) -> Format {
        match format {
            InputFormat::Jsonl => Format::Jsonl,
            InputFormat::Csv => Format::Csv,
            InputFormat::Parquet => Format::Parquet,
            InputFormat::Arrow => Format::Arrow,
            InputFormat::Cypher => Format::Cypher,
        }
    }
}

/// How to load the rows of a body, in the query string.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LoadRequest {
    /// A branch, `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// What the branch is made from when it is missing; without it a missing branch is an error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// `merge` if nothing is said.
    #[serde(default)]
    pub mode: ModeChoice,
    /// Of the body; `jsonl` if nothing is said.
    #[serde(default)]
    pub format: InputFormat,
    /// The node or edge type that rows of CSV, Parquet and Arrow belong to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub type_name: Option<String>,
    /// Refused unless this is the newest commit of the branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_commit: Option<String>,
    /// Wrong rows after which reading stops; 20 if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_errors: Option<u32>,
    /// What errors call the rows: the name of their file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_name: Option<String>,
    /// Dates of JSON lines may be whole days, and moments whole milliseconds, since 1970.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub numeric_dates: bool,
}

/// Rows to load, as lines of JSON in a document.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct IngestRequest {
    /// A branch, `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// The branch that it is made from when there is none of this name; `main` if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// `merge` if nothing is said.
    #[serde(default)]
    pub mode: ModeChoice,
    /// One row a line.
    pub data: String,
}

/// What was loaded.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LoadOutput {
    /// The graph.
    pub uri: String,
    /// The branch that was written to.
    pub branch: String,
    /// How.
    pub mode: ModeChoice,
    /// Nodes of the input.
    pub nodes_loaded: u64,
    /// Edges of the input.
    pub edges_loaded: u64,
    /// Types of these nodes.
    pub node_types_loaded: u64,
    /// Types of these edges.
    pub edge_types_loaded: u64,
    /// Rows of the input by table.
    pub tables: Vec<LoadedOutput>,
    /// The actor, where one is known.
    pub actor_id: Option<String>,
    /// The commit.
    #[serde(flatten)]
    pub receipt: ReceiptOutput,
    /// What the branch was made from; only when it could have been made.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    #[schema(value_type = Option<String>)]
    pub base_branch: Option<Option<String>>,
    /// Whether the branch was made for these rows; only when it could have been.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch_created: Option<bool>,
}

/// Rows of a table in the input.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LoadedOutput {
    /// `node:Person` or `edge:Knows`.
    pub table_key: String,
    /// How many rows were loaded.
    pub rows_loaded: u64,
}

/// Rows that can be read as often as a load is tried.
#[derive(Debug)]
pub enum Rows {
    /// In a file.
    File(File),
    /// In memory, as lines of JSON.
    Text(Arc<[u8]>),
}

impl LoadRequest {
    /// Where it is on the wire.
    pub const ROUTE: Route = Route {
        id: "load",
        method: Method::Post,
        path: "/load",
        summary: "Loads the rows of the body: all of them or, when any does not fit, none.",
        faults: &[400, 404, 409, 412, 422],
    };

    /// Loads the rows.
    pub fn run(
        self,
        context: &Context<'_>,
        rows: &Rows,
        progress: &mut dyn FnMut(LoadProgress),
    ) -> Result<LoadOutput, Fault> {
        self.check()?;
        let branch = main_if_none(self.branch.clone());
        let options = LoadOptions {
            branch: Some(branch.clone()),
            mode: self.mode.into(),
            if_commit: commit_id(self.if_commit.as_deref())?,
            max_errors: self.max_errors.unwrap_or(20) as usize,
        };
        let read = load::Options {
            max_errors: options.max_errors,
            numeric_dates: self.numeric_dates,
            ..load::Options::default()
        };
        let open = &mut |book: &Arc<RuleBook>| self.blocks(rows, book, &read);
        let loaded = match &self.from {
            Some(from) => {
                let options = IngestOptions { load: options, from: from.clone() };
                context.graph.ingest(&options, open, progress)
            }
            None => context.graph.load(&options, open, progress).map(|load| IngestReport {
                branch,
                base_branch: None,
                branch_created: false,
                mode: options.mode,
                load,
            }),
        };
        let report = loaded.map_err(|error| failed(error, self.source_name.as_deref()))?;
        Ok(self.output(report, context))
    }

    fn check(&self) -> Result<(), Fault> {
        match (self.format, &self.type_name) {
            (InputFormat::Jsonl | InputFormat::Cypher, Some(_)) => Err(Fault::new(
                "bad_request",
                "a type is for CSV, Parquet and Arrow: every line of JSONL names its type",
            )),
            (InputFormat::Jsonl | InputFormat::Cypher, None) | (_, Some(_)) => Ok(()),
            (_, None) => Err(Fault::new("bad_request", "rows of CSV, Parquet and Arrow need a type")
                .hint("name the node or edge type that the rows belong to")),
        }
    }

    /// The rows from the beginning.
    fn blocks(&self, rows: &Rows, book: &Arc<RuleBook>, read: &load::Options) -> omnigraph::Result<Blocks> {
        let file = match rows {
            Rows::Text(text) => return load::jsonl(Cursor::new(text.clone()), book, read),
            Rows::File(file) => {
                let mut file = file.try_clone()?;
                file.rewind()?;
                file
            }
        };
        match self.format {
            InputFormat::Jsonl => load::jsonl(file, book, read),
            InputFormat::Cypher => load::cypher(file, book, read),
            InputFormat::Csv => load::csv(file, self.rules(book)?, read),
            InputFormat::Parquet => load::parquet(file, self.rules(book)?, read),
            InputFormat::Arrow => load::arrow_ipc(file, self.rules(book)?, read),
        }
    }

    fn rules<'b>(&self, book: &'b Arc<RuleBook>) -> omnigraph::Result<&'b Arc<TypeRules>> {
        let name = self.type_name.as_deref().unwrap_or_default();
        book.node(name).or_else(|problem| book.edge(name).map_err(|_| Error::Request(problem.message)))
    }

    fn output(&self, report: IngestReport, context: &Context<'_>) -> LoadOutput {
        let LoadReport { snapshot, committed, rows, changes } = report.load;
        let count = |is_edge: bool| {
            let of_kind = rows.iter().filter(|(key, _)| TableName::of(key).is_edge() == is_edge);
            of_kind.fold((0, 0), |(rows, types), (_, count)| (rows + count, types + 1))
        };
        let ((nodes_loaded, node_types_loaded), (edges_loaded, edge_types_loaded)) =
            (count(false), count(true));
        let loaded =
            |(key, rows): (&String, &u64)| LoadedOutput { table_key: key.clone(), rows_loaded: *rows };
        let could_create = self.from.is_some();
        LoadOutput {
            uri: context.uri.to_owned(),
            branch: report.branch,
            mode: self.mode,
            nodes_loaded,
            edges_loaded,
            node_types_loaded,
            edge_types_loaded,
            tables: rows.iter().map(loaded).collect(),
            actor_id: context.actor(),
            receipt: ReceiptOutput::new(&snapshot, committed, &changes),
            base_branch: could_create.then_some(report.base_branch),
            branch_created: could_create.then_some(report.branch_created),
        }
    }
}

impl Call for IngestRequest {
    type Output = LoadOutput;

    const ROUTE: Route = Route {
        id: "ingest",
        method: Method::Post,
        path: "/ingest",
        summary: "Loads rows into a branch, which is made when it is missing.",
        faults: &[400, 404, 409, 422],
    };

    const CARRIES_ROWS: bool = true;

    fn run(self, context: &mut Context<'_>) -> Result<LoadOutput, Fault> {
        let request = LoadRequest {
            branch: self.branch,
            from: Some(main_if_none(self.from)),
            mode: self.mode,
            ..LoadRequest::default()
        };
        request.run(context, &Rows::Text(self.data.into_bytes().into()), &mut |_| {})
    }
}

/// Errors about rows begin with the name of their file; a branch that is missing can be made.
fn failed(error: Error, name: Option<&str>) -> Fault {
    let is_about_rows = matches!(error, Error::Invalid { .. } | Error::Input { .. });
    let has_no_branch = matches!(error, Error::Store(StoreError::NoBranch { .. }));
    let mut fault = Fault::from(error);
    if has_no_branch {
        fault.hint = Some("`--from main` makes it".to_owned());
    }
    if is_about_rows {
        fault.hint = Some("nothing was written; correct the rows and load again".to_owned());
        if let Some(name) = name {
            let gap = if fault.message.contains('\n') { ":\n" } else { ": " };
            fault.message = format!("{name}{gap}{}", fault.message);
        }
    }
    fault
}
