//! `change-body` and `change-signature`: new text for a part of one definition.

use crate::draft::Draft;
use crate::edit::Edit;
use crate::error::{RefactorError, Refusal};
use crate::layout::indented;
use crate::plan::{Entry, Plan, Review};
use crate::sites::arity;
use crate::worktree::Worktree;
use orbit_extract::{Family, Parts, RefKind, Span, parts};
use orbit_graph::{Facts, Selector, SymbolFacts};

/// Another body for a symbol; what is given is the inside or the whole block.
pub(crate) fn change_body(
    facts: &Facts<'_>,
    worktree: &Worktree,
    selector: &Selector,
    body: &str,
) -> Result<Plan, RefactorError> {
    let symbol = facts.symbol(selector)?;
    let mut draft = Draft::default();
    let text = draft.text(worktree, &symbol.path)?;
    let (_, mut old) = whole(&symbol, &text)?;
    if symbol.lang.family() == Family::Python {
        old.start = with_comments(&text, old.start as usize) as u32;
    }
    let start = old.start as usize;
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let outer: String = text[line_start..].chars().take_while(|c| *c == ' ' || *c == '\t').collect();
    let new = match symbol.lang.family() {
        Family::Python => {
            let is_own_line = text[line_start..start].trim().is_empty();
            let indent = if is_own_line { outer } else { format!("{outer}    ") };
            let body = indented(body, &indent);
            if is_own_line { body[indent.len().min(body.len())..].to_owned() } else { format!("\n{body}") }
        }
        _ if !text[start..].starts_with('{') || body.trim_start().starts_with('{') => body.trim().to_owned(),
        _ => format!("{{\n{}\n{outer}}}", indented(body, &format!("{outer}{}", unit(&text)))),
    };
    let end = start + text[start..old.end as usize].trim_end().len();
    if text[start..end] == new {
        return Err(Refusal::new("same_body", "that is the body it has").into());
    }
    // A body that leaves the line of its head leaves no space there.
    let from = if new.starts_with('\n') { text[..start].trim_end_matches(' ').len() } else { start };
    draft.edit(&symbol.path, Edit::new(from as u32, end as u32, new));
    let title = format!("change the body of {}", symbol.selector());
    let entries = vec![Entry::ChangeBody { at: symbol.address() }];
    Ok(Plan { title, subject: symbol.selector(), files: draft.finish()?, entries, review: Vec::new() })
}

/// Another signature for a symbol; calls that no longer fit are to be looked at.
pub(crate) fn change_signature(
    facts: &Facts<'_>,
    worktree: &Worktree,
    selector: &Selector,
    signature: &str,
) -> Result<Plan, RefactorError> {
    let symbol = facts.symbol(selector)?;
    let mut draft = Draft::default();
    let text = draft.text(worktree, &symbol.path)?;
    let (found, body) = whole(&symbol, &text)?;
    let signature = signature.trim().trim_end_matches(['{', ':']).trim_end();
    let is_named = signature
        .split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')
        .any(|word| word == symbol.name);
    if !is_named {
        let message = format!("the signature does not have the name `{}`", symbol.name);
        return Err(Refusal::new("bad_signature", message)
            .hint("change the name with `orbit refactor rename`")
            .into());
    }
    let head = &text[found.item.start as usize..body.start as usize];
    let kept = head.trim_end().trim_end_matches(':').trim_end().len();
    let tail = &head[kept..]; // the colon, and the space before a block
    if head[..kept] == *signature {
        return Err(Refusal::new("same_signature", "that is the signature it has").into());
    }
    let (start, end) = (found.item.start, body.start);
    draft.edit(&symbol.path, Edit::new(start, end, format!("{signature}{tail}")));
    let review = misfits(facts, worktree, &symbol, signature)?;
    let title = format!("change the signature of {}", symbol.selector());
    let entries = vec![Entry::ChangeSignature { at: symbol.address() }];
    Ok(Plan { title, subject: symbol.selector(), files: draft.finish()?, entries, review })
}

/// Where a Python body begins, the comments before its first statement included.
fn with_comments(text: &str, start: usize) -> usize {
    let mut at = text[..start].rfind('\n').map_or(0, |at| at + 1);
    if !text[at..start].trim().is_empty() {
        return start;
    }
    let lead = start - at;
    while at > 0 {
        let above = text[..at - 1].rfind('\n').map_or(0, |at| at + 1);
        if !text[above..at].trim_start().starts_with('#') {
            break;
        }
        at = above;
    }
    let indent = text[at..].len() - text[at..].trim_start_matches([' ', '\t']).len();
    if at + lead == start { start } else { at + indent }
}

/// The parts of a definition that has a body.
fn whole(symbol: &SymbolFacts, text: &str) -> Result<(Parts, Span), RefactorError> {
    let span = Span { start: symbol.span.0, end: symbol.span.1 };
    let found = parts(&symbol.path, symbol.lang, text.as_bytes(), span);
    let body = found.and_then(|found| Some((found, found.body?)));
    body.ok_or_else(|| Refusal::new("unsupported", format!("{} has no body", symbol.selector())).into())
}

/// Calls that pass fewer or more arguments than the signature takes.
fn misfits(
    facts: &Facts<'_>,
    worktree: &Worktree,
    symbol: &SymbolFacts,
    signature: &str,
) -> Result<Vec<Review>, RefactorError> {
    let Some((least, most)) = arity::takes(signature, &symbol.name) else { return Ok(Vec::new()) };
    let mut review = Vec::new();
    for row in facts.uses_of(symbol.id)?.into_iter().filter(|row| row.kind == RefKind::Call) {
        let text = worktree.read_text(&row.file)?;
        let end = row.span.1 as usize;
        let Some(passed) = arity::arguments(&text, end).filter(|_| !spreads(&text, end, symbol)) else {
            continue;
        };
        if passed < least || passed > most {
            let reason = format!("passes {passed} arguments");
            review.push(Review { file: row.file, line: row.line, reason, edited: false });
        }
    }
    Ok(review)
}

/// Whether a call passes what a list holds, however much that is: `f(*xs)`, `f(...xs)`.
fn spreads(text: &str, end: usize, symbol: &SymbolFacts) -> bool {
    let mark = match symbol.lang.family() {
        Family::Python | Family::Ruby => "*",
        Family::Script | Family::Go => "...",
        _ => return false,
    };
    let line = text[end..].split(')').next().unwrap_or("");
    line.split(['(', ','])
        .any(|part| part.trim_start().starts_with(mark) || mark == "..." && part.ends_with(mark))
}

/// What a file indents by.
fn unit(text: &str) -> &'static str {
    let first = text.lines().find(|line| line.starts_with([' ', '\t'])).unwrap_or("    ");
    if first.starts_with('\t') {
        return "\t";
    }
    if first.starts_with("    ") { "    " } else { "  " }
}
