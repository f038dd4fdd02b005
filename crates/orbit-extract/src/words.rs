//! How often each word is written in a file, and as what.
//!
//! ```text
//! source ─every word─▶ roles (what the language module saw) ─else─▶ leaf of the tree ─▶ WordCount…
//! ```
//!
//! Words are counted in the bytes, as `grep -w` does, so the count depends neither on what extraction understood nor on
//! what is resolved later: what nobody explained is left over ([`WordCount::open`]) instead of missing.

mod leaves;
mod reserved;
mod scan;
mod signature;
mod tables;

pub use signature::may_say;

use crate::hash::hash_name;
use crate::{ExtractedFile, ImportKind, NameId};
use foldhash::fast::FixedState;
use hashbrown::{HashSet, HashTable};
use leaves::{Leaf, Leaves};
use reserved::is_reserved;
use scan::Words;
use signature::Beginnings;
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

/// How often a word is written in a text.
pub fn occurrences(text: &str, word: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let stands_alone = |(at, _): &(usize, &str)| {
        !text[..*at].ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
    };
    text.match_indices(word).filter(stands_alone).count()
}

/// What a language module saw of the words of a file, besides the rows that it made.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    /// Words that have no row of their own, by where they start.
    pub(crate) roles: Vec<(u32, Role)>,
    /// String literals that hold text alone.
    pub(crate) texts: Vec<(u32, u32)>,
    /// By the number of a name: whether it was bound as a local variable anywhere in the file.
    bound: Vec<bool>,
}

impl Seen {
    /// A local variable of this name was bound.
    pub(crate) fn bind(&mut self, name: NameId) {
        let index = name.0 as usize;
        if self.bound.len() <= index {
            self.bound.resize(index + 1, false);
        }
        self.bound[index] = true;
    }

    fn was_bound(&self, name: NameId) -> bool {
        self.bound.get(name.0 as usize).copied().unwrap_or(false)
    }
}

/// Counts the words of a file that a language module has walked, and fills them in.
pub(crate) fn count(source: &str, file: &mut ExtractedFile, mut seen: Seen, trees: &[Tree]) {
    let mut roles = roles(source, file, &seen);
    roles.sort(); // runs that are in order already
    mark_definitions(file, &roles);
    let mut roles = roles.into_iter().peekable();
    seen.texts.sort_unstable();
    let mut texts = seen.texts.iter().peekable();
    let mut leaves = Leaves::new(source, file.lang.family(), trees);
    let (mut counts, mut beginnings) = (Counts::default(), Beginnings::default());
    // Type parameters are declared before they are used.
    let mut parameters: HashSet<u64, FixedState> = HashSet::with_hasher(FixedState::with_seed(7));
    // A function that assigns to one of these changes the variable of the module.
    let mut globals = parameters.clone();
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
            beginnings.define(role, count, word);
            count.add_role(role);
            continue;
        }
        while texts.next_if(|(_, end)| (*end as usize) <= start).is_some() {}
        if start < text_until || texts.peek().is_some_and(|(from, _)| (*from as usize) <= start) {
            beginnings.say(count, word);
            count.text += 1;
            continue;
        }
        let is_reserved = is_reserved(file.lang.family(), word);
        let leaf = match if is_reserved { Leaf::Keyword } else { leaves.at(start) } {
            Leaf::TypeParameter => {
                parameters.insert(count.key);
                Leaf::Keyword
            }
            Leaf::Global => {
                globals.insert(count.key);
                Leaf::Global
            }
            Leaf::Plain if globals.contains(&count.key) => Leaf::Global,
            Leaf::Text(until) => {
                text_until = until;
                beginnings.say(count, word);
                Leaf::Text(until)
            }
            Leaf::Plain if parameters.contains(&count.key) || modules.contains(&count.key) => Leaf::Keyword,
            Leaf::Plain if file.names.find(word).is_some_and(|name| seen.was_bound(name)) => Leaf::Keyword,
            leaf => leaf,
        };
        if let Some(role) = count.add(leaf) {
            open.push(OpenWord { key: count.key, start: start as u32, role });
        }
    }
    (file.words, file.open_words) = (counts.sorted(), open);
    file.signature = beginnings.signature();
}

impl WordCount {
    /// Counts what stands at a place; what is left open has a role.
    fn add(&mut self, leaf: Leaf) -> Option<WordRole> {
        match leaf {
            Leaf::Text(_) => self.text += 1,
            Leaf::Keyword | Leaf::TypeParameter => self.local += 1,
            Leaf::Damaged => self.damaged += 1,
            Leaf::Path => {
                self.path += 1;
                return Some(WordRole::Path);
            }
            Leaf::Key => {
                self.key_of_value += 1;
                return Some(WordRole::Key);
            }
            Leaf::Plain | Leaf::Global | Leaf::Other => return Some(WordRole::Unknown),
        }
        None
    }

    fn add_role(&mut self, role: Role) {
        match role {
            Role::Definition => self.definitions += 1,
            Role::Reference => self.references += 1,
            Role::Local => self.local += 1,
        }
    }
}

/// Every word that the language module said something of, by where it starts.
fn roles(source: &str, file: &ExtractedFile, seen: &Seen) -> Vec<(u32, Role)> {
    let mut roles: Vec<(u32, Role)> = Vec::with_capacity(file.refs.len() + seen.roles.len());
    let word_at = |span: crate::Span, name: NameId| {
        let text = source.get(span.start as usize..span.end as usize)?;
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
    let bytes = source.as_bytes();
    let is_mark = |byte: &u8| matches!(byte, b'#' | b'@' | b'$' | b'~' | b':' | b'!' | b'*' | b'&');
    roles.extend(seen.roles.iter().map(|(start, role)| {
        let marks = bytes[*start as usize..].iter().take(3).take_while(|byte| is_mark(byte)).count();
        (start + marks as u32, *role)
    }));
    roles
}

/// Tells references apart that stand where something is defined: they are no occurrences of their own.
fn mark_definitions(file: &mut ExtractedFile, roles: &[(u32, Role)]) {
    let pairs = roles.windows(2).filter(|pair| {
        pair[0].0 == pair[1].0 && pair[0].1 == Role::Definition && pair[1].1 == Role::Reference
    });
    let places: Vec<u32> = pairs.map(|pair| pair[0].0).collect();
    if places.is_empty() {
        return;
    }
    for row in &mut file.refs {
        // A mark such as `#` may stand before the word.
        let mut starts = row.span.start..row.span.end;
        row.defines |= starts.next().is_some_and(|start| {
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
