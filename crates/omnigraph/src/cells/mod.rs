//! One value of a row, its forms, and the identity of rows.
//!
//! ```text
//! Catalog type ─node_schema, edge_schema─▶ Schema
//! Literal, JSON, Arrow ─▶ Cell ─write_cell─▶ JSON
//! ```

mod best;
pub(crate) mod calendar;
mod cell;
mod id;
mod json;
mod schema;
mod ulid;

pub use best::RowRef;
pub use calendar::{write_date, write_datetime};
pub use cell::{Cell, cell_at};
pub use id::{MAX_ID_BYTES, edge_id, key_id};
pub use json::{cell_to_json, json_cell, write_cell, write_string};
pub use schema::{DST, ID, SRC, data_type, edge_schema, field, node_schema, type_of};
pub use ulid::Ulids;

pub(crate) use best::Best;
pub(crate) use cell::key_text;
