//! How anonymous functions and functions by their name fit the delegates that methods of C# take them as.

use super::{
    BOXED, CallPlace, Fit, POSSIBLE, SAME, SUPERTYPE, UNFIT, fit_primitive, is_final_outsider, type_name,
};
use crate::resolve::lookup::{Found, Resolver, Thing, Want};
use crate::resolve::surface::{Surface, SymRef};
use crate::resolve::types::What;
use crate::resolve::world::World;
use orbit_extract::{Expr, ExprId, SymbolKind};

/// What a function gives, as far as overloads are told apart by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gives<'t> {
    Nothing,
    /// A value of a type of this name.
    Named(&'t str),
    /// A value whose type is not known.
    Value,
    /// Something, or perhaps nothing.
    Unknown,
}

impl<'w, W: World> Resolver<'w, W> {
    /// How well an argument fits a parameter that is a function.
    pub(super) fn fit_delegate(
        &mut self,
        (own, scope): CallPlace<'w>,
        arg: ExprId,
        surface: &'w Surface,
        param: ExprId,
        result: ExprId,
    ) -> Fit {
        let Expr::Function(params, _) = surface.expr(param) else { return POSSIBLE };
        match own.expr(arg) {
            Expr::Function(given, body) => {
                if own.items(given).count() != surface.items(params).count() {
                    return UNFIT;
                }
                let wanted = match surface.expr(result) {
                    Expr::Nil => Gives::Nothing,
                    Expr::Instance(ty) => type_name(surface, ty).map_or(Gives::Unknown, Gives::Named),
                    Expr::Primitive(name) => Gives::Named(surface.names.get(name)),
                    _ => Gives::Unknown,
                };
                let given = self.given_by((own, scope), body);
                fit_result(given, wanted, is_statement(own, body))
            }
            Expr::Primitive(_) => UNFIT,
            Expr::Unknown | Expr::Builtin => POSSIBLE,
            _ => match self.eval(own, scope, arg).what {
                What::Instance(_) | What::InstanceOfApply(..) | What::External => UNFIT,
                _ => POSSIBLE,
            },
        }
    }

    /// How well an anonymous function fits a parameter of another type: one of the repository must be a delegate.
    pub(super) fn fit_function(
        &mut self,
        (own, _): CallPlace<'w>,
        arg: ExprId,
        wanted: Option<SymRef>,
        param: Expr,
    ) -> Fit {
        let is_builtin = matches!(param, Expr::Primitive(_));
        let Some(wanted) = wanted else { return if is_builtin { UNFIT } else { POSSIBLE } };
        let surface = self.world.surface(wanted.file);
        let symbol = surface.symbols[wanted.index as usize];
        match (symbol.kind, symbol.ty.map(|ty| surface.expr(ty)), own.expr(arg)) {
            (SymbolKind::TypeAlias, Some(Expr::Function(params, _)), Expr::Function(given, _)) => {
                if own.items(given).count() == surface.items(params).count() { SAME } else { UNFIT }
            }
            (SymbolKind::TypeAlias, ..) => POSSIBLE,
            _ => UNFIT,
        }
    }

    /// How well an argument fits a parameter, where the names of their types say it.
    pub(in crate::resolve) fn fit_named(
        &mut self,
        place: CallPlace<'w>,
        arg: ExprId,
        surface: &'w Surface,
        param: ExprId,
    ) -> Option<Fit> {
        let wanted = type_name(surface, param)?;
        let Gives::Named(given) = self.given_by(place, arg) else { return None };
        let is_builtin = |name: &str| {
            name.starts_with(|first: char| first.is_ascii_lowercase()) || is_final_outsider(Some(name))
        };
        match (is_builtin(given), is_builtin(wanted)) {
            (true, _) => Some(fit_primitive(given, Some(wanted))),
            (false, true) => Some(UNFIT),
            (false, false) => None,
        }
    }

    /// Whether the type of an expression is written down.
    pub(in crate::resolve) fn has_written_type(&mut self, place: CallPlace<'w>, expr: ExprId) -> bool {
        matches!(self.given_by(place, expr), Gives::Named(_))
    }

    /// What the body of an anonymous function gives.
    fn given_by(&mut self, (own, scope): CallPlace<'w>, body: ExprId) -> Gives<'w> {
        let found = match own.expr(body) {
            Expr::Nil => return Gives::Nothing,
            Expr::Builtin => return Gives::Value,
            Expr::Instance(ty) => return type_name(own, ty).map_or(Gives::Unknown, Gives::Named),
            Expr::Primitive(name) => return Gives::Named(own.names.get(name)),
            Expr::Call(callee) => self.callee_of(own, scope, callee),
            Expr::Name(_) | Expr::Member(..) | Expr::Implied(..) => {
                self.thing_of(own, scope, body, Want::Any)
            }
            _ => return Gives::Unknown,
        };
        let Some(Found { thing: Thing::Sym(sym), .. }) = found else { return Gives::Unknown };
        let surface = self.world.surface(sym.file);
        let Some(ty) = surface.symbols[sym.index as usize].ty else { return Gives::Unknown };
        match surface.expr(ty) {
            Expr::Nil => Gives::Nothing,
            Expr::Instance(ty) => type_name(surface, ty).map_or(Gives::Unknown, Gives::Named),
            Expr::Primitive(name) => Gives::Named(surface.names.get(name)),
            _ => Gives::Unknown,
        }
    }
}

/// Whether an expression may stand for its effect alone.
fn is_statement(own: &Surface, body: ExprId) -> bool {
    matches!(own.expr(body), Expr::Call(_) | Expr::Unknown)
}

/// A function that gives something is better where something is wanted; a task with a result is a task too.
fn fit_result(given: Gives<'_>, wanted: Gives<'_>, is_statement: bool) -> Fit {
    match (given, wanted) {
        (Gives::Nothing, Gives::Nothing) => SAME,
        (Gives::Nothing, _) => UNFIT,
        (Gives::Named(_), Gives::Nothing) => {
            if is_statement {
                POSSIBLE
            } else {
                UNFIT
            }
        }
        (Gives::Named(given), Gives::Named(wanted)) if given == wanted => SAME,
        (Gives::Named("Task`1"), Gives::Named("Task")) => SUPERTYPE,
        (Gives::Named(given), Gives::Named(wanted)) if is_task(given) || is_task(wanted) => UNFIT,
        (Gives::Named(_), _) => BOXED,
        (Gives::Value, Gives::Nothing) => UNFIT,
        (Gives::Value | Gives::Unknown, _) => POSSIBLE,
    }
}

fn is_task(name: &str) -> bool {
    matches!(name, "Task" | "Task`1" | "ValueTask" | "ValueTask`1")
}
