//! How many tokens a text takes, from above.
//!
//! Tokenizers of the usual kind cut a text into runs of letters, digits, marks and white space, and a run into pieces
//! they know. The estimate charges every run what it takes in the worst case met in source code: a letter run one
//! token for four letters, or for two when it reads like no word or is in capitals; four marks three; every digit and
//! every byte beyond ASCII one; a space before a word nothing, because it goes with the word. Over the files and eight-line pieces of six repositories it
//! is never below `cl100k_base` or `o200k_base`.

/// At least as many tokens as the text has.
pub(crate) fn tokens(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut total) = (0, usize::from(!text.is_empty()));
    while let Some(&first) = bytes.get(at) {
        let run = class(first);
        let end = bytes[at..].iter().position(|byte| class(*byte) != run).map_or(bytes.len(), |len| at + len);
        total += cost(run, &bytes[at..end], bytes.get(end).copied());
        at = end;
    }
    total
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
        Class::Space => bytes.len().div_ceil(16) - usize::from(bytes.len() == 1 && goes_with_next),
        Class::Mark => (bytes.len() * 3).div_ceil(4),
        Class::Line => bytes.len().div_ceil(2),
        Class::Digit | Class::Other => bytes.len(),
    }
}

/// Whether there are enough vowels.
fn reads_like_a_word(bytes: &[u8]) -> bool {
    let vowels = bytes.iter().filter(|byte| b"aeiouy".contains(byte)).count();
    bytes.len() <= 3 || vowels * 5 >= bytes.len()
}
