//! Text as words.

use lance_tokenizer::{IcuTokenizer, TokenStream as _, Tokenizer as _};
use std::ops::Range;
use unicode_normalization::char::decompose_canonical;

/// Calls back for each word, folded, with where it stands.
pub fn each_token(text: &str, mut found: impl FnMut(&str, Range<usize>)) {
    let mut word = String::with_capacity(32);
    let (mut start, mut run) = (0, None);
    for (at, c) in text.char_indices() {
        if let Some(first) = run.filter(|_| !is_unspaced(c)) {
            segments(text, first..at, &mut found);
            run = None;
        }
        if c.is_ascii_alphanumeric() {
            if word.is_empty() {
                start = at;
            }
            word.push(c.to_ascii_lowercase());
        } else if !c.is_ascii() && is_unspaced(c) {
            run.get_or_insert(at);
            finish(&mut word, start..at, &mut found);
        } else if !c.is_ascii() && c.is_alphanumeric() {
            if word.is_empty() {
                start = at;
            }
            fold(c, &mut word);
        } else if !is_accent(c) {
            finish(&mut word, start..at, &mut found);
        }
    }
    finish(&mut word, start..text.len(), &mut found);
    if let Some(first) = run {
        segments(text, first..text.len(), &mut found);
    }
}

/// All words, folded, in order.
pub fn tokens(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_token(text, |word, _| words.push(word.to_owned()));
    words
}

fn finish(word: &mut String, at: Range<usize>, found: &mut impl FnMut(&str, Range<usize>)) {
    if !word.is_empty() {
        found(word, at);
        word.clear();
    }
}

/// The words of a run of letters that has no spaces between them, by the dictionaries of Unicode's ICU.
fn segments(text: &str, run: Range<usize>, found: &mut impl FnMut(&str, Range<usize>)) {
    let mut tokenizer = IcuTokenizer::default();
    let mut segments = tokenizer.token_stream(&text[run.clone()]);
    while let Some(segment) = segments.next() {
        let at = run.start + segment.offset_from..run.start + segment.offset_to;
        found(&folded(&text[at.clone()]), at);
    }
}

/// A word in lower case and without accents.
pub(super) fn folded(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    word.chars().filter(|c| !is_accent(*c)).for_each(|c| fold(c, &mut out));
    out
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

/// Letters and signs of scripts that write words without spaces between them: Han, Kana, Thai, Lao, Khmer, Burmese.
fn is_unspaced(c: char) -> bool {
    matches!(
        c,
        '\u{e01}'..='\u{e3a}' | '\u{e40}'..='\u{e4e}' // Thai
            | '\u{e80}'..='\u{ece}' // Lao
            | '\u{1000}'..='\u{103f}' | '\u{1050}'..='\u{108f}' // Burmese
            | '\u{1780}'..='\u{17d3}' // Khmer
            | '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{309f}' | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}'
            | '\u{31f0}'..='\u{31ff}' | '\u{ff66}'..='\u{ff9d}' // Kana
            | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'
    )
}
