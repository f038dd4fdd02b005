//! The table, and what differs from the truth.

use super::drawn::Kind;
use super::{Asked, Repository};
use crate::bench::stats::median;
use std::fmt::Write as _;

const HEAD: &str = "# What one answer is worth

Written by `cargo xtask bench agents --truth DIR --repo PATH… --write`. Questions are drawn at random from what compilers
say of repositories, each is asked as one call over MCP, and the answer alone is scored: no model reads it.

- **F1**: lines of uses (functions reached within two steps, of TypeScript one; tests within three), the mean over
  questions. What the compiler could not judge counts neither way, and so does what is reached only because it may run
  at a call. **read**: the same after each uncertain row was read, or followed by a second call.
- **complete**: answers that say that nothing is left. **lack**: those of them that lack a use; **extra**: those with a
  row that is none. **cut**: answers that say that they are shortened.
- **characters** of an answer, mean and median; **calls** until it is complete or each uncertain row was read, mean.
- **grep**: what `git grep -n -w` prints; **and reading**: with ten lines before and behind each hit, as it takes to tell
  what is meant; **F1** of every line with the name before a bracket. Means.
- *where is the route handled* has a dash where a repository has no routes that a truth knows.

";

pub(super) fn markdown(setting: &[String], notes: &[String], repositories: &[Repository]) -> String {
    let mut out = String::from(HEAD);
    for line in setting.iter().chain(notes) {
        let _ = writeln!(out, "- {line}");
    }
    out.push('\n');
    let judged: Vec<&Repository> = repositories.iter().filter(|one| !one.asked.is_empty()).collect();
    if !judged.is_empty() {
        overall(&mut out, &judged);
        by_kind(&mut out, &judged);
        wrong(&mut out, &judged);
    }
    accounts(&mut out, repositories);
    out
}

/// One line per repository, over all questions.
fn overall(out: &mut String, repositories: &[&Repository]) {
    out.push_str(
        "| repository | language | lines | asked | F1 | read | complete | lack | extra | cut | characters | median | calls |\n\
         |---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for one in repositories {
        let all: Vec<&Asked> = one.asked.iter().collect();
        let _ = writeln!(out, "| {} | {} | {} | {}", one.title, one.language, one.lines, row(&all));
    }
    let all: Vec<&Asked> = repositories.iter().flat_map(|one| &one.asked).collect();
    let lines: usize = repositories.iter().map(|one| one.lines).sum();
    let _ = writeln!(out, "| all | | {lines} | {}", row(&all));
}

fn row(all: &[&Asked]) -> String {
    let characters = all.iter().map(|asked| asked.answer.characters);
    format!(
        "{} | {:.3} | {:.3} | {} | {} | {} | {} | {:.0} | {} | {:.1} |",
        all.len(),
        mean(all, |asked| asked.score.f1()),
        mean(all, |asked| asked.score.f1_after_reading()),
        percent(all, |asked| asked.answer.is_complete),
        all.iter().filter(|asked| asked.is_wrongly_complete()).count(),
        all.iter().filter(|asked| asked.is_complete_with_more()).count(),
        all.iter().filter(|asked| asked.answer.is_cut).count(),
        mean(all, |asked| asked.answer.characters as f64),
        median(characters),
        mean(all, |asked| asked.calls as f64),
    )
}

fn by_kind(out: &mut String, repositories: &[&Repository]) {
    out.push_str(
        "\n| question | repository | asked | F1 | read | complete | lack | extra | cut | characters | median | calls \
         | grep | and reading | reads | F1 |\n|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for kind in Kind::ALL {
        for one in repositories {
            let all: Vec<&Asked> = one.asked.iter().filter(|asked| asked.question.kind == kind).collect();
            let (title, name) = (kind.title(), &one.title);
            if all.is_empty() {
                let _ = writeln!(out, "| {title} | {name} | -{} |", " | -".repeat(13));
                continue;
            }
            let _ = write!(out, "| {title} | {name} | {}", row(&all));
            let floors: Vec<_> = all.iter().filter_map(|asked| asked.floor).collect();
            let mean = |value: fn(&super::Floor) -> f64| {
                floors.iter().map(value).sum::<f64>() / floors.len().max(1) as f64
            };
            if floors.is_empty() {
                out.push_str(" - | - | - | - |\n");
                continue;
            }
            let _ = writeln!(
                out,
                " {:.0} | {:.0} | {:.0} | {:.3} |",
                mean(|floor| floor.grep as f64),
                mean(|floor| (floor.grep + floor.reading) as f64),
                mean(|floor| floor.hits as f64),
                mean(|floor| floor.f1),
            );
        }
    }
    for one in repositories {
        let _ = writeln!(out, "| where is the route handled | {} | -{} |", one.title, " | -".repeat(13));
    }
}

