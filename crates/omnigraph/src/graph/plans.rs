//! Plans of queries that were asked before.

use crate::error::{Error, Result};
use crate::loaded::Loaded;
use omnigraph_compiler::{Plan, QueryFile, Source, check_query, plan_query};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Plans by schema, source and name. A file of queries is asked again and again.
#[derive(Debug, Default)]
pub(super) struct Plans {
    known: Mutex<HashMap<Key, Arc<Plan>>>,
}

/// Schema, source, name.
type Key = (String, blake3::Hash, Option<String>);

/// Beyond this many everything is forgotten; it is soon made again.
const MOST: usize = 4_096;

impl Plans {
    /// The plan of a query; without a name that of the only query of the file.
    pub(super) fn get(
        &self,
        loaded: &Loaded,
        schema: &str,
        source: &str,
        name: Option<&str>,
    ) -> Result<Arc<Plan>> {
        let key = (schema.to_owned(), blake3::hash(source.as_bytes()), name.map(str::to_owned));
        if let Some(plan) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(plan.clone());
        }
        let made = Arc::new(make(loaded, source, name)?);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key, made.clone());
        Ok(made)
    }
}

/// Only the query that is asked for must hold: a mistake in another of the file is not a reason to refuse it.
fn make(loaded: &Loaded, source: &str, name: Option<&str>) -> Result<Plan> {
    let catalog = &loaded.schema.catalog;
    let file = QueryFile::parse(&Source::new("the query", source))?;
    let known = || file.queries.iter().map(|query| query.name.text.clone()).collect::<Vec<String>>();
    let query = match (name, &file.queries[..]) {
        (Some(name), _) => file.query(name),
        (None, [only]) => Some(only),
        (None, all) => {
            let reason = format!("the file has {} queries; name one of {}", all.len(), known().join(", "));
            return Err(Error::request(reason));
        }
    };
    let Some(query) = query else {
        return Err(Error::NoQuery { name: name.unwrap_or_default().to_owned(), known: known() });
    };
    Ok(plan_query(catalog, &check_query(catalog, query)?))
}
