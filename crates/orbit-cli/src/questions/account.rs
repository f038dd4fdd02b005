//! The account that closes an answer about uses: in text one line, for agents one small object.

use crate::render::text::{printable, some};
use orbit_graph::Account;
use serde_json::{Map, Value, json};

/// `12 uses · 3 uncertain, below · 40 mean something else · 5 in comments and strings · nothing unread`.
pub(super) fn sentence(account: &Account, name: &str, listed: usize) -> String {
    let mut parts = vec![some(account.here, "use")];
    match account.uncertain {
        0 => {}
        n if n <= listed => parts.push(format!("{n} uncertain, below")),
        n if listed > 0 => parts.push(format!("{n} uncertain, {listed} of them below")),
        n => parts.push(format!("{n} uncertain (--confidence fuzzy)")),
    }
    if account.elsewhere > 0 {
        let most = account.others.first().map_or(String::new(), |other| {
            format!(", most to {} ({})", printable(&other.selector), other.uses)
        });
        parts.push(format!("{} belong to other meanings of {name}{most}", account.elsewhere));
    }
    if account.text > 0 {
        parts.push(format!("{} in comments and strings", account.text));
    }
    parts.push(match account.unread {
        0 if !account.unread_files.is_empty() => "a file cannot be looked into".to_owned(),
        0 => "nothing unread".to_owned(),
        n => {
            let files = account.unread_files.iter().take(3);
            let files =
                files.map(|file| format!("{} ({})", printable(&file.file), file.reason.replace('_', " ")));
            format!("{n} in code that cannot be read: {}", files.collect::<Vec<_>>().join(", "))
        }
    });
    let end = if account.complete { " · complete" } else { "" };
    parts.join(" · ") + end
}

/// What is not zero, `complete` first.
pub(super) fn compact(account: &Account) -> Value {
    let mut out = Map::new();
    out.insert("complete".into(), json!(account.complete));
    let counts = [
        ("here", account.here),
        ("uncertain", account.uncertain),
        ("elsewhere", account.elsewhere),
        ("text", account.text),
        ("unread", account.unread),
    ];
    for (name, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
        out.insert(name.into(), json!(count));
    }
    if !account.unread_files.is_empty() {
        let files = account.unread_files.iter().map(|file| (file.file.clone(), json!(file.reason)));
        out.insert("unread_files".into(), Value::Object(files.take(5).collect()));
    }
    Value::Object(out)
}

/// What keeps an answer from being complete.
pub(super) fn compact_open(account: &Account) -> Value {
    open(account.complete, account.uncertain, account.unread)
}

/// `complete`, and the counts that are not zero.
pub(super) fn open(complete: bool, uncertain: usize, unread: usize) -> Value {
    let mut out = Map::new();
    out.insert("complete".into(), json!(complete));
    for (name, count) in [("uncertain", uncertain), ("unread", unread)] {
        if count > 0 {
            out.insert(name.into(), json!(count));
        }
    }
    Value::Object(out)
}
