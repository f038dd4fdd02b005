//! What the program adds to `omnigraph.yaml`: a first one, and how its words are those of the command line.

use crate::args::FormatChoice;
use omnigraph::render::Layout;
use omnigraph_api::config::{CellLayout, OutputFormat};

impl From<OutputFormat> for FormatChoice {
    fn from(format: OutputFormat) -> FormatChoice {
        match format {
            OutputFormat::Json => FormatChoice::Json,
            OutputFormat::Jsonl => FormatChoice::Jsonl,
            OutputFormat::Csv => FormatChoice::Csv,
            OutputFormat::Kv => FormatChoice::Kv,
            OutputFormat::Table => FormatChoice::Table,
            OutputFormat::Arrow => FormatChoice::Arrow,
        }
    }
}

/// What happens to values that are wider than their column.
pub(crate) fn layout(cells: CellLayout) -> Layout {
    match cells {
        CellLayout::Truncate => Layout::Truncate,
        CellLayout::Wrap => Layout::Wrap,
    }
}

/// A file for a graph that was just made.
pub(crate) fn scaffold(uri: &str, name: &str) -> String {
    let quoted = serde_json::Value::from(uri);
    let project = serde_json::Value::from(name);
    format!(
        "# Defaults of `omnigraph` for commands that are run in this directory.\n\
         project:\n\
         \x20 name: {project}\n\
         graphs:\n\
         \x20 local:\n\
         \x20   uri: {quoted}\n\
         cli:\n\
         \x20 graph: local\n\
         \x20 branch: main\n\
         \x20 output_format: table\n\
         \x20 table_max_column_width: 80\n\
         \x20 table_cell_layout: truncate\n\
         query:\n\
         \x20 roots: [.]\n\
         aliases: {{}}\n"
    )
}
