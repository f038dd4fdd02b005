//! Changing an existing index: only changed files are extracted, and only files that asked a question whose
//! answer changed are resolved again.

use super::build::{self, in_parallel};
use super::extract::{self, Extracted, Read};
use super::scan::{self, Scan, ToRead};
use super::unread;
use super::versions::{assign_slots, differing};
use super::{Failed, Phase, Skipped, SyncOptions, SyncReport, now_ns};
use crate::error::GraphError;
use crate::layout::{Layout, Manifest, directory};
use crate::location::Location;
use crate::resolve::resolve_file;
use crate::resolve::surface::Surface;
use crate::resolve::world::{WholeWorld, World};
use crate::store;
use crate::store::reader::{self, KnownFile, Remembered, StoredWorld};
use crate::store::state::{self, Written};
use crate::store::writer::{PreparedFile, Writer};
use crate::walk::Walked;
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use orbit_extract::Family;
use rayon::prelude::*;
use rusqlite::Connection;
use std::collections::{BTreeMap, BTreeSet};

/// Above this many files to resolve, all surfaces are loaded once instead of one by one.
const MANY: usize = 400;

type Manifests = BTreeMap<String, Remembered<Option<Manifest>>>;
type FilesById<'k> = HashMap<u32, &'k KnownFile, FixedState>;

/// What was read of the files that changed.
#[derive(Default)]
struct Gathered {
    extracted: Vec<Extracted>,
    touched: Vec<(u32, i64, u64)>,
    removed: BTreeSet<u32>,
    skipped: Vec<(Skipped, i64, u64)>,
    failed: Vec<Failed>,
}

pub(super) fn update(
    location: &Location,
    connection: &Connection,
    options: &SyncOptions<'_>,
    walked: &Walked,
    walked_at: i64,
) -> Result<SyncReport, GraphError> {
    let known = reader::known_files(connection)?;
    let skips = reader::known_skips(connection)?;
    let old_manifests = reader::known_manifests(connection)?;
    let mut scan = scan::compare(&walked.candidates, &known, &skips, walked_at);
    let (manifests, manifests_touched) =
        scan::manifests(&location.root, &walked.candidates, &old_manifests, walked_at);
    let mut report = SyncReport { files_indexed: known.len(), ..SyncReport::default() };
    report.skipped.append(&mut scan.still_skipped);
    let stale_skips = skips.len() != report.skipped.len();
    let unread = unread::changed(connection, &walked.unread)?;
    let is_current = scan.to_read.is_empty() && scan.removed.is_empty() && !manifests_touched && !stale_skips;
    if !unread.is_empty() {
        store::in_transaction(connection, || unread::write(connection, &location.root, &unread, walked_at))?;
    }
    if is_current {
        if !state::meta_is_current(connection, location)? {
            state::write_meta(connection, location, Written::InPart, now_ns())?;
        }
        return Ok(report);
    }

    let old_layout = layout(&old_manifests, known.iter().map(|file| file.path.as_str()));
    let new_layout = layout(&manifests, walked.candidates.iter().map(|candidate| candidate.path.as_str()));
    if old_layout != new_layout {
        force_moved(&known, &old_layout, &new_layout, &mut scan, walked_at);
    }
    let gathered = gather(location, options, &scan);
    let files: FilesById<'_> = known.iter().map(|file| (file.id, file)).collect();
    let change = Change { connection, files: &files, old_layout: &old_layout, new_layout: &new_layout };
    let plan = change.plan(gathered, &known)?;

    report.files_changed = plan.prepared.len();
    report.files_removed = plan.removed.len();
    report.files_reresolved = plan.dependents.len();
    report.files_indexed =
        known.len() - plan.removed.len() + plan.prepared.iter().filter(|file| !plan.is_known(file)).count();
    report.failed.clone_from(&plan.failed);
    report.skipped.extend(plan.skipped.iter().map(|(skipped, ..)| skipped.clone()));

    store::in_transaction(connection, || change.write(plan, options, &report, &manifests, location))?;
    Ok(report)
}

fn layout<'p>(manifests: &Manifests, paths: impl Iterator<Item = &'p str>) -> Layout {
    let facts = manifests.iter().filter_map(|(path, row)| Some((path.clone(), row.value.clone()?)));
    Layout::new(facts.collect(), paths)
}

/// The layout of the files as the index knows them.
pub(crate) fn stored_layout(connection: &Connection, known: &[KnownFile]) -> Result<Layout, GraphError> {
    let manifests = reader::known_manifests(connection)?;
    Ok(layout(&manifests, known.iter().map(|file| file.path.as_str())))
}

