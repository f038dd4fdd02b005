//! Names and paths as full-text search takes them.

/// A name's words apart: `runDueHTTPJobs` becomes `run Due HTTP Jobs`. FTS splits the rest.
pub(super) fn split_words(name: &str, out: &mut String) {
    out.clear();
    add_words(name, out);
}

/// Adds the words of the last of the names round a symbol, if it has several: `cancel` of `ParcelSender` is found by
/// `sender cancel`.
pub(super) fn split_last(container: &str, separator: &str, out: &mut String) {
    let last = container.trim_end_matches(separator);
    let last = last.rsplit(separator).next().unwrap_or(last);
    let mut letters = last.chars().skip(1);
    if letters.any(|letter| letter.is_uppercase() || letter.is_ascii_digit()) && !last.contains('/') {
        out.push(' ');
        add_words(last, out);
    }
}

fn add_words(name: &str, out: &mut String) {
    let mut last = ' ';
    let mut chars = name.chars().peekable();
    while let Some(c) = chars.next() {
        let starts_word = c.is_uppercase()
            && (last.is_lowercase()
                || last.is_ascii_digit()
                || (last.is_uppercase() && chars.peek().is_some_and(|next| next.is_lowercase())));
        if starts_word || (c.is_ascii_digit() && last.is_alphabetic()) {
            out.push(' ');
        }
        out.push(c);
        last = c;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_split_into_words() {
        let mut out = String::new();
        for (name, words) in [
            ("runDueHTTPJobs", "run Due HTTP Jobs"),
            ("run_due", "run_due"),
            ("HTMLParser2", "HTML Parser 2"),
            ("ÄrgerLog", "Ärger Log"),
        ] {
            split_words(name, &mut out);
            assert_eq!(out, words);
        }
    }
}
