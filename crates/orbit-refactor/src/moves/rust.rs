//! Rust: inside of one crate. Paths through `use` follow, what must be seen from elsewhere becomes `pub(crate)`, and what
//! relies on where it stands is refused.

mod crates;
mod imports;
mod lists;
mod macros;
mod paths;
mod places;
mod privacy;

use super::Subject;
use super::statement::line_start;
use crate::draft::Draft;
use crate::edit::Edit;
use crate::error::{RefactorError, Refusal};
use crate::worktree::Worktree;
use imports::{own_traits, take_out, target_imports, trait_imports};
use lists::{attributes, listed};
use orbit_extract::{Place, Spelling, spellings};
use orbit_graph::{ImportFacts, SymbolFacts, SymbolKind, UseFacts};
use paths::{check_paths, inner_paths};
use places::Places;
use privacy::privacy;
use std::collections::BTreeSet;

/// Traits of the standard library that are imported for their methods.
const TRAITS: [&str; 16] = [
    "Write",
    "Read",
    "BufRead",
    "Seek",
    "FromStr",
    "Hash",
    "Hasher",
    "Borrow",
    "Any",
    "Error",
    "TryFrom",
    "TryInto",
    "IsTerminal",
    "ToOwned",
    "FusedIterator",
    "BuildHasher",
];

pub(super) fn edits(
    subject: &Subject<'_>,
    worktree: &Worktree,
    draft: &mut Draft,
) -> Result<String, RefactorError> {
    check_file(subject)?;
    let places = Places::of(subject, worktree)?;
    if let Some(declared) = &places.declared_by {
        draft.text(worktree, &declared.file)?;
        draft.edit(&declared.file, declared.edit.clone());
    }
    let mut inner = privacy(subject, &places, worktree, draft)?;
    let rows = subject.uses()?;
    let (needs, unneeded) = subject.needs()?;
    let mut lines = target_imports(subject, &places, &needs, draft)?;
    lines.extend(trait_imports(subject, &places)?);
    lines.extend(own_traits(subject, &places, draft)?);
    inner.extend(inner_paths(subject, &places)?);
    let users: BTreeSet<&str> = rows.iter().map(|row| row.file.as_str()).collect();
    inner.extend(visibility(subject, &users));
    // What is `pub` stays where others look for it, in other repositories too.
    let head = subject.text[subject.symbol.span.0 as usize..].split(subject.name()).next().unwrap_or("");
    let is_public = head.starts_with("pub ");
    if head.starts_with("pub(in ") {
        return Err(refuse("unsupported", "it is visible in one module by its path"));
    }
    let mut is_used_here = false;
    for user in users {
        if let Err(unseen) = places.sees(subject, user) {
            if is_public && user != subject.symbol.path {
                continue; // it finds it where it was
            }
            return Err(unseen);
        }
        let own: Vec<&UseFacts> = rows.iter().filter(|row| row.file == user).collect();
        let text = draft.text(worktree, user)?;
        if user == subject.symbol.path {
            is_used_here = true;
        }
        for edit in user_edits(subject, &places, user, &text, &own)? {
            draft.edit(user, edit);
        }
    }
    if is_used_here || is_public {
        hand_on(subject, &places, is_public, draft)?;
    }
    for import in unneeded {
        if !is_named_below(&places, worktree, &import)? {
            take_out(subject, &import, draft);
        }
    }
    let moved = subject.moved_text(&inner)?;
    check_paths(subject, &places, worktree, lines.iter().map(String::as_str).chain([moved.as_str()]))?;
    if !lines.is_empty() {
        let at = use_place(subject, &subject.target, &subject.target_text)?;
        draft.edit(&subject.target, Edit::new(at as u32, at as u32, lines.into_iter().collect::<String>()));
    }
    Ok(moved)
}

/// Refuses text that says something about its file, or where in the crate it is seen.
fn check_file(subject: &Subject<'_>) -> Result<(), RefactorError> {
    const WORDS: [&str; 6] =
        ["include!(", "include_str!(", "include_bytes!(", "file!(", "module_path!(", "pub(in "];
    // A visibility that is the definition's own becomes another one.
    let own = subject.symbol.span.0;
    for (start, end) in &subject.extents {
        let text = &subject.text[*start as usize..*end as usize];
        let found = WORDS.iter().find(|word| {
            text.match_indices(**word).any(|(at, _)| {
                let is_word = |c: char| c.is_alphanumeric() || c == '_';
                !text[..at].ends_with(is_word) && start + at as u32 != own
            })
        });
        if let Some(word) = found {
            let message = format!("`{}…)` means something else in {}", word.trim_end(), subject.target);
            return Err(refuse("unsupported", message));
        }
    }
    Ok(())
}

