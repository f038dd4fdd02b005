//! A corpus file: prose, and cases with fenced blocks.
//!
//! A case starts with a `##` heading. Blocks before the first heading belong to every case of the file. The last block
//! of a case is what is expected; its info string is `out`.

/// A file taken apart, so that it can be put together again with other expectations.
pub(crate) struct Page {
    pub(crate) cases: Vec<Case>,
    lines: Vec<String>,
}

pub(crate) struct Case {
    pub(crate) title: String,
    /// Language and text, those of the whole file first.
    pub(crate) inputs: Vec<(String, String)>,
    pub(crate) expected: Option<String>,
    /// The lines of the expectation, fences excluded; where to put one when there is none.
    place: std::ops::Range<usize>,
}

impl Page {
    pub(crate) fn parse(text: &str) -> Page {
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let mut shared: Vec<(String, String)> = Vec::new();
        let mut cases: Vec<Case> = Vec::new();
        let mut at = 0;
        while at < lines.len() {
            let line = &lines[at];
            if let Some(title) = line.strip_prefix("## ") {
                let inputs = shared.clone();
                cases.push(Case { title: title.to_owned(), inputs, expected: None, place: at + 1..at + 1 });
            }
            if let Some(language) = line.strip_prefix("```").filter(|language| !language.is_empty()) {
                let end =
                    lines[at + 1..].iter().position(|line| line == "```").expect("a block ends") + at + 1;
                let body = joined(&lines[at + 1..end]);
                match cases.last_mut() {
                    Some(case) if language == "out" => {
                        assert!(case.expected.is_none(), "{}: two expectations", case.title);
                        case.expected = Some(body);
                        case.place = at + 1..end;
                    }
                    Some(case) => {
                        case.inputs.push((language.to_owned(), body));
                        case.place = end + 1..end + 1;
                    }
                    None => shared.push((language.to_owned(), body)),
                }
                at = end;
            }
            at += 1;
        }
        Page { cases, lines }
    }

    /// The file with these expectations, one per case.
    pub(crate) fn with(&self, expectations: &[String]) -> String {
        let mut lines = self.lines.clone();
        for (case, expected) in self.cases.iter().zip(expectations).rev() {
            let mut block: Vec<String> = expected.lines().map(str::to_owned).collect();
            if case.expected.is_none() {
                block.insert(0, "```out".into());
                block.insert(0, String::new());
                block.push("```".into());
            }
            lines.splice(case.place.clone(), block);
        }
        joined(&lines)
    }
}

fn joined(lines: &[String]) -> String {
    let mut text = lines.join("\n");
    if !lines.is_empty() {
        text.push('\n');
    }
    text
}
