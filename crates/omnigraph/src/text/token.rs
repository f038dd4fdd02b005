//! Text as words.

use unicode_normalization::char::decompose_canonical;

/// Calls back for each word with its place among the words of the text.
pub fn each_token(text: &str, mut found: impl FnMut(&str, u32)) {
    let mut word = String::with_capacity(32);
    let mut place = 0;
    for c in text.chars() {
        if c.is_ascii_alphanumeric() {
            word.push(c.to_ascii_lowercase());
        } else if !c.is_ascii() && c.is_alphanumeric() {
            fold(c, &mut word);
        } else if !word.is_empty() && !is_accent(c) {
            found(&word, place);
            place += 1;
            word.clear();
        }
    }
    if !word.is_empty() {
        found(&word, place);
    }
}

/// All words, in order.
pub fn tokens(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_token(text, |word, _| words.push(word.to_owned()));
    words
}

/// Adds a letter in lower case and without accents.
fn fold(c: char, word: &mut String) {
    for lower in c.to_lowercase() {
        decompose_canonical(lower, |part| match part {
            'ø' => word.push('o'),
            'ł' => word.push('l'),
            'đ' | 'ð' => word.push('d'),
            'ħ' => word.push('h'),
            'ı' => word.push('i'),
            'ß' => word.push_str("ss"),
            'æ' => word.push_str("ae"),
            'œ' => word.push_str("oe"),
            'þ' => word.push_str("th"),
            part if is_accent(part) => {}
            part => word.push(part),
        });
    }
}

/// Marks that stand over, under or through a letter.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}')
}