/// Every answer that says it is complete and lacks something, or has too much.
fn wrong(out: &mut String, repositories: &[&Repository]) {
    out.push_str("\n## Complete, and not\n\n");
    let before = out.len();
    for one in repositories {
        let is_off = |asked: &&Asked| asked.is_wrongly_complete() || asked.is_complete_with_more();
        for asked in one.asked.iter().filter(is_off) {
            let _ = writeln!(out, "- {}: {}", one.title, about(asked));
        }
        for odd in one.asked.iter().filter_map(|asked| asked.odd.as_ref()) {
            let _ = writeln!(out, "- {}: {odd}", one.title);
        }
    }
    if out.len() == before {
        out.push_str("None.\n");
    }
}

fn accounts(out: &mut String, repositories: &[Repository]) {
    out.push_str(
        "\n## Accounts of random names\n\nThe classes of each account must add up to the occurrences, and those to a count \
         of the words in the files.\n\n| repository | lines | names | without an account | complete | do not add up |\n\
         |---|--:|--:|--:|--:|--:|\n",
    );
    for one in repositories {
        let accounts = &one.accounts;
        let with = (accounts.asked - accounts.without).max(1);
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {}% | {} |",
            one.title,
            one.lines,
            accounts.asked,
            accounts.without,
            100 * accounts.complete / with,
            accounts.odd.len(),
        );
    }
    for one in repositories.iter().filter(|one| !one.accounts.odd.is_empty()) {
        let _ = writeln!(out, "\n{}:\n", one.title);
        for odd in &one.accounts.odd {
            let _ = writeln!(out, "- {odd}");
        }
    }
}

/// Every answer that is not the truth, one line each.
pub(super) fn differences(repositories: &[Repository]) -> Vec<String> {
    let mut lines = Vec::new();
    for one in repositories {
        let differs = |asked: &&Asked| asked.score.f1() < 1.0 || asked.answer.error.is_some();
        lines
            .extend(one.asked.iter().filter(differs).map(|asked| format!("{}: {}", one.title, about(asked))));
    }
    lines
}

fn about(asked: &Asked) -> String {
    let (question, answer, score) = (&asked.question, &asked.answer, &asked.score);
    let mut text =
        format!("{} `{}` {}:{}", question.kind.title(), question.name, question.file, question.line);
    let _ = write!(text, ", {} right", score.right);
    for (what, places) in [("lacks", &score.missed), ("wrong", &score.wrong)] {
        if !places.is_empty() {
            let shown: Vec<&str> = places.iter().take(8).map(String::as_str).collect();
            let rest = if places.len() > shown.len() { " …" } else { "" };
            let _ = write!(text, "; {what} {}: {}{rest}", places.len(), shown.join(", "));
        }
    }
    if score.perhaps > 0 {
        let _ = write!(text, "; {} of them uncertain", score.perhaps);
    }
    if !answer.target.contains(&question.name) && !answer.target.is_empty() {
        let _ = write!(text, "; about {}", answer.target);
    }
    if answer.is_cut {
        text.push_str("; cut");
    }
    if let Some(error) = &answer.error {
        let _ = write!(text, "; {error}");
    }
    text
}

fn mean(all: &[&Asked], value: impl Fn(&Asked) -> f64) -> f64 {
    all.iter().map(|asked| value(asked)).sum::<f64>() / all.len().max(1) as f64
}

fn percent(all: &[&Asked], is_one: impl Fn(&Asked) -> bool) -> String {
    let count = all.iter().filter(|asked| is_one(asked)).count();
    format!("{:.0}%", 100.0 * count as f64 / all.len().max(1) as f64)
}
