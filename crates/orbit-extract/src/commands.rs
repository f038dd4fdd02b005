//! Commands that a program registers by calls: groups and sub-commands known by the variable that holds them.
//!
//! A language module reports what it sees in source order; the tree is read once the file is done, when
//! every group's own name is known.

use crate::builder::{Builder, line, span};
use crate::{ExprId, RawCommand, ScopeId, Span};
use tree_sitter::Node;

struct Entry {
    parent: Option<usize>,
    /// `None` for the program itself or a group whose name is not a literal.
    name: Option<String>,
    is_command: bool,
    span: Span,
    line: u32,
    handler: Option<ExprId>,
    body: Option<Span>,
    scope: ScopeId,
}

/// The commands of one file while it is read.
#[derive(Default)]
pub(crate) struct CommandTree {
    entries: Vec<Entry>,
    holders: Vec<(String, usize)>,
    /// Children known only by a holder that is not seen yet, with their parents.
    later: Vec<(String, usize)>,
}

/// A command or group in a [`CommandTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CommandId(usize);

impl CommandTree {
    /// A group or program that is not a command itself: its commands are named from here.
    pub(crate) fn group(&mut self, b: &Builder<'_>, at: Node<'_>, parent: Option<CommandId>) -> CommandId {
        self.push(b, at, parent, None, false)
    }

    /// A command with a literal name.
    pub(crate) fn command(
        &mut self,
        b: &Builder<'_>,
        at: Node<'_>,
        parent: Option<CommandId>,
        name: &str,
    ) -> CommandId {
        self.push(b, at, parent, Some(name.to_owned()), true)
    }

    fn push(
        &mut self,
        b: &Builder<'_>,
        at: Node<'_>,
        parent: Option<CommandId>,
        name: Option<String>,
        is_command: bool,
    ) -> CommandId {
        let parent = parent.map(|id| id.0);
        self.entries.push(Entry {
            parent,
            name,
            is_command,
            span: span(at),
            line: line(at),
            handler: None,
            body: None,
            scope: b.scope(),
        });
        CommandId(self.entries.len() - 1)
    }

    /// The variable or function `holder` stands for `id` from now on.
    pub(crate) fn hold(&mut self, holder: &str, id: CommandId) {
        self.holders.push((holder.to_owned(), id.0));
    }

    /// What `holder` stands for now.
    pub(crate) fn held(&self, holder: &str) -> Option<CommandId> {
        self.holders.iter().rev().find(|(name, _)| name == holder).map(|(_, id)| CommandId(*id))
    }

    pub(crate) fn set_handler(&mut self, id: CommandId, handler: ExprId) {
        self.entries[id.0].handler = Some(handler);
    }

    /// The function that runs it is written here and has no name.
    pub(crate) fn set_body(&mut self, id: CommandId, function: Node<'_>) {
        self.entries[id.0].body = Some(span(function));
    }

    /// Hangs a group under another, with the name it has there.
    pub(crate) fn attach(&mut self, id: CommandId, parent: Option<CommandId>, name: Option<&str>) {
        self.entries[id.0].parent = parent.map(|parent| parent.0);
        if let Some(name) = name {
            self.entries[id.0].name = Some(name.to_owned());
        }
    }

    /// Hangs what `holder` stands for at the end of the file under a parent.
    pub(crate) fn attach_later(&mut self, holder: &str, parent: CommandId) {
        self.later.push((holder.to_owned(), parent.0));
    }

    /// Turns the tree into rows: every command under the space-joined names of its groups.
    pub(crate) fn finish(mut self, b: &mut Builder<'_>) {
        for (holder, parent) in std::mem::take(&mut self.later) {
            if let Some(child) = self.held(&holder).filter(|child| child.0 != parent) {
                self.entries[child.0].parent = Some(parent);
            }
        }
        for entry in self.entries.iter().filter(|entry| entry.is_command) {
            let mut parts: Vec<&str> = entry.name.as_deref().into_iter().collect();
            let mut up = entry.parent;
            for _ in 0..self.entries.len() {
                let Some(parent) = up.map(|index| &self.entries[index]) else { break };
                // The outermost entry is the program: its own name is not part of a command's path.
                if parent.parent.is_some() || !parent.is_command {
                    parts.extend(parent.name.as_deref());
                }
                up = parent.parent;
            }
            parts.reverse();
            let name = parts.join(" ").into_boxed_str();
            if !name.is_empty() {
                let Entry { span, line, handler, scope, body, .. } = *entry;
                b.file.commands.push(RawCommand { name, span, line, handler, scope, body });
            }
        }
    }
}
