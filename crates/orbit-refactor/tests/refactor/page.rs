//! A page of cases, so that it can be run and written again with other results.
//!
//! ```text
//! === What the case shows
//! More about it, where that helps; `known wrong: …` says what should come out instead.
//!
//! ==> path
//! the file before
//!
//! $ request
//! | text that goes with it
//! what it gives: a report, and every file that changed; or the refusal
//! ```
//!
//! A case may have several requests, each on what the one before left.

use std::ops::Range;

/// A file below `cases/`.
pub(crate) struct Page {
    text: String,
    pub(crate) cases: Vec<Case>,
}

pub(crate) struct Case {
    pub(crate) title: String,
    /// The files before, as a fixture.
    pub(crate) before: String,
    pub(crate) steps: Vec<Step>,
}

/// A request, and what it is expected to give.
pub(crate) struct Step {
    pub(crate) request: String,
    /// What goes with it, such as a body.
    pub(crate) text: String,
    pub(crate) expected: String,
    place: Range<usize>,
}

impl Page {
    pub(crate) fn parse(text: &str) -> Page {
        let mut cases: Vec<Case> = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let end = at + line.len();
            if let Some(title) = line.strip_prefix("=== ") {
                let title = title.trim_end().to_owned();
                cases.push(Case { title, before: String::new(), steps: Vec::new() });
            } else if let Some(case) = cases.last_mut() {
                case.take(line, end);
            }
            at = end;
        }
        Page { text: text.to_owned(), cases }
    }

    /// The page with other results, one for each step of each case.
    pub(crate) fn with(&self, results: &[String]) -> String {
        let mut text = self.text.clone();
        let steps: Vec<&Step> = self.cases.iter().flat_map(|case| &case.steps).collect();
        assert_eq!(steps.len(), results.len(), "each step has a result");
        for (step, result) in steps.iter().zip(results).rev() {
            let gap = if step.place.end == self.text.len() { "" } else { "\n" };
            text.replace_range(step.place.clone(), &format!("{result}{gap}"));
        }
        text
    }
}

impl Case {
    fn take(&mut self, line: &str, end: usize) {
        if let Some(request) = line.strip_prefix("$ ") {
            let (text, expected) = (String::new(), String::new());
            self.steps.push(Step { request: request.trim_end().to_owned(), text, expected, place: end..end });
            return;
        }
        let Some(step) = self.steps.last_mut() else { return self.before.push_str(line) };
        if let Some(text) = line.strip_prefix('|').filter(|_| step.expected.is_empty()) {
            step.text.push_str(text.strip_prefix(' ').unwrap_or(text));
            step.place = end..end;
        } else {
            step.expected.push_str(line);
            step.place.end = end;
        }
    }
}

#[test]
fn results_are_put_where_they_belong() {
    let text = "=== One\n==> a\nx\n\n$ do it\n| with\nold\n\n$ again\n\n=== Two\n\n$ stop\nold\n";
    let page = Page::parse(text);
    let steps: Vec<&Step> = page.cases.iter().flat_map(|case| &case.steps).collect();
    let told = steps.iter().map(|step| (step.request.as_str(), step.text.as_str(), step.expected.trim_end()));
    assert!(told.eq([("do it", "with\n", "old"), ("again", "", ""), ("stop", "", "old")]));
    let results = ["1\n", "2\n", "3\n"].map(str::to_owned);
    let expected = "=== One\n==> a\nx\n\n$ do it\n| with\n1\n\n$ again\n2\n\n=== Two\n\n$ stop\n3\n";
    assert_eq!(page.with(&results), expected);
    assert_eq!(Page::parse(expected).with(&results), expected);
}
