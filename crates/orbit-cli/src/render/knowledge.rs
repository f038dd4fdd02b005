//! Molecules and atoms for people.

use super::buffered;
use super::table::Table;
use super::text::printable;
use super::work::{beginning, short, write_rest};
use crate::failure::Failure;
use orbit_knowledge::{
    Atom, AtomContext, AtomFinding, AtomView, ChangelogEntry, CheckedAtom, Context, ContextAnswer, Coverage,
    CoveredShare, Followed, GraphAnswer, Imported, Listed, MoleculeView, Standing, Suggestions, UnitChange,
};
use owo_colors::OwoColorize;
use std::fmt::Write as _;
use std::io::Write;

/// One line about what was made.
pub(crate) fn made(change: &UnitChange) -> Result<(), Failure> {
    let (id, name, fresh) = match change {
        UnitChange::Atom { atom } => (atom.atom.id, &atom.atom.name, freshness(atom.finding.as_ref())),
        UnitChange::Molecule { molecule } => (molecule.id, &molecule.name, ""),
    };
    let fresh = if fresh.is_empty() { String::new() } else { format!(" ({fresh})") };
    super::line(&format!("{id} {}{fresh}", printable(name)))
}

/// The word for how an atom stands; empty when nobody was asked.
fn freshness(finding: Option<&AtomFinding>) -> &'static str {
    finding.map_or("", |finding| finding.freshness.word())
}

/// Whatever `query_graph` found.
pub(crate) fn answer(data: &GraphAnswer) -> Result<(), Failure> {
    match data {
        GraphAnswer::Atom(view) => atom(view),
        GraphAnswer::Molecule(view) => molecule(view),
        GraphAnswer::Atoms(page) => atoms(page),
        GraphAnswer::Molecules(page) => {
            let rows = page.items.iter().map(|it| vec![short(it.molecule.id), it.molecule.name.clone()]);
            list(&["id", "name"], rows, page)
        }
        GraphAnswer::Context(data) => context(data),
        GraphAnswer::Coverage(data) => coverage(data),
        GraphAnswer::Suggestions(drafts) => suggestions(drafts, &[]),
    }
}

fn atoms(page: &Listed<CheckedAtom>) -> Result<(), Failure> {
    if page.items.is_empty() {
        return list(&["id", "name"], [].into_iter(), page);
    }
    let row = |it: &CheckedAtom| {
        let word = freshness(it.finding.as_ref()).to_owned();
        vec![short(it.atom.id), word, it.atom.name.clone(), it.atom.paths.join(", ")]
    };
    list(&["id", "freshness", "name", "paths"], page.items.iter().map(row), page)
}

fn list<T>(head: &[&str], rows: impl Iterator<Item = Vec<String>>, page: &Listed<T>) -> Result<(), Failure> {
    let mut out = buffered();
    let mut table = Table::new(head);
    rows.for_each(|row| table.push(row));
    table.print(&mut out)?;
    write_rest(&mut out, page)?;
    out.flush()?;
    Ok(())
}

/// Why an atom is not fresh, and what moved.
fn write_doubt(out: &mut impl Write, finding: &AtomFinding) -> Result<(), Failure> {
    for cause in &finding.because {
        let mut line = format!("  {} {}", cause.freshness.word(), printable(&cause.selector));
        let commits: Vec<String> = cause.commits.iter().map(|commit| beginning(commit)).collect();
        if !commits.is_empty() {
            let _ = write!(line, " in {}", commits.join(", "));
        }
        if cause.is_uncommitted {
            line.push_str(" (not committed)");
        }
        if !cause.task_ids.is_empty() {
            let _ = write!(line, " for {}", cause.task_ids.join(", "));
        }
        if !cause.candidates.is_empty() {
            let _ = write!(line, "; may be {}", cause.candidates.join(", "));
        }
        writeln!(out, "{line}")?;
    }
    if let Some(more) = finding.more_causes {
        writeln!(out, "  … {more} more")?;
    }
    for step in &finding.moved {
        writeln!(
            out,
            "  moved {} → {} ({})",
            printable(&step.from),
            printable(&step.to),
            step.known_by.word()
        )?;
    }
    for it in &finding.cited {
        let now =
            it.now.as_deref().map_or("gone, or unclear".to_owned(), |now| format!("now {}", printable(now)));
        let how = if it.is_changed { ", and changed" } else { "" };
        writeln!(out, "  cites {}: {now}{how}", printable(&it.cited))?;
    }
    if !finding.proposed_paths.is_empty() {
        writeln!(out, "  proposed paths: {}", finding.proposed_paths.join(", "))?;
    }
    if let Some(why) = &finding.not_checked_because {
        writeln!(out, "  not checked: {why}")?;
    }
    Ok(())
}

