//! Other code graphs, run as their manuals say on a copy of their own with a home of their own.

use crate::args::CodeArgs;
use crate::child::{self, Cost};
use crate::scratch::{Source, bytes_below};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use xtask::failure::{Context, Failure, fail};
use xtask::project::output;

/// A program that indexes the directory it is run in.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    pub(crate) name: &'static str,
    program: PathBuf,
    args: &'static [&'static str],
    pub(crate) version: String,
}

impl Peer {
    /// The command as a user would type it.
    pub(crate) fn usage(&self) -> String {
        let program = self.program.file_name().unwrap_or_default().to_string_lossy();
        format!("{program} {}", self.args.join(" "))
    }
}

/// The peers that were named, and those on the path.
pub(super) fn installed(args: &CodeArgs) -> Result<Vec<Peer>, Failure> {
    let named: [(&'static str, Option<&PathBuf>, &'static [&'static str]); 2] = [
        ("@optave/codegraph", args.optave.as_ref(), &["build", "."]),
        ("@colbymchenry/codegraph", args.colby.as_ref(), &["init", "--yes"]),
    ];
    let mut peers = Vec::new();
    for (name, program, args) in named {
        if let Some(program) = program {
            let program = std::path::absolute(program).context(name)?;
            let version = version(&program).context(name)?;
            peers.push(Peer { name, program, args, version });
        }
    }
    let tokensave = PathBuf::from("tokensave");
    if let Ok(version) = version(&tokensave) {
        let args = &["init", "--no-git-hook"];
        peers.push(Peer { name: "tokensave", program: tokensave, args, version });
    }
    if peers.is_empty() {
        return Err(fail("no peer: name one with --optave or --colby, or put tokensave on the path"));
    }
    Ok(peers)
}

fn version(program: &Path) -> Result<String, Failure> {
    let text = output(Command::new(program).arg("--version"))?;
    Ok(text.split_whitespace().last().unwrap_or("unknown").to_owned())
}

/// A peer's own copy of a repository.
pub(super) struct Arena<'p> {
    pub(super) peer: &'p Peer,
    copy: PathBuf,
    home: PathBuf,
    own: BTreeSet<OsString>,
}

impl<'p> Arena<'p> {
    /// Copies the repository for a peer.
    pub(super) fn new(peer: &'p Peer, source: &Source, scratch: &Path) -> Result<Arena<'p>, Failure> {
        let base = scratch.join(peer.name.replace(['@', '/'], "-"));
        let (copy, home) = (base.join("copy"), base.join("home"));
        fs::create_dir_all(&home)?;
        source.copy(&copy)?;
        let own = entries(&copy)?;
        Ok(Arena { peer, copy, home, own })
    }

    /// Builds the peer's index from nothing: what it cost, and how large it is. What the peer left in the
    /// copy is removed again.
    pub(super) fn cold(&self) -> Result<(Cost, u64), Failure> {
        let mut command = Command::new(&self.peer.program);
        command.args(self.peer.args).current_dir(&self.copy).env("HOME", &self.home);
        for name in ["XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"] {
            command.env_remove(name);
        }
        command.env("CODEGRAPH_TELEMETRY", "0").env("DO_NOT_TRACK", "1").env("NO_COLOR", "1");
        let (cost, _) = child::run(&mut command)?;
        let left: Vec<PathBuf> =
            entries(&self.copy)?.difference(&self.own).map(|name| self.copy.join(name)).collect();
        let bytes = left.iter().map(|path| bytes_below(path)).sum();
        for path in left {
            if path.is_dir() { fs::remove_dir_all(path)? } else { fs::remove_file(path)? }
        }
        Ok((cost, bytes))
    }
}

fn entries(dir: &Path) -> Result<BTreeSet<OsString>, Failure> {
    let names = fs::read_dir(dir)?.map(|entry| entry.map(|entry| entry.file_name()));
    Ok(names.collect::<Result<_, _>>()?)
}
