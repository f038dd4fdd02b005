//! Projects, features and tasks for people.

use super::buffered;
use super::table::Table;
use super::text::printable;
use crate::failure::Failure;
use owo_colors::OwoColorize;
use serde_json::Value;
use std::io::Write;

/// The first part of an id: enough to name it again.
pub(super) fn short(value: &Value) -> String {
    value.as_str().unwrap_or_default().chars().take(8).collect()
}

pub(super) fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn name(it: &Value) -> String {
    word(if it["title"].is_null() { &it["name"] } else { &it["title"] })
}

/// What holds it up, in one word.
fn mark(it: &Value) -> String {
    let blockers = it["blockedBy"].as_array().map_or(0, Vec::len);
    let claim = it["claim"]["actor"].as_str();
    match (blockers, claim) {
        (0, None) => String::new(),
        (0, Some(actor)) => format!("claimed by {actor}"),
        (count, _) => format!("blocked by {count}"),
    }
}

fn row(it: &Value) -> Vec<String> {
    vec![short(&it["id"]), word(&it["status"]), word(&it["priority"]), name(it), mark(it)]
}

/// One line about something that was made or found.
pub(crate) fn made(it: &Value) -> Result<(), Failure> {
    let state = if it["status"].is_null() { String::new() } else { format!(" {}", word(&it["status"])) };
    let mark = mark(it);
    let mark = if mark.is_empty() { mark } else { format!(" ({mark})") };
    super::line(&format!("{}{state} {}{mark}", word(&it["id"]), printable(&name(it))))
}

pub(crate) fn list(data: &Value, kind: &str) -> Result<(), Failure> {
    let mut out = buffered();
    let items = data["items"].as_array().cloned().unwrap_or_default();
    if kind == "project" {
        let mut table = Table::new(&["id", "name", "summary"]);
        for it in &items {
            table.push(vec![short(&it["id"]), name(it), word(&it["summary"])]);
        }
        table.print(&mut out)?;
    } else {
        let mut table = Table::new(&["id", "status", "priority", "title", ""]);
        for it in &items {
            table.push(row(it));
        }
        table.print(&mut out)?;
    }
    let total = data["total"].as_u64().unwrap_or(0);
    if total > items.len() as u64 {
        writeln!(out, "({} of {total}; raise --limit or give --offset)", items.len())?;
    }
    out.flush()?;
    Ok(())
}

pub(crate) fn show(data: &Value, kind: &str) -> Result<(), Failure> {
    let mut out = buffered();
    let it = &data[kind];
    writeln!(out, "{}", printable(&name(it)).bold())?;
    for key in
        ["id", "status", "priority", "complexity", "version", "projectId", "featureId", "blockedReason"]
    {
        if !it[key].is_null() {
            writeln!(out, "{key}: {}", printable(&word(&it[key])))?;
        }
    }
    let tags: Vec<String> = it["tags"].as_array().into_iter().flatten().map(word).collect();
    if !tags.is_empty() {
        writeln!(out, "tags: {}", tags.join(", "))?;
    }
    for blocker in it["blockedBy"].as_array().into_iter().flatten() {
        writeln!(out, "blocked by: {}", word(blocker))?;
    }
    if let Some(counts) = data["taskCounts"]["byStatus"].as_object() {
        let counts: Vec<String> = counts.iter().map(|(status, count)| format!("{count} {status}")).collect();
        writeln!(out, "tasks: {}", if counts.is_empty() { "none".into() } else { counts.join(", ") })?;
    }
    for text in ["summary", "description"].map(|key| word(&it[key])).iter().filter(|text| !text.is_empty()) {
        writeln!(out, "\n{text}")?;
    }
    for section in data["sections"].as_array().into_iter().flatten() {
        writeln!(
            out,
            "\n{}\n{}",
            format!("## {}", word(&section["title"])).bold(),
            word(&section["content"]).trim_end()
        )?;
    }
    if data.get("graphContext").is_some() {
        writeln!(out)?;
        super::knowledge::write_context(&mut out, &data["graphContext"])?;
    }
    let moves = data["transitions"].as_array().cloned().unwrap_or_default();
    if !moves.is_empty() {
        writeln!(out)?;
    }
    for step in &moves {
        let who = step["actor"].as_str().map(|actor| format!(" by {actor}")).unwrap_or_default();
        let why = step["reason"].as_str().map(|reason| format!(": {reason}")).unwrap_or_default();
        writeln!(out, "{} {} → {}{who}{why}", word(&step["at"]), word(&step["from"]), word(&step["to"]))?;
    }
    out.flush()?;
    Ok(())
}

pub(crate) fn board(board: &Value) -> Result<(), Failure> {
    let mut out = buffered();
    writeln!(out, "{}", printable(&word(&board["project"]["name"])).bold())?;
    for column in board["columns"].as_array().into_iter().flatten() {
        let total = column["total"].as_u64().unwrap_or(0);
        let tasks = column["tasks"].as_array().cloned().unwrap_or_default();
        if total == 0 && column["status"] == "WILL_NOT_IMPLEMENT" {
            continue;
        }
        writeln!(out, "\n{} {total}", word(&column["status"]).bold())?;
        for it in &tasks {
            let mark = mark(it);
            let mark = if mark.is_empty() { mark } else { format!(" ({mark})") };
            writeln!(
                out,
                "  {} {:<6} {}{mark}",
                short(&it["id"]),
                word(&it["priority"]),
                printable(&name(it))
            )?;
        }
        if total > tasks.len() as u64 {
            writeln!(out, "  … {} more", total - tasks.len() as u64)?;
        }
    }
    out.flush()?;
    Ok(())
}

/// What a closed task should leave behind.
pub(crate) fn hints(hints: &Value) -> Result<(), Failure> {
    if hints.is_null() {
        return Ok(());
    }
    let mut out = buffered();
    writeln!(out, "{}", word(&hints["message"]))?;
    for atom in hints["affectedAtoms"].as_array().into_iter().flatten() {
        writeln!(
            out,
            "  {} atom {} \"{}\"",
            word(&atom["freshness"]),
            short(&atom["atomId"]),
            word(&atom["name"])
        )?;
        for cause in atom["because"].as_array().into_iter().flatten().take(3) {
            writeln!(out, "    {}", printable(&word(&cause["selector"])))?;
        }
    }
    for path in hints["uncoveredPaths"].as_array().into_iter().flatten() {
        writeln!(out, "  not covered {}", printable(&word(path)))?;
    }
    out.flush()?;
    Ok(())
}