/// Files that now stand elsewhere in the module tree, or whose imports mean something else there, are made
/// anew, whatever their bytes.
fn force_moved(known: &[KnownFile], old: &Layout, layout: &Layout, scan: &mut Scan, walked_at: i64) {
    for file in known {
        let package = match file.lang.family() {
            Family::Go if file.module.ends_with("_test") => Some("_test"),
            Family::Rust | Family::Python | Family::Go => None,
            _ => continue,
        };
        let dir = directory(&file.path);
        let stays = layout.module_of(&file.path, file.lang, package) == file.module
            && old.is_python_package(dir) == layout.is_python_package(dir);
        if stays || scan.removed.contains(&file.id) {
            continue;
        }
        match scan.to_read.iter_mut().find(|row| row.path == file.path) {
            Some(row) => row.forced = true,
            None => scan.to_read.push(ToRead {
                path: file.path.clone(),
                lang: file.lang,
                mtime_ns: scan::trusted_mtime(file.mtime_ns, walked_at),
                known: Some((file.id, file.content_hash)),
                forced: true,
            }),
        }
    }
}

fn gather(location: &Location, options: &SyncOptions<'_>, scan: &Scan) -> Gathered {
    options.progress.start(Phase::Extract, scan.to_read.len());
    let read = |file: &ToRead| {
        let outcome = extract::read(&location.root, file);
        options.progress.advance(1);
        outcome
    };
    let outcomes: Vec<Read> = match pool(options, scan.to_read.len()) {
        Some(pool) => pool.install(|| scan.to_read.par_iter().map(read).collect()),
        None => scan.to_read.iter().map(read).collect(),
    };
    let mut gathered = Gathered { removed: scan.removed.iter().copied().collect(), ..Gathered::default() };
    for (file, outcome) in scan.to_read.iter().zip(outcomes) {
        let known = file.known.map(|(id, _)| id);
        match outcome {
            Read::Same { id, mtime_ns, byte_len } => {
                gathered.touched.push((id, mtime_ns, byte_len));
                continue;
            }
            Read::Extracted(extracted) => {
                gathered.extracted.push(*extracted);
                continue;
            }
            Read::Skipped { skipped, mtime_ns, byte_len } => {
                gathered.skipped.push((skipped, mtime_ns, byte_len));
            }
            Read::Failed(failed) => gathered.failed.push(failed),
            Read::Gone => {}
        }
        gathered.removed.extend(known);
    }
    gathered
}

/// Threads are worth their start only for more than a handful of files.
fn pool(options: &SyncOptions<'_>, files: usize) -> Option<rayon::ThreadPool> {
    if files < 8 || options.threads < 2 {
        return None;
    }
    rayon::ThreadPoolBuilder::new().num_threads(options.threads).build().ok()
}

/// Everything that will be written.
struct UpdatePlan {
    prepared: Vec<PreparedFile>,
    surfaces: HashMap<u32, Option<Surface>, FixedState>,
    /// Numbers up to here were in use before.
    last_id: u32,
    removed: BTreeSet<u32>,
    dependents: Vec<u32>,
    touched: Vec<(u32, i64, u64)>,
    skipped: Vec<(Skipped, i64, u64)>,
    failed: Vec<Failed>,
}

impl UpdatePlan {
    fn is_known(&self, file: &PreparedFile) -> bool {
        file.id <= self.last_id
    }
}

struct Change<'c> {
    connection: &'c Connection,
    files: &'c FilesById<'c>,
    old_layout: &'c Layout,
    new_layout: &'c Layout,
}

