//! The symbols that are open, and the local variables that are bound.

use super::Builder;
use crate::{ExprId, NameId, RawSymbol, ScopeId};

impl Builder<'_> {
    pub(crate) fn scope(&self) -> ScopeId {
        self.scopes.last().copied().unwrap_or_default()
    }

    /// The enclosing symbols, innermost first.
    pub(crate) fn enclosing(&self) -> impl Iterator<Item = &RawSymbol> {
        self.scopes.iter().rev().filter_map(|scope| scope.symbol()).map(|index| &self.file.symbols[index])
    }

    pub(crate) fn enter(&mut self, scope: ScopeId) {
        self.scopes.push(scope);
    }

    pub(crate) fn leave(&mut self) {
        let left = self.scopes.pop();
        if self.prefixes.last().is_some_and(|(scope, _)| Some(*scope) == left) {
            self.prefixes.pop();
        }
    }

    /// Enters a scope whose members are qualified with `prefix` instead of the scope's own path.
    pub(crate) fn enter_as(&mut self, scope: ScopeId, prefix: String) {
        self.scopes.push(scope);
        self.prefixes.push((scope, prefix));
    }

    /// Opens a frame of local variables.
    pub(crate) fn push_frame(&mut self) {
        self.frames.push(self.locals.len());
    }

    pub(crate) fn pop_frame(&mut self) {
        let mark = self.frames.pop().unwrap_or(0);
        self.locals.truncate(mark);
    }

    /// Whether any frame is open: names bound now are locals, not module variables.
    pub(crate) fn in_frame(&self) -> bool {
        !self.frames.is_empty()
    }

    /// Binds a local variable to what is known of its value.
    pub(crate) fn bind(&mut self, name: NameId, value: ExprId) {
        self.seen.bind(name);
        self.locals.push((name, value));
    }

    /// What a name was bound to here and in the frames round it, innermost first.
    pub(crate) fn bindings(&self, name: NameId) -> impl Iterator<Item = ExprId> {
        self.locals.iter().rev().filter(move |(bound, _)| *bound == name).map(|(_, value)| *value)
    }

    pub(crate) fn local(&self, name: NameId) -> Option<ExprId> {
        self.locals.iter().rev().find(|(bound, _)| *bound == name).map(|(_, value)| *value)
    }
}
