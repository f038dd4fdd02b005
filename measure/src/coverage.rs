//! `cargo xtask coverage-fn`: of the functions that a reader of the text sees, how many the index has.

use crate::args::CoverageArgs;
use crate::programs;
use crate::scratch::{self, Source};
use orbit_graph::{Lang, SymbolKind};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use xtask::failure::{Context, Failure, fail};
use xtask::functions::functions;
use xtask::render;
use xtask::rust_text::mask;

/// A file and the name of a function in it.
type NamedFunction = (String, String);

/// Counts, lists what is missing, and ends with the share.
pub(crate) fn run(args: &CoverageArgs) -> Result<ExitCode, Failure> {
    let source = Source::at(&args.repo)?;
    let orbit = programs::orbit()?;
    let scratch = scratch::dir()?;
    let copy = scratch.path().join("copy");
    source.copy(&copy)?;
    let textual = textual(&copy)?;
    let indexed = indexed(&orbit, &copy)?;
    let missing: Vec<(&NamedFunction, &usize)> =
        textual.iter().filter(|(place, _)| !indexed.contains(place)).collect();
    for ((path, name), line) in &missing {
        render::line(format!("{path}:{line} fn {name}"));
    }
    let found = textual.len() - missing.len();
    let share = if textual.is_empty() { 100.0 } else { 100.0 * found as f64 / textual.len() as f64 };
    let total = textual.len();
    render::line(format!("{}: {found} of {total} textual functions indexed, {share:.2} %", source.title()));
    Ok(ExitCode::SUCCESS)
}

/// Every `fn name` outside of comments and strings, with the first line it stands on.
fn textual(root: &Path) -> Result<BTreeMap<NamedFunction, usize>, Failure> {
    let mut places = BTreeMap::new();
    for (path, lang) in orbit_graph::indexable_files(root, 1)? {
        if lang != Lang::Rust {
            continue;
        }
        let Ok(text) = std::fs::read_to_string(root.join(&path)) else { continue }; // skipped by a sync too
        for function in functions(&mask(&text)) {
            places.entry((path.clone(), function.name.to_owned())).or_insert(function.line);
        }
    }
    Ok(places)
}

#[derive(Deserialize)]
struct Symbol {
    file: String,
    name: String,
    kind: String,
}

/// The functions that `orbit graph export` tells of.
fn indexed(orbit: &Path, root: &Path) -> Result<BTreeSet<NamedFunction>, Failure> {
    let mut command = Command::new(orbit);
    command.args(["graph", "export", "--sync", "-C"]).arg(root).stdout(Stdio::piped());
    let mut child = command.spawn().context("orbit")?;
    let stdout = child.stdout.take().ok_or_else(|| fail("no output of orbit"))?;
    let mut places = BTreeSet::new();
    for line in BufReader::new(stdout).lines() {
        let line = line?;
        if !line.starts_with(r#"{"type":"symbol""#) {
            continue;
        }
        let symbol: Symbol = serde_json::from_str(&line).context("orbit graph export")?;
        if SymbolKind::parse(&symbol.kind).is_some_and(SymbolKind::is_callable) {
            places.insert((symbol.file, symbol.name));
        }
    }
    if child.wait()?.success() { Ok(places) } else { Err(fail("orbit graph export failed")) }
}
