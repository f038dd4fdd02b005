//! `cargo xtask refactor-judge`: random symbols of a real project are renamed or moved, its compiler or tests judge the
//! result, and everything is taken back.
//!
//! A refactoring is *applied* when the project's own check still passes, *refused* when orbit says why it will not, and
//! *broke* when the check fails. A check that fails at a place which orbit left for a person to look at is counted apart:
//! it failed, and it was named. Nothing may break; every rename is renamed back, which must restore every byte; and after
//! each symbol the worktree must be what it was.

mod drawn;
mod languages;

use crate::args::{JudgeArgs, Judged};
use crate::programs;
use crate::scratch::Source;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};
use xtask::failure::{Failure, fail};
use xtask::project::git;
use xtask::render;

/// What became of the symbols.
#[derive(Default)]
struct Tally {
    applied: usize,
    /// Of those applied: with places that a person should look at.
    with_review: usize,
    /// Of those applied: renamed back, with every file as it was.
    back: usize,
    refused: BTreeMap<String, usize>,
    broke: Vec<String>,
    /// Failed at a place that was named for review.
    named: Vec<String>,
}

struct Candidate {
    selector: String,
    name: String,
    path: String,
}

pub(crate) fn run(args: &JudgeArgs) -> Result<ExitCode, Failure> {
    let source = Source::at(&args.repo)?;
    if !args.work.exists() {
        source.clone_to(&args.work, &[])?;
    }
    let work = args.work.canonicalize()?;
    let orbit = match &args.orbit {
        Some(program) => program.canonicalize()?,
        None => programs::orbit()?,
    };
    let judge = Judge { orbit, work, args };
    if !git(&judge.work, &["status", "--porcelain"])?.is_empty() {
        return Err(fail(format!("{} has changes", judge.work.display())));
    }
    if let Some(setup) = &args.setup {
        judge.shell(setup)?;
    }
    let before = judge.check()?;
    if !before.status.success() {
        return Err(fail(format!("the check fails before anything is changed: {}", tail(&before))));
    }
    let mut tally = Tally::default();
    for candidate in judge.candidates()? {
        judge.one(&candidate, &mut tally)?;
    }
    let line = summary(&source.title(), args, &tally);
    render::line(&line);
    for broke in &tally.broke {
        render::line(format!("broke: {broke}"));
    }
    for named in &tally.named {
        render::line(format!("failed at a place for review: {named}"));
    }
    Ok(if tally.broke.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A row of `benches/refactor.md`.
fn summary(title: &str, args: &JudgeArgs, tally: &Tally) -> String {
    let refused: usize = tally.refused.values().sum();
    let total = tally.applied + refused + tally.broke.len() + tally.named.len();
    let back = if args.moves { "-".to_owned() } else { format!("{} of {}", tally.back, tally.applied) };
    let outside = tally.refused.get("fixed_name").copied().unwrap_or_default();
    let reasons: Vec<String> = tally.refused.iter().map(|(code, count)| format!("{code} {count}")).collect();
    format!(
        "| {title} | {} | {} | {total} | {} ({:.0} %) | {} | {refused} ({}) | {outside} | {} | {} | {back} |",
        args.lang.as_str(),
        if args.moves { "move" } else { "rename" },
        tally.applied,
        100.0 * tally.applied as f64 / total.max(1) as f64,
        tally.with_review,
        reasons.join(", "),
        tally.broke.len(),
        tally.named.len(),
    )
}

struct Judge<'a> {
    orbit: PathBuf,
    work: PathBuf,
    args: &'a JudgeArgs,
}

impl Judge<'_> {
    fn shell(&self, command: &str) -> Result<Output, Failure> {
        Ok(Command::new("sh").args(["-c", command]).current_dir(&self.work).output()?)
    }

    fn check(&self) -> Result<Output, Failure> {
        self.shell(self.args.check.as_deref().unwrap_or(self.args.lang.check()))
    }

    fn orbit(&self, args: &[&str]) -> Result<Output, Failure> {
        Ok(Command::new(&self.orbit).args(args).current_dir(&self.work).output()?)
    }

    /// One symbol: changed, judged, taken back.
    fn one(&self, candidate: &Candidate, tally: &mut Tally) -> Result<(), Failure> {
        let Candidate { selector, name, path } = candidate;
        let output = if self.args.moves {
            self.orbit(&["refactor", "move", selector, path, "--json"])?
        } else {
            self.orbit(&["refactor", "rename", selector, &fresh(name), "--json"])?
        };
        if output.status.success() {
            let answer: Value = serde_json::from_slice(&output.stdout)?;
            self.judge(candidate, &answer, tally)?;
        } else {
            let error: Value = serde_json::from_slice(&output.stderr).unwrap_or_default();
            let code = error["error"]["code"].as_str().unwrap_or("crashed").to_owned();
            let message = error["error"]["message"].as_str().unwrap_or_default();
            let place = error["error"]["candidates"][0].as_str().unwrap_or_default();
            render::note(format!("refused {selector}: {code}: {message} {place}"));
            *tally.refused.entry(code).or_default() += 1;
        }
        let left = git(&self.work, &["status", "--porcelain"])?;
        if left.is_empty() { Ok(()) } else { Err(fail(format!("{selector} left something behind: {left}"))) }
    }

    /// What was changed is checked, and taken back.
    fn judge(&self, candidate: &Candidate, answer: &Value, tally: &mut Tally) -> Result<(), Failure> {
        let Candidate { selector, path, .. } = candidate;
        let judged = self.check()?;
        let mut is_back = false;
        if judged.status.success() {
            render::note(format!("applied {selector}"));
            tally.applied += 1;
            tally.with_review += usize::from(left_for_review(answer).next().is_some());
            is_back = !self.args.moves && self.back(candidate, answer)?;
            tally.back += usize::from(is_back);
        } else {
            let diff = git(&self.work, &["diff", "--stat"])?;
            let place = left_for_review(answer).find(|place| mentions(&judged, place));
            let word = if place.is_some() { "FAILED AT REVIEW" } else { "BROKE" };
            render::note(format!("{word} {selector} {path}: {}\n{diff}", tail(&judged)));
            if place.is_some() { &mut tally.named } else { &mut tally.broke }.push(selector.clone());
        }
        for _ in 0..=usize::from(is_back) {
            let undone = self.orbit(&["refactor", "undo"])?;
            if !undone.status.success() {
                return Err(fail(format!("undo: {}", String::from_utf8_lossy(&undone.stderr))));
            }
        }
        Ok(())
    }

    /// The old name again: whether every file is what it was.
    fn back(&self, candidate: &Candidate, answer: &Value) -> Result<bool, Failure> {
        let operations = answer["operations"].as_array().map(Vec::as_slice).unwrap_or_default();
        // A class of Java takes its file along.
        let moved = operations.iter().find(|operation| operation["op"] == "move");
        let post = &moved.or(operations.first()).unwrap_or(&Value::Null)["post"];
        let part = |name: &str| post[name].as_str().unwrap_or_default();
        let selector = format!("symbol:{}#{}:{}", part("file"), part("name"), part("kind"));
        let output = self.orbit(&["refactor", "rename", &selector, &candidate.name, "--json"])?;
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stderr);
            render::note(format!("NOT BACK {selector}: {}", why.chars().take(400).collect::<String>()));
            return Ok(false);
        }
        let left = git(&self.work, &["status", "--porcelain"])?;
        if left.is_empty() {
            return Ok(true);
        }
        Err(fail(format!("{selector} renamed back is not what it was: {left}")))
    }

    /// Random symbols of the kinds that people rename or move; for a move, `path` is where to.
    fn candidates(&self) -> Result<Vec<Candidate>, Failure> {
        let synced = self.orbit(&["graph", "sync"])?;
        if !synced.status.success() {
            return Err(fail("orbit graph sync failed"));
        }
        let export = self.orbit(&["graph", "export"])?;
        let rows = String::from_utf8_lossy(&export.stdout);
        let rows: Vec<Value> = rows.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
        let own = drawn::own_names(&rows);
        let drawn = rows.iter().filter(|row| !drawn::is_fixed(row, &own));
        let mut found: Vec<Candidate> = drawn.filter_map(|row| self.candidate(row)).collect();
        if self.args.moves && self.args.lang == Judged::Rust {
            found.retain(|candidate| !drawn::is_crate_of_its_own(&candidate.path));
        }
        let mut random = Random(self.args.seed);
        let mut picked: Vec<Candidate> = Vec::new();
        let files: Vec<String> = found.iter().map(|candidate| candidate.path.clone()).collect();
        while picked.len() < self.args.samples && !found.is_empty() {
            let mut candidate = found.swap_remove(random.below(found.len()));
            if self.args.moves {
                let near: Vec<&String> = files.iter().filter(|file| is_near(file, &candidate.path)).collect();
                let Some(target) = near.get(random.below(near.len().max(1))) else { continue };
                candidate.path.clone_from(target);
            }
            picked.push(candidate);
        }
        Ok(picked)
    }

    fn candidate(&self, row: &Value) -> Option<Candidate> {
        const RENAMED: [&str; 16] = [
            "function",
            "method",
            "class",
            "struct",
            "enum",
            "trait",
            "interface",
            "const",
            "static",
            "type_alias",
            "module",
            "macro",
            "field",
            "property",
            "variant",
            "variable",
        ];
        const MOVED: [&str; 8] =
            ["function", "class", "struct", "enum", "trait", "interface", "type_alias", "const"];
        let (path, kind) = (row["file"].as_str().or_else(|| row["path"].as_str())?, row["kind"].as_str()?);
        let kinds: &[&str] = if self.args.moves { &MOVED } else { &RENAMED };
        let fits = row["type"] == "symbol" && kinds.contains(&kind) && self.args.lang.fits(path);
        let is_below = self.args.under.as_ref().is_none_or(|under| path.starts_with(under.as_str()));
        let is_outer = !self.args.moves || row["parent"].is_null();
        if !(fits && is_below && is_outer) {
            return None;
        }
        let name = row["name"].as_str()?.to_owned();
        let selector = row["selector"].as_str().map(str::to_owned);
        let selector = selector.unwrap_or_else(|| {
            format!("symbol:{path}#{}:{kind}", row["qualified"].as_str().unwrap_or(&name))
        });
        Some(Candidate { selector, name, path: path.to_owned() })
    }
}

