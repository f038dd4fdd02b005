//! Text search over immutable column chunks.
//!
//! ```text
//! StringArray ─Postings::build─▶ Postings (one chunk) ─TextIndex (chunks + live rows)─▶ find, accept, top, scores
//! Match ─Asked::new (in a language)─▶ Asked ─TextIndex─▶ rows   ─places─▶ where a text has it ─▶ highlight, snippet
//! ```
//!
//! Invariants:
//! - Words are runs of letters and digits, lower case, without accents; scripts without spaces are cut by
//!   dictionaries or into pairs of letters.
//! - Every word is indexed as it is. A column with a language has the stems of its words beside them, and a search leaves out
//!   words that say nothing alone.
//! - Results are exact: equal to looking at every live row, whatever the chunks and dead rows.
//! - A score depends on all live rows of the column, never on the candidates it is asked for.

mod asked;
mod bm25;
mod build;
mod distance;
mod index;
mod language;
mod matching;
mod postings;
mod snippet;
mod token;

pub use asked::Asked;
pub use distance::{automatic_edits, within};
pub use index::{Live, TextIndex};
pub use matching::{Match, Word};
pub use postings::Postings;
pub use snippet::{highlight, snippet};
pub use token::{Shape, each_token, tokens};
