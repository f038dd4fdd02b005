//! Human languages that texts are searched in.

use std::fmt;

macro_rules! languages {
    ($($(#[$doc:meta])* $variant:ident = $code:literal, $name:literal;)*) => {
        /// A language whose words have stems, and words that say nothing alone.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "the names of languages")]
        pub enum Language { $($variant,)* }

        impl Language {
            /// All of them.
            pub const ALL: &'static [Language] = &[$(Language::$variant),*];

            /// Of two letters, as in ISO 639-1.
            pub fn code(self) -> &'static str {
                match self { $(Language::$variant => $code,)* }
            }

            /// In English.
            pub fn name(self) -> &'static str {
                match self { $(Language::$variant => $name,)* }
            }
        }
    };
}

languages! {
    Arabic = "ar", "arabic";
    Danish = "da", "danish";
    Dutch = "nl", "dutch";
    English = "en", "english";
    Finnish = "fi", "finnish";
    French = "fr", "french";
    German = "de", "german";
    Greek = "el", "greek";
    Hungarian = "hu", "hungarian";
    Italian = "it", "italian";
    Norwegian = "no", "norwegian";
    Portuguese = "pt", "portuguese";
    Romanian = "ro", "romanian";
    Russian = "ru", "russian";
    Spanish = "es", "spanish";
    Swedish = "sv", "swedish";
    Tamil = "ta", "tamil";
    Turkish = "tr", "turkish";
}

impl Language {
    /// By its code.
    pub fn of_code(code: &str) -> Option<Language> {
        Language::ALL.iter().copied().find(|language| language.code() == code)
    }

    /// By what somebody may have meant: the name, or the code in other letters.
    pub(crate) fn meant(written: &str) -> Option<Language> {
        let written = written.trim().to_lowercase();
        let primary = written.split(['-', '_']).next().unwrap_or_default();
        Language::of_code(primary)
            .or_else(|| Language::ALL.iter().copied().find(|language| language.name() == written))
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}
