//! Functions, classes, variables and fields.

use super::{Kind, Python, Returned};
use crate::builder::{Def, Walk};
use crate::{Expr, ExprId, RefKind, RelationKind, ScopeId, SymbolKind};
use tree_sitter::Node;

impl Python<'_> {
    pub(super) fn decorated(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let decorators: Vec<Node<'_>> =
            node.named_children(&mut cursor).filter(|child| self.kind(*child) == Kind::Decorator).collect();
        for decorator in &decorators {
            self.decorator(*decorator);
        }
        let Some(definition) = node.child_by_field_id(self.t.fields.definition) else { return };
        match self.kind(definition) {
            Kind::Class => self.class(definition, node),
            _ => self.function(definition, node, &decorators),
        }
    }

    /// A decorator calls what it names.
    fn decorator(&mut self, decorator: Node<'_>) {
        let Some(inner) = decorator.named_child(0) else { return };
        match self.kind(inner) {
            Kind::Identifier => self.b.plain_reference(inner, RefKind::Call),
            Kind::Attribute => self.attribute(inner, RefKind::Call),
            _ => self.visit_node(inner),
        }
    }

    /// `whole` includes the decorators, `node` is the definition itself.
    pub(super) fn function(&mut self, node: Node<'_>, whole: Node<'_>, decorators: &[Node<'_>]) {
        let Some(name_node) = node.child_by_field_id(self.t.fields.name) else {
            return self.visit_children_of(node);
        };
        let name = self.b.text(name_node);
        let in_class = self.b.enclosing().next().is_some_and(|symbol| symbol.kind == SymbolKind::Class);
        let is_property = decorators.iter().any(|decorator| is_property(self.b.text(*decorator)));
        let kind = match (in_class, name) {
            _ if self.is_test_file && name.starts_with("test") => SymbolKind::Test,
            (true, _) if is_property => SymbolKind::Property,
            (true, "__init__" | "__new__") => SymbolKind::Constructor,
            (true, _) => SymbolKind::Method,
            (false, _) => SymbolKind::Function,
        };
        let ty = node.child_by_field_id(self.t.fields.return_type).map(|ty| {
            let ty = self.type_expr(ty, 0);
            self.b.instance(ty)
        });
        let body = node.child_by_field_id(self.t.fields.body);
        let mut def = Def::new(whole, name_node, kind).ty(ty).exported(!name.starts_with('_'));
        def.signature_end = body.map(|body| body.start_byte());
        let scope = self.define_from(def, node);
        self.command_of_function(scope, name, decorators);
        self.keep_decorators(scope, decorators);

        self.b.enter(scope);
        self.b.push_frame();
        let is_static = decorators.iter().any(|decorator| self.b.text(*decorator).trim() == "@staticmethod");
        if let Some(parameters) = node.child_by_field_id(self.t.fields.parameters) {
            self.parameters(parameters, in_class && !is_static);
        }
        self.visit_field(node, self.t.fields.return_type);
        self.returned.push(Returned::Nothing);
        if let Some(body) = body {
            self.visit_children_of(body);
        }
        let returned = self.returned.pop();
        self.b.pop_frame();
        self.b.leave();
        if let (Some(Returned::Value(value)), Some(index)) = (returned, scope.symbol()) {
            let symbol = &mut self.b.file.symbols[index];
            symbol.ty = symbol.ty.or(Some(value));
        }
    }

    /// `return x`: all that a function returns, apart from nothing at all, must be the same to be known. A
    /// generator gives none of it.
    pub(super) fn return_statement(&mut self, node: Node<'_>) {
        self.visit_children_of(node);
        let known = match node.named_child(0) {
            _ if self.kind(node) == Kind::Yield => self.b.unknown(),
            Some(value) => self.expr_of(value, 0),
            None => return,
        };
        let kind = self.b.file.exprs[known.0 as usize];
        if let Some(returned) = self.returned.last_mut() {
            *returned = match (*returned, kind) {
                (before, Expr::Builtin) => before,
                (_, Expr::Unknown) => Returned::Several,
                (Returned::Nothing, _) => Returned::Value(known),
                (Returned::Value(before), _) if before == known => *returned,
                _ => Returned::Several,
            };
        }
    }

    fn keep_decorators(&mut self, scope: ScopeId, decorators: &[Node<'_>]) {
        let inner: Vec<Node<'_>> =
            decorators.iter().filter_map(|decorator| decorator.named_child(0)).collect();
        let exprs: Vec<ExprId> = inner.into_iter().map(|inner| self.expr_of(inner, 0)).collect();
        let is_known =
            |expr: &ExprId| !matches!(self.b.file.exprs[expr.0 as usize], Expr::Unknown | Expr::Builtin);
        if exprs.iter().any(is_known) {
            let list = self.b.list(&exprs);
            if let Some(index) = scope.symbol() {
                self.b.file.symbols[index].decorators = Some(list);
            }
        }
    }

    /// Records a definition whose signature starts at `from`, not at its decorators.
    fn define_from(&mut self, def: Def<'_>, from: Node<'_>) -> ScopeId {
        let end = def.signature_end;
        let scope = self.b.define(Def { signature_end: None, ..def });
        if let (Some(end), Some(index)) = (end, scope.symbol()) {
            let text = self.b.source.get(from.start_byte()..end).unwrap_or("");
            let text =
                text.split_once(" #").map_or(text, |(code, _)| if code.contains('\n') { text } else { code });
            self.b.file.symbols[index].signature =
                Some(crate::text::one_line(text.trim_end().trim_end_matches(':')));
        }
        scope
    }

    fn parameters(&mut self, parameters: Node<'_>, is_method: bool) {
        let mut cursor = parameters.walk();
        let mut first = is_method;
        for parameter in parameters.named_children(&mut cursor) {
            let kind = self.kind(parameter);
            let (name, ty) = match kind {
                Kind::Identifier => (Some(parameter), None),
                Kind::TypedParameter => {
                    (parameter.named_child(0), parameter.child_by_field_id(self.t.fields.ty))
                }
                Kind::DefaultParameter | Kind::TypedDefaultParameter => (
                    parameter.child_by_field_id(self.t.fields.name),
                    parameter.child_by_field_id(self.t.fields.ty),
                ),
                _ => (parameter.named_child(0), None),
            };
            let splat = name.filter(|name| matches!(self.kind(*name), Kind::ListSplat | Kind::DictSplat));
            if let Some(ty) = ty {
                self.type_refs(ty, 0);
            }
            self.visit_field(parameter, self.t.fields.value);
            let value = match ty {
                _ if first => self.b.expr(Expr::This),
                Some(ty) if splat.is_none() => {
                    let ty = self.type_expr(ty, 0);
                    self.b.instance(ty)
                }
                _ => self.b.unknown(),
            };
            first = false;
            if let Some(name) = splat.and_then(|splat| splat.named_child(0)).or(name) {
                self.bind_target(name, value);
            }
        }
    }

    pub(super) fn class(&mut self, node: Node<'_>, whole: Node<'_>) {
        let Some(name_node) = node.child_by_field_id(self.t.fields.name) else {
            return self.visit_children_of(node);
        };
        let name = self.b.text(name_node);
        let body = node.child_by_field_id(self.t.fields.body);
        let mut def = Def::new(whole, name_node, SymbolKind::Class).exported(!name.starts_with('_'));
        def.signature_end = body.map(|body| body.start_byte());
        let scope = self.define_from(def, node);
        let own = self.b.name(name_node);
        let own = self.b.expr(Expr::Name(own));
        if let Some(bases) = node.child_by_field_id(self.t.fields.superclasses) {
            self.bases(bases, scope, own);
        }
        self.b.enter(scope);
        if let Some(body) = body {
            self.visit_children_of(body);
        }
        self.b.leave();
    }

    fn bases(&mut self, bases: Node<'_>, owner: ScopeId, own: ExprId) {
        let mut cursor = bases.walk();
        for base in bases.named_children(&mut cursor) {
            match self.kind(base) {
                Kind::Keyword => self.visit_field(base, self.t.fields.value),
                Kind::Comment => {}
                Kind::Identifier | Kind::Attribute | Kind::Subscript => {
                    let to = self.type_expr(base, 0);
                    self.b.relation(RelationKind::Extends, owner, own, to, base);
                    self.type_refs(base, 0);
                }
                _ => self.visit_node(base),
            }
        }
    }

    pub(super) fn type_alias(&mut self, node: Node<'_>) {
        let (left, right) =
            (node.child_by_field_id(self.t.fields.left), node.child_by_field_id(self.t.fields.right));
        if let (Some(left), Some(right)) = (left, right) {
            let name_node = left.named_child(0).unwrap_or(left);
            let ty = self.type_expr(right, 0);
            self.b.define(
                Def::new(node, name_node, SymbolKind::TypeAlias)
                    .signature_until(None)
                    .ty(Some(ty))
                    .exported(true),
            );
        }
        if let Some(right) = right {
            self.type_refs(right, 0);
        }
    }

    pub(super) fn assignment(&mut self, node: Node<'_>) {
        let f = &self.t.fields;
        let (left, right) = (node.child_by_field_id(f.left), node.child_by_field_id(f.right));
        let ty = node.child_by_field_id(f.ty);
        if let Some(ty) = ty {
            self.type_refs(ty, 0);
        }
        if let Some(right) = right {
            self.command_of_assignment(left, right);
            self.visit_node(right);
        }
        let Some(left) = left else { return };
        let value = match (ty, right) {
            (Some(ty), _) => {
                let ty = self.type_expr(ty, 0);
                self.b.instance(ty)
            }
            (None, Some(right)) => self.expr_of(right, 0),
            (None, None) => self.b.unknown(),
        };
        self.assign(left, node, value);
    }

    /// Gives a target its value: a local, a field, or a module variable.
    fn assign(&mut self, target: Node<'_>, whole: Node<'_>, value: ExprId) {
        match self.kind(target) {
            Kind::Identifier if self.b.in_frame() && !self.in_class_body() => self.bind_target(target, value),
            Kind::Identifier => self.define_variable(target, whole, value),
            Kind::Attribute => self.assign_attribute(target, whole, value),
            Kind::PatternList | Kind::TuplePattern | Kind::ListPattern | Kind::ListSplat => {
                let element = self.b.unknown();
                self.deeper(|walk| {
                    let mut cursor = target.walk();
                    for part in target.named_children(&mut cursor) {
                        walk.assign(part, whole, element);
                    }
                });
            }
            _ => self.visit_node(target),
        }
    }

    fn define_variable(&mut self, target: Node<'_>, whole: Node<'_>, value: ExprId) {
        let name = self.b.text(target);
        if !self.assigned.insert(self.b.qualify(name)) {
            return;
        }
        let kind = match self.b.scope().symbol().map(|index| self.b.file.symbols[index].kind) {
            Some(SymbolKind::Class) => SymbolKind::Field,
            _ if is_constant_name(name) => SymbolKind::Const,
            _ => SymbolKind::Variable,
        };
        let def = Def::new(whole, target, kind).ty(Some(value)).exported(!name.starts_with('_'));
        self.b.define(def.signature_until(None));
    }

    /// `self.x = …` in a method defines field `x` of its class; any other attribute is a use.
    fn assign_attribute(&mut self, target: Node<'_>, whole: Node<'_>, value: ExprId) {
        let f = &self.t.fields;
        let (object, attribute) = (target.child_by_field_id(f.object), target.child_by_field_id(f.attribute));
        let (Some(object), Some(attribute)) = (object, attribute) else { return };
        let base = self.expr_of(object, 0);
        let class = self.enclosing_class();
        if let (Expr::This, Some(class)) = (self.b.file.exprs[base.0 as usize], class) {
            self.b.enter(class);
            let path = self.b.qualify(self.b.text(attribute));
            let fresh = self.assigned.insert(path);
            if fresh {
                let def = Def::new(whole, attribute, SymbolKind::Field).ty(Some(value));
                self.b.define(def.signature_until(None));
            }
            self.b.leave();
            if fresh {
                return;
            }
        }
        self.attribute(target, RefKind::Value);
    }

    /// Right in the body of a class, of a local one too, names are fields.
    fn in_class_body(&self) -> bool {
        let scope = self.b.scope().symbol();
        scope.is_some_and(|index| self.b.file.symbols[index].kind == SymbolKind::Class)
    }

    fn enclosing_class(&self) -> Option<ScopeId> {
        let mut scope = self.b.scope();
        while let Some(index) = scope.symbol() {
            let symbol = &self.b.file.symbols[index];
            if symbol.kind == SymbolKind::Class {
                return Some(scope);
            }
            scope = symbol.parent;
        }
        None
    }

    /// Binds the names of a pattern as locals.
    pub(super) fn bind_target(&mut self, target: Node<'_>, value: ExprId) {
        match self.kind(target) {
            Kind::Identifier => {
                let name = self.b.name(target);
                self.b.bind(name, value);
            }
            Kind::Attribute | Kind::Subscript => self.visit_node(target),
            _ => {
                let unknown = self.b.unknown();
                self.deeper(|walk| {
                    let mut cursor = target.walk();
                    for part in target.named_children(&mut cursor) {
                        walk.bind_target(part, unknown);
                    }
                });
            }
        }
    }
}

fn is_property(decorator: &str) -> bool {
    let name = decorator.trim_start_matches('@').trim();
    matches!(name, "property" | "cached_property" | "functools.cached_property" | "abc.abstractproperty")
        || name.ends_with(".setter")
        || name.ends_with(".getter")
        || name.ends_with(".deleter")
}

fn is_constant_name(name: &str) -> bool {
    name.bytes().any(|b| b.is_ascii_uppercase()) && !name.bytes().any(|b| b.is_ascii_lowercase())
}
