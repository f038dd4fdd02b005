//! How knowledge is written over or added to.

use crate::bounds::{self, KNOWLEDGE_BYTES};
use crate::error::KnowledgeError;
use crate::id::Id;
use crate::model::Mode;
use crate::store::Session;

/// The knowledge after a change.
pub(crate) fn changed(
    session: &Session<'_>,
    old: &str,
    given: &str,
    mode: Mode,
    task: Option<Id>,
) -> Result<String, KnowledgeError> {
    if mode == Mode::Overwrite {
        return bounds::text("knowledge", given, KNOWLEDGE_BYTES);
    }
    let given = bounds::filled("knowledge", given, KNOWLEDGE_BYTES)?;
    let task = task.ok_or_else(|| KnowledgeError::missing("lastTaskId", "knowledgeMode append"))?;
    let text = format!("{old}\n\n---[{} task:{task}]---\n{given}", session.stamp());
    bounds::fits("knowledge", &text, KNOWLEDGE_BYTES)?;
    Ok(text)
}
