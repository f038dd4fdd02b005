//! Imports that the old file has no use for once the definition is gone, and that nobody takes from it.

use super::users::{From, is_module};
use super::{Work, refuse};
use crate::edit::Edit;
use crate::error::RefactorError;
use crate::moves::statement::{indent, item, line_start, without, without_statements};
use orbit_extract::{Lang, Load, LoadStep, Place, When, spellings};
use std::collections::{BTreeMap, BTreeSet};

/// Takes the imports out that only the definition needed.
pub(super) fn take_out(work: &Work<'_>) -> Result<Vec<Edit>, RefactorError> {
    let (subject, text) = (work.subject, &work.subject.text);
    if subject.symbol.path.ends_with("__init__.py") {
        return Ok(Vec::new()); // what a package has, others look for there
    }
    let steps = work.world.steps(&subject.symbol.path)?;
    let mut lists: BTreeMap<usize, (From, BTreeSet<usize>)> = BTreeMap::new();
    let mut whole: BTreeSet<(usize, usize)> = BTreeSet::new();
    for step in steps.iter().filter(|step| step.when != When::Maybe) {
        let Some(at) = unneeded(work, &steps, step)? else { continue };
        let start = line_start(text, step.span.start as usize);
        let end = text[step.span.end as usize..].find('\n');
        let end = end.map_or(text.len(), |end| step.span.end as usize + end + 1);
        let statement = &text[start..end];
        let is_plain =
            statement[..step.span.start as usize - start].trim().is_empty() && !statement.contains(';');
        match &step.load {
            _ if !is_plain => {}
            Load::Module { .. } if !statement.contains(',') => drop(whole.insert((start, end))),
            Load::Name { .. } => {
                if let Some(from) = From::around(text, at) {
                    lists.entry(from.start).or_insert((from, BTreeSet::new())).1.insert(at);
                }
            }
            _ => {}
        }
    }
    let mut edits = Vec::new();
    for (from, gone) in lists.into_values() {
        match shorter(text, &from, &gone) {
            Some(edit) => edits.push(edit),
            None => drop(whole.insert((from.start, from.end))),
        }
    }
    let whole: Vec<(usize, usize)> = whole.into_iter().collect();
    edits.extend(without_statements(text, &whole));
    Ok(edits)
}

/// Where an import binds a name that only the definition uses; `None` when it has to stay.
fn unneeded(work: &Work<'_>, steps: &[LoadStep], step: &LoadStep) -> Result<Option<usize>, RefactorError> {
    let (subject, text) = (work.subject, &work.subject.text);
    let (Load::Module { bound, .. } | Load::Name { bound, .. }) = &step.load else { return Ok(None) };
    let is_again = steps.iter().filter(|other| other.load.bound() == Some(bound)).count() > 1;
    let is_handed_on = matches!(&step.load, Load::Name { name, .. } if name == bound && {
        text[step.span.start as usize..step.span.end as usize].contains(&format!("{name} as {bound}"))
    });
    let line_end = text[step.span.end as usize..].lines().next().unwrap_or("");
    if is_again || is_handed_on || bound == "*" || line_end.contains("noqa") || subject.goes(step.span.start)
    {
        return Ok(None);
    }
    let spelled = subject.spelled(&[bound])?;
    let is_used = |inside: bool| {
        spelled.iter().any(|spelling| {
            let is_type = || {
                text[..spelling.span.start as usize]
                    .rsplit('\n')
                    .next()
                    .is_some_and(|line| line.contains("type:"))
            };
            let counts = match spelling.place {
                Place::Comment => is_type(),
                Place::Member | Place::Key => false,
                _ => !spelling.in_import,
            };
            counts && subject.goes(spelling.span.start) == inside
        })
    };
    if !is_used(true) || is_used(false) || is_taken(work, bound)? {
        return Ok(None);
    }
    let own = spelled.iter().filter(|spelling| {
        spelling.in_import && step.span.start <= spelling.span.start && spelling.span.end <= step.span.end
    });
    Ok(own.map(|spelling| spelling.span.start as usize).next_back())
}

/// Whether some other file has a name from the old one.
fn is_taken(work: &Work<'_>, name: &str) -> Result<bool, RefactorError> {
    let (subject, world) = (work.subject, work.world);
    let old = subject.symbol.path.as_str();
    let stem = old.trim_end_matches(".py").rsplit('/').next().unwrap_or(old);
    for file in world.files().filter(|file| *file != old && *file != subject.target) {
        let text = world.text(file)?;
        if !text.contains(stem) {
            continue;
        }
        for step in world.steps(file)?.iter() {
            let Load::Name { module, name: taken, .. } = &step.load else { continue };
            let is_it = taken == name || taken == "*";
            if is_it && world.file_of(&world.absolute(file, module)).as_deref() == Some(old) {
                return Ok(true);
            }
        }
        if !text.contains(name) {
            continue;
        }
        let found = spellings(file, Lang::Python, text.as_bytes(), &[name]);
        let found = found.map_err(|error| refuse("unreadable", format!("{file}: {}", error.as_str())))?;
        for spelling in found {
            let (start, text) = (spelling.span.start as usize, text.as_str());
            let is_dotted = text[..start].ends_with(&format!("{stem}."));
            let qualifier =
                spelling.qualifier.map_or("", |span| &text[span.start as usize..span.end as usize]);
            let is_in_function = spelling.in_import;
            if is_dotted
                || is_in_function && text[..start].contains(stem)
                || is_module(subject, file, qualifier)?
            {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// A list without some of its names; `None` when nothing is left.
fn shorter(text: &str, from: &From, gone: &BTreeSet<usize>) -> Option<Edit> {
    let list = from.list;
    let items: BTreeSet<(usize, usize)> = gone.iter().map(|at| item(text, list, *at)).collect();
    if let [only] = items.iter().collect::<Vec<_>>()[..] {
        return without(text, list, *only);
    }
    let inside = &text[list.0..list.1];
    let mut at = list.0;
    let mut kept = Vec::new();
    for part in inside.split(',') {
        let is_gone = items.iter().any(|(start, end)| at <= *start && *end <= at + part.len());
        if !is_gone && !part.trim().is_empty() {
            kept.push(part.trim());
        }
        at += part.len() + 1;
    }
    if kept.is_empty() {
        return None;
    }
    let new = if inside.contains('\n') {
        let line = inside.lines().find(|line| !line.trim().is_empty()).unwrap_or("    ");
        let lead = indent(line, 0);
        let lines: Vec<String> = kept.iter().map(|name| format!("{lead}{name},\n")).collect();
        format!("\n{}", lines.concat())
    } else {
        kept.join(", ")
    };
    Some(Edit::new(list.0 as u32, list.1 as u32, new))
}
