//! Knowledge as Markdown files that travel with git: one per project, molecule and atom, and one of marks per atom.
//!
//! ```text
//! rows ─write─▶ front matter + prose ─(git)─▶ read ─check─▶ rows
//! ```
//!
//! Equal rows give equal bytes, and what was written is read back as it was. A value takes one line, a list one line
//! per entry, so that git merges what two branches did to different things.

mod document;
mod export;
mod import;

pub use export::ExportedFile;
pub use import::Imported;
