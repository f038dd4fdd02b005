//! Tools, run as calls.

use super::tools::{ON_BRANCH, is_built_in};
use crate::calls::branch::{BranchCreateRequest, BranchDeleteRequest, BranchListRequest, BranchMergeRequest};
use crate::calls::change::ChangeRequest;
use crate::calls::changes::ChangesRequest;
use crate::calls::commit::CommitListRequest;
use crate::calls::diff::DiffRequest;
use crate::calls::entity::EntityRequest;
use crate::calls::query::QueryRunRequest;
use crate::calls::read::ReadRequest;
use crate::calls::revert::CommitRevertRequest;
use crate::calls::schema::SchemaGetRequest;
use crate::calls::{Call, Context};
use crate::fault::Fault;
use crate::saved::Saved;
use omnigraph::Action;
use omnigraph::render::QueryResult;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// Rows of an answer when nothing is said.
const ROWS: u64 = 100;

/// Characters of an answer's rows; about a quarter of it in tokens.
const MOST: usize = 60_000;

/// Makes calls on behalf of somebody.
pub trait Caller: Clone + Send + Sync + 'static {
    /// Calls.
    fn call<C: Call>(&self, call: C) -> Result<C::Output, Fault>;

    /// Runs a query that reads.
    fn read(&self, call: ReadRequest) -> Result<QueryResult, Fault>;

    /// Runs a saved query that reads.
    fn invoke(&self, call: ReadRequest) -> Result<QueryResult, Fault> {
        self.read(call)
    }

    /// Fails unless the caller may do something, on a branch where it is about one. Where the graph is elsewhere, it is
    /// decided there.
    fn check(&self, _action: Action, _branch: Option<&str>) -> Result<(), Fault> {
        Ok(())
    }
}

/// Runs a tool.
pub(super) fn run(
    caller: &impl Caller,
    saved: &Saved,
    tool: &str,
    mut given: Map<String, Value>,
) -> Result<String, Fault> {
    if !is_built_in(tool) {
        return saved_query(caller, saved, tool, given);
    }
    match tool {
        "schema" => Ok(caller.call(members::<SchemaGetRequest>(given)?)?.schema_source),
        "query" => {
            let most = taken(&mut given, "max_rows")?.unwrap_or(ROWS);
            rename(&mut given, "query", "query_source");
            rows(&caller.read(members(given)?)?, most)
        }
        "change" => {
            rename(&mut given, "query", "query_source");
            text(&caller.call(members::<ChangeRequest>(given)?)?)
        }
        "entity" => {
            rename(&mut given, "type", "type_name");
            text(&caller.call(members::<EntityRequest>(given)?)?)
        }
        "branches" => text(&caller.call(members::<BranchListRequest>(given)?)?),
        "branch_create" => text(&caller.call(members::<BranchCreateRequest>(given)?)?),
        "branch_merge" => text(&caller.call(members::<BranchMergeRequest>(given)?)?),
        "commit_revert" => text(&caller.call(members::<CommitRevertRequest>(given)?)?),
        "branch_delete" => {
            rename(&mut given, "name", "branch");
            text(&caller.call(members::<BranchDeleteRequest>(given)?)?)
        }
        "commits" => {
            given.entry("limit").or_insert_with(|| 20.into());
            text(&caller.call(members::<CommitListRequest>(given)?)?)
        }
        "diff" => diff(caller, given),
        "changes" => {
            given.entry("limit").or_insert_with(|| ROWS.into());
            text(&caller.call(members::<ChangesRequest>(given)?)?)
        }
        _ => Err(Fault::new("not_found", format!("no tool is called {tool}"))),
    }
}

fn saved_query(
    caller: &impl Caller,
    saved: &Saved,
    name: &str,
    mut given: Map<String, Value>,
) -> Result<String, Fault> {
    let branch = given.remove(ON_BRANCH).map(|branch| match branch {
        Value::String(name) => Ok(name),
        _ => Err(Fault::new("bad_request", format!("`{ON_BRANCH}` is the name of a branch"))),
    });
    let branch = branch.transpose()?;
    let mut call = QueryRunRequest { query_name: name.to_owned(), branch, ..QueryRunRequest::default() };
    let query = saved.known_to(&call, |action, branch| caller.check(action, branch))?;
    let most = if query.is_change { None } else { taken(&mut given, "max_rows")? };
    call.params = given;
    if query.is_change {
        return text(&caller.call(query.change(call)?)?);
    }
    rows(&caller.invoke(query.read(call)?)?, most.unwrap_or(ROWS))
}

