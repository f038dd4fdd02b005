//! What only its module sees, and becomes visible in the crate when a definition goes.

use super::refuse;
use crate::draft::Draft;
use crate::edit::Edit;
use crate::error::RefactorError;
use crate::moves::Subject;
use orbit_graph::{SymbolFacts, SymbolKind};
use std::collections::BTreeSet;

/// Private parts of what goes that others use, and of what stays that it uses, become visible in the crate. The edits of
/// what goes are returned. Refuses text that relies on macros of its file.
pub(super) fn privacy(subject: &Subject<'_>, draft: &mut Draft) -> Result<Vec<Edit>, RefactorError> {
    let mut edits = Vec::new();
    let all = subject.facts.of_file(&subject.symbol.path)?;
    for member in all.iter().filter(|symbol| subject.goes(symbol.span.0) && is_hidden(subject, symbol)) {
        let uses = subject.facts.uses_of(member.id)?;
        if uses.iter().any(|row| !(row.file == subject.symbol.path && subject.goes(row.span.0))) {
            edits.push(opened(subject, member)?);
        }
    }
    let mut done = BTreeSet::new();
    for row in subject.facts.uses_in(&subject.symbol.path)?.into_iter().filter(|row| subject.goes(row.span.0))
    {
        let Some(target) = row.target.map(|id| subject.facts.by_id(id)).transpose()?.flatten() else {
            continue;
        };
        let is_apart = !(target.path == subject.symbol.path && subject.goes(target.span.0));
        if is_apart && target.kind == SymbolKind::Macro {
            let message = format!("it uses the macro `{}`, which is known by where it stands", target.name);
            return Err(refuse("unsupported", message));
        }
        if is_apart
            && target.path == subject.symbol.path
            && is_hidden(subject, &target)
            && done.insert(target.id)
        {
            draft.edit(&subject.symbol.path, opened(subject, &target)?);
        }
    }
    Ok(edits)
}

/// Whether a symbol is a member that only its module sees.
pub(super) fn is_hidden(subject: &Subject<'_>, symbol: &SymbolFacts) -> bool {
    let Some(parent) = symbol.parent else { return false };
    let is_part = matches!(
        symbol.kind,
        SymbolKind::Field | SymbolKind::Method | SymbolKind::Const | SymbolKind::Function
    );
    let owner = subject.facts.by_id(parent).ok().flatten();
    let is_open = owner.is_none_or(|owner| match owner.kind {
        SymbolKind::Trait | SymbolKind::Variant | SymbolKind::Enum => true,
        SymbolKind::Impl => {
            owner.local.contains(" as ")
                || owner.signature.as_deref().is_some_and(|text| text.contains(" for "))
        }
        kind => kind.is_callable(),
    });
    is_part && !symbol.exported && !is_open
}

/// `pub(crate)` before a member.
pub(super) fn opened(subject: &Subject<'_>, member: &SymbolFacts) -> Result<Edit, RefactorError> {
    let text = &subject.text[member.span.0 as usize..];
    if text.starts_with("pub") || text.starts_with(['#', '/']) {
        return Err(refuse("private", format!("`{}` is private to {}", member.local, subject.symbol.path)));
    }
    Ok(Edit::new(member.span.0, member.span.0, "pub(crate) "))
}
