//! Whose row is taken where both sides of a merge changed it.

use crate::args::Sides;
use crate::failure::Failure;
use omnigraph_api::calls::resolution::{ResolutionInput, ResolvedOutput, SideChoice};
use serde::Deserialize;
use serde_json::Value;
use std::io::Read;
use std::path::Path;

/// What the options say: a side for all, and sides for single conflicts.
pub(super) fn read(sides: &Sides) -> Result<(Option<SideChoice>, Vec<ResolutionInput>), Failure> {
    let all = match (sides.ours, sides.theirs) {
        (true, _) => Some(SideChoice::Ours),
        (_, true) => Some(SideChoice::Theirs),
        (false, false) => None,
    };
    let listed = sides.resolve.as_deref().map(|path| listed(path, &text(path)?)).transpose()?;
    Ok((all, listed.unwrap_or_default()))
}

fn text(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let read = if path == Path::new("-") {
        std::io::stdin().lock().read_to_string(&mut text).map(drop)
    } else {
        std::fs::read_to_string(path).map(|read| text = read)
    };
    read.map_err(|error| Failure::file("read", path, &error))?;
    Ok(text)
}

/// A conflict with a side; what else a conflict has is for the reader.
#[derive(Deserialize)]
struct Listed {
    table_key: String,
    row_id: String,
    take: Option<SideChoice>,
}

/// The conflicts of a file: a list, an object a line, or what a failed merge prints as JSON.
fn listed(path: &Path, text: &str) -> Result<Vec<ResolutionInput>, Failure> {
    let wrong = |reason: String| {
        Failure::new("bad_request", format!("{}: {reason}", path.display())).hint(
            "each conflict is an object with `table_key`, `row_id` and `take`, which is `ours` or `theirs`; write them \
             as a list, or one a line",
        )
    };
    let mut found = Vec::new();
    for value in serde_json::Deserializer::from_str(text).into_iter::<Value>() {
        let value = value.map_err(|error| wrong(error.to_string()))?;
        let conflicts = value.pointer("/error/merge_conflicts").or_else(|| value.get("merge_conflicts"));
        match conflicts.cloned().unwrap_or(value) {
            Value::Array(all) => found.extend(all),
            one => found.push(one),
        }
    }
    let resolution = |(at, value): (usize, Value)| {
        let Listed { table_key, row_id, take } =
            serde_json::from_value(value).map_err(|error| wrong(format!("conflict {}: {error}", at + 1)))?;
        let take =
            take.ok_or_else(|| wrong(format!("conflict {} ({table_key}:{row_id}) has no `take`", at + 1)))?;
        Ok(ResolutionInput { table_key, row_id, take })
    };
    found.into_iter().enumerate().map(resolution).collect()
}

/// For the line that says what was done.
pub(super) fn taken(resolved: &[ResolvedOutput]) -> String {
    let count = |side| resolved.iter().filter(|resolved| resolved.take == side).count();
    let (ours, theirs) = (count(SideChoice::Ours), count(SideChoice::Theirs));
    let plural = if resolved.len() == 1 { "" } else { "s" };
    match (ours, theirs) {
        (0, 0) => String::new(),
        (_, 0) => format!("; {ours} conflict{plural} resolved as ours"),
        (0, _) => format!("; {theirs} conflict{plural} resolved as theirs"),
        _ => format!("; {} conflicts resolved, {ours} as ours, {theirs} as theirs", resolved.len()),
    }
}

#[cfg(test)]
mod tests {
    use super::listed;
    use std::path::Path;

    fn rows(text: &str) -> Result<Vec<String>, String> {
        let found = listed(Path::new("sides.json"), text).map_err(|failure| failure.fault.message.clone())?;
        Ok(found.iter().map(|one| format!("{}:{} {:?}", one.table_key, one.row_id, one.take)).collect())
    }

    #[test]
    fn lists_lines_and_printed_errors_are_read() {
        let one = r#"{"table_key":"node:Person","row_id":"Bob","kind":"divergent_update","take":"ours"}"#;
        let expected = Ok(vec!["node:Person:Bob Ours".to_owned()]);
        assert_eq!(rows(one), expected);
        assert_eq!(rows(&format!("[{one}]")), expected);
        assert_eq!(
            rows(&format!("{{\"error\":{{\"code\":\"merge_conflicts\",\"merge_conflicts\":[{one}]}}}}")),
            expected
        );
        assert_eq!(rows(&format!("{one}\n{one}\n")).map(|rows| rows.len()), Ok(2));
        assert_eq!(rows(""), Ok(Vec::new()));
    }

    #[test]
    fn a_conflict_without_a_side_is_named() {
        let text = r#"[{"table_key":"node:Person","row_id":"Bob"}]"#;
        assert_eq!(rows(text), Err("sides.json: conflict 1 (node:Person:Bob) has no `take`".to_owned()));
        assert!(
            rows(r#"[{"table_key":"a","row_id":"b","take":"mine"}]"#)
                .is_err_and(|error| error.contains("mine"))
        );
        assert!(rows("nonsense").is_err());
    }
}
