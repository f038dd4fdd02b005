//! What the store asks about code, as plain values. It knows no code itself: who opens it brings its [`CodeFacts`].
//!
//! A *stamp* is what an area looked like when its atom was written: one mark per file, with prints of the symbols in
//! it. A *finding* says how the area stands now.

use crate::citations::Citation;
use crate::words::words;
use serde::{Deserialize, Serialize};

/// The code of a worktree.
pub trait CodeFacts: Send + Sync {
    /// What an area looks like now.
    fn stamp(&self, area: &Area) -> Result<Stamp, StampError>;

    /// How stamped areas stand now: one finding for each, in order. An area has a stamp or several, the newest first.
    fn check(&self, areas: &[&[Stamp]]) -> Vec<Finding>;

    /// A hash of a file's bytes as stamps have it; `None` when there is no such file, or nobody to look.
    fn content(&self, path: &str) -> Option<String>;

    /// Where a question that is not about paths leads.
    fn places(&self, question: &Question) -> Result<Places, String>;

    /// Every file, with what makes it worth knowing about.
    fn survey(&self) -> Result<Survey, String>;
}

/// Where an atom belongs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Area {
    /// Globs.
    pub paths: Vec<String>,
    /// Selectors of symbols and files.
    pub anchors: Vec<String>,
    /// Lines that its text cites.
    pub cites: Vec<Citation>,
    /// Where lines that it cited before are in the code that it is stamped for now.
    pub cited: Vec<CitedNow>,
}

/// Why an area could not be stamped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StampError {
    /// A selector names nothing, or several things.
    Anchor(String),
    /// There is nothing to look at; the atom stays unchecked.
    Unknown(String),
}

/// What an area looked like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// What it is known by once it is kept.
    pub id: String,
    /// What was checked out.
    pub commit: Option<String>,
    /// The branch that was checked out.
    pub branch: Option<String>,
    /// Whether the area had changes that were not committed.
    pub is_dirty: bool,
    /// When it was kept, ISO-8601.
    pub stamped_at: String,
    /// A hash of the text that was affirmed; the store knows it.
    pub says: String,
    /// Prints of other versions cannot be compared.
    pub prints_version: u32,
    /// The files, sorted by path.
    pub files: Vec<FileMark>,
    /// The anchors in their canonical form.
    pub anchors: Vec<String>,
    /// The lines that its text cites, as they were.
    pub cited: Vec<CitedPlace>,
}

/// A line that a text cites, as it was when the text was written or affirmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CitedPlace {
    /// As the text has it.
    #[serde(rename = "as")]
    pub label: String,
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// How many more lines are cited.
    #[serde(default)]
    pub more: u32,
    /// A hash of the bytes of the file: while it stays, the line does.
    pub content: String,
    /// Hashes of the line, and of those before and behind it, blanks round them aside.
    pub texts: [u64; 3],
    /// The innermost symbol that it stands in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<SymbolMark>,
}

/// Where a line that is cited is now; only what is not where the text says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CitedNow {
    /// As the text has it.
    pub cited: String,
    /// The same for the code as it is; `None` when it is gone, or may be at several places.
    pub now: Option<String>,
    /// Whether the line itself was changed.
    #[serde(rename = "changed", skip_serializing_if = "std::ops::Not::not")]
    pub is_changed: bool,
}

/// A file of an area.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileMark {
    /// Relative to the worktree.
    pub path: String,
    /// A hash of the bytes: while it stays, nothing changed.
    pub content: String,
    /// The print of what stands outside of symbols; `None` when only some symbols of the file are meant.
    pub own: Option<u64>,
    /// The symbols that are meant.
    pub symbols: Vec<SymbolMark>,
}

/// A symbol of an area.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SymbolMark {
    /// Its name qualified inside the file, with `#2` for a second definition.
    #[serde(rename = "n")]
    pub local: String,
    /// Its kind.
    #[serde(rename = "k")]
    pub kind: String,
    /// Which it is for good, when the history knows it.
    #[serde(rename = "i", skip_serializing_if = "Option::is_none", default)]
    pub stable_id: Option<String>,
    /// What others depend on.
    #[serde(rename = "s")]
    pub signature: u64,
    /// The rest.
    #[serde(rename = "b")]
    pub body: u64,
}

words! {
    /// Whether an atom can still be believed.
    Freshness {
        /// The code is as it was, comments and formatting aside.
        Fresh = "fresh",
        /// Bodies changed.
        BodyDrifted = "body_drifted",
        /// Parameters, types or bases changed.
        SignatureChanged = "signature_changed",
        /// Something is no longer there.
        AnchorGone = "anchor_gone",
        /// Its globs match no file: there is nothing that could hold or drift.
        Unbound = "unbound",
        /// Nobody looked.
        NotChecked = "not_checked",
    }
}

/// How an area stands now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The worst of all causes.
    pub freshness: Freshness,
    /// Why it is not fresh, the worst first.
    pub because: Vec<Cause>,
    /// What is elsewhere now.
    pub moved: Vec<Moved>,
    /// Globs that would cover what has moved out of the area.
    pub proposed_paths: Vec<String>,
    /// Lines that its text cites and that are elsewhere now.
    pub cited: Vec<CitedNow>,
    /// Why it was not checked.
    pub note: Option<String>,
    /// The stamp with new addresses, when something moved.
    pub followed: Option<Stamp>,
    /// The stamp that holds here, as one of what is checked out here, when it was made elsewhere or before a commit.
    pub settled: Option<Stamp>,
}

