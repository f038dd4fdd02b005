//! What each language allows: one file each, one line in [`of`].

mod bases;
mod go;
mod managed;
mod native;
mod other;
mod python;
mod rust;
mod script;

pub(crate) use python::decorators;

use crate::error::{RefactorError, Refusal};
use crate::sites::Site;
use orbit_extract::{Family, Lang};
use orbit_graph::{Facts, SymbolFacts, SymbolKind};
use std::collections::BTreeSet;

/// The rules of a language.
pub(crate) trait Rules: Sync {
    /// Words that cannot be names, with spaces between them.
    fn keywords(&self) -> &'static str;

    /// Names of members that types from outside often have: a use whose receiver is unknown may mean one of those.
    fn common_members(&self) -> &'static str {
        ""
    }

    /// Everything that has to be renamed together with a symbol, itself included; refuses what is not free to change
    /// its name.
    fn group(
        &self,
        facts: &Facts<'_>,
        symbol: &SymbolFacts,
        source: &str,
    ) -> Result<Vec<SymbolFacts>, RefactorError>;

    /// Whether a name in such a place can mean such a symbol at all.
    fn can_mean(&self, site: &Site<'_>, symbol: &SymbolFacts) -> bool;

    /// Whether every member belongs to a type that the language knows: one whose type the index does not know may then be
    /// of any type from outside, however rare its name is.
    fn knows_types(&self) -> bool {
        false
    }

    /// Refuses a new name that the places which use the symbol could not use.
    fn check_new_name(
        &self,
        _symbol: &SymbolFacts,
        _new_name: &str,
        _files: &[&str],
    ) -> Result<(), RefactorError> {
        Ok(())
    }
}

/// The rules of a language.
pub(crate) fn of(lang: Lang) -> &'static dyn Rules {
    match lang.family() {
        Family::Rust => &rust::Rust,
        Family::Python => &python::Python,
        Family::Script => &script::Script,
        Family::Go => &go::Go,
        Family::Native => &native::Native,
        Family::Jvm | Family::CSharp => &managed::Managed,
        Family::Ruby | Family::Prose => &other::Other,
    }
}

/// The refusal of a symbol that is not free to change its name.
fn fixed(symbol: &SymbolFacts, why: &str) -> RefactorError {
    let message = format!("`{}` cannot have another name: {why}", symbol.name);
    Refusal::new("fixed_name", message).into()
}

/// Whether a word is in a list of words.
pub(crate) fn lists(words: &str, word: &str) -> bool {
    words.split_whitespace().any(|listed| listed == word)
}

/// Whether a text can be a name: a letter or `_`, then letters, digits and `_`.
pub(crate) fn is_identifier(lang: Lang, name: &str) -> bool {
    let dollar = lang.family() == Family::Script;
    let mut chars = name.chars();
    let first = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_' || (dollar && c == '$'));
    first && name != "_" && chars.all(|c| c.is_alphanumeric() || c == '_' || (dollar && c == '$'))
}

/// Symbols with the same address but for their number: overloads, definitions under conditions, merged declarations.
pub(crate) fn same_address(
    facts: &Facts<'_>,
    symbol: &SymbolFacts,
) -> Result<Vec<SymbolFacts>, RefactorError> {
    let mut found = facts.of_file(&symbol.path)?;
    found.retain(|other| other.name == symbol.name && other.unnumbered() == symbol.unnumbered());
    if matches!(symbol.lang, Lang::Rust | Lang::Java) {
        // Here fields and methods have namespaces of their own.
        found.retain(|other| other.kind.is_callable() == symbol.kind.is_callable());
    }
    Ok(found)
}

/// The constructors of the types in a group, where they are called like their type.
fn constructors(
    facts: &Facts<'_>,
    symbol: &SymbolFacts,
    group: &[SymbolFacts],
) -> Result<Vec<SymbolFacts>, RefactorError> {
    let mut found = facts.named(&symbol.name)?;
    found.retain(|other| {
        other.kind == SymbolKind::Constructor && group.iter().any(|own| other.parent == Some(own.id))
    });
    Ok(found)
}

/// Members of a name in all types above and below the types that have it, through any number of steps.
/// `outside` collects what types of this hierarchy hang on that is not of this repository.
pub(crate) fn members_of_hierarchy(
    facts: &Facts<'_>,
    owner: i64,
    name: &str,
    outside: &mut BTreeSet<String>,
) -> Result<Vec<SymbolFacts>, RefactorError> {
    let named = facts.named(name)?;
    let has_member = |id: i64| named.iter().any(|member| member.parent == Some(id));
    let mut family = BTreeSet::from([owner]);
    let mut open = vec![owner];
    while let Some(id) = open.pop() {
        for above in ancestors(facts, id, outside)? {
            open.extend(Some(above).filter(|above| has_member(*above) && family.insert(*above)));
        }
        for relation in facts.relations_to(id)? {
            open.extend(relation.from.filter(|below| family.insert(*below)));
        }
    }
    Ok(named
        .into_iter()
        .filter(|member| member.parent.is_some_and(|parent| family.contains(&parent)))
        .collect())
}

/// All types that a type hangs on, through any number of steps.
fn ancestors(
    facts: &Facts<'_>,
    id: i64,
    outside: &mut BTreeSet<String>,
) -> Result<BTreeSet<i64>, RefactorError> {
    let mut found = BTreeSet::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        for relation in facts.relations_from(id)? {
            let above = relation.to.map(|to| facts.by_id(to)).transpose()?.flatten();
            // What a variable or an attribute holds may be any class: `class Other(serializer.signer)`.
            match above.filter(|above| above.kind.is_type()) {
                Some(above) => open.extend(Some(above.id).filter(|to| found.insert(*to))),
                None => drop(outside.insert(relation.to_name)),
            }
        }
    }
    Ok(found)
}
