//! How a graph fares.

use super::{Call, Context, Method, Route};
use crate::fault::Fault;
use omnigraph::{Examined, rows::write_datetime};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Asks how a graph fares.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DoctorRequest {}

/// How a graph fares.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct DoctorOutput {
    /// The graph.
    pub uri: String,
    /// Whether nothing failed.
    pub ok: bool,
    /// One answer per question.
    pub checks: Vec<CheckOutput>,
}

/// One question and its answer.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct CheckOutput {
    /// What was looked at.
    pub name: String,
    /// How it is.
    pub status: CheckStatus,
    /// What was found, as a sentence.
    pub detail: String,
}

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum CheckStatus {
    /// As it should be.
    Ok,
    /// Fine, but something cannot be used.
    Note,
    /// Not as it should be.
    Failed,
}

impl CheckStatus {
    /// The word that is printed.
    pub const fn as_str(self) -> &'static str {
        match self {
            CheckStatus::Ok => "ok",
            CheckStatus::Note => "note",
            CheckStatus::Failed => "failed",
        }
    }
}

impl DoctorOutput {
    /// Of these answers.
    pub fn new(uri: &str, checks: Vec<CheckOutput>) -> DoctorOutput {
        let ok = checks.iter().all(|check| check.status != CheckStatus::Failed);
        DoctorOutput { uri: uri.to_owned(), ok, checks }
    }
}

impl CheckOutput {
    /// Fine, or not.
    pub fn new(name: &str, result: Result<String, String>) -> CheckOutput {
        let (status, detail) = match result {
            Ok(detail) => (CheckStatus::Ok, detail),
            Err(detail) => (CheckStatus::Failed, detail),
        };
        CheckOutput { name: name.to_owned(), status, detail }
    }

    /// Which program answers.
    pub fn version() -> CheckOutput {
        let version = env!("CARGO_PKG_VERSION");
        let detail = format!("omnigraph {version}, storage format {}", omnigraph::FORMAT);
        CheckOutput::new("version", Ok(detail))
    }

    /// Whether rows can be embedded here.
    pub fn embeddings() -> CheckOutput {
        match omnigraph::embed::from_settings(|name| std::env::var(name).ok()) {
            Ok(provider) => CheckOutput::new("embeddings", Ok(format!("by {}", provider.model()))),
            Err(error) => CheckOutput {
                name: "embeddings".to_owned(),
                status: CheckStatus::Note,
                detail: error.to_string(),
            },
        }
    }
}

impl Call for DoctorRequest {
    type Output = DoctorOutput;

    const ROUTE: Route = Route {
        id: "doctor",
        method: Method::Get,
        path: "/doctor",
        summary: "How the graph fares: its store, its history, its tables.",
        faults: &[],
    };

    fn run(self, context: &mut Context<'_>) -> Result<DoctorOutput, Fault> {
        let examined = context.graph.examine()?;
        let store = CheckOutput::new("store", Ok(format!("{} is reachable", context.uri)));
        let mut checks = vec![CheckOutput::version(), store];
        checks.extend(graph_checks(&examined));
        checks.push(CheckOutput::embeddings());
        Ok(DoctorOutput::new(context.uri, checks))
    }
}

/// What only an open graph can say.
fn graph_checks(examined: &Examined) -> [CheckOutput; 5] {
    let text = |error: &omnigraph::Error| error.to_string();
    let conditional = match &examined.conditional_puts {
        Ok(true) => Ok("a second writer of the same commit is refused".to_owned()),
        Ok(false) => {
            Err("the store overwrites objects that exist: two writers could lose commits".to_owned())
        }
        Err(error) => Err(text(error)),
    };
    let history = examined.head.as_ref().map_err(text).map(|head| {
        let record = &head.record;
        let mut time = String::new();
        write_datetime(record.created_at.div_euclid(1_000), &mut time);
        format!("main is at version {}, commit {}, {time}", record.version, record.id)
    });
    let schema = examined.tables.as_ref().map_err(text).map(|tables| {
        let rows = tables.iter().map(|table| table.rows).sum();
        format!("{} with {}", counted(tables.len() as u64, "type"), counted(rows, "row"))
    });
    let branches = examined.branches.as_ref().map_err(text).map(|names| match names.len() {
        1 => "1 branch".to_owned(),
        count => format!("{count} branches"),
    });
    [
        CheckOutput::new("conditional put", conditional),
        CheckOutput::new("history", history),
        CheckOutput::new("schema", schema),
        CheckOutput::new("branches", branches),
        tables(examined),
    ]
}

/// Whether reading main would be faster after `omnigraph optimize`.
fn tables(examined: &Examined) -> CheckOutput {
    let found = match &examined.fragments {
        Ok(found) => found,
        Err(error) => return CheckOutput::new("tables", Err(error.to_string())),
    };
    let fragments = counted(found.count, "fragment");
    match found.compactable_rows {
        0 => CheckOutput::new("tables", Ok(fragments)),
        rows => CheckOutput {
            name: "tables".to_owned(),
            status: CheckStatus::Note,
            detail: format!("{fragments}; `omnigraph optimize` would rewrite {}", counted(rows, "row")),
        },
    }
}

fn counted(count: u64, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}
