//! The expressions of a file: each distinct one once, and what is unknown or built in stays so.

use super::Builder;
use crate::{Expr, ExprId, Lang, NameId};

impl Builder<'_> {
    pub(crate) fn expr(&mut self, expr: Expr) -> ExprId {
        *self.exprs.entry(expr).or_insert_with(|| {
            let id = ExprId(self.file.exprs.len() as u32);
            self.file.exprs.push(expr);
            id
        })
    }

    /// The mark that an expression of Rust carries, and what it is a mark of: see `languages/rust/borrows.rs`.
    pub(crate) fn mark_of(&self, expr: ExprId) -> Option<(ExprId, ExprId)> {
        match self.file.exprs[expr.0 as usize] {
            Expr::Generic(inner, mark) if self.file.lang == Lang::Rust => {
                matches!(self.file.exprs[mark.0 as usize], Expr::Primitive(_)).then_some((inner, mark))
            }
            _ => None,
        }
    }

    /// Whether a mark is one of these.
    pub(crate) fn is_named(&self, mark: ExprId, names: &[&str]) -> bool {
        matches!(self.file.exprs[mark.0 as usize], Expr::Primitive(name) if names.contains(&self.file.names.get(name)))
    }

    /// What an expression is without marks of Rust.
    pub(crate) fn form(&self, expr: ExprId) -> Expr {
        let mut expr = expr;
        while let Some((inner, _)) = self.mark_of(expr) {
            expr = inner;
        }
        self.file.exprs[expr.0 as usize]
    }

    pub(crate) fn unknown(&mut self) -> ExprId {
        self.expr(Expr::Unknown)
    }

    /// A name as seen from here: a local's value if it is one, else a lexical lookup.
    pub(crate) fn name_expr(&mut self, name: NameId) -> ExprId {
        match self.local(name) {
            Some(value) => value,
            None => self.expr(Expr::Name(name)),
        }
    }

    /// `base.name`; a member of something unknown is unknown, as is one of a built-in type where those have no other
    /// members than their own.
    pub(crate) fn member(&mut self, base: ExprId, name: NameId) -> ExprId {
        let has_extensions = matches!(self.file.lang, Lang::Kotlin | Lang::CSharp | Lang::Rust);
        match self.form(base) {
            Expr::Primitive(_) if has_extensions => self.expr(Expr::Member(base, name)),
            Expr::Unknown | Expr::Builtin | Expr::Primitive(_) => base,
            _ => self.expr(Expr::Member(base, name)),
        }
    }

    /// What calling `callee` gives.
    pub(crate) fn call(&mut self, callee: ExprId) -> ExprId {
        match self.form(callee) {
            Expr::Unknown | Expr::Builtin | Expr::Primitive(_) => callee,
            Expr::Returns(value) | Expr::Function(_, value) => value,
            _ => self.expr(Expr::Call(callee)),
        }
    }

    /// What calling `callee` with these arguments gives.
    pub(crate) fn call_with(&mut self, callee: ExprId, args: &[ExprId]) -> ExprId {
        let callee = self.callee_with(callee, args);
        self.call(callee)
    }

    /// `callee` with the arguments it is called with; of something unknown they tell nothing.
    pub(crate) fn callee_with(&mut self, callee: ExprId, args: &[ExprId]) -> ExprId {
        match self.form(callee) {
            Expr::Unknown | Expr::Builtin | Expr::Primitive(_) | Expr::Returns(_) | Expr::Function(..) => {
                callee
            }
            _ => {
                let args = self.list(args);
                self.expr(Expr::With(callee, args))
            }
        }
    }

    /// `callee` with what is expected of its result; of something unknown that tells nothing.
    pub(crate) fn callee_giving(&mut self, callee: ExprId, expected: ExprId) -> ExprId {
        let is_unknown =
            |id: ExprId| matches!(self.form(id), Expr::Unknown | Expr::Builtin | Expr::Primitive(_));
        if is_unknown(callee) || is_unknown(expected) {
            return callee;
        }
        self.expr(Expr::Giving(callee, expected))
    }

    /// A generic type with its arguments; `element` is the one that stands for what a collection holds.
    pub(crate) fn apply(&mut self, base: ExprId, args: &[ExprId], element: ExprId) -> ExprId {
        if args.len() < 2 {
            return self.expr(Expr::Apply(base, element));
        }
        let args = self.list(args);
        let base = self.expr(Expr::Generic(base, args));
        self.expr(Expr::Apply(base, element))
    }

    /// A function with the type arguments written at its call.
    pub(crate) fn instantiate(&mut self, callee: ExprId, args: &[ExprId]) -> ExprId {
        match self.form(callee) {
            Expr::Unknown | Expr::Builtin | Expr::Primitive(_) | Expr::Returns(_) => callee,
            _ if args.is_empty() => callee,
            _ => {
                let args = self.list(args);
                self.expr(Expr::Generic(callee, args))
            }
        }
    }

    /// A type parameter with its bound.
    pub(crate) fn parameter(&mut self, name: NameId, bound: ExprId) -> ExprId {
        self.expr(Expr::Parameter(name, bound))
    }

    /// One element of a collection, what an option or promise holds.
    pub(crate) fn element(&mut self, whole: ExprId) -> ExprId {
        match self.form(whole) {
            Expr::Primitive(_) if self.file.lang == Lang::Rust => self.expr(Expr::Builtin),
            Expr::Unknown | Expr::Builtin | Expr::Primitive(_) => whole,
            _ => self.expr(Expr::Element(whole)),
        }
    }

    /// A value of type `ty`; unknown and built-in types stay what they are.
    pub(crate) fn instance(&mut self, ty: ExprId) -> ExprId {
        if let Some((inner, mark)) = self.mark_of(ty) {
            let value = self.instance(inner);
            return self.expr(Expr::Generic(value, mark));
        }
        match self.form(ty) {
            Expr::Unknown
            | Expr::Builtin
            | Expr::Primitive(_)
            | Expr::Returns(_)
            | Expr::Function(..)
            | Expr::Nil
            | Expr::Object(_)
            | Expr::Shape(_) => ty,
            _ => self.expr(Expr::Instance(ty)),
        }
    }

    /// The positional part `at` of a value, or of what the constructor it names makes.
    pub(crate) fn position(&mut self, whole: ExprId, at: usize) -> ExprId {
        match self.form(whole) {
            Expr::Unknown | Expr::Builtin | Expr::Primitive(_) => whole,
            _ => self.expr(Expr::Position(whole, at as u32)),
        }
    }

    /// What `callee` wants as its argument `at`; of something unknown nobody knows.
    pub(crate) fn expects(&mut self, callee: ExprId, at: usize) -> ExprId {
        match self.form(callee) {
            Expr::Unknown | Expr::Builtin | Expr::Primitive(_) => self.unknown(),
            _ => self.expr(Expr::Expects(callee, at as u32)),
        }
    }

    /// What a function gets as its parameter `at`.
    pub(crate) fn receives(&mut self, function: ExprId, at: usize) -> ExprId {
        match self.form(function) {
            Expr::Unknown | Expr::Builtin | Expr::Primitive(_) => self.unknown(),
            _ => self.expr(Expr::Receives(function, at as u32)),
        }
    }

    /// A list of expressions.
    pub(crate) fn list(&mut self, items: &[ExprId]) -> ExprId {
        let nil = self.expr(Expr::Nil);
        items.iter().rev().fold(nil, |rest, item| self.expr(Expr::List(*item, rest)))
    }

    /// A built-in type by its name.
    pub(crate) fn primitive(&mut self, name: &str) -> ExprId {
        let name = self.intern(name);
        self.expr(Expr::Primitive(name))
    }

    /// `text` split at `separator` as a chain of members: `a::b::c` is `Member(Member(a, b), c)`.
    pub(crate) fn path_expr(&mut self, text: &str, separator: &str) -> ExprId {
        let mut parts = text.split(separator).map(str::trim).filter(|part| !part.is_empty());
        let Some(first) = parts.next() else { return self.unknown() };
        let first = self.intern(first);
        let mut expr = self.expr(Expr::Name(first));
        for part in parts {
            let part = self.intern(part);
            expr = self.expr(Expr::Member(expr, part));
        }
        expr
    }
}