impl Change<'_> {
    fn plan(&self, gathered: Gathered, known: &[KnownFile]) -> Result<UpdatePlan, GraphError> {
        let last_id = known.iter().map(|file| file.id).max().unwrap_or(0);
        let mut next_id = last_id;
        let mut plan = UpdatePlan {
            prepared: Vec::with_capacity(gathered.extracted.len()),
            surfaces: HashMap::with_hasher(FixedState::with_seed(11)),
            last_id,
            removed: gathered.removed,
            dependents: Vec::new(),
            touched: gathered.touched,
            skipped: gathered.skipped,
            failed: gathered.failed,
        };
        let mut questions: BTreeSet<u32> = BTreeSet::new();
        for id in &plan.removed {
            if let Some(file) = self.files.get(id) {
                let old = reader::surface(self.connection, file, self.old_layout)?;
                questions.extend(old.publications().into_iter().map(|(question, _)| question));
            }
            plan.surfaces.insert(*id, None);
        }
        for extracted in gathered.extracted {
            let old = match extracted.known.and_then(|id| self.files.get(&id)) {
                Some(file) => Some(reader::surface(self.connection, file, self.old_layout)?),
                None => None,
            };
            let id = extracted.known.unwrap_or_else(|| {
                next_id += 1;
                next_id
            });
            let slots = assign_slots(&extracted, old.as_ref());
            let (prepared, surface) = extract::prepare(extracted, id, slots, self.new_layout);
            let before = old.map(|old| old.publications()).unwrap_or_default();
            differing(&before, &surface.publications(), &mut questions);
            plan.prepared.push(prepared);
            plan.surfaces.insert(id, Some(surface));
        }
        plan.dependents = if self.old_layout.same_manifests(self.new_layout) {
            let questions: Vec<u32> = questions.into_iter().collect();
            if questions.is_empty() { Vec::new() } else { reader::askers(self.connection, &questions)? }
        } else {
            known.iter().map(|file| file.id).collect()
        };
        plan.dependents.retain(|id| !plan.surfaces.contains_key(id));
        Ok(plan)
    }

    fn write(
        &self,
        plan: UpdatePlan,
        options: &SyncOptions<'_>,
        report: &SyncReport,
        manifests: &Manifests,
        location: &Location,
    ) -> Result<(), GraphError> {
        let connection = self.connection;
        let mut writer = Writer::new(connection, now_ns())?;
        for id in &plan.removed {
            writer.remove_file(*id)?;
        }
        for file in &plan.prepared {
            writer.write_file(file, plan.is_known(file))?;
        }
        for (id, mtime_ns, byte_len) in &plan.touched {
            writer.touch_file(*id, *mtime_ns, *byte_len)?;
        }
        self.write_skips(&plan, report)?;
        options.progress.start(Phase::Resolve, plan.prepared.len() + plan.dependents.len());
        if plan.prepared.len() + plan.dependents.len() > MANY {
            self.resolve_many(plan, options, &mut writer)?;
        } else {
            self.resolve_few(plan, options, &mut writer)?;
        }
        writer.finish()?;
        state::write_manifests(connection, manifests)?;
        state::write_meta(connection, location, Written::InPart, now_ns())
    }

    fn write_skips(&self, plan: &UpdatePlan, report: &SyncReport) -> Result<(), GraphError> {
        let still: BTreeSet<&str> = report.skipped.iter().map(|skipped| skipped.path.as_str()).collect();
        state::keep_skips(self.connection, &still)?;
        for (skipped, mtime_ns, byte_len) in &plan.skipped {
            state::write_skip(self.connection, &skipped.path, *mtime_ns, *byte_len, &skipped.reason)?;
        }
        Ok(())
    }

    /// Answers questions from the database, one by one.
    fn resolve_few(
        &self,
        plan: UpdatePlan,
        options: &SyncOptions<'_>,
        writer: &mut Writer<'_>,
    ) -> Result<(), GraphError> {
        let ids: Vec<u32> = plan.prepared.iter().map(|file| file.id).collect();
        let world = StoredWorld::new(self.connection, self.new_layout, self.files, plan.surfaces)?;
        for id in ids.iter().copied().chain(plan.dependents.iter().copied()) {
            let uses = reader::uses(self.connection, id)?;
            let surface = world.surface(id);
            let resolved = resolve_file(&world, surface, &uses);
            writer.remove_resolved(id)?;
            writer.write_resolved(surface, &uses.commands, &resolved, &|sym| world.row(sym))?;
            options.progress.advance(1);
        }
        world.failure().map_or(Ok(()), Err)
    }

    /// Loads every surface once and resolves on all threads.
    fn resolve_many(
        &self,
        mut plan: UpdatePlan,
        options: &SyncOptions<'_>,
        writer: &mut Writer<'_>,
    ) -> Result<(), GraphError> {
        let mut surfaces: Vec<Surface> = Vec::with_capacity(self.files.len() + plan.prepared.len());
        let wanted: BTreeSet<u32> =
            plan.prepared.iter().map(|file| file.id).chain(plan.dependents.iter().copied()).collect();
        for file in self.files.values() {
            if !plan.surfaces.contains_key(&file.id) {
                surfaces.push(reader::surface(self.connection, file, self.new_layout)?);
            }
        }
        surfaces.extend(plan.surfaces.drain().filter_map(|(_, surface)| surface));
        surfaces.sort_by(|a, b| a.path.cmp(&b.path));
        let world = WholeWorld::new(surfaces);
        let mut work = Vec::with_capacity(wanted.len());
        for id in &wanted {
            writer.remove_resolved(*id)?;
            work.push((*id, reader::encoded_uses(self.connection, *id)?));
        }
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(options.threads)
            .build()
            .map_err(|error| GraphError::Damaged(error.to_string()))?;
        in_parallel(
            &pool,
            &work,
            |_, (id, blob)| build::resolve_one(&world, world.surface(*id), blob),
            |resolved| {
                options.progress.advance(1);
                let (commands, resolved) = resolved?;
                build::write_one(&world, writer, &commands, &resolved)
            },
        )
    }
}
