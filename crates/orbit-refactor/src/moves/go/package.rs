//! The package of a file: names are shared inside of it, and only there.

use super::imports::Imports;
use super::refuse;
use crate::error::RefactorError;
use crate::moves::Subject;
use orbit_extract::Lang;

/// Refuses a target in another package, or one that has the name already.
pub(super) fn check(subject: &Subject<'_>, old: &Imports, target: &Imports) -> Result<(), RefactorError> {
    let dir = |path: &str| path.rsplit_once('/').map_or("", |(dir, _)| dir).to_owned();
    let (from, to) = (dir(&subject.symbol.path), dir(&subject.target));
    let is_new = subject.target_text.trim().is_empty();
    if from == to && (is_new || old.package == target.package) {
        return Ok(());
    }
    let name = subject.name();
    if !name.starts_with(char::is_uppercase) && !subject.uses()?.is_empty() {
        let message = format!("`{name}` is not exported, and used outside of {}", subject.target);
        return Err(refuse("not_visible", message));
    }
    if let Some(hidden) = unexported(subject)? {
        let message = format!("it uses `{hidden}`, which only its package sees");
        return Err(refuse("not_visible", message));
    }
    Err(refuse("unsupported", "a definition can be moved inside of its package only"))
}

/// Something of its package that the definition uses, and that others cannot see.
fn unexported(subject: &Subject<'_>) -> Result<Option<String>, RefactorError> {
    for row in subject.facts.uses_in(&subject.symbol.path)? {
        let Some(id) = row.target.filter(|_| subject.goes(row.span.0)) else { continue };
        let Some(symbol) = subject.facts.by_id(id)? else { continue };
        let goes = symbol.path == subject.symbol.path && subject.goes(symbol.span.0);
        let is_local = symbol.parent.is_some() && symbol.path == subject.symbol.path && goes;
        if symbol.lang == Lang::Go && !goes && !is_local && !symbol.name.starts_with(char::is_uppercase) {
            return Ok(Some(symbol.name));
        }
    }
    Ok(None)
}
