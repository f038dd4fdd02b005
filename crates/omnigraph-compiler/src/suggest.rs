//! Which of the known names was probably meant.

/// ``did you mean `knows`?`` when one of the candidates is close to what was written.
pub fn did_you_mean<'c>(written: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<String> {
    closest(written, candidates).map(|name| format!("did you mean `{name}`?"))
}

/// The closest candidate, if it is at most a third of its length away. Ties go to the first.
pub(crate) fn closest<'c>(written: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let lower = written.to_lowercase();
    let mut best: Option<(usize, &str)> = None;
    for name in candidates {
        let distance = distance(&lower, &name.to_lowercase());
        let longest = written.chars().count().max(name.chars().count());
        let is_close = distance <= (longest / 3).max(1) && distance < longest;
        if is_close && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// Insertions, deletions, replacements and swaps of neighbours between two words.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for (i, row) in rows.iter_mut().enumerate() {
        row[0] = i;
    }
    rows[0] = (0..=b.len()).collect();
    for i in 1..=a.len() {
        for j in 1..=b.len() {
            let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            rows[i][j] = least;
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn finds_what_was_meant() {
        assert_eq!(closest("knws", ["likes", "knows"]), Some("knows"));
        assert_eq!(closest("nmae", ["age", "name"]), Some("name"));
        assert_eq!(closest("Persn", ["Company", "Person"]), Some("Person"));
        assert_eq!(closest("zebra", ["age", "name"]), None);
        assert_eq!(closest("x", ["y"]), None);
    }
}
