//! One repository, measured.

use super::Setup;
use super::edits::{Edited, edits};
use super::floor::ParseFloor;
use super::peers::Arena;
use crate::args::Floor;
use crate::child::{self, Cost};
use crate::scratch::{self, Source, bytes_below};
use clap::ValueEnum;
use orbit_graph::SyncReport;
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::failure::{Context, Failure, fail};
use xtask::render;

/// Short runs are repeated this often in each round.
const SHORT_RUNS: usize = 5;

/// Every figure of one repository.
pub(crate) struct Measured {
    pub(crate) title: String,
    pub(crate) floor: ParseFloor,
    /// Files in the index and files left out.
    pub(crate) indexed: usize,
    pub(crate) skipped: usize,
    pub(crate) parse: Row,
    pub(crate) cold: Row,
    /// ctags and the peers.
    pub(crate) others: Vec<Row>,
    pub(crate) walk: Vec<Cost>,
    pub(crate) unchanged: Vec<Cost>,
    pub(crate) by_call: Vec<Edited>,
    pub(crate) warm: Vec<Edited>,
}

/// What one program cost.
#[derive(Default)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) costs: Vec<Cost>,
    pub(crate) index_bytes: Option<u64>,
    pub(crate) failed: Option<String>,
}

impl Row {
    fn named(name: &str) -> Row {
        Row { name: name.to_owned(), ..Row::default() }
    }

    fn take(&mut self, outcome: Result<(Cost, u64), Failure>) {
        match outcome {
            Ok((cost, bytes)) => {
                self.costs.push(cost);
                self.index_bytes = Some(bytes);
            }
            Err(failure) => self.failed = Some(failure.to_string()),
        }
    }
}

/// Copies a repository and measures everything on the copies.
pub(super) fn measure(setup: &Setup, source: &Source) -> Result<Measured, Failure> {
    let scratch = scratch::dir()?;
    let rig = Rig { setup, copy: scratch.path().join("orbit"), scratch: scratch.path() };
    source.copy(&rig.copy)?;
    let arenas = setup.peers.iter().map(|peer| Arena::new(peer, source, scratch.path()));
    let arenas: Vec<Arena<'_>> = arenas.collect::<Result<_, _>>()?;
    let (_, floor) = rig.parse()?; // also brings all files into memory
    let (_, report) = rig.sync()?;
    let mut measured = Measured {
        title: source.title(),
        floor,
        indexed: report.files_indexed,
        skipped: report.skipped.len() + report.failed.len(),
        parse: Row::named("parse floor"),
        cold: Row::named("**orbit graph sync**"),
        others: std::iter::once("ctags -R")
            .chain(setup.peers.iter().map(|peer| peer.name))
            .map(Row::named)
            .collect(),
        walk: Vec::new(),
        unchanged: Vec::new(),
        by_call: Vec::new(),
        warm: Vec::new(),
    };
    for round in 1..=setup.runs {
        render::note(format!("  round {round} of {}", setup.runs));
        rig.round(&arenas, &mut measured)?;
    }
    if !setup.ctags {
        measured.others.remove(0);
    }
    render::note("  one file at a time");
    measured.by_call = rig.edit_by_call()?;
    measured.warm = rig.edit_warm()?;
    Ok(measured)
}

/// A copy of the repository, and the programs to run on it.
struct Rig<'s> {
    setup: &'s Setup,
    copy: PathBuf,
    scratch: &'s Path,
}

impl Rig<'_> {
    /// Everything once, in turn.
    fn round(&self, arenas: &[Arena<'_>], measured: &mut Measured) -> Result<(), Failure> {
        measured.parse.costs.push(self.parse()?.0);
        std::fs::remove_dir_all(self.copy.join(".orbit"))?;
        let (cost, report) = self.sync()?;
        measured.cold.costs.push(cost);
        measured.cold.index_bytes = Some(database_bytes(&report));
        for _ in 0..SHORT_RUNS {
            measured.walk.push(child::run(&mut self.floor(Floor::Walk)?)?.0);
            let (cost, report) = self.sync()?;
            if report.files_changed + report.files_removed > 0 {
                return Err(fail("files changed although nobody changed any"));
            }
            measured.unchanged.push(cost);
        }
        if self.setup.ctags {
            measured.others[0].take(self.ctags());
        }
        for (arena, row) in arenas.iter().zip(&mut measured.others[1..]) {
            row.take(arena.cold());
        }
        Ok(())
    }

    fn parse(&self) -> Result<(Cost, ParseFloor), Failure> {
        let (cost, text) = child::run(&mut self.floor(Floor::Parse)?)?;
        let floor: ParseFloor = serde_json::from_str(&text).context("parse floor")?;
        Ok((Cost { wall: floor.wall, cpu: floor.cpu, ..cost }, floor))
    }

    fn floor(&self, kind: Floor) -> Result<Command, Failure> {
        let kind = kind.to_possible_value().ok_or_else(|| fail("a floor without a name"))?;
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["floor", kind.get_name()]).arg(&self.copy);
        command.args(["--threads", &self.setup.threads.to_string()]);
        Ok(command)
    }

    fn sync(&self) -> Result<(Cost, SyncReport), Failure> {
        let mut command = Command::new(&self.setup.orbit);
        let (cost, text) = child::run(command.args(["graph", "sync", "--json", "-C"]).arg(&self.copy))?;
        Ok((cost, serde_json::from_str(&text).context("orbit graph sync --json")?))
    }

    fn ctags(&self) -> Result<(Cost, u64), Failure> {
        let tags = self.scratch.join("tags");
        let mut command = Command::new("ctags");
        let (cost, _) = child::run(command.args(["-R", "-f"]).arg(&tags).arg(".").current_dir(&self.copy))?;
        Ok((cost, bytes_below(&tags)))
    }

    fn edit_by_call(&self) -> Result<Vec<Edited>, Failure> {
        let mut edited = Vec::new();
        for edit in edits(&self.copy, self.setup.edits, self.setup.threads)? {
            edit.make()?;
            let (cost, report) = self.sync()?;
            if report.files_changed != 1 {
                return Err(fail(format!("{} files changed instead of one", report.files_changed)));
            }
            edited.push(Edited { wall: cost.wall, reresolved: report.files_reresolved });
            edit.revert()?;
            self.sync()?;
        }
        Ok(edited)
    }

    fn edit_warm(&self) -> Result<Vec<Edited>, Failure> {
        let mut command = self.floor(Floor::Warm)?;
        let (_, text) = child::run(command.args(["--edits", &self.setup.edits.to_string()]))?;
        serde_json::from_str(&text).context("warm syncs")
    }
}

/// The database with what SQLite keeps beside it.
fn database_bytes(report: &SyncReport) -> u64 {
    ["", "-wal", "-shm"]
        .iter()
        .map(|suffix| bytes_below(Path::new(&format!("{}{suffix}", report.database_path))))
        .sum()
}
