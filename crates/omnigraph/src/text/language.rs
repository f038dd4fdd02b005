//! Words of a language: their stems, and those that say nothing alone.

use super::token::{folded, tokens};
use frostem::{Algorithm, Stemmer};
use omnigraph_compiler::Language;
use std::collections::HashSet;
use std::sync::OnceLock;
use unicode_normalization::UnicodeNormalization as _;

/// A word in the form that stemmers and lists of words know: in lower case, its accents joined to its letters.
pub(super) fn lower(word: &str) -> String {
    word.to_lowercase().nfc().collect()
}

/// The stem of a word in lower case, without accents.
pub(super) fn stem(language: Language, word: &str) -> String {
    folded(&Stemmer::new(algorithm(language)).stem(word))
}

/// Whether a word in lower case is one of those that nearly every text has.
pub(super) fn is_stop_word(language: Language, word: &str) -> bool {
    static LISTS: [OnceLock<HashSet<String>>; Language::ALL.len()] =
        [const { OnceLock::new() }; Language::ALL.len()];
    let list = LISTS[language as usize].get_or_init(|| {
        let words = stop_words::lookup(language.code()).unwrap_or_default();
        // What is cut in two, as `don't` is, is never looked for.
        words.iter().filter(|word| tokens(word).len() == 1).map(|word| lower(word.trim())).collect()
    });
    list.contains(word)
}

fn algorithm(language: Language) -> Algorithm {
    match language {
        Language::Arabic => Algorithm::Arabic,
        Language::Danish => Algorithm::Danish,
        Language::Dutch => Algorithm::Dutch,
        Language::English => Algorithm::English,
        Language::Finnish => Algorithm::Finnish,
        Language::French => Algorithm::French,
        Language::German => Algorithm::German,
        Language::Greek => Algorithm::Greek,
        Language::Hungarian => Algorithm::Hungarian,
        Language::Italian => Algorithm::Italian,
        Language::Norwegian => Algorithm::Norwegian,
        Language::Portuguese => Algorithm::Portuguese,
        Language::Romanian => Algorithm::Romanian,
        Language::Russian => Algorithm::Russian,
        Language::Spanish => Algorithm::Spanish,
        Language::Swedish => Algorithm::Swedish,
        Language::Tamil => Algorithm::Tamil,
        Language::Turkish => Algorithm::Turkish,
    }
}
