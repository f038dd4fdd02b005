//! How far two words are apart.

/// Insertions, deletions, replacements and swaps of neighbours that a word of this many letters may differ by.
pub fn automatic_edits(letters: usize) -> u8 {
    match letters {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    }
}

/// Which of the letters and digits a word has, for a quick comparison. Different letters may share a bit.
pub(super) fn letter_set(word: &str) -> u64 {
    word.chars().fold(0, |set, c| set | (1 << (u32::from(c) & 63)))
}

/// Whether words with these letter sets are certainly further apart.
pub(super) fn differ(a: u64, b: u64, edits: u8) -> bool {
    let edits = u32::from(edits);
    (a & !b).count_ones() > edits || (b & !a).count_ones() > edits
}

/// A word to compare many others with; keeps its rows between calls.
#[derive(Debug)]
pub(super) struct Pattern {
    letters: Vec<char>,
    pub(super) set: u64,
    rows: [Vec<u8>; 3],
    other: Vec<char>,
}

impl Pattern {
    pub(super) fn new(word: &str) -> Pattern {
        let letters: Vec<char> = word.chars().collect();
        Pattern {
            letters,
            set: letter_set(word),
            rows: [Vec::new(), Vec::new(), Vec::new()],
            other: Vec::new(),
        }
    }

    /// Whether the other word is at most so many edits away; a swap of neighbours is one edit.
    pub(super) fn within(&mut self, other: &str, edits: u8) -> bool {
        let most = usize::from(edits);
        let length = if other.is_ascii() { other.len() } else { other.chars().count() };
        if self.letters.len().abs_diff(length) > most {
            return false;
        }
        self.other.clear();
        self.other.extend(other.chars());
        let (a, b) = (&self.letters, &self.other);
        let far = edits + 1;
        let [before, last, row] = &mut self.rows;
        last.clear();
        last.extend((0..=b.len()).map(|at| u8::try_from(at).unwrap_or(far).min(far)));
        before.clear();
        before.resize(b.len() + 1, far);
        for i in 1..=a.len() {
            row.clear();
            row.resize(b.len() + 1, far);
            row[0] = u8::try_from(i).unwrap_or(far).min(far);
            let mut best = row[0];
            // Cells further than `edits` from the diagonal cannot be small enough.
            for j in i.saturating_sub(most).max(1)..=(i + most).min(b.len()) {
                let replaced = last[j - 1] + u8::from(a[i - 1] != b[j - 1]);
                let mut cost = replaced.min(last[j] + 1).min(row[j - 1] + 1).min(far);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    cost = cost.min(before[j - 2] + 1);
                }
                row[j] = cost;
                best = best.min(cost);
            }
            if best > edits {
                return false;
            }
            std::mem::swap(before, last);
            std::mem::swap(last, row);
        }
        last[b.len()] <= edits
    }
}

/// Whether two words are at most so many edits apart; a swap of neighbours is one edit.
pub fn within(a: &str, b: &str, edits: u8) -> bool {
    Pattern::new(a).within(b, edits.min(u8::MAX - 2))
}
