//! Calls, and those that define or import something.

use super::{Kind, Ruby};
use crate::builder::{Def, Import, Walk, line, span};
use crate::{Expr, ExprId, ImportKind, RawRef, RefKind, Span, SymbolKind};
use tree_sitter::Node;

impl<'s> Ruby<'s> {
    pub(super) fn call(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let method = node.child_by_field_id(f.method);
        let receiver = node.child_by_field_id(f.receiver);
        let arguments = node.child_by_field_id(f.arguments);
        self.rails_routes(node);
        if let Some(method) = method
            && (receiver.is_none() || self.is_rspec(receiver))
            && self.special_call(node, self.b.text(method), arguments)
        {
            return;
        }
        match (receiver, method) {
            (Some(receiver), Some(method)) => self.method_call(receiver, method),
            (Some(receiver), None) => self.visit_node(receiver),
            (None, Some(method)) if self.kind(method) == Kind::Super => self.super_call(method),
            (None, Some(method)) => {
                let class = if self.b.text(method) == "new" { self.own_class() } else { None };
                self.b.reference(method, RefKind::Call, class);
            }
            (None, None) => {}
        }
        if let Some(arguments) = arguments {
            self.visit_children_of(arguments);
            if let Some(method) = method {
                self.sent(receiver, method, arguments);
            }
        }
        let callee = method.and_then(|method| self.callee(receiver, method));
        self.uses_of_block(node, callee);
        if let Some(block) = node.child_by_field_id(f.block) {
            let value = self.yielded(receiver, method);
            self.block_of(block, value, callee);
        }
    }

    /// The method that is called.
    fn callee(&mut self, receiver: Option<Node<'_>>, method: Node<'_>) -> Option<ExprId> {
        if !matches!(self.kind(method), Kind::Identifier | Kind::Constant) {
            return None;
        }
        let name = self.b.name(method);
        Some(match receiver {
            Some(receiver) => {
                let base = self.expr_of(receiver, 0);
                self.b.member(base, name)
            }
            None => self.b.expr(Expr::Name(name)),
        })
    }

    /// `Foo.new` calls `Foo`, unless that has a `new` of its own; any other method is called on its receiver.
    fn method_call(&mut self, receiver: Node<'_>, method: Node<'_>) {
        let base = self.expr_of(receiver, 0);
        if self.b.text(method) == "new" {
            match self.kind(receiver) {
                Kind::Constant => {
                    self.b.reference(receiver, RefKind::Call, None);
                    return self.b.reference(method, RefKind::Value, Some(base));
                }
                Kind::ScopeResolution => {
                    self.scope_resolution(receiver, RefKind::Call);
                    return self.b.reference(method, RefKind::Value, Some(base));
                }
                _ => {}
            }
        }
        if !self.is_described_class(receiver) {
            self.visit_node(receiver);
        }
        if let Kind::Identifier | Kind::Constant = self.kind(method) {
            self.b.reference(method, RefKind::Call, Some(base));
        }
    }

    /// `x.send(:name)` calls `name`.
    fn sent(&mut self, receiver: Option<Node<'_>>, method: Node<'_>, arguments: Node<'_>) {
        let first = arguments.named_child(0).filter(|first| self.kind(*first) == Kind::Symbol);
        let Some(first) = first else { return };
        if matches!(self.b.text(method), "send" | "__send__" | "public_send") {
            let base = match receiver {
                Some(receiver) => self.expr_of(receiver, 0),
                None => self.b.expr(Expr::This),
            };
            let Span { start, end } = span(first);
            self.b.reference_at(Span { start: start + 1, end }, line(first), RefKind::Value, Some(base));
        }
    }

    /// A bare word: a visibility, a local variable, or a call.
    pub(super) fn identifier(&mut self, node: Node<'_>) {
        if self.in_body {
            match self.b.text(node) {
                "private" | "protected" => return self.is_private = true,
                "public" => return self.is_private = false,
                "module_function" => return,
                _ => {}
            }
        }
        match self.own_class().filter(|_| self.b.text(node) == "new") {
            Some(class) => self.b.reference(node, RefKind::Call, Some(class)),
            None => self.b.plain_reference(node, RefKind::Call),
        }
    }

    /// `super` calls the method of the same name in the parent.
    pub(super) fn super_call(&mut self, node: Node<'_>) {
        let method = self.b.enclosing().find(|symbol| symbol.kind.is_callable()).map(|symbol| symbol.name);
        let base = self.b.expr(Expr::Super);
        self.b.reference(node, RefKind::Call, Some(base));
        if let (Some(name), Some(last)) = (method, self.b.file.refs.last_mut()) {
            *last = RawRef { name, ..*last };
        }
    }

