//! `create` and `delete`: a definition appears, or goes.

use crate::draft::{self, Draft};
use crate::error::{RefactorError, Refusal};
use crate::layout;
use crate::moves::statement::without_statements;
use crate::plan::{Entry, Plan};
use crate::rules;
use crate::sites::{OLD, Scene};
use crate::verdict::{Verdict, verdict};
use crate::worktree::Worktree;
use orbit_extract::{Family, Lang, Place};
use orbit_graph::{Facts, Selector, SymbolFacts};

/// A new definition at the end of a file, which is made when it is not there.
pub(crate) fn create(
    worktree: &Worktree,
    path: &str,
    name: &str,
    kind: Option<&str>,
    body: &str,
) -> Result<Plan, RefactorError> {
    let mut draft = Draft::default();
    let text = draft.text(worktree, path)?;
    let Some(lang) = Lang::of_path(path) else {
        return Err(Refusal::new("unsupported", format!("{path} is not a source file")).into());
    };
    if draft::find(path, text.as_bytes(), name, kind).is_ok() {
        return Err(Refusal::new("taken", format!("{path} has `{name}` already")).into());
    }
    draft.edit(path, layout::append(&text, lang, body));
    let files = draft.finish()?;
    let after = files[0].after.as_deref().unwrap_or_default();
    let post = draft::find(path, after, name, kind)?;
    let subject = post.to_string();
    let title = format!("create {subject}");
    Ok(Plan { title, subject, files, entries: vec![Entry::Create { post }], review: Vec::new() })
}

/// Without a definition; refuses while something uses it, unless forced.
pub(crate) fn delete(
    facts: &Facts<'_>,
    worktree: &Worktree,
    selector: &Selector,
    force: bool,
) -> Result<Plan, RefactorError> {
    let symbol = facts.symbol(selector)?;
    if !force {
        let left = uses(facts, worktree, &symbol)?;
        refuse_uses(left, "it is still used")?;
    }
    let mut draft = Draft::default();
    let text = draft.text(worktree, &symbol.path)?;
    let extent = layout::extent(&text, symbol.lang, symbol.span);
    let mut cut = layout::cut(&text, extent);
    if symbol.lang.family() == Family::Python {
        // What a block loses last leaves `pass` behind.
        let gone = without_statements(&text, &[(extent.0 as usize, extent.1 as usize)]);
        if let Some(edit) = gone.into_iter().find(|edit| !edit.text.is_empty()) {
            cut = edit;
        }
    }
    draft.edit(&symbol.path, cut);
    let title = format!("delete {}", symbol.selector());
    let entries = vec![Entry::Delete { pre: symbol.address() }];
    Ok(Plan { title, subject: symbol.selector(), files: draft.finish()?, entries, review: Vec::new() })
}

/// Refuses when there are uses.
pub(crate) fn refuse_uses(places: Vec<String>, why: &str) -> Result<(), RefactorError> {
    if places.is_empty() {
        return Ok(());
    }
    let refusal = Refusal::new("still_used", format!("{why} in {} places", places.len())).places(places);
    Err(refusal.hint("change these places first, or pass --force").into())
}

/// Everything that uses a symbol, or may, outside of its own definition.
pub(crate) fn uses(
    facts: &Facts<'_>,
    worktree: &Worktree,
    symbol: &SymbolFacts,
) -> Result<Vec<String>, RefactorError> {
    let scene = Scene::load(facts, worktree, vec![symbol.clone()], &symbol.name)?;
    let rules = rules::of(symbol.lang);
    let mut places = Vec::new();
    for file in &scene.files {
        for spelling in file.spellings.iter().filter(|spelling| spelling.word == OLD) {
            let (start, end) = (spelling.span.start, spelling.span.end);
            let is_own = file.path == symbol.path && symbol.span.0 <= start && end <= symbol.span.1;
            if is_own || matches!(spelling.place, Place::Comment) {
                continue;
            }
            match verdict(&scene, rules, file, spelling) {
                Verdict::Change(_) => places.push(format!("{}:{}: uses it", file.path, spelling.line)),
                Verdict::Doubt(why) => places.push(format!("{}:{}: {why}", file.path, spelling.line)),
                Verdict::Keep | Verdict::Review(_) => {}
            }
        }
    }
    places.dedup();
    Ok(places)
}
