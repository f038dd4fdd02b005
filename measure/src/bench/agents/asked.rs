//! One call each: what the graph answers, as an agent gets it.

use super::drawn::{Kind, Question, TEST_DEPTH};
use super::known::Place;
use crate::bench::said::{Said, said, said_in_groups};
use crate::mcp::Client;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use xtask::failure::{Context, Failure};

/// Tokens that an answer which is not weighed may have: no list in it is cut.
const WHOLE: usize = 10_000_000;

/// What one answer says.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) characters: usize,
    /// Uses that are facts; of an impact, the functions that are touched, with their names.
    pub(super) rows: BTreeSet<Place>,
    pub(super) touched: BTreeSet<Said>,
    /// Of those, what is not only reached through what may run.
    pub(super) claimed: BTreeSet<Said>,
    /// What is touched when uses that match by name only are followed.
    pub(super) followed: BTreeSet<Said>,
    /// Uses that may be.
    pub(super) uncertain: BTreeSet<Place>,
    /// Uses that may run what was asked about.
    pub(super) dispatched: BTreeSet<Place>,
    /// How many uses may be, listed or not.
    pub(super) open: usize,
    pub(super) is_complete: bool,
    /// Not everything is shown, and the answer says so.
    pub(super) is_cut: bool,
    /// What the answer is about, when it is one symbol.
    pub(super) target: String,
    /// In words, when there is no answer.
    pub(super) error: Option<String>,
}

/// Asks once; what breaks is looked for as far as it can be judged.
pub(super) fn ask(client: &mut Client, question: &Question, break_depth: usize) -> Result<Answer, Failure> {
    let selector = format!("{}:{}", question.file, question.line);
    match question.kind {
        Kind::Callers | Kind::NoCallers | Kind::OneOfMany => refs(client, &json!({"selector": selector})),
        Kind::Breaks => impact(client, &selector, break_depth, &["touched", "tests"]),
        Kind::Tests => impact(client, &selector, TEST_DEPTH, &["tests"]),
    }
}

/// Adds what matches by name only to an answer that did but count it.
pub(super) fn ask_again(
    client: &mut Client,
    question: &Question,
    break_depth: usize,
    answer: &mut Answer,
) -> Result<(), Failure> {
    let selector = format!("{}:{}", question.file, question.line);
    let depth = if question.kind == Kind::Tests { TEST_DEPTH } else { break_depth };
    if matches!(question.kind, Kind::Breaks | Kind::Tests) {
        let followed = json!({"selector": selector, "depth": depth, "confidence": "fuzzy"});
        let followed = client.call("graph_impact", &followed)?;
        let followed: Value = serde_json::from_str(&followed.text).context("graph_impact")?;
        answer.followed = touched(&followed, &["touched", "tests"]);
        return Ok(());
    }
    let mut fuller = refs(client, &json!({"selector": selector, "confidence": "fuzzy"}))?;
    answer.uncertain.append(&mut fuller.uncertain);
    // One of several overloads that may be meant stands among what may be dispatched.
    answer.uncertain.append(&mut fuller.dispatched);
    Ok(())
}

/// The account of a name with every class in it: not what an agent is shown, so it is not weighed.
pub(super) fn account(client: &mut Client, selector: &str) -> Result<Value, Failure> {
    let answer = client.call(
        "graph_refs",
        &json!({"selector": selector, "detail": true, "limit": 1, "max_tokens": WHOLE}),
    )?;
    let mut parsed: Value = serde_json::from_str(&answer.text).context("graph_refs")?;
    Ok(parsed["account"].take())
}

fn refs(client: &mut Client, question: &Value) -> Result<Answer, Failure> {
    let said = client.call("graph_refs", question)?;
    let parsed: Value = serde_json::from_str(&said.text).context("graph_refs")?;
    let account = &parsed["account"];
    let mut answer = Answer {
        characters: said.text.chars().count(),
        rows: places(&parsed["refs"]),
        uncertain: places(&parsed["uncertain"]),
        dispatched: places(&json!({"": parsed["dispatch"]})),
        open: account["uncertain"].as_u64().unwrap_or(0) as usize,
        is_complete: account["complete"] == json!(true),
        is_cut: is_cut(&parsed),
        target: parsed["target"].as_str().unwrap_or("").to_owned(),
        ..Answer::default()
    };
    answer.open = answer.open.max(parsed["skipped_low_confidence"].as_u64().unwrap_or(0) as usize);
    answer.error = said.is_error.then(|| parsed["error"]["message"].to_string());
    Ok(answer)
}

/// What a compiler says is one definition for each use. What may run behind it is right to name and cannot be judged, so
/// the same is asked without it, unweighed, to know what is claimed as a fact.
fn impact(client: &mut Client, selector: &str, depth: usize, lists: &[&str]) -> Result<Answer, Failure> {
    let said = client.call("graph_impact", &json!({"selector": selector, "depth": depth}))?;
    let parsed: Value = serde_json::from_str(&said.text).context("graph_impact")?;
    let sure = json!({"selector": selector, "depth": depth, "confidence": "same_module", "max_tokens": WHOLE, "limit": WHOLE});
    let sure: Value =
        serde_json::from_str(&client.call("graph_impact", &sure)?.text).context("graph_impact")?;
    Ok(Answer {
        characters: said.text.chars().count(),
        touched: touched(&parsed, lists),
        claimed: touched(&sure, lists),
        open: parsed["account"]["uncertain"].as_u64().unwrap_or(0) as usize,
        is_complete: parsed["account"]["complete"] == json!(true),
        is_cut: is_cut(&parsed),
        target: parsed["start"].as_str().unwrap_or("").to_owned(),
        error: said.is_error.then(|| parsed["error"]["message"].to_string()),
        ..Answer::default()
    })
}

/// Every symbol in these lists.
fn touched(answer: &Value, lists: &[&str]) -> BTreeSet<Said> {
    lists.iter().flat_map(|list| said(&answer[list])).collect()
}

fn is_cut(answer: &Value) -> bool {
    ["truncated", "cut", "more_tests"].iter().any(|mark| !answer[*mark].is_null())
}

/// Every file and line of a grouped list.
fn places(groups: &Value) -> BTreeSet<Place> {
    let all = said_in_groups(groups).into_iter();
    all.flat_map(|one| one.lines.into_iter().map(move |line| (one.file.clone(), line))).collect()
}
