//! Answers without repetition: rows are grouped by what they share, so that a list of places costs fewer tokens
//! than the lines themselves would. `file` and `name` of an entry make its selector: `symbol:<file>#<name>`.

use orbit_graph::{
    Callees, Confidence, Impact, Implementors, Overview, Refs, SearchResult, Selector, Touched,
};
use serde_json::{Map, Value, json};

/// `{kind: {file: {symbol: [lines]}}}`: every line, nothing twice. Name matches stand apart as `fuzzy`. What the
/// answer is about is said unless the question said it to the letter.
pub(super) fn refs(answer: &Refs, asked: &Selector) -> Value {
    let mut refs = json!({});
    for row in &answer.refs {
        let group = match row.confidence {
            Confidence::FuzzyName => "fuzzy",
            Confidence::Dispatch => "dispatch",
            _ => row.kind,
        };
        add_line(&mut refs[group][&row.file][name(&row.from_selector)], row.line);
    }
    let mut relations = json!({});
    for row in &answer.relations {
        let from = row.from_selector.as_deref().map_or(row.from.as_str(), name);
        push(&mut relations[row.kind][&row.file], place(from, row.line, row.confidence));
    }
    let mut out = Map::new();
    let targets: Vec<&str> = answer.targets.iter().map(|target| target.selector.as_str()).collect();
    match targets[..] {
        [_] if matches!(asked, Selector::Symbol { .. }) => {}
        [one] => drop(out.insert("target".into(), json!(one))),
        _ => drop(out.insert("targets".into(), json!(targets))),
    }
    out.insert("refs".into(), refs);
    if !answer.relations.is_empty() {
        out.insert("relations".into(), relations);
    }
    let through: Map<String, Value> = answer
        .through
        .iter()
        .filter(|through| through.refs > 0)
        .map(|through| (through.selector.clone(), json!(through.refs)))
        .collect();
    if !through.is_empty() {
        out.insert("also_called_through".into(), Value::Object(through));
    }
    if answer.skipped_low_confidence > 0 {
        out.insert("skipped_low_confidence".into(), json!(answer.skipped_low_confidence));
    }
    finish(out, answer.truncated.then_some(answer.total), &answer.stale)
}

/// `{file of the callee: {callee: [lines of the calls]}}`; what is not of this repository under `?`.
pub(super) fn callees(answer: &Callees) -> Value {
    let mut callees = json!({});
    for row in &answer.callees {
        let file = row.file.as_deref().unwrap_or("?");
        let callee = row.selector.as_deref().map_or(row.target_name.as_str(), name);
        let callee = match row.overridden_by {
            0 => callee.to_owned(),
            count => format!("{callee} (+{count} overriding)"),
        };
        add_line(&mut callees[file][callee], row.line);
    }
    let mut out = Map::new();
    out.insert("selector".into(), json!(answer.selector));
    out.insert("callees".into(), callees);
    if answer.hidden_unresolved > 0 {
        out.insert("hidden_unresolved".into(), json!(answer.hidden_unresolved));
    }
    finish(out, answer.truncated.then_some(answer.total), &answer.stale)
}

/// `{distance: {file: ["symbol:line"]}}` for code and for tests.
pub(super) fn impact(answer: &Impact) -> Value {
    let mut out = Map::new();
    out.insert("start".into(), if let [one] = &answer.start[..] { json!(one) } else { json!(answer.start) });
    out.insert("touched".into(), by_distance(&answer.touched));
    if !answer.tests.is_empty() {
        out.insert("tests".into(), by_distance(&answer.tests));
    }
    if !answer.unmapped.is_empty() {
        out.insert("unmapped".into(), json!(answer.unmapped));
    }
    if answer.uncertain > 0 {
        out.insert("uncertain".into(), json!(answer.uncertain));
    }
    out.insert("complete".into(), json!(answer.complete));
    finish(out, answer.truncated.then_some(answer.total), &answer.stale)
}

