//! `orbit graph refs`

use crate::args::{RefKindArg, RefsArgs};
use crate::failure::Failure;
use crate::render;
use clap::ValueEnum;
use orbit_graph::RefOptions;
use std::path::Path;

pub(super) fn run(dir: &Path, json: bool, args: &RefsArgs) -> Result<(), Failure> {
    let graph = super::open_for_query(dir, args.sync)?;
    let kind =
        args.kind.as_ref().and_then(RefKindArg::to_possible_value).map(|value| value.get_name().to_owned());
    let options =
        RefOptions { confidence: args.confidence.confidence(), kind, limit: args.limit, snippets: true };
    let answer = graph.refs(&super::selector(&args.selector)?, &options)?;
    if json { render::json(&answer) } else { render::answers::refs(&answer) }
}
