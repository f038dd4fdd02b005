//! A whole index from nothing: pass 1 extracts and writes what files say of themselves, pass 2 resolves and
//! writes what they say of each other. Memory holds all surfaces and the encoded uses, never all trees or rows.

use super::extract::{self, Read};
use super::scan::{self, ToRead};
use super::{Phase, SyncOptions, SyncReport, now_ns, unread};
use crate::error::GraphError;
use crate::facts::{self, BadBlob};
use crate::layout::Layout;
use crate::location::{Location, with_suffix};
use crate::resolve::surface::Surface;
use crate::resolve::world::{WholeWorld, World};
use crate::resolve::{ResolvedFile, resolve_file};
use crate::store::state::Written;
use crate::store::writer::{PreparedFile, Writer};
use crate::store::{self, bulk, first_row, state};
use crate::walk::Walked;
use orbit_extract::RawCommand;
use rayon::prelude::*;
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fs::File;

/// Files handled between two hand-overs to the writer.
const CHUNK: usize = 192;

/// Builds an index where there is none: beside its place, then renamed into it.
pub(super) fn fresh(
    location: &Location,
    options: &SyncOptions<'_>,
    walked: &Walked,
    walked_at: i64,
) -> Result<SyncReport, GraphError> {
    let unfinished = with_suffix(&location.database, &format!(".tmp-{}", std::process::id()));
    let fail = |error| GraphError::State(location.database.clone(), error);
    let _ = std::fs::remove_file(&unfinished); // of a killed process with the same number
    let report = bulk::fill_new(store::create(&unfinished)?, |connection| {
        fill(location, connection, options, walked, walked_at)
    })?;
    for suffix in ["-wal", "-shm", "-journal"] {
        let _ = std::fs::remove_file(with_suffix(&unfinished, suffix)); // closing leaves none; be sure
        let _ = std::fs::remove_file(with_suffix(&location.database, suffix)); // of a database that is gone
    }
    File::open(&unfinished).and_then(|file| file.sync_all()).map_err(fail)?;
    std::fs::rename(&unfinished, &location.database).map_err(fail)?;
    Ok(report)
}

/// Builds an existing index anew, in one transaction: readers see the old one until it is done.
pub(super) fn again(
    location: &Location,
    connection: &Connection,
    options: &SyncOptions<'_>,
    walked: &Walked,
    walked_at: i64,
) -> Result<SyncReport, GraphError> {
    bulk::fill_again(connection, |connection| fill(location, connection, options, walked, walked_at))
}

fn fill(
    location: &Location,
    connection: &Connection,
    options: &SyncOptions<'_>,
    walked: &Walked,
    walked_at: i64,
) -> Result<SyncReport, GraphError> {
    let (manifests, _) = scan::manifests(&location.root, &walked.candidates, &BTreeMap::new(), walked_at);
    let facts = manifests.iter().filter_map(|(path, row)| Some((path.clone(), row.value.clone()?)));
    let layout =
        Layout::new(facts.collect(), walked.candidates.iter().map(|candidate| candidate.path.as_str()));
    let to_read = scan::everything(&walked.candidates, walked_at);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|error| GraphError::State(location.root.clone(), std::io::Error::other(error)))?;

    let mut report = SyncReport::default();
    let mut writer = Writer::new(connection, now_ns())?;
    let mut pass = Pass { report: &mut report, connection, surfaces: Vec::new(), uses: Vec::new() };
    options.progress.start(Phase::Extract, to_read.len());
    in_parallel(
        &pool,
        &to_read,
        |index, file| read_and_prepare(location, &layout, index as u32 + 1, file),
        |outcome| {
            options.progress.advance(1);
            pass.take(&mut writer, outcome)
        },
    )?;

    let Pass { surfaces, uses, .. } = pass;
    let world = WholeWorld::new(surfaces);
    resolve_all(&world, &uses, &pool, options, &mut writer)?;
    writer.finish()?;
    let changed = unread::changed(connection, &walked.unread)?;
    unread::write(connection, &location.root, &changed, walked_at)?;
    state::write_manifests(connection, &manifests)?;
    state::write_meta(connection, location, Written::Whole, now_ns())?;
    report.files_indexed = world.surfaces().len();
    report.files_changed = report.files_indexed;
    Ok(report)
}

