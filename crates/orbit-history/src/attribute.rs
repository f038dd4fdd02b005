//! Which symbols a file's hunks touch.
//!
//! A hunk credits the innermost symbols whose lines overlap it: a symbol that has a touched one inside is not
//! credited itself. A pure deletion credits the innermost symbol that has the line before the gap.

use crate::git::log::Hunk;
use crate::outline::Outline;

/// For every symbol of the new version, whether the hunks credit it.
pub(crate) fn credited(outline: &Outline, hunks: &[Hunk]) -> Vec<bool> {
    let symbols = &outline.symbols;
    let mut credited = vec![false; symbols.len()];
    // The number of the last hunk that also overlaps something inside the symbol.
    let mut inner = vec![usize::MAX; symbols.len()];
    for (number, hunk) in hunks.iter().enumerate() {
        let (first, last) = (hunk.start, hunk.start + hunk.len.saturating_sub(1));
        let overlaps = |at: &usize| symbols[*at].first_line <= last && symbols[*at].last_line >= first;
        for at in (0..symbols.len()).filter(overlaps) {
            let mut parent = symbols[at].parent;
            while let Some(outer) = parent.map(|outer| outer as usize) {
                inner[outer] = number;
                parent = symbols[outer].parent;
            }
        }
        for at in (0..symbols.len()).filter(overlaps) {
            credited[at] |= inner[at] != number;
        }
    }
    credited
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outline::outline;

    const SOURCE: &str = "X = 1\n\nclass A:\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n\n\ndef h():\n    pass\n";

    fn touched(hunks: &[(u32, u32)]) -> Vec<String> {
        let outline = outline("a.py", SOURCE.as_bytes());
        let hunks: Vec<Hunk> = hunks.iter().map(|&(start, len)| Hunk { start, len }).collect();
        let marks = credited(&outline, &hunks);
        let names = outline.symbols.iter().zip(marks).filter(|(_, mark)| *mark);
        names.map(|(symbol, _)| symbol.local.to_string()).collect()
    }

    #[test]
    fn the_innermost_symbol_is_credited() {
        assert_eq!(touched(&[(5, 1)]), ["A.f"]);
        assert_eq!(touched(&[(3, 1)]), ["A"]);
        assert_eq!(touched(&[(6, 2)]), ["A.g"]);
        assert_eq!(touched(&[(5, 4)]), ["A.f", "A.g"]);
        assert_eq!(touched(&[(1, 1), (12, 1)]), ["X", "h"]);
        assert_eq!(touched(&[(9, 2)]), [""; 0], "between symbols only the file is touched");
    }

    #[test]
    fn a_deletion_credits_what_stands_before_the_gap() {
        assert_eq!(touched(&[(5, 0)]), ["A.f"]);
        assert_eq!(touched(&[(3, 0)]), ["A"]);
        assert_eq!(touched(&[(6, 0)]), ["A"]);
        assert_eq!(touched(&[(0, 0)]), [""; 0]);
        assert_eq!(touched(&[(9, 0)]), [""; 0]);
    }
}
