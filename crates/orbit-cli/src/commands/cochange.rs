//! `orbit graph cochange`

use crate::failure::Failure;
use crate::history_args::{CochangeArgs, SyncHistoryArgs};
use crate::render;
use orbit_history::History;
use std::path::Path;

pub(super) fn run(dir: &Path, json: bool, args: &CochangeArgs) -> Result<(), Failure> {
    if args.refresh {
        super::history::sync(dir, &SyncHistoryArgs { history: true, task_id_pattern: None })?;
    }
    let subject = super::history::subject(dir, &args.selector)?;
    let answer = History::open(dir, None)?.cochange(&subject, args.limit)?;
    if json { render::json(&answer) } else { render::history::cochange(&answer) }
}
