//! What searches have read of an index, kept for the next one as long as the connection: the rows in which a word stands, and
//! which files are tests.

use crate::error::GraphError;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use rusqlite::Connection;
use std::cell::RefCell;
use std::sync::Arc;

/// Rows that are kept at most, of all words together.
const MOST_ROWS: usize = 2_000_000;

/// Kept beside a connection that reads one state of a database.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    known: RefCell<Known>,
}

#[derive(Debug, Default)]
struct Known {
    by_match: HashMap<String, Arc<[i64]>, FixedState>,
    rows: usize,
    tests: HashMap<u32, bool, FixedState>,
}

impl Lists {
    /// The rows of the symbols that match, in ascending order.
    pub(crate) fn matching(&self, connection: &Connection, matching: &str) -> Result<Arc<[i64]>, GraphError> {
        if let Some(known) = self.known.borrow().by_match.get(matching) {
            return Ok(Arc::clone(known));
        }
        let sql = "SELECT rowid FROM symbols_fts WHERE symbols_fts MATCH ?1 ORDER BY rowid";
        let mut statement = connection.prepare_cached(sql)?;
        let rows = statement.query_map([matching], |row| row.get(0))?;
        let rows: Arc<[i64]> = rows.collect::<Result<Vec<i64>, _>>()?.into();
        let mut known = self.known.borrow_mut();
        if known.rows + rows.len() > MOST_ROWS {
            known.by_match.clear();
            known.rows = 0;
        }
        known.rows += rows.len();
        known.by_match.insert(matching.to_owned(), Arc::clone(&rows));
        Ok(rows)
    }

    /// Whether a file is a test, by what its path says.
    pub(crate) fn is_test_file(
        &self,
        connection: &Connection,
        file: u32,
        says: impl FnOnce(&str) -> bool,
    ) -> Result<bool, GraphError> {
        if let Some(known) = self.known.borrow().tests.get(&file) {
            return Ok(*known);
        }
        let mut path = connection.prepare_cached("SELECT path FROM file_rows WHERE id = ?1")?;
        let is_test = path.query_row([file], |row| Ok(says(row.get_ref(0)?.as_str()?)))?;
        self.known.borrow_mut().tests.insert(file, is_test);
        Ok(is_test)
    }
}

/// What two ascending lists have in common.
pub(crate) fn common(one: &[i64], other: &[i64]) -> Vec<i64> {
    let (short, mut long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    let mut found = Vec::new();
    for row in short {
        // Where the next one is near, which it is in lists of about the same length, few steps lead there.
        let mut step = 1;
        while step < long.len() && long[step] < *row {
            step *= 2;
        }
        let near = &long[..long.len().min(step + 1)];
        let at = near.partition_point(|other| other < row);
        long = &long[at..];
        if long.first() == Some(row) {
            found.push(*row);
        }
    }
    found
}

/// What is in one of two ascending lists.
pub(crate) fn either(one: &[i64], other: &[i64]) -> Vec<i64> {
    let mut found = [one, other].concat();
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::common;
    use std::collections::BTreeSet;

    #[test]
    fn common_rows_are_those_of_both() {
        let multiples = |of: i64, count: i64| (0..count).map(|at| at * of).collect::<Vec<i64>>();
        for (one, other) in [(3, 5), (1, 7), (2, 2), (100, 1)] {
            for (some, others) in [(0, 10), (1, 1), (50, 400), (400, 30)] {
                let (one, other) = (multiples(one, some), multiples(other, others));
                let both: BTreeSet<i64> = one.iter().copied().collect();
                let wanted: Vec<i64> = other.iter().copied().filter(|row| both.contains(row)).collect();
                assert_eq!(common(&one, &other), wanted);
                assert_eq!(common(&other, &one), wanted);
            }
        }
    }
}
