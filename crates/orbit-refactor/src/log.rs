//! The producer of operation logs: what the buffered steps did, in the canonical order, under the ids that every clone
//! gives.

use crate::error::RefactorError;
use crate::fates::{Fate, Fates, Group};
use crate::worktree::hex;
use orbit_extract::{Lang, RawSymbol, SymbolAddress};
use orbit_graph::Selector;
use orbit_history::operations::{
    Address, ChangeBody, ChangeSignature, Child, Create, Delete, FilePart, Merge, Move, NamePart, Operation,
    Rename, Source, Split, Target,
};
use orbit_history::{History, Subject, first_sight_id};
use sha2::{Digest, Sha256};

/// A symbol's text and signature at one time.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Look {
    text: String,
    signature: Option<String>,
}

/// Where file contents come from.
pub(crate) trait Contents {
    /// A file as the last commit has it.
    fn before(&self, path: &str) -> Result<Option<Vec<u8>>, RefactorError>;
    /// A file as it is now.
    fn now(&self, path: &str) -> Result<Option<Vec<u8>>, RefactorError>;
}

/// The operations for the commit `sha`, in the canonical order. What has no id yet because it was never committed is
/// left out, and named.
pub(crate) fn operations(
    fates: &Fates,
    history: &History,
    contents: &dyn Contents,
    sha: &str,
    left_out: &mut Vec<String>,
) -> Result<Vec<Operation>, RefactorError> {
    let mut ids = Vec::new();
    for fate in &fates.symbols {
        ids.push(stable_id(fate, history, sha, left_out)?);
    }
    let mut found = Vec::new();
    for (fate, id) in fates.symbols.iter().zip(&ids) {
        if let Some(id) = id {
            one(fate, id, contents, &mut found)?;
        }
    }
    for group in &fates.groups {
        found.extend(grouped(group, fates, &ids, contents)?);
    }
    found.sort_by_key(rank); // stable: within an operation the order of the steps stays
    Ok(found)
}

/// The place of an operation in the canonical order.
fn rank(operation: &Operation) -> u8 {
    match operation {
        Operation::Create(_) => 0,
        Operation::Delete(_) => 1,
        Operation::Rename(_) => 2,
        Operation::Move(_) => 3,
        Operation::ChangeSignature(_) => 4,
        Operation::ChangeBody(_) => 5,
        Operation::Split(_) => 6,
        Operation::Merge(_) => 7,
    }
}

fn stable_id(
    fate: &Fate,
    history: &History,
    sha: &str,
    left_out: &mut Vec<String>,
) -> Result<Option<String>, RefactorError> {
    let at = match (&fate.start, &fate.end) {
        (Some(start), _) => start,
        (None, Some(end)) => return Ok(Some(first_sight_id(sha, &end.path, &end.local, end.kind))),
        (None, None) => return Ok(None), // made and unmade between two commits
    };
    let selector = Selector::from(at.clone());
    let id = match Subject::of(&selector) {
        Some(subject) => history.stable_id(&subject)?,
        None => None,
    };
    if id.is_none() {
        left_out.push(format!("{selector} was never committed, so it has no id to be followed by"));
    }
    Ok(id)
}

/// The entries of a symbol that goes on, begins or ends on its own.
fn one(
    fate: &Fate,
    id: &str,
    contents: &dyn Contents,
    found: &mut Vec<Operation>,
) -> Result<(), RefactorError> {
    let stable_id = id.to_owned();
    let note = None;
    match (&fate.start, &fate.end) {
        (None, Some(end)) if !fate.is_grouped => {
            let look = look(end, contents.now(&end.path)?);
            let (body_hash_post, signature_post) =
                (sha256(look.as_ref()), look.and_then(|look| look.signature));
            found.push(Operation::Create(Create {
                stable_id,
                post: end.into(),
                body_hash_post,
                signature_post,
                note,
            }));
        }
        (Some(start), None) if !fate.is_grouped => {
            found.push(Operation::Delete(Delete { stable_id, pre: start.into(), note }));
        }
        (Some(start), Some(end)) => continued(fate, start, end, &stable_id, contents, found)?,
        _ => {}
    }
    Ok(())
}

