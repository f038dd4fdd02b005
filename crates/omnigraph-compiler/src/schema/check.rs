//! [`SchemaFile`] to [`Catalog`]: names first, then interfaces, nodes and edges.

mod body;
mod metadata;
mod shadow;

use super::ast::{Decl, EdgeDecl, InterfaceDecl, NodeDecl, PropertyDecl, SchemaFile};
use super::catalog::{Cardinality, Catalog, EdgeType, InterfaceType, NodeType};
use crate::code::Code;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Name;
use crate::suggest;
use body::{Draft, Owner};
use std::collections::BTreeMap;

/// The catalog, or everything that is wrong.
pub(super) fn check(file: &SchemaFile) -> Result<Catalog, Diagnostics> {
    let mut checker = Checker { errors: Diagnostics::default(), interfaces: BTreeMap::new() };
    checker.names(file);
    let mut catalog = Catalog::default();
    for decl in &file.decls {
        if let Decl::Interface(decl) = decl {
            checker.interfaces.insert(&decl.name.text, decl);
            let interface = checker.interface(decl);
            catalog.interfaces.insert(decl.name.text.clone(), interface);
        }
    }
    for decl in &file.decls {
        if let Decl::Node(decl) = decl {
            let node = checker.node(decl);
            for implemented in &node.implements {
                if let Some(interface) = catalog.interfaces.get_mut(implemented) {
                    interface.implementors.push(node.name.clone());
                    interface.implementors.sort();
                    interface.implementors.dedup();
                }
            }
            catalog.nodes.insert(node.name.clone(), node);
        }
    }
    for decl in &file.decls {
        if let Decl::Edge(decl) = decl {
            let edge = checker.edge(decl, &catalog);
            catalog.edges.insert(edge.name.clone(), edge);
        }
    }
    checker.errors.finish(catalog)
}

struct Checker<'f> {
    errors: Diagnostics,
    interfaces: BTreeMap<&'f str, &'f InterfaceDecl>,
}

impl<'f> Checker<'f> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.errors.push(diagnostic);
    }

    fn error(&mut self, code: Code, at: &Name, message: impl Into<String>) {
        self.report(Diagnostic::error(code, at.span, message));
    }

    /// Types are unique; edges even when case is ignored, because traversals write them with a small letter.
    fn names(&mut self, file: &'f SchemaFile) {
        let mut seen: BTreeMap<&str, &Name> = BTreeMap::new();
        let mut edges: BTreeMap<String, &Name> = BTreeMap::new();
        for decl in &file.decls {
            let name = decl.name();
            if let Some(first) = seen.insert(&name.text, name) {
                let found = Diagnostic::error(Code::S001, name.span, format!("`{name}` is declared twice"));
                self.report(found.also(first.span, "first here"));
                continue;
            }
            if let Decl::Edge(_) = decl
                && let Some(first) = edges.insert(name.text.to_lowercase(), name)
            {
                let message = format!("edge `{name}` differs from `{first}` only in case");
                let found = Diagnostic::error(Code::S008, name.span, message);
                let hint = "queries find edges without regard to case; give one of them another name";
                self.report(found.also(first.span, "first here").hint(hint));
            }
        }
    }

    fn interface(&mut self, decl: &'f InterfaceDecl) -> InterfaceType {
        let draft = Draft::new(Owner::Interface, &decl.name, decl.properties.iter().collect(), Vec::new());
        let metadata = self.type_metadata(&decl.annotations, "interface", &decl.name);
        let body = self.body(&draft);
        InterfaceType {
            name: decl.name.text.clone(),
            properties: body.properties,
            implementors: Vec::new(),
            metadata,
        }
    }

    fn node(&mut self, decl: &'f NodeDecl) -> NodeType {
        let metadata = self.type_metadata(&decl.annotations, "node", &decl.name);
        let mut draft = Draft::of_members(Owner::Node, &decl.name, &decl.members);
        let mut implements = Vec::new();
        for name in &decl.implements {
            let Some(interface) = self.interfaces.get(name.text.as_str()).copied() else {
                let hint = suggest::did_you_mean(&name.text, self.interfaces.keys().copied());
                let message = format!("`{}` implements the unknown interface `{name}`", decl.name);
                self.report(Diagnostic::error(Code::S002, name.span, message).maybe_hint(hint));
                continue;
            };
            if implements.contains(&name.text) {
                self.error(Code::S001, name, format!("`{name}` is implemented twice"));
                continue;
            }
            implements.push(name.text.clone());
            for property in &interface.properties {
                self.inherit(&mut draft, property, name);
            }
        }
        let body = self.body(&draft);
        NodeType { name: decl.name.text.clone(), implements, body, metadata }
    }

    /// A property of an interface that the node does not declare itself is added; one it declares has the same type.
    fn inherit(&mut self, draft: &mut Draft<'f>, property: &'f PropertyDecl, interface: &Name) {
        let Some(own) = draft.properties.iter().find(|own| own.name.text == property.name.text) else {
            draft.properties.push(property);
            return;
        };
        if own.ty.clone().normalized() != property.ty.clone().normalized() {
            let (name, ty) = (&property.name, &property.ty);
            let message = format!("`{name}` is {}, but interface `{interface}` declares it as {ty}", own.ty);
            let found = Diagnostic::error(Code::S005, own.ty_span, message);
            self.report(found.also(property.ty_span, "declared here"));
        }
    }

    fn edge(&mut self, decl: &'f EdgeDecl, catalog: &Catalog) -> EdgeType {
        for end in [&decl.from, &decl.to] {
            if catalog.nodes.contains_key(&end.text) {
                continue;
            }
            let is_interface = self.interfaces.contains_key(end.text.as_str());
            let hint = if is_interface {
                Some("an edge joins node types, not interfaces".into())
            } else {
                suggest::did_you_mean(&end.text, catalog.nodes.keys().map(String::as_str))
            };
            let message = format!("edge `{}` joins the unknown node type `{end}`", decl.name);
            self.report(Diagnostic::error(Code::S002, end.span, message).maybe_hint(hint));
        }
        let metadata = self.type_metadata(&decl.annotations, "edge", &decl.name);
        let body = self.body(&Draft::of_members(Owner::Edge, &decl.name, &decl.members));
        let card = decl.card.map_or(Cardinality::default(), |card| {
            if card.max.is_some_and(|max| max < card.min) {
                let message = "@card has a least number above its greatest";
                self.report(Diagnostic::error(Code::S006, card.span, message));
            }
            Cardinality { min: card.min, max: card.max }
        });
        let (from, to) = (decl.from.text.clone(), decl.to.text.clone());
        EdgeType { name: decl.name.text.clone(), from, to, card, body, metadata }
    }
}
