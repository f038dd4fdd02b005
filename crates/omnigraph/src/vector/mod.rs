//! Vector search over immutable column chunks, by cosine distance.
//!
//! ```text
//! FixedSizeListArray ─Vectors::new─▶ Vectors (one chunk, with norms) ─VectorIndex (chunks + live rows)─▶ nearest, distances
//! rankings ─fuse─▶ one ranking
//! ```
//!
//! Results are exact: rounded vectors say which rows can matter, and those are computed in full. A null and the zero vector, which has no direction, have no distance to anything.

mod chunk;
mod fuse;
mod index;

pub use chunk::Vectors;
pub use fuse::{RRF_K, fuse};
pub use index::VectorIndex;
