//! Python: imports follow the definition, and files can still be loaded in every order they could be before.
//!
//! ```text
//! needs + users ─write─▶ edits ─load every file of a circle first─▶ done
//!                          ▲───────── an import goes into a function ──┘
//! ```
//!
//! Imports stand at the top of a file. Where that makes a circle that cannot be loaded, the one that closes it goes into
//! the functions that need it, or to the imports for type checkers; where that cannot be, the move is refused.

mod effects;
mod late;
mod loading;
mod needs;
mod own_names;
mod spots;
mod unneeded;
mod users;
mod world;

use super::Subject;
use crate::draft::Draft;
use crate::edit::Edit;
use crate::error::{RefactorError, Refusal};
use crate::worktree::Worktree;
use late::Late;
use needs::Need;
use orbit_extract::{Load, Place};
use own_names::Spelled;
use std::collections::BTreeSet;
use users::{Users, follow};
use world::{World, steps_of};

/// Most imports that leave the top of their file.
const MOST: usize = 24;

pub(super) fn edits(
    subject: &Subject<'_>,
    worktree: &Worktree,
    draft: &mut Draft,
) -> Result<String, RefactorError> {
    let world = World::of(subject, worktree)?;
    check(subject, &world, worktree)?;
    let needs = needs::needs(subject, &world)?;
    check_rebound(subject, &needs)?;
    check_replaced(subject, &world, &needs)?;
    let users = users::users(subject, &world)?;
    let work = Work { subject, world: &world, worktree, needs: &needs, users: &users };
    let mut late = Late::default();
    for _ in 0..MOST {
        let mut trial = draft.clone();
        let moved = work.write(&late, &mut trial)?;
        let mut whole = trial.clone();
        super::place(subject, &mut whole, &moved.clone().into());
        let Some(trouble) = loading::trouble(&world, &whole.finish()?)? else {
            *draft = trial;
            return Ok(moved);
        };
        late.give_way(&work, &trouble)?;
    }
    Err(refuse("circular_import", "too many files would import each other"))
}

fn refuse(code: &'static str, message: impl Into<String>) -> RefactorError {
    Refusal::new(code, message).into()
}

/// Refuses what means something else in another file.
fn check(subject: &Subject<'_>, world: &World<'_>, worktree: &Worktree) -> Result<(), RefactorError> {
    let words = ["__file__", "__name__", "__spec__", "__package__", "__path__", "globals", "__module__"];
    let spelled = subject.spelled(&words)?;
    let own =
        spelled.iter().find(|spelling| spelling.place == Place::Plain && subject.goes(spelling.span.start));
    if let Some(own) = own {
        let message = format!("`{}` means something else in {}", words[own.word], subject.target);
        return Err(refuse("unsupported", message));
    }
    effects::check(subject, world, worktree)?;
    let steps = world.steps(&subject.symbol.path)?;
    let again =
        steps.iter().find(|step| step.load.bound() == Some(subject.name()) && !subject.goes(step.span.start));
    if let Some(step) = again {
        let message =
            format!("{}:{}: `{}` gets another value", subject.symbol.path, step.line, subject.name());
        return Err(refuse("unsupported", message));
    }
    let is_indented = |extent: &(u32, u32)| subject.text[extent.0 as usize..].starts_with([' ', '\t']);
    if subject.extents.iter().any(is_indented) {
        return Err(refuse("unsupported", "it stands under a condition"));
    }
    Ok(())
}

/// Refuses variables that functions of the old file set: an import would have their first value for ever.
fn check_rebound(subject: &Subject<'_>, needs: &[Need]) -> Result<(), RefactorError> {
    let mut at = 0;
    for line in subject.text.split_inclusive('\n') {
        let place = at as u32 + (line.len() - line.trim_start().len()) as u32;
        at += line.len();
        let Some(list) = line.trim_start().strip_prefix("global ") else { continue };
        for name in list.split('#').next().unwrap_or("").split(',').map(str::trim) {
            let is_shared = name == subject.name() || needs.iter().any(|need| need.name == name);
            if is_shared || subject.goes(place) {
                return Err(refuse("unsupported", format!("functions of its file set `{name}`")));
            }
        }
    }
    Ok(())
}

/// Refuses what uses something that others replace in the module, as tests do: it would no longer see the replacement.
fn check_replaced(subject: &Subject<'_>, world: &World<'_>, needs: &[Need]) -> Result<(), RefactorError> {
    let words: Vec<&str> = needs.iter().map(|need| need.name.as_str()).collect();
    let mut places = Vec::new();
    for file in world.files() {
        let text = world.text(file)?;
        if !["setattr", "patch", "getattr"].iter().any(|word| text.contains(word)) {
            continue;
        }
        let found = orbit_extract::spellings(file, subject.symbol.lang, text.as_bytes(), &words);
        for spelling in found.unwrap_or_default() {
            if spelling.place == Place::Text && users::by_name(subject, &text, &spelling) {
                places.push(format!("{file}:{}: `{}`", spelling.line, words[spelling.word]));
            }
        }
    }
    if places.is_empty() {
        return Ok(());
    }
    Err(Refusal::new("module_attribute", "what it uses is reached through the name of its module")
        .places(places)
        .into())
}

