//! Commands of commander, yargs and cac: chains of calls on a program.

use super::{Kind, Script};
use crate::builder::{MAX_EXPR_DEPTH, line, span};
use crate::commands::CommandId;
use crate::{Expr, RawCommand, ScopeId, SymbolKind};
use tree_sitter::Node;

/// A command-line library; they differ in what `.command(…)` returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Library {
    /// The new command, unless it has a description of its own.
    Commander,
    /// The program.
    Yargs,
    /// The new command.
    Cac,
}

impl Library {
    pub(super) fn of_module(module: &str) -> Option<Library> {
        match module {
            "commander" | "@commander-js/extra-typings" => Some(Library::Commander),
            "yargs" | "yargs/yargs" | "yargs/helpers" => Some(Library::Yargs),
            "cac" => Some(Library::Cac),
            _ => None,
        }
    }
}

/// What a variable that nothing here put a command in stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Missing {
    /// No command: most chains have nothing to do with any.
    Ignored,
    /// The program, made elsewhere: commands are added to it.
    IsProgram,
}

impl<'s> Script<'s> {
    /// `program.command('x')`, `.action(handler)`, `.addCommand(other)`, `new Command('x')`.
    pub(super) fn command_of_call(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        self.command_chain(node, Missing::Ignored, 0);
        let Some(callee) = node.child_by_field_id(f.function).filter(|node| self.kind(*node) == Kind::Member)
        else {
            return;
        };
        let (object, property) = (callee.child_by_field_id(f.object), callee.child_by_field_id(f.property));
        let (Some(object), Some(property)) = (object, property) else { return };
        let first = node.child_by_field_id(f.arguments).and_then(|arguments| arguments.named_child(0));
        match (self.b.text(property), first) {
            ("action", Some(handler)) => {
                if let Some(id) = self.command_chain(object, Missing::IsProgram, 0) {
                    self.handle(id, handler);
                }
            }
            ("addCommand", Some(child)) => self.add_command(object, child),
            _ => {}
        }
    }

    fn handle(&mut self, id: CommandId, handler: Node<'_>) {
        let inner = self.unwrapped(handler);
        if self.is_function(inner) {
            return self.commands.set_body(id, inner);
        }
        let handler = self.expr_of(inner, 0);
        self.commands.set_handler(id, handler);
    }

    fn add_command(&mut self, object: Node<'_>, child: Node<'_>) {
        let Some(parent) = self.command_chain(object, Missing::IsProgram, 0) else { return };
        if self.kind(child) == Kind::Call
            && let Some(maker) = child.child_by_field_id(self.t.fields.function)
            && self.kind(maker) == Kind::Identifier
        {
            return self.commands.attach_later(self.b.text(maker), parent);
        }
        match self.kind(child) {
            Kind::Identifier if self.commands.held(self.b.text(child)).is_none() => {
                self.commands.attach_later(self.b.text(child), parent);
            }
            _ => {
                if let Some(id) = self.command_chain(child, Missing::Ignored, 0).filter(|id| *id != parent) {
                    self.commands.attach(id, Some(parent), None);
                }
            }
        }
    }

    /// The variable `name` holds what an expression made.
    pub(super) fn hold_command(&mut self, name: Node<'_>, value: Node<'_>) {
        self.hold_router(name, value);
        if self.library.is_none() {
            return;
        }
        let value = self.unwrapped(value);
        if !matches!(self.kind(value), Kind::Call | Kind::New) {
            return;
        }
        if let Some(id) = self.command_chain(value, Missing::Ignored, 0) {
            self.commands.hold(self.b.text(name), id);
        }
    }

    /// The command that an expression stands for; calls are read once, by node.
    fn command_chain(&mut self, node: Node<'_>, missing: Missing, depth: u32) -> Option<CommandId> {
        if depth > 4 * MAX_EXPR_DEPTH {
            return None;
        }
        if let Some(known) = self.chained.get(&node.id()) {
            return Some(*known);
        }
        let f = &self.t.fields;
        let id = match self.kind(node) {
            Kind::Identifier | Kind::Member => return self.holder(node, missing),
            Kind::Parenthesized | Kind::NonNull | Kind::As | Kind::Await => {
                return self.command_chain(node.named_child(0)?, missing, depth + 1);
            }
            Kind::New => {
                let constructor = node.child_by_field_id(f.constructor)?;
                let is_command = self.last_name(constructor) == "Command";
                is_command.then(|| self.made(node))?
            }
            Kind::Call => {
                let callee = node.child_by_field_id(f.function)?;
                match self.kind(callee) {
                    Kind::Identifier if self.b.text(callee) == "createCommand" => self.made(node),
                    Kind::Identifier if is_program_maker(self.b.text(callee)) => {
                        self.commands.group(&self.b, node, None)
                    }
                    Kind::Member => self.chained_call(node, callee, missing, depth)?,
                    _ => return None,
                }
            }
            _ => return None,
        };
        self.chained.insert(node.id(), id);
        Some(id)
    }

    /// `object.method(…)` in a chain: the object itself but for `.command(…)`.
    fn chained_call(
        &mut self,
        node: Node<'_>,
        callee: Node<'_>,
        missing: Missing,
        depth: u32,
    ) -> Option<CommandId> {
        let f = &self.t.fields;
        let object = callee.child_by_field_id(f.object)?;
        match self.b.text(callee.child_by_field_id(f.property)?) {
            "createCommand" => Some(self.made(node)),
            "command" => {
                let parent = self.command_chain(object, Missing::IsProgram, depth + 1)?;
                self.command_call(node, parent)
            }
            _ => self.command_chain(object, missing, depth + 1),
        }
    }

