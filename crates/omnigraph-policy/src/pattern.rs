//! Patterns of branch names: `main`, `release/*`, `agent/${actor}/*`.

use serde::Deserialize;
use std::fmt;

/// Stands for any characters, slashes included, or none.
const ANY: char = '*';

/// Stands for the name of whoever asks.
const ACTOR: &str = "${actor}";

/// Characters that other languages of patterns know. No branch can have most of them, so whoever writes one means more
/// than a name.
const FOREIGN: [char; 9] = ['?', '[', ']', '{', '}', '$', '\\', '^', '~'];

/// A pattern that holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Pattern {
    parts: Vec<Part>,
    text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Text(String),
    Any,
    Actor,
}

impl Pattern {
    /// Whether it means another branch for each actor.
    pub(crate) fn is_personal(&self) -> bool {
        self.parts.contains(&Part::Actor)
    }

    /// Whether a branch is meant when `actor` asks. A name with a slash would reach into the branches of others, so such
    /// an actor has no branches of its own.
    pub(crate) fn matches(&self, branch: &str, actor: &str) -> bool {
        if self.is_personal() && (actor.is_empty() || actor.contains('/')) {
            return false;
        }
        fits(&self.parts, branch, actor)
    }
}

fn fits(parts: &[Part], text: &str, actor: &str) -> bool {
    let Some((first, rest)) = parts.split_first() else { return text.is_empty() };
    let literal = match first {
        Part::Text(part) => part,
        Part::Actor => actor,
        Part::Any => {
            let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            return ends.into_iter().any(|at| fits(rest, &text[at..], actor));
        }
    };
    text.strip_prefix(literal).is_some_and(|text| fits(rest, text, actor))
}

impl TryFrom<String> for Pattern {
    type Error = String;

    fn try_from(text: String) -> Result<Pattern, String> {
        if text.trim().is_empty() {
            return Err("branch patterns must not be blank".to_owned());
        }
        let mut parts = Vec::new();
        for (at, between) in text.split(ACTOR).enumerate() {
            if at > 0 {
                parts.push(Part::Actor);
            }
            if let Some(foreign) = between.chars().find(|c| FOREIGN.contains(c) || c.is_whitespace()) {
                return Err(format!(
                    "branch pattern '{text}' has a '{foreign}': `{ANY}` stands for any characters and `{ACTOR}` for \
                     the name of whoever asks, everything else for itself"
                ));
            }
            for (at, literal) in between.split(ANY).enumerate() {
                // Two in a row mean no more than one.
                if at > 0 && parts.last() != Some(&Part::Any) {
                    parts.push(Part::Any);
                }
                if !literal.is_empty() {
                    parts.push(Part::Text(literal.to_owned()));
                }
            }
        }
        Ok(Pattern { parts, text })
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::Pattern;

    fn pattern(text: &str) -> Pattern {
        Pattern::try_from(text.to_owned()).expect("it holds")
    }

    #[test]
    fn a_star_is_any_characters() {
        for (text, branch, expected) in [
            ("main", "main", true),
            ("main", "main2", false),
            ("main", "amain", false),
            ("release/*", "release/1", true),
            ("release/*", "release/1/fix", true),
            ("release/*", "release/", true),
            ("release/*", "release", false),
            ("*", "", true),
            ("*/fix/*", "a/b/fix/c", true),
            ("*/fix/*", "a/b/fixc", false),
            ("a**b", "ab", true),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("ü*", "übung", true),
        ] {
            assert_eq!(pattern(text).matches(branch, "ann"), expected, "{text} {branch}");
        }
    }

    #[test]
    fn own_branches_are_those_of_the_actor() {
        let own = pattern("agent/${actor}/*");
        assert!(own.matches("agent/ann/1", "ann"));
        assert!(!own.matches("agent/ann/1", "bob"));
        assert!(!own.matches("agent/ann", "ann"));
        // `*` in a name is a star, not a pattern.
        assert!(!own.matches("agent/bob/1", "*"));
        // Nobody gets into the branches of another by a name with a slash, or without one.
        assert!(!own.matches("agent/a/b/1", "a/b"));
        assert!(!own.matches("agent//1", ""));
    }

    #[test]
    fn other_patterns_are_refused() {
        for text in ["", " ", "a?", "[ab]", "{a,b}", "${user}/*", "$actor", "a b", "a\\*"] {
            assert!(Pattern::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