fn diff(caller: &impl Caller, mut given: Map<String, Value>) -> Result<String, Fault> {
    let most = usize::try_from(taken(&mut given, "max_rows")?.unwrap_or(ROWS)).unwrap_or(usize::MAX);
    rename(&mut given, "types", "type_names");
    let mut found = caller.call(members::<DiffRequest>(given)?)?;
    let total = found.changes.len();
    found.changes.truncate(most);
    let mut document = serde_json::to_value(&found).map_err(|error| unwritable(&error))?;
    if total > most {
        document["omitted"] = (total - most).into();
    }
    Ok(document.to_string())
}

/// Rows as a document, as many as fit.
fn rows(result: &QueryResult, most: u64) -> Result<String, Fault> {
    let all: Vec<Box<serde_json::value::RawValue>> =
        serde_json::from_str(&result.rows_json()).map_err(|error| unwritable(&error))?;
    let mut length = 0;
    let fits = all.iter().take(usize::try_from(most).unwrap_or(usize::MAX)).take_while(|row| {
        length += row.get().len();
        length <= MOST
    });
    let shown = fits.count();
    let target = json!({"branch": result.target.branch, "snapshot": result.target.snapshot});
    let mut document = json!({"row_count": all.len(), "target": target});
    if shown < all.len() {
        document["omitted"] = (all.len() - shown).into();
        document["hint"] = "give a limit, or a greater max_rows".into();
    }
    document["rows"] = Value::Null;
    let rows: Vec<&str> = all[..shown].iter().map(|row| row.get()).collect();
    let head = document.to_string();
    // The rows are text already; their member is the last.
    let head = head.strip_suffix("null}").unwrap_or(&head);
    Ok(format!("{head}[{}]}}", rows.join(",")))
}

/// What was given, as a call.
fn members<C: DeserializeOwned>(given: Map<String, Value>) -> Result<C, Fault> {
    serde_json::from_value(Value::Object(given)).map_err(|error| {
        Fault::new("bad_request", format!("the arguments are not what this tool takes: {error}"))
    })
}

fn rename(given: &mut Map<String, Value>, from: &str, to: &str) {
    if let Some(value) = given.remove(from) {
        given.insert(to.to_owned(), value);
    }
}

/// A number that is not for the call.
fn taken(given: &mut Map<String, Value>, name: &str) -> Result<Option<u64>, Fault> {
    let Some(value) = given.remove(name) else { return Ok(None) };
    let number = value.as_u64().filter(|number| *number > 0);
    number.map(Some).ok_or_else(|| Fault::new("bad_request", format!("`{name}` is a number from 1 on")))
}

fn text(output: &impl Serialize) -> Result<String, Fault> {
    serde_json::to_string(output).map_err(|error| unwritable(&error))
}

fn unwritable(error: &serde_json::Error) -> Fault {
    Fault::new("internal", format!("the answer cannot be written: {error}"))
}

/// A failure as an agent reads it.
pub(super) fn error_text(fault: &Fault) -> String {
    let mut error = json!({"code": fault.reason, "message": fault.message});
    if let Some(hint) = &fault.hint {
        error["hint"] = hint.clone().into();
    }
    if !fault.diagnostics.is_empty() {
        error["diagnostics"] = fault.diagnostics.clone().into();
    }
    if !fault.merge_conflicts.is_empty() {
        error["merge_conflicts"] = json!(fault.merge_conflicts);
    }
    json!({"error": error}).to_string()
}

/// A graph that is open in this process.
#[derive(Clone, Debug)]
pub struct LocalGraph {
    /// With the access of whoever calls.
    pub graph: omnigraph::Graph,
    /// Its place, as answers name it.
    pub uri: std::sync::Arc<str>,
    /// Kept for as long as the call goes on.
    pub held: Option<std::sync::Arc<dyn std::any::Any + Send + Sync>>,
}

impl LocalGraph {
    fn with_context<T>(&self, work: impl FnOnce(&mut Context<'_>) -> T) -> T {
        work(&mut Context { graph: &self.graph, uri: &self.uri, progress: &mut |_| {} })
    }
}

impl Caller for LocalGraph {
    fn call<C: Call>(&self, call: C) -> Result<C::Output, Fault> {
        self.with_context(|context| call.run(context))
    }

    fn read(&self, call: ReadRequest) -> Result<QueryResult, Fault> {
        self.with_context(|context| call.run(context))
    }

    fn invoke(&self, call: ReadRequest) -> Result<QueryResult, Fault> {
        let graph = self.graph.acting(self.graph.access().clone().invoking());
        LocalGraph { graph, uri: self.uri.clone(), held: self.held.clone() }.read(call)
    }

    fn check(&self, action: Action, branch: Option<&str>) -> Result<(), Fault> {
        Ok(self.graph.check_access(action, branch)?)
    }
}
