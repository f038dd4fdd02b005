//! Splitting what a person types into the words that names are made of.

/// `dueSch run_due HTTPServer2` asks for `due`, `sch`, `run`, `due`, `http`, `server`, `2`.
pub(super) fn words_of(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_alphanumeric() {
            let ends_acronym = c.is_uppercase()
                && last.is_uppercase()
                && chars.peek().is_some_and(|next| next.is_lowercase());
            let starts_word = !last.is_alphanumeric()
                || (c.is_uppercase() && !last.is_uppercase())
                || (c.is_numeric() && last.is_alphabetic())
                || ends_acronym;
            match words.last_mut() {
                Some(word) if !starts_word => word.extend(c.to_lowercase()),
                _ => words.push(c.to_lowercase().collect()),
            }
        }
        last = c;
    }
    words
}

/// A word that is looked for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Term {
    pub(super) word: String,
    /// Words that begin with it count, too.
    pub(super) begins: bool,
}

impl Term {
    fn quoted(&self) -> String {
        format!("\"{}\"{}", self.word, if self.begins { "*" } else { "" })
    }
}

/// Every word as a beginning. A letter or two begin too many words, and stand for themselves unless they are all there is.
pub(super) fn beginnings(words: &[String]) -> Vec<Term> {
    let only = words.len() == 1;
    let term = |word: &String| Term { word: word.clone(), begins: only || word.chars().nth(2).is_some() };
    words.iter().map(term).collect()
}

/// All of them required.
pub(super) fn all_of(terms: &[Term]) -> String {
    terms.iter().map(Term::quoted).collect::<Vec<_>>().join(" AND ")
}

/// Every word as it is.
pub(super) fn whole(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    quoted.join(" AND ")
}

/// Every word as it is, only the last one as a beginning.
pub(super) fn last_begins(words: &[String]) -> String {
    whole(words) + "*"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_split_into_words() {
        for (text, words) in [
            ("dueSch", vec!["due", "sch"]),
            ("run_due", vec!["run", "due"]),
            ("HTTPServer2", vec!["http", "server", "2"]),
            ("due scheduler", vec!["due", "scheduler"]),
            ("  --  ", vec![]),
        ] {
            assert_eq!(words_of(text), words, "{text}");
        }
    }
}
