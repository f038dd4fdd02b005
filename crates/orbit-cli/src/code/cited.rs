//! Lines that texts cite: what they look like, and where they are when the code has changed. A line is known again by its
//! own text and its neighbours', first in the symbol that it stood in, wherever that went. What fits several lines is not
//! guessed.

use super::files::Files;
use super::follow::{Fate, Follower};
use super::stamp::symbol_mark;
use orbit_extract::{Print, Prints};
use orbit_knowledge::{Area, CitedNow, CitedPlace, Stamp, SymbolMark};
use std::fs;
use std::ops::Range;
use std::path::Path;

/// The lines that the text of an area cites, as they are. What was cited before is where it went, whatever number the
/// text has for it.
pub(super) fn places(root: &Path, files: &Files, area: &Area) -> Vec<CitedPlace> {
    let mut places: Vec<CitedPlace> = Vec::new();
    for cite in &area.cites {
        let moved = area.cited.iter().find(|known| known.cited == cite.label);
        let (path, line) = match moved.map(|known| known.now.as_deref().and_then(split)) {
            Some(Some((path, line))) => (path.to_owned(), line),
            // It is gone: nothing is left to follow.
            Some(None) => continue,
            None => (cite.path.clone(), cite.line),
        };
        if places.iter().any(|known| known.label == cite.label) {
            continue;
        }
        let more = cite.last - cite.line;
        places.extend(place(root, files, &cite.label, &path, line).map(|place| CitedPlace { more, ..place }));
    }
    places
}

/// `path:10-12` as path and first line.
fn split(text: &str) -> Option<(&str, u32)> {
    let (path, lines) = text.rsplit_once(':')?;
    Some((path, lines.split('-').next()?.parse().ok()?))
}

fn place(root: &Path, files: &Files, label: &str, path: &str, line: u32) -> Option<CitedPlace> {
    let text = Text::read(root, path)?;
    let at = line.checked_sub(1)? as usize;
    text.hashes.get(at)?;
    let content = files.get(path)?.content.clone();
    let prints = files.prints(path);
    let symbol = prints.as_deref().and_then(|prints| text.innermost(prints, at)).map(symbol_mark);
    let (label, path) = (label.to_owned(), path.to_owned());
    Some(CitedPlace { label, path, line, more: 0, content, texts: text.round(at), symbol })
}

/// The cited lines of a stamp that are not where the text says.
pub(super) fn follow(
    root: &Path,
    files: &Files,
    follower: &mut Follower<'_>,
    stamp: &Stamp,
) -> Vec<CitedNow> {
    let now = |it: &CitedPlace| now(root, files, follower, stamp, it);
    stamp.cited.iter().map(now).collect::<Vec<_>>().into_iter().flatten().collect()
}

fn now(
    root: &Path,
    files: &Files,
    follower: &mut Follower<'_>,
    stamp: &Stamp,
    it: &CitedPlace,
) -> Option<CitedNow> {
    let mut path = it.path.clone();
    let is_there = files.get(&path);
    let found = if is_there.as_ref().is_some_and(|seen| seen.content == it.content) {
        Some(Found::At(it.line as usize - 1))
    } else {
        if is_there.is_none() {
            path = follower.renamed(stamp.commit.as_deref(), &path).unwrap_or(path);
        }
        in_file(root, files, &path, it, it.symbol.as_ref()).or_else(|| {
            let (elsewhere, symbol) = moved(follower, stamp, it)?;
            let found = in_file(root, files, &elsewhere, it, Some(&symbol))?;
            path = elsewhere;
            Some(found)
        })
    };
    let label = |line: usize| {
        let range = if it.more > 0 { format!("-{}", line + 1 + it.more as usize) } else { String::new() };
        format!("{path}:{}{range}", line + 1)
    };
    let cited = it.label.clone();
    match found {
        Some(Found::At(line)) if label(line) == cited => None,
        Some(Found::At(line)) => Some(CitedNow { cited, now: Some(label(line)), is_changed: false }),
        Some(Found::Changed(line)) => Some(CitedNow { cited, now: Some(label(line)), is_changed: true }),
        None => Some(CitedNow { cited, now: None, is_changed: false }),
    }
}

