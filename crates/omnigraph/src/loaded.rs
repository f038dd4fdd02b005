//! A schema that was read, with what is derived from it.

use crate::error::Result;
use crate::validate::RuleBook;
use omnigraph_compiler::{Catalog, Schema, Source};
use std::sync::Arc;

/// Everything that reading and writing rows of a schema needs.
#[derive(Debug)]
pub(crate) struct Loaded {
    pub(crate) schema: Schema,
    pub(crate) catalog: Arc<Catalog>,
    pub(crate) rules: Arc<RuleBook>,
    pub(crate) source: String,
}

impl Loaded {
    /// Reads the text of a schema; `name` is what errors call it.
    pub(crate) fn read(name: &str, source: String) -> Result<Loaded> {
        let schema = Schema::parse(&Source::new(name, source.as_str()))?;
        let rules = Arc::new(RuleBook::new(&schema.catalog)?);
        let catalog = Arc::new(schema.catalog.clone());
        Ok(Loaded { schema, catalog, rules, source })
    }
}
