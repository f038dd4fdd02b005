//! Molecules and atoms for people.

use super::buffered;
use super::table::Table;
use super::text::printable;
use super::work::{short, word};
use crate::failure::Failure;
use owo_colors::OwoColorize;
use serde_json::Value;
use std::fmt::Write as _;
use std::io::Write;

/// One line about what was made.
pub(crate) fn made(it: &Value) -> Result<(), Failure> {
    let fresh = it["freshness"].as_str().map(|word| format!(" ({word})")).unwrap_or_default();
    super::line(&format!("{} {}{fresh}", word(&it["id"]), printable(&word(&it["name"]))))
}

fn texts(list: &Value) -> String {
    list.as_array().into_iter().flatten().map(word).collect::<Vec<_>>().join(", ")
}

pub(crate) fn list(data: &Value) -> Result<(), Failure> {
    let mut out = buffered();
    let items = data["items"].as_array().cloned().unwrap_or_default();
    let is_atoms = items.first().is_some_and(|it| it.get("paths").is_some());
    let head: &[&str] = if is_atoms { &["id", "freshness", "name", "paths"] } else { &["id", "name"] };
    let mut table = Table::new(head);
    for it in &items {
        let mut row = vec![short(&it["id"])];
        if is_atoms {
            row.push(word(&it["freshness"]));
        }
        row.push(word(&it["name"]));
        if is_atoms {
            row.push(texts(&it["paths"]));
        }
        table.push(row);
    }
    table.print(&mut out)?;
    let total = data["total"].as_u64().unwrap_or(0);
    if total > items.len() as u64 {
        writeln!(out, "({} of {total}; raise --limit or give --offset)", items.len())?;
    }
    out.flush()?;
    Ok(())
}

/// Why an atom is not fresh, and what moved.
fn write_doubt(out: &mut impl Write, atom: &Value) -> Result<(), Failure> {
    for cause in atom["because"].as_array().into_iter().flatten() {
        let mut line = format!("  {} {}", word(&cause["freshness"]), printable(&word(&cause["selector"])));
        let commits: Vec<String> = cause["commits"].as_array().into_iter().flatten().map(short).collect();
        if !commits.is_empty() {
            let _ = write!(line, " in {}", commits.join(", "));
        }
        if cause["uncommitted"] == true {
            line.push_str(" (not committed)");
        }
        let tasks = texts(&cause["taskIds"]);
        if !tasks.is_empty() {
            let _ = write!(line, " for {tasks}");
        }
        let candidates = texts(&cause["candidates"]);
        if !candidates.is_empty() {
            let _ = write!(line, "; may be {candidates}");
        }
        writeln!(out, "{line}")?;
    }
    if let Some(more) = atom["moreCauses"].as_u64() {
        writeln!(out, "  … {more} more")?;
    }
    for step in atom["moved"].as_array().into_iter().flatten() {
        let (from, to) = (printable(&word(&step["from"])), printable(&word(&step["to"])));
        writeln!(out, "  moved {from} → {to} ({})", word(&step["knownBy"]))?;
    }
    let proposed = texts(&atom["proposedPaths"]);
    if !proposed.is_empty() {
        writeln!(out, "  proposed paths: {proposed}")?;
    }
    if let Some(why) = atom["notCheckedBecause"].as_str() {
        writeln!(out, "  not checked: {why}")?;
    }
    Ok(())
}

fn write_atom(out: &mut impl Write, atom: &Value, with_paths: bool) -> Result<(), Failure> {
    let name = printable(&word(&atom["name"]));
    writeln!(out, "{} [{}] {}", format!("### {name}").bold(), word(&atom["freshness"]), short(&atom["id"]))?;
    let covered = texts(&atom["matchedPaths"]);
    if with_paths && !covered.is_empty() {
        writeln!(out, "  covers {covered}")?;
    }
    write_doubt(out, atom)?;
    let knowledge = word(&atom["knowledge"]);
    if !knowledge.is_empty() {
        writeln!(out, "{}", knowledge.trim_end())?;
    }
    for entry in atom["relatedAtoms"].as_array().into_iter().flatten() {
        let other = entry["name"].as_str().map_or_else(|| short(&entry["atomId"]), str::to_owned);
        writeln!(out, "  related {}: {}", printable(&other), word(&entry["reason"]))?;
    }
    Ok(())
}

pub(crate) fn write_context(out: &mut impl Write, data: &Value) -> Result<(), Failure> {
    for molecule in data["molecules"].as_array().into_iter().flatten() {
        writeln!(out, "{}", format!("## {}", printable(&word(&molecule["name"]))).bold())?;
        let knowledge = word(&molecule["knowledge"]);
        if !knowledge.is_empty() {
            writeln!(out, "{}", knowledge.trim_end())?;
        }
        for atom in molecule["atoms"].as_array().into_iter().flatten() {
            write_atom(out, atom, true)?;
        }
    }
    for atom in data["orphanAtoms"].as_array().into_iter().flatten() {
        write_atom(out, atom, true)?;
    }
    for path in data["unmatchedPaths"].as_array().into_iter().flatten() {
        writeln!(out, "not covered {}", printable(&word(path)))?;
    }
    Ok(())
}

pub(crate) fn context(data: &Value) -> Result<(), Failure> {
    let mut out = buffered();
    for row in data["digest"].as_array().into_iter().flatten() {
        let away = row["distance"].as_u64().filter(|away| *away > 0);
        let away = away.map(|away| format!(", {away} calls away")).unwrap_or_default();
        writeln!(
            out,
            "{} {} [{}{away}]",
            short(&row["atomId"]),
            printable(&word(&row["name"])),
            word(&row["freshness"])
        )?;
    }
    write_context(&mut out, data)?;
    if let Some(atoms) = data["omitted"]["atoms"].as_u64() {
        writeln!(out, "({atoms} atoms left out; raise --max-tokens)")?;
    }
    out.flush()?;
    Ok(())
}