    /// Calls that are declarations in all but name. True when the call is done with.
    fn special_call(&mut self, node: Node<'_>, method: &'s str, arguments: Option<Node<'_>>) -> bool {
        let f = &self.t.fields;
        let block = node.child_by_field_id(f.block);
        if let Some(block) = block
            && (self.test_block(node, method, arguments, block)
                || self.helper(node, method, arguments, block))
        {
            return true;
        }
        let Some(arguments) = arguments else { return false };
        match method {
            "require" | "require_relative" | "load" | "autoload" => return self.require(method, arguments),
            "define_method" => return self.defined_method(node, arguments, block),
            "include" if self.b.enclosing().next().is_none() => {
                self.included_everywhere(arguments);
                return false;
            }
            _ if !self.in_body => return false,
            "attr_accessor" | "attr_reader" | "attr_writer" | "attr" | "cattr_accessor"
            | "mattr_accessor" => {
                self.attributes(node, arguments);
            }
            "include" | "extend" | "prepend" => match self.enclosing_type() {
                Some(owner) => self.mixins(arguments, owner),
                None => return false,
            },
            "def_delegators" | "def_instance_delegators" | "def_delegator" | "def_instance_delegator" => {
                self.delegators(node, method, arguments);
            }
            "delegate" => return self.delegate(node, arguments),
            "alias_method" => {
                if let Some(new) = arguments.named_child(0) {
                    self.define_alias(node, new, arguments.named_child(1));
                }
                if let Some(old) = arguments.named_child(1).filter(|old| self.kind(*old) == Kind::Symbol) {
                    let Span { start, end } = span(old);
                    self.b.reference_at(Span { start: start + 1, end }, line(old), RefKind::Value, None);
                }
            }
            "private" | "protected" | "private_class_method" | "private_constant" => {
                self.hide(arguments);
                let outer = std::mem::replace(&mut self.is_private, true);
                self.visit_children_of(arguments);
                self.is_private = outer;
            }
            "public" | "module_function" | "public_class_method" => self.visit_children_of(arguments),
            _ => return false,
        }
        true
    }

    /// `include Foo` outside of any class: all objects have what `Foo` has.
    fn included_everywhere(&mut self, arguments: Node<'_>) {
        let mut cursor = arguments.walk();
        let modules: Vec<Node<'_>> = arguments
            .named_children(&mut cursor)
            .filter(|module| matches!(self.kind(*module), Kind::Constant | Kind::ScopeResolution))
            .collect();
        for at in modules {
            let module = self.b.text(at).trim_start_matches("::");
            let kind = ImportKind::Glob;
            self.b.import(Import { kind, module, symbol: None, binds: None, reexport: true, at });
        }
    }

    fn require(&mut self, method: &str, arguments: Node<'_>) -> bool {
        let index = u32::from(method == "autoload");
        let Some(path) = arguments.named_child(index) else { return false };
        let Some(text) = self.literal_name(path).filter(|_| self.kind(path) == Kind::String) else {
            return false;
        };
        let relative = method == "require_relative" && !text.starts_with("./") && !text.starts_with("../");
        let module = if relative { format!("./{text}") } else { text.to_owned() };
        self.b.import(Import {
            kind: ImportKind::File,
            module: &module,
            symbol: None,
            binds: None,
            reexport: false,
            at: path,
        });
        true
    }

    /// `define_method(:name) { |a| … }`
    fn defined_method(&mut self, node: Node<'_>, arguments: Node<'_>, block: Option<Node<'_>>) -> bool {
        let Some(name_node) = arguments.named_child(0) else { return false };
        let Some(name) = self.literal_name(name_node) else { return false };
        let mut def = Def::new(node, name_node, SymbolKind::Method).exported(!self.is_private);
        def.signature_end = Some(block.map_or(node.end_byte(), |block| block.start_byte()));
        let scope = self.b.define_as(def, name, None);
        self.b.enter(scope);
        self.visit_children_of(arguments);
        if let Some(block) = block {
            self.scoped_block(block);
        }
        self.b.leave();
        true
    }

    /// A block that is the body of the symbol just entered.
    pub(super) fn scoped_block(&mut self, block: Node<'_>) {
        let outer = std::mem::replace(&mut self.in_body, false);
        let unknown = self.b.unknown();
        self.block(block, unknown);
        self.in_body = outer;
    }

    /// The text of a symbol or string without interpolation, or of a bare word.
    pub(super) fn literal_name(&self, node: Node<'_>) -> Option<&'s str> {
        let text = self.b.text(node);
        let name = match self.kind(node) {
            Kind::Symbol => text.strip_prefix(':')?,
            Kind::String | Kind::DelimitedSymbol => {
                let content = node.named_child(0).filter(|content| {
                    node.named_child_count() == 1 && self.kind(*content) == Kind::StringContent
                });
                self.b.text(content?)
            }
            Kind::Identifier | Kind::Constant | Kind::GlobalVariable | Kind::Setter | Kind::Operator => text,
            _ => return None,
        };
        (!name.is_empty()).then_some(name)
    }
}
