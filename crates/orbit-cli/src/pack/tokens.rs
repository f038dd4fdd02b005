//! How many tokens a text takes, from above.
//!
//! Tokenizers of the usual kind cut a text into runs of letters, digits, marks and white space, and a run into pieces
//! they know. The estimate charges every run what it takes in the worst case met in source code: a letter run one
//! token for four letters, or for two when it reads like no word or is in capitals; four marks three; every digit and
//! every byte beyond ASCII one; a space before a word nothing, because it goes with the word. Over all files of six
//! repositories, whole and in pieces of eight lines, it is never below `cl100k_base` or `o200k_base`, and about three
//! quarters above.

/// At least as many tokens as the text has.
pub(crate) fn tokens(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut total) = (0, 2 * usize::from(!text.is_empty()));
    while let Some(&first) = bytes.get(at) {
        let run = class(first);
        let end = bytes[at..].iter().position(|byte| class(*byte) != run).map_or(bytes.len(), |len| at + len);
        total += cost(run, &bytes[at..end], bytes.get(end).copied());
        at = end;
    }
    // What other tools are held to: never below a third of the bytes.
    total.max(bytes.len().div_ceil(3))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Lower,
    Upper,
    Digit,
    Space,
    Line,
    Mark,
    Other,
}

fn class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' => Class::Lower,
        b'A'..=b'Z' => Class::Upper,
        b'0'..=b'9' => Class::Digit,
        b' ' => Class::Space,
        b'\t' | b'\n' | b'\r' => Class::Line,
        0x80.. | 0..0x20 => Class::Other,
        _ => Class::Mark,
    }
}

fn cost(run: Class, bytes: &[u8], next: Option<u8>) -> usize {
    let goes_with_next =
        next.is_some_and(|next| matches!(class(next), Class::Lower | Class::Upper | Class::Mark));
    match run {
        Class::Lower if reads_like_a_word(bytes) => bytes.len().div_ceil(4),
        Class::Lower | Class::Upper => bytes.len().div_ceil(2),
        // Of several spaces before a digit the last stands alone.
        Class::Space if bytes.len() > 1 && !goes_with_next => bytes.len().div_ceil(16) + 1,
        Class::Space => bytes.len().div_ceil(16) - usize::from(bytes.len() == 1 && goes_with_next),
        Class::Mark => (bytes.len() * 3).div_ceil(4),
        Class::Line => bytes.len().div_ceil(2),
        Class::Digit | Class::Other => bytes.len(),
    }
}

/// Whether there are enough vowels and no rare letters.
fn reads_like_a_word(bytes: &[u8]) -> bool {
    let vowels = bytes.iter().filter(|byte| b"aeiouy".contains(byte)).count();
    let is_rare = bytes.iter().any(|byte| b"jqxz".contains(byte));
    !is_rare && (bytes.len() <= 3 || vowels * 5 >= bytes.len())
}

#[cfg(test)]
mod tests {
    use super::tokens;

    /// Texts that are hard for tokenizers, with what `cl100k_base` makes of them.
    #[test]
    fn hard_texts_are_not_underestimated() {
        let texts = [
            ("", 0),
            ("* text=auto eol=lf\n", 9),
            ("ake\nbale\nfle\nfo\ngameboy\nmutli\nnd\nnees\n", 20),
            ("   :maxdepth: 1\n\n   6.0.8\n   6.0.7\n   6.0.6\n   6.0.5\n   6.0.4\n   6.0.3\n", 56),
        ];
        for (text, least) in texts {
            let counted = tokens(text);
            assert!(counted >= least, "{counted} < {least}: {text:?}");
            assert!(counted <= text.len() + 2, "more than a token for a byte: {text:?}");
        }
    }
}
