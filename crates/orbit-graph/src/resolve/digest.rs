//! What an expression says, as a number that is the same in every process.

use super::key::Digest;
use super::surface::Surface;
use orbit_extract::{Expr, ExprId};

impl Surface {
    pub(crate) fn expr_digest(&self, id: ExprId, depth: u32) -> Digest {
        if depth > 32 {
            return Digest::new();
        }
        let next = depth + 1;
        match self.whole_expr(id) {
            Expr::Unknown => Digest(1),
            Expr::Builtin => Digest(2),
            Expr::This => Digest(3),
            Expr::Super => Digest(4),
            Expr::Name(name) => Digest(5).add(self.hash(name)),
            Expr::Member(base, name) => Digest(6).add(self.expr_digest(base, next).0).add(self.hash(name)),
            Expr::Call(callee) => Digest(7).add(self.expr_digest(callee, next).0),
            Expr::Instance(ty) => Digest(8).add(self.expr_digest(ty, next).0),
            Expr::Element(whole) => Digest(9).add(self.expr_digest(whole, next).0),
            Expr::Apply(base, argument) => {
                Digest(10).add(self.expr_digest(base, next).0).add(self.expr_digest(argument, next).0)
            }
            Expr::Primitive(name) => Digest(11).add(self.hash(name)),
            Expr::Returns(value) => Digest(12).add(self.expr_digest(value, next).0),
            Expr::Position(whole, at) => Digest(13).add(self.expr_digest(whole, next).0).add(u64::from(at)),
            Expr::Nil => Digest(14),
            Expr::List(first, rest) => {
                Digest(15).add(self.expr_digest(first, next).0).add(self.expr_digest(rest, next).0)
            }
            Expr::Tuple(list) => Digest(16).add(self.expr_digest(list, next).0),
            Expr::Defaulted(ty) => Digest(17).add(self.expr_digest(ty, next).0),
            Expr::Rest(ty) => Digest(18).add(self.expr_digest(ty, next).0),
            Expr::Function(params, result) => {
                Digest(22).add(self.expr_digest(params, next).0).add(self.expr_digest(result, next).0)
            }
            Expr::Expects(callee, at) => Digest(23).add(self.expr_digest(callee, next).0).add(u64::from(at)),
            Expr::Receives(of, at) => Digest(24).add(self.expr_digest(of, next).0).add(u64::from(at)),
            Expr::Object(path) => Digest(25).add(self.hash(path)),
            Expr::Union(parts) => Digest(26).add(self.expr_digest(parts, next).0),
            Expr::Intersection(parts) => Digest(27).add(self.expr_digest(parts, next).0),
            Expr::Holds(list) => Digest(28).add(self.expr_digest(list, next).0),
            Expr::Values(list) => Digest(29).add(self.expr_digest(list, next).0),
            Expr::Each(whole) => Digest(30).add(self.expr_digest(whole, next).0),
            Expr::Enter(manager) => Digest(31).add(self.expr_digest(manager, next).0),
            Expr::Fixture(name) => Digest(32).add(self.hash(name)),
            Expr::Shape(members) => Digest(34).add(self.expr_digest(members, next).0),
            Expr::Keyed(name, value) => Digest(35).add(self.hash(name)).add(self.expr_digest(value, next).0),
            Expr::Parameter(name, bound) => {
                Digest(19).add(self.hash(name)).add(self.expr_digest(bound, next).0)
            }
            Expr::Generic(base, args) => {
                Digest(20).add(self.expr_digest(base, next).0).add(self.expr_digest(args, next).0)
            }
            Expr::With(callee, args) => {
                Digest(21).add(self.expr_digest(callee, next).0).add(self.expr_digest(args, next).0)
            }
            Expr::Giving(callee, expected) => {
                Digest(33).add(self.expr_digest(callee, next).0).add(self.expr_digest(expected, next).0)
            }
        }
    }
}
