//! `query_graph context`: what is known about paths, a diff, symbols, or a task.
//!
//! ```text
//! request ─places─▶ paths, symbols, calls away ─match─▶ Context ─freshness─▶ answer ─maxTokens─▶ digest first
//! ```

use super::fields;
use super::questions::wanted_changelog;
use crate::code::{Freshness, Places, Question};
use crate::error::KnowledgeError;
use crate::graph::context::{self, Asked, AtomContext, Context, MoleculeContext};
use crate::graph::{context_files, freshness, gaps};
use crate::id::Id;
use crate::model::Kind;
use crate::store::Store;
use crate::wire::answers::{Answer, AskedPlaces, ContextAnswer, DigestRow, Omitted, Origin};
use crate::wire::requests::QueryGraph;
use crate::work::{rows, sections};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The least that an answer may be asked to stay below.
const LEAST_TOKENS: i64 = 200;

impl Store {
    /// `query_graph context`.
    pub fn context(&self, request: &QueryGraph) -> Result<Answer<ContextAnswer>, KnowledgeError> {
        let changelog = wanted_changelog(request)?;
        let (project, places, source) = self.places_of(request)?;
        let max = fields::number(request.max_tokens);
        if max.is_some_and(|max| max < LEAST_TOKENS) {
            let text = format!("maxTokens must be at least {LEAST_TOKENS}");
            return Err(KnowledgeError::validation("maxTokens", text));
        }
        let asked =
            Asked { paths: &places.paths, selectors: &places.selectors, near: &places.near, changelog };
        let mut found = self.read(|session| context::of_places(session, project, &asked))?;
        if !found.unmatched_paths.is_empty() {
            // A count of what was asked in vain is worth less than an answer.
            drop(self.write(|session| gaps::note(session, project, &found.unmatched_paths)));
        }
        self.check_context(&mut found)?;
        let message = format!(
            "{} atoms cover these paths, {} paths are not covered",
            found.atoms().count(),
            found.unmatched_paths.len()
        );
        if source == "paths" && max.is_none() {
            return Ok(Answer::new(message, ContextAnswer { known: found, ..ContextAnswer::default() }));
        }
        let Places { paths, selectors, commits, .. } = places;
        let origin = Some(Origin { source, asked: AskedPlaces { paths, selectors, commits } });
        Ok(Answer::new(message, ContextAnswer { origin, ..digested(found, max) }))
    }

    /// Where the question leads, in which project, and what that is known from.
    fn places_of(&self, request: &QueryGraph) -> Result<(Id, Places, &'static str), KnowledgeError> {
        let mut project = fields::maybe_id("projectId", request.project_id.as_ref())?;
        let mut places = Places::default();
        let mut source = "paths";
        places.paths.extend(request.paths.iter().flat_map(|paths| paths.0.clone()));
        let mut questions = Vec::new();
        if let Some(range) = request.diff.as_ref().filter(|range| !range.trim().is_empty()) {
            questions.push(("diff", Question::Diff(range.trim().to_owned())));
        }
        if let Some(selectors) = request.selectors.as_ref().filter(|list| !list.0.is_empty()) {
            questions.push(("selectors", Question::Selectors(selectors.0.clone())));
        }
        if let Some(task) = fields::maybe_id("taskId", request.task_id.as_ref())? {
            let (of, listed) = self.read(|session| {
                let it = rows::get(session, Kind::Task, task)?;
                Ok((it.project_id, context_files::paths_of(&sections::of(session, task)?)))
            })?;
            project = project.or(of);
            match listed {
                Some(paths) => {
                    source = "context_files";
                    places.paths.extend(paths);
                }
                None => questions.push(("commits", Question::Task(task.to_string()))),
            }
        }
        let is_empty = places.paths.is_empty() && questions.is_empty();
        for (word, question) in questions {
            source = word;
            let field = if word == "commits" { "taskId" } else { word };
            let more = self.code().places(&question).map_err(|why| KnowledgeError::validation(field, why))?;
            places.paths.extend(more.paths);
            places.selectors.extend(more.selectors);
            places.near.extend(more.near);
            places.commits.extend(more.commits);
        }
        let project = project.ok_or_else(|| KnowledgeError::missing("projectId", "context"))?;
        if is_empty {
            return Err(KnowledgeError::missing("paths", "context"));
        }
        Ok((project, places, source))
    }
}