    /// `parent.command('name')`: what the chain goes on with.
    fn command_call(&mut self, node: Node<'_>, parent: CommandId) -> Option<CommandId> {
        let f = &self.t.fields;
        let arguments = node.child_by_field_id(f.arguments)?;
        match self.library? {
            Library::Yargs => {
                self.yargs_command(arguments, parent);
                Some(parent)
            }
            library => {
                let name_node = arguments.named_child(0);
                let name = name_node.and_then(|node| Some((node, self.command_name(node)?)));
                let id = match name {
                    Some((at, name)) => self.commands.command(&self.b, at, Some(parent), name),
                    None => self.commands.group(&self.b, node, Some(parent)),
                };
                // `.command('name', 'description')` is another program; the chain goes on with this one.
                let second = arguments.named_child(1).map(|second| self.kind(second));
                let is_program = library == Library::Commander && second == Some(Kind::String);
                Some(if is_program { parent } else { id })
            }
        }
    }

    /// `.command('name <x>', 'description', builder, handler)`, `.command({ command, builder, handler })`.
    fn yargs_command(&mut self, arguments: Node<'_>, parent: CommandId) {
        let Some(first) = arguments.named_child(0) else { return };
        let (name, builder, handler) = if self.kind(first) == Kind::Object {
            let field = |name| self.object_field(first, name);
            (field("command"), field("builder"), field("handler"))
        } else {
            (Some(first), arguments.named_child(2), arguments.named_child(3))
        };
        let name = name.and_then(|name| match self.kind(name) {
            Kind::Array => name.named_child(0),
            _ => Some(name),
        });
        let Some((at, name)) = name.and_then(|node| Some((node, self.command_name(node)?))) else { return };
        let id = self.commands.command(&self.b, at, Some(parent), name);
        if let Some(handler) = handler {
            self.handle(id, handler);
        }
        // The builder's parameter stands for the new command.
        let parameter = builder.filter(|builder| self.is_function(*builder)).and_then(|builder| {
            let f = &self.t.fields;
            let list = builder.child_by_field_id(f.parameters);
            let parameter =
                list.and_then(|list| list.named_child(0)).or(builder.child_by_field_id(f.parameter))?;
            parameter.child_by_field_id(f.pattern).or(Some(parameter))
        });
        if let Some(parameter) = parameter {
            self.commands.hold(self.b.text(parameter), id);
        }
    }

    pub(super) fn object_field<'t>(&self, object: Node<'t>, name: &str) -> Option<Node<'t>> {
        let f = &self.t.fields;
        let mut cursor = object.walk();
        let found = object.named_children(&mut cursor).find(|member| {
            let key = member.child_by_field_id(f.key).unwrap_or(*member);
            matches!(self.kind(*member), Kind::Pair | Kind::ShorthandProperty)
                && self.property_name(key) == name
        })?;
        found.child_by_field_id(f.value).or(Some(found))
    }

    /// `new Command('name')`; without a name it is a program.
    fn made(&mut self, node: Node<'_>) -> CommandId {
        let arguments = node.child_by_field_id(self.t.fields.arguments);
        let name = arguments.and_then(|arguments| arguments.named_child(0));
        let id = match name.and_then(|name| self.command_name(name)) {
            Some(name) => self.commands.command(&self.b, node, None, name),
            None => self.commands.group(&self.b, node, None),
        };
        // `makeServe()` stands for the command that the function makes first.
        let maker = self.b.enclosing().next().filter(|symbol| symbol.kind == SymbolKind::Function);
        if let Some(maker) = maker.map(|symbol| self.b.file.names.get(symbol.name).to_owned())
            && self.commands.held(&maker).is_none()
        {
            self.commands.hold(&maker, id);
        }
        id
    }

    /// What a variable holds.
    fn holder(&mut self, node: Node<'_>, missing: Missing) -> Option<CommandId> {
        let holder = self.b.text(node);
        let held = self.commands.held(holder);
        if held.is_some() || missing == Missing::Ignored {
            return held;
        }
        let id = self.commands.group(&self.b, node, None);
        self.commands.hold(holder, id);
        Some(id)
    }

    /// The first word of a literal, unless it is a placeholder.
    fn command_name(&self, node: Node<'_>) -> Option<&'s str> {
        let word = self.literal(node)?.split_whitespace().next()?;
        (!word.starts_with(['<', '[', '$', '*'])).then_some(word)
    }

    /// `exports.command = 'name <x>'` beside an exported `handler`: a yargs command in a file of its own.
    pub(super) fn command_module(&mut self, whole: Node<'_>, value: Node<'_>) {
        if let Some(name) = self.command_name(value) {
            self.command_module = Some((name, span(whole), line(whole)));
        }
    }

    pub(super) fn finish_command_module(&mut self) {
        let Some((name, span, line)) = self.command_module else { return };
        let handler = self.b.intern("handler");
        if self.top_level.contains_key(&handler) {
            let handler = Some(self.b.expr(Expr::Name(handler)));
            let row = RawCommand { name: name.into(), span, line, handler, scope: ScopeId::FILE, body: None };
            self.b.file.commands.push(row);
        }
    }

    fn last_name(&self, node: Node<'_>) -> &'s str {
        self.b.text(node.child_by_field_id(self.t.fields.property).unwrap_or(node))
    }
}

fn is_program_maker(name: &str) -> bool {
    matches!(name, "yargs" | "cac")
}
