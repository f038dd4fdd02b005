//! What changed: the walk compared with what the index knows.

use crate::layout::{Manifest, is_manifest, parse_manifest};
use crate::store::reader::{KnownFile, Remembered};
use crate::walk::{Candidate, Skipped};
use orbit_extract::Lang;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// A file is stored with this time when it was written so shortly before it was read that another write
/// could leave the same time: the next sync compares bytes.
pub(super) const UNSURE: i64 = i64::MIN;
const TICK_NS: i64 = 30_000_000;

/// The time to store for a file that had `mtime_ns` when the walk began at `walked_at`.
pub(super) fn trusted_mtime(mtime_ns: i64, walked_at: i64) -> i64 {
    if mtime_ns > walked_at - TICK_NS { UNSURE } else { mtime_ns }
}

/// A file to read.
#[derive(Clone, Debug)]
pub(super) struct ToRead {
    pub(super) path: String,
    pub(super) lang: Lang,
    pub(super) mtime_ns: i64,
    /// Its number and hash, when the index has it.
    pub(super) known: Option<(u32, [u8; 32])>,
    /// Its rows must be made anew even if its bytes are the same.
    pub(super) forced: bool,
}

/// The outcome of comparing stats.
#[derive(Debug, Default)]
pub(super) struct Scan {
    pub(super) to_read: Vec<ToRead>,
    pub(super) removed: Vec<u32>,
    pub(super) still_skipped: Vec<Skipped>,
}

/// Compares the walk (in order of path) with the known files (in order of path).
pub(super) fn compare(
    candidates: &[Candidate],
    known: &[KnownFile],
    skips: &HashMap<String, Remembered<String>>,
    walked_at: i64,
) -> Scan {
    let mut scan = Scan::default();
    let mut left = known.iter().peekable();
    for candidate in candidates {
        let Some(lang) = candidate.lang else { continue };
        while let Some(gone) = left.next_if(|file| file.path.as_str() < candidate.path.as_str()) {
            scan.removed.push(gone.id);
        }
        let file = left.next_if(|file| file.path == candidate.path);
        let same =
            |mtime_ns: i64, byte_len: u64| mtime_ns == candidate.mtime_ns && byte_len == candidate.byte_len;
        if file.is_some_and(|file| same(file.mtime_ns, file.byte_len) && file.lang == lang) {
            continue;
        }
        if let Some(skip) = skips.get(&candidate.path).filter(|skip| same(skip.mtime_ns, skip.byte_len)) {
            scan.still_skipped.push(Skipped { path: candidate.path.clone(), reason: skip.value.clone() });
            continue;
        }
        scan.to_read.push(ToRead {
            path: candidate.path.clone(),
            lang,
            mtime_ns: trusted_mtime(candidate.mtime_ns, walked_at),
            known: file.map(|file| (file.id, file.content_hash)),
            forced: false,
        });
    }
    scan.removed.extend(left.map(|file| file.id));
    scan
}

/// All files, as if nothing were known.
pub(super) fn everything(candidates: &[Candidate], walked_at: i64) -> Vec<ToRead> {
    let to_read = candidates.iter().filter_map(|candidate| {
        let mtime_ns = trusted_mtime(candidate.mtime_ns, walked_at);
        Some(ToRead {
            path: candidate.path.clone(),
            lang: candidate.lang?,
            mtime_ns,
            known: None,
            forced: false,
        })
    });
    to_read.collect()
}

/// The manifests now, read again where their stat changed. `true` when any differs from what was known.
pub(super) fn manifests(
    root: &Path,
    candidates: &[Candidate],
    known: &BTreeMap<String, Remembered<Option<Manifest>>>,
    walked_at: i64,
) -> (BTreeMap<String, Remembered<Option<Manifest>>>, bool) {
    let mut now = BTreeMap::new();
    let mut touched = false;
    let is_read = |candidate: &&Candidate| is_manifest(&candidate.path) || candidate.link.is_some();
    for candidate in candidates.iter().filter(is_read) {
        let same =
            |row: &&Remembered<_>| row.mtime_ns == candidate.mtime_ns && row.byte_len == candidate.byte_len;
        let row = if let Some(row) = known.get(&candidate.path).filter(same) {
            row.clone()
        } else {
            touched = true;
            let value = if let Some(target) = &candidate.link {
                Some(Manifest::Link { target: target.clone() })
            } else {
                let text = std::fs::read(root.join(&candidate.path)).unwrap_or_default();
                std::str::from_utf8(&text).ok().and_then(|text| parse_manifest(&candidate.path, text))
            };
            let mtime_ns = trusted_mtime(candidate.mtime_ns, walked_at);
            Remembered { mtime_ns, byte_len: candidate.byte_len, value }
        };
        now.insert(candidate.path.clone(), row);
    }
    let touched = touched || now.len() != known.len();
    (now, touched)
}
