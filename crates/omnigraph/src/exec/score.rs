//! Scores of the rows at hand.

use super::eval::Context;
use super::rows::Rows;
use crate::error::Result;
use crate::search;
use omnigraph_compiler::query::plan::output::ScoreOp;
use omnigraph_compiler::query::typed::Score;

/// `wanted` rows are what the query is interested in.
pub(super) fn score(context: &Context<'_>, op: &ScoreOp, mut rows: Rows, wanted: usize) -> Result<Rows> {
    let mut all = Vec::with_capacity(op.scores.len());
    for score in &op.scores {
        all.push(match score {
            Score::Rrf { ranks, k } => search::fused(context, ranks, k, &rows, wanted)?,
            Score::Bm25 { var, .. } | Score::Nearest { var, .. } => {
                search::scores(context, score, rows.node(var)?)?
            }
        });
    }
    rows.scores = all;
    Ok(rows)
}
