//! What a well-formed log says about a commit, held against the commit's two trees. `Err` names the first entry that
//! does not hold, and why; then nothing of the log is followed.

use super::lives::{Ending, Life, Lives, Start};
use super::schema::{Operation, OperationLog};
use crate::facts::Change;
use crate::identity::{At, FilePair};
use crate::store::SymbolId;
use std::collections::HashMap;

/// The stable ids of a log that are taken before the commit.
pub(crate) type KnownIds = HashMap<String, SymbolId>;

/// Who is meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Subject {
    /// A symbol of the old tree.
    Known(SymbolId),
    /// A stable id that the log brings in.
    Fresh(String),
}

/// A symbol of the new tree that the log speaks for.
#[derive(Debug)]
pub(crate) struct Placed {
    pub(crate) new: At,
    pub(crate) subject: Subject,
    /// Where it was in the old tree, when it goes on.
    pub(crate) from: Option<At>,
    pub(crate) is_new_address: bool,
    /// What the commit did to it, when that is more than a new address.
    pub(crate) change: Option<Change>,
}

/// A symbol of the old tree that ends.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) old: At,
    pub(crate) change: Change,
}

/// A symbol that came out of others.
#[derive(Debug)]
pub(crate) struct Descent {
    pub(crate) subject: Subject,
    pub(crate) change: Change,
    pub(crate) from: At,
    pub(crate) to: At,
}

/// Everything a log says.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    pub(crate) placed: Vec<Placed>,
    pub(crate) ended: Vec<Ended>,
    pub(crate) descents: Vec<Descent>,
}

/// Checks every operation against the trees.
pub(crate) fn claims(log: &OperationLog, files: &[FilePair], known: &KnownIds) -> Result<Claims, String> {
    let mut lives = Lives::new(files, known);
    for (at, operation) in log.operations.iter().enumerate() {
        let told = tell(&mut lives, at, operation);
        told.map_err(|reason| named(at, operation, &reason))?;
    }
    lives.settle().map_err(|(at, reason)| named(at, &log.operations[at], &reason))
}

fn named(at: usize, operation: &Operation, reason: &str) -> String {
    format!("operation {} ({}): {reason}", at + 1, operation.name())
}

/// Follows one operation.
fn tell(lives: &mut Lives<'_>, at: usize, operation: &Operation) -> Result<(), String> {
    match operation {
        Operation::Create(op) => {
            lives.fresh(&op.stable_id)?;
            lives.begin(&op.stable_id, Life::at(at, &op.post, Start::Created)?);
        }
        Operation::Delete(op) => {
            lives.living_at(&op.stable_id, &op.pre, at)?;
            lives.end(&op.stable_id, Ending::Deleted);
        }
        Operation::Rename(op) => {
            let life = lives.find_living(&op.stable_id, at)?;
            life.expect_name(&op.pre.qualified_name)?;
            for part in [&op.pre, &op.post] {
                life.expect_parts(part.file.as_deref(), part.kind.as_deref())?;
            }
            life.rename(&op.post.qualified_name)?;
        }
        Operation::Move(op) => {
            let life = lives.find_living(&op.stable_id, at)?;
            life.expect_parts(Some(&op.pre.file), op.pre.kind.as_deref())?;
            for name in [&op.pre.qualified_name, &op.post.qualified_name].into_iter().flatten() {
                life.expect_name(name)?;
            }
            life.relocate(&op.post.file)?;
        }
        Operation::ChangeSignature(op) => {
            if op.signature_pre == op.signature_post {
                return Err("`signature_pre` and `signature_post` are the same".into());
            }
            lives.find_living(&op.stable_id, at)?.changes_signature = Some(at);
        }
        Operation::ChangeBody(op) => {
            if op.body_hash_pre == op.body_hash_post {
                return Err("`body_hash_pre` and `body_hash_post` are the same".into());
            }
            lives.find_living(&op.stable_id, at)?.changes_body = Some(at);
        }
        Operation::Split(op) => {
            let source = lives.living_at(&op.source.stable_id, &op.source.pre, at)?;
            lives.end(&op.source.stable_id, Ending::Split);
            for child in &op.children {
                lives.fresh(&child.stable_id)?;
                lives.begin(&child.stable_id, Life::at(at, &child.post, Start::Split(source))?);
            }
        }
        Operation::Merge(op) => return merge(lives, at, op),
    }
    Ok(())
}

fn merge(lives: &mut Lives<'_>, at: usize, op: &super::schema::Merge) -> Result<(), String> {
    let mut sources = Vec::new();
    let mut inherited = None;
    for source in &op.sources {
        let old = lives.living_at(&source.stable_id, &source.pre, at)?;
        lives.end(&source.stable_id, Ending::Merged);
        if source.stable_id == op.target.stable_id {
            inherited = Some(old);
        } else {
            sources.push(old);
        }
    }
    let target = &op.target;
    if inherited.is_none() {
        lives.fresh(&target.stable_id)?;
    }
    lives.begin(&target.stable_id, Life::at(at, &target.post, Start::Merged { inherited, sources })?);
    Ok(())
}
