//! `split` and `merge`: one definition becomes several, several become one.

use crate::create::{refuse_uses, uses};
use crate::draft::{self, Draft};
use crate::edit::Edit;
use crate::error::{RefactorError, Refusal};
use crate::layout;
use crate::plan::{Entry, Plan};
use crate::worktree::Worktree;
use orbit_extract::{Lang, SymbolAddress};
use orbit_graph::{Facts, Selector, SymbolFacts};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A definition that comes out of a split or merge.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Where it goes; `None` for the file of what it comes from.
    #[serde(default)]
    pub file: Option<String>,
    /// Its name.
    pub name: String,
    /// What it is; `None` when the name says it.
    #[serde(default)]
    pub kind: Option<String>,
    /// The whole definition.
    pub body: String,
}

/// One becomes several.
pub(crate) fn split(
    facts: &Facts<'_>,
    worktree: &Worktree,
    selector: &Selector,
    parts: &[Part],
    force: bool,
) -> Result<Plan, RefactorError> {
    let symbol = facts.symbol(selector)?;
    if parts.is_empty() {
        return Err(Refusal::new("bad_spec", "there is nothing to split it into").into());
    }
    let keeps_name = parts
        .iter()
        .any(|part| part.name == symbol.name && part.file.as_deref().is_none_or(|file| file == symbol.path));
    if !force && !keeps_name {
        refuse_uses(uses(facts, worktree, &symbol)?, "it is still used")?;
    }
    let mut draft = Draft::default();
    place(&mut draft, worktree, std::slice::from_ref(&symbol), parts)?;
    let files = draft.finish()?;
    let post = parts.iter().map(|part| found(&files, part, &symbol.path)).collect::<Result<Vec<_>, _>>()?;
    if post.contains(&symbol.address()) {
        let message = "a part has the address of what is split";
        return Err(Refusal::new("bad_spec", message)
            .hint("use change-body and create, or another name")
            .into());
    }
    let title = format!("split {} into {}", symbol.selector(), names(parts));
    let entries = vec![Entry::Split { pre: symbol.address(), post }];
    Ok(Plan { title, subject: symbol.selector(), files, entries, review: Vec::new() })
}

/// Several become one.
pub(crate) fn merge(
    facts: &Facts<'_>,
    worktree: &Worktree,
    selectors: &[Selector],
    part: &Part,
    force: bool,
) -> Result<Plan, RefactorError> {
    let mut symbols = Vec::new();
    for selector in selectors {
        let symbol = facts.symbol(selector)?;
        if !symbols.iter().any(|known: &SymbolFacts| known.id == symbol.id) {
            symbols.push(symbol);
        }
    }
    let [first, _, ..] = &symbols[..] else {
        return Err(Refusal::new("bad_spec", "a merge needs at least two symbols").into());
    };
    let first = first.clone();
    let target = part.file.clone().unwrap_or_else(|| first.path.clone());
    for symbol in
        symbols.iter().filter(|symbol| !force && (symbol.name != part.name || symbol.path != target))
    {
        refuse_uses(uses(facts, worktree, symbol)?, &format!("`{}` is still used", symbol.name))?;
    }
    let mut draft = Draft::default();
    place(&mut draft, worktree, &symbols, std::slice::from_ref(part))?;
    let files = draft.finish()?;
    let post = found(&files, part, &first.path)?;
    let subject = symbols.iter().map(SymbolFacts::selector).collect::<Vec<_>>().join(" ");
    let title = format!("merge {subject} into {}", part.name);
    let entries = vec![Entry::Merge { pre: symbols.iter().map(SymbolFacts::address).collect(), post }];
    Ok(Plan { title, subject, files, entries, review: Vec::new() })
}

/// Takes the old definitions out; parts for the file of the first one stand where it stood.
fn place(
    draft: &mut Draft,
    worktree: &Worktree,
    old: &[SymbolFacts],
    parts: &[Part],
) -> Result<(), RefactorError> {
    let first = &old[0];
    let is_here = |part: &&Part| part.file.as_deref().is_none_or(|file| file == first.path);
    let here: Vec<&str> =
        parts.iter().filter(is_here).map(|part| part.body.trim_matches('\n').trim_end()).collect();
    let gap = if first.lang == Lang::Python && first.parent.is_none() { "\n\n\n" } else { "\n\n" };
    // The blank lines between two that go are cut once.
    let mut done: BTreeMap<&str, u32> = BTreeMap::new();
    let mut in_order: Vec<(usize, &SymbolFacts)> = old.iter().enumerate().collect();
    in_order.sort_by(|(_, a), (_, b)| (&a.path, a.span).cmp(&(&b.path, b.span)));
    for (number, symbol) in in_order {
        let text = draft.text(worktree, &symbol.path)?;
        let extent = layout::extent(&text, symbol.lang, symbol.span);
        let edit = if number == 0 && !here.is_empty() {
            let end = if text[..extent.1 as usize].ends_with('\n') { "\n" } else { "" };
            Edit::new(extent.0, extent.1, format!("{}{end}", here.join(gap)))
        } else {
            let mut cut = layout::cut(&text, extent);
            cut.span.0 = cut.span.0.max(done.get(symbol.path.as_str()).copied().unwrap_or(0));
            cut
        };
        done.insert(&symbol.path, edit.span.1);
        draft.edit(&symbol.path, edit);
    }
    let mut elsewhere: Vec<(&str, Vec<&str>)> = Vec::new();
    for part in parts.iter().filter(|part| !is_here(part)) {
        let file = part.file.as_deref().unwrap_or(&first.path);
        match elsewhere.iter_mut().find(|(known, _)| *known == file) {
            Some((_, bodies)) => bodies.push(part.body.trim_matches('\n').trim_end()),
            None => elsewhere.push((file, vec![part.body.trim_matches('\n').trim_end()])),
        }
    }
    for (file, bodies) in elsewhere {
        let text = draft.text(worktree, file)?;
        draft.edit(file, layout::append(&text, Lang::of_path(file).unwrap_or(first.lang), &bodies.join(gap)));
    }
    Ok(())
}

/// Where a part ends up.
fn found(
    files: &[crate::plan::FileChange],
    part: &Part,
    default: &str,
) -> Result<SymbolAddress, RefactorError> {
    let path = part.file.as_deref().unwrap_or(default);
    let file = files.iter().find(|file| file.path == path);
    let after = file.and_then(|file| file.after.as_deref()).unwrap_or_default();
    draft::find(path, after, &part.name, part.kind.as_deref())
}

fn names(parts: &[Part]) -> String {
    parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>().join(", ")
}
