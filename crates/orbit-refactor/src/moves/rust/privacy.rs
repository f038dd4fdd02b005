//! What only its module sees, and becomes visible in the crate when a definition goes.

use super::imports::shown_with_parts;
use super::places::Places;
use super::{macros, refuse};
use crate::draft::Draft;
use crate::edit::Edit;
use crate::error::RefactorError;
use crate::moves::Subject;
use crate::worktree::Worktree;
use orbit_extract::Place;
use orbit_graph::{SymbolFacts, SymbolKind};
use std::collections::BTreeSet;

/// Private parts of what goes that others may use, and of what stays that it may use, become visible in the crate. The
/// edits of what goes are returned. Refuses what relies on macros of its file, or on privacy of modules round it.
pub(super) fn privacy(
    subject: &Subject<'_>,
    places: &Places,
    worktree: &Worktree,
    draft: &mut Draft,
) -> Result<Vec<Edit>, RefactorError> {
    let mut edits = Vec::new();
    let old = subject.symbol.path.as_str();
    // Members are told by their names alone: nobody knows the type of every value.
    let hidden: Vec<&SymbolFacts> =
        subject.symbols.iter().filter(|symbol| is_hidden(subject, symbol)).collect();
    let words: Vec<&str> = hidden.iter().map(|symbol| symbol.name.as_str()).collect();
    let spelled = subject.spelled(&words)?;
    for symbol in &hidden {
        let goes = subject.goes(symbol.span.0);
        let is_needed = spelled.iter().any(|spelling| {
            let is_part =
                matches!(spelling.place, Place::Member | Place::Key | Place::Path) || spelling.shorthand;
            words[spelling.word] == symbol.name && is_part && subject.goes(spelling.span.start) != goes
        });
        let is_needed = is_needed || goes && is_used_below(subject, places, symbol)?;
        if is_needed && goes {
            edits.push(opened(subject, symbol)?);
        } else if is_needed {
            draft.edit(old, opened(subject, symbol)?);
        }
    }
    open_types(subject, draft)?;
    let is_used = !subject.uses()?.is_empty();
    if is_used {
        edits.extend(fields(subject, &subject.symbol)?);
    }
    // `.0` of a value does not say whose part it takes.
    let taken = subject.moved_text(&[])?;
    let takes_parts = taken.as_bytes().windows(2).any(|pair| pair[0] == b'.' && pair[1].is_ascii_digit());
    for other in
        subject.symbols.iter().filter(|symbol| symbol.parent.is_none() && !subject.goes(symbol.span.0))
    {
        if takes_parts || taken.contains(&format!("{}(", other.name)) {
            for edit in fields(subject, other)? {
                draft.edit(old, edit);
            }
        }
    }
    check_targets(subject, places, worktree)?;
    check_ancestors(subject, places)?;
    Ok(edits)
}

/// Types that stay and are private become visible when what goes uses members, functions or constants that have them: the
/// type of a value must be seen even where nobody names it.
fn open_types(subject: &Subject<'_>, draft: &mut Draft) -> Result<(), RefactorError> {
    let stays = |symbol: &&SymbolFacts| !subject.goes(symbol.span.0);
    let has_type = |symbol: &&SymbolFacts| {
        let is_value = matches!(symbol.kind, SymbolKind::Const | SymbolKind::Static);
        symbol.parent.is_some() || symbol.kind.is_callable() || is_value
    };
    let members: Vec<&SymbolFacts> = subject.symbols.iter().filter(stays).filter(has_type).collect();
    let types = subject.symbols.iter().filter(stays);
    let types: Vec<&SymbolFacts> =
        types.filter(|symbol| symbol.parent.is_none() && symbol.kind.is_type()).collect();
    let words: Vec<&str> = members.iter().map(|symbol| symbol.name.as_str()).collect();
    let used: BTreeSet<&str> = subject
        .spelled(&words)?
        .iter()
        .filter(|spelling| subject.goes(spelling.span.start) && spelling.place != Place::Comment)
        .map(|spelling| words[spelling.word])
        .collect();
    for member in members.iter().filter(|member| used.contains(member.name.as_str())) {
        let text = &subject.text[member.span.0 as usize..member.span.1 as usize];
        let mut open = named_in(text.split('{').next().unwrap_or(text), &types);
        let mut done = BTreeSet::new();
        while let Some(found) = open.pop() {
            if !done.insert(found.id) {
                continue;
            }
            for edit in shown_with_parts(subject, found) {
                draft.edit(&subject.symbol.path, edit);
            }
            if found.kind == SymbolKind::TypeAlias {
                // The compiler looks through it.
                open.extend(named_in(&subject.text[found.span.0 as usize..found.span.1 as usize], &types));
            }
        }
    }
    Ok(())
}

/// Those of some types that a text names.
fn named_in<'s>(text: &str, types: &[&'s SymbolFacts]) -> Vec<&'s SymbolFacts> {
    let words: BTreeSet<&str> = text.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
    types.iter().copied().filter(|found| words.contains(found.name.as_str())).collect()
}

/// Whether a file of a module below the old one uses a name: what is private to a module is seen there, too.
fn is_used_below(
    subject: &Subject<'_>,
    places: &Places,
    symbol: &SymbolFacts,
) -> Result<bool, RefactorError> {
    let rows = subject.facts.uses_named(&symbol.name)?;
    Ok(rows
        .iter()
        .any(|row| row.file != subject.symbol.path && is_below(places.module(&row.file), &places.old)))
}

