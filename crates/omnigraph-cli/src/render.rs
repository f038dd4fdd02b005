//! The only code that writes to the terminal.

pub(crate) mod history;
pub(crate) mod lint;
pub(crate) mod progress;
pub(crate) mod steps;
pub(crate) mod versions;

use crate::failure::Failure;
use serde::Serialize;
use serde_json::Value;
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

/// An integer that JavaScript can read; text when it is greater than that.
pub(crate) fn safe(number: u64) -> Value {
    const SAFE: u64 = (1 << 53) - 1;
    if number <= SAFE { Value::from(number) } else { Value::from(number.to_string()) }
}

/// `1 node`, `2 nodes`
pub(crate) fn counted(count: u64, one: &str) -> String {
    if count == 1 { format!("1 {one}") } else { format!("{count} {one}s") }
}

#[derive(Serialize)]
struct ErrorDocument<'f> {
    error: ErrorBody<'f>,
}

#[derive(Serialize)]
struct ErrorBody<'f> {
    code: &'f str,
    message: &'f str,
    diagnostics: &'f [Value],
    merge_conflicts: &'f Value,
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
    document("usage", message, &[], None);
    ExitCode::from(2)
}

/// Says why a command failed, on standard error, and gives the exit code.
pub(crate) fn failure(failure: &Failure, as_json: bool) -> ExitCode {
    let code = ExitCode::from(failure.exit);
    if failure.is_silent {
        return code;
    }
    let hint = failure.hint.as_deref();
    if as_json {
        let message =
            hint.map_or_else(|| failure.message.clone(), |hint| format!("{}; {hint}", failure.message));
        document(failure.code, &message, &failure.diagnostics, failure.merge_conflicts.as_deref());
        return code;
    }
    let mut text = match &failure.rendered {
        Some(rendered) => rendered.to_string(),
        None => format!("error: {}\n", failure.message),
    };
    text.extend(hint.map(|hint| format!("hint: {hint}\n")));
    let _ = anstream::stderr().lock().write_all(text.as_bytes()); // nobody is left to tell
    code
}

fn document(code: &str, message: &str, diagnostics: &[Value], merge_conflicts: Option<&Value>) {
    let none = Value::Array(Vec::new());
    let merge_conflicts = merge_conflicts.unwrap_or(&none);
    let body = ErrorBody { code, message, diagnostics, merge_conflicts };
    let mut out = anstream::stderr().lock();
    let written =
        serde_json::to_writer(&mut out, &ErrorDocument { error: body }).map_err(std::io::Error::from);
    let _ = written.and_then(|()| writeln!(out)); // nobody is left to tell
}
