//! Commands of cobra: `&cobra.Command{Use: "name [args]", RunE: run}` and `parent.AddCommand(child)`.

use super::exprs::unquoted;
use super::{Go, Kind};
use crate::SymbolKind;
use crate::commands::CommandId;
use tree_sitter::Node;

impl<'s> Go<'s> {
    /// A `cobra.Command{…}` literal. One whose name is not a literal is a group without a name.
    pub(super) fn command_literal(&mut self, node: Node<'_>, ty: Node<'_>, body: Node<'_>) {
        if self.kind(ty) != Kind::QualifiedType || self.b.text(ty) != "cobra.Command" {
            return;
        }
        let name = self.literal_field(body, "Use").and_then(|value| self.first_word(value));
        let id = match name {
            Some(name) => self.commands.command(&self.b, node, None, name),
            None => self.commands.group(&self.b, node, None),
        };
        let run = ["RunE", "Run"].into_iter().find_map(|field| self.literal_field(body, field));
        match run {
            Some(run) if self.kind(run) == Kind::FuncLiteral => self.commands.set_body(id, run),
            Some(run) => {
                let handler = self.expr_of(run, 0);
                self.commands.set_handler(id, handler);
            }
            None => {}
        }
        self.made.push((node.id(), id));
        // `newServeCmd()` stands for the command that the function makes first.
        let maker = self.b.enclosing().next().filter(|symbol| symbol.kind == SymbolKind::Function);
        if let Some(maker) = maker.map(|symbol| self.b.file.names.get(symbol.name))
            && self.commands.held(maker).is_none()
        {
            let maker = maker.to_owned();
            self.commands.hold(&maker, id);
        }
    }

    fn literal_field<'t>(&self, body: Node<'t>, name: &str) -> Option<Node<'t>> {
        let f = &self.t.fields;
        let mut cursor = body.walk();
        let found = body.named_children(&mut cursor).find(|child| {
            self.kind(*child) == Kind::KeyedElement
                && child.child_by_field_id(f.key).is_some_and(|key| self.b.text(key) == name)
        });
        found?.child_by_field_id(f.value)?.named_child(0)
    }

    /// The first word of a string literal.
    fn first_word(&self, value: Node<'_>) -> Option<&'s str> {
        if !matches!(self.kind(value), Kind::String | Kind::RawString) {
            return None;
        }
        unquoted(self.b.text(value)).split_whitespace().next()
    }

    /// The variable `holder` has this value from now on.
    pub(super) fn hold_command(&mut self, holder: &str, value: Node<'_>) {
        self.hold_router(holder.rsplit('.').next().unwrap_or(holder), value);
        if self.made.is_empty() {
            return;
        }
        if let Some(id) = self.made_by(value) {
            self.commands.hold(holder, id);
        }
    }

    fn made_by(&self, value: Node<'_>) -> Option<CommandId> {
        let literal = self.composite_of(value)?.id();
        self.made.iter().rev().find(|(node, _)| *node == literal).map(|(_, id)| *id)
    }

    /// `parent.AddCommand(child, newOther())`.
    pub(super) fn add_command(&mut self, callee: Node<'_>, arguments: Node<'_>) {
        let f = &self.t.fields;
        let (operand, field) = (callee.child_by_field_id(f.operand), callee.child_by_field_id(f.field));
        let (Some(operand), Some(field)) = (operand, field) else { return };
        if self.b.text(field) != "AddCommand" {
            return;
        }
        let parent = self.parent_command(operand);
        for child in self.expressions(arguments) {
            if let Some(id) = self.made_by(child).or_else(|| self.held(self.b.text(child))) {
                if id != parent {
                    self.commands.attach(id, Some(parent), None);
                }
                continue;
            }
            let holder = match self.kind(child) {
                Kind::Call => child.child_by_field_id(f.function),
                _ => Some(child),
            };
            if let Some(holder) = holder.filter(|holder| self.kind(*holder) == Kind::Identifier) {
                self.commands.attach_later(self.b.text(holder), parent);
            }
        }
    }

    /// The command an expression holds. One that is not seen yet may follow; one of another file is taken
    /// for the program.
    fn parent_command(&mut self, operand: Node<'_>) -> CommandId {
        let text = self.b.text(operand);
        if let Some(held) = self.held(text) {
            return held;
        }
        let id = self.commands.group(&self.b, operand, None);
        self.commands.hold(text, id);
        self.stand_ins.push((text, id));
        id
    }

    /// Hangs what was added to a command before it was seen under the command itself.
    pub(super) fn finish_commands(&mut self) {
        for (holder, stand_in) in std::mem::take(&mut self.stand_ins) {
            if let Some(command) = self.commands.held(holder).filter(|command| *command != stand_in) {
                self.commands.attach(stand_in, Some(command), None);
            }
        }
    }

    /// A local variable of the function round here, or one of the package.
    fn held(&self, holder: &str) -> Option<CommandId> {
        self.commands.held(&self.b.qualify(holder)).or_else(|| self.commands.held(holder))
    }
}
