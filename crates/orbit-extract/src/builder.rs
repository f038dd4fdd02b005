//! Collects the facts of one file while a language module walks its tree.
//!
//! The builder owns what every language needs in the same way: interning, the stack of enclosing
//! symbols, the stack of local variables with what is known of their types, qualified paths, overload
//! numbers, and the depth guard.

mod place;
mod origin;
mod routes;
mod scopes;
mod skeleton;
mod walk;

pub(crate) use place::{end_line, line, span};
pub(crate) use routes::{Joins, RouterId, verb};
pub(crate) use walk::Walk;

use crate::reads;
use crate::secrets::is_named_secret;
use crate::text::{is_notable_string, one_line};
use crate::words::{self, Role, Seen};
use crate::{
    ConfigKind, Expr, ExprId, ExtractedFile, Family, ImportKind, Lang, NameId, RawConfig, RawImport, RawRef,
    RawRelation, RawString, RawSymbol, RefKind, RelationKind, ScopeId, Span, SymbolKind,
};
use crate::{virtuals, within};
use foldhash::fast::FixedState;
use hashbrown::HashMap;
use routes::Routes;
use tree_sitter::{Node, Tree};

/// How far before a string the name that it is assigned to is looked for.
const MAX_NAME: usize = 120;
/// How many steps of a receiver chain are looked at.
pub(crate) const MAX_EXPR_DEPTH: u32 = 96;

/// A definition about to be recorded.
pub(crate) struct Def<'t> {
    /// The whole definition, decorators and doc attributes included.
    pub(crate) node: Node<'t>,
    /// The identifier; its line is the symbol's line.
    pub(crate) name_node: Node<'t>,
    pub(crate) kind: SymbolKind,
    /// Where the signature ends (start of the body); `None` keeps no signature.
    pub(crate) signature_end: Option<usize>,
    pub(crate) ty: Option<ExprId>,
    pub(crate) exported: bool,
}

impl<'t> Def<'t> {
    /// A definition with no type, not exported, without signature.
    pub(crate) fn new(node: Node<'t>, name_node: Node<'t>, kind: SymbolKind) -> Def<'t> {
        Def { node, name_node, kind, signature_end: None, ty: None, exported: false }
    }

    /// The signature runs from the node's start to where the body begins (or to the node's end).
    pub(crate) fn signature_until(mut self, body: Option<Node<'t>>) -> Def<'t> {
        self.signature_end = Some(body.map_or(self.node.end_byte(), |body| body.start_byte()));
        self
    }

    pub(crate) fn ty(mut self, ty: Option<ExprId>) -> Def<'t> {
        self.ty = ty;
        self
    }

    pub(crate) fn exported(mut self, exported: bool) -> Def<'t> {
        self.exported = exported;
        self
    }
}

pub(crate) use crate::kinds::{KindTable, node_fields, node_kinds};

pub(crate) struct Builder<'s> {
    pub(crate) source: &'s str,
    pub(crate) file: ExtractedFile,
    separator: &'static str,
    scopes: Vec<ScopeId>,
    /// Path that members of the scope on top are qualified with, where it is not the scope's own path.
    prefixes: Vec<(ScopeId, String)>,
    locals: Vec<(NameId, ExprId)>,
    frames: Vec<usize>,
    overloads: HashMap<NameId, u16, FixedState>,
    exprs: HashMap<Expr, ExprId, FixedState>,
    depth: u32,
    /// What is seen of words that have no row of their own.
    seen: Seen,
    /// Routers and routes, until the file is done.
    pub(crate) routes: Routes,
}

