//! Syncing when files change.
//!
//! Events only say that something happened; what happened is found out by the sync's own walk. So lost events,
//! overflows and rename storms cost at most one sync too many, never a wrong index.

use crate::error::GraphError;
use crate::location::Location;
use crate::sync::{self, SyncOptions, SyncReport};
use crate::walk;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use notify::{EventKind, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often files are looked at when the system cannot watch them.
const POLL: Duration = Duration::from_secs(2);
/// A stream of events is cut here, so that a busy tree is synced at all.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// Told about every sync of a watch.
pub type OnSync = Box<dyn Fn(&Result<SyncReport, GraphError>) + Send>;

/// A background thread that keeps an index fresh until this is dropped.
pub struct Watching {
    stop: Sender<()>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.stop.send(()); // it may have ended already
        if let Some(thread) = self.thread.take() {
            let _ = thread.join(); // a panic there has been reported by the thread
        }
    }
}

impl std::fmt::Debug for Watching {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Watching")
    }
}

/// Syncs now, and again whenever files below `dir`'s worktree have changed and been quiet for `debounce`.
pub(crate) fn watch(dir: &Path, debounce: Duration, on_sync: OnSync) -> Result<Watching, GraphError> {
    let location = Location::of(dir)?;
    let (stop, stopped) = crossbeam_channel::bounded(1);
    let dir = dir.to_owned();
    let thread = std::thread::Builder::new()
        .name("orbit-watch".into())
        .spawn(move || run(&dir, &location.root, debounce, &stopped, &on_sync))
        .map_err(|error| GraphError::Root(PathBuf::from("a thread"), error))?;
    Ok(Watching { stop, thread: Some(thread) })
}

fn run(dir: &Path, root: &Path, debounce: Duration, stopped: &Receiver<()>, on_sync: &OnSync) {
    let (events, received) = crossbeam_channel::bounded::<()>(1);
    let mut eyes = Eyes::open(root, events);
    loop {
        eyes.follow_directories();
        let synced = Location::of(dir).and_then(|location| sync::sync(&location, &SyncOptions::default()));
        on_sync(&synced);
        let waited = if eyes.is_watching() { wait(&received, stopped, debounce) } else { pause(stopped) };
        if waited.is_none() {
            return;
        }
    }
}

/// Waits for an event and then for quiet; `None` when told to stop.
fn wait(received: &Receiver<()>, stopped: &Receiver<()>, debounce: Duration) -> Option<()> {
    crossbeam_channel::select! {
        recv(received) -> _ => {}
        recv(stopped) -> _ => return None,
    }
    let first = Instant::now();
    while first.elapsed() < MAX_WAIT.max(debounce) {
        crossbeam_channel::select! {
            recv(received) -> _ => {}
            recv(stopped) -> _ => return None,
            default(debounce) => return Some(()),
        }
    }
    Some(())
}

/// Without a working watcher, looks again after a while.
fn pause(stopped: &Receiver<()>) -> Option<()> {
    match stopped.recv_timeout(POLL) {
        Err(RecvTimeoutError::Timeout) => Some(()),
        _ => None,
    }
}

/// The system's watcher on every directory that is indexed, and on no other: ignored trees cost nothing.
struct Eyes {
    root: PathBuf,
    watcher: Option<notify::RecommendedWatcher>,
    directories: BTreeSet<PathBuf>,
}

impl Eyes {
    fn open(root: &Path, events: Sender<()>) -> Eyes {
        let handler = move |event: notify::Result<notify::Event>| {
            let is_read = event.as_ref().is_ok_and(|event| matches!(event.kind, EventKind::Access(_)));
            if !is_read {
                let _ = events.try_send(()); // one waiting event is as good as many
            }
        };
        Eyes {
            root: root.to_owned(),
            watcher: notify::recommended_watcher(handler).ok(),
            directories: BTreeSet::new(),
        }
    }

    fn is_watching(&self) -> bool {
        self.watcher.is_some()
    }

    /// Watches new directories and forgets those that are gone. When the system has no watches left, it
    /// gives up watching altogether: a partial watch would be stale without saying so.
    fn follow_directories(&mut self) {
        let Some(watcher) = &mut self.watcher else { return };
        let now = walk::directories(&self.root);
        for gone in self.directories.difference(&now) {
            let _ = watcher.unwatch(gone); // the system drops watches of deleted directories itself
        }
        for new in now.difference(&self.directories) {
            if watcher.watch(new, RecursiveMode::NonRecursive).is_err() && new.exists() {
                self.watcher = None;
                return;
            }
        }
        self.directories = now;
    }
}
