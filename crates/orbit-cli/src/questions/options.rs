//! Arguments that several questions share.

use clap::ValueEnum;
use orbit_graph::Confidence;

/// The weakest confidence level that is listed or followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(super) enum Threshold {
    Exact,
    #[value(alias = "import_resolved")]
    Import,
    #[value(alias = "same-module")]
    SameModule,
    Dispatch,
    #[value(alias = "fuzzy_name")]
    Fuzzy,
}

impl Threshold {
    pub(super) fn confidence(self) -> Confidence {
        match self {
            Threshold::Exact => Confidence::Exact,
            Threshold::Import => Confidence::ImportResolved,
            Threshold::SameModule => Confidence::SameModule,
            Threshold::Dispatch => Confidence::Dispatch,
            Threshold::Fuzzy => Confidence::FuzzyName,
        }
    }
}
