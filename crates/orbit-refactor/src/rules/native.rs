//! C and C++: declarations and definitions are one thing, and virtual functions tie classes together.

use super::{Rules, constructors, fixed, members_of_hierarchy, same_address};
use crate::error::RefactorError;
use crate::sites::Site;
use orbit_extract::{Lang, Place};
use orbit_graph::{Facts, SymbolFacts, SymbolKind};
use std::collections::BTreeSet;

pub(super) struct Native;

/// Types in classes that templates of C++'s library look for: those of iterators, containers, traits and coroutines.
const PROTOCOL_TYPES: &str = "value_type difference_type pointer reference iterator_category iterator_concept element_type \
     size_type const_reference const_pointer iterator const_iterator reverse_iterator const_reverse_iterator \
     allocator_type key_type mapped_type hasher key_equal key_compare value_compare first_type second_type result_type \
     argument_type char_type int_type off_type pos_type state_type traits_type rebind other type is_transparent \
     is_always_equal promise_type";
/// Methods that the language and templates of its library call.
const PROTOCOL_METHODS: &str = "begin end rbegin rend cbegin cend size data empty push_back push_front insert swap \
     allocate deallocate construct destroy max_size lock unlock try_lock await_ready await_suspend await_resume \
     get_return_object initial_suspend final_suspend unhandled_exception return_void return_value yield_value";

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
        let looked_for = match symbol.kind {
            kind if kind.is_callable() => PROTOCOL_METHODS,
            kind if kind.is_type() => PROTOCOL_TYPES,
            _ if symbol.lang == Lang::Cpp => "value",
            _ => "", // a field of C
        };
        if symbol.parent.is_some() && super::lists(looked_for, &symbol.name) {
            return Err(fixed(symbol, "templates of the library look for it by this name"));
        }
        let mut group = same_address(facts, symbol)?;
        group.extend(facts.pieces(symbol.id)?);
        group.extend(declared_alike(facts, symbol)?);
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

/// Declarations and definitions of a member in all files: those that have the same qualified name.
fn declared_alike(facts: &Facts<'_>, symbol: &SymbolFacts) -> Result<Vec<SymbolFacts>, RefactorError> {
    let whole = |symbol: &SymbolFacts| {
        let number = symbol.qualified.rfind('#').unwrap_or(symbol.qualified.len());
        symbol.qualified[..number].to_owned()
    };
    let own = whole(symbol);
    if !own.contains("::") || own.contains("(anonymous") {
        return Ok(Vec::new());
    }
    let mut found = facts.named(&symbol.name)?;
    let is_part = |kind: SymbolKind| kind.is_callable() || kind == SymbolKind::Field;
    found.retain(|other| {
        other.lang.family() == symbol.lang.family()
            && is_part(other.kind) == is_part(symbol.kind)
            && whole(other) == own
    });
    Ok(found)
}
