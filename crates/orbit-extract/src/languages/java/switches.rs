//! `switch`: labels that are plain names are constants of the enum that is switched over, or of a class.

use super::{Java, Kind};
use crate::builder::{Builder, Walk};
use crate::{Expr, ExprId, NameId, RefKind, SymbolKind};
use hashbrown::HashSet;
use tree_sitter::Node;

/// The switches of one file while it is read.
#[derive(Default)]
pub(super) struct Switches {
    /// What the enclosing switches are over, innermost last.
    subjects: Vec<Option<ExprId>>,
    /// Labels recorded as members of their switch's subject, by row number.
    labels: Vec<usize>,
}

impl Switches {
    /// A label that names a constant of the file, or one that it imports, is that constant, found without the subject's type.
    pub(super) fn finish(self, b: &mut Builder<'_>) {
        if self.labels.is_empty() {
            return;
        }
        let constants: HashSet<NameId> = b
            .file
            .symbols
            .iter()
            .filter(|symbol| symbol.kind == SymbolKind::Const)
            .map(|symbol| symbol.name)
            .chain(b.file.imports.iter().filter_map(|import| import.binds))
            .collect();
        for index in self.labels {
            let row = &mut b.file.refs[index];
            if constants.contains(&row.name) {
                row.base = None;
            }
        }
    }
}

impl Java<'_> {
    pub(super) fn switch(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let condition = node.child_by_field_id(f.condition);
        let subject = condition.map(|condition| self.expr_of(condition, 0));
        let is_known = |subject: &ExprId| {
            !matches!(
                self.b.file.exprs[subject.0 as usize],
                Expr::Unknown | Expr::Builtin | Expr::Primitive(_)
            )
        };
        let subject = subject.filter(is_known);
        if let Some(condition) = condition {
            self.visit_node(condition);
        }
        self.switches.subjects.push(subject);
        self.visit_field(node, f.body);
        self.switches.subjects.pop();
    }

    pub(super) fn switch_label(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if self.kind(child) != Kind::Identifier {
                self.visit_node(child);
                continue;
            }
            if self.b.text(child) == "default" {
                continue; // `case null, default`, where the grammar takes the keyword for a name
            }
            let subject = self.switches.subjects.last().copied().flatten();
            let row = self.b.file.refs.len();
            match subject {
                Some(subject) => self.b.reference(child, RefKind::Value, Some(subject)),
                None => self.b.plain_reference(child, RefKind::Value),
            }
            if subject.is_some() && self.b.file.refs.len() > row {
                self.switches.labels.push(row);
            }
        }
    }
}
