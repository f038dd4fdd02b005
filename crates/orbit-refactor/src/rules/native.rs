//! C and C++: declarations and definitions are one thing, and virtual functions tie classes together.

use super::{Rules, constructors, fixed, members_of_hierarchy, same_address};
use crate::error::RefactorError;
use crate::sites::Site;
use orbit_extract::Place;
use orbit_graph::{Facts, SymbolFacts, SymbolKind};
use std::collections::BTreeSet;

pub(super) struct Native;

impl Rules for Native {
    fn keywords(&self) -> &'static str {
        "alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept const \
         consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do \
         double dynamic_cast else enum explicit export extern false float for friend goto if inline int long \
         mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register \
         reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast struct \
         switch template this thread_local throw true try typedef typeid typename typeof union unsigned using \
         virtual void volatile wchar_t while xor xor_eq"
    }

    fn knows_types(&self) -> bool {
        true
    }

    fn group(
        &self,
        facts: &Facts<'_>,
        symbol: &SymbolFacts,
        _source: &str,
    ) -> Result<Vec<SymbolFacts>, RefactorError> {
        if symbol.name == "main" && symbol.parent.is_none() {
            return Err(fixed(symbol, "a program starts there"));
        }
        if symbol.name.starts_with("operator") && !symbol.name[8..].starts_with(|c: char| c.is_alphanumeric())
        {
            return Err(fixed(symbol, "the language calls operators by their signs"));
        }
        let mut group = same_address(facts, symbol)?;
        group.extend(facts.pieces(symbol.id)?);
        group.extend(facts.linked_members(symbol.id)?);
        let owner = symbol.parent.map(|id| facts.by_id(id)).transpose()?.flatten();
        if let Some(owner) = owner.filter(|owner| owner.kind.is_type()) {
            let mut outside = BTreeSet::new();
            let members = members_of_hierarchy(facts, owner.id, &symbol.name, &mut outside)?;
            if symbol.kind.is_callable() {
                group.extend(members);
            }
            let is_private = symbol.kind == SymbolKind::Field;
            if let Some(foreign) = outside.iter().next().filter(|_| !is_private) {
                let why = format!("`{foreign}`, from outside of the repository, may have it too");
                return Err(fixed(symbol, &why));
            }
        }
        group.extend(constructors(facts, symbol, &group)?);
        Ok(group)
    }

    fn can_mean(&self, site: &Site<'_>, symbol: &SymbolFacts) -> bool {
        match site.spelling.place {
            Place::Member => site.is_member_kind(symbol) || site.is_path() || symbol.parent.is_some(),
            _ => true,
        }
    }
}