/// An atom, the paths of the question that it covers, and what it relates to.
fn write_atom(
    out: &mut impl Write,
    atom: &Atom,
    finding: Option<&AtomFinding>,
    covered: &[String],
    related: &[(String, &str)],
) -> Result<(), Failure> {
    let name = format!("### {}", printable(&atom.name));
    writeln!(out, "{} [{}] {}", name.bold(), freshness(finding), short(atom.id))?;
    if !covered.is_empty() {
        writeln!(out, "  covers {}", covered.join(", "))?;
    }
    if let Some(finding) = finding {
        write_doubt(out, finding)?;
    }
    if !atom.knowledge.is_empty() {
        writeln!(out, "{}", atom.knowledge.trim_end())?;
    }
    for (other, reason) in related {
        writeln!(out, "  related {}: {reason}", printable(other))?;
    }
    Ok(())
}

fn write_known(out: &mut impl Write, it: &AtomContext) -> Result<(), Failure> {
    let related: Vec<(String, &str)> = it
        .related
        .iter()
        .map(|other| (other.name.clone().unwrap_or_else(|| short(other.id)), other.reason.as_str()))
        .collect();
    write_atom(out, &it.atom, it.finding.as_ref(), &it.matched_paths, &related)
}

fn write_checked(out: &mut impl Write, it: &CheckedAtom) -> Result<(), Failure> {
    let related = it.atom.related.iter();
    let related: Vec<(String, &str)> =
        related.map(|other| (short(other.id), other.reason.as_str())).collect();
    write_atom(out, &it.atom, it.finding.as_ref(), &[], &related)
}

pub(crate) fn write_context(out: &mut impl Write, context: &Context) -> Result<(), Failure> {
    for it in &context.molecules {
        writeln!(out, "{}", format!("## {}", printable(&it.molecule.name)).bold())?;
        if !it.molecule.knowledge.is_empty() {
            writeln!(out, "{}", it.molecule.knowledge.trim_end())?;
        }
        it.atoms.iter().try_for_each(|atom| write_known(out, atom))?;
    }
    context.orphan_atoms.iter().try_for_each(|atom| write_known(out, atom))?;
    for path in &context.unmatched_paths {
        writeln!(out, "not covered {}", printable(path))?;
    }
    Ok(())
}

pub(crate) fn context(data: &ContextAnswer) -> Result<(), Failure> {
    let mut out = buffered();
    for row in data.digest.iter().flatten() {
        let away = Some(row.distance).filter(|away| *away > 0);
        let away = away.map(|away| format!(", {away} calls away")).unwrap_or_default();
        writeln!(out, "{} {} [{}{away}]", short(row.atom_id), printable(&row.name), row.freshness.word())?;
    }
    write_context(&mut out, &data.known)?;
    if let Some(omitted) = &data.omitted {
        writeln!(out, "({} atoms left out; raise --max-tokens)", omitted.atoms)?;
    }
    out.flush()?;
    Ok(())
}

fn atom(view: &AtomView) -> Result<(), Failure> {
    let mut out = buffered();
    let it = &view.atom.atom;
    write_checked(&mut out, &view.atom)?;
    writeln!(out, "paths: {}", it.paths.join(", "))?;
    if !it.anchors.is_empty() {
        writeln!(out, "anchors: {}", it.anchors.join(", "))?;
    }
    if it.standing == Standing::Proposed {
        writeln!(out, "status: proposed")?;
    }
    writeln!(out, "version: {}", it.version)?;
    write_changelog(&mut out, view.changelog.iter().flatten())?;
    out.flush()?;
    Ok(())
}

