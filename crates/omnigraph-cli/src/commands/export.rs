//! `omnigraph export`

use crate::args::ExportArgs;
use crate::failure::Failure;
use crate::render;
use crate::session::Session;
use omnigraph::ExportOptions;

/// JSON lines, with `--json` too.
pub(super) fn run(session: &Session, args: &ExportArgs) -> Result<(), Failure> {
    let target = session.target(&args.at)?;
    let (graph, _) = session.open(&args.place)?;
    let options = ExportOptions { types: args.types.clone(), tables: args.tables.clone() };
    graph.export(&target, &options, &mut render::buffered())?;
    Ok(())
}
