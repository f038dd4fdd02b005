//! A pack as text that goes into a prompt as it is.

use super::buffered;
use super::text::printable;
use crate::failure::Failure;
use crate::pack::{Level, Pack};
use owo_colors::OwoColorize;
use std::io::Write;

pub(crate) fn pack(answer: &Pack) -> Result<(), Failure> {
    let mut out = buffered();
    for entry in &answer.entries {
        let mark = if entry.level == Level::Omitted { " (omitted)" } else { "" };
        writeln!(out, "{}{mark}", format!("## {}", printable(&entry.selector)).bold())?;
        if !entry.text.is_empty() {
            writeln!(out, "{}", entry.text.trim_end_matches('\n'))?;
        }
    }
    for row in &answer.unresolved {
        writeln!(out, "unresolved {}: {}", printable(&row.selector), printable(&row.reason))?;
    }
    if answer.left_out > 0 {
        writeln!(out, "({} more; raise --max-tokens)", answer.left_out)?;
    }
    if answer.timed_out {
        writeln!(out, "(out of time; raise --timeout-ms)")?;
    }
    writeln!(out, "({} of {} tokens)", answer.budget.used, answer.budget.max)?;
    out.flush()?;
    Ok(())
}
