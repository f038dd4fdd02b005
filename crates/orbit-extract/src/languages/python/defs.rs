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
        self.used_variables.clear();
        let is_fixture = decorators.iter().any(|decorator| is_fixture(self.b.text(*decorator)));
        let ty = node.child_by_field_id(self.t.fields.return_type).map(|ty| {
            let ty = self.type_expr(ty, 0);
            self.b.instance(ty)
        });
        let body = node.child_by_field_id(self.t.fields.body);
        let mut def = Def::new(whole, name_node, kind).ty(ty).exported(!name.starts_with('_'));
        def.signature_end = body.map(|body| body.start_byte());
        let scope = self.define_from(def, node);
        self.command_of_function(scope, name, decorators);
        self.routes_of_function(scope, name_node, decorators);
        self.keep_decorators(scope, decorators);

        self.b.enter(scope);
        self.b.push_frame();
        let is_static = decorators.iter().any(|decorator| self.b.text(*decorator).trim() == "@staticmethod");
        if let Some(parameters) = node.child_by_field_id(self.t.fields.parameters) {
            let takes_fixtures = is_fixture || kind == SymbolKind::Test;
            let types = self.parameters(parameters, in_class && !is_static, takes_fixtures);
            self.b.set_params(scope, &types);
        }
        let variables = self.own_variables();
        self.b.set_type_params(scope, &variables);
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
        if let (true, Some(index)) = (is_fixture, scope.symbol()) {
            self.give_one_by_one(index);
        }
    }

    /// A fixture that yields gives what it yields.
    fn give_one_by_one(&mut self, index: usize) {
        let Some(ty) = self.b.file.symbols[index].ty else { return };
        let signature = self.b.file.symbols[index].signature.as_deref().unwrap_or("");
        let result = signature.rsplit("->").next().unwrap_or("").trim();
        let is_annotated = ["Iterator[", "Generator[", "Iterable["].iter().any(|name| result.contains(name));
        if is_annotated
            || matches!(self.b.file.exprs[ty.0 as usize], Expr::Holds(_)) && !signature.contains("->")
        {
            let each = self.each(ty);
            self.b.file.symbols[index].ty = Some(each);
        }
    }

    /// The type variables that a function's signature names and that no class round it declares.
    fn own_variables(&mut self) -> Vec<ExprId> {
        let used = std::mem::take(&mut self.used_variables);
        let declared: Vec<ExprId> =
            self.b.enclosing().skip(1).filter_map(|symbol| symbol.type_params).collect();
        let is_declared = |variable: &ExprId| {
            declared.iter().any(|list| {
                let mut rest = *list;
                while let Expr::List(first, next) = self.b.file.exprs[rest.0 as usize] {
                    if first == *variable {
                        return true;
                    }
                    rest = next;
                }
                false
            })
        };
        used.into_iter().filter(|variable| !is_declared(variable)).collect()
    }

    /// `return x`, `yield x`: all that a function gives, apart from `None`, must be the same to be known. What is
    /// yielded comes one by one.
    pub(super) fn return_statement(&mut self, node: Node<'_>) {
        self.visit_children_of(node);
        let Some(value) = node.named_child(0) else { return };
        if self.kind(value) == Kind::None {
            return;
        }
        let is_yield = self.kind(node) == Kind::Yield;
        let mut known = if is_yield && self.b.text(node).starts_with("yield from") {
            self.b.unknown()
        } else {
            self.expr_of(value, 0)
        };
        let kind = self.b.file.exprs[known.0 as usize];
        let is_plain = matches!(kind, Expr::Builtin);
        let is_unknown = matches!(kind, Expr::Unknown);
        if is_yield && !is_unknown {
            known = self.holds(&[known]);
        }
        if let Some(returned) = self.returned.last_mut() {
            *returned = match *returned {
                before if is_plain && !is_yield => before,
                _ if is_unknown => Returned::Several,
                Returned::Nothing => Returned::Value(known),
                Returned::Value(before) if before == known => *returned,
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

    /// Binds parameters, and gives the types of those that arguments are given for.
    fn parameters(&mut self, parameters: Node<'_>, is_method: bool, takes_fixtures: bool) -> Vec<ExprId> {
        let mut types = Vec::new();
        let mut cursor = parameters.walk();
        let mut first = is_method;
        for parameter in parameters.named_children(&mut cursor) {
            let kind = self.kind(parameter);
            if kind == Kind::Comment {
                continue;
            }
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
            let default = parameter.child_by_field_id(self.t.fields.value);
            let mut declared = self.b.unknown();
            let value = match (ty, name) {
                _ if first => self.b.expr(Expr::This),
                (Some(ty), _) if splat.is_none() => {
                    declared = self.type_expr(ty, 0);
                    self.b.instance(declared)
                }
                (Some(ty), Some(name)) => self.starred(name, ty),
                (None, Some(name)) if takes_fixtures && kind == Kind::Identifier => {
                    let name = self.b.name(name);
                    self.b.expr(Expr::Fixture(name))
                }
                (None, _) if default.is_some() => self.default_value(default),
                _ => self.b.unknown(),
            };
            if !std::mem::replace(&mut first, false) || self.is_starred(parameter) {
                self.place(parameter, declared, &mut types);
            }
            if let Some(name) = splat.and_then(|splat| splat.named_child(0)).or(name) {
                self.bind_target(name, value);
            }
        }
        types
    }

    /// Adds a parameter to those that take arguments by their places. What stands behind a star is given by name.
    fn place(&mut self, parameter: Node<'_>, declared: ExprId, types: &mut Vec<ExprId>) {
        let last = types.last().map(|last| self.b.file.exprs[last.0 as usize]);
        if matches!(last, Some(Expr::Rest(_))) {
            return;
        }
        let placed = match self.kind(parameter) {
            _ if self.is_starred(parameter) => {
                let unknown = self.b.unknown();
                Expr::Rest(unknown)
            }
            Kind::DefaultParameter | Kind::TypedDefaultParameter => Expr::Defaulted(declared),
            Kind::Identifier | Kind::TypedParameter if !self.b.text(parameter).starts_with('*') => {
                return types.push(declared);
            }
            _ => return,
        };
        types.push(self.b.expr(placed));
    }

    /// Whether a parameter is `*` or `*args`.
    fn is_starred(&self, parameter: Node<'_>) -> bool {
        self.b.text(parameter).starts_with('*') && !self.b.text(parameter).starts_with("**")
    }

    /// `*args: T`, `**named: T`: what a starred name holds.
    fn starred(&mut self, name: Node<'_>, ty: Node<'_>) -> ExprId {
        let each = self.type_expr(ty, 0);
        let (key, each) = (self.b.expr(Expr::Builtin), self.b.instance(each));
        if self.kind(name) == Kind::DictSplat { self.holds(&[key, each]) } else { self.holds(&[each]) }
    }

    /// What a parameter without a type is by its default: `Depends(f)` is what `f` gives.
    fn default_value(&mut self, default: Option<Node<'_>>) -> ExprId {
        let f = &self.t.fields;
        let call = default.filter(|default| self.kind(*default) == Kind::Call);
        let callee = call.and_then(|call| call.child_by_field_id(f.function));
        let name = callee.map_or("", |callee| self.b.text(callee)).rsplit('.').next().unwrap_or("");
        if !matches!(name, "Depends" | "Security") {
            return self.b.unknown();
        }
        let arguments = call.and_then(|call| call.child_by_field_id(f.arguments));
        match arguments.and_then(|arguments| arguments.named_child(0)) {
            Some(function) if self.kind(function) != Kind::Keyword => {
                let function = self.expr_of(function, 0);
                self.b.call(function)
            }
            _ => self.b.unknown(),
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
        let bases = node.child_by_field_id(self.t.fields.superclasses);
        self.used_variables.clear();
        if let Some(bases) = bases {
            self.bases(bases, scope, own);
        }
        let variables = std::mem::take(&mut self.used_variables);
        self.b.set_type_params(scope, &variables);
        let is_enum = bases.is_some_and(|bases| self.is_enum(bases));
        let outer = std::mem::replace(&mut self.in_enum, is_enum);
        self.b.enter(scope);
        if let Some(body) = body {
            self.know_properties(body);
            self.visit_children_of(body);
        }
        self.b.leave();
        self.in_enum = outer;
    }

    /// Takes in which members of a class are properties: methods that stand before them may set them.
    fn know_properties(&mut self, body: Node<'_>) {
        let mut cursor = body.walk();
        for member in body.named_children(&mut cursor) {
            if self.kind(member) != Kind::Decorated {
                continue;
            }
            let mut inside = member.walk();
            let is_property = member
                .named_children(&mut inside)
                .any(|child| self.kind(child) == Kind::Decorator && is_property(self.b.text(child)));
            let definition = member.child_by_field_id(self.t.fields.definition);
            let name = definition.and_then(|definition| definition.child_by_field_id(self.t.fields.name));
            if let (true, Some(name)) = (is_property, name) {
                let path = self.b.qualify(self.b.text(name));
                self.properties.insert(path);
            }
        }
    }

    /// Whether a class with these bases has its members as values: `Enum`, `enum.IntFlag`, `MyStrEnum`.
    fn is_enum(&self, bases: Node<'_>) -> bool {
        let mut cursor = bases.walk();
        bases.named_children(&mut cursor).any(|base| {
            let name = self.b.text(base).rsplit('.').next().unwrap_or("");
            self.kind(base) != Kind::Keyword && (name.ends_with("Enum") || matches!(name, "Flag" | "IntFlag"))
        })
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
        match (left, right) {
            (Some(left), Some(right)) => self.define_alias(node, left.named_child(0).unwrap_or(left), right),
            (None, Some(right)) => self.type_refs(right, 0),
            _ => {}
        }
    }

    /// `type X = …`, `X: TypeAlias = …`.
    pub(super) fn define_alias(&mut self, whole: Node<'_>, name: Node<'_>, ty: Node<'_>) {
        let aliased = self.type_expr(ty, 0);
        let def = Def::new(whole, name, SymbolKind::TypeAlias).signature_until(None);
        self.b.define(def.ty(Some(aliased)).exported(true));
        self.type_refs(ty, 0);
    }
}

fn is_property(decorator: &str) -> bool {
    let name = decorator.trim_start_matches('@').trim();
    matches!(name, "property" | "cached_property" | "functools.cached_property" | "abc.abstractproperty")
        || name.ends_with(".setter")
        || name.ends_with(".getter")
        || name.ends_with(".deleter")
}

fn is_fixture(decorator: &str) -> bool {
    let name = decorator.trim_start_matches('@').split('(').next().unwrap_or("").trim();
    name.rsplit('.').next() == Some("fixture")
}
