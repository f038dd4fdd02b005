//! Enums that have a word: in the database, in requests and in answers.

/// A closed set of words.
pub(crate) trait Word: Copy + Sized + 'static {
    /// Every member, in the order in which they are listed to people.
    const ALL: &'static [Self];
    /// The word.
    fn as_str(self) -> &'static str;

    /// The member with this word, in any case.
    fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|member| member.as_str().eq_ignore_ascii_case(text.trim()))
    }

    /// All words, for messages.
    fn listed() -> String {
        Self::ALL.iter().map(|member| member.as_str()).collect::<Vec<_>>().join(", ")
    }
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name { $($(#[$about])* $variant,)* }

        impl $crate::words::Word for $name {
            const ALL: &'static [$name] = &[$($name::$variant,)*];
            fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }
        }

        impl $name {
            /// The word in requests, answers and the database.
            pub fn word(self) -> &'static str {
                $crate::words::Word::as_str(self)
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }

        impl rusqlite::ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(self.word().into())
            }
        }

        impl rusqlite::types::FromSql for $name {
            fn column_result(value: rusqlite::types::ValueRef<'_>) -> rusqlite::types::FromSqlResult<$name> {
                let text = value.as_str()?;
                <$name as $crate::words::Word>::parse(text).ok_or(rusqlite::types::FromSqlError::InvalidType)
            }
        }
    };
}
pub(crate) use words;
