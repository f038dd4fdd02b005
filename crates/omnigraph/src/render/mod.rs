//! Results as text and bytes.
//!
//! ```text
//! QueryResult (columns + batches) ─to_json, to_jsonl, to_csv, to_kv, to_table─▶ String, ─to_arrow_ipc─▶ bytes
//! ```
//!
//! Everything is written straight from the arrays. Integers that JavaScript cannot hold are strings in JSON.

mod csv;
mod json;
mod kv;
mod plain;
mod table;

pub use table::{Layout, TableOptions};

use crate::error::Error;
use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::collections::HashMap;
use std::io::Cursor;
use std::sync::Arc;

/// Members of an Arrow stream's schema that say what its rows are.
const QUERY_NAME: &str = "omnigraph.query_name";
const BRANCH: &str = "omnigraph.branch";
const SNAPSHOT: &str = "omnigraph.snapshot";

/// What was read: a branch, or a snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadTarget {
    /// The name of the branch.
    pub branch: Option<String>,
    /// The id of the commit.
    pub snapshot: Option<String>,
}

impl ReadTarget {
    /// `branch main` or `snapshot 01H…`.
    fn describe(&self) -> Option<String> {
        match (&self.branch, &self.snapshot) {
            (Some(branch), _) => Some(format!("branch {branch}")),
            (None, Some(snapshot)) => Some(format!("snapshot {snapshot}")),
            (None, None) => None,
        }
    }
}

/// The rows a query gave.
#[derive(Clone, Debug)]
pub struct QueryResult {
    /// Of the query.
    pub query_name: String,
    /// What was read.
    pub target: ReadTarget,
    /// Names and types, in the order of the projection.
    pub columns: Vec<(String, DataType)>,
    /// The rows; each batch has the columns in the same order.
    pub batches: Vec<RecordBatch>,
}

impl QueryResult {
    /// How many rows.
    pub fn row_count(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// An Arrow IPC stream; a result without rows still has its schema, whose metadata say what was read.
    pub fn to_arrow_ipc(&self) -> Result<Vec<u8>, Error> {
        let schema = self.schema();
        let mut bytes = Vec::new();
        let mut writer = StreamWriter::try_new(&mut bytes, &schema)?;
        for batch in &self.batches {
            writer.write(&RecordBatch::try_new(Arc::clone(&schema), batch.columns().to_vec())?)?;
        }
        writer.finish()?;
        drop(writer);
        Ok(bytes)
    }

    /// What [`QueryResult::to_arrow_ipc`] wrote.
    pub fn from_arrow_ipc(bytes: &[u8]) -> Result<QueryResult, Error> {
        let reader = StreamReader::try_new(Cursor::new(bytes), None)?;
        let schema = reader.schema();
        let said = |name: &str| schema.metadata().get(name).cloned();
        Ok(QueryResult {
            query_name: said(QUERY_NAME).unwrap_or_default(),
            target: ReadTarget { branch: said(BRANCH), snapshot: said(SNAPSHOT) },
            columns: schema
                .fields()
                .iter()
                .map(|field| (field.name().clone(), field.data_type().clone()))
                .collect(),
            batches: reader.collect::<Result<_, _>>()?,
        })
    }

    /// With the names of the projection and the types of the arrays, which for objects say more than the columns.
    fn schema(&self) -> SchemaRef {
        let first = self.batches.first();
        let fields = self.columns.iter().enumerate().map(|(at, (name, plain))| {
            let data_type = first.map_or(plain, |batch| batch.column(at).data_type());
            Field::new(name, data_type.clone(), true)
        });
        let said = [
            (QUERY_NAME, Some(self.query_name.clone())),
            (BRANCH, self.target.branch.clone()),
            (SNAPSHOT, self.target.snapshot.clone()),
        ];
        let said = said.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?)));
        let metadata: HashMap<String, String> = said.collect();
        Arc::new(Schema::new(fields.collect::<Vec<_>>()).with_metadata(metadata))
    }
}