/// Where the symbol of a cited line went.
fn moved(follower: &mut Follower<'_>, stamp: &Stamp, it: &CitedPlace) -> Option<(String, SymbolMark)> {
    let symbol = it.symbol.as_ref()?;
    let Fate::At(places) = follower.find(stamp.commit.as_deref(), &it.path, symbol) else { return None };
    let address = places.into_iter().next()?.address;
    let kind = address.kind.as_str().to_owned();
    Some((address.path, SymbolMark { local: address.local, kind, ..symbol.clone() }))
}

/// Where a line is.
enum Found {
    At(usize),
    /// It is another one now, between the same neighbours or in the same symbol.
    Changed(usize),
}

fn in_file(
    root: &Path,
    files: &Files,
    path: &str,
    it: &CitedPlace,
    symbol: Option<&SymbolMark>,
) -> Option<Found> {
    let text = Text::read(root, path)?;
    let prints = files.prints(path);
    let span = prints.as_deref().zip(symbol).and_then(|(prints, symbol)| {
        let is_it = |print: &&Print| print.local == symbol.local && print.kind.as_str() == symbol.kind;
        prints.symbols.iter().find(is_it).map(|print| text.lines_of(print))
    });
    let whole = 0..text.hashes.len();
    if let Some(found) = span.clone().and_then(|span| text.find(it, span)).or_else(|| text.find(it, whole)) {
        return Some(found);
    }
    // The line is gone and its neighbours are, too: the symbol is the nearest that is left of it.
    span.map(|span| Found::Changed(span.start))
}

/// A file by its lines.
struct Text {
    hashes: Vec<u64>,
    /// Where each line begins.
    starts: Vec<u32>,
}

impl Text {
    fn read(root: &Path, path: &str) -> Option<Text> {
        let file = root.join(path);
        if fs::symlink_metadata(&file).ok()?.is_symlink() {
            return None;
        }
        let bytes = fs::read(file).ok()?;
        let (mut hashes, mut starts, mut at) = (Vec::new(), Vec::new(), 0);
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            hashes.push(hash(line.trim_ascii()));
            starts.push(at);
            at += line.len() as u32;
        }
        Some(Text { hashes, starts })
    }

    /// The line and its neighbours; 0 where there is none.
    fn round(&self, at: usize) -> [u64; 3] {
        let of = |at: Option<usize>| at.and_then(|at| self.hashes.get(at)).copied().unwrap_or_default();
        [of(Some(at)), of(at.checked_sub(1)), of(Some(at + 1))]
    }

    fn lines_of(&self, print: &Print) -> Range<usize> {
        let line = |byte: u32| self.starts.partition_point(|start| *start <= byte).saturating_sub(1);
        line(print.span.start)..line(print.span.end.saturating_sub(1)) + 1
    }

    fn innermost<'p>(&self, prints: &'p Prints, at: usize) -> Option<&'p Print> {
        let round = prints.symbols.iter().filter(|print| self.lines_of(print).contains(&at));
        round.min_by_key(|print| print.span.end - print.span.start)
    }

    /// The line of a range that is the cited one: the only one of its text, or the only one with most of its neighbours.
    fn find(&self, it: &CitedPlace, range: Range<usize>) -> Option<Found> {
        let [text, before, after] = it.texts;
        let like = |at: usize| {
            let [_, previous, next] = self.round(at);
            usize::from(previous == before) + usize::from(next == after)
        };
        let same: Vec<usize> = range.clone().filter(|at| self.hashes[*at] == text).collect();
        let most = same.iter().map(|at| like(*at)).max();
        let mut best = same.iter().filter(|at| Some(like(**at)) == most);
        match (best.next(), best.next()) {
            (Some(only), None) => return Some(Found::At(*only)),
            (Some(_), Some(_)) => return None,
            _ => {}
        }
        // Nothing has its text: what stands between its neighbours took its place.
        let mut between = range.filter(|at| like(*at) == 2);
        let first = between.next().filter(|_| between.next().is_none());
        first.map(Found::Changed)
    }
}

/// FNV-1a.
fn hash(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}
