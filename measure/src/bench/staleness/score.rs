//! Recall and precision, per grade, beside what "some byte of the files changed" would give.

use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt::Write as _;

const GRADES: [&str; 4] = ["fresh", "body_drifted", "signature_changed", "anchor_gone"];

const HEAD: &str = "# How far freshness can be believed

Written by `cargo xtask bench staleness --write`. Atoms are planted on random files of configuration, and on random files,
directories and symbols of Python, at random commits of a repository; 1, 5, 20 and 60 commits later each is asked how it
stands. The truth is CPython's own parser: syntax trees of both commits, compared definition by definition; of JSON, TOML and
YAML it is the data that Python's parsers read. It knows nothing of our parser or prints. An edit of
comments or formatting only is not a change; saying otherwise counts as an error. Files are followed through the renames that
git sees commit by commit; a definition that went elsewhere unchanged, or with its class, is still there. An area with a
definition that is gone while a new one of its file is much like it is not judged: renamed or replaced, that is a matter
of taste.

- **recall** of a grade: of the areas that truly have it, how many are said to.
- **precision** of a grade: of the areas that are said to have it, how many truly do.
- **not fresh**: any grade but `fresh`, whichever.
- **naive**: an area is not fresh as soon as a byte of its files changed; it knows no grades, so a grade's recall is that
  it is flagged at all.

";

/// Counts by what was true and what was said.
#[derive(Default)]
pub(super) struct Score {
    counts: BTreeMap<(String, String), u64>,
    naive: BTreeMap<(String, bool), u64>,
    unjudged: u64,
}

impl Score {
    /// Counts an answer; false when it is wrong.
    pub(super) fn add(&mut self, said: &str, judged: &Value) -> bool {
        let Some(grade) = judged["grade"].as_str() else {
            self.unjudged += 1;
            return true;
        };
        *self.counts.entry((grade.to_owned(), said.to_owned())).or_default() += 1;
        let naive = judged["naive"].as_bool().unwrap_or(true);
        *self.naive.entry((grade.to_owned(), naive)).or_default() += 1;
        grade == said
    }

    fn count(&self, fits: impl Fn(&str, &str) -> bool) -> u64 {
        self.counts.iter().filter(|((truly, said), _)| fits(truly, said)).map(|(_, count)| count).sum()
    }

    fn naive(&self, fits: impl Fn(&str, bool) -> bool) -> u64 {
        self.naive.iter().filter(|((truly, flag), _)| fits(truly, *flag)).map(|(_, count)| count).sum()
    }
}

fn share(part: u64, whole: u64) -> String {
    if whole == 0 { "-".into() } else { format!("{:.3}", part as f64 / whole as f64) }
}

/// The page.
pub(super) fn report(setting: &[String], scores: &[(String, Score)], seed: u64) -> String {
    let mut text = String::from(HEAD);
    for line in setting {
        let _ = writeln!(text, "{line}");
    }
    let _ = writeln!(text, "Seed {seed}.\n");
    text.push_str("| repository | grade | areas | recall | precision | naive recall | naive precision |\n");
    text.push_str("|---|---|--:|--:|--:|--:|--:|\n");
    for (title, score) in scores {
        for grade in GRADES {
            let truly = score.count(|truth, _| truth == grade);
            let said = score.count(|_, said| said == grade);
            let both = score.count(|truth, said| truth == grade && said == grade);
            let flagged = score.naive(|truth, flag| truth == grade && flag == (grade != "fresh"));
            let _ = writeln!(
                text,
                "| {title} | `{grade}` | {truly} | {} | {} | {} | |",
                share(both, truly),
                share(both, said),
                share(flagged, truly)
            );
        }
        let truly = score.count(|truth, _| truth != "fresh");
        let said = score.count(|_, said| said != "fresh");
        let both = score.count(|truth, said| truth != "fresh" && said != "fresh");
        let flagged = score.naive(|_, flag| flag);
        let right = score.naive(|truth, flag| truth != "fresh" && flag);
        let _ = writeln!(
            text,
            "| {title} | not fresh | {truly} | {} | {} | {} | {} |",
            share(both, truly),
            share(both, said),
            share(right, truly),
            share(right, flagged)
        );
        if score.unjudged > 0 {
            let _ = writeln!(text, "| {title} | not judged | {} | | | | |", score.unjudged);
        }
    }
    text
}