/// The answer with a digest of all atoms, the best fitting first; below a number of tokens when there is one: what does
/// not fit is only in the digest.
fn digested(found: Context, max: Option<i64>) -> ContextAnswer {
    let freshness = |it: &AtomContext| it.finding.as_ref().map(|finding| finding.freshness);
    let mut ranked: Vec<_> = found.atoms().collect();
    ranked.sort_by_cached_key(|it| {
        let doubt = freshness(it).map_or(u8::MAX, freshness::doubt);
        (it.hit, doubt, it.atom.name.clone(), it.atom.id)
    });
    let row = |it: &&AtomContext| DigestRow {
        atom_id: it.atom.id,
        name: it.atom.name.clone(),
        freshness: freshness(it).unwrap_or(Freshness::NotChecked),
        distance: it.hit.distance,
        paths: it.matched_paths.len(),
    };
    let digest: Vec<DigestRow> = ranked.iter().map(row).collect();
    match max {
        Some(max) => cut(found, digest, max as usize),
        None => ContextAnswer { known: found, digest: Some(digest), ..ContextAnswer::default() },
    }
}

/// About how many tokens a value takes: never fewer than a tokenizer needs.
fn tokens(value: &(impl Serialize + ?Sized)) -> usize {
    serde_json::to_string(value).unwrap_or_default().len().div_ceil(3)
}

/// Halves a list until it takes no more than so many tokens.
fn halve<T: Serialize>(list: &mut Vec<T>, most: usize) {
    while tokens(list) > most && !list.is_empty() {
        list.truncate(list.len() / 2);
    }
}

fn cut(mut found: Context, mut digest: Vec<DigestRow>, max: usize) -> ContextAnswer {
    let mut answer =
        ContextAnswer { digest: Some(Vec::new()), is_digest_first: true, ..ContextAnswer::default() };
    // Room for what context adds around it: source, asked, message.
    let mut left = max.saturating_sub(tokens(&answer) + 60);
    let order: Vec<Id> = digest.iter().map(|row| row.atom_id).collect();
    halve(&mut digest, left);
    left = left.saturating_sub(tokens(&digest));
    let unmatched_total = found.unmatched_paths.len();
    halve(&mut found.unmatched_paths, left / 2);
    left = left.saturating_sub(tokens(&found.unmatched_paths));
    let mut chosen = BTreeSet::new();
    let costs = costs(&found);
    let mut paid = BTreeSet::new();
    for id in &order {
        let Some((cost, molecule)) = costs.get(id) else { continue };
        let own = molecule.filter(|(id, _)| !paid.contains(id)).map_or(0, |(_, cost)| cost);
        if cost + own <= left {
            left -= cost + own;
            paid.extend(molecule.map(|(id, _)| id));
            chosen.insert(*id);
        }
    }
    for molecule in &mut found.molecules {
        molecule.atoms.retain(|it| chosen.contains(&it.atom.id));
    }
    found.molecules.retain(|molecule| !molecule.atoms.is_empty());
    found.orphan_atoms.retain(|it| chosen.contains(&it.atom.id));
    answer.known = found;
    answer.digest = Some(digest);
    let omitted = order.len() - chosen.len();
    answer.omitted = (omitted > 0).then_some(Omitted {
        atoms: omitted,
        digest: order.len(),
        unmatched_paths: unmatched_total,
        hint: "raise maxTokens, or get atoms of the digest by id",
    });
    answer
}

/// What each atom costs, and the molecule that comes with it.
fn costs(found: &Context) -> BTreeMap<Id, (usize, Option<(Id, usize)>)> {
    let mut costs = BTreeMap::new();
    for molecule in &found.molecules {
        let bare = tokens(&MoleculeContext { atoms: Vec::new(), ..molecule.clone() });
        for it in &molecule.atoms {
            costs.insert(it.atom.id, (tokens(it), Some((molecule.molecule.id, bare))));
        }
    }
    costs.extend(found.orphan_atoms.iter().map(|it| (it.atom.id, (tokens(it), None))));
    costs
}
