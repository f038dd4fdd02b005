//! Marks that expressions of C, C++ and Rust carry: in place of type arguments stands what no type argument can be.

use super::surface::Surface;
use orbit_extract::{Expr, ExprId};

impl Surface {
    /// Whether an expression stands before `::` in C++: a name with an empty list of arguments.
    pub(crate) fn is_scope(&self, id: ExprId) -> bool {
        matches!(self.whole_expr(id), Expr::Generic(_, list) if self.whole_expr(list) == Expr::Nil)
    }

    /// Whether a value is of a type that is written with `const` in C++: `Builtin` stands for its arguments.
    pub(crate) fn is_const(&self, id: ExprId) -> bool {
        let ty = if let Expr::Instance(ty) = self.whole_expr(id) { ty } else { id };
        matches!(self.whole_expr(ty), Expr::Generic(_, mark) if self.whole_expr(mark) == Expr::Builtin)
    }

    /// Whether a type is written with `const` or marked by how it is pointed to.
    pub(crate) fn is_qualified(&self, id: ExprId) -> bool {
        let Expr::Generic(_, mark) = self.whole_expr(id) else { return false };
        matches!(self.whole_expr(mark), Expr::Builtin | Expr::Primitive(_))
    }

    /// Whether an expression stands for the keyword in `struct X` of C, whose names are apart from others.
    pub(crate) fn is_tag(&self, id: ExprId) -> bool {
        matches!(self.expr(id), Expr::Name(name) if self.is_scope(id) && self.names.get(name) == "struct")
    }

    /// The mark of an expression that says how it is pointed to, and what it is a mark of.
    pub(crate) fn pointer_mark(&self, id: ExprId) -> Option<(ExprId, &str)> {
        let Expr::Generic(inner, mark) = self.whole_expr(id) else { return None };
        match self.whole_expr(mark) {
            Expr::Primitive(mark) => Some((inner, self.names.get(mark))),
            _ => None,
        }
    }
}
