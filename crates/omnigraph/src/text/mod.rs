//! Text search over immutable column chunks.
//!
//! ```text
//! StringArray ─Postings::build─▶ Postings (one chunk) ─TextIndex (chunks + live rows)─▶ find, accept, top, scores
//! ```
//!
//! Invariants:
//! - Words are runs of letters and digits, lower case, without accents; nothing is stemmed or left out.
//! - Results are exact: equal to looking at every live row, whatever the chunks and dead rows.
//! - A score depends on all live rows of the column, never on the candidates it is asked for.

mod bm25;
mod build;
mod distance;
mod index;
mod matching;
mod postings;
mod token;

pub use distance::{automatic_edits, within};
pub use index::{Live, TextIndex};
pub use matching::Match;
pub use postings::Postings;
pub use token::{each_token, tokens};
