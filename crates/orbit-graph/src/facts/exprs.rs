//! Expressions: a tag, then one or two numbers.

use super::{BadBlob, Reader, put};
use orbit_extract::{Expr, ExprId, NameId};

pub(super) fn put_expr(out: &mut Vec<u8>, expr: Expr) {
    let (tag, a, b) = match expr {
        Expr::Unknown => (0, None, None),
        Expr::Builtin => (1, None, None),
        Expr::This => (2, None, None),
        Expr::Super => (3, None, None),
        Expr::Name(name) => (4, Some(name.0), None),
        Expr::Member(base, name) => (5, Some(base.0), Some(name.0)),
        Expr::Call(callee) => (6, Some(callee.0), None),
        Expr::Instance(ty) => (7, Some(ty.0), None),
        Expr::Element(whole) => (8, Some(whole.0), None),
        Expr::Apply(base, argument) => (9, Some(base.0), Some(argument.0)),
        Expr::Primitive(name) => (10, Some(name.0), None),
        Expr::Returns(value) => (11, Some(value.0), None),
        Expr::Position(whole, at) => (12, Some(whole.0), Some(at)),
        Expr::Nil => (13, None, None),
        Expr::List(first, rest) => (14, Some(first.0), Some(rest.0)),
        Expr::Tuple(list) => (15, Some(list.0), None),
        Expr::Defaulted(ty) => (16, Some(ty.0), None),
        Expr::Rest(ty) => (17, Some(ty.0), None),
        Expr::Parameter(name, bound) => (18, Some(name.0), Some(bound.0)),
        Expr::Generic(base, args) => (19, Some(base.0), Some(args.0)),
        Expr::With(callee, args) => (20, Some(callee.0), Some(args.0)),
        Expr::Function(params, result) => (21, Some(params.0), Some(result.0)),
        Expr::Expects(callee, at) => (22, Some(callee.0), Some(at)),
        Expr::Receives(function, at) => (23, Some(function.0), Some(at)),
        Expr::Object(path) => (24, Some(path.0), None),
        Expr::Union(parts) => (25, Some(parts.0), None),
        Expr::Intersection(parts) => (26, Some(parts.0), None),
        Expr::Holds(list) => (27, Some(list.0), None),
        Expr::Values(list) => (28, Some(list.0), None),
        Expr::Each(whole) => (29, Some(whole.0), None),
        Expr::Enter(manager) => (30, Some(manager.0), None),
        Expr::Fixture(name) => (31, Some(name.0), None),
        Expr::Giving(callee, expected) => (32, Some(callee.0), Some(expected.0)),
        Expr::Shape(members) => (33, Some(members.0), None),
        Expr::Keyed(name, value) => (34, Some(name.0), Some(value.0)),
    };
    out.push(tag);
    for value in a.into_iter().chain(b) {
        put(out, value);
    }
}

impl Reader<'_> {
    pub(super) fn expr(&mut self) -> Result<Expr, BadBlob> {
        Ok(match self.byte()? {
            0 => Expr::Unknown,
            1 => Expr::Builtin,
            2 => Expr::This,
            3 => Expr::Super,
            4 => Expr::Name(NameId(self.number()?)),
            5 => Expr::Member(ExprId(self.number()?), NameId(self.number()?)),
            6 => Expr::Call(ExprId(self.number()?)),
            7 => Expr::Instance(ExprId(self.number()?)),
            8 => Expr::Element(ExprId(self.number()?)),
            9 => Expr::Apply(ExprId(self.number()?), ExprId(self.number()?)),
            10 => Expr::Primitive(NameId(self.number()?)),
            11 => Expr::Returns(ExprId(self.number()?)),
            12 => Expr::Position(ExprId(self.number()?), self.number()?),
            13 => Expr::Nil,
            14 => Expr::List(ExprId(self.number()?), ExprId(self.number()?)),
            15 => Expr::Tuple(ExprId(self.number()?)),
            16 => Expr::Defaulted(ExprId(self.number()?)),
            17 => Expr::Rest(ExprId(self.number()?)),
            18 => Expr::Parameter(NameId(self.number()?), ExprId(self.number()?)),
            19 => Expr::Generic(ExprId(self.number()?), ExprId(self.number()?)),
            20 => Expr::With(ExprId(self.number()?), ExprId(self.number()?)),
            21 => Expr::Function(ExprId(self.number()?), ExprId(self.number()?)),
            22 => Expr::Expects(ExprId(self.number()?), self.number()?),
            23 => Expr::Receives(ExprId(self.number()?), self.number()?),
            24 => Expr::Object(NameId(self.number()?)),
            25 => Expr::Union(ExprId(self.number()?)),
            26 => Expr::Intersection(ExprId(self.number()?)),
            27 => Expr::Holds(ExprId(self.number()?)),
            28 => Expr::Values(ExprId(self.number()?)),
            29 => Expr::Each(ExprId(self.number()?)),
            30 => Expr::Enter(ExprId(self.number()?)),
            31 => Expr::Fixture(NameId(self.number()?)),
            32 => Expr::Giving(ExprId(self.number()?), ExprId(self.number()?)),
            33 => Expr::Shape(ExprId(self.number()?)),
            34 => Expr::Keyed(NameId(self.number()?), ExprId(self.number()?)),
            _ => return Err(BadBlob),
        })
    }
}
