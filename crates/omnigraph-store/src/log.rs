//! Logs: commit records by number. Numbers have no gaps, and a record never goes away while its log lives, so
//! "is there a record N" is true up to the newest and false behind it.

use crate::error::Error;
use crate::objects::{Created, Objects};
use crate::record::CommitRecord;

/// A hint is written at every commit whose number is divisible by this.
const HINT_EVERY: u64 = 16;

/// One record; `None` behind the newest.
pub(crate) async fn read(objects: &Objects, uid: &str, seq: u64) -> Result<Option<CommitRecord>, Error> {
    let object = object_of(uid, seq);
    let Some(bytes) = objects.get(&object).await? else { return Ok(None) };
    serde_json::from_slice(&bytes).map(Some).map_err(|error| Error::damaged(object, error))
}

/// The newest record behind one that is known to be there, or 0: gallop, then halve. Costs the logarithm of how far
/// behind the caller was.
pub(crate) async fn newest(
    objects: &Objects,
    uid: &str,
    known: u64,
) -> Result<Option<(u64, CommitRecord)>, Error> {
    let mut best = None;
    let (mut low, mut step) = (known, 1);
    let mut high = loop {
        match read(objects, uid, low + step).await? {
            Some(record) => {
                low += step;
                best = Some((low, record));
                step *= 2;
            }
            None => break low + step,
        }
    };
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        match read(objects, uid, middle).await? {
            Some(record) => {
                low = middle;
                best = Some((low, record));
            }
            None => high = middle,
        }
    }
    Ok(best)
}

/// The newest record of a log that nothing is known of.
pub(crate) async fn newest_cold(objects: &Objects, uid: &str) -> Result<Option<(u64, CommitRecord)>, Error> {
    let hint = match objects.get(&hint_of(uid)).await? {
        Some(bytes) => {
            std::str::from_utf8(&bytes).ok().and_then(|text| text.trim().parse().ok()).unwrap_or(0)
        }
        None => 0,
    };
    // The hint itself may be all there is, or be wrong.
    match newest(objects, uid, hint).await? {
        Some(found) => Ok(Some(found)),
        None if hint == 0 => Ok(None),
        None => match read(objects, uid, hint).await? {
            Some(record) => Ok(Some((hint, record))),
            None => newest(objects, uid, 0).await,
        },
    }
}

/// Puts a record unless the number is taken.
pub(crate) async fn append(
    objects: &Objects,
    uid: &str,
    seq: u64,
    record: &CommitRecord,
) -> Result<Created, Error> {
    let object = object_of(uid, seq);
    let bytes = serde_json::to_vec(record).map_err(|error| Error::damaged(&object, error))?;
    let created = objects.create(&object, bytes.into()).await?;
    if created == Created::Now && seq.is_multiple_of(HINT_EVERY) {
        // A lost hint costs a few reads at the next opening.
        let _ = objects.put(&hint_of(uid), seq.to_string().into_bytes().into()).await;
    }
    Ok(created)
}

/// The names of all records of all logs.
pub(crate) async fn names(objects: &Objects) -> Result<Vec<String>, Error> {
    let listed = objects.list_all("log").await?.into_iter().map(|object| object.name);
    Ok(listed.filter(|name| name.strip_suffix(".json").is_some()).collect())
}

/// Puts a record in the place of one that says the same but for its mark.
pub(crate) async fn replace(
    objects: &Objects,
    uid: &str,
    seq: u64,
    record: &CommitRecord,
) -> Result<(), Error> {
    let object = object_of(uid, seq);
    let bytes = serde_json::to_vec(record).map_err(|error| Error::damaged(&object, error))?;
    objects.put(&object, bytes.into()).await
}

/// Removes a record of a log that no branch has any more.
pub(crate) async fn remove(objects: &Objects, uid: &str, seq: u64) -> Result<(), Error> {
    objects.delete(&object_of(uid, seq)).await?;
    objects.delete(&hint_of(uid)).await
}

pub(crate) fn object_of(uid: &str, seq: u64) -> String {
    format!("log/{uid}/{seq:020}.json")
}

fn hint_of(uid: &str) -> String {
    format!("log/{uid}/hint")
}
