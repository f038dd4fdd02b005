//! `@card`: how many edges of a type leave a node.

use crate::validate::Violation;
use crate::view::View;
use omnigraph_compiler::schema::catalog::Cardinality;

/// The bounds of one edge type.
pub(crate) struct Bounds<'v> {
    edge: &'v str,
    card: Cardinality,
}

impl<'v> Bounds<'v> {
    /// `None` when any number of edges is allowed.
    pub(crate) fn of(view: &'v View, edge: u16) -> Option<Bounds<'v>> {
        let edge = &view.edge(edge).name;
        let card = view.catalog.edges.get(edge)?.card;
        (card != Cardinality::default()).then_some(Bounds { edge, card })
    }

    /// Whether a node without any edge breaks them.
    pub(crate) fn need_some(&self) -> bool {
        self.card.min > 0
    }

    /// What is wrong when `count` edges leave `source`.
    pub(crate) fn check(&self, source: &str, count: u64) -> Option<Violation> {
        let Cardinality { min, max } = self.card;
        let holds = count >= u64::from(min) && max.is_none_or(|max| count <= u64::from(max));
        (!holds).then(|| Violation::cardinality(self.edge, source, count, min, max))
    }
}
