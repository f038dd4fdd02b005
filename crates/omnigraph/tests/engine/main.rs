//! The engine from outside. One binary, because linking Lance takes long.

#![expect(clippy::unwrap_used, reason = "a fixture that cannot be read is a failed test")]

mod access;
mod access_calls;
mod access_types;
mod changes;
mod cold;
mod copies;
mod corpus;
mod costs;
mod diffs;
mod embed;
mod fixture;
mod graphs;
mod histories;
mod languages;
mod load;
mod load_files;
mod loads;
mod meaning;
mod merge_laws;
mod merge_schemas;
mod merge_traps;
mod merges;
mod migrated_histories;
mod migrations;
mod render;
mod resolutions;
mod reverts;
mod rows;
mod runs;
mod server;
mod since;
mod states;
mod switching;
mod text;
mod upkeep;
mod validate;
mod vector;
mod version_costs;
mod walks;
mod writers;

use omnigraph::validate::{RuleBook, TypeRules};
use omnigraph_compiler::{Catalog, Schema, Source, render};
use std::sync::Arc;

/// The catalog of a schema that is known to be good.
fn catalog(schema: &str) -> Catalog {
    let source = Source::new("test.pg", schema);
    match Schema::parse(&source) {
        Ok(schema) => schema.catalog,
        Err(found) => panic!("{}", render(&found, &source)),
    }
}

fn book(schema: &str) -> Arc<RuleBook> {
    Arc::new(RuleBook::new(&catalog(schema)).unwrap())
}

/// The rules of the only node type.
fn node(schema: &str) -> Arc<TypeRules> {
    let catalog = catalog(schema);
    Arc::new(TypeRules::of_node(catalog.nodes.values().next().unwrap()).unwrap())
}
