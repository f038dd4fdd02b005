//! Which of several functions of a name is said, by what it stands in.

use super::{Known, is_function};
use std::collections::BTreeSet;

impl Known {
    /// The one of several functions of a name that stands in most of what the name says; of several there, by its number.
    /// None of them, when one of the owners is a function that none stands in: the compiler does not list closures.
    pub(super) fn of_owners(&self, mut named: Vec<u32>, parts: &[&str], number: usize) -> Option<u32> {
        let owners = &parts[..parts.len() - 1];
        // What belongs to a type is said with it, but the compiler's data of Rust do not say to which a method belongs.
        let is_free = |id: &u32| self.main_definition(*id).is_some_and(|one| one.kind == "function");
        if owners.is_empty() && self.truth.language == "rust" && named.iter().any(is_free) {
            named.retain(is_free);
        }
        let round = |id: &u32| {
            let Some(one) = self.main_definition(*id) else { return BTreeSet::new() };
            let round = self.around(&(one.file.clone(), one.line)).into_iter();
            let others = round.filter(|other| other != id).filter_map(|other| self.main_definition(other));
            let modules = self.modules.get(&one.file).into_iter().flatten();
            let modules = modules.filter(|(first, last, _)| (first..=last).contains(&&one.line));
            let modules = modules.map(|(_, _, name)| name.as_str());
            others.map(|other| other.name.as_str()).chain(modules).collect::<BTreeSet<&str>>()
        };
        let standing = |id: &u32| {
            let round = round(id);
            let shared = owners.iter().filter(|owner| round.contains(**owner)).count();
            // Of those that are said to stand in nothing, the one that does.
            (shared, usize::MAX - round.len())
        };
        let best = named.iter().map(standing).max()?;
        named.retain(|id| standing(id) == best);
        let is_in = |id: &u32, owner: &str| round(id).contains(owner);
        let is_closure = |id: &u32| {
            let file = self.main_definition(*id).map_or("", |one| one.file.as_str());
            let spans = self.spans.get(file).into_iter().flatten();
            let functions = spans.filter_map(|(_, _, other)| self.main_definition(*other));
            let functions: BTreeSet<&str> =
                functions.filter(|one| is_function(one)).map(|one| one.name.as_str()).collect();
            owners.iter().any(|owner| functions.contains(owner) && !is_in(id, owner))
        };
        named.retain(|id| !is_closure(id));
        named.sort_by_key(|id| self.main_definition(*id).map(|definition| definition.line));
        named.get(number.saturating_sub(1)).or(named.first()).copied()
    }
}
