//! Words of a language: their stems, and those that say nothing alone.

use super::token::folded;
use lance_tokenizer::{
    RawTokenizer, Stemmer, StopWordFilter, TokenFilter as _, TokenStream as _, Tokenizer as _,
};
use omnigraph_compiler::Language;
use std::sync::OnceLock;
use unicode_normalization::UnicodeNormalization as _;

/// A word in the form that stemmers and lists of words know: in lower case, its accents joined to its letters.
pub(super) fn lower(word: &str) -> String {
    word.to_lowercase().nfc().collect()
}

/// The stem of a word in lower case, without accents.
pub(super) fn stem(language: Language, word: &str) -> String {
    let mut tokenizer = Stemmer::new(known(language)).transform(RawTokenizer::default());
    let mut stream = tokenizer.token_stream(word);
    folded(stream.next().map_or(word, |token| &token.text))
}

/// Whether a word in lower case is one of those that nearly every text has.
pub(super) fn is_stop_word(language: Language, word: &str) -> bool {
    let Some(filter) = stop_words(language) else { return false };
    let mut tokenizer = filter.clone().transform(RawTokenizer::default());
    !tokenizer.token_stream(word).advance()
}

fn stop_words(language: Language) -> Option<&'static StopWordFilter> {
    static LISTS: [OnceLock<Option<StopWordFilter>>; Language::ALL.len()] =
        [const { OnceLock::new() }; Language::ALL.len()];
    LISTS[language as usize].get_or_init(|| StopWordFilter::new(known(language))).as_ref()
}

fn known(language: Language) -> lance_tokenizer::Language {
    use lance_tokenizer::Language as Known;
    match language {
        Language::Arabic => Known::Arabic,
        Language::Danish => Known::Danish,
        Language::Dutch => Known::Dutch,
        Language::English => Known::English,
        Language::Finnish => Known::Finnish,
        Language::French => Known::French,
        Language::German => Known::German,
        Language::Greek => Known::Greek,
        Language::Hungarian => Known::Hungarian,
        Language::Italian => Known::Italian,
        Language::Norwegian => Known::Norwegian,
        Language::Portuguese => Known::Portuguese,
        Language::Romanian => Known::Romanian,
        Language::Russian => Known::Russian,
        Language::Spanish => Known::Spanish,
        Language::Swedish => Known::Swedish,
        Language::Tamil => Known::Tamil,
        Language::Turkish => Known::Turkish,
    }
}
