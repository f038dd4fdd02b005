//! Every error as code, message and hint, and the exit code it leads to.

use orbit_graph::GraphError;
use orbit_knowledge::KnowledgeError;

/// Why a command failed.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) hint: Option<String>,
    /// Selectors to try instead.
    pub(crate) candidates: Vec<String>,
    /// The reader of our output is gone: end quietly.
    pub(crate) is_broken_pipe: bool,
}

impl Failure {
    /// Something that was typed makes no sense.
    pub(crate) fn input(code: &'static str, message: String, hint: &str) -> Failure {
        let hint = Some(hint.to_owned());
        Failure { code, message, hint, candidates: Vec::new(), is_broken_pipe: false }
    }
}

impl From<GraphError> for Failure {
    fn from(error: GraphError) -> Failure {
        let is_broken_pipe =
            matches!(&error, GraphError::State(_, io) if io.kind() == std::io::ErrorKind::BrokenPipe);
        Failure {
            code: error.code(),
            message: error.to_string(),
            hint: error.hint().map(str::to_owned),
            candidates: error.candidates().to_vec(),
            is_broken_pipe,
        }
    }
}

impl From<orbit_history::HistoryError> for Failure {
    fn from(error: orbit_history::HistoryError) -> Failure {
        if let orbit_history::HistoryError::Graph(error) = error {
            return Failure::from(error);
        }
        Failure {
            code: error.code(),
            message: error.to_string(),
            hint: error.hint().map(str::to_owned),
            candidates: Vec::new(),
            is_broken_pipe: false,
        }
    }
}

impl From<orbit_refactor::RefactorError> for Failure {
    fn from(error: orbit_refactor::RefactorError) -> Failure {
        Failure {
            code: error.code(),
            message: error.to_string(),
            hint: error.hint().map(str::to_owned),
            candidates: error.places().to_vec(),
            is_broken_pipe: false,
        }
    }
}

impl From<KnowledgeError> for Failure {
    fn from(error: KnowledgeError) -> Failure {
        let code = match &error {
            KnowledgeError::Newer { .. } => "knowledge_newer",
            KnowledgeError::Foreign(_) => "not_a_knowledge_database",
            KnowledgeError::Pipeline(_) => "bad_pipeline",
            KnowledgeError::Damaged(_) => "knowledge_damaged",
            _ => "knowledge_failed",
        };
        Failure {
            code,
            message: error.to_string(),
            hint: error.hint().map(str::to_owned),
            candidates: Vec::new(),
            is_broken_pipe: false,
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure {
            code: "output_failed",
            message: format!("cannot write the answer: {error}"),
            hint: None,
            candidates: Vec::new(),
            is_broken_pipe: error.kind() == std::io::ErrorKind::BrokenPipe,
        }
    }
}