/// Whether a module is another one or below it.
fn is_below(module: &str, outer: &str) -> bool {
    module.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Refuses text that may use private members of types in modules round its file which the target does not see.
fn check_ancestors(subject: &Subject<'_>, places: &Places) -> Result<(), RefactorError> {
    let round = places.modules.iter().filter(|(path, module)| {
        **path != subject.symbol.path && is_below(&places.old, module) && !is_below(&places.new, module)
    });
    for (path, _) in round {
        let mut hidden = subject.facts.of_file(path)?;
        hidden.retain(|symbol| is_hidden(subject, symbol));
        let words: Vec<&str> = hidden.iter().map(|symbol| symbol.name.as_str()).collect();
        let spelled = subject.spelled(&words)?;
        let used = spelled.iter().find(|spelling| {
            subject.goes(spelling.span.start)
                && matches!(spelling.place, Place::Member | Place::Path | Place::Key)
        });
        if let Some(used) = used {
            let message = format!("`{}` may be private to {path}", words[used.word]);
            return Err(refuse("private", message));
        }
    }
    Ok(())
}

/// Refuses text that uses macros of its file, or what only the modules round its file see.
fn check_targets(subject: &Subject<'_>, places: &Places, worktree: &Worktree) -> Result<(), RefactorError> {
    let rows = subject.facts.uses_in(&subject.symbol.path)?;
    for row in rows.into_iter().filter(|row| subject.goes(row.span.0)) {
        let Some(target) = row.target.map(|id| subject.facts.by_id(id)).transpose()?.flatten() else {
            continue;
        };
        let is_here = target.path == subject.symbol.path;
        let stays = !(is_here && subject.goes(target.span.0));
        if target.kind == SymbolKind::Macro
            && stays
            && !macros::is_in_scope(subject, places, worktree, &target)?
        {
            let message = format!("it uses the macro `{}`, which is known by where it stands", target.name);
            return Err(refuse("unsupported", message));
        }
        let is_private = is_hidden(subject, &target)
            || target.parent.is_none() && !target.exported && target.kind != SymbolKind::Module;
        if !is_here && is_private && !is_below(&places.new, places.module(&target.path)) {
            return Err(refuse("private", format!("`{}` is private to {}", target.local, target.path)));
        }
    }
    Ok(())
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
    let text = subject.text.get(symbol.span.0 as usize..).filter(|_| symbol.path == subject.symbol.path);
    let is_near = text
        .is_some_and(|text| ["pub(super)", "pub(self)", "pub(in "].iter().any(|word| text.starts_with(word)));
    is_part && (!symbol.exported || is_near) && !is_open
}

/// `pub(crate)` before a member.
pub(super) fn opened(subject: &Subject<'_>, member: &SymbolFacts) -> Result<Edit, RefactorError> {
    let text = &subject.text[member.span.0 as usize..member.span.1 as usize];
    for word in ["pub(super)", "pub(self)"] {
        if text.starts_with(word) {
            return Ok(Edit::new(member.span.0, member.span.0 + word.len() as u32, "pub(crate)"));
        }
    }
    if let Some(end) = text.strip_prefix("pub(in ").and_then(|path| path.find(')')) {
        let end = member.span.0 + ("pub(in ".len() + end + 1) as u32;
        return Ok(Edit::new(member.span.0, end, "pub(crate)"));
    }
    // Attributes and comments may be part of it.
    let head = text.len() - text.trim_start_matches(|c: char| c.is_whitespace()).len();
    if text[head..].starts_with("pub") || text[head..].starts_with(['#', '/']) {
        return Err(refuse("private", format!("`{}` is private to {}", member.local, subject.symbol.path)));
    }
    Ok(Edit::new(member.span.0, member.span.0, "pub(crate) "))
}

/// `pub(crate)` before the private fields of a struct that have no names: `struct Size(u32, u32)`.
fn fields(subject: &Subject<'_>, symbol: &SymbolFacts) -> Result<Vec<Edit>, RefactorError> {
    let text = &subject.text[symbol.span.0 as usize..symbol.span.1 as usize];
    // Brackets before the name are those of `pub(crate)`.
    let name = text.find(&format!("struct {}", symbol.name)).unwrap_or(0);
    let open = text[name..].find('(').map(|open| name + open);
    let Some(open) = open.filter(|_| symbol.kind == SymbolKind::Struct) else {
        return Ok(Vec::new());
    };
    let head = text[..open].trim_end();
    let is_tuple = !head.contains('{') && (head.ends_with(&symbol.name) || head.ends_with('>'));
    let close = text.rfind(')').filter(|_| is_tuple && text.trim_end().ends_with(';'));
    let Some(close) = close else { return Ok(Vec::new()) };
    let mut edits = Vec::new();
    let (mut depth, mut start) = (0, open + 1);
    for (at, c) in text[..close].char_indices().skip_while(|(at, _)| *at <= open).chain([(close, ',')]) {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '>' if !text[..at].ends_with('-') => depth -= 1,
            ',' if depth == 0 => {
                let field = &text[start..at];
                let begin = symbol.span.0 + (start + field.len() - field.trim_start().len()) as u32;
                if field.trim_start().starts_with(['#', '/']) {
                    let message = format!("`{}` has private parts in {}", symbol.local, subject.symbol.path);
                    return Err(refuse("private", message));
                }
                if !field.trim().is_empty() && !field.trim_start().starts_with("pub") {
                    edits.push(Edit::new(begin, begin, "pub(crate) "));
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    Ok(edits)
}
