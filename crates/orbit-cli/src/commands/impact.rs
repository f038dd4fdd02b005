//! `orbit graph impact`

use crate::args::{DirectionArg, ImpactArgs};
use crate::failure::Failure;
use crate::render;
use orbit_graph::{Direction, ImpactOptions, Selector};
use std::path::Path;

pub(super) fn run(dir: &Path, json: bool, args: &ImpactArgs) -> Result<(), Failure> {
    let graph = super::open_for_query(dir, args.sync)?;
    let direction = match args.direction {
        DirectionArg::Inbound => Direction::Inbound,
        DirectionArg::Outbound => Direction::Outbound,
        DirectionArg::Both => Direction::Both,
    };
    let (depth, confidence, limit) = (args.depth, args.confidence.confidence(), args.limit);
    let options = ImpactOptions { depth, direction, confidence, limit };
    let answer = if let Some(range) = &args.diff {
        graph.impact_of_diff(range, &options)?
    } else {
        let selectors: Vec<Selector> =
            args.selectors.iter().map(|text| super::selector(text)).collect::<Result<_, _>>()?;
        graph.impact(&selectors, &options)?
    };
    if json { render::json(&answer) } else { render::answers::impact(&answer) }
}
