//! Files that import each other in a circle.

use super::{Reader, freshness, target};
use crate::error::GraphError;
use crate::selector::{Selector, normalize};
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};

/// Files each of which leads to every other one by imports.
#[derive(Clone, Debug, Serialize)]
pub struct Cycle {
    /// One of the shortest circles among them, from its first file in alphabetical order.
    pub path: Vec<Step>,
    /// All of them, in alphabetical order.
    pub files: Vec<String>,
}

/// An import on the way round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Who imports the next file.
    pub file: String,
    /// Its first import of that file, 1-based.
    pub line: u32,
}

/// The answer.
#[derive(Clone, Debug, Serialize)]
pub struct Cycles {
    /// Canonical; none for the whole repository.
    pub scope: Option<String>,
    /// Those of the most files first. No file is in two of them.
    pub cycles: Vec<Cycle>,
    /// How many there are.
    pub total: usize,
    /// Whether the list is cut.
    pub truncated: bool,
    /// Files of this answer that changed since they were indexed.
    pub stale: Vec<String>,
}

/// The files of a repository and who imports whom, with the line of the first import.
struct Imports {
    files: Vec<String>,
    of: Vec<BTreeMap<usize, u32>>,
}

pub(crate) fn cycles(
    reader: &Reader<'_>,
    scope: Option<&Selector>,
    limit: usize,
) -> Result<Cycles, GraphError> {
    let directory = scope.map(directory).transpose()?;
    let imports = Imports::read(reader, directory.as_deref())?;
    if let Some(path) = directory.as_ref().filter(|_| imports.files.is_empty()) {
        return Err(target::not_found(reader.connection, &Selector::Dir(path.clone()))?);
    }
    let mut cycles: Vec<Cycle> = imports.circles().into_iter().map(|files| imports.cycle(files)).collect();
    cycles.sort_by(|a, b| b.files.len().cmp(&a.files.len()).then_with(|| a.files.cmp(&b.files)));
    let total = cycles.len();
    cycles.truncate(limit);
    let paths = cycles.iter().flat_map(|cycle| cycle.files.iter().map(String::as_str));
    let stale = freshness::stale_among(reader.connection, reader.root, paths)?;
    let scope = directory.map(|path| Selector::Dir(path).to_string());
    Ok(Cycles { scope, truncated: cycles.len() < total, cycles, total, stale })
}

fn directory(selector: &Selector) -> Result<String, GraphError> {
    match selector {
        Selector::Dir(path) => Ok(path.clone()),
        Selector::Loose(text) => normalize(text).map_err(|reason| GraphError::bad_selector(text, reason)),
        other => Err(GraphError::bad_selector(&other.to_string(), "cycles takes a directory")),
    }
}

impl Imports {
    /// Everything, or the files below a directory.
    fn read(reader: &Reader<'_>, directory: Option<&str>) -> Result<Imports, GraphError> {
        let mut files = Vec::new();
        let mut numbers = BTreeMap::new();
        let mut statement = reader.connection.prepare_cached(
            "SELECT id, path FROM file_rows
             WHERE ?1 = '.' OR path = ?1 OR substr(path, 1, length(?1) + 1) = ?1 || '/' ORDER BY path",
        )?;
        let mut rows = statement.query([directory.unwrap_or(".")])?;
        while let Some(row) = rows.next()? {
            numbers.insert(row.get::<_, i64>(0)?, files.len());
            files.push(row.get(1)?);
        }
        let mut of = vec![BTreeMap::new(); files.len()];
        let mut statement = reader.connection.prepare_cached(
            "SELECT id >> 22, resolved_file, min(line) FROM import_rows
             WHERE resolved_file IS NOT NULL GROUP BY id >> 22, resolved_file",
        )?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let (from, to): (i64, i64) = (row.get(0)?, row.get(1)?);
            if let (Some(&from), Some(&to)) = (numbers.get(&from), numbers.get(&to))
                && from != to
            {
                of[from].insert(to, row.get(2)?);
            }
        }
        Ok(Imports { files, of })
    }

    /// Strongly connected components of several files, by Tarjan's algorithm. A stack in place of recursion: chains of
    /// imports are as long as a repository makes them.
    fn circles(&self) -> Vec<Vec<usize>> {
        const UNSEEN: usize = usize::MAX;
        let count = self.files.len();
        let (mut order, mut lowest) = (vec![UNSEEN; count], vec![UNSEEN; count]);
        let mut is_open = vec![false; count];
        let (mut open, mut circles, mut next) = (Vec::new(), Vec::new(), 0);
        for start in 0..count {
            if order[start] != UNSEEN {
                continue;
            }
            let mut walk = vec![(start, self.of[start].keys())];
            (order[start], lowest[start], is_open[start]) = (next, next, true);
            open.push(start);
            next += 1;
            while let Some((file, rest)) = walk.last_mut() {
                let file = *file;
                match rest.next() {
                    Some(&to) if order[to] == UNSEEN => {
                        (order[to], lowest[to], is_open[to]) = (next, next, true);
                        open.push(to);
                        next += 1;
                        walk.push((to, self.of[to].keys()));
                    }
                    Some(&to) if is_open[to] => lowest[file] = lowest[file].min(order[to]),
                    Some(_) => {}
                    None => {
                        walk.pop();
                        if let Some((before, _)) = walk.last() {
                            lowest[*before] = lowest[*before].min(lowest[file]);
                        }
                        if lowest[file] == order[file] {
                            let at = open.iter().rposition(|one| *one == file).unwrap_or(0);
                            let mut circle = open.split_off(at);
                            for one in &circle {
                                is_open[*one] = false;
                            }
                            circle.sort_unstable();
                            circles.extend(Some(circle).filter(|circle| circle.len() > 1));
                        }
                    }
                }
            }
        }
        circles
    }

    /// Shows the way round from the first file, breadth first.
    fn cycle(&self, files: Vec<usize>) -> Cycle {
        let first = files[0];
        let mut came_from: BTreeMap<usize, usize> = BTreeMap::new();
        let mut queue = VecDeque::from([first]);
        let mut last = first;
        'search: while let Some(file) = queue.pop_front() {
            for &to in self.of[file].keys() {
                if to == first {
                    last = file;
                    break 'search;
                }
                if files.binary_search(&to).is_ok() && !came_from.contains_key(&to) {
                    came_from.insert(to, file);
                    queue.push_back(to);
                }
            }
        }
        let mut path = Vec::new();
        let (mut file, mut to) = (last, first);
        loop {
            path.push(Step { file: self.files[file].clone(), line: self.of[file][&to] });
            match came_from.get(&file) {
                Some(&before) if file != first => (file, to) = (before, file),
                _ => break,
            }
        }
        path.reverse();
        Cycle { path, files: files.into_iter().map(|file| self.files[file].clone()).collect() }
    }
}
