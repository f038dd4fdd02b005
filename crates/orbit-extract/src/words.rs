//! How often each word is written in a file, and as what.
//!
//! ```text
//! source ─every word─▶ roles (what the language module saw) ─else─▶ leaf of the tree ─▶ WordCount…
//! ```
//!
//! Words are counted in the bytes, as `grep -w` does, so the count depends neither on what extraction understood nor on
//! what is resolved later: what nobody explained is left over ([`WordCount::open`]) instead of missing.

mod leaves;
mod scan;

use crate::builder::Builder;
use crate::hash::hash_name;
use crate::{ExtractedFile, Family, ImportKind, NameId};
use foldhash::fast::FixedState;
use hashbrown::{HashSet, HashTable};
use leaves::{Leaf, Leaves};
use scan::Words;
use tree_sitter::Tree;

/// What a language module took a word for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// The name of a symbol where it is defined.
    Definition,
    /// Has a reference row, or an import.
    Reference,
    /// A local variable or parameter.
    Local,
}

/// A word in code that is neither defined nor referred to there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpenWord {
    /// The word, by [`word_key`].
    pub key: u64,
    /// Its first byte.
    pub start: u32,
    /// What is known of it.
    pub role: WordRole,
}

/// What is known of a word that is neither defined nor referred to where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordRole {
    /// Nothing.
    Unknown,
    /// The name of a parameter or field before its value.
    Key,
    /// Part of a path that leads to something else.
    Path,
}

/// How often one word is written in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordCount {
    /// The word, by [`word_key`].
    pub key: u64,
    /// Everywhere, comments and strings included.
    pub total: u32,
    /// In comments, strings and documentation.
    pub text: u32,
    /// As the name of a definition.
    pub definitions: u32,
    /// Where there is a reference or an import.
    pub references: u32,
    /// As a local variable, a parameter or a keyword.
    pub local: u32,
    /// As part of the path of a module, type or package that leads to something else.
    pub path: u32,
    /// As the name of a parameter or field before its value, where nobody knows of what.
    pub key_of_value: u32,
    /// In code that the parser could not read.
    pub damaged: u32,
}

impl WordCount {
    /// How often it is written in code as something that nobody explained.
    pub fn open(&self) -> u32 {
        let code = self.definitions + self.references + self.local + self.path + self.key_of_value;
        self.total.saturating_sub(code + self.text + self.damaged)
    }
}

/// The number that a word is counted under. It is stored, so it depends on nothing but the text.
pub fn word_key(word: &str) -> u64 {
    hash_name(word)
}

/// The word that a name is written as: `save` of `save!`, `x` of `#x`. `None` for a name of several words, and one of none.
pub fn word_of(name: &str) -> Option<&str> {
    let mut words = Words::new(name);
    let (start, end) = words.next()?;
    words.next().is_none().then(|| &name[start..end])
}

/// Where a name is first written as a word of its own.
pub(crate) fn find(text: &str, name: &str) -> Option<usize> {
    let word = word_of(name)?;
    Words::new(text).find(|(start, end)| &text[*start..*end] == word).map(|(start, _)| start)
}

/// The words of running text: documentation, configuration, formats without a grammar.
pub fn words_of_text(source: &str) -> Vec<WordCount> {
    let mut counts = Counts::default();
    for (start, end) in Words::new(source) {
        let count = counts.of(hash_name(&source[start..end]));
        count.total += 1;
        count.text += 1;
    }
    counts.sorted()
}

