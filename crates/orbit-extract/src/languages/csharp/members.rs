//! Properties, indexers, events, fields, modifiers and attributes.

use super::{CSharp, Kind};
use crate::builder::{Def, Walk};
use crate::{ExprId, RefKind, ScopeId, SymbolKind};
use tree_sitter::Node;

/// What stands before a declaration's name.
#[expect(clippy::struct_excessive_bools, reason = "each field is one modifier")]
pub(super) struct Header {
    is_private: bool,
    is_visible: bool,
    is_const: bool,
    pub(super) is_test: bool,
    /// Where the declaration starts behind its attributes.
    pub(super) signature_start: usize,
}

impl CSharp<'_> {
    /// Reads the modifiers of a declaration and records its attributes.
    pub(super) fn header(&mut self, node: Node<'_>) -> Header {
        let mut header = Header {
            is_private: false,
            is_visible: false,
            is_const: false,
            is_test: false,
            signature_start: node.start_byte(),
        };
        let mut is_leading = true;
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            let kind = self.kind(child);
            match kind {
                Kind::AttributeList => {
                    self.visit_children_of(child);
                    header.is_test |= self.has_test_attribute(child);
                    continue;
                }
                Kind::Comment => continue,
                Kind::PreprocIf => {
                    self.preproc_if(child);
                    continue;
                }
                _ => {}
            }
            if is_leading {
                header.signature_start = child.start_byte();
                is_leading = false;
            }
            if kind != Kind::Modifier {
                break;
            }
            match self.b.text(child) {
                "private" | "file" => header.is_private = true,
                "public" | "internal" | "protected" => header.is_visible = true,
                "const" => header.is_const = true,
                _ => {}
            }
        }
        header
    }

    fn has_test_attribute(&self, list: Node<'_>) -> bool {
        let mut cursor = list.walk();
        list.named_children(&mut cursor).any(|attribute| {
            let name = self.name_of(attribute).map_or("", |name| self.b.text(name));
            let name = name.rsplit('.').next().unwrap_or(name);
            let name = name.strip_suffix("Attribute").unwrap_or(name);
            matches!(
                name,
                "Test" | "TestCase" | "TestCaseSource" | "Fact" | "Theory" | "TestMethod" | "DataTestMethod"
            )
        })
    }

    /// Whether what is declared here can be seen outside the file.
    pub(super) fn is_open_scope(&self) -> bool {
        self.b.enclosing().next().is_none_or(|symbol| symbol.exported && !symbol.kind.is_callable())
    }

    /// Without a modifier, types of a namespace and members of an interface are visible, others are not.
    pub(super) fn is_exported(&self, header: &Header) -> bool {
        let parent = self.b.enclosing().next().map(|symbol| symbol.kind);
        let by_default = matches!(parent, None | Some(SymbolKind::Module | SymbolKind::Interface));
        self.is_open_scope() && !header.is_private && (header.is_visible || by_default)
    }

    /// The signature runs from behind the attributes to the body, or to the end of `node`.
    pub(super) fn sign(&mut self, scope: ScopeId, start: usize, body: Option<Node<'_>>, node: Node<'_>) {
        let end = body.map_or(node.end_byte(), |body| body.start_byte());
        let end = if body.is_none() && self.b.source[..end].ends_with(';') { end - 1 } else { end };
        self.b.set_signature(scope, start..end.max(start));
    }

    /// An attribute calls what it names; `Name = …` sets a property of it.
    pub(super) fn attribute(&mut self, node: Node<'_>) {
        let Some(name) = self.name_of(node) else { return };
        self.type_refs(name, RefKind::Call, 0);
        let Some(arguments) = self.child_of(node, Kind::AttributeArguments) else { return };
        let mut cursor = arguments.walk();
        for argument in arguments.named_children(&mut cursor) {
            let key = self.name_of(argument);
            if let Some(key) = key {
                let rest = self.b.source.get(key.end_byte()..argument.end_byte()).unwrap_or("");
                if rest.trim_start().starts_with('=') {
                    let base = self.instance_of(name);
                    self.b.reference(key, RefKind::Value, Some(base));
                }
            }
            let mut inner = argument.walk();
            for value in argument.named_children(&mut inner) {
                if Some(value.id()) != key.map(|key| key.id()) {
                    self.visit_node(value);
                }
            }
        }
    }

    /// A property, an indexer, or an event with accessors.
    pub(super) fn property(&mut self, node: Node<'_>, kind: Kind) {
        let f = &self.t.fields;
        let name_node = match kind {
            Kind::Indexer => self.keyword_this(node),
            _ => self.name_of(node),
        };
        let Some(name_node) = name_node else { return self.visit_children_of(node) };
        let header = self.header(node);
        let ty = node.child_by_field_id(f.ty);
        let held = ty.map(|ty| self.instance_of(ty));
        let accessors = node.child_by_field_id(f.accessors);
        let value = node.child_by_field_id(f.value);
        let symbol_kind = if kind == Kind::Event { SymbolKind::Field } else { SymbolKind::Property };
        let def = Def::new(node, name_node, symbol_kind).ty(held).exported(self.is_exported(&header));
        let scope = match kind {
            Kind::Indexer => self.b.define_as(def, "this[]", None),
            _ => self.b.define(def),
        };
        self.sign(scope, header.signature_start, accessors.or(value), node);
        self.b.enter(scope);
        self.b.push_frame();
        if let Some(ty) = ty {
            self.type_refs(ty, RefKind::Type, 0);
        }
        self.explicit_interface(node);
        if let Some(parameters) = node.child_by_field_id(f.parameters) {
            self.parameters(parameters);
        }
        if let Some(accessors) = accessors {
            self.accessors(accessors, held);
        }
        if let Some(value) = value {
            self.visit_node(value);
        }
        self.b.pop_frame();
        self.b.leave();
    }

    fn keyword_this<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let mut cursor = node.walk();
        node.children(&mut cursor).find(|child| child.kind_id() == self.t.this)
    }

    /// `IFoo.` before the name of an explicit implementation.
    pub(super) fn explicit_interface(&mut self, node: Node<'_>) {
        if let Some(specifier) = self.child_of(node, Kind::ExplicitInterface) {
            self.type_refs(specifier, RefKind::Type, 0);
        }
    }

    /// In `set`, `init`, `add` and `remove`, `value` is what is assigned.
    fn accessors(&mut self, list: Node<'_>, held: Option<ExprId>) {
        let held = held.unwrap_or_else(|| self.b.unknown());
        let mut cursor = list.walk();
        for accessor in list.named_children(&mut cursor) {
            if self.kind(accessor) != Kind::Accessor {
                continue;
            }
            self.header(accessor);
            let is_getter =
                accessor.child_by_field_id(self.t.fields.name).is_some_and(|name| self.b.text(name) == "get");
            self.b.push_frame();
            if !is_getter {
                let name = self.b.intern("value");
                self.b.bind(name, held);
            }
            self.visit_field(accessor, self.t.fields.body);
            self.b.pop_frame();
        }
    }

    /// Fields, constants, and events without accessors.
    pub(super) fn field_declaration(&mut self, node: Node<'_>, kind: Kind) {
        let header = self.header(node);
        let Some(declaration) = self.child_of(node, Kind::VariableDeclaration) else { return };
        let ty = declaration.child_by_field_id(self.t.fields.ty);
        if let Some(ty) = ty {
            self.type_refs(ty, RefKind::Type, 0);
        }
        let held = ty.map(|ty| self.instance_of(ty));
        let symbol_kind =
            if header.is_const && kind == Kind::Field { SymbolKind::Const } else { SymbolKind::Field };
        let exported = self.is_exported(&header);
        let mut cursor = declaration.walk();
        for declarator in declaration.named_children(&mut cursor) {
            if self.kind(declarator) != Kind::Declarator {
                continue;
            }
            let Some(name) = self.name_of(declarator) else { continue };
            let scope = self.b.define(Def::new(node, name, symbol_kind).ty(held).exported(exported));
            let value = self.declarator_value(declarator);
            let long_value = value.filter(|value| value.start_position().row != value.end_position().row);
            self.sign(scope, header.signature_start, long_value, node);
            if let Some(value) = value {
                self.b.push_frame();
                self.visit_node(value);
                self.b.pop_frame();
            }
        }
    }
}