impl<'s> Builder<'s> {
    pub(crate) fn new(lang: Lang, source: &'s str) -> Builder<'s> {
        Builder {
            source,
            file: ExtractedFile::empty(lang),
            separator: lang.separator(),
            scopes: Vec::new(),
            prefixes: Vec::new(),
            locals: Vec::new(),
            frames: Vec::new(),
            overloads: HashMap::with_hasher(FixedState::with_seed(1)),
            exprs: HashMap::with_hasher(FixedState::with_seed(2)),
            depth: 0,
            seen: Seen::default(),
            routes: Routes::default(),
        }
    }

    /// The facts of the file, given the trees that were walked, in the order of the file.
    pub(crate) fn finish(mut self, trees: &[Tree]) -> ExtractedFile {
        self.file.has_errors |= trees.iter().any(|tree| tree.root_node().has_error());
        self.name_routes();
        virtuals::mark(&mut self.file);
        within::place(&mut self.file);
        if self.file.lang.family() == Family::Prose {
            self.file.words = words::words_of_text(self.source);
        } else {
            words::count(self.source, &mut self.file, self.seen, trees);
        }
        self.file
    }

    // ── text ────────────────────────────────────────────────────────────────────────────────────────

    pub(crate) fn text(&self, node: Node<'_>) -> &'s str {
        self.source.get(node.byte_range()).unwrap_or("")
    }

    pub(crate) fn intern(&mut self, text: &str) -> NameId {
        self.file.names.intern(text)
    }

    pub(crate) fn name(&mut self, node: Node<'_>) -> NameId {
        let text = self.text(node);
        self.file.names.intern(text)
    }

    // ── rows ────────────────────────────────────────────────────────────────────────────────────────

    /// Records a definition under the current scope; the result opens its scope.
    pub(crate) fn define(&mut self, def: Def<'_>) -> ScopeId {
        let name = self.text(def.name_node).to_owned();
        self.define_as(def, &name, None)
    }

    /// Records a definition with a name that is not the identifier's text, or a path of its own
    /// (relative to the current scope's prefix).
    pub(crate) fn define_as(&mut self, def: Def<'_>, name: &str, last_part: Option<&str>) -> ScopeId {
        let path = self.qualify(last_part.unwrap_or(name));
        self.seen.roles.push((def.name_node.start_byte() as u32, Role::Definition));
        let signature = def.signature_end.and_then(|end| {
            let text = self.source.get(def.node.start_byte()..end)?;
            Some(one_line(text.trim_end().trim_end_matches(['{', ':', '='])))
        });
        let symbol = RawSymbol {
            name: self.intern(name),
            local: self.intern(&path),
            overload: 0,
            kind: def.kind,
            parent: self.scope(),
            span: span(def.node),
            line: line(def.name_node),
            end_line: end_line(def.node),
            signature,
            ty: def.ty,
            params: None,
            type_params: None,
            receiver: None,
            decorators: None,
            inactive: false,
            condition: None,
            known_as: None,
            is_virtual: true,
            bodiless: false,
            exported: def.exported,
        };
        self.number(symbol)
    }

    /// Gives a symbol the signature written in `range`: for definitions whose node starts with
    /// annotations or attributes.
    pub(crate) fn set_signature(&mut self, scope: ScopeId, range: std::ops::Range<usize>) {
        if let (Some(index), Some(text)) = (scope.symbol(), self.source.get(range)) {
            let text = text.trim_end().trim_end_matches(['{', ':', '=']);
            self.file.symbols[index].signature = Some(one_line(text));
        }
    }

    /// Records a finished symbol row whose name is the first word of that name in its span.
    pub(crate) fn push_symbol(&mut self, symbol: RawSymbol) -> ScopeId {
        /// A definition says its name early.
        const FAR: usize = 400;
        let (start, end) = (symbol.span.start as usize, symbol.span.end as usize);
        let end = self.source.floor_char_boundary(end.min(start + FAR));
        let text = self.source.get(start..end).unwrap_or("");
        if let Some(at) = words::find(text, self.file.names.get(symbol.name)) {
            self.seen.roles.push(((start + at) as u32, Role::Definition));
        }
        self.number(symbol)
    }

    /// Records a symbol row, numbering it among those of the same path.
    fn number(&mut self, mut symbol: RawSymbol) -> ScopeId {
        symbol.overload = self.overload_of(symbol.local);
        self.file.symbols.push(symbol);
        ScopeId::of_symbol(self.file.symbols.len() - 1)
    }

    /// The number of the next symbol with this path.
    pub(crate) fn overload_of(&mut self, local: NameId) -> u16 {
        let seen = self.overloads.entry(local).or_insert(0);
        let number = *seen;
        *seen = seen.saturating_add(1);
        number
    }

    /// What members of the current scope are qualified with.
    pub(crate) fn path_here(&self) -> &str {
        let scope = self.scope();
        match self.prefixes.last() {
            Some((at, prefix)) if *at == scope => prefix.as_str(),
            _ => scope.symbol().map_or("", |index| self.file.names.get(self.file.symbols[index].local)),
        }
    }

    /// `part` behind the path of the current scope.
    pub(crate) fn qualify(&self, part: &str) -> String {
        let prefix = self.path_here();
        if prefix.is_empty() { part.to_owned() } else { format!("{prefix}{}{part}", self.separator) }
    }

    /// Records a use of the name that `node` spells.
    pub(crate) fn reference(&mut self, node: Node<'_>, kind: RefKind, base: Option<ExprId>) {
        let name = self.name(node);
        self.reference_to(node, name, kind, base);
    }

    /// Records a use that is looked up under another name than the one that is written.
    pub(crate) fn reference_to(&mut self, node: Node<'_>, name: NameId, kind: RefKind, base: Option<ExprId>) {
        if node.start_byte() >= node.end_byte() {
            return; // a token that tree-sitter made up while recovering
        }
        let (span, line, scope) = (span(node), line(node), self.scope());
        self.file.refs.push(RawRef::new(span, line, name, kind, base, scope));
    }

    /// How many references there are: a mark for [`Builder::with_args`].
    pub(crate) fn mark(&self) -> usize {
        self.file.refs.len()
    }

    /// Gives the last call recorded since `mark` its arguments.
    pub(crate) fn with_args(&mut self, mark: usize, args: &[ExprId]) {
        self.with_type_args(mark, &[], args);
    }

    /// The same with the type arguments that are written before them, as a `Generic` list.
    pub(crate) fn with_type_args(&mut self, mark: usize, types: &[ExprId], args: &[ExprId]) {
        let list = self.list(args);
        let list = if types.is_empty() {
            list
        } else {
            let types = self.list(types);
            self.expr(Expr::Generic(list, types))
        };
        let call = self.file.refs[mark..].iter_mut().rev().find(|row| row.kind == RefKind::Call);
        if let Some(call) = call {
            call.args = Some(list);
        }
    }

    /// Makes a symbol an extension of the type.
    pub(crate) fn set_receiver(&mut self, scope: ScopeId, ty: ExprId) {
        if let Some(index) = scope.symbol() {
            self.file.symbols[index].receiver = Some(ty);
        }
    }

    /// Puts a value in front of the list that the receiver of a symbol is.
    pub(crate) fn put_receiver(&mut self, scope: ScopeId, this: ExprId) {
        let Some(index) = scope.symbol() else { return };
        let rest = self.file.symbols[index].receiver.unwrap_or_else(|| self.expr(Expr::Nil));
        self.file.symbols[index].receiver = Some(self.expr(Expr::List(this, rest)));
    }

    /// Gives a symbol the types of its parameters or positional parts.
    pub(crate) fn set_params(&mut self, scope: ScopeId, types: &[ExprId]) {
        let list = self.list(types);
        if let Some(index) = scope.symbol() {
            self.file.symbols[index].params = Some(list);
        }
    }

    /// Gives a symbol the type parameters that it declares.
    pub(crate) fn set_type_params(&mut self, scope: ScopeId, parameters: &[ExprId]) {
        if parameters.is_empty() {
            return;
        }
        let list = self.list(parameters);
        if let Some(index) = scope.symbol() {
            self.file.symbols[index].type_params = Some(list);
        }
    }

    /// Records a use of a name that is not a node of its own: a type named inside a string, say.
    pub(crate) fn reference_at(&mut self, span: Span, line: u32, kind: RefKind, base: Option<ExprId>) {
        let Some(text) = self.source.get(span.start as usize..span.end as usize) else { return };
        let (name, scope) = (self.intern(text), self.scope());
        self.file.refs.push(RawRef::new(span, line, name, kind, base, scope));
    }

    /// Records a call or value use of a plain name, unless it is a local variable.
    pub(crate) fn plain_reference(&mut self, node: Node<'_>, kind: RefKind) {
        let name = self.name(node);
        if self.local(name).is_none() {
            self.reference(node, kind, None);
        } else {
            self.seen.roles.push((node.start_byte() as u32, Role::Local));
        }
    }

    pub(crate) fn relation(
        &mut self,
        kind: RelationKind,
        owner: ScopeId,
        from: ExprId,
        to: ExprId,
        at: Node<'_>,
    ) {
        let scope = self.scope();
        let row = RawRelation { from, to, kind, span: span(at), line: line(at), scope, owner };
        self.file.relations.push(row);
    }

    /// Records an import; `symbol` and `binds` as in [`RawImport`].
    pub(crate) fn import(&mut self, row: Import<'_, '_>) {
        let import = RawImport {
            kind: row.kind,
            module: self.intern(row.module),
            symbol: row.symbol.map(|text| self.intern(text)),
            binds: row.binds.map(|text| self.intern(text)),
            reexport: row.reexport,
            condition: None,
            scope: self.scope(),
            span: span(row.at),
            line: line(row.at),
        };
        self.file.imports.push(import);
    }

    /// Records a string literal if it is worth finding. `value` is the text without quotes.
    pub(crate) fn string(&mut self, at: Node<'_>, value: &str) {
        // One with a brace or a dollar sign may have code inside.
        if memchr::memchr2(b'{', b'$', value.as_bytes()).is_none() {
            self.seen.texts.push((at.start_byte() as u32, at.end_byte() as u32));
        }
        // A line of generated code may be as long as its file.
        let start = self.source.floor_char_boundary(at.start_byte().saturating_sub(MAX_NAME));
        let before = self.source.get(start..at.start_byte()).unwrap_or("");
        let family = self.file.lang.family();
        if reads::is_read(family, before, value) {
            self.config_read(at, value);
        }
        for key in reads::placeholders(family, before, value) {
            self.config_read(at, key);
        }
        let before = before.rsplit('\n').next().unwrap_or(before);
        if is_notable_string(value) && !is_named_secret(before, value) {
            let scope = self.scope();
            self.file.strings.push(RawString { value: value.into(), line: line(at), scope });
        }
    }

    /// Records that code reads a config key.
    pub(crate) fn config_read(&mut self, at: Node<'_>, key: &str) {
        self.file.configs.push(RawConfig { key: key.into(), line: line(at), kind: ConfigKind::Read });
    }
}

/// An import about to be recorded.
pub(crate) struct Import<'a, 't> {
    pub(crate) kind: ImportKind,
    pub(crate) module: &'a str,
    pub(crate) symbol: Option<&'a str>,
    pub(crate) binds: Option<&'a str>,
    pub(crate) reexport: bool,
    pub(crate) at: Node<'t>,
}
