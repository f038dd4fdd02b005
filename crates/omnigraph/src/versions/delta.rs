//! What differs between two versions of a table.

use super::rows::{AT_ONCE, Reader};
use crate::error::{Error, Result};
use crate::graph::Graph;
use crate::loaded::Loaded;
use crate::table_name::TableName;
use crate::view::live_rows;
use crate::write::different;
use arrow_buffer::BooleanBuffer;
use omnigraph_compiler::schema::catalog::Body;
use omnigraph_store::{Error as StoreError, RowAddr, Snapshot, Table, TableEntry};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Beyond this many rows in fragments that differ, the records of the commits are asked which rows changed: the fragments
/// may have been rewritten with the rows that they had.
const ASK_RECORDS: usize = 32 << 10;

/// Commits that are asked at most.
const MOST_COMMITS: usize = 4_096;

/// A row that differs. It has two places when it is there on both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RowChange {
    pub(super) id: String,
    pub(super) old: Option<RowAddr>,
    pub(super) new: Option<RowAddr>,
}

/// What differs between two versions of a table.
#[derive(Debug, Default)]
pub(super) struct Delta {
    /// Reads the old version; none when it has no rows.
    pub(super) old: Option<Reader>,
    /// Reads the new version; none when it has no rows.
    pub(super) new: Option<Reader>,
    /// By id.
    pub(super) rows: Vec<RowChange>,
    /// Rows that are the same and have another place.
    moved: HashMap<RowAddr, RowAddr>,
}

impl Delta {
    /// Where a row of the old version that did not change is in the new one.
    pub(super) fn place(&self, old: RowAddr) -> RowAddr {
        self.moved.get(&old).copied().unwrap_or(old)
    }
}

/// How rows of a type are read.
pub(super) struct Lens<'a> {
    pub(super) loaded: &'a Loaded,
    pub(super) key: &'a str,
}

impl<'a> Lens<'a> {
    /// The type without its kind.
    pub(super) fn type_name(&self) -> &'a str {
        TableName::of(self.key).type_name()
    }

    pub(super) fn body(&self) -> Result<&'a Body> {
        let body = self.loaded.catalog.body(self.type_name());
        body.ok_or_else(|| Error::damaged(format!("no type {}", self.key)))
    }

    pub(super) fn reader(&self, table: Arc<Table>) -> Result<Reader> {
        let rules = match TableName::of(self.key) {
            TableName::Edge(name) => self.loaded.rules.edge(name),
            TableName::Node(name) => self.loaded.rules.node(name),
        };
        let rules = rules.map_err(|problem| Error::damaged(problem.message))?;
        Reader::new(table, rules.schema(), self.body()?)
    }
}

/// The tables of some snapshots: whatever one of them holds, by the name that the schema of `seen` has for it, with its
/// version in each.
pub(super) fn tables<'s, const N: usize>(
    seen: &Loaded,
    snapshots: [&'s Snapshot; N],
) -> Vec<(String, [Option<&'s TableEntry>; N])> {
    let keys: BTreeSet<&String> =
        snapshots.iter().flat_map(|snapshot| snapshot.record.tables.keys()).collect();
    let names: BTreeSet<String> = keys.into_iter().map(|key| present_key(seen, key)).collect();
    let with_entries = |key: String| {
        let entries = snapshots.map(|snapshot| entry_of(seen, snapshot, &key));
        (key, entries)
    };
    names.into_iter().map(with_entries).collect()
}

/// The version of a table in a snapshot whose schema may have had another name for it.
pub(super) fn entry_of<'s>(seen: &Loaded, snapshot: &'s Snapshot, key: &str) -> Option<&'s TableEntry> {
    snapshot.table(key).or_else(|| snapshot.table(&former_key(seen, key)?))
}

/// The key that a schema has for a table of an older one.
fn present_key(seen: &Loaded, key: &str) -> String {
    if seen.catalog.body(TableName::of(key).type_name()).is_some() {
        return key.to_owned();
    }
    let was = |before: &Option<String>, of: TableName<'_>| before.as_deref() == Some(of.type_name());
    let name = match TableName::of(key) {
        of @ TableName::Node(_) => {
            let mut nodes = seen.catalog.nodes.values();
            nodes.find(|node| was(&node.metadata.renamed_from, of)).map(|node| TableName::Node(&node.name))
        }
        of @ TableName::Edge(_) => {
            let mut edges = seen.catalog.edges.values();
            edges.find(|edge| was(&edge.metadata.renamed_from, of)).map(|edge| TableName::Edge(&edge.name))
        }
    };
    name.map_or_else(|| key.to_owned(), TableName::key)
}

