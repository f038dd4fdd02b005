//! Node kinds and fields of a grammar by number: what language modules dispatch on.

use tree_sitter::Node;

/// Maps a grammar's node kinds to a language module's own enum, by number.
pub(crate) struct KindTable<K> {
    kinds: Vec<K>,
    other: K,
}

impl<K: Copy> KindTable<K> {
    pub(crate) fn new(language: &tree_sitter::Language, known: &[(&str, K)], other: K) -> KindTable<K> {
        let kinds = (0..language.node_kind_count() as u16)
            .map(|id| {
                let (text, named) = (language.node_kind_for_id(id), language.node_kind_is_named(id));
                known
                    .iter()
                    .find(|(kind, _)| named && text == Some(*kind))
                    .map_or(other, |(_, mapped)| *mapped)
            })
            .collect();
        KindTable { kinds, other }
    }

    pub(crate) fn of(&self, node: Node<'_>) -> K {
        self.kinds.get(usize::from(node.kind_id())).copied().unwrap_or(self.other)
    }
}

/// Declares `enum Kind` for the named node kinds a language module looks at, and `fn kinds(language)`.
macro_rules! node_kinds {
    ($($variant:ident = $text:literal),* $(,)?) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Kind { Other, $($variant),* }

        pub(super) fn kinds(language: &tree_sitter::Language) -> $crate::kinds::KindTable<Kind> {
            $crate::kinds::KindTable::new(language, &[$(($text, Kind::$variant)),*], Kind::Other)
        }
    };
}

/// Declares `struct Fields` with the numbers of the fields a language module looks at.
macro_rules! node_fields {
    ($($field:ident = $text:literal),* $(,)?) => {
        #[derive(Clone, Copy)]
        pub(super) struct Fields { $(pub(super) $field: u16),* }

        impl Fields {
            pub(super) fn new(language: &tree_sitter::Language) -> Fields {
                Fields { $($field: language.field_id_for_name($text).map_or(0, std::num::NonZeroU16::get)),* }
            }
        }
    };
}

pub(crate) use {node_fields, node_kinds};
