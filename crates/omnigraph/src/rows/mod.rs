//! Rows of a type as Arrow, made of [cells](crate::cells) that the rules of the type admit.
//!
//! ```text
//! Cell ─RowBuilder (a Rule per property)─▶ Rows ─▶ RecordBatch
//! ```

mod builder;
mod checked;
mod column;
mod values;

pub use builder::{BLOCK_ROWS, RowBuilder};
pub use checked::Rows;
pub use column::Column;

pub use crate::cells::{
    Cell, DST, ID, MAX_ID_BYTES, RowRef, SRC, Ulids, cell_at, cell_to_json, data_type, edge_id, edge_schema,
    field, json_cell, key_id, node_schema, type_of, write_cell, write_date, write_datetime, write_string,
};

pub(crate) use crate::cells::{Best, key_text};