/// Another file of the same kind in the same package: they share the directory below which modules are found.
fn is_near(file: &str, path: &str) -> bool {
    let root = |path: &str| match path.find("src/") {
        Some(at) => path[..at + 4].to_owned(),
        None => Path::new(path).parent().map(|dir| dir.display().to_string()).unwrap_or_default(),
    };
    // Tests of Go and what they test are compiled apart.
    let is_test = |path: &str| path.ends_with("_test.go");
    file != path && root(file) == root(path) && is_test(file) == is_test(path)
}

/// A name that nothing has, in the style of the old one.
fn fresh(name: &str) -> String {
    let has = |is: fn(char) -> bool| name.chars().any(is);
    match (has(char::is_lowercase), has(char::is_uppercase)) {
        (false, true) => format!("{name}_ZQ7"),
        (_, true) => format!("{name}Zq7"),
        _ => format!("{name}_zq7"),
    }
}

/// Places that a person should look at and that were not changed, as file and line.
fn left_for_review(answer: &Value) -> impl Iterator<Item = (&str, u64)> {
    let places = answer["review"].as_array().into_iter().flatten();
    let left = places.filter(|place| place["edited"] == false);
    left.filter_map(|place| Some((place["file"].as_str()?, place["line"].as_u64()?)))
}

/// Whether a failed check names exactly this place.
fn mentions(output: &Output, (file, line): &(&str, u64)) -> bool {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    let is_at = |place: &str| {
        text.match_indices(place)
            .any(|(at, _)| !text[at + place.len()..].starts_with(|c: char| c.is_ascii_digit()))
    };
    is_at(&format!("{file}:{line}"))
        || is_at(&format!("{file}\", line {line}"))
        || is_at(&format!("{file}({line}"))
}

/// The end of what a check printed.
fn tail(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr[..]].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    let errors: Vec<&str> = text.lines().filter(|line| line.contains("rror")).take(4).collect();
    if errors.is_empty() {
        text.lines().rev().take(3).collect::<Vec<_>>().join(" / ")
    } else {
        errors.join(" / ")
    }
}

/// Numbers that look random and are the same each time.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }
}
