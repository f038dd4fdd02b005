//! `query_graph context`: what is known about paths, a diff, symbols, or a task.
//!
//! ```text
//! request ─places─▶ paths, symbols, calls away ─match─▶ Context ─freshness─▶ answer ─maxTokens─▶ digest first
//! ```

use super::fields;
use crate::code::{Freshness, Places, Question};
use crate::error::KnowledgeError;
use crate::graph::context::{self, Asked, Context};
use crate::graph::{context_files, freshness, gaps};
use crate::id::Id;
use crate::model::Kind;
use crate::store::Store;
use crate::wire::envelope::Answer;
use crate::wire::json;
use crate::wire::requests::QueryGraph;
use crate::work::{rows, sections};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The least that an answer may be asked to stay below.
const LEAST_TOKENS: i64 = 200;

impl Store {
    pub(super) fn context(
        &self,
        request: &QueryGraph,
        changelog: Option<i64>,
    ) -> Result<Answer, KnowledgeError> {
        let (project, places, source) = self.places_of(request)?;
        let max = fields::number(request.max_tokens);
        if max.is_some_and(|max| max < LEAST_TOKENS) {
            let text = format!("maxTokens must be at least {LEAST_TOKENS}");
            return Err(KnowledgeError::validation("maxTokens", text));
        }
        let asked =
            Asked { paths: &places.paths, selectors: &places.selectors, near: &places.near, changelog };
        let found = self.read(|session| context::of_places(session, project, &asked))?;
        if !found.unmatched_paths.is_empty() {
            // A count of what was asked in vain is worth less than an answer.
            drop(self.write(|session| gaps::note(session, project, &found.unmatched_paths)));
        }
        let mut data = json::context(&found);
        self.add_freshness(&mut data)?;
        let plain = source == "paths" && max.is_none();
        if !plain {
            data = digested(&found, data, max);
            data["source"] = source.into();
            data["asked"] =
                json!({"paths": places.paths, "selectors": places.selectors, "commits": places.commits});
        }
        let message = format!(
            "{} atoms cover these paths, {} paths are not covered",
            found.atoms().count(),
            found.unmatched_paths.len()
        );
        Ok((message, data))
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

/// The answer with a digest of all atoms first, the best fitting first, and below a number of tokens: what does not
/// fit is only in the digest.
fn digested(found: &Context, mut data: Value, max: Option<i64>) -> Value {
    let freshness = freshness::words(&data);
    let mut ranked: Vec<_> = found.atoms().collect();
    let doubt = |id: Id| freshness.get(&id).map_or(u8::MAX, |word| freshness::doubt(*word));
    ranked.sort_by(|a, b| {
        let order = |it: &context::AtomContext| (it.hit, doubt(it.atom.id), it.atom.name.clone(), it.atom.id);
        order(a).cmp(&order(b))
    });
    let digest: Vec<Value> = ranked
        .iter()
        .map(|it| {
            let word = freshness.get(&it.atom.id).copied().unwrap_or(Freshness::NotChecked);
            json!({"atomId": it.atom.id.to_string(), "name": it.atom.name, "freshness": word.word(),
                "distance": it.hit.distance, "paths": it.matched_paths.len()})
        })
        .collect();
    let Some(max) = max else {
        data["digest"] = digest.into();
        return data;
    };
    let order: Vec<String> = ranked.iter().map(|it| it.atom.id.to_string()).collect();
    cut(data, digest, &order, max as usize)
}

/// About how many tokens a value takes: never fewer than a tokenizer needs.
fn tokens(value: &Value) -> usize {
    value.to_string().len().div_ceil(3)
}

fn cut(data: Value, mut digest: Vec<Value>, order: &[String], max: usize) -> Value {
    let mut answer = json!({"digest": [], "molecules": [], "orphanAtoms": [], "unmatchedPaths": []});
    // Room for what context adds around it: source, asked, message.
    let mut left = max.saturating_sub(tokens(&answer) + 60);
    let digest_total = digest.len();
    while tokens(&digest.clone().into()) > left && !digest.is_empty() {
        digest.truncate(digest.len() / 2);
    }
    left = left.saturating_sub(tokens(&digest.clone().into()));
    let mut unmatched = data["unmatchedPaths"].as_array().cloned().unwrap_or_default();
    let unmatched_total = unmatched.len();
    while tokens(&unmatched.clone().into()) > left / 2 && !unmatched.is_empty() {
        unmatched.truncate(unmatched.len() / 2);
    }
    left = left.saturating_sub(tokens(&unmatched.clone().into()));
    let mut chosen = BTreeSet::new();
    let costs = costs(&data);
    let mut paid = BTreeSet::new();
    for id in order {
        let Some((cost, molecule)) = costs.get(id) else { continue };
        let own = molecule.as_ref().filter(|(id, _)| !paid.contains(id)).map_or(0, |(_, cost)| *cost);
        if cost + own <= left {
            left -= cost + own;
            paid.extend(molecule.as_ref().map(|(id, _)| id.clone()));
            chosen.insert(id.clone());
        }
    }
    let is_chosen = |atom: &Value| atom["id"].as_str().is_some_and(|id| chosen.contains(id));
    let keep = |list: &Value| -> Value {
        list.as_array().into_iter().flatten().filter(|it| is_chosen(it)).cloned().collect()
    };
    let molecules = data["molecules"].as_array().into_iter().flatten().filter_map(|molecule| {
        let mut molecule = molecule.clone();
        molecule["atoms"] = keep(&molecule["atoms"]);
        (molecule["atoms"].as_array().is_some_and(|atoms| !atoms.is_empty())).then_some(molecule)
    });
    answer["molecules"] = molecules.collect();
    answer["orphanAtoms"] = keep(&data["orphanAtoms"]);
    answer["digest"] = digest.into();
    answer["unmatchedPaths"] = unmatched.into();
    let omitted = order.len() - chosen.len();
    if omitted > 0 {
        answer["omitted"] = json!({"atoms": omitted, "digest": digest_total, "unmatchedPaths": unmatched_total,
            "hint": "raise maxTokens, or get atoms of the digest by id"});
    }
    answer
}

/// What each atom costs, and the molecule that comes with it.
fn costs(data: &Value) -> BTreeMap<String, (usize, Option<(String, usize)>)> {
    let id = |it: &Value| it["id"].as_str().unwrap_or_default().to_owned();
    let mut found = BTreeMap::new();
    for molecule in data["molecules"].as_array().into_iter().flatten() {
        let mut bare = molecule.clone();
        bare["atoms"] = json!([]);
        for atom in molecule["atoms"].as_array().into_iter().flatten() {
            found.insert(id(atom), (tokens(atom), Some((id(molecule), tokens(&bare)))));
        }
    }
    for atom in data["orphanAtoms"].as_array().into_iter().flatten() {
        found.insert(id(atom), (tokens(atom), None));
    }
    found
}