/// Counts the words of a file that a language module has walked.
pub(crate) fn count(builder: &mut Builder<'_>, trees: &[Tree]) -> (Vec<WordCount>, Vec<OpenWord>) {
    let mut roles = roles(builder);
    roles.sort(); // runs that are in order already
    mark_definitions(builder, &roles);
    let (source, file) = (builder.source, &builder.file);
    let mut roles = roles.into_iter().peekable();
    let mut texts = builder.texts.clone();
    texts.sort();
    let mut texts = texts.into_iter().peekable();
    let mut leaves = Leaves::new(source, file.lang.family(), trees);
    let mut counts = Counts::default();
    // Type parameters are declared before they are used.
    let mut parameters: HashSet<u64, FixedState> = HashSet::with_hasher(FixedState::with_seed(7));
    let modules = bound_modules(file);
    let mut open = Vec::new();
    // The comment or string at hand: its words need no look at the tree.
    let mut text_until = 0;
    for (start, end) in Words::new(source) {
        let word = &source[start..end];
        let count = counts.of(hash_name(word));
        count.total += 1;
        while roles.next_if(|(at, _)| (*at as usize) < start).is_some() {}
        if let Some((_, role)) = roles.next_if(|(at, _)| *at as usize == start) {
            match role {
                Role::Definition => count.definitions += 1,
                Role::Reference => count.references += 1,
                Role::Local => count.local += 1,
            }
            continue;
        }
        while texts.next_if(|(_, end)| (*end as usize) <= start).is_some() {}
        if start < text_until || texts.peek().is_some_and(|(from, _)| (*from as usize) <= start) {
            count.text += 1;
            continue;
        }
        if is_reserved(file.lang.family(), word) {
            count.local += 1;
            continue;
        }
        match leaves.at(start) {
            Leaf::Text(until) => {
                text_until = until;
                count.text += 1;
            }
            Leaf::Keyword => count.local += 1,
            Leaf::Damaged => count.damaged += 1,
            Leaf::TypeParameter => {
                parameters.insert(count.key);
                count.local += 1;
            }
            Leaf::Plain if parameters.contains(&count.key) => count.local += 1,
            Leaf::Plain if is_bound(builder, word) || modules.contains(&count.key) => count.local += 1,
            leaf => {
                let role = match leaf {
                    Leaf::Path => WordRole::Path,
                    Leaf::Key => WordRole::Key,
                    _ => WordRole::Unknown,
                };
                count.path += u32::from(role == WordRole::Path);
                count.key_of_value += u32::from(role == WordRole::Key);
                open.push(OpenWord { key: count.key, start: start as u32, role });
            }
        }
    }
    (counts.sorted(), open)
}

/// Every word that the language module said something of, by where it starts.
fn roles(builder: &Builder<'_>) -> Vec<(u32, Role)> {
    let file = &builder.file;
    let mut roles: Vec<(u32, Role)> = Vec::with_capacity(file.refs.len() + builder.roles.len());
    let word_at = |span: crate::Span, name: NameId| {
        let text = builder.source.get(span.start as usize..span.end as usize)?;
        if text == file.names.get(name)
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        {
            return Some(span.start);
        }
        // `#x`, `~Foo`: the word starts behind what is not part of one.
        let (start, end) = Words::new(text).next()?;
        (word_of(file.names.as_written(name)) == Some(&text[start..end])).then_some(span.start + start as u32)
    };
    roles.extend(file.refs.iter().filter_map(|row| Some((word_at(row.span, row.name)?, Role::Reference))));
    roles.extend(imports(file).filter_map(|(span, name)| Some((word_at(span, name)?, Role::Reference))));
    let bytes = builder.source.as_bytes();
    let is_mark = |byte: &u8| matches!(byte, b'#' | b'@' | b'$' | b'~' | b':' | b'!' | b'*' | b'&');
    roles.extend(builder.roles.iter().map(|(start, role)| {
        let marks = bytes[*start as usize..].iter().take(3).take_while(|byte| is_mark(byte)).count();
        (start + marks as u32, *role)
    }));
    roles
}

/// Tells references apart that stand where something is defined: they are no occurrences of their own.
fn mark_definitions(builder: &mut Builder<'_>, roles: &[(u32, Role)]) {
    let pairs = roles.windows(2).filter(|pair| {
        pair[0].0 == pair[1].0 && pair[0].1 == Role::Definition && pair[1].1 == Role::Reference
    });
    let places: Vec<u32> = pairs.map(|pair| pair[0].0).collect();
    if places.is_empty() {
        return;
    }
    for row in &mut builder.file.refs {
        // A mark such as `#` may stand before the word.
        let mut starts = row.span.start..row.span.end;
        row.defines = starts.next().is_some_and(|start| {
            places.binary_search(&start).is_ok()
                || starts.next().is_some_and(|next| places.binary_search(&next).is_ok())
        });
    }
}

