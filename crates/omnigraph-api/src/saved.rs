//! Queries that are known by name: those of the `.gq` files that `query.publish` of the configuration names.

use crate::calls::change::ChangeRequest;
use crate::calls::query::{QueryRunRequest, SavedOutput, SavedParamOutput};
use crate::calls::read::ReadRequest;
use crate::config::Config;
use crate::fault::Fault;
use omnigraph::Action;
use omnigraph::compiler::query::ast::Body;
use omnigraph::compiler::{QueryFile, Source, Type, did_you_mean};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Directories below a root that are looked into.
const DEPTH: usize = 8;

/// All of them, by name.
#[derive(Clone, Debug, Default)]
pub struct Saved {
    queries: BTreeMap<String, SavedQuery>,
    /// What was left out, and why.
    pub problems: Vec<String>,
}

/// A query that is known by name.
#[derive(Clone, Debug)]
pub struct SavedQuery {
    /// Its name.
    pub name: String,
    /// Whether it changes the graph.
    pub is_change: bool,
    /// What it is for.
    pub description: Option<String>,
    /// How to use it.
    pub instruction: Option<String>,
    /// The parameters, as they are written.
    pub params: Vec<SavedParam>,
    /// The text of its file.
    source: Arc<str>,
    /// Its file.
    path: PathBuf,
}

/// A parameter of a saved query.
#[derive(Clone, Debug)]
pub struct SavedParam {
    /// Without the dollar.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// Whether it may be left out.
    pub is_optional: bool,
}

impl From<&SavedQuery> for SavedOutput {
    fn from(query: &SavedQuery) -> SavedOutput {
        let param = |param: &SavedParam| SavedParamOutput {
            name: param.name.clone(),
            type_name: param.ty.to_string(),
            required: !param.is_optional,
        };
        SavedOutput {
            name: query.name.clone(),
            kind: if query.is_change { "change" } else { "read" }.to_owned(),
            description: query.description.clone(),
            instruction: query.instruction.clone(),
            params: query.params.iter().map(param).collect(),
        }
    }
}

impl Saved {
    /// Those that a configuration leads to. A file that does not parse, and a second query of a name, are left out and
    /// reported in [`Saved::problems`].
    pub fn load(config: &Config) -> Saved {
        let mut saved = Saved::default();
        let mut files = Vec::new();
        for place in config.published() {
            if place.is_file() {
                files.push(place);
            } else if place.is_dir() {
                files_below(&place, DEPTH, &mut files);
            } else {
                saved.problems.push(format!("{}: `query.publish` names nothing there", place.display()));
            }
        }
        files.sort();
        files.dedup();
        for path in files {
            saved.add(path);
        }
        saved
    }

    fn add(&mut self, path: PathBuf) {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => return self.problems.push(format!("{}: {error}", path.display())),
        };
        let source = Source::new(path.display().to_string(), text.as_str());
        let file = match QueryFile::parse(&source) {
            Ok(file) => file,
            Err(found) => {
                return self.problems.push(format!("{}: {found}", path.display()));
            }
        };
        let text: Arc<str> = text.into();
        for query in file.queries {
            let name = query.name.text;
            if let Some(known) = self.queries.get(&name) {
                let (first, second) = (known.path.display(), path.display());
                self.problems.push(format!("{second}: query `{name}` is in {first} already"));
                continue;
            }
            let params = query.params.into_iter().map(|param| SavedParam {
                name: param.name.text,
                is_optional: param.default.is_some() || param.ty.nullable,
                ty: param.ty,
            });
            let saved = SavedQuery {
                name: name.clone(),
                is_change: matches!(query.body, Body::Mutation(_)),
                description: query.description,
                instruction: query.instruction,
                params: params.collect(),
                source: text.clone(),
                path: path.clone(),
            };
            self.queries.insert(name, saved);
        }
    }

    /// The one with a name.
    pub fn get(&self, name: &str) -> Result<&SavedQuery, Fault> {
        self.queries.get(name).ok_or_else(|| {
            let fault = Fault::new("not_found", format!("no saved query `{name}`"));
            match did_you_mean(name, self.queries.keys().map(String::as_str)) {
                Some(hint) => fault.hint(hint),
                None => fault.hint("GET /queries names those that there are"),
            }
        })
    }

    /// The one that somebody wants to run. Whoever may neither see the list nor run anything there is not told whether it
    /// is there.
    pub fn known_to(
        &self,
        call: &QueryRunRequest,
        may: impl Fn(Action, Option<&str>) -> Result<(), Fault>,
    ) -> Result<&SavedQuery, Fault> {
        let branch = call.branch.as_deref().unwrap_or("main");
        let invoked = may(Action::InvokeQuery, Some(branch));
        let runs = [Action::Read, Action::Change].into_iter().any(|action| may(action, Some(branch)).is_ok());
        let lists = may(Action::QueryList, None).is_ok();
        let found = self.get(&call.query_name);
        match invoked {
            // A commit belongs to a branch that is found out when it is read.
            Err(_) if found.is_ok() && call.snapshot.is_some() => found,
            Err(denied) if !runs && !lists => Err(denied),
            _ if lists => found,
            _ => found.map_err(|fault| Fault { hint: None, ..fault }),
        }
    }

    /// The queries, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = &SavedQuery> {
        self.queries.values()
    }

    /// The number of queries.
    pub fn len(&self) -> usize {
        self.queries.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.queries.is_empty()
    }
}

impl SavedQuery {
    /// The call that reads.
    pub fn read(&self, call: QueryRunRequest) -> Result<ReadRequest, Fault> {
        if call.if_commit.is_some() {
            return Err(Fault::new("bad_request", format!("query `{}` only reads", self.name))
                .hint("`if_commit` is for queries that change the graph"));
        }
        Ok(ReadRequest {
            query_source: self.source.to_string(),
            query_name: Some(self.name.clone()),
            params: call.params,
            branch: call.branch,
            snapshot: call.snapshot,
            at: call.at,
            source_name: Some(self.file_name()),
        })
    }

    /// The call that changes.
    pub fn change(&self, call: QueryRunRequest) -> Result<ChangeRequest, Fault> {
        if call.snapshot.is_some() || call.at.is_some() {
            return Err(Fault::new("bad_request", format!("query `{}` changes the graph", self.name))
                .hint("only the newest commit of a branch can be changed: give `branch`"));
        }
        Ok(ChangeRequest {
            query_source: self.source.to_string(),
            query_name: Some(self.name.clone()),
            params: call.params,
            branch: call.branch,
            if_commit: call.if_commit,
            source_name: Some(self.file_name()),
        })
    }

    /// Callers are not shown where the file is on the server.
    fn file_name(&self) -> String {
        let name = self.path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    }
}

/// The `.gq` files of a directory. Hidden directories are left out.
fn files_below(dir: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        let Ok(kind) = entry.file_type() else { continue };
        if kind.is_dir() && depth > 0 && !is_hidden {
            files_below(&path, depth - 1, files);
        } else if path.extension().is_some_and(|extension| extension == "gq") && path.is_file() {
            files.push(path);
        }
    }
}
