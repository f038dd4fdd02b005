//! Other columns for a table. Columns that stay are not written again: they keep their number in the files, and what they
//! are called is a matter of the version. A column that is new is a file of its own beside those of each fragment, or no file
//! at all while it is null everywhere.

use crate::Result;
use crate::detached;
use crate::error::Error;
use crate::record::TableEntry;
use crate::store::Store;
use crate::table::Table;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::{Field, Schema, SchemaRef};
use lance::Dataset;
use lance::dataset::WriteMode;
use lance::dataset::fragment::write::FragmentCreateBuilder;
use lance::dataset::transaction::Operation;
use lance::datatypes::Schema as LanceSchema;
use lance_table::format::{DataFile, Fragment as LanceFragment};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Instant;

/// Where the values of a column come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnSource {
    /// The column of this name of the base, with the same type.
    Kept(String),
    /// Every row is null.
    Null,
    /// They are given for every row.
    Computed,
}

/// A column of a table as it shall be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewColumn {
    /// Name, type, whether it may be null.
    pub field: Field,
    /// Where its values come from.
    pub source: ColumnSource,
}

/// Gives the computed columns of a fragment.
pub type Compute<'a, E> = &'a mut dyn FnMut(&Table, usize) -> Result<Vec<ArrayRef>, E>;

/// Other columns for one table.
#[derive(Debug)]
pub struct Evolution {
    columns: Vec<NewColumn>,
    /// Files with the computed columns by the files of the fragment, and the first number of the new columns. They serve
    /// again when another writer was first: it did not change the rows of these fragments.
    written: HashMap<Arc<str>, DataFile>,
    first_id: i32,
    began: Instant,
}

impl Evolution {
    /// To these columns, in this order.
    pub fn new(columns: Vec<NewColumn>) -> Evolution {
        Evolution { columns, written: HashMap::new(), first_id: -1, began: Instant::now() }
    }

    /// What it leads to.
    pub fn columns(&self) -> &[NewColumn] {
        &self.columns
    }

    /// The names of the columns that are computed.
    pub fn computed(&self) -> Vec<String> {
        let computed = self.columns.iter().filter(|column| column.source == ColumnSource::Computed);
        computed.map(|column| column.field.name().clone()).collect()
    }

    /// A version of the base with the columns. `compute` gives the computed columns of a fragment, in their order, with a
    /// value for every row, deleted ones included.
    pub fn apply<E: From<Error>>(
        &mut self,
        store: &Store,
        base: &TableEntry,
        compute: Compute<'_, E>,
    ) -> Result<TableEntry, E> {
        let table = store.table(base)?;
        let dataset = table.dataset().clone();
        let (schema, computed) = self.schema(&dataset)?;
        let kept: BTreeSet<i32> = schema.fields_pre_order().map(|field| field.id).collect();
        let mut fragments = Vec::new();
        for (place, fragment) in table.fragments().iter().enumerate() {
            let mut metadata = fragment.lance().metadata().clone();
            if let Some(computed) = &computed {
                if !self.written.contains_key(fragment.files()) {
                    let columns = compute(&table, place)?;
                    let written = write(store, base, fragment.id(), computed, columns)?;
                    self.written.insert(fragment.files().clone(), written);
                }
                metadata.files.extend(self.written.get(fragment.files()).cloned());
            }
            metadata.files.retain(|file| file.fields.iter().any(|field| kept.contains(field)));
            fragments.push(metadata);
        }
        if self.columns.iter().all(|column| matches!(column.source, ColumnSource::Kept(_))) {
            let operation = Operation::Project { schema, preserves_nullability: false };
            return Ok(detached::commit(store, &base.dir, Some(&table), dataset, operation)?);
        }
        // New columns, and whether old ones may be null, cannot change in one step.
        let like_before = with_nullability_of(&schema, dataset.schema());
        let is_last = like_before == schema;
        let operation = Operation::Merge { fragments, schema: like_before, preserves_nullability: false };
        let mut entry = detached::commit(store, &base.dir, Some(&table), dataset, operation)?;
        if !is_last {
            let table = store.table(&entry)?;
            let operation = Operation::Project { schema, preserves_nullability: false };
            entry = detached::commit(store, &base.dir, Some(&table), table.dataset().clone(), operation)?;
        }
        if let Some(table) = store.known_table(&entry) {
            table.began(self.began);
        }
        Ok(entry)
    }

    /// The whole schema, and that of the computed columns if there are any.
    fn schema(&mut self, dataset: &Dataset) -> Result<(LanceSchema, Option<LanceSchema>)> {
        let bad = |error| Error::damaged("a table", error);
        let is_new = |column: &&NewColumn| !matches!(column.source, ColumnSource::Kept(_));
        let new: Vec<Field> = self.columns.iter().filter(is_new).map(|column| column.field.clone()).collect();
        let mut new = LanceSchema::try_from(&Schema::new(new)).map_err(bad)?;
        let most = dataset.manifest().max_field_id();
        new.try_reassign_field_ids(Some(most)).map_err(bad)?;
        if self.first_id != most {
            self.written.clear();
            self.first_id = most;
        }
        let old = dataset.schema();
        let (mut fields, mut computed) = (Vec::new(), Vec::new());
        let mut made = new.fields.into_iter();
        for column in &self.columns {
            let missing = || Error::damaged("a table", format!("it has no column {}", column.field.name()));
            let field = match &column.source {
                ColumnSource::Kept(name) => {
                    let mut field = old.field(name).ok_or_else(missing)?.clone();
                    field.name.clone_from(column.field.name());
                    field.nullable = column.field.is_nullable();
                    field
                }
                ColumnSource::Null => made.next().ok_or_else(missing)?,
                ColumnSource::Computed => {
                    let field = made.next().ok_or_else(missing)?;
                    computed.push(field.clone());
                    field
                }
            };
            fields.push(field);
        }
        let computed =
            (!computed.is_empty()).then(|| LanceSchema { fields: computed, metadata: HashMap::new() });
        Ok((LanceSchema { fields, metadata: old.metadata.clone() }, computed))
    }
}

/// Writes computed columns of a fragment into a file of their own.
fn write(
    store: &Store,
    base: &TableEntry,
    fragment: u32,
    schema: &LanceSchema,
    columns: Vec<ArrayRef>,
) -> Result<DataFile> {
    let arrow: SchemaRef = Arc::new(Schema::from(schema));
    let batch = RecordBatch::try_new(arrow.clone(), columns)
        .map_err(|error| Error::damaged("computed columns", error))?;
    let uri = store.inner.location.uri(&format!("tables/{}", base.dir));
    let params = detached::params(store, WriteMode::Append);
    let builder = FragmentCreateBuilder::new(&uri).schema(schema).write_params(&params);
    let source = RecordBatchIterator::new(vec![Ok(batch)], arrow);
    let written = store.wait(builder.write(source, Some(u64::from(fragment))));
    let written: LanceFragment = written.map_err(|error| Error::io("writing columns", error))?;
    let file = written.files.into_iter().next();
    file.ok_or_else(|| Error::damaged("a table", "a column was written to no file"))
}

/// The schema with columns that may be null where those of the same number in another schema may.
fn with_nullability_of(schema: &LanceSchema, other: &LanceSchema) -> LanceSchema {
    let mut schema = schema.clone();
    for field in &mut schema.fields {
        if let Some(before) = other.fields.iter().find(|before| before.id == field.id) {
            field.nullable = before.nullable;
        }
    }
    schema
}
