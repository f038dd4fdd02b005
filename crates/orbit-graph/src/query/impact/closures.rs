//! Functions inside of others: what uses one through a closure uses it itself.

use super::Direction;
use super::walk::{Node, Via, Walk};
use crate::error::GraphError;
use crate::resolve::Confidence;
use crate::store::stored::Stored;
use orbit_extract::SymbolKind;
use rusqlite::{OptionalExtension, params};

impl Walk<'_> {
    /// Goes on from functions that stand in another one to that one, if it uses them: it is as near as they are. To follow
    /// code through a closure is no step.
    pub(super) fn enclosing(
        &mut self,
        level: &mut Vec<(i64, Via, Confidence)>,
        distance: usize,
    ) -> Result<(), GraphError> {
        if self.options.direction == Direction::Outbound {
            return Ok(());
        }
        let mut at = 0;
        while let Some((id, via, weakest)) = level.get(at).copied() {
            at += 1;
            let Some(outer) = self.function_around(id)?.map(Node::Symbol) else { continue };
            if self.seen.contains(&outer) {
                continue;
            }
            let mut users = Vec::new();
            self.users(id, &mut users)?;
            users.retain(|edge| edge.to == outer && edge.confidence <= self.options.confidence);
            users.sort_by_key(|edge| (edge.confidence, edge.line, edge.kind));
            let Some(edge) = users.first() else { continue };
            let known = self.walked.reached.len();
            let weakest = weakest.max(edge.confidence);
            self.reach(edge, distance, weakest, via)?;
            if let (Node::Symbol(outer), true) = (outer, self.walked.reached.len() > known) {
                level.push((outer, Via::Reached(known), weakest));
            }
        }
        Ok(())
    }

    /// The function that a function stands in.
    fn function_around(&self, id: i64) -> Result<Option<i64>, GraphError> {
        let mut statement = self.connection.prepare_cached(
            "SELECT p.id, p.kind FROM symbol_rows s JOIN symbol_rows p ON p.id = s.parent
             WHERE s.id = ?1 AND s.kind = ?2",
        )?;
        let outer = statement.query_row(params![id, Stored(SymbolKind::Function)], |row| {
            Ok((row.get(0)?, row.get::<_, Stored<SymbolKind>>(1)?.0))
        });
        Ok(outer.optional()?.filter(|(_, kind)| kind.is_callable()).map(|(id, _)| id))
    }
}
