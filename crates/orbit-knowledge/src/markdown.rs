//! Knowledge as Markdown files that travel with git: one per project, molecule and atom, one for the stamps of each atom,
//! one for everything that was deleted, and where that is wanted one per feature and task.
//!
//! ```text
//! rows ─write─▶ front matter + prose ─(git)─▶ read ─reconcile (base, rows, file)─▶ check ─▶ rows
//! ```
//!
//! Equal rows give equal bytes, and what was written is read back as it was. A value takes one line, a list one line
//! per entry, so that git merges what two branches did to different things.

mod document;
mod merge;
mod travel;
mod export;
mod reconcile;
mod import;
mod marks;
mod work;
mod work_import;
mod units;
mod rows;
mod burial;

pub use export::ExportedFile;
pub use import::Imported;
pub use merge::merge_knowledge;
