//! `omnigraph load` and `omnigraph ingest`

use crate::args::{IngestArgs, LoadArgs, LoadInput, Mode, Place};
use crate::failure::Failure;
use crate::input::Input;
use crate::render::progress::Bar;
use crate::render::{self, counted, history};
use crate::session::{Session, commit};
use omnigraph::{Error, IngestOptions, IngestReport, LoadOptions};
use omnigraph_store::Error as StoreError;
use serde_json::{Value, json};

pub(super) fn load(session: &Session, args: &LoadArgs) -> Result<(), Failure> {
    let job = Job { input: &args.input, mode: args.mode, from: args.from.as_deref(), place: &args.place };
    job.run(session)?.render(session, "loaded")
}

pub(super) fn ingest(session: &Session, args: &IngestArgs) -> Result<(), Failure> {
    let job = Job { input: &args.input, mode: args.mode, from: Some(&args.from), place: &args.place };
    job.run(session)?.render(session, "ingested")
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
    mode: Mode,
    /// Whether a branch could have been made.
    could_create: bool,
    report: IngestReport,
}

impl Job<'_> {
    fn run(&self, session: &Session) -> Result<Done, Failure> {
        let input = Input::open(self.input)?;
        let (graph, uri) = session.open(self.place)?;
        let options = LoadOptions {
            branch: Some(session.branch(self.input.branch.as_deref())),
            mode: self.mode.into(),
            if_commit: commit(self.input.if_commit.as_deref())?,
            max_errors: self.input.max_errors as usize,
        };
        let bar = Bar::new(input.size);
        let (open, show) = (&mut |rules: &_| input.blocks(rules), &mut |at| bar.show(at));
        let loaded = match self.from {
            Some(from) => graph.ingest(&IngestOptions { load: options, from: from.to_owned() }, open, show),
            None => graph.load(&options, open, show).map(|load| IngestReport {
                branch: options.branch.clone().unwrap_or_default(),
                base_branch: None,
                branch_created: false,
                mode: options.mode,
                load,
            }),
        };
        bar.finish();
        let report = loaded.map_err(|error| failed(error, input.name()))?;
        Ok(Done { uri, mode: self.mode, could_create: self.from.is_some(), report })
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

impl Done {
    fn render(&self, session: &Session, verb: &str) -> Result<(), Failure> {
        let report = &self.report;
        if session.json {
            let mut document = self.document(session);
            if self.could_create {
                document["base_branch"] = report.base_branch.clone().into();
                document["branch_created"] = report.branch_created.into();
            }
            return render::json(&document);
        }
        if let Some(from) = report.base_branch.as_ref().filter(|_| report.branch_created) {
            render::line(&format!("created branch {} from {from}", report.branch))?;
        }
        render::line(&self.text(verb))
    }

    /// Rows and types with this kind of table.
    fn count(&self, kind: &str) -> (u64, u64) {
        let of_kind = self.report.load.rows.iter().filter(|(key, _)| key.starts_with(kind));
        of_kind.fold((0, 0), |(rows, types), (_, count)| (rows + count, types + 1))
    }

    fn document(&self, session: &Session) -> Value {
        let ((nodes, node_types), (edges, edge_types)) = (self.count("node:"), self.count("edge:"));
        let tables = self.report.load.rows.iter();
        let tables = tables.map(|(key, rows)| json!({ "table_key": key, "rows_loaded": rows }));
        let mut document = json!({
            "uri": self.uri,
            "branch": self.report.branch,
            "mode": self.mode.as_str(),
            "nodes_loaded": nodes,
            "edges_loaded": edges,
            "node_types_loaded": node_types,
            "edge_types_loaded": edge_types,
            "tables": tables.collect::<Vec<_>>(),
            "actor_id": session.actor,
        });
        let load = &self.report.load;
        history::receipt(&mut document, &load.snapshot, load.committed, &load.changes);
        document
    }

    fn text(&self, verb: &str) -> String {
        let ((nodes, node_types), (edges, edge_types)) = (self.count("node:"), self.count("edge:"));
        let of_types =
            |rows, one, types: u64| format!("{} of {}", counted(rows, one), counted(types, "type"));
        // In a merge only `delete` lines take rows away; an overwrite counts what it replaced.
        let deleted: u64 = self.report.load.changes.values().map(|change| change.deleted).sum();
        let deleted = match self.mode {
            Mode::Merge if deleted > 0 => format!(", deleted {}", counted(deleted, "row")),
            Mode::Merge | Mode::Append | Mode::Overwrite => String::new(),
        };
        let end = history::outcome(self.report.load.committed, &self.report.load.snapshot);
        format!(
            "{verb} {} and {}{deleted} into branch {} of {} with {}; {end}",
            of_types(nodes, "node", node_types),
            of_types(edges, "edge", edge_types),
            self.report.branch,
            self.uri,
            self.mode.as_str(),
        )
    }
}