fn molecule(view: &MoleculeView) -> Result<(), Failure> {
    let mut out = buffered();
    let it = &view.molecule;
    writeln!(out, "{} {}\n{}", printable(&it.name).bold(), short(it.id), it.knowledge.trim_end())?;
    view.atoms.iter().try_for_each(|atom| write_checked(&mut out, atom))?;
    writeln!(out, "version: {}", it.version)?;
    write_changelog(&mut out, view.changelog.iter().flatten())?;
    out.flush()?;
    Ok(())
}

fn write_changelog<'e>(
    out: &mut impl Write,
    entries: impl Iterator<Item = &'e ChangelogEntry>,
) -> Result<(), Failure> {
    for entry in entries {
        writeln!(out, "{} {} {}", entry.created_at, short(entry.task_id), entry.summary)?;
    }
    Ok(())
}

pub(crate) fn changelog(entries: &[ChangelogEntry]) -> Result<(), Failure> {
    let mut out = buffered();
    write_changelog(&mut out, entries.iter())?;
    out.flush()?;
    Ok(())
}

/// What an import did.
pub(crate) fn imported(done: &Imported) -> Result<(), Failure> {
    let mut out = buffered();
    let Imported { created, changed, unchanged, conflicts, deleted, without_file } = done;
    writeln!(out, "{created} created, {changed} changed, {unchanged} as they were")?;
    for name in conflicts {
        writeln!(
            out,
            "left \"{name}\": it was changed here and in the file, in the same places; make them agree and import again"
        )?;
    }
    for name in deleted {
        writeln!(out, "\"{name}\" is deleted")?;
    }
    for name in without_file {
        writeln!(out, "left \"{name}\": no file has it")?;
    }
    out.flush()?;
    Ok(())
}

pub(crate) fn coverage(data: &Coverage) -> Result<(), Failure> {
    let mut out = buffered();
    let mut table = Table::new(&["", "total", "covered", "fresh"]);
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    for (name, it) in [("files", data.files), ("symbols", data.symbols), ("churn", data.churn)] {
        let CoveredShare { total, covered_share, fresh_share, .. } = it;
        table.push(vec![name.into(), total.to_string(), percent(covered_share), percent(fresh_share)]);
    }
    table.print(&mut out)?;
    if !data.worklist.is_empty() {
        writeln!(out)?;
        let mut table = Table::new(&["missed at", "files", "symbols", "commits", "importers", "asked"]);
        for it in &data.worklist {
            let counts = [it.files as u64, it.symbols, it.churn, it.fan_in, it.asked];
            let counts = counts.iter().map(u64::to_string);
            table.push(std::iter::once(it.area.clone()).chain(counts).collect());
        }
        table.print(&mut out)?;
    }
    for it in &data.dead_globs {
        writeln!(out, "matches nothing: {} of \"{}\"", printable(&it.glob), it.atom.name)?;
    }
    for it in &data.overlaps {
        let [one, other] = &it.atoms;
        writeln!(out, "\"{}\" and \"{}\" share {} files", one.name, other.name, it.files)?;
    }
    out.flush()?;
    Ok(())
}

/// Drafts, and the proposed atoms that were made of them.
pub(crate) fn suggestions(drafts: &Suggestions, created: &[CheckedAtom]) -> Result<(), Failure> {
    let mut out = buffered();
    for draft in &drafts.suggestions {
        let because = draft.because;
        writeln!(
            out,
            "{} ({} files, {} imports, {} commits)",
            printable(&draft.name).bold(),
            because.files,
            because.imports,
            because.commits
        )?;
        writeln!(out, "  {}", printable(&draft.arguments.paths.join(", ")))?;
    }
    for it in created {
        writeln!(out, "proposed {} \"{}\"", short(it.atom.id), it.atom.name)?;
    }
    if drafts.count == 0 {
        writeln!(out, "nothing that hangs together is left without an atom")?;
    }
    out.flush()?;
    Ok(())
}

/// What became of anchors.
pub(crate) fn followed(followed: &Followed) -> Result<(), Failure> {
    let mut out = buffered();
    if followed.atoms.is_empty() {
        writeln!(out, "every anchor is where it was")?;
    }
    for it in &followed.atoms {
        let done = if it.is_rewritten { "followed" } else { "left" };
        writeln!(out, "{done} {} \"{}\" [{}]", short(it.id), it.name, it.finding.freshness.word())?;
        write_doubt(&mut out, &it.finding)?;
    }
    out.flush()?;
    Ok(())
}
