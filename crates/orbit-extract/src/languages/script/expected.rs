//! What is expected of a value where it stands: the parameters of a callback and the keys of an object literal are
//! those of the type that the place asks for.

use super::{Kind, NextFunction, ObjectPlace, Script};
use crate::builder::Walk;
use crate::{Expr, ExprId, NameId, RefKind};
use tree_sitter::Node;

impl Script<'_> {
    /// Visits a value of which something is expected. `path` is what the members of an object literal hang under.
    pub(super) fn visit_expected(&mut self, value: Node<'_>, expected: Option<ExprId>, path: Option<NameId>) {
        let f = &self.t.fields;
        match self.kind(value) {
            Kind::Arrow | Kind::FunctionExpression | Kind::GeneratorExpression => {
                self.anonymous(value, expected);
            }
            Kind::Object => self.object_members(value, false, ObjectPlace { expected, path }),
            Kind::Parenthesized | Kind::NonNull => {
                let expected = self.documented_value(value).or(expected);
                let mut cursor = value.walk();
                for child in value.named_children(&mut cursor) {
                    self.visit_expected(child, expected, path);
                }
            }
            Kind::As | Kind::Satisfies => self.visit_cast(value, false, ObjectPlace { expected, path }),
            Kind::Call => {
                self.next.object_path = path.filter(|_| self.called_in_place(value).is_some());
                self.call(value, expected);
            }
            Kind::Array => {
                let element = expected.map(|whole| self.b.element(whole));
                let mut cursor = value.walk();
                for child in value.named_children(&mut cursor) {
                    self.visit_expected(child, element, None);
                }
            }
            Kind::Ternary => {
                let sides = [f.consequence, f.alternative].map(|side| value.child_by_field_id(side));
                self.visit_field(value, f.condition);
                let told = self.told_by(value.child_by_field_id(f.condition));
                for (side, told) in sides.into_iter().zip([told.as_slice(), &[]]) {
                    if let Some(side) = side {
                        self.b.push_frame();
                        self.bind_told(told);
                        self.visit_expected(side, expected, path);
                        self.b.pop_frame();
                    }
                }
            }
            _ => self.visit_node(value),
        }
    }

    /// `value as Type`, `value satisfies Type`: the value is expected to be of that type.
    pub(super) fn visit_cast(&mut self, node: Node<'_>, is_named: bool, place: ObjectPlace) {
        let (value, ty) = (node.named_child(0), node.named_child(1));
        let declared = ty.map(|ty| self.value_of_type(ty, 0)).or(place.expected);
        let Some(value) = value else { return };
        let place = ObjectPlace { expected: declared, ..place };
        match self.object_of(value) {
            Some(_) => self.visit_value(value, is_named, place),
            None => self.visit_expected(value, declared, place.path),
        }
        if let Some(ty) = ty {
            self.visit_node(ty);
        }
    }

    /// The arguments of a call: each is what the function wants there. What a generic function wants of a function or
    /// object depends on its other arguments, and on what is expected of its result.
    pub(super) fn visit_arguments(
        &mut self,
        callee: ExprId,
        arguments: Node<'_>,
        expected_result: Option<ExprId>,
    ) {
        let mut cursor = arguments.walk();
        let takes_shape = |argument: Node<'_>| {
            let argument = self.unwrapped(argument);
            self.is_function(argument) || self.kind(argument) == Kind::Object
        };
        let mut callee = callee;
        let is_known = !matches!(self.b.file.exprs[callee.0 as usize], Expr::Unknown | Expr::Builtin);
        if is_known && arguments.named_children(&mut cursor).any(takes_shape) {
            callee = self.with_arguments(callee, arguments, 0);
            callee = expected_result.map_or(callee, |expected| self.b.callee_giving(callee, expected));
        }
        let mut cursor = arguments.walk();
        let mut at = 0;
        for argument in arguments.named_children(&mut cursor) {
            if self.kind(argument) == Kind::Comment {
                continue;
            }
            let expected = self.b.expects(callee, at);
            self.visit_expected(argument, Some(expected), None);
            at += 1;
        }
    }

    /// The key of an object literal of which something is expected is a use of that member.
    pub(super) fn expected_key(&mut self, key: Node<'_>) -> Option<ExprId> {
        let expected = self.object.expected.filter(|expected| *expected != self.b.unknown())?;
        let member = match self.kind(key) {
            Kind::ComputedName => return None,
            Kind::String => self.b.intern(self.property_name(key)),
            _ => {
                self.b.reference(key, RefKind::Value, Some(expected));
                self.b.name(key)
            }
        };
        Some(self.b.member(expected, member))
    }

    /// What is known of a function that is a member of the object literal being read.
    pub(super) fn next_member(&mut self, expected: Option<ExprId>) {
        let this = match self.object.path {
            Some(path) => self.this_below(path),
            None => self.b.unknown(),
        };
        self.next = NextFunction { expected, this: Some(this), ..NextFunction::default() };
    }
}
