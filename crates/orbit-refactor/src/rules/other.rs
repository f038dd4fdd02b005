//! Languages without rules of their own: what the index is sure of is changed, what it is not stands in the way.

use super::{Rules, constructors, members_of_hierarchy, same_address};
use crate::error::RefactorError;
use crate::sites::Site;
use orbit_graph::{Facts, SymbolFacts};
use std::collections::BTreeSet;

pub(super) struct Other;

impl Rules for Other {
    fn keywords(&self) -> &'static str {
        "abstract assert auto begin bool boolean break byte case catch chan char class const continue def \
         default defer delete do double else end enum extends extern false final finally float for func fun \
         goto go if implements import in instanceof int interface internal long map module namespace native \
         new nil null object operator override package private protected public range register return select \
         short signed sizeof static struct super switch synchronized template this throw throws true try type \
         typedef typename union unless unsigned until using val var virtual void volatile when while yield"
    }

    fn group(
        &self,
        facts: &Facts<'_>,
        symbol: &SymbolFacts,
        _source: &str,
    ) -> Result<Vec<SymbolFacts>, RefactorError> {
        let mut group = same_address(facts, symbol)?;
        if let Some(owner) = symbol.parent {
            group.extend(members_of_hierarchy(facts, owner, &symbol.name, &mut BTreeSet::new())?);
        }
        group.extend(constructors(facts, symbol, &group)?);
        group.retain(|other| other.lang.family() == symbol.lang.family());
        group.sort_by_key(|member| member.id);
        group.dedup_by_key(|member| member.id);
        Ok(group)
    }

    fn can_mean(&self, _site: &Site<'_>, _symbol: &SymbolFacts) -> bool {
        true
    }
}
