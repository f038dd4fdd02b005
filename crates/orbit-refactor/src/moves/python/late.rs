//! Imports that leave the top of their file, because they would close a circle there.

use super::loading::Trouble;
use super::needs::Need;
use super::{Work, in_dunder_all, refuse, spots};
use crate::error::RefactorError;
use orbit_extract::Load;
use std::collections::BTreeSet;

/// What is imported where it is used.
#[derive(Default)]
pub(super) struct Late {
    /// Names that the definition needs.
    pub(super) needs: BTreeSet<String>,
    /// Files that need the definition.
    pub(super) users: BTreeSet<String>,
}

impl Late {
    /// Takes one import out of the circle that a file cannot be loaded by: the innermost new one.
    pub(super) fn give_way(&mut self, work: &Work<'_>, trouble: &Trouble) -> Result<(), RefactorError> {
        for (file, load) in trouble.stack.iter().rev() {
            if *file == work.subject.target
                && let Some(need) = work.needs.iter().find(|need| need.loads.contains(load))
                && can_wait(work, need)
                && self.needs.insert(need.name.clone())
            {
                return Ok(());
            }
            if takes_definition(work, file, load)
                && user_can_wait(work, file)?
                && self.users.insert(file.clone())
            {
                return Ok(());
            }
        }
        let Trouble { file, what, line, .. } = trouble;
        Err(refuse("circular_import", format!("{file}:{line} would need `{what}` before it is there")))
    }
}

/// Whether a name is needed only after everything is loaded.
fn can_wait(work: &Work<'_>, need: &Need) -> bool {
    !need.is_eager && (!need.is_late || work.users.eager.is_empty())
}

/// Whether an import takes the definition from where it goes.
fn takes_definition(work: &Work<'_>, file: &str, load: &Load) -> bool {
    let Load::Name { module, name, .. } = load else { return false };
    let from = work.world.file_of(&work.world.absolute(file, module));
    name == work.subject.name() && from.as_deref() == Some(&work.subject.target)
}

/// Whether a file uses the definition in functions only, and hands it on to nobody.
fn user_can_wait(work: &Work<'_>, file: &str) -> Result<bool, RefactorError> {
    let (subject, users) = (work.subject, work.users);
    let is_old = file == subject.symbol.path;
    let imports = users.imports.iter().find(|(user, _)| user == file).map(|(_, imports)| imports);
    let bound = match imports.map(Vec::as_slice) {
        None => subject.name(),
        Some([one]) => one.bound.as_str(),
        Some(_) => return Ok(false),
    };
    let text = work.world.text(file)?;
    let is_handed_on = file.ends_with("__init__.py")
        || in_dunder_all(&text, bound)
        || is_old && !users.through_module.is_empty()
        || users.eager.contains(file);
    if is_handed_on || is_taken_from(work, file, bound)? {
        return Ok(false);
    }
    Ok(spots::functions(subject, file, &work.places(file, &text, bound)?)?.is_some())
}

/// Whether some file takes a name from a file; for the old file, those who do follow the definition.
fn is_taken_from(work: &Work<'_>, file: &str, name: &str) -> Result<bool, RefactorError> {
    if file == work.subject.symbol.path {
        return Ok(false);
    }
    for other in work.world.files() {
        for step in work.world.steps(other)?.iter() {
            let Load::Name { module, name: taken, .. } = &step.load else { continue };
            let is_it = taken == name || taken == "*";
            if is_it && work.world.file_of(&work.world.absolute(other, module)).as_deref() == Some(file) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}
