//! Where values come from: the import that a variable, parameter or field leads back to.

use super::Builder;
use crate::{Expr, ExprId, SymbolKind};

/// How far names are followed to where their values come from.
const MAX_STEPS: u32 = 24;

/// Where a value comes from: an import, and the names behind it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The module as it is imported.
    pub(crate) module: String,
    /// What is taken from it, and then members and calls of that, outermost last.
    pub(crate) path: Vec<String>,
}

impl Origin {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.path.iter().any(|part| part == name)
    }
}

impl Builder<'_> {
    /// Where a value comes from, through variables, parameters and fields whose types or values are written here.
    pub(crate) fn origin(&self, expr: ExprId) -> Option<Origin> {
        self.origin_within(expr, MAX_STEPS)
    }

    fn origin_within(&self, expr: ExprId, steps: u32) -> Option<Origin> {
        let steps = steps.checked_sub(1)?;
        match self.file.exprs[expr.0 as usize] {
            Expr::Name(name) => self.origin_of_name(name, steps),
            Expr::Member(base, name) => {
                if let Expr::This = self.form(base) {
                    return self.origin_of_field(name, steps);
                }
                let mut origin = self.origin_within(base, steps)?;
                origin.path.push(self.file.names.get(name).to_owned());
                Some(origin)
            }
            Expr::Call(inner)
            | Expr::Instance(inner)
            | Expr::With(inner, _)
            | Expr::Giving(inner, _)
            | Expr::Generic(inner, _)
            | Expr::Apply(inner, _)
            | Expr::Element(inner) => self.origin_within(inner, steps),
            _ => None,
        }
    }

    fn origin_of_name(&self, name: crate::NameId, steps: u32) -> Option<Origin> {
        let import = self.file.imports.iter().rev().find(|import| import.binds == Some(name));
        if let Some(import) = import {
            let module = self.file.names.get(import.module).to_owned();
            let path = import.symbol.iter().map(|symbol| self.file.names.get(*symbol).to_owned()).collect();
            return Some(Origin { module, path });
        }
        let is_value = |kind| matches!(kind, SymbolKind::Variable | SymbolKind::Const | SymbolKind::Static);
        let symbols = self.file.symbols.iter().rev();
        let ty = symbols
            .filter(|symbol| symbol.name == name && is_value(symbol.kind))
            .find_map(|symbol| symbol.ty);
        self.origin_within(ty?, steps)
    }

    fn origin_of_field(&self, name: crate::NameId, steps: u32) -> Option<Origin> {
        let is_field = |kind| matches!(kind, SymbolKind::Field | SymbolKind::Property);
        let symbols = self.file.symbols.iter().rev();
        let ty = symbols
            .filter(|symbol| symbol.name == name && is_field(symbol.kind))
            .find_map(|symbol| symbol.ty);
        self.origin_within(ty?, steps)
    }
}
