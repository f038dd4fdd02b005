//! One writer per database, by a lock on a file beside it. The lock file also tells a waiting process what
//! the sync it waited for did.

use super::SyncReport;
use crate::error::GraphError;
use crate::location::{Location, with_suffix};
use serde::{Deserialize, Serialize};
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};

/// The lock, held until dropped.
pub(super) struct Lock {
    file: File,
    /// Another process held it first.
    pub(super) waited: bool,
    previous: Option<Published>,
}

/// What the last sync left in the lock file.
#[derive(Serialize, Deserialize)]
struct Published {
    began_ns: i64,
    report: SyncReport,
}

/// Takes the lock, waiting for whoever has it.
pub(super) fn acquire(location: &Location) -> Result<Lock, GraphError> {
    let path = location.lock_file();
    let fail = |error| GraphError::State(path.clone(), error);
    let file =
        File::options().create(true).read(true).write(true).truncate(false).open(&path).map_err(fail)?;
    let waited = match file.try_lock() {
        Ok(()) => false,
        Err(TryLockError::WouldBlock) => {
            // A closed gate sends new readers the other way, so that a stream of them cannot keep this sync
            // waiting. Without one we just wait longer.
            let gate = with_suffix(&location.database, ".gate");
            let gate = File::options().create(true).append(true).open(gate).ok();
            let _closed = gate.as_ref().map(File::try_lock); // one who waits is enough to close it
            file.lock().map_err(fail)?;
            true
        }
        Err(TryLockError::Error(error)) => return Err(fail(error)),
    };
    let mut text = String::new();
    let read = (&file).read_to_string(&mut text);
    let previous = read.ok().and_then(|_| serde_json::from_str(&text).ok());
    Ok(Lock { file, waited, previous })
}

impl Lock {
    /// The report of the sync that was waited for, if it began after `requested_at`.
    pub(super) fn report_of_sync_since(&self, requested_at: i64) -> Option<SyncReport> {
        let previous = self.previous.as_ref()?;
        (previous.began_ns >= requested_at).then(|| previous.report.clone())
    }

    /// Leaves the report for those who wait. Failing to does no harm: they will sync themselves.
    pub(super) fn publish(&self, began_ns: i64, report: &SyncReport) {
        let Ok(text) = serde_json::to_string(&Published { began_ns, report: report.clone() }) else { return };
        let mut file = &self.file;
        let _ = file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(text.as_bytes()));
    }
}
