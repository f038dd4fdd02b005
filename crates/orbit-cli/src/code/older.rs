//! Stamps that an older version of this program made: their prints cannot be compared with those of today. What was
//! stamped is printed again, from the file itself while it has the same bytes, else from the commit of the stamp.

use super::files::{Files, content_of};
use super::git;
use orbit_extract::{Lang, PRINTS_VERSION, Prints};
use orbit_knowledge::{FileMark, Stamp, SymbolMark};
use std::collections::BTreeSet;
use std::path::Path;

/// A stamp with prints of today, and the paths for which there is nothing left to print.
pub(super) fn renewed(root: &Path, files: &Files, stamp: &Stamp) -> (Stamp, BTreeSet<String>) {
    let mut lost = BTreeSet::new();
    let mut marks = Vec::with_capacity(stamp.files.len());
    for mark in &stamp.files {
        let renewed = again(root, files, stamp.commit.as_deref(), mark);
        if renewed.is_none() {
            lost.insert(mark.path.clone());
        }
        marks.push(renewed.unwrap_or_else(|| mark.clone()));
    }
    let prints_version = if lost.is_empty() { PRINTS_VERSION } else { stamp.prints_version };
    (Stamp { files: marks, prints_version, ..stamp.clone() }, lost)
}

fn again(root: &Path, files: &Files, commit: Option<&str>, mark: &FileMark) -> Option<FileMark> {
    let is_here = files.get(&mark.path).is_some_and(|seen| seen.content == mark.content);
    let prints = if is_here {
        files.prints(&mark.path).map(|prints| (*prints).clone())
    } else {
        let bytes = git::blob(root, commit?, &mark.path)?;
        if content_of(&bytes) != mark.content {
            return None;
        }
        Lang::of_path(&mark.path).and_then(|lang| orbit_extract::prints(&mark.path, lang, &bytes).ok())
    };
    let own = mark.own.map(|_| prints.as_ref().map_or(0, |prints| prints.file));
    let symbols =
        mark.symbols.iter().map(|symbol| printed(prints.as_ref()?, symbol)).collect::<Option<_>>()?;
    Some(FileMark { own, symbols, ..mark.clone() })
}

fn printed(prints: &Prints, symbol: &SymbolMark) -> Option<SymbolMark> {
    let is_it = |it: &&orbit_extract::Print| it.local == symbol.local && it.kind.as_str() == symbol.kind;
    let found = prints.symbols.iter().find(is_it)?;
    Some(SymbolMark { signature: found.signature, body: found.body, ..symbol.clone() })
}
