//! References of a named repository that a person judged, for languages without a compiler's word.
//!
//! A file has comment lines (`#`), one of them naming repository and commit, and lines
//! `path:line name -> path:line`, with ` | ` between the places of a symbol that is declared and defined apart, and
//! `outside` for a target that the repository does not hold. A name may stand several times on a line; any of its
//! edges counts.

use super::predictions::{self, Edge};
use crate::scratch::{self, Source};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use xtask::failure::{Context, Failure, fail};
use xtask::render;

/// One line of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Judgement {
    file: String,
    line: u32,
    name: String,
    /// None: outside of the repository.
    targets: Vec<(String, u32)>,
}

/// Compares the index with the judgements; fails when an edge leads elsewhere than a person says.
pub(super) fn run(orbit: &Path, path: &Path, repos: &[PathBuf]) -> Result<ExitCode, Failure> {
    let [repo] = repos else { return Err(fail("--judged takes one --repo")) };
    let text = std::fs::read_to_string(path).context(path.display())?;
    let judgements = parse(&text)?;
    let source = Source::at(repo)?;
    check_commit(&text, &source)?;
    let scratch = scratch::dir()?;
    let copy = scratch.path().join("copy");
    source.copy(&copy)?;
    let found = predictions::read(orbit, &copy)?;
    let mut edges: HashMap<(&str, u32, &str), Vec<&Edge>> = HashMap::new();
    for edge in &found.edges {
        edges.entry((&edge.file, edge.line, &edge.name)).or_default().push(edge);
    }
    let (mut right, mut open, mut wrong, mut inside) = (0, 0, 0, 0);
    for judgement in &judgements {
        inside += usize::from(!judgement.targets.is_empty());
        let here = edges.get(&(judgement.file.as_str(), judgement.line, judgement.name.as_str()));
        let found: Vec<(&str, u32)> = here.into_iter().flatten().filter_map(|edge| edge.target()).collect();
        let is_right = |(to, at): &(&str, u32)| {
            judgement.targets.iter().any(|(file, line)| to == file && at.abs_diff(*line) <= 1)
        };
        match (found.first(), judgement.targets.is_empty()) {
            _ if found.iter().any(is_right) => right += 1,
            (None, true) => {}
            (None, false) => {
                open += 1;
                render::line(format!("open   {}", shown(judgement)));
            }
            (Some((file, line)), _) => {
                wrong += 1;
                render::line(format!("wrong  {}, the index says {file}:{line}", shown(judgement)));
            }
        }
    }
    let outside = judgements.len() - inside;
    render::line(format!(
        "{}: {right} of {inside} right, {open} open, {wrong} wrong; {outside} lead outside",
        source.title()
    ));
    Ok(if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn shown(judgement: &Judgement) -> String {
    let places: Vec<String> = judgement.targets.iter().map(|(file, line)| format!("{file}:{line}")).collect();
    let target = if places.is_empty() { "outside".to_owned() } else { places.join(" | ") };
    format!("{}:{} {} -> {target}", judgement.file, judgement.line, judgement.name)
}

fn check_commit(text: &str, source: &Source) -> Result<(), Failure> {
    let named = text.lines().find_map(|line| line.strip_prefix("# commit "));
    match (named, &source.commit) {
        (Some(there), Some(here)) if there.starts_with(here.as_str()) => Ok(()),
        (Some(there), here) => {
            let here = here.as_deref().unwrap_or("no commit");
            Err(fail(format!("{} is at {here}, the judgements are of {there}", source.name)))
        }
        (None, _) => Err(fail("the judgements do not name their commit: `# commit <sha>`")),
    }
}

fn parse(text: &str) -> Result<Vec<Judgement>, Failure> {
    let lines =
        text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
    lines.map(|(at, line)| judgement(line).ok_or_else(|| fail(format!("line {}: {line}", at + 1)))).collect()
}

fn judgement(line: &str) -> Option<Judgement> {
    let (from, to) = line.split_once(" -> ")?;
    let (place, name) = from.rsplit_once(' ')?;
    let (file, line) = position(place)?;
    let places = to.split(" | ").filter(|place| *place != "outside");
    let targets = places.map(position).collect::<Option<Vec<_>>>()?;
    Some(Judgement { file, line, name: name.to_owned(), targets })
}

fn position(text: &str) -> Option<(String, u32)> {
    let (file, line) = text.rsplit_once(':')?;
    Some((file.to_owned(), line.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn judgements_count_for_their_commit_only() {
        let scratch = scratch::dir().unwrap();
        let elsewhere = Source::at(scratch.path()).unwrap();
        let wrong = check_commit("# commit 78a352f47e\n", &elsewhere).unwrap_err().to_string();
        assert!(wrong.contains("at no commit, the judgements are of 78a352f47e"), "{wrong}");
        assert!(check_commit("# nothing\n", &elsewhere).is_err());
    }

    #[test]
    fn lines_are_read_and_bad_ones_named() {
        let text = "# of a repository\n\na/b.kt:3 run -> c.kt:7 | d.kt:8\na/b.kt:4 println -> outside\n";
        let read = parse(text).unwrap();
        assert_eq!((read[0].file.as_str(), read[0].line, read[0].name.as_str()), ("a/b.kt", 3, "run"));
        assert_eq!(read[0].targets, [("c.kt".to_owned(), 7), ("d.kt".to_owned(), 8)]);
        assert!(read[1].targets.is_empty());
        assert!(parse("a.kt run -> b.kt:1").unwrap_err().to_string().contains("line 1"));
    }
}