fn former_key(seen: &Loaded, key: &str) -> Option<String> {
    match TableName::of(key) {
        TableName::Node(name) => {
            let before = seen.catalog.nodes.get(name)?.metadata.renamed_from.as_ref();
            before.map(|before| TableName::Node(before).key())
        }
        TableName::Edge(name) => {
            let before = seen.catalog.edges.get(name)?.metadata.renamed_from.as_ref();
            before.map(|before| TableName::Edge(before).key())
        }
    }
}

/// Rows of a version that are not where they are in the other.
#[derive(Default)]
struct Apart {
    places: Vec<(usize, Vec<u32>)>,
    count: usize,
}

impl Apart {
    fn add(&mut self, place: usize, rows: Vec<u32>) {
        self.count += rows.len();
        if !rows.is_empty() {
            self.places.push((place, rows));
        }
    }

    /// With their ids, sorted by them.
    fn rows(self, table: &Table) -> Result<Vec<(String, RowAddr)>> {
        let mut found = Vec::with_capacity(self.count);
        for (place, rows) in self.places {
            let ids = table.rows_of(place, &["id"], &rows)?;
            let ids = crate::topology::texts(&ids[0])?;
            let fragment = table.fragments()[place].id();
            let with_ids = rows.iter().enumerate();
            found.extend(with_ids.map(|(at, row)| (ids.value(at).to_owned(), RowAddr::new(fragment, *row))));
        }
        found.sort_unstable();
        Ok(found)
    }
}

/// The rows of two versions that are not in the same place of the same files.
fn apart(old: Option<&Table>, new: Option<&Table>) -> Result<(Apart, Apart)> {
    let (mut gone, mut came) = (Apart::default(), Apart::default());
    let fragments = |table: Option<&Table>| table.map_or(0, |table| table.fragments().len());
    let mut known: HashMap<(u32, &str), usize> = HashMap::new();
    for (place, fragment) in old.iter().flat_map(|old| old.fragments()).enumerate() {
        known.insert((fragment.id(), fragment.files().as_ref()), place);
    }
    let mut met = vec![false; fragments(old)];
    for (place, fragment) in new.iter().flat_map(|new| new.fragments()).enumerate() {
        let Some(new) = new else { break };
        let before = known.get(&(fragment.id(), fragment.files().as_ref()));
        let (Some(before), Some(old)) = (before.copied(), old) else {
            came.add(place, live_rows(new, place)?);
            continue;
        };
        met[before] = true;
        if old.fragments()[before].live_key() == fragment.live_key() {
            continue;
        }
        let all = || BooleanBuffer::new_set(fragment.rows() as usize);
        let was = old.live(before)?.unwrap_or_else(all);
        let is = new.live(place)?.unwrap_or_else(all);
        let differ = &was ^ &is;
        let differ = differ.set_indices().map(|row| row as u32);
        let (dead, born): (Vec<u32>, Vec<u32>) = differ.partition(|row| was.value(*row as usize));
        gone.add(before, dead);
        came.add(place, born);
    }
    for place in (0..met.len()).filter(|place| !met[*place]) {
        if let Some(old) = old {
            gone.add(place, live_rows(old, place)?);
        }
    }
    Ok((gone, came))
}

impl Graph {
    /// What differs between two versions of a table, as the lens sees them. `known` gives a superset of the ids that
    /// changed, when that can be told without looking at rows.
    pub(super) fn delta(
        &self,
        lens: &Lens<'_>,
        old: Option<&TableEntry>,
        new: Option<&TableEntry>,
        known: &dyn Fn() -> Result<Option<BTreeSet<String>>>,
    ) -> Result<Delta> {
        let open = |entry: Option<&TableEntry>| entry.map(|entry| self.store().table(entry)).transpose();
        let (old_table, new_table) = (open(old)?, open(new)?);
        let reader = |table: &Option<Arc<Table>>| table.clone().map(|table| lens.reader(table)).transpose();
        let mut delta = Delta { old: reader(&old_table)?, new: reader(&new_table)?, ..Delta::default() };
        if old == new {
            return Ok(delta);
        }
        let (gone, came) = apart(old_table.as_deref(), new_table.as_deref())?;
        let hint = if gone.count.min(came.count) > ASK_RECORDS { known()? } else { None };
        let rows_of = |apart: Apart, table: &Option<Arc<Table>>| {
            table.as_ref().map_or_else(|| Ok(Vec::new()), |table| apart.rows(table))
        };
        delta.join(rows_of(gone, &old_table)?, rows_of(came, &new_table)?, hint.as_ref())?;
        Ok(delta)
    }