fn continued(
    fate: &Fate,
    start: &SymbolAddress,
    end: &SymbolAddress,
    id: &str,
    contents: &dyn Contents,
    found: &mut Vec<Operation>,
) -> Result<(), RefactorError> {
    let stable_id = || id.to_owned();
    let note = None::<String>;
    if start.local != end.local {
        let part = |at: &SymbolAddress| NamePart {
            qualified_name: at.local.clone(),
            file: Some(start.path.clone()),
            kind: Some(at.kind.as_str().to_owned()),
        };
        let (pre, post) = (part(start), part(end));
        found.push(Operation::Rename(Rename { stable_id: stable_id(), pre, post, note: note.clone() }));
    }
    if start.path != end.path {
        let part = |at: &SymbolAddress| FilePart {
            file: at.path.clone(),
            qualified_name: None,
            kind: Some(at.kind.as_str().to_owned()),
        };
        let (pre, post) = (part(start), part(end));
        found.push(Operation::Move(Move { stable_id: stable_id(), pre, post, note: note.clone() }));
    }
    let (before, now) = (look(start, contents.before(&start.path)?), look(end, contents.now(&end.path)?));
    let signatures =
        [&before, &now].map(|look| look.as_ref().and_then(|look| look.signature.clone()).unwrap_or_default());
    let [signature_pre, signature_post] = signatures;
    let is_other_signature = signature_pre != signature_post;
    if fate.changes_signature && is_other_signature {
        let change =
            ChangeSignature { stable_id: stable_id(), signature_pre, signature_post, note: note.clone() };
        found.push(Operation::ChangeSignature(change));
    }
    let is_moved = start != end;
    let says_all = is_moved || fate.changes_signature || !is_other_signature;
    if fate.changes_body && before != now && says_all {
        let (body_hash_pre, body_hash_post) = (sha256(before.as_ref()), sha256(now.as_ref()));
        found.push(Operation::ChangeBody(ChangeBody {
            stable_id: stable_id(),
            body_hash_pre,
            body_hash_post,
            note,
        }));
    }
    Ok(())
}

fn grouped(
    group: &Group,
    fates: &Fates,
    ids: &[Option<String>],
    contents: &dyn Contents,
) -> Result<Option<Operation>, RefactorError> {
    let source = |at: usize| {
        let (start, id) = (fates.symbols[at].start.as_ref()?, ids[at].clone()?);
        Some(Source { stable_id: id, pre: start.into() })
    };
    let end = |at: usize| -> Result<Option<(String, Address, String)>, RefactorError> {
        let (Some(end), Some(id)) = (fates.symbols[at].end.as_ref(), ids[at].clone()) else {
            return Ok(None);
        };
        Ok(Some((id, end.into(), sha256(look(end, contents.now(&end.path)?).as_ref()))))
    };
    Ok(match group {
        Group::Split { source: from, children } => {
            let mut parts = Vec::new();
            for child in children {
                parts.extend(end(*child)?.map(|(stable_id, post, body_hash_post)| Child {
                    stable_id,
                    post,
                    body_hash_post,
                }));
            }
            source(*from)
                .filter(|_| !parts.is_empty())
                .map(|source| Operation::Split(Split { source, children: parts, note: None }))
        }
        Group::Merge { sources, target } => {
            let sources: Vec<Source> = sources.iter().filter_map(|at| source(*at)).collect();
            let target = end(*target)?.map(|(stable_id, post, body_hash_post)| Target {
                stable_id,
                post,
                body_hash_post,
            });
            target
                .filter(|_| sources.len() >= 2)
                .map(|target| Operation::Merge(Merge { sources, target, note: None }))
        }
    })
}

/// A symbol in a version of its file.
fn look(at: &SymbolAddress, bytes: Option<Vec<u8>>) -> Option<Look> {
    let bytes = bytes?;
    let file = orbit_extract::extract(&at.path, Lang::of_path(&at.path)?, &bytes).ok()?;
    let is_it = |symbol: &&RawSymbol| symbol.kind == at.kind && file.local_name(symbol) == at.local;
    let symbol = file.symbols.iter().find(is_it)?;
    let text = bytes.get(symbol.span.start as usize..symbol.span.end as usize)?;
    Some(Look {
        text: String::from_utf8_lossy(text).into_owned(),
        signature: symbol.signature.as_deref().map(str::to_owned),
    })
}

fn sha256(look: Option<&Look>) -> String {
    hex(&Sha256::digest(look.map_or("", |look| &look.text).as_bytes()))
}