/// Whether a file of a module below the old one has the name of an import, which it sees.
fn is_named_below(places: &Places, worktree: &Worktree, import: &ImportFacts) -> Result<bool, RefactorError> {
    let Some(name) = super::binding(import) else { return Ok(false) };
    let outer = format!("{}::", places.old);
    for (path, _) in places.modules.iter().filter(|(_, module)| module.starts_with(&outer)) {
        // A file that is made now has nothing yet.
        if places.declared_by.is_some() && worktree.read(path)?.is_none() {
            continue;
        }
        if worktree.read_text(path)?.contains(&name) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The import of the definition where it was, visible as it was itself.
fn hand_on(
    subject: &Subject<'_>,
    places: &Places,
    is_public: bool,
    draft: &mut Draft,
) -> Result<(), RefactorError> {
    let old = subject.symbol.path.as_str();
    let word = match subject.symbol.exported {
        _ if is_public => "pub ",
        true => "pub(crate) ",
        false => "",
    };
    let (condition, path) = (condition(subject), places.path_from(old, subject)?);
    let at = use_place(subject, old, &subject.text)? as u32;
    draft.edit(old, Edit::new(at, at, format!("{condition}{word}use {path}::{};\n", subject.name())));
    Ok(())
}

/// The conditions under which the definition is there at all, as an attribute on its line: an import of it needs them too.
fn condition(subject: &Subject<'_>) -> String {
    let mut found = BTreeSet::new();
    for piece in subject.pieces.iter().filter(|piece| piece.kind != SymbolKind::Impl) {
        let extent =
            subject.extents.iter().find(|extent| extent.0 <= piece.span.0 && piece.span.1 <= extent.1);
        let start = extent.map_or(piece.span.0, |extent| extent.0) as usize;
        let head = subject.text[start..piece.span.1 as usize].split(subject.name()).next().unwrap_or("");
        let own = head.lines().map(str::trim);
        let own: Vec<&str> = own.filter_map(|line| line.strip_prefix("#[cfg(")?.strip_suffix(")]")).collect();
        match &own[..] {
            [] => return String::new(), // one of them is always there
            [one] => found.insert((*one).to_owned()),
            several => found.insert(format!("all({})", several.join(", "))),
        };
    }
    let all: Vec<String> = found.into_iter().collect();
    match &all[..] {
        [one] => format!("#[cfg({one})]\n"),
        several => format!("#[cfg(any({}))]\n", several.join(", ")),
    }
}

fn refuse(code: &'static str, message: impl Into<String>) -> RefactorError {
    Refusal::new(code, message).into()
}

/// What others use must be seen by them.
fn visibility(subject: &Subject<'_>, users: &BTreeSet<&str>) -> Vec<Edit> {
    if users.is_empty() {
        return Vec::new();
    }
    let pieces = subject.pieces.iter().filter(|piece| piece.kind != SymbolKind::Impl);
    pieces.filter_map(|piece| shown(subject, piece)).collect()
}

/// `pub(crate)` for what only a module sees; `None` for what everybody may see already.
fn shown(subject: &Subject<'_>, symbol: &SymbolFacts) -> Option<Edit> {
    let text = &subject.text[symbol.span.0 as usize..symbol.span.1 as usize];
    let near = ["pub(super)", "pub(self)"].into_iter().find(|word| text.starts_with(word));
    if text.starts_with("pub(in ") {
        let close = symbol.span.0 + text.find(')')? as u32 + 1;
        return Some(Edit::new(symbol.span.0, close, "pub(crate)"));
    }
    match near {
        Some(word) => Some(Edit::new(symbol.span.0, symbol.span.0 + word.len() as u32, "pub(crate)")),
        None if symbol.exported => None,
        None => Some(Edit::new(symbol.span.0, symbol.span.0, "pub(crate) ")),
    }
}

/// What changes in a file that names the definition.
fn user_edits(
    subject: &Subject<'_>,
    places: &Places,
    user: &str,
    text: &str,
    rows: &[&UseFacts],
) -> Result<Vec<Edit>, RefactorError> {
    let found = spellings(user, subject.symbol.lang, text.as_bytes(), &[subject.name()]);
    let found = found.map_err(|error| refuse("unreadable", format!("{user}: {}", error.as_str())))?;
    let path = places.written(user, &places.new);
    let last = places.old.rsplit("::").next().unwrap_or("").to_owned();
    let is_root = !places.old.contains("::");
    let mut edits = Vec::new();
    let mut plain = false;
    for row in rows {
        let Some(spelling) = found.iter().find(|spelling| spelling.span.start == row.span.0) else {
            continue;
        };
        if spelling.place == Place::Plain && !spelling.in_import {
            plain = true;
            continue;
        }
        let qualifier = spelling.qualifier.map_or("", |span| &text[span.start as usize..span.end as usize]);
        let is_direct =
            qualifier == last || matches!(qualifier, "super" | "self") || (is_root && qualifier == "crate");
        if !is_direct {
            continue; // through what hands it on, which is changed itself
        }
        edits.extend(requalify(subject, user, text, spelling, &path)?);
    }
    let imports = found.iter().any(|spelling| spelling.in_import);
    if plain && !imports && user != subject.symbol.path && user != subject.target {
        let at = use_place(subject, user, text)? as u32;
        let condition = condition(subject);
        edits.push(Edit::new(at, at, format!("{condition}use {path}::{};\n", subject.name())));
    }
    Ok(edits)
}

/// Another path before one name.
fn requalify(
    subject: &Subject<'_>,
    user: &str,
    text: &str,
    spelling: &Spelling,
    path: &str,
) -> Result<Vec<Edit>, RefactorError> {
    let at = spelling.span.start as usize;
    let mut start = at;
    while let Some(before) = text[..start].strip_suffix("::") {
        let word = before.trim_end_matches(|c: char| c.is_alphanumeric() || c == '_');
        if word.len() == before.len() {
            break;
        }
        start = word.len();
    }
    if start < at {
        let is_alone = !spelling.in_import
            || text[..start].trim_end().ends_with("use")
            || text[..start].ends_with("use ");
        if is_alone {
            if user == subject.target && spelling.in_import {
                let line = attributes(text, line_start(text, start));
                let end = text[at..].find('\n').map_or(text.len(), |end| at + end + 1);
                return Ok(vec![Edit::new(line as u32, end as u32, "")]);
            }
            return Ok(vec![Edit::new(start as u32, at as u32, format!("{path}::"))]);
        }
    }
    let Some(taken) = listed(text, at) else {
        return Err(refuse(
            "unsupported",
            format!("{user}:{}: a path that cannot be followed", spelling.line),
        ));
    };
    let mut edits = vec![Edit::new(taken.cut.0 as u32, taken.cut.1 as u32, "")];
    if user != subject.target {
        let end = taken.end as u32;
        edits.push(Edit::new(end, end, format!("{}use {path}::{};\n", taken.head, taken.item)));
    }
    Ok(edits)
}

/// Where one more `use` goes: before the first one of the file, or behind what the file says about itself.
fn use_place(subject: &Subject<'_>, path: &str, text: &str) -> Result<usize, RefactorError> {
    let starts = |line: u32| -> Option<usize> {
        let at = text.split_inclusive('\n').take(line as usize - 1).map(str::len).sum();
        let begin = lists::statement_start(text, at)?;
        (!text[begin..].starts_with([' ', '\t'])).then_some(begin)
    };
    let imports = subject.facts.imports_of(path)?;
    // What the file says about itself may show imports.
    let head = behind_head(text);
    let first = imports.iter().filter_map(|import| starts(import.line)).filter(|begin| *begin >= head).min();
    Ok(first.map_or(head, |at| attributes_above(text, at)))
}

/// Behind the comments and attributes of a file that are about the file.
fn behind_head(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let code = rest.trim_start();
        at += rest.len() - code.len();
        if code.starts_with("//!") || code.starts_with("#![") {
            at += code.find('\n').map_or(code.len(), |end| end + 1);
        } else if code.starts_with("/*!") {
            at += comment_end(code);
        } else {
            return at;
        }
    }
}

/// Where a comment ends; comments may hold comments.
fn comment_end(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while let Some(next) = text[at..].find(['/', '*']).map(|next| at + next) {
        let (step, change) = match &text.as_bytes()[next..] {
            [b'/', b'*', ..] => (2, 1),
            [b'*', b'/', ..] => (2, -1),
            _ => (1, 0),
        };
        depth += change;
        at = next + step;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// The first line of the attributes and comments that stand right above a line.
fn attributes_above(text: &str, mut at: usize) -> usize {
    while at > 0 {
        let above = line_start(text, at - 1);
        let line = &text[above..at];
        if !(line.starts_with("#[") || line.starts_with("///")) {
            break;
        }
        at = above;
    }
    at
}
