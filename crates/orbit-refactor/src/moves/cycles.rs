//! Whether files import each other in a circle.

use orbit_graph::{Facts, GraphError};
use std::collections::BTreeSet;

/// Whether one file imports another, through any number of steps.
pub(super) fn imports(facts: &Facts<'_>, from: &str, to: &str) -> Result<bool, GraphError> {
    let mut seen = BTreeSet::from([from.to_owned()]);
    let mut open = vec![from.to_owned()];
    while let Some(file) = open.pop() {
        for import in facts.imports_of(&file)? {
            let Some(next) = import.resolved else { continue };
            if next == to {
                return Ok(true);
            }
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    Ok(false)
}
