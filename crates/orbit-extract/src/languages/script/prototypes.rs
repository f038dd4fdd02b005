//! Functions that are used as classes: what their prototypes inherit and hold, and objects that get members one by one.

use super::{Kind, ObjectPlace, Outer, Script};
use crate::builder::{Def, Walk};
use crate::{Expr, ExprId, NameId, RelationKind, ScopeId, SymbolKind};
use tree_sitter::Node;

impl Script<'_> {
    /// The function or class of the file that a name means here: at file level, or in the closure round the place.
    pub(super) fn owner_called(&mut self, name: &str) -> Option<ScopeId> {
        let name = self.b.intern(name);
        if let Some(scope) = self.prototypes.get(&name) {
            return Some(*scope);
        }
        match self.hidden(name) {
            Some(own) => self.closures.get(&own).copied(),
            None => self.top_level.get(&name).copied().filter(|_| !self.is_local(name)),
        }
    }

    /// The name of the function whose prototype an expression is.
    fn of_prototype<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        let f = &self.t.fields;
        let (object, property) = (node.child_by_field_id(f.object)?, node.child_by_field_id(f.property)?);
        let is_prototype = self.kind(node) == Kind::Member && self.b.text(property) == "prototype";
        (is_prototype && self.kind(object) == Kind::Identifier).then_some(object)
    }

    /// `var proto = Foo.prototype`, `var lib = exports`: what is set on the variable belongs to the function or module.
    pub(super) fn hold_prototype(&mut self, name: Node<'_>, value: Node<'_>) {
        if matches!(self.b.text(value), "exports" | "module.exports") && !self.b.in_frame() {
            let name = self.b.name(name);
            self.prototypes.insert(name, ScopeId::FILE);
            return;
        }
        let owner = self.of_prototype(value).map(|owner| self.b.text(owner));
        if let Some(scope) = owner.and_then(|owner| self.owner_called(owner)) {
            let name = self.b.name(name);
            self.prototypes.insert(name, scope);
        }
    }

    /// `Foo.prototype = Object.create(Bar.prototype)`, `Foo.prototype = new Bar()`, `Foo.prototype.__proto__ = Bar.prototype`.
    pub(super) fn inherit_assigned(&mut self, left: Node<'_>, right: Node<'_>) {
        let f = &self.t.fields;
        let is_link = left.child_by_field_id(f.property).is_some_and(|it| self.b.text(it) == "__proto__");
        let (heir, parent) = if is_link {
            let heir = left.child_by_field_id(f.object).and_then(|object| self.of_prototype(object));
            (heir, self.of_prototype(right))
        } else {
            (self.of_prototype(left), self.made_prototype(right))
        };
        if let (Some(heir), Some(parent)) = (heir, parent) {
            self.inherit(heir, parent);
        }
    }

    /// The class whose prototype a value inherits from: `Object.create(Bar.prototype)`, `new Bar()`.
    fn made_prototype<'t>(&self, value: Node<'t>) -> Option<Node<'t>> {
        let f = &self.t.fields;
        if self.kind(value) == Kind::New {
            return value.child_by_field_id(f.constructor);
        }
        let callee = value.child_by_field_id(f.function).filter(|_| self.kind(value) == Kind::Call)?;
        let first = value.child_by_field_id(f.arguments)?.named_child(0)?;
        if self.b.text(callee) == "Object.create" { self.of_prototype(first) } else { None }
    }

    /// `util.inherits(Foo, Bar)`, `Object.setPrototypeOf(Foo.prototype, Bar.prototype)`, `Object.assign` of the same.
    pub(super) fn inherit_called(&mut self, callee: Node<'_>, arguments: Node<'_>) {
        let (Some(first), Some(second)) = (arguments.named_child(0), arguments.named_child(1)) else {
            return;
        };
        let (heir, parent) = match self.b.text(callee) {
            "Object.setPrototypeOf" | "Object.assign" => {
                (self.of_prototype(first), self.of_prototype(second))
            }
            "inherits" | "util.inherits" => (Some(first), Some(second)),
            _ => return,
        };
        if let (Some(heir), Some(parent)) = (heir, parent) {
            self.inherit(heir, parent);
        }
    }

    fn inherit(&mut self, heir: Node<'_>, parent: Node<'_>) {
        let is_name = self.kind(heir) == Kind::Identifier
            && matches!(self.kind(parent), Kind::Identifier | Kind::Member);
        let heir = self.b.text(heir);
        let Some(owner) = self.owner_called(heir).filter(|_| is_name) else { return };
        let from = self.b.intern(heir);
        let (from, to) = (self.b.name_expr(from), self.expr_of(parent, 0));
        self.b.relation(RelationKind::Extends, owner, from, to, parent);
    }

    /// `Object.defineProperty(Foo.prototype, 'name', {…})`, `Object.assign(Foo.prototype, {…})`; says whether it defined
    /// something.
    pub(super) fn defined_property(&mut self, call: Node<'_>, callee: Node<'_>, arguments: Node<'_>) -> bool {
        if !matches!(
            self.b.text(callee),
            "Object.defineProperty" | "Object.defineProperties" | "Object.assign"
        ) {
            return false;
        }
        let mut cursor = arguments.walk();
        let arguments: Vec<Node<'_>> =
            arguments.named_children(&mut cursor).filter(|it| self.kind(*it) != Kind::Comment).collect();
        let Some(owner) = arguments.first().and_then(|object| self.owner_of_members(*object)) else {
            return false;
        };
        match arguments[..] {
            [object, members] if self.kind(members) == Kind::Object => {
                let is_assigned = self.b.text(callee) == "Object.assign";
                self.visit_node(object);
                if is_assigned {
                    self.members_of(owner, members);
                } else {
                    self.described_members(owner, members);
                }
                true
            }
            [object, name, descriptor] if self.kind(name) == Kind::String => {
                self.described(call, (owner, object), name, descriptor)
            }
            _ => false,
        }
    }

    /// The function, class or module that gets what is defined on an expression.
    fn owner_of_members(&mut self, object: Node<'_>) -> Option<ScopeId> {
        let owner = self.of_prototype(object).unwrap_or(object);
        match self.b.text(owner) {
            "exports" | "module.exports" => Some(ScopeId::FILE),
            name if self.kind(owner) == Kind::Identifier => self.owner_called(name),
            _ => None,
        }
    }

    fn described(
        &mut self,
        whole: Node<'_>,
        (owner, object): (ScopeId, Node<'_>),
        name: Node<'_>,
        descriptor: Node<'_>,
    ) -> bool {
        let key = self.b.intern(self.property_name(name));
        let is_mark = self.b.file.names.get(key) == "__esModule" || self.kind(descriptor) != Kind::Object;
        if is_mark || !self.assigned.insert((owner, key)) {
            return false;
        }
        self.visit_node(object);
        self.b.enter(owner);
        self.described_property(whole, name, descriptor);
        self.b.leave();
        true
    }

    /// `Object.defineProperties(Foo.prototype, { name: {…} })`.
    fn described_members(&mut self, owner: ScopeId, members: Node<'_>) {
        let f = &self.t.fields;
        self.b.enter(owner);
        let mut cursor = members.walk();
        for member in members.named_children(&mut cursor) {
            match (member.child_by_field_id(f.key), member.child_by_field_id(f.value)) {
                (Some(key), Some(descriptor))
                    if self.kind(key) != Kind::ComputedName && self.kind(descriptor) == Kind::Object =>
                {
                    self.described_property(member, key, descriptor);
                }
                _ => self.visit_node(member),
            }
        }
        self.b.leave();
    }

    /// An object literal whose members a function, class or module gets: `Foo.prototype = {…}`.
    pub(super) fn members_of(&mut self, owner: ScopeId, object: Node<'_>) {
        if owner == ScopeId::FILE {
            return self.exported_members(object);
        }
        let path = owner.symbol().map(|index| self.b.file.symbols[index].local);
        self.b.enter(owner);
        self.object_members(object, true, ObjectPlace { expected: None, path });
        self.b.leave();
    }

    fn described_property(&mut self, whole: Node<'_>, name: Node<'_>, descriptor: Node<'_>) {
        let f = &self.t.fields;
        let mut cursor = descriptor.walk();
        let members: Vec<Node<'_>> = descriptor.named_children(&mut cursor).collect();
        let part = |walk: &Self, member: Node<'_>| {
            let key = member.child_by_field_id(f.key).or_else(|| member.child_by_field_id(f.name));
            key.map_or("", |key| walk.property_name(key))
        };
        let value = members.iter().find(|member| part(self, **member) == "value");
        if let Some(value) = value.and_then(|member| member.child_by_field_id(f.value)) {
            return self.define_value(Outer { whole, exported: true }, name, value, SymbolKind::Property);
        }
        let def = Def::new(whole, name, SymbolKind::Property).signature_until(None).exported(true);
        let text = self.property_name(name);
        let scope = self.define(def, text);
        for member in members {
            let function = match self.kind(member) {
                Kind::Method => Some(member),
                _ => member.child_by_field_id(f.value).filter(|value| self.is_function(*value)),
            };
            if let Some(getter) = function.filter(|_| part(self, member) == "get") {
                self.callable_in(getter, scope);
                continue;
            }
            self.b.enter(scope);
            self.visit_node(member);
            self.b.leave();
        }
    }

    /// `this` in what hangs under a path: what a function used as a class makes, else the object.
    pub(super) fn this_below(&mut self, path: NameId) -> ExprId {
        match self.functions.get(&path) {
            Some(index) => {
                let own = self.b.expr(Expr::Own(*index));
                self.b.instance(own)
            }
            None => self.b.expr(Expr::Object(path)),
        }
    }

    /// `object.key = value` for a local object: it holds the value from here on.
    pub(super) fn hold_member(&mut self, left: Node<'_>, right: Node<'_>) {
        let f = &self.t.fields;
        let (object, property) = (left.child_by_field_id(f.object), left.child_by_field_id(f.property));
        let (Some(object), Some(property)) = (object, property) else { return };
        if self.kind(left) != Kind::Member || self.kind(object) != Kind::Identifier {
            return;
        }
        let name = self.b.name(object);
        let Some(held) = self.b.local(name).filter(|held| self.path_of_object(*held).is_some()) else {
            return;
        };
        let value = self.expr_of(right, 0);
        if let Some(extended) = self.with_member(held, property, value) {
            self.b.bind(name, extended);
        }
    }
}
