//! How much of the code is known about, and where knowledge is missed most.

use super::{atoms, gaps};
use crate::code::{Freshness, Survey, SurveyedFile};
use crate::error::KnowledgeError;
use crate::glob::index::GlobIndex;
use crate::id::Id;
use crate::model::{Atom, Kind, Standing};
use crate::store::Store;
use crate::wire::answers::{AtomCounts, AtomName, Coverage, CoveredShare, DeadGlob, MissedArea, Overlap};
use crate::work::rows;
use std::collections::{BTreeMap, BTreeSet};

/// Files, symbols or commits: how many there are, and how many are covered.
#[derive(Clone, Copy, Default)]
struct Share {
    total: u64,
    covered: u64,
    fresh: u64,
}

impl Share {
    fn add(&mut self, count: u64, is_covered: bool, is_fresh: bool) {
        self.total += count;
        self.covered += if is_covered { count } else { 0 };
        self.fresh += if is_fresh { count } else { 0 };
    }

    fn shares(self) -> CoveredShare {
        let share = |part: u64| {
            if self.total == 0 { 0.0 } else { (part as f64 / self.total as f64 * 1000.0).round() / 1000.0 }
        };
        let Share { total, covered, fresh } = self;
        CoveredShare { total, covered, fresh, covered_share: share(covered), fresh_share: share(fresh) }
    }
}

/// An area without knowledge: a directory.
#[derive(Default)]
struct Gap {
    paths: Vec<String>,
    symbols: u64,
    churn: u64,
    fan_in: u64,
    asked: u64,
}

impl Gap {
    /// What changes often, is used by many and was asked for comes first.
    fn score(&self) -> u64 {
        (1 + self.churn) * (1 + self.fan_in) * (1 + self.asked)
    }

    fn listed(mut self, area: String) -> MissedArea {
        let (files, score) = (self.paths.len(), self.score());
        self.paths.truncate(10);
        let Gap { paths, symbols, churn, fan_in, asked } = self;
        MissedArea { area, files, symbols, churn, fan_in, asked, score, paths }
    }
}

impl Store {
    /// The share of files, symbols and commits that atoms cover, the worklist of what none covers, globs that match
    /// nothing, and atoms that cover the same files.
    pub(crate) fn coverage_of(&self, project: Id, limit: usize) -> Result<Coverage, KnowledgeError> {
        let survey = self.surveyed()?;
        let (atoms, asked) = self.read(|session| {
            rows::check_exists(session, Kind::Project, project)?;
            Ok((atoms::of_project(session, project, Standing::Confirmed)?, gaps::of(session, project)?))
        })?;
        let findings = self.findings(&atoms.iter().map(|atom| atom.id).collect::<Vec<_>>())?;
        let is_fresh =
            |atom: &Atom| findings.get(&atom.id).is_some_and(|it| it.freshness == Freshness::Fresh);
        let covering = covering(&atoms, &survey);
        let (mut files, mut symbols, mut churn) = (Share::default(), Share::default(), Share::default());
        let mut open: BTreeMap<String, Gap> = BTreeMap::new();
        for (file, by) in survey.files.iter().zip(&covering) {
            let fresh = by.iter().any(|at| is_fresh(&atoms[*at]));
            files.add(1, !by.is_empty(), fresh);
            symbols.add(file.symbols, !by.is_empty(), fresh);
            churn.add(file.churn, !by.is_empty(), fresh);
            if by.is_empty() {
                add_gap(&mut open, file, asked.get(&file.path).copied().unwrap_or(0) as u64);
            }
        }
        let mut worklist: Vec<(String, Gap)> = open.into_iter().collect();
        worklist.sort_by(|a, b| (b.1.score(), &a.0).cmp(&(a.1.score(), &b.0)));
        let worklist_total = worklist.len();
        let worklist = worklist.into_iter().take(limit).map(|(area, gap)| gap.listed(area)).collect();
        let by_freshness = findings.values().fold(BTreeMap::<&str, u64>::new(), |mut counts, it| {
            *counts.entry(it.freshness.word()).or_default() += 1;
            counts
        });
        Ok(Coverage {
            files: files.shares(),
            symbols: symbols.shares(),
            churn: churn.shares(),
            atoms: AtomCounts { total: atoms.len(), by_freshness },
            worklist,
            worklist_total,
            dead_globs: dead_globs(&atoms, &survey),
            overlaps: overlaps(&atoms, &covering, limit),
        })
    }

    pub(crate) fn surveyed(&self) -> Result<Survey, KnowledgeError> {
        self.code()
            .survey()
            .map_err(|why| KnowledgeError::Operation(format!("the code cannot be surveyed: {why}")))
    }
}

/// For each file the atoms that cover it.
pub(super) fn covering(atoms: &[Atom], survey: &Survey) -> Vec<Vec<usize>> {
    let mut index = GlobIndex::new();
    for (at, atom) in atoms.iter().enumerate() {
        for pattern in &atom.paths {
            index.add(at, pattern);
        }
    }
    let of = |file: &SurveyedFile| index.matches(&file.path).into_iter().map(|(at, _)| at).collect();
    survey.files.iter().map(of).collect()
}

fn add_gap(open: &mut BTreeMap<String, Gap>, file: &SurveyedFile, asked: u64) {
    let area = file.path.rsplit_once('/').map_or(".", |(dir, _)| dir);
    let gap = open.entry(area.to_owned()).or_default();
    gap.paths.push(file.path.clone());
    gap.symbols += file.symbols;
    gap.churn += file.churn;
    gap.fan_in += file.fan_in;
    gap.asked += asked;
}

fn name(atom: &Atom) -> AtomName {
    AtomName { atom_id: atom.id, name: atom.name.clone() }
}

fn dead_globs(atoms: &[Atom], survey: &Survey) -> Vec<DeadGlob> {
    let mut index = GlobIndex::new();
    let mut globs = Vec::new();
    for atom in atoms {
        for pattern in &atom.paths {
            index.add(globs.len(), pattern);
            globs.push((atom, pattern));
        }
    }
    let live: BTreeSet<usize> =
        survey.files.iter().flat_map(|file| index.matches(&file.path)).map(|(at, _)| at).collect();
    let dead = globs.iter().enumerate().filter(|(at, _)| !live.contains(at));
    dead.map(|(_, (atom, glob))| DeadGlob { atom: name(atom), glob: (*glob).clone() }).collect()
}

/// Pairs of atoms that cover the same files, most files first.
fn overlaps(atoms: &[Atom], covering: &[Vec<usize>], limit: usize) -> Vec<Overlap> {
    let mut pairs: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for by in covering.iter().filter(|by| by.len() < 20) {
        for (at, one) in by.iter().enumerate() {
            for other in &by[at + 1..] {
                *pairs.entry((*one, *other)).or_default() += 1;
            }
        }
    }
    let mut pairs: Vec<_> = pairs.into_iter().collect();
    pairs.sort_by_key(|(pair, files)| (std::cmp::Reverse(*files), *pair));
    let pair = |((one, other), files): ((usize, usize), u64)| Overlap {
        atoms: [name(&atoms[one]), name(&atoms[other])],
        files,
    };
    pairs.into_iter().take(limit).map(pair).collect()
}