/// A move of which everything is known but where the imports stand.
struct Work<'w> {
    subject: &'w Subject<'w>,
    world: &'w World<'w>,
    worktree: &'w Worktree,
    needs: &'w [Need],
    users: &'w Users,
}

impl Work<'_> {
    /// Makes all edits but the cut itself, and gives the text that goes.
    fn write(&self, late: &Late, draft: &mut Draft) -> Result<String, RefactorError> {
        let subject = self.subject;
        let inner = self.target(late, draft)?;
        self.old(late, draft)?;
        for edit in unneeded::take_out(self)? {
            draft.edit(&subject.symbol.path, edit);
        }
        for (file, imports) in &self.users.imports {
            let text = draft.text(self.worktree, file)?;
            let is_target = *file == subject.target;
            for import in imports.iter().filter(|import| is_target && import.bound != subject.name()) {
                for edit in self.called(file, &text, [&import.bound, subject.name()], &|_| true)? {
                    draft.edit(file, edit);
                }
            }
            let module = self.world.module_for(file, &subject.target)?;
            let is_late = late.users.contains(file);
            let module = Some(module.as_str()).filter(|_| !is_target && !is_late);
            for edit in follow(subject, &text, imports, module)? {
                draft.edit(file, edit);
            }
            if is_late {
                self.within_functions(file, &text, &imports[0].bound, draft)?;
            }
        }
        subject.moved_text(&inner)
    }

    /// The imports that the definition brings along; those in its own body are returned.
    fn target(&self, late: &Late, draft: &mut Draft) -> Result<Vec<Edit>, RefactorError> {
        let subject = self.subject;
        let (mut top, mut typing, mut inner) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        for need in self.needs {
            let is_late = late.needs.contains(&need.name);
            if (need.is_typing || is_late && need.in_annotation) && !need.is_known {
                typing.extend(need.lines.iter().cloned());
            }
            if is_late && need.is_late {
                inner.extend(self.within_itself(need)?);
            }
            if !is_late && !need.is_typing {
                top.extend(need.lines.iter().cloned());
            }
        }
        let (text, steps) = (&subject.target_text, self.world.steps(&subject.target)?);
        // A new file evaluates annotations as the old one does.
        let future = "from __future__ import annotations\n";
        let is_new = text.trim().is_empty() && subject.text.contains(future);
        let head = if is_new { future } else { "" };
        if !top.is_empty() || is_new {
            let at = spots::top(text, &steps, u32::MAX) as u32;
            let lines: String = top.into_iter().collect();
            draft.edit(&subject.target, Edit::new(at, at, format!("{head}{lines}")));
        }
        if let Some(edit) = spots::typing(text, &steps, &typing) {
            draft.edit(&subject.target, edit);
        }
        for need in self.needs {
            let Some(called) = &need.called else { continue };
            let (old, text) = (&subject.symbol.path, &subject.text);
            inner.extend(self.called(old, text, [&need.name, called], &|at| subject.goes(at))?);
        }
        Ok(inner)
    }

    /// The import of a need in each function of the definition that has it.
    fn within_itself(&self, need: &Need) -> Result<Vec<Edit>, RefactorError> {
        let (subject, old) = (self.subject, self.subject.symbol.path.as_str());
        let mut places: Vec<u32> = subject
            .spelled(&[&need.name])?
            .into_iter()
            .filter(|spelling| spelling.place == Place::Plain && !spelling.in_import)
            .map(|spelling| spelling.span.start)
            .collect();
        let bodies = spots::bodies(old, &subject.text, &subject.symbols);
        places.retain(|at| subject.goes(*at) && spots::is_in_body(&bodies, *at));
        let functions = spots::functions(subject, old, &places)?.unwrap_or_default();
        let lines = need.lines.concat();
        functions.into_iter().map(|function| spots::inside(old, &subject.text, function, &lines)).collect()
    }

    /// Another name for all uses of a name in a part of a file, which must not bind either of them itself.
    fn called(
        &self,
        file: &str,
        text: &str,
        [from, to]: [&str; 2],
        within: &dyn Fn(u32) -> bool,
    ) -> Result<Vec<Edit>, RefactorError> {
        let found = orbit_extract::spellings(file, self.subject.symbol.lang, text.as_bytes(), &[from, to]);
        let mut found = found.map_err(|error| refuse("unreadable", format!("{file}: {}", error.as_str())))?;
        found.retain(|spelling| within(spelling.span.start) && !spelling.in_import);
        if found.iter().any(|spelling| spelling.binds || spelling.defines) {
            return Err(refuse("taken", format!("`{from}` and `{to}` mean several things in {file}")));
        }
        let uses = found.iter().filter(|spelling| spelling.word == 0 && spelling.place == Place::Plain);
        Ok(uses.map(|spelling| Edit::new(spelling.span.start, spelling.span.end, to)).collect())
    }

    /// The import of the definition where it was.
    fn old(&self, late: &Late, draft: &mut Draft) -> Result<(), RefactorError> {
        let (subject, old) = (self.subject, self.subject.symbol.path.as_str());
        if late.users.contains(old) {
            return self.within_functions(old, &subject.text, subject.name(), draft);
        }
        let is_listed = in_dunder_all(&subject.text, subject.name());
        let is_used = self.users.is_used_here || is_listed;
        if !is_used && self.users.through_module.is_empty() {
            return Ok(());
        }
        let (module, name) = (self.world.module_for(old, &subject.target)?, subject.name());
        let again = if is_used { String::new() } else { format!(" as {name}") };
        let steps = self.world.steps(old)?;
        let uses = steps.iter().filter(|step| matches!(&step.load, Load::Use(used) if used == name));
        let first = uses.map(|step| step.span.start).filter(|at| !subject.goes(*at)).min();
        let at = spots::top(&subject.text, &steps, first.unwrap_or(u32::MAX)) as u32;
        draft.edit(old, Edit::new(at, at, format!("from {module} import {name}{again}\n")));
        Ok(())
    }

    /// The import of the definition in each function of a file that needs it.
    fn within_functions(
        &self,
        file: &str,
        text: &str,
        bound: &str,
        draft: &mut Draft,
    ) -> Result<(), RefactorError> {
        let subject = self.subject;
        let (module, name) = (self.world.module_for(file, &subject.target)?, subject.name().to_owned());
        let line = needs::statement(&Load::Name { module, name, bound: bound.to_owned() });
        let symbols = subject.facts.of_file(file)?;
        let bodies = spots::bodies(file, text, &symbols);
        let (inside, heads): (Vec<u32>, Vec<u32>) =
            self.places(file, text, bound)?.into_iter().partition(|at| spots::is_in_body(&bodies, *at));
        let functions = spots::functions(subject, file, &inside)?;
        for function in functions.into_iter().flatten() {
            draft.edit(file, spots::inside(file, text, function, &line)?);
        }
        // Type checkers read what stands in annotations.
        if !heads.is_empty() || self.is_quoted(file, text, bound)? {
            let steps = self.world.steps(file)?;
            if let Some(edit) = spots::typing(text, &steps, &BTreeSet::from([line])) {
                draft.insert_last(file, edit.span.0, &edit.text);
            }
        }
        Ok(())
    }

    /// Whether a file has a name in a string that can be a type.
    fn is_quoted(&self, file: &str, text: &str, name: &str) -> Result<bool, RefactorError> {
        let subject = self.subject;
        let found = orbit_extract::spellings(file, subject.symbol.lang, text.as_bytes(), &[name]);
        let found = found.map_err(|error| refuse("unreadable", format!("{file}: {}", error.as_str())))?;
        let goes = |at: u32| file == subject.symbol.path && subject.goes(at);
        Ok(found.iter().any(|spelling| {
            spelling.place == Place::Text
                && !goes(spelling.span.start)
                && needs::is_type_text(text, spelling.span.start as usize)
        }))
    }

    /// Where a file uses a name.
    fn places(&self, file: &str, text: &str, name: &str) -> Result<Vec<u32>, RefactorError> {
        let subject = self.subject;
        let found = orbit_extract::spellings(file, subject.symbol.lang, text.as_bytes(), &[name]);
        let found = found.map_err(|error| refuse("unreadable", format!("{file}: {}", error.as_str())))?;
        let goes = |at: u32| file == subject.symbol.path && subject.goes(at);
        let symbols = subject.facts.of_file(file)?;
        let spelled = Spelled { path: file, text, symbols: &symbols, found: &found };
        let uses = found.iter().filter(|spelling| {
            let is_plain = spelling.place == Place::Plain && !spelling.in_import;
            is_plain && !goes(spelling.span.start) && !spelled.is_own(spelling)
        });
        Ok(uses.map(|spelling| spelling.span.start).collect())
    }
}

fn in_dunder_all(text: &str, name: &str) -> bool {
    let Some(at) = text.find("__all__") else { return false };
    let list = &text[at..];
    let list = &list[..list.find([']', ')']).unwrap_or(list.len())];
    list.contains(&format!("\"{name}\"")) || list.contains(&format!("'{name}'"))
}