    /// The ids of a table that commits between two states changed, as far as their records tell: none when one of them
    /// does not say, or when they are of different schemas.
    pub(super) fn known_ids(
        &self,
        key: &str,
        old: &Arc<Snapshot>,
        new: &Arc<Snapshot>,
    ) -> Result<Option<BTreeSet<String>>> {
        let meeting = self.store().meeting_points(old, new)?;
        let [meeting] = &meeting[..] else { return Ok(None) };
        let mut ids = BTreeSet::new();
        for side in [old, new] {
            let commits = match self.store().after(meeting.id(), side, MOST_COMMITS) {
                Ok(commits) if commits.len() < MOST_COMMITS => commits,
                Ok(_) | Err(StoreError::NoCommit { .. }) => return Ok(None),
                Err(error) => return Err(error.into()),
            };
            for commit in &commits {
                if commit.record.schema != meeting.record.schema {
                    return Ok(None);
                }
                match commit.record.changes.get(key).map(|change| &change.ids) {
                    None => {}
                    Some(Some(changed)) => ids.extend(changed.all().map(str::to_owned)),
                    Some(None) => return Ok(None),
                }
            }
        }
        Ok(Some(ids))
    }
}

impl Delta {
    /// Joins both lists by id. A row that is in both may have been moved only.
    fn join(
        &mut self,
        gone: Vec<(String, RowAddr)>,
        came: Vec<(String, RowAddr)>,
        hint: Option<&BTreeSet<String>>,
    ) -> Result<()> {
        let (mut gone, mut came) = (gone.into_iter().peekable(), came.into_iter().peekable());
        let mut pairs: Vec<RowChange> = Vec::new();
        loop {
            let order = match (gone.peek(), came.peek()) {
                (None, None) => break,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some(gone), Some(came)) => gone.0.cmp(&came.0),
            };
            let old = if order.is_le() { gone.next() } else { None };
            let new = if order.is_ge() { came.next() } else { None };
            match (old, new) {
                (Some((id, old)), Some((_, new))) if hint.is_some_and(|hint| !hint.contains(&id)) => {
                    self.moved.insert(old, new);
                }
                (Some((id, old)), Some((_, new))) => {
                    pairs.push(RowChange { id, old: Some(old), new: Some(new) });
                }
                (Some((id, old)), None) => self.rows.push(RowChange { id, old: Some(old), new: None }),
                (None, Some((id, new))) => self.rows.push(RowChange { id, old: None, new: Some(new) }),
                (None, None) => {}
            }
        }
        for some in pairs.chunks(AT_ONCE) {
            self.compare(some)?;
        }
        self.rows.sort_unstable_by(|left, right| left.id.cmp(&right.id));
        Ok(())
    }

    fn compare(&mut self, pairs: &[RowChange]) -> Result<()> {
        let (Some(old), Some(new)) = (&self.old, &self.new) else {
            return Err(Error::damaged("a pair of rows without tables"));
        };
        let was: Vec<RowAddr> = pairs.iter().filter_map(|pair| pair.old).collect();
        let is: Vec<RowAddr> = pairs.iter().filter_map(|pair| pair.new).collect();
        let differ =
            different(&old.rows(&was)?, &new.rows(&is)?, &(0..pairs.len() as u32).collect::<Vec<_>>())?;
        let mut next = differ.into_iter().peekable();
        for (at, pair) in pairs.iter().enumerate() {
            if next.next_if_eq(&at).is_some() {
                self.rows.push(pair.clone());
            } else {
                self.moved.insert(was[at], is[at]);
            }
        }
        Ok(())
    }
}
