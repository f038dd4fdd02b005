//! The tools on molecules, atoms and their changelog.

use super::request;
use crate::change::Change;
use crate::wire::entries::{RelatedAtom, RelatedMolecule};
use crate::wire::lenient::{Embedded, Flag, List, Loose, Number};
use serde::Deserialize;

request! {
    /// `query_graph`: all reads of the knowledge graph.
    QueryGraph {
        /// `get`, `search`, `context`, `coverage`, `suggest`.
        operation: String,
        /// `atom`, `molecule`; for get and search.
        entity_type: Option<String>,
        /// For get.
        id: Option<String>,
        /// For search and context.
        project_id: Option<String>,
        /// For context: file paths, comma-separated or as a list.
        paths: Option<List>,
        /// For context: a revision range, or `worktree`.
        diff: Option<String>,
        /// For context: symbols and files.
        selectors: Option<List>,
        /// For context: a task, by its Context Files or else by its commits.
        task_id: Option<String>,
        /// For context: the answer stays below; a digest of all atoms comes first.
        max_tokens: Option<Number>,
        /// For search of atoms: `confirmed` unless told, or `proposed`.
        status: Option<String>,
        /// For search: text in name or knowledge.
        query: Option<String>,
        /// For search: only atoms of this molecule.
        molecule_id: Option<String>,
        /// For search: only atoms without a molecule.
        orphans_only: Option<Flag>,
        /// Whether the last changelog entries come along; true unless told.
        include_changelog: Option<Flag>,
        /// How many; 5 unless told.
        changelog_limit: Option<Number>,
        /// Rows of a page; 20 unless told.
        limit: Option<Number>,
        /// Rows left out before it.
        offset: Option<Number>,
    }
}

request! {
    /// `manage_graph`: all writes of the knowledge graph.
    ManageGraph {
        /// `create`, `update`, `delete`; of an atom also `reaffirm`, `promote`.
        operation: String,
        /// `atom`, `molecule`.
        entity_type: String,
        /// For all but create.
        id: Option<String>,
        /// For update and delete.
        version: Option<Number>,
        /// For create.
        project_id: Option<String>,
        /// For create; may change.
        name: Option<String>,
        /// Of an atom: JSON array of globs.
        paths: Option<Embedded<Vec<String>>>,
        /// The text.
        knowledge: Option<String>,
        /// For update: `overwrite` unless told, or `append`.
        knowledge_mode: Option<String>,
        /// For create of an atom: `proposed`; `confirmed` unless told.
        status: Option<String>,
        /// Of an atom: JSON array of selectors of symbols and files.
        anchors: Option<Embedded<Vec<Loose<String>>>>,
        /// Of an atom; `null` makes it an orphan.
        molecule_id: Change,
        /// Of an atom: JSON array of `{atomId, reason}`.
        related_atoms: Option<Embedded<Vec<Loose<RelatedAtom>>>>,
        /// Of a molecule: JSON array of `{moleculeId, reason}`.
        related_molecules: Option<Embedded<Vec<Loose<RelatedMolecule>>>>,
        /// For create.
        created_by_task_id: Option<String>,
        /// For update and delete: the task that does it.
        last_task_id: Option<String>,
        /// For deleting a molecule: its atoms too.
        cascade: Option<Flag>,
    }
}

request! {
    /// `manage_changelog`: appending to and reading the history of an atom or molecule.
    ManageChangelog {
        /// `append`, `search`.
        operation: String,
        /// `atom`, `molecule`.
        parent_type: String,
        /// Whose history.
        parent_id: String,
        /// For append.
        task_id: Option<String>,
        /// For append.
        summary: Option<String>,
        /// For search; 20 unless told.
        limit: Option<Number>,
        /// For search.
        offset: Option<Number>,
    }
}
