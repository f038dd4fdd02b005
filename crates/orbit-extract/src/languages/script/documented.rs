//! What comments of JavaScript say of what they stand before: types of parameters, results and variables, and types that
//! only a comment defines. TypeScript takes them for the types, so they count as if they were written in the code.

use super::commonjs::required_name;
use super::jsdoc::{DocComment, Docs, Tag, TagKind, imported, type_at};
use super::{Kind, Script, TYPESCRIPT};
use crate::builder::Walk;
use crate::text::one_line;
use crate::{Expr, ExprId, ImportKind, NameId, RawSymbol, ScopeId, Span, SymbolKind};
use std::ops::Range;
use std::rc::Rc;
use tree_sitter::Node;

/// The comment of a symbol, by where it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DocId(usize);

impl Script<'_> {
    /// The comment that belongs to a node.
    pub(super) fn doc_of(&self, node: Node<'_>) -> Option<DocId> {
        let docs = self.docs.as_ref()?;
        docs.before(self.b.source, node.start_byte()).map(|comment| DocId(comment.place.start))
    }

    fn with_doc<T>(
        &mut self,
        doc: Option<DocId>,
        read: impl FnOnce(&mut Self, &Docs, &DocComment) -> Option<T>,
    ) -> Option<T> {
        let docs = Rc::clone(self.docs.as_ref()?);
        let comment = docs.at(doc?.0)?;
        read(self, &docs, comment)
    }

    /// The value that the `@type` before a node says it is.
    pub(super) fn documented_value(&mut self, node: Node<'_>) -> Option<ExprId> {
        let doc = self.doc_of(node)?;
        self.with_doc(Some(doc), |walk, docs, comment| {
            let tag = comment.tags.iter().find(|tag| tag.kind == TagKind::Type)?;
            walk.value_of_tag(docs, tag)
        })
    }

    /// What calling a documented function gives.
    pub(super) fn documented_result(&mut self, doc: Option<DocId>) -> Option<ExprId> {
        self.with_doc(doc, |walk, docs, comment| {
            let types = walk.types.len();
            walk.bind_templates(docs, comment);
            let tag = comment.tags.iter().find(|tag| tag.kind == TagKind::Returns);
            let value = tag.and_then(|tag| walk.value_of_tag(docs, tag));
            walk.types.truncate(types);
            value
        })
    }

    /// What a parameter of a documented function is: found by its name, a pattern by its place.
    pub(super) fn documented_parameter(
        &mut self,
        doc: Option<DocId>,
        parameter: Node<'_>,
        at: usize,
    ) -> Option<ExprId> {
        if let Some(value) = self.documented_value(parameter) {
            return Some(value);
        }
        self.with_doc(doc, |walk, docs, comment| {
            let tag = walk.tag_of_parameter(comment, parameter, at)?;
            let value = walk.value_of_tag(docs, tag)?;
            if !tag.is_rest {
                return Some(value);
            }
            let builtin = walk.b.expr(Expr::Builtin);
            let held = walk.b.expr(Expr::Apply(builtin, value));
            Some(walk.b.instance(held))
        })
    }

    fn tag_of_parameter<'d>(
        &self,
        comment: &'d DocComment,
        parameter: Node<'_>,
        at: usize,
    ) -> Option<&'d Tag> {
        let f = &self.t.fields;
        let name = |tag: &Tag| tag.name.clone().and_then(|name| self.b.source.get(name));
        let mut whole = comment
            .tags
            .iter()
            .filter(|tag| tag.kind == TagKind::Param && name(tag).is_some_and(|name| !name.contains('.')));
        let pattern = match self.kind(parameter) {
            Kind::AssignmentPattern => parameter.child_by_field_id(f.left).unwrap_or(parameter),
            Kind::RestPattern => parameter.named_child(0).unwrap_or(parameter),
            _ => parameter,
        };
        match self.kind(pattern) {
            Kind::Identifier => whole.find(|tag| name(tag) == Some(self.b.text(pattern))),
            _ => whole.nth(at),
        }
    }

    /// Binds the names that a parameter is taken apart to, where the comment says what they are:
    /// `@param {T} options.key`.
    pub(super) fn bind_documented_keys(&mut self, doc: Option<DocId>, parameter: Node<'_>, at: usize) {
        let f = &self.t.fields;
        let pattern = parameter.child_by_field_id(f.left).unwrap_or(parameter);
        if doc.is_none() || self.kind(pattern) != Kind::ObjectPattern {
            return;
        }
        let mut cursor = pattern.walk();
        for part in pattern.named_children(&mut cursor) {
            let (key, target) = match self.kind(part) {
                Kind::PairPattern => (part.child_by_field_id(f.key), part.child_by_field_id(f.value)),
                _ => (Some(part), Some(part)),
            };
            let (Some(key), Some(target)) = (key, target) else { continue };
            let bare = |node: Node<'_>| {
                node.child_by_field_id(f.left).map_or(self.b.text(node), |left| self.b.text(left))
            };
            let (key, target) = (bare(key), bare(target));
            if let Some(value) = self.documented_key(doc, at, key) {
                let name = self.b.intern(target);
                self.b.bind(name, value);
            }
        }
    }

    fn documented_key(&mut self, doc: Option<DocId>, at: usize, key: &str) -> Option<ExprId> {
        self.with_doc(doc, |walk, docs, comment| {
            let source = walk.b.source;
            let name = |tag: &Tag| tag.name.clone().and_then(|name| source.get(name)).unwrap_or("");
            let params = || comment.tags.iter().filter(|tag| tag.kind == TagKind::Param);
            let owner = params().map(name).filter(|name| !name.contains('.')).nth(at)?;
            let is_it = |tag: &&Tag| name(tag).split_once('.') == Some((owner, key));
            walk.value_of_tag(docs, params().find(is_it)?)
        })
    }

    /// Gives a documented function or class its type parameters, and binds them.
    pub(super) fn declare_templates(&mut self, doc: Option<DocId>, scope: ScopeId) {
        self.with_doc(doc, |walk, docs, comment| {
            let parameters = walk.bind_templates(docs, comment);
            walk.b.set_type_params(scope, &parameters);
            Some(())
        });
    }

    /// Binds the type parameters of a documented function.
    pub(super) fn bind_documented_templates(&mut self, doc: Option<DocId>) {
        self.with_doc(doc, |walk, docs, comment| Some(walk.bind_templates(docs, comment)));
    }

    fn bind_templates(&mut self, docs: &Docs, comment: &DocComment) -> Vec<ExprId> {
        let mut all = Vec::new();
        for tag in comment.tags.iter().filter(|tag| tag.kind == TagKind::Template) {
            let bound = tag.ty.as_ref().and_then(|place| self.read_type(docs, place, Script::type_expr));
            let bound = bound.unwrap_or_else(|| self.b.unknown());
            let names = tag.name.clone().and_then(|place| self.b.source.get(place)).unwrap_or("");
            // What follows the last name without a comma is prose.
            for name in names.split(',').map(str::trim).map_while(|name| name.split(' ').next()) {
                let name = self.b.intern(name);
                let parameter = self.b.parameter(name, bound);
                self.types.push((name, parameter));
                all.push(parameter);
            }
        }
        all
    }

    fn value_of_tag(&mut self, docs: &Docs, tag: &Tag) -> Option<ExprId> {
        self.read_type(docs, tag.ty.as_ref()?, Script::value_of_type)
    }

    /// Reads the type at a place of a comment.
    fn read_type<T>(
        &mut self,
        docs: &Docs,
        place: &Range<usize>,
        read: impl FnOnce(&mut Self, Node<'_>, u32) -> T,
    ) -> Option<T> {
        let tree = docs.tree();
        let node = type_at(&tree, place)?;
        let tables = std::mem::replace(&mut self.t, &TYPESCRIPT);
        let result = read(self, node, 0);
        self.t = tables;
        Some(result)
    }

    // ── comments as such ────────────────────────────────────────────────────────────────────────────

    /// A comment where it stands: the types that it names are used, those that it defines are symbols.
    pub(super) fn doc_comment(&mut self, node: Node<'_>) {
        if self.docs.is_none() {
            return;
        }
        self.with_doc(Some(DocId(node.start_byte())), |walk, docs, comment| {
            let types = walk.types.len();
            walk.bind_templates(docs, comment);
            let mut scope = None;
            for (index, tag) in comment.tags.iter().enumerate() {
                let defined = match tag.kind {
                    TagKind::Typedef | TagKind::Callback => {
                        scope = walk.define_documented(docs, comment, index);
                        scope
                    }
                    TagKind::Property => walk.define_property(docs, tag, scope),
                    _ => None,
                };
                if let Some(place) = &tag.ty {
                    walk.use_type(docs, place, defined);
                }
            }
            walk.types.truncate(types);
            Some(())
        });
    }

    /// The names in a type are used; the members of an object type belong to the symbol that has it.
    fn use_type(&mut self, docs: &Docs, place: &Range<usize>, owner: Option<ScopeId>) {
        let Some(owner) = owner else {
            self.read_type(docs, place, |walk, node, _| walk.visit_node(node));
            return;
        };
        self.b.enter(owner);
        self.read_type(docs, place, Script::member_type);
        self.b.leave();
    }

    /// `@typedef {T} Name`, `@callback Name`.
    fn define_documented(&mut self, docs: &Docs, comment: &DocComment, index: usize) -> Option<ScopeId> {
        let tag = comment.tags.get(index)?;
        let place = tag.name.clone()?;
        let ty = match tag.kind {
            TagKind::Callback => Some(self.callback(docs, comment, index)),
            _ => tag.ty.as_ref().and_then(|place| {
                self.read_type(docs, place, |walk, node, depth| {
                    let is_object = walk.kind(node) == Kind::ObjectType;
                    (!is_object).then(|| walk.type_expr(node, depth))
                })?
            }),
        };
        let scope = self.push_documented(&place, comment.place.clone(), SymbolKind::TypeAlias, ty)?;
        let templates: Vec<ExprId> = self.types.iter().map(|(_, parameter)| *parameter).collect();
        let has_templates = comment.tags.iter().any(|tag| tag.kind == TagKind::Template);
        if has_templates {
            self.b.set_type_params(scope, &templates);
        }
        Some(scope)
    }

    /// What the parameters and the result behind a `@callback` say.
    fn callback(&mut self, docs: &Docs, comment: &DocComment, index: usize) -> ExprId {
        let unknown = self.b.unknown();
        let (mut params, mut result) = (Vec::new(), unknown);
        for tag in &comment.tags[index + 1..] {
            let value = self.value_of_tag(docs, tag).unwrap_or(unknown);
            match tag.kind {
                TagKind::Param => params.push(match (tag.is_rest, tag.is_optional) {
                    (true, _) => self.b.expr(Expr::Rest(value)),
                    (_, true) => self.b.expr(Expr::Defaulted(value)),
                    _ => value,
                }),
                TagKind::Returns => result = value,
                _ => break,
            }
        }
        let params = self.b.list(&params);
        self.b.expr(Expr::Function(params, result))
    }

    /// `@property {T} name` of the type that the comment defines.
    fn define_property(&mut self, docs: &Docs, tag: &Tag, owner: Option<ScopeId>) -> Option<ScopeId> {
        let (owner, place) = (owner?, tag.name.clone()?);
        let ty = tag
            .ty
            .as_ref()
            .and_then(|place| self.read_type(docs, place, |walk, node, _| walk.declared_type(node))?);
        self.b.enter(owner);
        let scope = self.push_documented(&place, place.clone(), SymbolKind::Property, ty);
        self.b.leave();
        scope
    }

    fn push_documented(
        &mut self,
        name: &Range<usize>,
        whole: Range<usize>,
        kind: SymbolKind,
        ty: Option<ExprId>,
    ) -> Option<ScopeId> {
        let source = self.b.source;
        let text = source.get(name.clone()).filter(|text| !text.contains('.'))?;
        let line_at = |at: usize| source[..at].bytes().filter(|byte| *byte == b'\n').count() as u32 + 1;
        let path = self.b.qualify(text);
        let tag = source[..name.start].rfind('@').unwrap_or(name.start);
        let symbol = RawSymbol {
            name: self.b.intern(text),
            local: self.b.intern(&path),
            overload: 0,
            kind,
            parent: self.b.scope(),
            span: Span { start: whole.start as u32, end: whole.end as u32 },
            line: line_at(name.start),
            end_line: line_at(whole.end),
            signature: source.get(tag..name.end).map(one_line),
            ty,
            params: None,
            type_params: None,
            receiver: None,
            decorators: None,
            inactive: false,
            is_virtual: true,
            condition: None,
            known_as: None,
            bodiless: false,
            exported: true,
        };
        let scope = self.b.push_symbol(symbol);
        if self.b.scope() == ScopeId::FILE {
            let name = self.b.intern(text);
            self.top_level.entry(name).or_insert(scope);
        }
        Some(scope)
    }

    // ── import types ────────────────────────────────────────────────────────────────────────────────

    /// The name that the module of `import("m")` goes by, where that stands as one identifier.
    pub(super) fn imported_name(&mut self, node: Node<'_>) -> Option<NameId> {
        let name = required_name(imported(self.b.text(node))?);
        Some(self.b.intern(&name))
    }

    /// Records `import("m")` that stands as one identifier; says whether it was one.
    pub(super) fn import_in_type(&mut self, node: Node<'_>) -> bool {
        let Some(module) = imported(self.b.text(node)) else { return false };
        let name = required_name(module);
        // The type may be looked up from outside of the symbol that it is written in.
        self.b.enter(ScopeId::FILE);
        self.import_row(ImportKind::Module, module, None, Some(&name), node);
        self.b.leave();
        true
    }
}