pub(crate) fn show(data: &Value, unit: &str) -> Result<(), Failure> {
    let mut out = buffered();
    let it = &data[unit];
    if unit == "atom" {
        write_atom(&mut out, it, false)?;
        writeln!(out, "paths: {}", texts(&it["paths"]))?;
        let anchors = texts(&it["anchors"]);
        if !anchors.is_empty() {
            writeln!(out, "anchors: {anchors}")?;
        }
        if it["status"] == "proposed" {
            writeln!(out, "status: proposed")?;
        }
    } else {
        writeln!(
            out,
            "{} {}\n{}",
            printable(&word(&it["name"])).bold(),
            short(&it["id"]),
            word(&it["knowledge"]).trim_end()
        )?;
        for atom in data["atoms"].as_array().into_iter().flatten() {
            write_atom(&mut out, atom, false)?;
        }
    }
    writeln!(out, "version: {}", it["version"])?;
    write_changelog(&mut out, &data["changelog"])?;
    out.flush()?;
    Ok(())
}

fn write_changelog(out: &mut impl Write, entries: &Value) -> Result<(), Failure> {
    for entry in entries.as_array().into_iter().flatten() {
        writeln!(
            out,
            "{} {} {}",
            word(&entry["createdAt"]),
            short(&entry["taskId"]),
            word(&entry["summary"])
        )?;
    }
    Ok(())
}

pub(crate) fn changelog(data: &Value) -> Result<(), Failure> {
    let mut out = buffered();
    write_changelog(&mut out, &data["entries"])?;
    out.flush()?;
    Ok(())
}

/// What an import did.
pub(crate) fn imported(data: &Value) -> Result<(), Failure> {
    let mut out = buffered();
    writeln!(
        out,
        "{} created, {} changed, {} as they were",
        data["created"], data["changed"], data["unchanged"]
    )?;
    for name in data["conflicts"].as_array().into_iter().flatten() {
        writeln!(out, "left \"{}\": it was written here since; export, merge, import again", word(name))?;
    }
    for name in data["withoutFile"].as_array().into_iter().flatten() {
        writeln!(out, "left \"{}\": no file has it", word(name))?;
    }
    out.flush()?;
    Ok(())
}

pub(crate) fn coverage(data: &Value) -> Result<(), Failure> {
    let mut out = buffered();
    let mut table = Table::new(&["", "total", "covered", "fresh"]);
    let percent = |value: &Value| format!("{:.1} %", value.as_f64().unwrap_or(0.0) * 100.0);
    for key in ["files", "symbols", "churn"] {
        let it = &data[key];
        table.push(vec![
            key.into(),
            word(&it["total"]),
            percent(&it["coveredShare"]),
            percent(&it["freshShare"]),
        ]);
    }
    table.print(&mut out)?;
    let worklist = data["worklist"].as_array().cloned().unwrap_or_default();
    if !worklist.is_empty() {
        writeln!(out)?;
        let mut table = Table::new(&["missed at", "files", "symbols", "commits", "importers", "asked"]);
        for it in &worklist {
            let keys = ["area", "files", "symbols", "churn", "fanIn", "asked"];
            table.push(keys.iter().map(|key| word(&it[*key])).collect());
        }
        table.print(&mut out)?;
    }
    for it in data["deadGlobs"].as_array().into_iter().flatten() {
        writeln!(out, "matches nothing: {} of \"{}\"", printable(&word(&it["glob"])), word(&it["name"]))?;
    }
    for it in data["overlaps"].as_array().into_iter().flatten() {
        let (one, other) = (word(&it["atoms"][0]["name"]), word(&it["atoms"][1]["name"]));
        writeln!(out, "\"{one}\" and \"{other}\" share {} files", it["files"])?;
    }
    out.flush()?;
    Ok(())
}

pub(crate) fn suggestions(data: &Value) -> Result<(), Failure> {
    let mut out = buffered();
    for draft in data["suggestions"].as_array().into_iter().flatten() {
        let because = &draft["because"];
        writeln!(
            out,
            "{} ({} files, {} imports, {} commits)",
            printable(&word(&draft["name"])).bold(),
            because["files"],
            because["imports"],
            because["commits"]
        )?;
        writeln!(out, "  {}", printable(&texts(&draft["arguments"]["paths"])))?;
    }
    for atom in data["created"].as_array().into_iter().flatten() {
        writeln!(out, "proposed {} \"{}\"", short(&atom["id"]), word(&atom["name"]))?;
    }
    if data["count"] == 0 {
        writeln!(out, "nothing that hangs together is left without an atom")?;
    }
    out.flush()?;
    Ok(())
}

/// What became of anchors.
pub(crate) fn followed(data: &Value) -> Result<(), Failure> {
    let mut out = buffered();
    let atoms = data["atoms"].as_array().cloned().unwrap_or_default();
    if atoms.is_empty() {
        writeln!(out, "every anchor is where it was")?;
    }
    for atom in &atoms {
        let done = if atom["rewritten"] == true { "followed" } else { "left" };
        writeln!(
            out,
            "{done} {} \"{}\" [{}]",
            short(&atom["atomId"]),
            word(&atom["name"]),
            word(&atom["freshness"])
        )?;
        write_doubt(&mut out, atom)?;
    }
    out.flush()?;
    Ok(())
}
