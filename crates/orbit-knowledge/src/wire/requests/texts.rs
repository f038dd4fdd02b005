//! The tools on sections, templates and tags.

use super::request;
use crate::wire::lenient::{Embedded, Flag, List, Number};
use serde::Deserialize;

request! {
    /// `query_sections`.
    QuerySections {
        /// `PROJECT`, `FEATURE`, `TASK`.
        entity_type: String,
        /// Whose.
        entity_id: String,
        /// Whether texts come along; true unless told.
        include_content: Option<Flag>,
        /// Only with any of these tags.
        tags: Option<List>,
        /// Only these.
        section_ids: Option<List>,
    }
}

request! {
    /// `manage_sections`.
    ManageSections {
        /// `add`, `update`, `updateText`, `delete`, `reorder`, `bulkCreate`, `bulkDelete`.
        operation: String,
        /// For update, updateText and delete.
        id: Option<String>,
        /// For update, updateText and delete.
        version: Option<Number>,
        /// For add, reorder and bulkCreate.
        entity_type: Option<String>,
        /// For add, reorder and bulkCreate.
        entity_id: Option<String>,
        /// The heading.
        title: Option<String>,
        /// What the content is for.
        usage_description: Option<String>,
        /// The text.
        content: Option<String>,
        /// `MARKDOWN` unless told, `PLAIN_TEXT`, `JSON`, `CODE`.
        content_format: Option<String>,
        /// Place from 0; after the last unless told.
        ordinal: Option<Number>,
        /// All tags.
        tags: Option<List>,
        /// For reorder.
        ordered_ids: Option<List>,
        /// For bulkDelete.
        ids: Option<List>,
        /// For bulkCreate: a JSON array of sections.
        sections: Option<Embedded<Vec<NewSection>>>,
    }
}

request! {
    /// A section of `bulkCreate`.
    NewSection {
        /// The heading.
        title: Option<String>,
        /// What the content is for.
        usage_description: Option<String>,
        /// The text.
        content: Option<String>,
        /// `MARKDOWN` unless told.
        content_format: Option<String>,
        /// Place from 0; after the last unless told.
        ordinal: Option<Number>,
        /// All tags.
        tags: Option<List>,
    }
}

request! {
    /// `query_templates`.
    QueryTemplates {
        /// `get`, `list`.
        operation: String,
        /// For get.
        id: Option<String>,
        /// Whether sections come along; true for get, false for list unless told.
        include_sections: Option<Flag>,
        /// For list: `PROJECT`, `FEATURE`, `TASK`.
        target_entity_type: Option<String>,
    }
}

request! {
    /// `manage_template`.
    ManageTemplate {
        /// `create`, `update`, `delete`, `enable`, `disable`, `addSection`.
        operation: String,
        /// For all but create.
        id: Option<String>,
        /// For all but create.
        version: Option<Number>,
        /// Unique.
        name: Option<String>,
        /// What it is for.
        description: Option<String>,
        /// `PROJECT`, `FEATURE`, `TASK`.
        target_entity_type: Option<String>,
        /// All tags.
        tags: Option<List>,
        /// For addSection.
        title: Option<String>,
        /// For addSection.
        usage_description: Option<String>,
        /// For addSection: what the section starts with.
        content_sample: Option<String>,
        /// For addSection.
        content_format: Option<String>,
        /// For addSection.
        is_required: Option<Flag>,
    }
}

request! {
    /// `apply_template`.
    ApplyTemplate {
        /// The id of the template.
        template_id: String,
        /// `PROJECT`, `FEATURE`, `TASK`.
        entity_type: String,
        /// Onto what.
        entity_id: String,
    }
}

request! {
    /// `list_tags`, `get_tag_usage`, `rename_tag`.
    Tags {
        /// For list: `PROJECT`, `FEATURE`, `TASK`.
        entity_type: Option<String>,
        /// For usage.
        tag: Option<String>,
        /// For rename.
        old_tag: Option<String>,
        /// For rename.
        new_tag: Option<String>,
        /// For rename: only say what would change.
        dry_run: Option<Flag>,
    }
}
