//! The part of `.orbit/config.toml` that concerns tasks.

use crate::error::KnowledgeError;
use crate::model::Kind;
use crate::pipeline::{Pipeline, Pipelines};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    pipelines: Option<Tables>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    feature: Option<Vec<String>>,
    task: Option<Vec<String>>,
}

impl Pipelines {
    /// Reads `[pipelines]` with `feature = […]` and `task = […]`; what is not said stays as it is by default.
    pub fn from_toml(text: &str) -> Result<Pipelines, KnowledgeError> {
        Pipelines::from_table(text.parse().map_err(unreadable)?)
    }

    /// From what the file says.
    pub fn from_table(table: toml::Table) -> Result<Pipelines, KnowledgeError> {
        let file: File = table.try_into().map_err(unreadable)?;
        let of = |kind, words: Option<Vec<String>>| {
            words.map_or(Ok(Pipeline::default()), |words| Pipeline::of(kind, &words))
        };
        let Some(tables) = file.pipelines else { return Ok(Pipelines::default()) };
        Ok(Pipelines { feature: of(Kind::Feature, tables.feature)?, task: of(Kind::Task, tables.task)? })
    }
}

fn unreadable(error: toml::de::Error) -> KnowledgeError {
    KnowledgeError::Pipeline(error.message().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipelines_are_read_from_the_config() {
        assert_eq!(Pipelines::from_toml("").unwrap(), Pipelines::default());
        assert_eq!(Pipelines::from_toml("[graph]\nx = 1").unwrap(), Pipelines::default());
        let text = "[pipelines]\ntask = [\"NEW\", \"ACTIVE\", \"TO_BE_TESTED\", \"CLOSED\"]";
        let read = Pipelines::from_toml(text).unwrap();
        assert_eq!(read.task.states().len(), 4);
        assert_eq!(read.feature, Pipeline::default());
        for wrong in
            ["[pipelines", "[pipelines]\nstory = []", "[pipelines]\ntask = []", "[pipelines]\ntask = 3"]
        {
            assert!(Pipelines::from_toml(wrong).is_err(), "{wrong}");
        }
    }
}
