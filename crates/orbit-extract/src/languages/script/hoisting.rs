//! Functions and classes that a function without a name declares: they are seen in it alone, and from its beginning.

use super::{Kind, Script};
use crate::{Expr, NameId, ScopeId, SymbolKind};
use tree_sitter::Node;

impl Script<'_> {
    /// Binds what the body of a function declares before it is read. A function with a symbol has them as symbols below it;
    /// those of any other get names of their own, so that two of them can have functions of one name.
    pub(super) fn hoist(&mut self, body: Node<'_>, is_named: bool) {
        let mut cursor = body.walk();
        let statements: Vec<Node<'_>> = body.named_children(&mut cursor).collect();
        for statement in statements {
            match self.kind(statement) {
                Kind::Function | Kind::GeneratorDeclaration | Kind::Class | Kind::AbstractClass => {
                    if let Some(name) = statement.child_by_field_id(self.t.fields.name) {
                        self.hoist_name(name, is_named);
                    }
                }
                Kind::Lexical | Kind::Variable => self.hoist_variables(statement, is_named),
                _ => {}
            }
        }
    }

    fn hoist_variables(&mut self, statement: Node<'_>, is_named: bool) {
        let f = &self.t.fields;
        let mut cursor = statement.walk();
        let declarators: Vec<Node<'_>> = statement.named_children(&mut cursor).collect();
        for declarator in declarators {
            let name =
                declarator.child_by_field_id(f.name).filter(|name| self.kind(*name) == Kind::Identifier);
            let value = declarator.child_by_field_id(f.value).map(|value| self.unwrapped(value));
            let defines =
                |value: Node<'_>| self.is_function(value) || self.kind(value) == Kind::ClassExpression;
            if let Some(name) = name.filter(|_| value.is_some_and(defines)) {
                self.hoist_name(name, is_named);
            }
        }
    }

    fn hoist_name(&mut self, name: Node<'_>, is_named: bool) {
        let plain = self.b.name(name);
        let own = if is_named {
            plain
        } else {
            self.hidden_names += 1;
            let text = format!("{}`{}", self.b.text(name), self.hidden_names);
            self.b.intern(&text)
        };
        let own = self.b.expr(Expr::Name(own));
        self.b.bind(plain, own);
    }

    /// The name of its own that a plain name stands for here.
    pub(super) fn hidden(&self, name: NameId) -> Option<NameId> {
        let names = &self.b.file.names;
        match self.b.file.exprs[self.b.local(name)?.0 as usize] {
            Expr::Name(own) if own != name && names.as_written(own) == names.get(name) => Some(own),
            _ => None,
        }
    }

    /// Gives a definition the name that its function has for it.
    pub(super) fn hide(&mut self, scope: ScopeId, name: NameId) {
        let own = self.hidden(name);
        if let Some(symbol) = scope.symbol().map(|index| &mut self.b.file.symbols[index])
            && matches!(symbol.kind, SymbolKind::Function | SymbolKind::Class)
        {
            symbol.known_as = own;
        }
    }
}
