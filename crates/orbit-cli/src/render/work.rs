//! Projects, features and tasks for people.

use super::buffered;
use super::table::Table;
use super::text::printable;
use crate::failure::Failure;
use orbit_knowledge::{
    Container, ContainerView, GraphHints, Id, Kind, Listed, OneContainer, OwnWork, Status, Transition,
};
use owo_colors::OwoColorize;
use serde::Serialize;
use std::io::Write;

/// One project, feature or task, and how it came to its state.
#[derive(Serialize)]
pub(crate) struct Shown {
    #[serde(flatten)]
    pub(crate) view: ContainerView,
    /// Projects have no state.
    #[serde(flatten)]
    pub(crate) state: Option<ShownState>,
}

/// How something came to its state, and where it goes next.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ShownState {
    pub(crate) transitions: Vec<Transition>,
    pub(crate) next_status: Option<Status>,
}

/// The tasks of a project by state.
#[derive(Serialize)]
pub(crate) struct Board {
    pub(crate) project: BoardProject,
    pub(crate) columns: Vec<Column>,
}

/// Whose board.
#[derive(Serialize)]
pub(crate) struct BoardProject {
    pub(crate) id: Id,
    pub(crate) name: String,
}

/// The tasks of one state; the first of them.
#[derive(Serialize)]
pub(crate) struct Column {
    pub(crate) status: Status,
    pub(crate) total: i64,
    pub(crate) tasks: Vec<Container>,
}

/// The first part of an id: enough to name it again.
pub(super) fn short(id: Id) -> String {
    beginning(&id.to_string())
}

/// The first letters of an id or a commit.
pub(super) fn beginning(text: &str) -> String {
    text.chars().take(8).collect()
}

/// What holds it up, in one word.
fn mark(it: &Container) -> String {
    match (it.blockers().len(), &it.claim) {
        (0, None) => String::new(),
        (0, Some(claim)) => format!("claimed by {}", claim.actor),
        (count, _) => format!("blocked by {count}"),
    }
}

/// The same in brackets, behind a name.
fn bracketed(it: &Container) -> String {
    let mark = mark(it);
    if mark.is_empty() { mark } else { format!(" ({mark})") }
}

/// One line about something that was made or found.
pub(crate) fn made(it: &Container) -> Result<(), Failure> {
    let state = if it.kind == Kind::Project { String::new() } else { format!(" {}", it.status.word()) };
    super::line(&format!("{}{state} {}{}", it.id, printable(&it.name), bracketed(it)))
}

pub(crate) fn list(page: &Listed<Container>, kind: Kind) -> Result<(), Failure> {
    let mut out = buffered();
    let is_project = kind == Kind::Project;
    let head: &[&str] =
        if is_project { &["id", "name", "summary"] } else { &["id", "status", "priority", "title", ""] };
    let mut table = Table::new(head);
    for it in &page.items {
        let (id, name) = (short(it.id), it.name.clone());
        table.push(if is_project {
            vec![id, name, it.summary.clone()]
        } else {
            vec![id, it.status.word().to_owned(), it.priority.word().to_owned(), name, mark(it)]
        });
    }
    table.print(&mut out)?;
    write_rest(&mut out, page)?;
    out.flush()?;
    Ok(())
}

/// Says what of a list is on other pages.
pub(super) fn write_rest<T>(out: &mut impl Write, page: &Listed<T>) -> Result<(), Failure> {
    let Listed { count, total, .. } = page;
    if *total > *count as i64 {
        writeln!(out, "({count} of {total}; raise --limit or give --offset)")?;
    }
    Ok(())
}

