//! `cargo xtask damage`: definitions that the index loses in files that a grammar cannot read.
//!
//! `ctags` reads each file without a grammar, line by line. What it finds in a file with parse errors and extraction
//! does not is counted as lost. `ctags` is wrong too, mostly about macros and lambdas, so what is known to be its
//! mistake is left out, and the rest is an upper bound: the list shows every place.

use crate::args::DamageArgs;
use crate::summary;
use orbit_graph::Lang;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use xtask::failure::{Context, Failure, fail};
use xtask::render;

const SUMMARY: &str = "benches/damage.md";

/// How many places of a language are listed.
const SHOWN: usize = 5;

#[derive(Default)]
struct Counts {
    files: usize,
    damaged: usize,
    definitions: usize,
    lost: Vec<String>,
}

/// Counts over all repositories, and lists what is lost.
pub(crate) fn run(args: &DamageArgs) -> Result<ExitCode, Failure> {
    let mut counts: BTreeMap<&'static str, Counts> = BTreeMap::new();
    let mut names = Vec::new();
    for repo in &args.repos {
        let repo = repo.canonicalize().context(repo.display())?;
        count(&repo, &mut counts)?;
        names.extend(repo.file_name().map(|name| name.to_string_lossy().into_owned()));
    }
    for places in counts.values() {
        places.lost.iter().for_each(render::line);
    }
    let text = table(&counts, &names);
    summary::publish(SUMMARY, &text, args.write)
}

/// The symbols of each file with parse errors; `None` for the others.
type Read = BTreeMap<String, (Lang, Option<BTreeSet<String>>)>;

fn count(repo: &Path, counts: &mut BTreeMap<&'static str, Counts>) -> Result<(), Failure> {
    let mut read: Read = BTreeMap::new();
    for (path, lang) in orbit_graph::indexable_files(repo, 1)? {
        if matches!(lang, Lang::Markdown | Lang::Config) {
            continue;
        }
        let Ok(bytes) = std::fs::read(repo.join(&path)) else { continue }; // skipped by a sync too
        let Ok(file) = orbit_extract::extract(&path, lang, &bytes) else { continue };
        let names = file.symbols.iter().map(|symbol| file.names.get(symbol.name).replace(' ', ""));
        let symbols = file.has_errors.then(|| names.collect());
        let here = counts.entry(lang.as_str()).or_default();
        here.files += 1;
        here.damaged += usize::from(symbols.is_some());
        read.insert(path, (lang, symbols));
    }
    let name = repo.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    for tag in tags(repo, read.keys())? {
        let Some((lang, symbols)) = read.get(&tag.path) else { continue };
        if !tag.is_definition(*lang) {
            continue;
        }
        let here = counts.entry(lang.as_str()).or_default();
        here.definitions += 1;
        if symbols.as_ref().is_some_and(|symbols| !symbols.contains(&tag.name.replace(' ', ""))) {
            here.lost.push(format!("{name}/{}:{} {} {}", tag.path, tag.line, tag.kind, tag.name));
        }
    }
    Ok(())
}

#[derive(Deserialize)]
struct Tag {
    name: String,
    path: String,
    line: u32,
    kind: String,
    /// The line, as a search pattern.
    #[serde(default)]
    pattern: String,
}

impl Tag {
    /// Whether `ctags` is right that this defines something that the index keeps.
    fn is_definition(&self, lang: Lang) -> bool {
        let is_kept = matches!(
            self.kind.as_str(),
            "function"
                | "method"
                | "class"
                | "interface"
                | "enum"
                | "struct"
                | "trait"
                | "macro"
                | "typedef"
                | "module"
                | "namespace"
                | "union"
                | "object"
                | "func"
                | "singletonMethod"
                | "record"
                | "generator"
        );
        let is_word = self.name.starts_with(|c: char| c.is_alphabetic() || c == '_');
        let is_made_up =
            ["__anon", "anonymous", "AnonymousFunction"].iter().any(|it| self.name.starts_with(it));
        let is_native = matches!(lang, Lang::C | Lang::Cpp);
        // `TEST(a, b) {` calls a macro; an operator is called otherwise.
        let is_macro_call = self.kind == "function" && self.name.chars().all(|c| !c.is_lowercase());
        let is_operator = self.name.starts_with("operator");
        // A parameter of a lambda is a method to `ctags`.
        let is_lambda = lang == Lang::Kotlin && self.kind == "method" && !self.pattern.contains("fun ");
        is_kept && is_word && !is_made_up && !is_lambda && !(is_native && (is_macro_call || is_operator))
    }
}

/// What `ctags` finds in files of a repository.
fn tags<'p>(repo: &Path, paths: impl Iterator<Item = &'p String>) -> Result<Vec<Tag>, Failure> {
    let mut command = Command::new("ctags");
    command.args([
        "-L",
        "-",
        "--output-format=json",
        "--fields=+nK",
        "-f",
        "-",
        "--sort=no",
        "--langmap=TypeScript:+.tsx",
    ]);
    command.current_dir(repo).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().context("ctags (Debian's universal-ctags)")?;
    let mut stdin = child.stdin.take().ok_or_else(|| fail("no input of ctags"))?;
    let list = paths.fold(String::new(), |list, path| list + path + "\n");
    let feeding = std::thread::spawn(move || stdin.write_all(list.as_bytes()));
    let output = child.wait_with_output()?;
    feeding.join().map_err(|_| fail("ctags cannot be fed"))??;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

fn table(counts: &BTreeMap<&'static str, Counts>, repos: &[String]) -> String {
    let mut text = String::from(
        "# Definitions lost to parse damage\n\n\
         Written by `cargo xtask damage --repo DIR… --write`. A grammar cannot read every construct of its language; what\n\
         extraction does not find in a file with parse errors and `ctags`, which needs no grammar, does, is lost. `ctags`\n\
         takes some macros and lambdas for definitions, so the share is an upper bound.\n\n\
         | language | files | with errors | definitions | lost | share |\n|---|--:|--:|--:|--:|--:|\n",
    );
    for (language, counts) in counts {
        let share = 100.0 * counts.lost.len() as f64 / counts.definitions.max(1) as f64;
        let (files, damaged, all, lost) =
            (counts.files, counts.damaged, counts.definitions, counts.lost.len());
        let _ = writeln!(text, "| {language} | {files} | {damaged} | {all} | {lost} | {share:.3} % |");
    }
    let _ = writeln!(text, "\nRepositories: {}.", repos.join(", "));
    for (language, counts) in counts.iter().filter(|(_, counts)| !counts.lost.is_empty()) {
        let _ = writeln!(text, "\n{language}, for example:\n");
        for place in counts.lost.iter().take(SHOWN) {
            let _ = writeln!(text, "- `{place}`");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_of_ctags_are_not_definitions() {
        let tag = |name: &str, kind: &str, line: u32| Tag {
            name: name.into(),
            path: "a".into(),
            line,
            kind: kind.into(),
            pattern: String::new(),
        };
        assert!(tag("f", "function", 3).is_definition(Lang::Cpp));
        assert!(!tag("TEST_F", "function", 3).is_definition(Lang::Cpp));
        assert!(!tag("operator ==", "function", 3).is_definition(Lang::Cpp));
        assert!(!tag("it", "method", 3).is_definition(Lang::Kotlin));
        assert!(!tag("x", "variable", 3).is_definition(Lang::Python));
    }
}
