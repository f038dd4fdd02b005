//! Which symbol each address is, at the commits that may still get children.
//!
//! A state shares everything that a commit did not touch with the state of its first parent, so that keeping many
//! costs little more than keeping one. What a state does not know is asked of the database, along the line of first
//! parents of the commit it began with.

use crate::git::Oid;
use crate::store::reach::CommitSet;
use crate::store::{CommitId, PathId, SymbolId};
use std::collections::HashMap;
use std::sync::Arc;

const SHARDS: usize = 64;
/// States kept: more open branches than this are read back from the database.
const KEPT: usize = 96;

/// A file's blob and the symbols of its outline, in the outline's order; 0 where none is known.
#[derive(Clone, Debug)]
pub(crate) struct FileIds {
    pub(crate) blob: Oid,
    pub(crate) ids: Arc<[SymbolId]>,
}

type Shard = HashMap<PathId, Option<FileIds>>;

/// The symbols of all files at one commit.
#[derive(Clone, Debug)]
pub(crate) struct TreeState {
    shards: Vec<Arc<Shard>>,
    /// The line of first parents to ask along; `None` when everything is known.
    base: Option<Arc<CommitSet>>,
}

/// What a state knows about a file.
pub(crate) enum Known<'s> {
    /// Its symbols.
    File(&'s FileIds),
    /// It is not there.
    Nothing,
    /// The database has to be asked, along this line.
    Ask(&'s CommitSet),
}

impl TreeState {
    /// Before a root commit.
    pub(crate) fn empty() -> TreeState {
        TreeState { shards: vec![Arc::default(); SHARDS], base: None }
    }

    /// At a stored commit.
    pub(crate) fn stored(line: CommitSet) -> TreeState {
        TreeState { base: Some(Arc::new(line)), ..TreeState::empty() }
    }

    /// What is known of a file.
    pub(crate) fn get(&self, path: PathId) -> Known<'_> {
        match (self.shards[path as usize % SHARDS].get(&path), &self.base) {
            (Some(Some(file)), _) => Known::File(file),
            (None, Some(line)) => Known::Ask(line),
            _ => Known::Nothing,
        }
    }

    /// Notes what a file is from now on.
    pub(crate) fn set(&mut self, path: PathId, ids: Option<FileIds>) {
        let shard = Arc::make_mut(&mut self.shards[path as usize % SHARDS]);
        match ids {
            None if self.base.is_none() => {
                shard.remove(&path);
            }
            ids => {
                shard.insert(path, ids);
            }
        }
    }
}

/// The states of the commits walked last.
#[derive(Default)]
pub(crate) struct States {
    states: HashMap<CommitId, (TreeState, u64)>,
    clock: u64,
}

impl States {
    pub(crate) fn get(&mut self, commit: CommitId) -> Option<TreeState> {
        self.clock += 1;
        let (state, used) = self.states.get_mut(&commit)?;
        *used = self.clock;
        Some(state.clone())
    }

    pub(crate) fn put(&mut self, commit: CommitId, state: TreeState) {
        self.clock += 1;
        self.states.insert(commit, (state, self.clock));
        if self.states.len() > KEPT {
            let oldest = self.states.iter().min_by_key(|(_, (_, used))| *used).map(|(commit, _)| *commit);
            if let Some(oldest) = oldest {
                self.states.remove(&oldest);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_childs_changes_do_not_show_in_its_parent() {
        let blob = Oid::parse(&[b'a'; 40]).unwrap();
        let mut parent = TreeState::empty();
        parent.set(7, Some(FileIds { blob, ids: Arc::from([1, 2]) }));
        let mut child = parent.clone();
        child.set(7, None);
        child.set(8, Some(FileIds { blob, ids: Arc::from([3]) }));
        assert!(matches!(parent.get(7), Known::File(file) if file.ids[..] == [1, 2]));
        assert!(matches!(parent.get(8), Known::Nothing));
        assert!(matches!(child.get(7), Known::Nothing));
        let unknown = TreeState::stored(CommitSet::default());
        assert!(matches!(unknown.get(7), Known::Ask(_)));
    }
}
