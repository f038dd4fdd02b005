//! Stamps as files: read back as they were written.

use super::export::ExportedFile;
use crate::code::{FileMark, Stamp, SymbolMark};
use crate::error::KnowledgeError;
use crate::graph::stamps;
use crate::id::Id;
use crate::store::Session;
use crate::wire::lenient::Loose;
use serde::Deserialize;

/// The first line of a file of marks.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct MarksHead {
    #[serde(default)]
    commit: Loose<String>,
    #[serde(default)]
    branch: Loose<String>,
    #[serde(default)]
    is_dirty: bool,
    prints_version: u64,
    stamped_at: String,
}

/// A file of an area.
#[derive(Deserialize)]
struct MarkLine {
    path: String,
    content: String,
    #[serde(default)]
    own: Loose<u64>,
    symbols: Vec<SymbolMark>,
}

/// Adds the stamps that files have of an atom, in the place of its own when its text is new.
pub(super) fn read(
    session: &Session<'_>,
    atom: Id,
    files: &[ExportedFile],
    is_new_text: bool,
) -> Result<(), KnowledgeError> {
    let beginning = format!("marks/{atom}.");
    let of_atom = files.iter().filter(|file| file.path.contains(&beginning));
    let mut found = of_atom.map(stamp).collect::<Result<Vec<Stamp>, _>>()?;
    found.sort_by(|a, b| a.stamped_at.cmp(&b.stamped_at));
    if is_new_text {
        let none = Err("it was imported without marks; reaffirm it".to_owned());
        let first = found.is_empty().then_some(none).or_else(|| Some(Ok(found.remove(0))));
        first.map_or(Ok(()), |kept| stamps::put(session, atom, &kept))?;
    }
    for one in found {
        if !stamps::has(session, atom, &one.id)? {
            stamps::add(session, atom, &Ok(one))?;
        }
    }
    Ok(())
}

fn stamp(file: &ExportedFile) -> Result<Stamp, KnowledgeError> {
    let refuse = |line: usize| {
        let text = format!("{}:{}: not what an export writes", file.path, line + 1);
        KnowledgeError::validation("import", text)
    };
    let stem = file.path.rsplit('/').next().and_then(|name| name.strip_suffix(".jsonl")).unwrap_or_default();
    let id = stem.split_once('.').map_or("first", |(_, id)| id).to_owned();
    let mut lines = file.text.lines().enumerate();
    let head = lines.next().map_or("", |(_, line)| line);
    let head: MarksHead = serde_json::from_str(head).map_err(|_| refuse(0))?;
    let mut files = Vec::new();
    for (number, line) in lines {
        let mark: MarkLine = serde_json::from_str(line).map_err(|_| refuse(number))?;
        let MarkLine { path, content, own: Loose(own), symbols } = mark;
        files.push(FileMark { path, content, own, symbols });
    }
    Ok(Stamp {
        id,
        commit: head.commit.0,
        branch: head.branch.0,
        is_dirty: head.is_dirty,
        stamped_at: head.stamped_at,
        prints_version: head.prints_version as u32,
        files,
        anchors: Vec::new(),
    })
}
