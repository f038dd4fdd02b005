//! `$p changed since $commit`: rows by what happened to them.

use super::Checker;
use super::expr::{Operand, boolean};
use super::scope::Scope;
use crate::code::Code;
use crate::query::ast::{self, Change};
use crate::query::typed::{Expr, ExprKind};
use crate::query::vars;
use crate::types::Scalar;

impl Checker<'_> {
    pub(super) fn since(
        &mut self,
        arg: &ast::Expr,
        change: Change,
        since: &ast::Expr,
        scope: &Scope,
    ) -> Option<Expr> {
        let word = change.as_str();
        let Operand::Entity(Expr { kind: ExprKind::Id { var }, .. }) = self.operand(arg, scope)? else {
            let message = format!("only nodes and edges are {word} since something");
            return self.error(Code::T7, arg.span, message);
        };
        let state = self.scalar(since, scope)?;
        let names_state = state.ty.is_text() || state.ty.is(&Scalar::DateTime);
        if !names_state || !vars::of_expr(&state).is_empty() {
            let message = format!("`{word} since` needs a state of the graph that is the same for all rows");
            let hint =
                "the id of a commit or a tag as a text, or a moment: `datetime(\"2026-01-31T12:00:00Z\")`";
            return self.error_with_hint(Code::T7, since.span, message, hint);
        }
        Some(boolean(ExprKind::Since { var, change, since: Box::new(state) }))
    }
}
