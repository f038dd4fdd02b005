//! `orbit graph export`

use crate::args::{ExportArgs, ExportFormat};
use crate::failure::Failure;
use crate::questions::open_graph;
use crate::render;
use std::io::Write;
use std::path::Path;

pub(super) fn run(dir: &Path, args: &ExportArgs) -> Result<(), Failure> {
    let graph = open_graph(dir, args.sync)?;
    let mut out = render::buffered();
    match args.format {
        ExportFormat::Jsonl => graph.export(&mut out)?,
    }
    out.flush()?;
    Ok(())
}