enum Outcome {
    Prepared(Box<(PreparedFile, Surface)>),
    Other(Read),
}

fn read_and_prepare(location: &Location, layout: &Layout, id: u32, file: &ToRead) -> Outcome {
    match extract::read(&location.root, file) {
        Read::Extracted(extracted) => {
            let slots = (0..extracted.facts.symbols.len() as u32).collect();
            Outcome::Prepared(Box::new(extract::prepare(*extracted, id, slots, layout)))
        }
        other => Outcome::Other(other),
    }
}

/// What pass 1 leaves behind for pass 2.
struct Pass<'r> {
    report: &'r mut SyncReport,
    connection: &'r Connection,
    surfaces: Vec<Surface>,
    uses: Vec<Vec<u8>>,
}

impl Pass<'_> {
    fn take(&mut self, writer: &mut Writer<'_>, outcome: Outcome) -> Result<(), GraphError> {
        match outcome {
            Outcome::Prepared(prepared) => {
                let (mut file, surface) = *prepared;
                writer.write_file(&file, false)?;
                self.surfaces.push(surface);
                self.uses.push(std::mem::take(&mut file.uses_blob));
            }
            Outcome::Other(Read::Skipped { skipped, mtime_ns, byte_len }) => {
                state::write_skip(self.connection, &skipped.path, mtime_ns, byte_len, &skipped.reason)?;
                self.report.skipped.push(skipped);
            }
            Outcome::Other(Read::Failed(failed)) => self.report.failed.push(failed),
            Outcome::Other(_) => {}
        }
        Ok(())
    }
}

/// Pass 2 over files whose surfaces are all in memory.
pub(super) fn resolve_all(
    world: &WholeWorld,
    uses: &[Vec<u8>],
    pool: &rayon::ThreadPool,
    options: &SyncOptions<'_>,
    writer: &mut Writer<'_>,
) -> Result<(), GraphError> {
    let work: Vec<(&Surface, &Vec<u8>)> = world.surfaces().iter().zip(uses).collect();
    options.progress.start(Phase::Resolve, work.len());
    in_parallel(
        pool,
        &work,
        |_, (surface, blob)| resolve_one(world, surface, blob),
        |resolved| {
            options.progress.advance(1);
            let (commands, resolved) = resolved?;
            write_one(world, writer, &commands, &resolved)
        },
    )
}

pub(super) fn resolve_one(
    world: &WholeWorld,
    surface: &Surface,
    blob: &[u8],
) -> Result<(Vec<RawCommand>, ResolvedFile), BadBlob> {
    let uses = facts::decode_uses(blob)?;
    let resolved = resolve_file(world, surface, &uses);
    Ok((uses.commands, resolved))
}

pub(super) fn write_one(
    world: &WholeWorld,
    writer: &mut Writer<'_>,
    commands: &[RawCommand],
    resolved: &ResolvedFile,
) -> Result<(), GraphError> {
    let row = |sym: crate::resolve::surface::SymRef| {
        first_row(sym.file) + i64::from(world.surface(sym.file).symbols[sym.index as usize].slot)
    };
    writer.write_resolved(world.surface(resolved.file), commands, resolved, &row)
}

/// Maps `work` on the pool, chunk by chunk, and hands the results in order to `take` on this thread, which
/// overlaps with the mapping of the next chunk. At most two chunks wait.
pub(super) fn in_parallel<T: Sync, R: Send>(
    pool: &rayon::ThreadPool,
    work: &[T],
    map: impl Fn(usize, &T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), GraphError>,
) -> Result<(), GraphError> {
    let (sender, receiver) = crossbeam_channel::bounded::<Vec<R>>(2);
    std::thread::scope(|scope| {
        let map = &map;
        scope.spawn(move || {
            for (chunk_index, chunk) in work.chunks(CHUNK).enumerate() {
                let first = chunk_index * CHUNK;
                let results = pool.install(|| {
                    chunk
                        .par_iter()
                        .enumerate()
                        .with_max_len(4)
                        .map(|(index, item)| map(first + index, item))
                        .collect()
                });
                if sender.send(results).is_err() {
                    return; // the taker failed and is gone
                }
            }
        });
        for results in receiver {
            for result in results {
                take(result)?;
            }
        }
        Ok(())
    })
}
