//! `omnigraph load` and `omnigraph ingest`

use crate::args::{IngestArgs, LoadArgs, LoadInput, Mode, Place};
use crate::failure::Failure;
use crate::input::Input;
use crate::render::progress::Bar;
use crate::render::{self, counted};
use crate::session::Session;
use omnigraph_api::calls::load::{LoadOutput, LoadRequest, ModeChoice};

pub(super) fn load(session: &Session, args: &LoadArgs) -> Result<(), Failure> {
    let job = Job { input: &args.input, mode: args.mode, from: args.from.as_deref(), place: &args.place };
    show(session, &job.run(session)?, "loaded")
}

pub(super) fn ingest(session: &Session, args: &IngestArgs) -> Result<(), Failure> {
    let job = Job { input: &args.input, mode: args.mode, from: Some(&args.from), place: &args.place };
    show(session, &job.run(session)?, "ingested")
}

/// A load as it was asked for.
struct Job<'a> {
    input: &'a LoadInput,
    mode: Mode,
    /// Where the branch is made from when it is missing.
    from: Option<&'a str>,
    place: &'a Place,
}

impl Job<'_> {
    fn run(&self, session: &Session) -> Result<LoadOutput, Failure> {
        let input = Input::open(self.input)?;
        let backend = session.backend(self.place)?;
        let request = LoadRequest {
            branch: Some(session.branch(self.input.branch.as_deref())),
            from: self.from.map(str::to_owned),
            mode: self.mode.into(),
            format: input.format,
            type_name: self.input.type_name.clone(),
            if_commit: self.input.if_commit.clone(),
            max_errors: Some(self.input.max_errors),
            source_name: Some(input.name),
            numeric_dates: self.input.numeric_dates,
        };
        let bar = Bar::new(input.size);
        let loaded = backend.load(request, input.file, &bar);
        bar.finish();
        loaded
    }
}

fn show(session: &Session, loaded: &LoadOutput, verb: &str) -> Result<(), Failure> {
    if session.json {
        return render::json(loaded);
    }
    let from = loaded.base_branch.as_ref().and_then(Option::as_ref);
    if let Some(from) = from.filter(|_| loaded.branch_created == Some(true)) {
        render::line(&format!("created branch {} from {from}", loaded.branch))?;
    }
    render::line(&text(loaded, verb))
}

fn text(loaded: &LoadOutput, verb: &str) -> String {
    let of_types = |rows, one, types| format!("{} of {}", counted(rows, one), counted(types, "type"));
    // In a merge only `delete` lines take rows away; an overwrite counts what it replaced.
    let [_, _, deleted] = loaded.receipt.totals();
    let deleted = match loaded.mode {
        ModeChoice::Merge if deleted > 0 => format!(", deleted {}", counted(deleted, "row")),
        ModeChoice::Merge | ModeChoice::Append | ModeChoice::Overwrite => String::new(),
    };
    format!(
        "{verb} {} and {}{deleted} into branch {} of {} with {}; {}",
        of_types(loaded.nodes_loaded, "node", loaded.node_types_loaded),
        of_types(loaded.edges_loaded, "edge", loaded.edge_types_loaded),
        loaded.branch,
        loaded.uri,
        loaded.mode.as_str(),
        loaded.receipt.outcome(),
    )
}
