//! The end of a measurement: its table is printed, and on demand kept below `benches/`.

use std::process::ExitCode;
use xtask::failure::{Context, Failure};
use xtask::{project, render};

/// Prints a table, and writes it to `path` of the repository when that is asked for.
pub(crate) fn publish(path: &str, text: &str, is_kept: bool) -> Result<ExitCode, Failure> {
    render::line(text.trim_end());
    if is_kept {
        std::fs::write(project::root().join(path), text).context(path)?;
        render::note(format!("written to {path}"));
    }
    Ok(ExitCode::SUCCESS)
}
