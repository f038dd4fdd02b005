//! The parameters of every tool, under the names that clients use. What a tool does not know is refused.

mod graph;
mod texts;
mod work;

use crate::error::KnowledgeError;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use graph::{ManageChangelog, ManageGraph, QueryGraph};
pub use texts::{
    ApplyTemplate, ManageSections, ManageTemplate, NewSection, QuerySections, QueryTemplates, Tags,
};
pub use work::{
    Blocking, ManageClaim, ManageContainer, ManageDependency, ManageReservation, QueryContainer,
    QueryDependencies, QueryWorkflowState, Queue, Transit,
};

/// Reads the parameters of a call.
pub(crate) fn parse<T: DeserializeOwned>(arguments: Value) -> Result<T, KnowledgeError> {
    let arguments = if arguments.is_null() { Value::Object(serde_json::Map::new()) } else { arguments };
    serde_json::from_value(arguments)
        .map_err(|error| KnowledgeError::validation("arguments", error.to_string()))
}

macro_rules! request {
    ($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $field:ident: $kind:ty,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields, default)]
        pub struct $name { $($(#[$about])* pub $field: $kind,)* }
    };
}
use request;
