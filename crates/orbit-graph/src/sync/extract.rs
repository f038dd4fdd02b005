//! Reading and extracting one file: the bytes that are hashed are the bytes that are extracted.

use super::scan::{ToRead, UNSURE};
use super::{Failed, Skipped};
use crate::facts::{self, DecodedSurface};
use crate::layout::Layout;
use crate::resolve::surface::Surface;
use crate::store::writer::PreparedFile;
use crate::walk::MAX_FILE_BYTES;
use orbit_extract::ExtractedFile;
use std::io::ErrorKind;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// What became of a file that was to be read.
pub(super) enum Read {
    /// Its bytes are what the index has; only its time is new.
    Same { id: u32, mtime_ns: i64, byte_len: u64 },
    /// Extracted.
    Extracted(Box<Extracted>),
    /// Left out, and remembered with its stat.
    Skipped { skipped: Skipped, mtime_ns: i64, byte_len: u64 },
    /// Gone since the walk.
    Gone,
    /// The extractor failed.
    Failed(Failed),
}

/// The facts of a file with its identity.
pub(super) struct Extracted {
    pub(super) path: String,
    pub(super) known: Option<u32>,
    pub(super) content_hash: [u8; 32],
    pub(super) mtime_ns: i64,
    pub(super) byte_len: u64,
    pub(super) facts: ExtractedFile,
}

/// Reads, hashes and extracts one file.
pub(super) fn read(root: &Path, file: &ToRead) -> Read {
    let skip = |reason: &str, byte_len: u64| Read::Skipped {
        skipped: Skipped { path: file.path.clone(), reason: reason.into() },
        mtime_ns: file.mtime_ns,
        byte_len,
    };
    // That it may be read again leaves no trace in a file's size and time: it is tried every time.
    let unreadable = |reason: &str| Read::Skipped {
        skipped: Skipped { path: file.path.clone(), reason: reason.into() },
        mtime_ns: UNSURE,
        byte_len: 0,
    };
    let bytes = match std::fs::read(root.join(&file.path)) {
        Ok(bytes) => bytes,
        Err(error) => {
            return match error.kind() {
                ErrorKind::NotFound => Read::Gone,
                ErrorKind::PermissionDenied => unreadable("permission_denied"),
                _ => unreadable(&error.to_string()),
            };
        }
    };
    let byte_len = bytes.len() as u64;
    if byte_len > MAX_FILE_BYTES {
        return skip("oversize", byte_len);
    }
    let content_hash = *blake3::hash(&bytes).as_bytes();
    if let Some((id, known)) = file.known
        && known == content_hash
        && !file.forced
    {
        return Read::Same { id, mtime_ns: file.mtime_ns, byte_len };
    }
    let extracted = catch_unwind(AssertUnwindSafe(|| orbit_extract::extract(&file.path, file.lang, &bytes)));
    match extracted {
        Ok(Ok(facts)) => Read::Extracted(Box::new(Extracted {
            path: file.path.clone(),
            known: file.known.map(|(id, _)| id),
            content_hash,
            mtime_ns: file.mtime_ns,
            byte_len,
            facts,
        })),
        Ok(Err(error)) => skip(error.as_str(), byte_len),
        Err(_) => Read::Failed(Failed { path: file.path.clone(), error: "the extractor panicked".into() }),
    }
}

/// Places an extracted file in the index: module, slots, keys, blobs, and its surface for the resolver.
pub(super) fn prepare(
    extracted: Extracted,
    id: u32,
    slots: Vec<u32>,
    layout: &Layout,
) -> (PreparedFile, Surface) {
    let Extracted { path, content_hash, mtime_ns, byte_len, facts, .. } = extracted;
    let package = facts.package.map(|package| facts.names.get(package));
    let module = layout.module_of(&path, facts.lang, package);
    let surface_blob = facts::encode_surface(&facts, &slots);
    let uses_blob = facts::encode_uses(&facts);
    let surface = Surface::new(id, &path, &module, layout, DecodedSurface::of(&facts, &slots));
    let prepared = PreparedFile {
        id,
        path,
        content_hash,
        mtime_ns,
        byte_len,
        module,
        symbol_keys: surface.symbols.iter().map(|symbol| symbol.key.0 as i64).collect(),
        module_keys: surface.modules.iter().map(|key| key.0 as i64).collect(),
        extra_keys: surface.extra_definitions().map(|(key, sym)| (key.0 as i64, sym.index)).collect(),
        facts,
        slots,
        surface_blob,
        uses_blob,
    };
    (prepared, surface)
}
