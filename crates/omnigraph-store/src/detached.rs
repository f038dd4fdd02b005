//! Versions of tables that nothing names yet: how they are made, and what of them must reach the disk.

use crate::Result;
use crate::error::Error;
use crate::record::TableEntry;
use crate::store::Store;
use crate::table::{Fragment, Table};
use arrow_array::RecordBatch;
use lance::Dataset;
use lance::dataset::transaction::{Operation, TransactionBuilder, UpdateMode};
use lance::dataset::{CommitBuilder, InsertBuilder, WriteMode, WriteParams};
use lance_table::format::Fragment as LanceFragment;
use std::sync::Arc;

/// Rows that make a fragment of a bulk load.
pub(crate) const FRAGMENT_ROWS: usize = 256 << 10;

/// Bytes that are written at once, however few rows they are.
pub(crate) const FRAGMENT_BYTES: usize = 96 << 20;

/// How files of tables are written.
pub(crate) fn params(store: &Store, mode: WriteMode) -> WriteParams {
    WriteParams {
        mode,
        max_rows_per_file: FRAGMENT_ROWS * 2,
        session: Some(store.inner.session.clone()),
        store_params: Some(store.inner.params.clone()),
        skip_auto_cleanup: true,
        ..WriteParams::default()
    }
}

/// Writes rows into files that no version names.
pub(crate) async fn write_rows(
    dataset: Arc<Dataset>,
    params: WriteParams,
    rows: Vec<RecordBatch>,
) -> lance::Result<Vec<LanceFragment>> {
    let insert = InsertBuilder::new(dataset).with_params(&params).execute_uncommitted(rows).await?;
    match insert.operation {
        Operation::Append { fragments } => Ok(fragments),
        other => Err(lance::Error::internal(format!("an insert became {other}"))),
    }
}

/// Takes fragments away, replaces some by themselves with fewer live rows, and adds new ones.
pub(crate) fn update(
    dataset: &Dataset,
    removed: Vec<u64>,
    updated: Vec<LanceFragment>,
    new: Vec<LanceFragment>,
) -> Operation {
    Operation::Update {
        removed_fragment_ids: removed,
        updated_fragments: updated,
        new_fragments: new,
        fields_modified: Vec::new(),
        compacted_sstables: Vec::new(),
        // With fewer, indexes would be taken to cover the new rows.
        fields_for_preserving_frag_bitmap: dataset
            .schema()
            .fields_pre_order()
            .map(|field| field.id as u32)
            .collect(),
        update_mode: Some(UpdateMode::RewriteRows),
        inserted_rows_filter: None,
        updated_fragment_offsets: None,
    }
}

/// The version that an operation on `dataset` leads to. Its files are on the disk when this returns.
pub(crate) fn commit(
    store: &Store,
    dir: &str,
    base: Option<&Table>,
    dataset: Arc<Dataset>,
    operation: Operation,
) -> Result<TableEntry> {
    let transaction = TransactionBuilder::new(dataset.version_id(), operation).build();
    let commit = CommitBuilder::new(dataset)
        .with_detached(true)
        .with_skip_auto_cleanup(true)
        .with_session(store.inner.session.clone());
    let new = store.wait(commit.execute(transaction));
    let new = Arc::new(new.map_err(|error| Error::io("writing a version of a table", error))?);
    let table = Arc::new(Table::of(store, dir, new.clone())?);
    sync(store, dir, base, &new, &table)?;
    let entry = TableEntry { dir: dir.to_owned(), version: new.version_id(), rows: table.rows() };
    store.keep_table(&entry, &table);
    Ok(entry)
}

/// Local files reach the disk before anything names them.
fn sync(store: &Store, dir: &str, base: Option<&Table>, new: &Dataset, made: &Table) -> Result<()> {
    let old: Vec<&Arc<str>> = base.iter().flat_map(|base| base.fragments()).map(Fragment::live_key).collect();
    let table = format!("tables/{dir}");
    let manifest = new.manifest_location().path.filename().unwrap_or_default();
    let mut files = vec![format!("{table}/_versions/{manifest}")];
    for fragment in made.fragments().iter().filter(|fragment| !old.contains(&fragment.live_key())) {
        files.extend(files_of(fragment.lance().metadata()).map(|file| format!("{table}/{file}")));
    }
    store.wait(store.inner.objects.sync_files(&files))
}

/// The files of a fragment, below the directory of its table.
pub(crate) fn files_of(fragment: &LanceFragment) -> impl Iterator<Item = String> + '_ {
    let data = fragment.referenced_lance_files().map(|file| format!("data/{}", file.path));
    let deletions = fragment.deletion_file.as_ref().map(|file| {
        let suffix = file.file_type.suffix();
        format!("_deletions/{}-{}-{}.{suffix}", fragment.id, file.read_version, file.id)
    });
    data.chain(deletions)
}
