//! Drafts of atoms for what nothing covers: files that import each other or change together.

use super::{atoms, coverage};
use crate::code::{Cluster, Survey};
use crate::error::KnowledgeError;
use crate::glob::PATTERNS;
use crate::id::Id;
use crate::model::{Kind, Standing};
use crate::store::Store;
use crate::wire::answers::{Evidence, NewAtom, Suggestion, Suggestions};
use crate::work::rows;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

impl Store {
    /// Drafts, the most telling first, each as the arguments that would make it a proposed atom. What confirmed or
    /// proposed atoms cover is left out.
    pub(crate) fn suggestions_for(&self, project: Id, limit: usize) -> Result<Suggestions, KnowledgeError> {
        let survey = self.surveyed()?;
        let atoms = self.read(|session| {
            rows::check_exists(session, Kind::Project, project)?;
            let mut atoms = atoms::of_project(session, project, Standing::Confirmed)?;
            atoms.extend(atoms::of_project(session, project, Standing::Proposed)?);
            Ok(atoms)
        })?;
        let covering = coverage::covering(&atoms, &survey);
        let open = survey.files.iter().zip(&covering).filter(|(_, by)| by.is_empty());
        let open: BTreeSet<&str> = open.map(|(file, _)| file.path.as_str()).collect();
        let mut drafts: Vec<(u64, Suggestion)> = Vec::new();
        for cluster in &survey.clusters {
            let paths: Vec<&String> =
                cluster.paths.iter().filter(|path| open.contains(path.as_str())).collect();
            if paths.len() < 2 {
                continue;
            }
            let weight = weight(&survey, &paths) * (1 + cluster.commits + cluster.imports);
            drafts.push((weight, draft(project, &survey, cluster, &paths)));
        }
        drafts.sort_by(|a, b| (b.0, &a.1.name).cmp(&(a.0, &b.1.name)));
        let total = drafts.len();
        let suggestions: Vec<Suggestion> = drafts.into_iter().take(limit).map(|(_, draft)| draft).collect();
        Ok(Suggestions { count: suggestions.len(), total, suggestions })
    }
}

fn weight(survey: &Survey, paths: &[&String]) -> u64 {
    let wanted: BTreeSet<&str> = paths.iter().map(|path| path.as_str()).collect();
    let files = survey.files.iter().filter(|file| wanted.contains(file.path.as_str()));
    files.map(|file| 1 + file.churn + file.fan_in).sum()
}

fn draft(project: Id, survey: &Survey, cluster: &Cluster, paths: &[&String]) -> Suggestion {
    let name = area(paths);
    let mut knowledge =
        format!("Draft from the code; say here what holds for {} files that belong together:", paths.len());
    for path in paths.iter().take(PATTERNS) {
        let _ = write!(knowledge, "\n- {path}");
    }
    let _ = write!(
        knowledge,
        "\n\nThey have {} imports among each other; {} commits changed several of them.",
        cluster.imports, cluster.commits
    );
    Suggestion {
        because: Evidence { imports: cluster.imports, commits: cluster.commits, files: paths.len() },
        arguments: NewAtom::proposed(project, name.clone(), globs(survey, paths), knowledge),
        name,
    }
}

/// The directory that all paths share, else that of most.
fn area(paths: &[&String]) -> String {
    let mut dirs: BTreeMap<&str, usize> = BTreeMap::new();
    for path in paths {
        *dirs.entry(path.rsplit_once('/').map_or(".", |(dir, _)| dir)).or_default() += 1;
    }
    let most = dirs.iter().max_by_key(|(dir, count)| (**count, std::cmp::Reverse(**dir)));
    let dir = most.map_or(".", |(dir, _)| dir);
    if dirs.len() == 1 { dir.to_owned() } else { format!("{dir} and {} more", dirs.len() - 1) }
}

/// `dir/*` where the paths are all files of a directory, else the paths.
fn globs(survey: &Survey, paths: &[&String]) -> Vec<String> {
    let dir = |path: &str| path.rsplit_once('/').map_or(String::new(), |(dir, _)| dir.to_owned());
    let mut by_dir: BTreeMap<String, Vec<&String>> = BTreeMap::new();
    for path in paths {
        by_dir.entry(dir(path)).or_default().push(path);
    }
    let mut globs = Vec::new();
    for (name, own) in &by_dir {
        let all = survey.files.iter().filter(|file| dir(&file.path) == *name).count();
        if own.len() == all && all > 2 && !name.is_empty() {
            globs.push(format!("{name}/*"));
        } else {
            globs.extend(own.iter().map(|path| (*path).clone()));
        }
    }
    globs.truncate(PATTERNS);
    globs
}
