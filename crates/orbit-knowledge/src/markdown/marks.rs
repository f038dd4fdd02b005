//! Stamps as files: one for each atom, in which every line says which stamp it belongs to. So git can put the lines of two
//! branches together (`merge=union`), whatever they did.

use super::document::json;
use super::export::ExportedFile;
use crate::code::{CitedPlace, FileMark, Stamp, SymbolMark};
use crate::error::KnowledgeError;
use crate::graph::stamps;
use crate::id::Id;
use crate::store::Session;
use crate::wire::lenient::Loose;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A line about a stamp itself.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Head<'s> {
    stamp: &'s str,
    commit: &'s Option<String>,
    branch: &'s Option<String>,
    is_dirty: bool,
    prints_version: u32,
    stamped_at: &'s str,
    says: &'s str,
    #[serde(skip_serializing_if = "<[CitedPlace]>::is_empty")]
    cited: &'s [CitedPlace],
}

/// A line about a file of a stamp.
#[derive(Serialize)]
struct Line<'s> {
    stamp: &'s str,
    #[serde(flatten)]
    file: &'s FileMark,
}

/// The lines of a stamp.
pub(super) fn write(stamp: &Stamp) -> String {
    let Stamp { id, commit, branch, is_dirty, prints_version, stamped_at, says, cited, .. } = stamp;
    let (is_dirty, prints_version) = (*is_dirty, *prints_version);
    let head = Head { stamp: id, commit, branch, is_dirty, prints_version, stamped_at, says, cited };
    let mut text = json(&head) + "\n";
    for file in &stamp.files {
        text.push_str(&json(&Line { stamp: id, file }));
        text.push('\n');
    }
    text
}

/// A line of either kind. Files of before have one stamp, and do not name it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AnyLine {
    #[serde(default = "first")]
    stamp: String,
    #[serde(default)]
    commit: Loose<String>,
    #[serde(default)]
    branch: Loose<String>,
    #[serde(default)]
    is_dirty: bool,
    prints_version: Option<u64>,
    #[serde(default)]
    stamped_at: String,
    #[serde(default)]
    says: String,
    #[serde(default)]
    cited: Vec<CitedPlace>,
    path: Option<String>,
    #[serde(default)]
    content: String,
    #[serde(default)]
    own: Loose<u64>,
    #[serde(default)]
    symbols: Vec<SymbolMark>,
}

fn first() -> String {
    "first".to_owned()
}

/// Adds the stamps that a file has of an atom, in the place of its own when its text is new. Those of another text count
/// only where nobody affirmed this one: after a merge of two texts.
pub(super) fn read(
    session: &Session<'_>,
    atom: Id,
    files: &[ExportedFile],
    is_new_text: bool,
) -> Result<(), KnowledgeError> {
    let name = format!("marks/{atom}.jsonl");
    let file = files.iter().find(|file| file.path.ends_with(&name));
    let mut found = file.map(stamps_of).transpose()?.unwrap_or_default();
    let says = stamps::said(session, atom)?;
    if found.iter().any(|stamp| stamp.says == says) {
        found.retain(|stamp| stamp.says == says);
    } else if !is_new_text {
        let own = stamps::of(session, atom)?.unwrap_or_default();
        let is_affirmed = own.iter().any(|stamp| stamp.says == says);
        found.retain(|stamp| !is_affirmed || stamp.says.is_empty());
    }
    found.sort_by(|a, b| a.stamped_at.cmp(&b.stamped_at));
    let mut found = found.into_iter();
    if is_new_text {
        let none = || Err("it was imported without marks; reaffirm it".to_owned());
        stamps::put(session, atom, &found.next().map_or_else(none, Ok))?;
    }
    for one in found {
        if !stamps::has(session, atom, &one.id)? {
            stamps::add(session, atom, &Ok(one))?;
        }
    }
    Ok(())
}

fn stamps_of(file: &ExportedFile) -> Result<Vec<Stamp>, KnowledgeError> {
    let mut found: BTreeMap<String, (bool, Stamp)> = BTreeMap::new();
    for (number, text) in file.text.lines().enumerate().filter(|(_, text)| !text.trim().is_empty()) {
        let refuse = |_| {
            let text = format!("{}:{}: not what an export writes", file.path, number + 1);
            KnowledgeError::validation("import", text)
        };
        let line: AnyLine = serde_json::from_str(text).map_err(refuse)?;
        let (has_head, stamp) = found.entry(line.stamp.clone()).or_default();
        if let Some(path) = line.path {
            if !stamp.files.iter().any(|file| file.path == path) {
                let AnyLine { content, own: Loose(own), symbols, .. } = line;
                stamp.files.push(FileMark { path, content, own, symbols });
            }
            continue;
        }
        *has_head = true;
        let files = std::mem::take(&mut stamp.files);
        *stamp = Stamp {
            id: line.stamp,
            commit: line.commit.0,
            branch: line.branch.0,
            is_dirty: line.is_dirty,
            prints_version: line.prints_version.unwrap_or_default() as u32,
            stamped_at: line.stamped_at,
            says: line.says,
            cited: line.cited,
            files,
            anchors: Vec::new(),
        };
    }
    let whole = found.into_values().filter(|(has_head, _)| *has_head).map(|(_, mut stamp)| {
        stamp.files.sort_by(|a, b| a.path.cmp(&b.path));
        stamp
    });
    Ok(whole.collect())
}
