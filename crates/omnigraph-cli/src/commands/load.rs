//! `omnigraph load` and `omnigraph ingest`

use crate::args::{IngestArgs, LoadArgs, LoadInput, Mode, Place};
use crate::failure::Failure;
use crate::input::Input;
use crate::render::progress::Bar;
use crate::render::{self, counted, history};
use crate::session::{Session, commit};
use omnigraph::{Branch, Error, Graph, LoadOptions, LoadReport, Target};
use omnigraph_store::Error as StoreError;
use serde_json::{Value, json};

pub(super) fn load(session: &Session, args: &LoadArgs) -> Result<(), Failure> {
    let job = Job { input: &args.input, mode: args.mode, from: args.from.as_deref(), place: &args.place };
    let done = job.run(session)?;
    done.render(session, job.from, "loaded")
}

pub(super) fn ingest(session: &Session, args: &IngestArgs) -> Result<(), Failure> {
    let job = Job { input: &args.input, mode: args.mode, from: Some(&args.from), place: &args.place };
    let done = job.run(session)?;
    done.render(session, job.from, "ingested")
}

/// A load as it was asked for.
struct Job<'a> {
    input: &'a LoadInput,
    mode: Mode,
    /// Where the branch is made from when it is missing.
    from: Option<&'a str>,
    place: &'a Place,
}

/// A load that succeeded.
struct Done {
    uri: String,
    branch: String,
    mode: Mode,
    branch_created: bool,
    report: LoadReport,
}

impl Job<'_> {
    fn run(&self, session: &Session) -> Result<Done, Failure> {
        let input = Input::open(self.input)?;
        let (graph, uri) = session.open(self.place)?;
        let branch = session.branch(self.input.branch.as_deref());
        let branch_created = match self.from {
            Some(from) => ensure_branch(&graph, &branch, from, session.actor.as_deref())?,
            None => false,
        };
        let options = LoadOptions {
            branch: Some(branch.clone()),
            mode: self.mode.into(),
            actor: session.actor.clone(),
            if_commit: commit(self.input.if_commit.as_deref())?,
            max_errors: self.input.max_errors as usize,
        };
        let bar = Bar::new(input.size);
        let loaded = graph.load(&options, &mut |rules| input.blocks(rules), &mut |at| bar.show(at));
        bar.finish();
        match loaded {
            Ok(report) => Ok(Done { uri, branch, mode: self.mode, branch_created, report }),
            Err(error) => {
                if branch_created {
                    graph.store().delete_branch(&branch)?;
                }
                Err(failed(error, input.name()))
            }
        }
    }
}

/// Errors about rows begin with the file's name; a branch that is missing can be made.
fn failed(error: Error, name: &str) -> Failure {
    let is_about_rows = matches!(error, Error::Invalid { .. } | Error::Input { .. });
    let has_no_branch = matches!(error, Error::Store(StoreError::NoBranch { .. }));
    let mut failure = Failure::from(error);
    if has_no_branch {
        failure.hint = Some("`--from main` makes it".to_owned());
    }
    if is_about_rows {
        failure.hint = Some("nothing was written; correct the rows and load again".to_owned());
        let gap = if failure.message.contains('\n') { ":\n" } else { ": " };
        failure.message = format!("{name}{gap}{}", failure.message);
    }
    failure
}

/// Makes the branch when there is none; says whether it did.
fn ensure_branch(graph: &Graph, branch: &str, from: &str, actor: Option<&str>) -> Result<bool, Failure> {
    match graph.store().head(branch) {
        Ok(_) => return Ok(false),
        Err(StoreError::NoBranch { .. }) if branch != Branch::MAIN => {}
        Err(error) => return Err(error.into()),
    }
    let base = graph.store().resolve(&Target::Branch(from.to_owned()))?;
    match graph.store().create_branch(branch, &base, actor) {
        Ok(_) => Ok(true),
        Err(StoreError::BranchExists { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

impl Done {
    /// Prints it; with the branch that it could have been made from, if there is one.
    fn render(&self, session: &Session, from: Option<&str>, verb: &str) -> Result<(), Failure> {
        if session.json {
            let mut document = self.document(session);
            if let Some(from) = from {
                document["base_branch"] = from.into();
                document["branch_created"] = self.branch_created.into();
            }
            return render::json(&document);
        }
        if let Some(from) = from.filter(|_| self.branch_created) {
            render::line(&format!("created branch {} from {from}", self.branch))?;
        }
        render::line(&self.text(verb))
    }

    /// Rows and types with this kind of table.
    fn count(&self, kind: &str) -> (u64, u64) {
        let of_kind = self.report.rows.iter().filter(|(key, _)| key.starts_with(kind));
        of_kind.fold((0, 0), |(rows, types), (_, count)| (rows + count, types + 1))
    }

    fn document(&self, session: &Session) -> Value {
        let ((nodes, node_types), (edges, edge_types)) = (self.count("node:"), self.count("edge:"));
        let tables = self.report.rows.iter();
        let tables = tables.map(|(key, rows)| json!({ "table_key": key, "rows_loaded": rows }));
        json!({
            "uri": self.uri,
            "branch": self.branch,
            "mode": self.mode.as_str(),
            "nodes_loaded": nodes,
            "edges_loaded": edges,
            "node_types_loaded": node_types,
            "edge_types_loaded": edge_types,
            "tables": tables.collect::<Vec<_>>(),
            "actor_id": session.actor,
            "graph_commit_id": self.report.snapshot.id(),
            "committed": self.report.committed,
            "changes": history::changes(&self.report.changes),
        })
    }

    fn text(&self, verb: &str) -> String {
        let ((nodes, node_types), (edges, edge_types)) = (self.count("node:"), self.count("edge:"));
        let of_types =
            |rows, one, types: u64| format!("{} of {}", counted(rows, one), counted(types, "type"));
        let end = history::outcome(self.report.committed, &self.report.snapshot);
        format!(
            "{verb} {} and {} into branch {} of {} with {}; {end}",
            of_types(nodes, "node", node_types),
            of_types(edges, "edge", edge_types),
            self.branch,
            self.uri,
            self.mode.as_str(),
        )
    }
}
