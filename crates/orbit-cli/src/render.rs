//! The only code that writes to the terminal.

pub(crate) mod knowledge;
pub(crate) mod progress;
pub(crate) mod rows;
mod table;
pub(crate) mod text;
pub(crate) mod work;

use crate::failure::Failure;
use serde::Serialize;
use std::io::{BufWriter, Write};
use std::process::ExitCode;

/// Standard output, buffered. Colours are dropped when it is not a terminal.
pub(crate) fn buffered() -> impl Write {
    BufWriter::with_capacity(1 << 16, anstream::stdout().lock())
}

/// One JSON document on standard output.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    let mut out = buffered();
    serde_json::to_writer(&mut out, value).map_err(std::io::Error::from)?;
    out.write_all(b"\n")?;
    out.flush()?;
    Ok(())
}

/// One line on standard output.
pub(crate) fn line(text: &str) -> Result<(), Failure> {
    let mut out = buffered();
    writeln!(out, "{text}")?;
    out.flush()?;
    Ok(())
}

/// One line on standard error.
pub(crate) fn warning(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}"); // nobody is left to tell
}

#[derive(Serialize)]
struct ErrorDocument<'f> {
    error: ErrorBody<'f>,
}

#[derive(Serialize)]
struct ErrorBody<'f> {
    code: &'f str,
    message: &'f str,
    hint: Option<&'f str>,
    candidates: Option<&'f [String]>,
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
    let body = ErrorBody { code: "usage", message, hint: Some("see --help"), candidates: None };
    let mut out = anstream::stderr().lock();
    let written =
        serde_json::to_writer(&mut out, &ErrorDocument { error: body }).map_err(std::io::Error::from);
    let _ = written.and_then(|()| writeln!(out)); // nobody is left to tell
    ExitCode::from(2)
}

/// Says why a command failed, on standard error, and gives the exit code.
pub(crate) fn failure(failure: &Failure, as_json: bool) -> ExitCode {
    if failure.is_broken_pipe {
        return ExitCode::SUCCESS;
    }
    let (message, hint) = (failure.message.as_str(), failure.hint.as_deref());
    let mut out = anstream::stderr().lock();
    let written = if as_json {
        let body = ErrorBody {
            code: failure.code,
            message,
            hint,
            candidates: (!failure.candidates.is_empty()).then_some(&failure.candidates[..]),
        };
        serde_json::to_writer(&mut out, &ErrorDocument { error: body })
            .map_err(std::io::Error::from)
            .and_then(|()| writeln!(out))
    } else {
        let hint = hint.map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
        let mut text = format!("error: {message}{hint}\n");
        for candidate in &failure.candidates {
            text.push_str("  ");
            text.push_str(candidate);
            text.push('\n');
        }
        out.write_all(text.as_bytes())
    };
    drop(written); // nobody is left to tell
    ExitCode::FAILURE
}
