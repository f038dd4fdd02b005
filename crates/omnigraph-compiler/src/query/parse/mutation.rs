//! Statements that change the graph.

use super::Parser;
use crate::code::Code;
use crate::cursor::{Failed, Parsed};
use crate::diagnostic::Diagnostic;
use crate::query::ast::{Assignment, Delete, Expr, Insert, Statement, Update};
use crate::source::Span;

/// What a statement starts with.
pub(super) const WORDS: [&str; 3] = ["insert", "update", "delete"];

impl Parser<'_> {
    /// Up to the brace that closes the query, which stays.
    pub(super) fn statements(&mut self) -> Vec<Statement> {
        let mut statements = Vec::new();
        while !self.at.is("}") && !self.at.is_end() && !self.at.is_word("query") {
            let start = self.at.mark();
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(Failed) => self.at.skip_item(start),
            }
        }
        statements
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let word = self.at.text(0);
        let start = self.at.expect_word(&WORDS)?;
        let type_name = self.at.type_name("a node or edge type")?;
        Ok(match word {
            "insert" => {
                let values = self.values("insert")?;
                Statement::Insert(Insert { type_name, values, span: start.to(self.at.previous()) })
            }
            "update" => {
                self.at.expect_word(&["set"])?;
                let values = self.values("update")?;
                let filter = self.filter(start, "update")?;
                Statement::Update(Update { type_name, values, filter, span: start.to(self.at.previous()) })
            }
            _ => {
                let filter = self.filter(start, "delete")?;
                Statement::Delete(Delete { type_name, filter, span: start.to(self.at.previous()) })
            }
        })
    }

    fn values(&mut self, word: &str) -> Parsed<Vec<Assignment>> {
        let open = self.at.expect("{")?;
        let values = self.assignments()?;
        let close = self.at.expect("}")?;
        if values.is_empty() {
            let found =
                Diagnostic::error(Code::Q000, open.to(close), format!("{word} needs at least one value"));
            return Err(self.at.note(found.hint("write `property: value`")));
        }
        Ok(values)
    }

    fn filter(&mut self, start: Span, word: &str) -> Parsed<Expr> {
        if !self.at.is_word("where") {
            let found = Diagnostic::error(Code::Q000, start, format!("{word} needs a `where`"));
            return Err(self.at.note(found.hint("say which rows: `where name = $name`")));
        }
        self.at.bump();
        self.expr()
    }
}
