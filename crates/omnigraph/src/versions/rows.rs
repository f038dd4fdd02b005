//! Rows of a table version as a schema sees them, which need not be the one that they were written with.

use crate::error::{Error, Result};
use crate::params::literal_array;
use crate::topology::texts;
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray, UInt32Array, new_null_array};
use arrow_cast::cast;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use arrow_select::interleave::interleave;
use arrow_select::take::take;
use omnigraph_compiler::schema::catalog::{Backfill, Body, Property};
use omnigraph_store::{RowAddr, Table};
use std::sync::Arc;

/// Rows that are read and compared at a time.
pub(super) const AT_ONCE: usize = 8_192;

/// Reads rows of one table version.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    pub(super) table: Arc<Table>,
    columns: Vec<Seen>,
    /// Every column may be null here: whether it may be in the end is for the validator to say.
    schema: SchemaRef,
}

/// Where the values of a column come from.
#[derive(Clone, Debug)]
struct Seen {
    data_type: DataType,
    origin: Origin,
}

#[derive(Clone, Debug)]
enum Origin {
    /// A column of the table.
    Stored(String),
    /// The same in all rows.
    Value(ArrayRef),
    /// Nothing.
    Null,
}

impl Reader {
    /// Of all columns of a type: `schema` says how its rows are stored now, `body` where values come from that the table
    /// does not have.
    pub(super) fn new(table: Arc<Table>, schema: &SchemaRef, body: &Body) -> Result<Reader> {
        let columns = schema.fields().iter().map(|field| {
            let origin = origin(&table, field.name(), body.property(field.name()))?;
            Ok(Seen { data_type: field.data_type().clone(), origin })
        });
        let columns = columns.collect::<Result<Vec<Seen>>>()?;
        Ok(Reader { table, columns, schema: loose(schema) })
    }

    /// Of some of the columns.
    pub(super) fn narrowed(&self, names: &[&str]) -> Reader {
        let places: Vec<usize> = names.iter().filter_map(|name| self.schema.index_of(name).ok()).collect();
        let fields: Vec<Field> = places.iter().map(|at| self.schema.field(*at).clone()).collect();
        Reader {
            table: self.table.clone(),
            columns: places.iter().map(|at| self.columns[*at].clone()).collect(),
            schema: Arc::new(Schema::new(fields)),
        }
    }

    /// Without columns of vectors and bytes, which nobody reads.
    pub(super) fn readable(&self) -> Reader {
        let is_text = |field: &&Arc<Field>| {
            let data_type = field.data_type();
            !matches!(data_type, DataType::FixedSizeList(..)) && !data_type.is_binary()
        };
        let names: Vec<&str> =
            self.schema.fields().iter().filter(is_text).map(|field| field.name().as_str()).collect();
        self.narrowed(&names)
    }

    /// The rows, in this order.
    pub(super) fn rows(&self, rows: &[RowAddr]) -> Result<RecordBatch> {
        let stored: Vec<&str> = self.stored();
        let parts = self.parts(&stored, rows)?;
        let mut columns = Vec::with_capacity(self.columns.len());
        for seen in &self.columns {
            columns.push(match &seen.origin {
                Origin::Null => new_null_array(&seen.data_type, rows.len()),
                Origin::Value(value) => take(value, &UInt32Array::from(vec![0; rows.len()]), None)?,
                Origin::Stored(name) => {
                    let at = stored.iter().position(|stored| stored == name).unwrap_or_default();
                    let column = parts.column(at, &seen.data_type)?;
                    if *column.data_type() == seen.data_type {
                        column
                    } else {
                        cast(&column, &seen.data_type)?
                    }
                }
            });
        }
        let options = arrow_array::RecordBatchOptions::new().with_row_count(Some(rows.len()));
        Ok(RecordBatch::try_new_with_options(self.schema.clone(), columns, &options)?)
    }

    /// One column of texts, such as ids.
    pub(super) fn texts(&self, name: &str, rows: &[RowAddr]) -> Result<StringArray> {
        let batch = self.narrowed(&[name]).rows(rows)?;
        let column = batch.columns().first();
        Ok(texts(column.ok_or_else(|| Error::damaged(format!("a table without {name}")))?)?.clone())
    }

    fn stored(&self) -> Vec<&str> {
        let names = self.columns.iter().filter_map(|seen| match &seen.origin {
            Origin::Stored(name) => Some(name.as_str()),
            Origin::Value(_) | Origin::Null => None,
        });
        names.collect()
    }

    /// Reads fragment by fragment, each in the order of its rows.
    fn parts(&self, names: &[&str], rows: &[RowAddr]) -> Result<Parts> {
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_unstable_by_key(|at| rows[*at]);
        let mut parts = Parts { columns: Vec::new(), places: vec![(0, 0); rows.len()] };
        for group in order.chunk_by(|left, right| rows[*left].fragment() == rows[*right].fragment()) {
            let fragment = rows[group[0]].fragment();
            let place = self.table.place(fragment);
            let place = place.ok_or_else(|| Error::damaged("a row without a fragment"))?;
            let picked: Vec<u32> = group.iter().map(|at| rows[*at].row()).collect();
            for (offset, at) in group.iter().enumerate() {
                parts.places[*at] = (parts.columns.len(), offset);
            }
            parts.columns.push(self.table.rows_of(place, names, &picked)?);
        }
        Ok(parts)
    }
}

/// Columns of rows by fragment, and where each row that was asked for is among them.
struct Parts {
    columns: Vec<Vec<ArrayRef>>,
    places: Vec<(usize, usize)>,
}

impl Parts {
    fn column(&self, at: usize, data_type: &DataType) -> Result<ArrayRef> {
        let is_in_order = || self.places.iter().enumerate().all(|(at, place)| *place == (0, at));
        match &self.columns[..] {
            [] => Ok(arrow_array::new_empty_array(data_type)),
            [only] if is_in_order() => Ok(only[at].clone()),
            many => {
                let arrays: Vec<&dyn Array> = many.iter().map(|part| part[at].as_ref()).collect();
                Ok(interleave(&arrays, &self.places)?)
            }
        }
    }
}

/// A column has the name of its property, or the one that the property had; else the schema says what rows get that were
/// there before the property was.
fn origin(table: &Table, name: &str, property: Option<&Property>) -> Result<Origin> {
    let stored = |name: &str| table.schema().field_with_name(name).is_ok();
    if stored(name) {
        return Ok(Origin::Stored(name.to_owned()));
    }
    let Some(property) = property else { return Err(Error::damaged(format!("a table without {name}"))) };
    if let Some(before) = property.metadata.renamed_from.as_ref().filter(|before| stored(before)) {
        return Ok(Origin::Stored(before.clone()));
    }
    let value = match &property.backfill {
        Some(Backfill::Property(other)) if stored(other) => return Ok(Origin::Stored(other.clone())),
        Some(Backfill::Value(value)) => Some(value),
        Some(Backfill::Property(_)) | None => property.default.as_ref(),
    };
    let value = value.map(|value| literal_array(value, &property.ty)).transpose()?;
    Ok(value.map_or(Origin::Null, Origin::Value))
}

fn loose(schema: &SchemaRef) -> SchemaRef {
    let fields = schema.fields().iter().map(|field| field.as_ref().clone().with_nullable(true));
    Arc::new(Schema::new(fields.collect::<Vec<Field>>()))
}
