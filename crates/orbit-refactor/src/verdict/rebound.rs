//! Python files that give one name more than one meaning, such as `from fast import load` in a `try` and `def load` in its
//! `except`: whichever it is, the rest of the file uses it by this name.

use super::owner;
use crate::sites::{OLD, Scene, SourceFile};
use orbit_extract::{Lang, Place, Spelling};

/// Whether a place gives a file's name another meaning than the symbol, while the symbol has that name there too.
pub(super) fn is_other(scene: &Scene, file: &SourceFile, spelling: &Spelling) -> bool {
    if scene.lang != Lang::Python || scene.group.iter().all(|own| scene.is_member(own)) {
        return false;
    }
    let meaning = |spelling: &Spelling| binds_for_file(scene, file, spelling);
    meaning(spelling) == Some(false)
        && file.spellings.iter().filter(|other| other.word == OLD).any(|other| meaning(other) == Some(true))
}

/// Whether a name that the whole file sees gets the symbol as its meaning; `None` where it gets none.
fn binds_for_file(scene: &Scene, file: &SourceFile, spelling: &Spelling) -> Option<bool> {
    let own = owner(scene, file, spelling);
    if spelling.scope.is_some() || own.is_some_and(|own| own.parent.is_some()) {
        return None;
    }
    let after = &file.text[spelling.span.end as usize..];
    let takes = spelling.in_import
        && !spelling.is_qualifier
        && matches!(spelling.place, Place::Path | Place::Plain)
        && !after.trim_start().starts_with("as ");
    if !(takes || spelling.binds || spelling.defines)
        || own.is_none() && file.innermost(spelling.span.start).is_some()
    {
        return None;
    }
    let rows = file.rows.get(&spelling.span.start).into_iter().flatten();
    let leads = rows.filter_map(|row| row.target).any(|target| scene.in_group(target));
    let is_again = own.is_none() && !takes && scene.group.iter().any(|symbol| symbol.path == file.path);
    Some(leads || is_again || own.is_some_and(|own| scene.in_group(own.id)))
}
