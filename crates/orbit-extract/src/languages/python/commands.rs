//! Commands of click, typer and argparse.

use super::{Kind, Python};
use crate::commands::CommandId;
use crate::{Expr, ScopeId};
use tree_sitter::Node;

impl<'s> Python<'s> {
    /// `@click.command("name")`, `@group.command()`, `@app.command()`: the function under it is the handler.
    pub(super) fn command_of_function(&mut self, function: ScopeId, name: &'s str, decorators: &[Node<'_>]) {
        let Some(index) = function.symbol() else { return };
        for decorator in decorators {
            let Some(inner) = decorator.named_child(0) else { continue };
            let callee = if self.kind(inner) == Kind::Call {
                inner.child_by_field_id(self.t.fields.function)
            } else {
                Some(inner)
            };
            let Some((object, role)) = callee.and_then(|callee| self.object_and_attribute(callee)) else {
                continue;
            };
            if !matches!(role, "command" | "group") {
                continue;
            }
            let is_library = matches!(object, "click" | "typer" | "rich_click" | "asyncclick");
            if !is_library && self.commands.held(object).is_none() && !self.imports_cli_library() {
                continue;
            }
            let Some(command_name) = self.decorator_name(inner, name) else { continue };
            let parent = (!is_library).then(|| self.holder(object, *decorator));
            let id = self.commands.command(&self.b, *decorator, parent, &command_name);
            let handler = self.b.expr(Expr::Own(index as u32));
            self.commands.set_handler(id, handler);
            self.commands.hold(name, id);
            return;
        }
    }

    /// The group a variable holds; an imported one is a group of the program.
    fn holder(&mut self, object: &str, at: Node<'_>) -> CommandId {
        if let Some(held) = self.commands.held(object) {
            return held;
        }
        let id = self.commands.group(&self.b, at, None);
        self.commands.hold(object, id);
        id
    }

    /// The literal first argument or `name=`, else the default made from the function's name;
    /// `None` when the name is computed.
    fn decorator_name(&self, decorator: Node<'_>, function: &str) -> Option<String> {
        let default = || Some(function.to_lowercase().replace('_', "-"));
        if self.kind(decorator) != Kind::Call {
            return default();
        }
        let arguments = decorator.child_by_field_id(self.t.fields.arguments)?;
        if let Some(named) = self.keyword(arguments, "name") {
            return self.literal(named).map(str::to_owned);
        }
        match arguments.named_child(0) {
            Some(first) if self.kind(first) == Kind::String => self.literal(first).map(str::to_owned),
            Some(first) if self.kind(first) == Kind::Keyword => default(),
            Some(_) => None,
            None => default(),
        }
    }

    /// `app = typer.Typer()`, `sub = parser.add_subparsers()`, `p = sub.add_parser("x")`.
    pub(super) fn command_of_assignment(&mut self, left: Option<Node<'_>>, right: Node<'_>) {
        let Some(holder) = left.filter(|left| matches!(self.kind(*left), Kind::Identifier | Kind::Attribute))
        else {
            return;
        };
        if self.kind(right) != Kind::Call {
            return;
        }
        let Some(callee) = right.child_by_field_id(self.t.fields.function) else { return };
        let holder = self.b.text(holder);
        if matches!(self.b.text(callee), "typer.Typer" | "Typer") {
            let id = self.commands.group(&self.b, right, None);
            if let Some(name) = self.call_keyword(right, "name") {
                self.commands.attach(id, None, Some(name));
            }
            self.commands.hold(holder, id);
            return;
        }
        let Some((object, method)) = self.object_and_attribute(callee) else { return };
        match method {
            "add_subparsers" => {
                let parent = self.holder(object, right);
                let id = self.commands.group(&self.b, right, Some(parent));
                self.commands.hold(holder, id);
            }
            "add_parser" => {
                if let Some(id) = self.add_parser(right, object) {
                    self.commands.hold(holder, id);
                }
            }
            _ => {}
        }
    }

    fn add_parser(&mut self, call: Node<'_>, object: &str) -> Option<CommandId> {
        let parent = self.commands.held(object)?;
        let arguments = call.child_by_field_id(self.t.fields.arguments)?;
        let name = self.literal(arguments.named_child(0)?)?;
        Some(self.commands.command(&self.b, call, Some(parent), name))
    }

    /// `sub.add_parser("x")` on its own, `p.set_defaults(func=handler)`, `app.add_typer(other, name="x")`,
    /// `group.add_command(other)`.
    pub(super) fn command_of_call(&mut self, call: Node<'_>) {
        let Some(callee) = call.child_by_field_id(self.t.fields.function) else { return };
        if self.kind(callee) != Kind::Attribute {
            return;
        }
        let attribute =
            callee.child_by_field_id(self.t.fields.attribute).map_or("", |node| self.b.text(node));
        match attribute {
            "add_parser" if call.parent().is_none_or(|parent| self.kind(parent) != Kind::Assignment) => {
                if let Some((object, _)) = self.object_and_attribute(callee) {
                    self.add_parser(call, object);
                }
            }
            "set_defaults" => self.set_defaults(call, callee),
            "add_typer" | "add_command" => self.add_group(call, callee),
            _ => {}
        }
    }

    fn set_defaults(&mut self, call: Node<'_>, callee: Node<'_>) {
        let Some(id) = self.object_and_attribute(callee).and_then(|(object, _)| self.commands.held(object))
        else {
            return;
        };
        let Some(arguments) = call.child_by_field_id(self.t.fields.arguments) else { return };
        let handler = ["func", "handler", "function", "fn", "run", "cmd", "command"]
            .into_iter()
            .find_map(|keyword| self.keyword(arguments, keyword));
        if let Some(handler) = handler {
            let handler = self.expr_of(handler, 0);
            self.commands.set_handler(id, handler);
        }
    }

    fn add_group(&mut self, call: Node<'_>, callee: Node<'_>) {
        let Some((object, _)) = self.object_and_attribute(callee) else { return };
        let Some(arguments) = call.child_by_field_id(self.t.fields.arguments) else { return };
        let Some(child) = arguments.named_child(0).and_then(|child| self.commands.held(self.b.text(child)))
        else {
            return;
        };
        let name = self.call_keyword(call, "name");
        let parent = self.holder(object, call);
        if parent != child {
            self.commands.attach(child, Some(parent), name);
        }
    }

    fn imports_cli_library(&self) -> bool {
        self.b.file.imports.iter().any(|import| {
            let module = self.b.file.names.get(import.module);
            matches!(module.split('.').next(), Some("click" | "typer" | "rich_click" | "asyncclick"))
        })
    }

    fn object_and_attribute(&self, callee: Node<'_>) -> Option<(&'s str, &'s str)> {
        if self.kind(callee) != Kind::Attribute {
            return None;
        }
        let object = callee.child_by_field_id(self.t.fields.object)?;
        let attribute = callee.child_by_field_id(self.t.fields.attribute)?;
        Some((self.b.text(object), self.b.text(attribute)))
    }

    pub(super) fn call_keyword(&self, call: Node<'_>, name: &str) -> Option<&'s str> {
        self.literal(self.keyword(call.child_by_field_id(self.t.fields.arguments)?, name)?)
    }

    pub(super) fn keyword<'t>(&self, arguments: Node<'t>, name: &str) -> Option<Node<'t>> {
        let mut cursor = arguments.walk();
        let found = arguments.named_children(&mut cursor).find(|child| {
            self.kind(*child) == Kind::Keyword
                && child.child_by_field_id(self.t.fields.name).is_some_and(|key| self.b.text(key) == name)
        });
        found?.child_by_field_id(self.t.fields.value)
    }

    pub(super) fn literal(&self, node: Node<'_>) -> Option<&'s str> {
        if self.kind(node) != Kind::String || node.named_child_count() > 3 {
            return None;
        }
        let text = self.b.text(node);
        let inner = text.trim_matches(['"', '\'']);
        (!inner.is_empty() && text.starts_with(['"', '\''])).then_some(inner)
    }
}
