//! One writer per history, by a lock on a file beside it. Who waited finds the work done.

use crate::error::HistoryError;
use crate::location::HistoryLocation;
use std::fs::File;

/// The lock, held until dropped.
pub(super) struct Lock(#[expect(dead_code, reason = "held, not read")] File);

/// Takes the lock, waiting for whoever has it.
pub(super) fn acquire(location: &HistoryLocation) -> Result<Lock, HistoryError> {
    let path = location.lock_file();
    let fail = |error| HistoryError::State(path.clone(), error);
    let file = File::options().create(true).write(true).truncate(false).open(&path).map_err(fail)?;
    file.lock().map_err(fail)?;
    Ok(Lock(file))
}
