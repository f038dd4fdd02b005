//! Where rows and queries meet the embedding provider. It is made from the environment when it is first needed.

use crate::embed::{self, Embedder, Task};
use crate::error::{Error, Result};
use crate::validate::TypeRules;
use arrow_array::{Array, ArrayRef, RecordBatch, StringArray};
use omnigraph_compiler::schema::catalog::{Body, NodeType};
use std::sync::OnceLock;

/// One for the process, so that its cache serves everybody.
static PROVIDER: OnceLock<Box<dyn Embedder>> = OnceLock::new();

fn provider() -> Result<&'static dyn Embedder> {
    if let Some(provider) = PROVIDER.get() {
        return Ok(provider.as_ref());
    }
    let made = embed::from_settings(|name| std::env::var(name).ok())?;
    Ok(PROVIDER.get_or_init(|| made).as_ref())
}

/// The rows with the vectors that are missing, in the schema of their table.
pub(crate) fn filled(
    rules: &TypeRules,
    node: Option<&NodeType>,
    batch: RecordBatch,
    lines: &[u64],
) -> Result<RecordBatch> {
    let batch = match node.filter(|node| has_gaps(&node.body, &batch)) {
        Some(node) => embed::fill(&batch, node, provider()?, lines)?,
        None => batch,
    };
    Ok(RecordBatch::try_new(rules.schema().clone(), batch.columns().to_vec())?)
}

/// The column with a vector wherever there is a text.
pub(crate) fn vectors_of(column: &ArrayRef, texts: &StringArray) -> Result<ArrayRef> {
    embed::vectors(column, texts, provider()?)
}

/// Whether a vector is missing whose text is there.
fn has_gaps(body: &Body, batch: &RecordBatch) -> bool {
    let gaps = |vector: &str, text: &str| {
        let (Some(vectors), Some(texts)) = (batch.column_by_name(vector), batch.column_by_name(text)) else {
            return false;
        };
        (0..batch.num_rows()).any(|row| vectors.is_null(row) && texts.is_valid(row))
    };
    body.properties.iter().any(|vector| vector.embed.as_ref().is_some_and(|text| gaps(&vector.name, text)))
}

/// The vector of a text to search for.
pub(crate) fn query_vector(text: &str, dimension: usize) -> Result<Vec<f32>> {
    let mut vectors = provider()?.embed(&[text], Task::Query, dimension)?;
    vectors.pop().ok_or_else(|| Error::damaged("the embedding provider answered with nothing"))
}
