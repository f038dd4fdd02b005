//! How a graph fares: what somebody looks at first when something is wrong.

use super::{Graph, TableInfo};
use crate::access::Action;
use crate::error::Result;
use omnigraph_store::{Branch, Rewrite, Snapshot};
use std::sync::Arc;

/// Answers about an open graph, each for itself: one that fails does not keep the others back.
#[derive(Debug)]
pub struct Examined {
    /// Whether the store refuses to overwrite an object that is there. Where it does not, writers lose commits.
    pub conditional_puts: Result<bool>,
    /// The newest commit of `main`.
    pub head: Result<Arc<Snapshot>>,
    /// The tables of `main`.
    pub tables: Result<Vec<TableInfo>>,
    /// The branches that people made, by name.
    pub branches: Result<Vec<String>>,
    /// How the rows of `main` lie.
    pub fragments: Result<Fragments>,
}

/// How the rows of a branch lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fragments {
    /// In all tables.
    pub count: u64,
    /// Rows that an `optimize` would write again; 0 when it is not worth it.
    pub compactable_rows: u64,
}

impl Graph {
    /// Looks at the graph without changing it.
    pub fn examine(&self) -> Result<Examined> {
        self.allow(Action::Admin, None, None)?;
        let head = || Ok(self.store().head(Branch::MAIN)?);
        Ok(Examined {
            conditional_puts: self.store().honours_conditional_puts().map_err(Into::into),
            head: head(),
            tables: head().and_then(|head| Ok(self.describe_at(head)?.tables)),
            branches: self.store().branches().map_err(Into::into),
            fragments: head().and_then(|head| self.fragments(&head)),
        })
    }

    fn fragments(&self, head: &Snapshot) -> Result<Fragments> {
        let mut found = Fragments::default();
        for entry in head.record.tables.values() {
            found.count += self.store().table(entry)?.fragments().len() as u64;
            found.compactable_rows += self.store().compactable_rows(entry, Rewrite::All)?;
        }
        Ok(found)
    }
}
