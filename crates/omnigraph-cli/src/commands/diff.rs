//! `omnigraph diff`

use crate::args::{DiffArgs, DiffFormat, KindChoice, OpChoice};
use crate::failure::Failure;
use crate::render::{self, versions};
use crate::session::Session;
use omnigraph_api::calls::diff::DiffRequest;

pub(super) fn run(session: &Session, args: &DiffArgs) -> Result<(), Failure> {
    let format = args.format.unwrap_or(if session.json { DiffFormat::Json } else { DiffFormat::Text });
    let choice = &args.choice;
    let request = DiffRequest {
        from: args.from.clone(),
        to: args.to.clone(),
        type_names: choice.types.clone(),
        ops: choice.ops.iter().copied().map(OpChoice::into).collect(),
        kinds: choice.kinds.iter().copied().map(KindChoice::into).collect(),
        // People see which values of a row are different.
        rows: choice.rows || format == DiffFormat::Text,
    };
    let backend = session.backend(&args.place)?;
    match format {
        DiffFormat::Jsonl => backend.patch(request, render::buffered()),
        DiffFormat::Json => render::json(&backend.call(request)?),
        DiffFormat::Text => {
            let found = backend.call(request)?;
            let lines = found.changes.iter().map(|change| versions::change_line(change) + "\n");
            render::text(lines.collect::<String>())?;
            let stats = &found.stats;
            render::remark(&versions::stats_line([stats.inserted, stats.updated, stats.deleted]));
            Ok(())
        }
    }
}