impl Finding {
    /// Nobody looked, for a reason.
    pub fn not_checked(why: &str) -> Finding {
        Finding { note: Some(why.to_owned()), ..Finding::of(Freshness::NotChecked) }
    }

    /// Right after a stamp was made: fresh, unless there was nothing to stamp.
    pub fn of_new(stamp: &Stamp) -> Finding {
        if stamp.files.is_empty() { Finding::unbound() } else { Finding::of(Freshness::Fresh) }
    }

    /// The area has no files.
    pub fn unbound() -> Finding {
        let why = "its paths matched no file when it was written; correct them, or reaffirm it when the files are there";
        Finding { note: Some(why.to_owned()), ..Finding::of(Freshness::Unbound) }
    }

    /// A finding without causes.
    pub fn of(freshness: Freshness) -> Finding {
        Finding {
            freshness,
            because: Vec::new(),
            moved: Vec::new(),
            proposed_paths: Vec::new(),
            cited: Vec::new(),
            note: None,
            followed: None,
            settled: None,
        }
    }
}

/// A symbol or file that is not as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Cause {
    /// Where it was.
    pub selector: String,
    /// How bad.
    pub freshness: Freshness,
    /// Commits that did it, newest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub commits: Vec<String>,
    /// Their tasks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub task_ids: Vec<String>,
    /// Whether something that is not committed did it.
    #[serde(rename = "uncommitted", skip_serializing_if = "std::ops::Not::not")]
    pub is_uncommitted: bool,
    /// Where it may have gone, when that cannot be told.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<String>,
}

/// Something that is elsewhere now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Moved {
    /// The selector before.
    pub from: String,
    /// The selector now.
    pub to: String,
    /// How that is known.
    pub known_by: KnownBy,
}

words! {
    /// How a move is known.
    KnownBy {
        /// An operation log says so.
        Operation = "operation",
        /// Git took the file for renamed, or the history matched the symbol.
        Matched = "matched",
        /// Nothing else looks like it.
        Inferred = "inferred",
    }
}

/// Where an anchor is after these moves; several places when it was split.
pub(crate) fn followed(anchor: &str, moved: &[Moved]) -> Vec<String> {
    let steps: Vec<String> =
        moved.iter().filter(|step| step.from == anchor).map(|step| step.to.clone()).collect();
    if !steps.is_empty() {
        return steps;
    }
    // What stands in a renamed file went along with it.
    let inside = moved.iter().find_map(|step| {
        let (from, to) = (step.from.strip_prefix("file:")?, step.to.strip_prefix("file:")?);
        let rest = anchor.strip_prefix("symbol:")?.strip_prefix(from)?;
        rest.starts_with('#').then(|| format!("symbol:{to}{rest}"))
    });
    vec![inside.unwrap_or_else(|| anchor.to_owned())]
}

/// A question about code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// What a revision range, or `worktree`, changes.
    Diff(String),
    /// Symbols and files.
    Selectors(Vec<String>),
    /// What the commits that name a task changed.
    Task(String),
}

/// Where a question leads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// Files, those asked for first.
    pub paths: Vec<String>,
    /// Symbols, as selectors.
    pub selectors: Vec<String>,
    /// Files that call or are called from there, and over how many calls.
    pub near: Vec<(String, u32)>,
    /// Commits that were looked at.
    pub commits: Vec<String>,
}

/// All files of a worktree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// The files, sorted by path.
    pub files: Vec<SurveyedFile>,
    /// Files that belong together, by import or by commits, and why.
    pub clusters: Vec<Cluster>,
}

/// A file of a survey.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SurveyedFile {
    /// Relative to the worktree.
    pub path: String,
    /// How many symbols it has.
    pub symbols: u64,
    /// How many commits touched it.
    pub churn: u64,
    /// How many files import it.
    pub fan_in: u64,
}

/// Files that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cluster {
    /// The paths, sorted.
    pub paths: Vec<String>,
    /// Pairs of files that import each other.
    pub imports: u64,
    /// Commits that changed several of them.
    pub commits: u64,
}

/// No code at all: nothing is stamped, nothing is fresh.
pub struct NoCode;

const NO_CODE: &str = "no code was looked at";

impl CodeFacts for NoCode {
    fn stamp(&self, _area: &Area) -> Result<Stamp, StampError> {
        Err(StampError::Unknown(NO_CODE.into()))
    }

    fn check(&self, areas: &[&[Stamp]]) -> Vec<Finding> {
        areas.iter().map(|_| Finding::not_checked(NO_CODE)).collect()
    }

    fn content(&self, _path: &str) -> Option<String> {
        None
    }

    fn places(&self, _question: &Question) -> Result<Places, String> {
        Err(NO_CODE.into())
    }

    fn survey(&self) -> Result<Survey, String> {
        Err(NO_CODE.into())
    }
}
