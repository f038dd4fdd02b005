//! The only code that writes to the terminal.

pub(crate) mod history;
pub(crate) mod lint;
pub(crate) mod progress;
pub(crate) mod versions;

use crate::failure::Failure;
use serde::Serialize;
use serde_json::json;
use std::io::{BufWriter, Write};
use std::process::ExitCode;

/// Standard output, buffered.
pub(crate) fn buffered() -> impl Write {
    BufWriter::with_capacity(1 << 16, std::io::stdout().lock())
}

/// One JSON document on standard output.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    let mut out = buffered();
    serde_json::to_writer_pretty(&mut out, value).map_err(std::io::Error::from)?;
    out.write_all(b"\n")?;
    out.flush()?;
    Ok(())
}

/// Text on standard output, as it is.
pub(crate) fn text(text: impl AsRef<[u8]>) -> Result<(), Failure> {
    let mut out = buffered();
    out.write_all(text.as_ref())?;
    out.flush()?;
    Ok(())
}

/// One line on standard output.
pub(crate) fn line(line: &str) -> Result<(), Failure> {
    text(format!("{line}\n"))
}

/// One line on standard error, beside the answer.
pub(crate) fn remark(line: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{line}"); // nobody is left to tell
}

/// The cells of a screen, when standard output is one.
pub(crate) fn screen_width() -> Option<usize> {
    let screen = console::Term::stdout();
    screen.is_term().then(|| screen.size_checked()).flatten().map(|(_, columns)| usize::from(columns))
}

/// `1 node`, `2 nodes`
pub(crate) fn counted(count: u64, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

/// Help and version on standard output; wrong usage on standard error, as JSON when that was asked for.
pub(crate) fn usage(error: &clap::Error) -> ExitCode {
    let wants_json = std::env::args_os().any(|argument| argument == "--json");
    if !error.use_stderr() || !wants_json {
        let _ = error.print(); // nobody is left to tell
        return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
    }
    let text = error.to_string();
    let message = text.lines().next().unwrap_or("wrong usage").trim_start_matches("error: ");
    failure(&Failure::usage(message), true)
}

/// Says why a command failed, on standard error, and gives the exit code.
pub(crate) fn failure(failure: &Failure, as_json: bool) -> ExitCode {
    let code = ExitCode::from(failure.exit);
    if failure.is_silent {
        return code;
    }
    let fault = &failure.fault;
    let hint = fault.hint.as_deref();
    let text = if as_json {
        let message = hint.map_or_else(|| fault.message.clone(), |hint| format!("{}; {hint}", fault.message));
        let error = json!({
            "code": fault.reason,
            "message": message,
            "diagnostics": fault.diagnostics,
            "merge_conflicts": fault.merge_conflicts,
        });
        format!("{}\n", json!({ "error": error }))
    } else {
        let mut text = match &fault.rendered {
            Some(rendered) => rendered.clone(),
            None => format!("error: {}\n", fault.message),
        };
        text.extend(hint.map(|hint| format!("hint: {hint}\n")));
        text
    };
    let _ = anstream::stderr().lock().write_all(text.as_bytes()); // nobody is left to tell
    code
}
