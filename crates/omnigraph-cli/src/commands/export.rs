//! `omnigraph export`

use crate::args::ExportArgs;
use crate::failure::Failure;
use crate::render;
use crate::session::{Session, State};
use omnigraph_api::calls::export::ExportRequest;

/// JSON lines, with `--json` too.
pub(super) fn run(session: &Session, args: &ExportArgs) -> Result<(), Failure> {
    let State { branch, snapshot, at } = session.state(&args.at)?;
    let (type_names, table_keys) = (args.types.clone(), args.tables.clone());
    let request = ExportRequest { branch, snapshot, at, type_names, table_keys };
    session.backend(&args.place)?.export(request, render::buffered())
}
