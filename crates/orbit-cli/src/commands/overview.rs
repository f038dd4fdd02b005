//! `orbit graph overview`

use crate::args::{OverviewArgs, OverviewFormat as Format};
use crate::failure::Failure;
use crate::render;
use orbit_graph::OverviewFormat;
use std::path::Path;

pub(super) fn run(dir: &Path, json: bool, args: &OverviewArgs) -> Result<(), Failure> {
    let graph = super::open_for_query(dir, args.sync)?;
    let scope = args.scope.as_deref().map(super::selector).transpose()?;
    let format = match args.format {
        Format::Summary => OverviewFormat::Summary,
        Format::Full => OverviewFormat::Full,
    };
    let overview = graph.overview(scope.as_ref(), format)?;
    if json { render::json(&overview) } else { render::answers::overview(&overview) }
}