pub(crate) fn show(shown: &Shown) -> Result<(), Failure> {
    let mut out = buffered();
    let view = &shown.view;
    let OneContainer { container: it } = &view.one;
    writeln!(out, "{}", printable(&it.name).bold())?;
    write_fields(&mut out, it)?;
    if !it.tags.is_empty() {
        writeln!(out, "tags: {}", it.tags.join(", "))?;
    }
    for blocker in it.blockers() {
        writeln!(out, "blocked by: {blocker}")?;
    }
    for origin in &it.discovered_from {
        writeln!(out, "discovered from: {origin}")?;
    }
    for part in &view.subtasks {
        let (id, status) = (short(part.id), part.status.word());
        writeln!(out, "subtask: {id} {status} {}", printable(&part.title))?;
    }
    if let Some(counts) = &view.task_counts {
        let counts = counts.by_status.iter().map(|(status, count)| format!("{count} {}", status.word()));
        let counts: Vec<String> = counts.collect();
        writeln!(out, "tasks: {}", if counts.is_empty() { "none".into() } else { counts.join(", ") })?;
    }
    for text in [Some(&it.summary), it.description.as_ref()].into_iter().flatten() {
        if !text.is_empty() {
            writeln!(out, "\n{text}")?;
        }
    }
    for section in view.sections.iter().flatten() {
        let heading = format!("## {}", section.title);
        writeln!(out, "\n{}\n{}", heading.bold(), section.content.trim_end())?;
    }
    for comment in view.comments.iter().flatten() {
        let who = comment.actor.as_deref().unwrap_or("somebody");
        let heading = format!("{} {} [{}]", comment.created_at, printable(who), short(comment.id));
        writeln!(out, "\n{}\n{}", heading.bold(), comment.text)?;
    }
    if let Some(context) = &view.graph_context {
        writeln!(out)?;
        super::knowledge::write_context(&mut out, context)?;
    }
    let moves = shown.state.as_ref().map_or(&[][..], |state| &state.transitions);
    if !moves.is_empty() {
        writeln!(out)?;
    }
    for step in moves {
        let who = step.actor.as_ref().map(|actor| format!(" by {actor}")).unwrap_or_default();
        let why = step.reason.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
        writeln!(out, "{} {} → {}{who}{why}", step.at, step.from.word(), step.to.word())?;
    }
    out.flush()?;
    Ok(())
}

/// The fields that its kind has, one per line.
fn write_fields(out: &mut impl Write, it: &Container) -> Result<(), Failure> {
    let has_state = it.kind != Kind::Project;
    let fields = [
        ("id", Some(it.id.to_string())),
        ("status", has_state.then(|| it.status.word().to_owned())),
        ("priority", has_state.then(|| it.priority.word().to_owned())),
        ("complexity", (it.kind == Kind::Task).then(|| it.complexity.to_string())),
        ("version", Some(it.version.to_string())),
        ("projectId", it.project_id.map(|id| id.to_string())),
        ("featureId", it.feature_id.map(|id| id.to_string())),
        ("parentId", it.parent_id.map(|id| id.to_string())),
        ("blockedReason", it.blocked_reason.clone()),
    ];
    for (key, value) in fields {
        if let Some(value) = value {
            writeln!(out, "{key}: {}", printable(&value))?;
        }
    }
    Ok(())
}

pub(crate) fn board(board: &Board) -> Result<(), Failure> {
    let mut out = buffered();
    writeln!(out, "{}", printable(&board.project.name).bold())?;
    for Column { status, total, tasks } in &board.columns {
        if *total == 0 && *status == Status::WillNotImplement {
            continue;
        }
        writeln!(out, "\n{} {total}", status.word().bold())?;
        for it in tasks {
            let (id, priority) = (short(it.id), it.priority.word());
            writeln!(out, "  {id} {priority:<6} {}{}", printable(&it.name), bracketed(it))?;
        }
        let shown = tasks.len() as i64;
        if *total > shown {
            writeln!(out, "  … {} more", total - shown)?;
        }
    }
    out.flush()?;
    Ok(())
}

/// What an actor has in hand.
pub(crate) fn own(own: &OwnWork) -> Result<(), Failure> {
    let mut out = buffered();
    if own.claimed.is_empty() && own.recent.is_empty() {
        writeln!(out, "{} has nothing in hand", printable(&own.actor))?;
    }
    for it in &own.claimed {
        let until = it
            .claim
            .as_ref()
            .map_or("lease ran out".to_owned(), |claim| format!("until {}", claim.expires_at));
        writeln!(out, "{} {} {} ({until})", short(it.id), it.status.word(), printable(&it.name))?;
    }
    for it in &own.reserved {
        writeln!(out, "  reserved {}", printable(&it.pattern))?;
    }
    for it in &own.recent {
        writeln!(out, "{} {} {} (before)", short(it.id), it.status.word(), printable(&it.name))?;
    }
    out.flush()?;
    Ok(())
}

/// What a closed task should leave behind.
pub(crate) fn hints(hints: &GraphHints) -> Result<(), Failure> {
    let mut out = buffered();
    writeln!(out, "{}", hints.message)?;
    if let Some(named) = &hints.named {
        for it in &named.affected_atoms {
            let word = it.finding.freshness.word();
            writeln!(out, "  {word} atom {} \"{}\"", short(it.atom.atom_id), it.atom.name)?;
            for cause in it.finding.because.iter().take(3) {
                writeln!(out, "    {}", printable(&cause.selector))?;
            }
        }
        for path in &named.uncovered_paths {
            writeln!(out, "  not covered {}", printable(path))?;
        }
    }
    out.flush()?;
    Ok(())
}
