//! Task ids in commit messages.
//!
//! Every match of the pattern in the whole message, group 1 if there is one, and the values of the trailers
//! `Task:`, `Task-Id:` and `Refs:`.

use crate::error::HistoryError;
use regex::Regex;
use std::collections::BTreeSet;

/// What is used when nothing else is asked for.
pub const DEFAULT_PATTERN: &str = r"\[(T\d{8}-\d+(?:-\d+)*)\]";

const TRAILERS: [&str; 3] = ["task", "task-id", "refs"];

/// A compiled pattern.
#[derive(Clone, Debug)]
pub(crate) struct TaskIdPattern {
    regex: Regex,
}

impl TaskIdPattern {
    /// The strongest of what is given: the command line, `history.task_id_pattern`, the default.
    pub(crate) fn choose(
        given: Option<&str>,
        config: Option<&toml::Table>,
    ) -> Result<TaskIdPattern, HistoryError> {
        let configured = config.and_then(|config| config.get("history")?.get("task_id_pattern")?.as_str());
        TaskIdPattern::new(given.or(configured).unwrap_or(DEFAULT_PATTERN))
    }

    fn new(pattern: &str) -> Result<TaskIdPattern, HistoryError> {
        let fail = |reason: String| HistoryError::Pattern { pattern: pattern.to_owned(), reason };
        let regex = Regex::new(pattern).map_err(|error| {
            fail(error.to_string().lines().last().unwrap_or("not a regular expression").trim().to_owned())
        })?;
        if regex.is_match("") {
            return Err(fail("it matches the empty text".into()));
        }
        Ok(TaskIdPattern { regex })
    }

    /// As written.
    pub(crate) fn text(&self) -> &str {
        self.regex.as_str()
    }

    /// The ids in a message, each once, in order.
    pub(crate) fn ids(&self, message: &str) -> BTreeSet<String> {
        let found = self.regex.captures_iter(message).filter_map(|captures| {
            let group = if captures.len() > 1 { captures.get(1)? } else { captures.get(0)? };
            Some(group.as_str().trim().to_owned())
        });
        found.chain(trailer_ids(message)).filter(|id| !id.is_empty()).collect()
    }
}

/// Ids in the trailers: the last paragraph, when it is not the subject and all of it is `Key: value`.
fn trailer_ids(message: &str) -> Vec<String> {
    let Some((_, last)) = message.trim_end().rsplit_once("\n\n") else { return Vec::new() };
    let is_trailer = |line: &str| {
        line.starts_with([' ', '\t'])
            || line.split_once(':').is_some_and(|(key, _)| {
                !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
            })
    };
    if !last.lines().all(is_trailer) {
        return Vec::new();
    }
    let wanted = last
        .lines()
        .filter_map(|line| line.split_once(':'))
        .filter(|(key, _)| TRAILERS.contains(&key.to_ascii_lowercase().as_str()));
    let words = wanted.flat_map(|(_, value)| value.split([',', ' ', '\t', ';']));
    let ids = words.map(|word| word.trim_matches(['[', ']', '(', ')', '.']));
    // A reference in prose has words too; an id has a number.
    ids.filter(|word| word.chars().any(|c| c.is_ascii_digit())).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(pattern: Option<&str>, message: &str) -> Vec<String> {
        TaskIdPattern::choose(pattern, None).unwrap().ids(message).into_iter().collect()
    }

    #[test]
    fn ids_come_from_the_whole_message() {
        let message =
            "Fix it [T20260421-0528]\n\nBody names [T20260428-1] and [T20260412-0645-2], not T20260101-1.";
        assert_eq!(ids(None, message), ["T20260412-0645-2", "T20260421-0528", "T20260428-1"]);
        assert_eq!(ids(Some(r"[A-Z]+-\d+"), "PROJ-12: x, PROJ-12 and ENG-3"), ["ENG-3", "PROJ-12"]);
        assert_eq!(ids(Some(r"(?:fixes|refs) #(\d+)"), "x fixes #12, refs #13"), ["12", "13"]);
    }

    #[test]
    fn trailers_count_too() {
        let message = "Subject\n\nBody.\n\nTask: T20260101-1\nSigned-off-by: A <a@b.c>\nRefs: #12, ENG-3\ntask-id: [X9]";
        assert_eq!(ids(None, message), ["#12", "ENG-3", "T20260101-1", "X9"]);
        assert_eq!(ids(None, "Refs: #1"), [""; 0], "a subject is not a trailer");
        assert_eq!(ids(None, "S\n\nRefs: the book\nand more text 1"), [""; 0], "prose is not a trailer");
        assert_eq!(ids(None, "S\n\nRefs: the book"), [""; 0], "a word without a number is not an id");
    }

    #[test]
    fn the_strongest_pattern_counts_and_bad_ones_say_why() {
        let config = "[history]\ntask_id_pattern = 'C-\\d+'".parse::<toml::Table>().unwrap();
        assert_eq!(TaskIdPattern::choose(None, Some(&config)).unwrap().text(), r"C-\d+");
        assert_eq!(TaskIdPattern::choose(Some("X"), Some(&config)).unwrap().text(), "X");
        assert_eq!(TaskIdPattern::choose(None, None).unwrap().text(), DEFAULT_PATTERN);
        assert!(TaskIdPattern::choose(Some("("), None).is_err());
        assert!(TaskIdPattern::choose(Some("x*"), None).is_err());
    }
}
