//! What the commands on tasks and knowledge share: opening the store, telling what a tool answered, finding what was
//! typed.

use crate::args::StoreArgs;
use crate::failure::Failure;
use crate::{identity, knowledge, render};
use orbit_knowledge::{Answer, Handle, Kind, KnowledgeError, Store};
use serde::Serialize;
use std::io::Read;
use std::path::PathBuf;

/// An open store, and how it answers.
pub(super) struct Desk {
    pub(super) store: Store,
    json: bool,
    root: PathBuf,
}

impl Desk {
    pub(super) fn open(args: &StoreArgs) -> Result<Desk, Failure> {
        let root = orbit_graph::Location::of(&args.dir)?.root;
        Ok(Desk { store: knowledge::open(&args.dir, args.db.as_deref())?, json: args.json, root })
    }

    /// Who does something: who is named, or else who runs this program.
    pub(super) fn actor(&self, named: Option<&String>) -> Option<String> {
        named.cloned().or_else(|| identity::actor(&self.root))
    }

    /// Prints the data as JSON, or as `people` want it.
    pub(super) fn tell(
        &self,
        data: &impl Serialize,
        people: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if self.json { render::json(data) } else { people() }
    }

    /// Tells what a tool did whose message says it all.
    pub(super) fn done<T: Serialize>(
        &self,
        answer: Result<Answer<T>, KnowledgeError>,
    ) -> Result<(), Failure> {
        let Answer { message, data } = answer.map_err(refused)?;
        self.tell(&data, || render::line(&message))
    }

    /// The project that is meant: the one named, or the only one.
    pub(super) fn project(&self, named: Option<&str>) -> Result<Handle, Failure> {
        Ok(match named {
            Some(text) => self.store.find_container(Kind::Project, text)?,
            None => self.store.only_project()?,
        })
    }

    /// The id of a container, when one is named.
    pub(super) fn maybe(&self, kind: Kind, named: Option<&str>) -> Result<Option<String>, Failure> {
        let found = named.map(|text| self.store.find_container(kind, text)).transpose()?;
        Ok(found.map(|found| found.id.to_string()))
    }
}

/// A tool that refused: clients know its codes.
pub(super) fn refused(error: KnowledgeError) -> Failure {
    Failure { code: error.code().word(), ..Failure::from(error) }
}

/// A text as typed: itself, `@file`, or `-` for standard input.
pub(super) fn text(given: &str) -> Result<String, Failure> {
    let read =
        |path: &str| std::fs::read_to_string(path).map_err(|error| KnowledgeError::File(path.into(), error));
    match given.strip_prefix('@') {
        Some(path) => Ok(read(path)?),
        None if given == "-" => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text)?;
            Ok(text)
        }
        None => Ok(given.to_owned()),
    }
}
