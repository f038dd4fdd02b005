//! New ids: rows are called by their key, and edges by their type, their ends and their key.

use super::{Migration, Pair};
use crate::audit::{edge_ids, ids_of, live_batch};
use crate::error::{Error, Result};
use crate::rows::{DST, ID, SRC, cell_at};
use crate::topology::texts;
use crate::validate::{Code, Problem, Violation};
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use omnigraph_compiler::migrate::TypeKind;
use omnigraph_store::{ColumnSource, Evolution, NewColumn, Table, TableEntry};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Old ids to new ones, by node type.
type Renamed = BTreeMap<String, HashMap<String, String>>;

impl Migration<'_> {
    /// Gives rows the ids that the desired schema gives them.
    pub(super) fn new_ids(
        &self,
        pairs: &[Pair<'_>],
        tables: &mut BTreeMap<String, TableEntry>,
    ) -> Result<()> {
        let mut renamed = Renamed::new();
        for pair in pairs.iter().filter(|pair| pair.kind == TypeKind::Node && has_new_key(pair)) {
            if let Some(entry) = tables.get_mut(&pair.key()) {
                let map = self.node_ids(pair, entry)?;
                *entry = self.replace(pair, entry, &[ID], |table, place| {
                    let ids = table.column(place, ID)?;
                    Ok(vec![mapped(&ids, Some(&map))?])
                })?;
                renamed.insert(pair.name.to_owned(), map);
            }
        }
        for pair in pairs.iter().filter(|pair| pair.kind == TypeKind::Edge) {
            let Some(edge) = self.desired.catalog.edges.get(pair.name) else { continue };
            let (from, to) = (renamed.get(&edge.from), renamed.get(&edge.to));
            let changed = pair.old_name != pair.name || key_before(pair) != pair.now.key;
            let Some(entry) = tables.get_mut(&pair.key()) else { continue };
            if changed || from.is_some() || to.is_some() {
                *entry = self.replace(pair, entry, &[ID, SRC, DST], |table, place| {
                    let src = mapped(&table.column(place, SRC)?, from)?;
                    let dst = mapped(&table.column(place, DST)?, to)?;
                    let mut named = vec![(SRC, src.clone()), (DST, dst.clone())];
                    for property in pair.now.key.iter().filter(|name| ![SRC, DST].contains(&name.as_str())) {
                        named.push((property, table.column(place, property)?));
                    }
                    let ids = edge_ids(&pair.rules, &RecordBatch::try_from_iter(named)?)?;
                    Ok(vec![Arc::new(StringArray::from(ids)) as ArrayRef, src, dst])
                })?;
            }
        }
        Ok(())
    }

    /// What the nodes of a type are called before and after.
    fn node_ids(&self, pair: &Pair<'_>, entry: &TableEntry) -> Result<HashMap<String, String>> {
        let table = self.store.table(entry)?;
        let mut map = HashMap::new();
        let mut found = Vec::new();
        for place in 0..table.fragments().len() {
            let batch = live_batch(&table, &pair.rules, place)?;
            let columns: Option<Vec<&ArrayRef>> =
                pair.now.key.iter().map(|name| batch.column_by_name(name)).collect();
            let columns = columns.ok_or_else(|| Error::damaged("a key without its column"))?;
            let ids = ids_of(&batch)?;
            for row in 0..batch.num_rows() {
                let key: Vec<_> = columns.iter().map(|column| cell_at(column, row)).collect();
                match pair.rules.id_of(&key) {
                    Ok(Some(id)) => drop(map.insert(ids.value(row).to_owned(), id)),
                    Ok(None) => {}
                    Err(problem) => {
                        found.push(Violation::new(pair.name, problem).in_row(ids.value(row)));
                    }
                }
            }
        }
        found.extend(repeated(pair, &map));
        super::invalid(found)?;
        Ok(map)
    }

    fn replace(
        &self,
        pair: &Pair<'_>,
        entry: &TableEntry,
        names: &[&str],
        mut compute: impl FnMut(&Table, usize) -> Result<Vec<ArrayRef>>,
    ) -> Result<TableEntry> {
        let columns = pair.rules.schema().fields().iter().map(|field| {
            let computed = names.contains(&field.name().as_str());
            let source =
                if computed { ColumnSource::Computed } else { ColumnSource::Kept(field.name().clone()) };
            NewColumn { field: field.as_ref().clone(), source }
        });
        Evolution::new(columns.collect()).apply(self.store, entry, &mut |table, place| compute(table, place))
    }
}

/// The key under the names that its properties have now.
fn key_before(pair: &Pair<'_>) -> Vec<String> {
    let renamed = |old: &String| {
        let is = |property: &&omnigraph_compiler::schema::catalog::Property| {
            property.metadata.renamed_from.as_ref() == Some(old)
        };
        let found = pair.now.properties.iter().find(is).filter(|_| pair.now.property(old).is_none());
        found.map_or_else(|| old.clone(), |property| property.name.clone())
    };
    pair.before.key.iter().map(renamed).collect()
}

/// A key that is gone leaves the ids as they are.
fn has_new_key(pair: &Pair<'_>) -> bool {
    !pair.now.key.is_empty() && key_before(pair) != pair.now.key
}

fn repeated(pair: &Pair<'_>, map: &HashMap<String, String>) -> Vec<Violation> {
    let mut owners: HashMap<&str, &str> = HashMap::new();
    let mut pairs: Vec<(&String, &String)> = map.iter().collect();
    pairs.sort_unstable();
    let mut found = Vec::new();
    for (old, new) in pairs {
        if let Some(other) = owners.insert(new, old) {
            let message = format!("{}: '{other}' and '{old}' have the same key '{new}'", pair.name);
            found.push(Violation::new(pair.name, Problem::new(Code::Duplicate, message)).in_row(old));
        }
    }
    found
}

/// The column with other ids; deleted rows have none.
fn mapped(ids: &ArrayRef, map: Option<&HashMap<String, String>>) -> Result<ArrayRef> {
    let Some(map) = map else { return Ok(ids.clone()) };
    let ids = texts(ids)?;
    let new = (0..ids.len()).map(|row| map.get(ids.value(row)).map_or("", String::as_str));
    Ok(Arc::new(StringArray::from_iter_values(new)))
}
