//! Languages without rules of their own: what the index is sure of is changed, what it is not stands in the way.

use super::{Rules, same_address};
use crate::error::RefactorError;
use crate::sites::Site;
use orbit_graph::{Facts, SymbolFacts};

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

    fn common_members(&self) -> &'static str {
        ""
    }

    fn group(
        &self,
        facts: &Facts<'_>,
        symbol: &SymbolFacts,
        _source: &str,
    ) -> Result<Vec<SymbolFacts>, RefactorError> {
        same_address(facts, symbol)
    }

    fn can_mean(&self, _site: &Site<'_>, _symbol: &SymbolFacts) -> bool {
        true
    }
}
