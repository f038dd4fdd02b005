//! The questions resolution asks about other files. Whole builds answer from memory, incremental ones from
//! the database, with the same answers.

use super::key::Key;
use super::surface::{Surface, SymRef};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use smallvec::SmallVec;

/// All symbols and files of the repository.
pub(crate) trait World {
    /// Symbols with this key, in order of path and position.
    fn defs(&self, key: Key) -> SmallVec<[SymRef; 2]>;

    /// Files that answer to this module key, in order of path.
    fn modules(&self, key: Key) -> SmallVec<[u32; 2]>;

    /// The surface of a file that `defs` or `modules` named.
    fn surface(&self, file: u32) -> &Surface;
}

/// A world in memory.
pub(crate) struct WholeWorld {
    /// In order of path.
    surfaces: Vec<Surface>,
    /// Position of a file's surface by file number.
    positions: Vec<u32>,
    defs: HashMap<Key, SmallVec<[SymRef; 2]>, FixedState>,
    modules: HashMap<Key, SmallVec<[u32; 2]>, FixedState>,
}

impl WholeWorld {
    pub(crate) fn new(surfaces: Vec<Surface>) -> WholeWorld {
        let symbols = surfaces.iter().map(|surface| surface.symbols.len()).sum();
        let mut defs: HashMap<Key, SmallVec<[SymRef; 2]>, FixedState> =
            HashMap::with_capacity_and_hasher(symbols, FixedState::with_seed(5));
        let mut modules: HashMap<Key, SmallVec<[u32; 2]>, FixedState> =
            HashMap::with_capacity_and_hasher(surfaces.len(), FixedState::with_seed(6));
        let most = surfaces.iter().map(|surface| surface.file as usize).max().unwrap_or(0);
        let mut positions = vec![0; most + 1];
        for (position, surface) in surfaces.iter().enumerate() {
            positions[surface.file as usize] = position as u32;
            for (key, sym) in surface.definitions() {
                defs.entry(key).or_default().push(sym);
            }
            for key in &surface.modules {
                modules.entry(*key).or_default().push(surface.file);
            }
        }
        WholeWorld { surfaces, positions, defs, modules }
    }

    pub(crate) fn surfaces(&self) -> &[Surface] {
        &self.surfaces
    }
}

impl World for WholeWorld {
    fn defs(&self, key: Key) -> SmallVec<[SymRef; 2]> {
        self.defs.get(&key).cloned().unwrap_or_default()
    }

    fn modules(&self, key: Key) -> SmallVec<[u32; 2]> {
        self.modules.get(&key).cloned().unwrap_or_default()
    }

    fn surface(&self, file: u32) -> &Surface {
        &self.surfaces[self.positions[file as usize] as usize]
    }
}
