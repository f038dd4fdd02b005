//! `omnigraph diff`

use crate::args::{ChangeChoice, DiffArgs, DiffFormat, KindChoice, OpChoice};
use crate::failure::Failure;
use crate::render::{self, versions};
use crate::session::{Session, state};
use omnigraph::{ChangeFilter, ChangeOp, ChangeSet, DiffOptions, EntityKind};
use serde_json::{Value, json};

pub(super) fn run(session: &Session, args: &DiffArgs) -> Result<(), Failure> {
    let format = args.format.unwrap_or(if session.json { DiffFormat::Json } else { DiffFormat::Text });
    let (graph, _) = session.open(&args.place)?;
    let ((from, _), (to, _)) = (state(&graph, &args.from)?, state(&graph, &args.to)?);
    let mut options = options(&args.choice);
    if format == DiffFormat::Jsonl {
        graph.patch(&from, &to, &options.filter, &mut render::buffered())?;
        return Ok(());
    }
    // People see which values of a row are different.
    options.with_rows |= format == DiffFormat::Text;
    let set = graph.diff(&from, &to, &options)?;
    match format {
        DiffFormat::Json => render::json(&document(&set, args.choice.rows)),
        DiffFormat::Text | DiffFormat::Jsonl => {
            let lines = set.changes.iter().map(|change| versions::change_line(change) + "\n");
            render::text(lines.collect::<String>())?;
            render::remark(&versions::stats_line(&set.stats));
            Ok(())
        }
    }
}

/// What was asked for.
pub(super) fn options(choice: &ChangeChoice) -> DiffOptions {
    let op = |op: &OpChoice| match op {
        OpChoice::Insert => ChangeOp::Insert,
        OpChoice::Update => ChangeOp::Update,
        OpChoice::Delete => ChangeOp::Delete,
    };
    let kind = |kind: &KindChoice| match kind {
        KindChoice::Node => EntityKind::Node,
        KindChoice::Edge => EntityKind::Edge,
    };
    let filter = ChangeFilter {
        kinds: choice.kinds.iter().map(kind).collect(),
        type_names: choice.types.clone(),
        ops: choice.ops.iter().map(op).collect(),
    };
    DiffOptions { filter, with_rows: choice.rows }
}

fn document(set: &ChangeSet, with_rows: bool) -> Value {
    let changes: Vec<Value> = set.changes.iter().map(|change| versions::change(change, with_rows)).collect();
    json!({
        "from_commit_id": set.from.id(),
        "to_commit_id": set.to.id(),
        "from_version": set.from.record.version,
        "to_version": set.to.record.version,
        "branch": set.branch,
        "changes": changes,
        "stats": versions::stats(&set.stats),
    })
}
