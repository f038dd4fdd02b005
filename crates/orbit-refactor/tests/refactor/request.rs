//! What can be asked for in a case, and what is said about it.

use crate::fixture::{BLANK_LINE, NO_LINE_END};
use crate::repo::{Repo, select};
use orbit_refactor::{Doubts, Entry, Part, Plan, Refactor, RefactorError, RenameOptions};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Does what a request says; returns the report and every file that changed, or the refusal.
pub(crate) fn run(repo: &Repo, request: &str, text: &str) -> String {
    let before = repo.tree();
    let told = perform(repo, request, text);
    let is_refused = told.is_err();
    let mut out = told.unwrap_or_else(|error| refusal(&error));
    let changed = changes(&before, &repo.tree());
    assert!(!is_refused || changed.is_empty(), "a refusal changes nothing: {out}{changed}");
    out.push_str(&changed);
    out
}

fn perform(repo: &Repo, request: &str, text: &str) -> Result<String, RefactorError> {
    let (options, words): (Vec<&str>, Vec<&str>) =
        request.split(' ').partition(|word| word.starts_with("--"));
    let has = |option: &str| options.contains(&option);
    let line = words.join(" ");
    let (verb, rest) = line.split_once(' ').unwrap_or((&line, ""));
    match verb {
        "write" => {
            repo.write(rest, text);
            return Ok(String::new());
        }
        "undo" => return repo.open().undo().map(|step| format!("taken back: {}\n", step.title)),
        _ => {}
    }
    let refactor = repo.open();
    let force = has("--force");
    let plan = match verb {
        "rename" => {
            let (selector, name) = rest.rsplit_once(" to ").expect("rename … to …");
            let options = RenameOptions {
                doubts: match (has("--include-fuzzy"), has("--skip-fuzzy")) {
                    (true, _) => Doubts::Change,
                    (_, true) => Doubts::Leave,
                    _ => Doubts::Refuse,
                },
                allow_derived: has("--allow-derived"),
                comments: has("--comments"),
            };
            refactor.rename(&select(selector), name, options)
        }
        "move" => {
            let (selector, file) = rest.rsplit_once(" to ").expect("move … to …");
            refactor.relocate(&select(selector), file)
        }
        "change-body" => refactor.change_body(&select(rest), text),
        "change-signature" => refactor.change_signature(&select(rest), text),
        "delete" => refactor.delete(&select(rest), force),
        "create" => create(&refactor, rest, text),
        "split" => refactor.split(&select(rest), &parts(text), force),
        "merge" => {
            let selectors: Vec<_> = rest.split(" and ").map(select).collect();
            refactor.merge(&selectors, &parts(text)[0], force)
        }
        _ => panic!("nobody knows how to {verb}"),
    }?;
    refactor.apply(&plan, has("--allow-dirty"))?;
    Ok(report(&plan))
}

/// `create FILE NAME [KIND]`.
fn create(refactor: &Refactor, rest: &str, text: &str) -> Result<Plan, RefactorError> {
    let words: Vec<&str> = rest.split(' ').collect();
    let [file, name, kind @ ..] = &words[..] else { panic!("create FILE NAME [KIND]") };
    refactor.create(file, name, kind.first().copied(), text)
}

/// Lines `= NAME [FILE]`, each with a definition below it.
fn parts(text: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some(head) = line.strip_prefix("= ") {
            let (name, file) =
                head.trim_end().split_once(' ').map_or((head.trim_end(), None), |(a, b)| (a, Some(b)));
            let (name, file) = (name.to_owned(), file.map(str::to_owned));
            parts.push(Part { file, name, kind: None, body: String::new() });
        } else if let Some(part) = parts.last_mut() {
            part.body.push_str(line);
        }
    }
    parts
}

/// What became of other symbols than the one that was asked for, and what a person should look at.
fn report(plan: &Plan) -> String {
    let mut out = String::new();
    for entry in &plan.entries {
        let others: Vec<String> = match entry {
            Entry::Rename { pre, .. } | Entry::Move { pre, .. } => vec![pre],
            Entry::Split { post, .. } => post.iter().collect(),
            Entry::Merge { pre, .. } => pre.iter().skip(1).collect(),
            _ => Vec::new(),
        }
        .into_iter()
        .map(ToString::to_string)
        .filter(|selector| *selector != plan.subject)
        .collect();
        for other in others {
            let _ = writeln!(out, "{}: {other}", entry.name());
        }
    }
    for place in &plan.review {
        let what = if place.edited { "changed" } else { "kept" };
        let _ = writeln!(out, "{what}: {}:{}: {}", place.file, place.line, place.reason);
    }
    out
}

fn refusal(error: &RefactorError) -> String {
    let mut out = format!("refused: {}: {error}\n", error.code());
    for place in error.places() {
        let _ = writeln!(out, "  {place}");
    }
    if let Some(hint) = error.hint() {
        let _ = writeln!(out, "  hint: {hint}");
    }
    out
}

/// Every file that is not what it was.
fn changes(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> String {
    let mut out = String::new();
    for path in before.keys().filter(|path| !after.contains_key(*path)) {
        let _ = writeln!(out, "gone: {path}");
    }
    for (path, text) in after.iter().filter(|(path, text)| before.get(*path) != Some(*text)) {
        out.push_str(&shown(path, text));
    }
    out
}

/// A file as [`crate::fixture::files`] reads it back.
fn shown(path: &str, text: &str) -> String {
    let lines = text.trim_end_matches('\n');
    let ends = text.len() - lines.len();
    let note = match (lines, ends) {
        ("", ends) => format!("{BLANK_LINE}\n").repeat(ends),
        (_, 0) => format!("\n{NO_LINE_END}\n"),
        (_, ends) => format!("\n{}", format!("{BLANK_LINE}\n").repeat(ends - 1)),
    };
    format!("==> {path}\n{lines}{note}")
}

#[test]
fn what_is_shown_is_read_back() {
    for text in ["", "a\n", "a", "a\n\n\n", "\n", "a\n\nb\r\n"] {
        let all = format!("about\n{}{}\n\n", shown("x/y.py", text), shown("z", "z\n"));
        let expected = [("x/y.py".to_owned(), text.to_owned()), ("z".to_owned(), "z\n".to_owned())];
        assert_eq!(crate::fixture::files(&all), expected, "{all}");
    }
}
