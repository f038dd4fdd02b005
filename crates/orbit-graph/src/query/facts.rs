//! The one symbol that a selector names, with its row.

use super::target;
use crate::error::GraphError;
use crate::selector::Selector;
use crate::store::rows::{Facts, SymbolFacts};

impl Facts<'_> {
    /// Exactly one symbol, by its own name: what is changed must be named as it is defined.
    pub fn symbol(&self, selector: &Selector) -> Result<SymbolFacts, GraphError> {
        let found = target::exactly_one(self.connection, selector)?;
        self.by_id(found.id)?.ok_or_else(|| GraphError::Damaged("a symbol vanished".into()))
    }
}
