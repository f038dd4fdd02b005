//! `*`: all edge types that can stand between two variables.

use super::{End, MAX_TYPE_HOPS, Types, follow};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::query::ast::Traversal;
use crate::query::check::Checker;
use crate::query::parse::ANY_EDGE;
use crate::query::typed::{Arm, Way};
use crate::schema::catalog::Catalog;

/// Whether a traversal follows edges of any type.
pub(super) fn is_any(traversal: &Traversal) -> bool {
    traversal.edges.iter().any(|edge| edge.text == ANY_EDGE)
}

impl Checker<'_> {
    /// The edges that can be part of a way of at most `max` hops, from their starts to their ends, or in both directions.
    /// Others are left out, so that a query reads no more types than it has to.
    pub(super) fn any_arms(
        &mut self,
        traversal: &Traversal,
        max: u32,
        (src, dst): (&End, &End),
    ) -> Option<Vec<Arm>> {
        let way = if traversal.undirected { Way::Both } else { Way::Out };
        let arms: Vec<Arm> = self.catalog.edges.keys().map(|edge| Arm { edge: edge.clone(), way }).collect();
        let ahead = within(self.catalog, &arms, src, max - 1, false);
        let back = within(self.catalog, &arms, dst, max - 1, true);
        let catalog = self.catalog;
        let fits = |arm: &Arm| {
            catalog.edges.get(&arm.edge).is_some_and(|edge| {
                let joins = |from: &String, to: &String| ahead.contains(from) && back.contains(to);
                joins(&edge.from, &edge.to) || (way == Way::Both && joins(&edge.to, &edge.from))
            })
        };
        let fitting: Vec<Arm> = arms.iter().filter(|arm| fits(arm)).cloned().collect();
        if !fitting.is_empty() {
            return Some(fitting);
        }
        let types = |end: &End| end.1.iter().flatten().cloned().collect::<Vec<_>>().join(" or ");
        let (from, to) = (types(src), types(dst));
        let message = match (from.is_empty(), to.is_empty()) {
            (true, true) => "the schema has no edges".to_owned(),
            (true, false) => format!("no edge leads to {to}"),
            (false, true) => format!("no edge leads from {from}"),
            (false, false) => format!("no edge leads from {from} to {to}"),
        };
        let hint = (way == Way::Out).then(|| "`<*>` follows edges in both directions".to_owned());
        self.report(Diagnostic::error(Code::T5, traversal.span, message).maybe_hint(hint));
        None
    }
}

/// The types of a variable, and those that can be met within some steps from there.
fn within(catalog: &Catalog, arms: &[Arm], (_, types): &End, steps: u32, backwards: bool) -> Types {
    let Some(types) = types else { return catalog.nodes.keys().cloned().collect() };
    let mut met = types.clone();
    if steps > 0 {
        met.extend(follow(catalog, arms, types, (1, steps.min(MAX_TYPE_HOPS)), backwards));
    }
    met
}