/// The names that imports write, as their references will have them.
fn imports(file: &ExtractedFile) -> impl Iterator<Item = (crate::Span, NameId)> {
    let symbols = file.imports.iter().filter(|import| import.kind == ImportKind::Symbol);
    symbols.flat_map(|import| import.symbol.into_iter().chain(import.binds).map(|name| (import.span, name)))
}

/// The names that whole modules are bound to: `const fs = require('fs')`.
fn bound_modules(file: &ExtractedFile) -> HashSet<u64, FixedState> {
    let imports = file.imports.iter().filter(|import| import.kind != ImportKind::Symbol);
    let names = imports.filter_map(|import| Some(word_key(file.names.get(import.binds?))));
    names.collect()
}

fn is_bound(builder: &Builder<'_>, word: &str) -> bool {
    builder.file.names.find(word).is_some_and(|name| builder.was_bound(name))
}

/// Words that never name anything in a language, and are too frequent to look at where they stand.
fn is_reserved(family: Family, word: &str) -> bool {
    let reserved: &[&str] = match family {
        Family::Python => &[
            "self", "def", "if", "in", "return", "None", "import", "from", "class", "for", "not", "True",
            "and", "False", "is", "else", "with", "as", "or", "try", "except", "raise", "pass", "elif",
            "lambda", "yield", "assert", "while", "finally", "break", "continue", "async", "await", "del",
            "global", "nonlocal",
        ],
        Family::Rust => &[
            "self", "let", "fn", "pub", "mut", "use", "impl", "if", "for", "Self", "match", "crate", "super",
            "return", "else", "as", "in", "mod", "struct", "enum", "trait", "where", "async", "await",
            "move", "unsafe", "const", "static", "dyn", "ref", "loop", "while", "break", "continue",
            "extern", "true", "false",
        ],
        Family::Script => &[
            "const",
            "return",
            "if",
            "this",
            "function",
            "else",
            "let",
            "var",
            "new",
            "typeof",
            "null",
            "true",
            "false",
            "for",
            "while",
            "export",
            "throw",
            "instanceof",
            "extends",
            "switch",
            "case",
            "break",
            "continue",
            "void",
        ],
        Family::Ruby => &[
            "end", "def", "do", "if", "self", "class", "module", "nil", "true", "false", "unless", "else",
            "elsif", "when", "return", "and", "or", "not", "then", "case", "begin", "rescue", "ensure",
            "yield", "while", "until",
        ],
        Family::Go => &[
            "func",
            "return",
            "if",
            "nil",
            "for",
            "range",
            "struct",
            "var",
            "type",
            "const",
            "else",
            "case",
            "package",
            "import",
            "map",
            "interface",
            "switch",
            "default",
            "defer",
            "go",
            "chan",
            "select",
            "break",
            "continue",
        ],
        Family::Jvm | Family::CSharp => &[
            "public",
            "return",
            "if",
            "new",
            "null",
            "this",
            "final",
            "private",
            "static",
            "void",
            "class",
            "import",
            "else",
            "for",
            "true",
            "false",
            "while",
            "throw",
            "break",
            "continue",
            "protected",
            "super",
            "using",
        ],
        Family::Native => &[
            "const",
            "return",
            "if",
            "else",
            "for",
            "while",
            "static",
            "void",
            "struct",
            "typedef",
            "break",
            "continue",
            "sizeof",
            "inline",
            "extern",
            "case",
            "switch",
            "static_cast",
            "char",
            "int",
        ],
        Family::Prose => &[],
    };
    reserved.contains(&word)
}

/// The counts of a file's words.
#[derive(Default)]
struct Counts {
    index: HashTable<u32>,
    counts: Vec<WordCount>,
}

impl Counts {
    fn of(&mut self, key: u64) -> &mut WordCount {
        let counts = &self.counts;
        let found = self.index.find(key, |at| counts[*at as usize].key == key).copied();
        let at = found.unwrap_or_else(|| {
            let at = self.counts.len() as u32;
            self.counts.push(WordCount { key, ..WordCount::default() });
            let counts = &self.counts;
            self.index.insert_unique(key, at, |at| counts[*at as usize].key);
            at
        });
        &mut self.counts[at as usize]
    }

    fn sorted(mut self) -> Vec<WordCount> {
        self.counts.sort_unstable_by_key(|count| count.key);
        self.counts
    }
}