fn by_distance(rows: &[Touched]) -> Value {
    let mut out = json!({});
    for row in rows {
        let list = &mut out[row.distance.to_string()][&row.file];
        push(list, place(name(&row.selector), row.line, row.confidence));
    }
    out
}

/// `{kind: {file: ["type:line"]}}`.
pub(super) fn implementors(answer: &Implementors) -> Value {
    let mut groups = json!({});
    for row in &answer.implementors {
        let of = row.selector.as_deref().map_or(row.type_qualified.as_str(), name);
        push(&mut groups[row.kind][&row.file], place(of, row.line, row.confidence));
    }
    let mut out = Map::new();
    out.insert("targets".into(), json!(answer.targets));
    out.insert("implementors".into(), groups);
    finish(out, answer.truncated.then_some(answer.total), &answer.stale)
}

/// Counts, and `{file: symbols}` or, in full, `{file: ["symbol:line"]}`.
pub(super) fn overview(answer: &Overview) -> Value {
    let mut files = json!({});
    for file in &answer.files {
        files[&file.path] = match &file.symbols {
            None => json!(file.symbol_count),
            Some(symbols) => symbols
                .iter()
                .map(|symbol| json!(format!("{}:{}", name(&symbol.selector), symbol.line)))
                .collect(),
        };
    }
    let mut out = Map::new();
    out.insert("scope".into(), json!(answer.scope));
    out.insert("total_files".into(), json!(answer.total_files));
    out.insert("total_symbols".into(), json!(answer.total_symbols));
    out.insert("languages".into(), json!(answer.languages));
    out.insert("symbol_kinds".into(), json!(answer.symbol_kinds));
    out.insert("files".into(), files);
    if answer.truncated {
        out.insert("truncated".into(), json!("the files with most symbols; ask for a dir: or format=full"));
    }
    Value::Object(out)
}

/// Rows without what their selector says already.
pub(super) fn search(answer: &SearchResult) -> Value {
    let rows = answer.matches.iter().map(|row| match row.value {
        Some(_) => json!({"kind": row.kind, "value": row.value, "path": row.path, "line": row.line}),
        None => json!({"selector": row.selector, "line": row.line, "signature": row.signature}),
    });
    let mut out = Map::new();
    out.insert("matches".into(), rows.collect());
    if !answer.did_you_mean.is_empty() {
        out.insert("did_you_mean".into(), json!(answer.did_you_mean));
    }
    if answer.truncated && answer.total.is_none() {
        out.insert("truncated".into(), json!("there are more: raise limit, or narrow the question"));
    }
    finish(out, answer.total.filter(|_| answer.truncated), &answer.stale)
}

/// `total` is given when not everything is shown.
fn finish(mut out: Map<String, Value>, total: Option<usize>, stale: &[String]) -> Value {
    if let Some(total) = total {
        out.insert("total".into(), json!(total));
        out.insert("truncated".into(), json!("raise limit to see all"));
    }
    if !stale.is_empty() {
        out.insert("stale".into(), json!(stale));
    }
    Value::Object(out)
}

/// The name in a selector; nothing for a file.
fn name(selector: &str) -> &str {
    match selector.split_once('#') {
        Some((_, symbol)) => symbol.rsplit_once(':').map_or(symbol, |(name, _)| name),
        None => "",
    }
}

/// Guesses carry a question mark.
fn place(name: &str, line: u32, confidence: Confidence) -> Value {
    let mark = match confidence {
        Confidence::FuzzyName => "?",
        Confidence::Dispatch => " dispatch",
        _ => "",
    };
    json!(format!("{name}:{line}{mark}"))
}

fn add_line(lines: &mut Value, line: u32) {
    let is_known = lines.as_array().is_some_and(|lines| lines.last() == Some(&json!(line)));
    if !is_known {
        push(lines, json!(line));
    }
}

fn push(list: &mut Value, item: Value) {
    match list {
        Value::Array(items) => items.push(item),
        other => *other = json!([item]),
    }
}
