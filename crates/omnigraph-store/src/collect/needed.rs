//! The files that versions of tables are made of.

use super::history::Version;
use crate::Result;
use crate::detached::files_of;
use crate::error::Error;
use crate::record::TableEntry;
use crate::store::Store;
use crate::table::Table;
use futures::{StreamExt, TryStreamExt};
use std::collections::{BTreeMap, BTreeSet};

/// Versions that are opened at once.
const AT_ONCE: usize = 16;

/// By directory of a table: what it is called, and the files below it that are needed.
#[derive(Debug, Default)]
pub(crate) struct Needed {
    pub(crate) tables: BTreeMap<String, (String, BTreeSet<String>)>,
}

impl Needed {
    /// Opens versions and gathers their files.
    pub(super) fn of(
        store: &Store,
        versions: &[Version],
        progress: &mut dyn FnMut(&str, u64, u64),
    ) -> Result<Needed> {
        let mut needed = Needed::default();
        let opened = versions.iter().map(|version| async move {
            let entry = &version.entry;
            let table = if version.may_be_gone {
                Table::open_if_there(store, entry).await?
            } else {
                Some(Table::open(store, entry).await?)
            };
            Ok::<_, Error>((&version.key, &entry.dir, table.as_ref().map_or_else(Vec::new, files_of_table)))
        });
        store.wait(async {
            let mut opened = futures::stream::iter(opened).buffer_unordered(AT_ONCE);
            let mut done = 0;
            while let Some((key, dir, files)) = opened.try_next().await? {
                let table =
                    needed.tables.entry(dir.clone()).or_insert_with(|| (key.clone(), BTreeSet::new()));
                table.1.extend(files);
                done += 1;
                progress("reading versions of tables", done, versions.len() as u64);
            }
            Ok(needed)
        })
    }
}

/// A version and the files that it needs, below the directory of the table.
pub(crate) async fn files_of_version(store: &Store, entry: &TableEntry) -> Result<(Table, Vec<String>)> {
    let table = Table::open(store, entry).await?;
    let files = files_of_table(&table);
    Ok((table, files))
}

fn files_of_table(table: &Table) -> Vec<String> {
    let dataset = table.dataset();
    let mut files: Vec<String> =
        table.fragments().iter().flat_map(|fragment| files_of(fragment.lance().metadata())).collect();
    let manifest = dataset.manifest_location().path.filename().unwrap_or_default();
    files.push(format!("_versions/{manifest}"));
    let transaction = dataset.manifest().transaction_file.as_ref();
    files.extend(transaction.map(|file| format!("_transactions/{file}")));
    files
}
