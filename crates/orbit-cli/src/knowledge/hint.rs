//! One line about the atoms that an answer about code touches upon. An answer never waits or fails for it: without a
//! store, or with one that cannot be read, there is nothing to say.

use super::{options, place};
use orbit_graph::Location;
use orbit_knowledge::{Freshness, Id, Notice, Store};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

/// So many atoms are named; the others are counted.
const NAMED: usize = 3;
/// What is asked about more files than this is about the whole code rather than about some of it.
const MOST_FILES: usize = 50;

/// What to say about files, if anything. Makes no store.
pub(crate) fn line(dir: &Path, files: &[String]) -> Option<String> {
    let files: BTreeSet<String> = files.iter().cloned().collect();
    if files.is_empty() || files.len() > MOST_FILES {
        return None;
    }
    let store = kept_open(dir)?;
    let files: Vec<String> = files.into_iter().collect();
    said(&store.notices(&files).ok()?)
}

/// The stores of this process by directory, each with the birth of its file: a restored one is another.
type Kept = Mutex<HashMap<PathBuf, (SystemTime, Arc<Store>)>>;

/// The store of a clone, opened once per process: a server answers many questions.
fn kept_open(dir: &Path) -> Option<Arc<Store>> {
    static KEPT: OnceLock<Kept> = OnceLock::new();
    let path = place(dir, None).ok()?;
    let about = path.metadata().ok()?;
    let mut kept = KEPT.get_or_init(Kept::default).lock().unwrap_or_else(PoisonError::into_inner);
    // Without a birth nobody knows whether the file is still the same one.
    let Ok(born) = about.created() else { return opened(dir, &path).map(Arc::new) };
    if let Some((_, store)) = kept.get(dir).filter(|(known, _)| *known == born) {
        return Some(Arc::clone(store));
    }
    let store = Arc::new(opened(dir, &path)?);
    kept.insert(dir.to_owned(), (born, Arc::clone(&store)));
    Some(store)
}

/// A damaged store stays where it is: whoever asks for knowledge is told.
fn opened(dir: &Path, path: &Path) -> Option<Store> {
    let root = Location::of(dir).ok()?.root;
    Store::open(path, options(&root).ok()?).ok()
}

/// `1 stale atom about this: 67ad5406 "Parser" (body_drifted) · 2 unchanged`.
fn said(notices: &[Notice]) -> Option<String> {
    let (mut stale, mut unchecked, mut others) = (Vec::new(), Vec::new(), Vec::new());
    for notice in notices {
        match notice.freshness {
            Some(Freshness::NotChecked) => unchecked.push(notice),
            None | Some(Freshness::Fresh | Freshness::Unbound) => others.push(notice),
            Some(_) => stale.push(notice),
        }
    }
    if !stale.is_empty() {
        let mut parts = vec![format!("{} about this: {}", atoms(stale.len(), "stale "), names(&stale))];
        parts.extend((!unchecked.is_empty()).then(|| format!("{} not checked", unchecked.len())));
        parts.extend((!others.is_empty()).then(|| format!("{} unchanged", others.len())));
        return Some(parts.join(" · "));
    }
    let all: Vec<&Notice> = others.into_iter().chain(unchecked).collect();
    (!all.is_empty()).then(|| format!("{} about this: {}", atoms(all.len(), ""), names(&all)))
}

fn atoms(count: usize, which: &str) -> String {
    format!("{count} {which}atom{}", if count == 1 { "" } else { "s" })
}

fn names(notices: &[&Notice]) -> String {
    let name = |notice: &&Notice| {
        let Notice { id, name, freshness } = notice;
        let doubt = match freshness {
            None | Some(Freshness::Fresh | Freshness::Unbound) => String::new(),
            Some(other) => format!(" ({})", other.word()),
        };
        format!("{} \"{name}\"{doubt}", short(*id))
    };
    let mut names: Vec<String> = notices.iter().take(NAMED).map(name).collect();
    if notices.len() > NAMED {
        names.push(format!("{} more", notices.len() - NAMED));
    }
    names.join(", ")
}

fn short(id: Id) -> String {
    id.to_string().chars().take(8).collect()
}
