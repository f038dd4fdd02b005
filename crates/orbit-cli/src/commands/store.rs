//! What the commands on tasks and knowledge share: opening the store, calling a tool, finding what was typed.

use crate::args::Place;
use crate::failure::Failure;
use crate::{knowledge, render};
use orbit_knowledge::{Envelope, Handle, Kind, KnowledgeError, Store};
use serde_json::{Map, Value};
use std::io::Read;

/// An open store, and how it answers.
pub(super) struct Desk {
    pub(super) store: Store,
    json: bool,
}

impl Desk {
    pub(super) fn open(place: &Place) -> Result<Desk, Failure> {
        Ok(Desk { store: knowledge::open(&place.dir, place.db.as_deref())?, json: place.json })
    }

    /// Calls a tool and gives its data.
    pub(super) fn call(&self, tool: &str, arguments: Value) -> Result<(String, Value), Failure> {
        let envelope = self.store.call(tool, without_nulls(arguments));
        let envelope = envelope.unwrap_or_else(|| unreachable!("tools are named in this program"));
        answered(envelope)
    }

    /// Prints the data as JSON, or as `people` want it.
    pub(super) fn tell(
        &self,
        data: &Value,
        people: impl FnOnce() -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        if self.json { render::json(data) } else { people() }
    }

    /// Calls a tool whose message says it all.
    pub(super) fn done(&self, tool: &str, arguments: Value) -> Result<(), Failure> {
        let (message, data) = self.call(tool, arguments)?;
        self.tell(&data, || render::line(&message))
    }

    /// The project that is meant: the one named, or the only one.
    pub(super) fn project(&self, named: Option<&str>) -> Result<Handle, Failure> {
        Ok(match named {
            Some(text) => self.store.find_container(Kind::Project, text)?,
            None => self.store.only_project()?,
        })
    }

    /// A project, when one is named.
    pub(super) fn maybe(&self, kind: Kind, named: Option<&str>) -> Result<Option<String>, Failure> {
        let found = named.map(|text| self.store.find_container(kind, text)).transpose()?;
        Ok(found.map(|found| found.id.to_string()))
    }
}

fn answered(envelope: Envelope) -> Result<(String, Value), Failure> {
    let Some(error) = envelope.error else {
        return Ok((envelope.message, envelope.data.unwrap_or_default()));
    };
    let hint = error.details.get("hint").and_then(Value::as_str).map(str::to_owned);
    let version = error.details.get("currentVersion").and_then(Value::as_i64);
    let read = version.map(|version| format!("it is at version {version} now: read it again"));
    Err(Failure {
        code: error.code,
        message: envelope.message,
        hint: hint.or(read),
        candidates: Vec::new(),
        is_broken_pipe: false,
    })
}

/// Parameters that were not given are not sent. An empty text removes a value.
fn without_nulls(arguments: Value) -> Value {
    let Value::Object(map) = arguments else { return arguments };
    Value::Object(map.into_iter().filter(|(_, value)| !value.is_null()).collect::<Map<String, Value>>())
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
