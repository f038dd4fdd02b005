//! Removing files.

use super::needed::Needed;
use super::{CleanupReport, Removed};
use crate::Result;
use crate::error::Error;
use crate::objects::Listed;
use crate::store::Store;
use futures::{StreamExt, TryStreamExt};

/// Files that are removed at once.
const AT_ONCE: usize = 16;

pub(super) struct Sweep<'a> {
    pub(super) store: &'a Store,
    pub(super) needed: &'a Needed,
    /// Files that were written later than this stay.
    pub(super) before: i64,
}

impl Sweep<'_> {
    /// Looks at all tables and removes, or only counts, what is not needed and old enough.
    pub(super) fn run(
        &self,
        confirm: bool,
        report: &mut CleanupReport,
        progress: &mut dyn FnMut(&str, u64, u64),
    ) -> Result<()> {
        let objects = &self.store.inner.objects;
        progress("listing files", 0, 1);
        let listed = self.store.wait(objects.list_all("tables"))?;
        let mut gone = Vec::new();
        for object in listed {
            let Some((dir, file)) = object.name.strip_prefix("tables/").and_then(|name| name.split_once('/'))
            else {
                continue;
            };
            if self.stays(dir, file) {
                continue;
            }
            if object.modified > self.before {
                count(&mut report.waiting, file, object.size);
                continue;
            }
            let key = self.needed.tables.get(dir).map(|(key, _)| key.clone());
            let table =
                report.tables.entry(dir.to_owned()).or_insert_with(|| Removed { key, ..Removed::default() });
            count(table, file, object.size);
            gone.push(object);
        }
        if confirm {
            self.remove(&gone, progress)?;
        }
        Ok(())
    }

    /// Whether a file is needed, or is nothing that versions are made of.
    fn stays(&self, dir: &str, file: &str) -> bool {
        let Some((_, files)) = self.needed.tables.get(dir) else { return false };
        let is_ours = match file.split_once('/') {
            Some(("data" | "_deletions", _)) => true,
            // The version that a table is made with is empty and tells other tools that there is a table.
            Some(("_versions", name)) => name.starts_with('d'),
            Some(("_transactions", name)) => !name.starts_with("0-"),
            _ => false,
        };
        !is_ours || files.contains(file)
    }

    fn remove(&self, gone: &[Listed], progress: &mut dyn FnMut(&str, u64, u64)) -> Result<()> {
        let objects = &self.store.inner.objects;
        self.store.wait(async {
            let removed = gone.iter().map(|object| async move {
                objects.delete(&object.name).await?;
                Ok::<_, Error>(())
            });
            let mut removed = futures::stream::iter(removed).buffer_unordered(AT_ONCE);
            let mut done = 0;
            while removed.try_next().await?.is_some() {
                done += 1;
                progress("removing files", done, gone.len() as u64);
            }
            Ok(())
        })?;
        objects.remove_empty_directories("tables");
        Ok(())
    }
}

fn count(into: &mut Removed, file: &str, bytes: u64) {
    into.files += 1;
    into.bytes += bytes;
    into.versions += u64::from(file.starts_with("_versions/"));
}
