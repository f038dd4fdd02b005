//! Text as words.

use icu_segmenter::WordSegmenter;
use icu_segmenter::options::WordBreakInvariantOptions;
use std::ops::Range;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::decompose_canonical;

/// What a word is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Letters between others that are not.
    Word,
    /// Two letters next to each other of a run of Han or Kana, where nothing shows where words end.
    Pair,
    /// The last letter of such a run, so that each of its letters begins a word.
    Last,
}

/// Calls back for each word, folded, with where it stands.
pub fn each_token(text: &str, mut found: impl FnMut(&str, Range<usize>, Shape)) {
    let mut word = String::with_capacity(32);
    let (mut start, mut run) = (0, None);
    for (at, c) in text.char_indices() {
        let script = if c.is_ascii() { Script::Spaced } else { Script::of(c) };
        if let Some((first, _)) = run.filter(|(_, of_run)| *of_run != script) {
            unspaced(text, first..at, &mut found);
            run = None;
        }
        if script != Script::Spaced {
            run.get_or_insert((at, script));
            finish(&mut word, start..at, &mut found);
        } else if c.is_ascii_alphanumeric() {
            if word.is_empty() {
                start = at;
            }
            word.push(c.to_ascii_lowercase());
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
    if let Some((first, _)) = run {
        unspaced(text, first..text.len(), &mut found);
    }
}

/// All words, folded, in order.
pub fn tokens(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_token(text, |word, _, _| words.push(word.to_owned()));
    words
}

fn finish(word: &mut String, at: Range<usize>, found: &mut impl FnMut(&str, Range<usize>, Shape)) {
    if !word.is_empty() {
        found(word, at, Shape::Word);
        word.clear();
    }
}

/// The words of a run of letters that has no spaces between them.
fn unspaced(text: &str, run: Range<usize>, found: &mut impl FnMut(&str, Range<usize>, Shape)) {
    // What is narrow or wide is the same; marks belong to the letters here.
    let word = |at: Range<usize>| text[at].nfkc().collect::<String>().to_lowercase();
    let letters = &text[run.clone()];
    if letters.chars().next().map(Script::of) == Some(Script::Pairs) {
        let ends = letters.char_indices().map(|(at, c)| run.start + at + c.len_utf8());
        let mut ends = ends.collect::<Vec<_>>().into_iter().peekable();
        let mut start = run.start;
        while let Some(end) = ends.next() {
            match ends.peek() {
                Some(next) => found(&word(start..*next), start..*next, Shape::Pair),
                None => found(&word(start..end), start..end, Shape::Last),
            }
            start = end;
        }
        return;
    }
    let segmenter = WordSegmenter::new_dictionary(WordBreakInvariantOptions::default());
    let mut start = run.start;
    for end in segmenter.segment_str(letters).skip(1) {
        let at = start..run.start + end;
        if letters[at.start - run.start..end].chars().any(char::is_alphanumeric) {
            found(&word(at.clone()), at.clone(), Shape::Word);
        }
        start = at.end;
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

/// How a script shows where words end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Script {
    /// By what is between them.
    Spaced,
    /// Not at all: Thai, Lao, Khmer, Burmese, whose words the dictionaries of Unicode's ICU know.
    Dictionary,
    /// Not at all: Han and Kana. Dictionaries cut the same word in two ways by what stands around it, so that it would not be
    /// found; pairs of letters are.
    Pairs,
}

impl Script {
    fn of(c: char) -> Script {
        match c {
            '\u{e01}'..='\u{e3a}' | '\u{e40}'..='\u{e4e}' // Thai
            | '\u{e80}'..='\u{ece}' // Lao
            | '\u{1000}'..='\u{103f}' | '\u{1050}'..='\u{108f}' // Burmese
            | '\u{1780}'..='\u{17d3}' => Script::Dictionary, // Khmer
            '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{3099}'..='\u{309f}' // Hiragana
            | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}' | '\u{31f0}'..='\u{31ff}' // Katakana
            | '\u{ff66}'..='\u{ff9f}' // narrow
            | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' // Han
            | '\u{20000}'..='\u{3ffff}' => Script::Pairs,
            _ => Script::Spaced,
        }
    }
}
