//! `return`, `order`, `skip` and `limit`.

use super::Checker;
use super::scope::{Scope, is_anonymous};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::literal::Literal;
use crate::query::ast;
use crate::query::typed::{Aggregate, Column, Direction, Expr, ExprKind, Pattern, Read, Score, SortKey};
use crate::query::vars::children;
use crate::source::Span;
use crate::suggest;
use crate::types::{Scalar, Type};

/// What is ordered and cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rows {
    /// Of the pattern, as they are.
    All,
    /// Equal ones once.
    Distinct,
    /// Of groups.
    Groups,
}

impl Checker<'_> {
    pub(super) fn output(&mut self, read: &ast::Read, scope: &Scope, pattern: Pattern) -> Option<Read> {
        let columns = self.columns(read, scope)?;
        let aggregates = columns.iter().any(|column| is_aggregate(&column.expr));
        if aggregates {
            self.groups(read, &columns)?;
        }
        let rows = match (aggregates, read.distinct) {
            (true, _) => Rows::Groups,
            (false, true) => Rows::Distinct,
            (false, false) => Rows::All,
        };
        let order: Vec<_> = read.order.iter().map(|key| self.sort_key(key, &columns, scope, rows)).collect();
        let skip = read.skip.as_ref().map(|count| self.count(count, "skip"));
        let limit = read.limit.as_ref().map(|count| self.count(count, "limit"));
        let order = order.into_iter().collect::<Option<Vec<_>>>()?;
        self.ranked(read, &order, rows)?;
        let skip = skip.map_or(Some(None), |count| count.map(Some))?;
        let limit = limit.map_or(Some(None), |count| count.map(Some))?;
        Some(Read { pattern, columns, aggregates, distinct: read.distinct, order, skip, limit })
    }

    fn columns(&mut self, read: &ast::Read, scope: &Scope) -> Option<Vec<Column>> {
        let mut columns: Vec<Column> = Vec::new();
        let mut aliases: Vec<(String, usize)> = Vec::new();
        let mut named: Vec<(String, Span)> = Vec::new();
        let mut good = true;
        for projection in &read.projections {
            let name = column_name(projection);
            good &= self.is_new_column(&name, projection, &mut named);
            let expr = match &projection.expr.kind {
                ast::ExprKind::Ident(name) => self.alias(name, projection.expr.span, &aliases, &columns),
                _ => self.output_expr(&projection.expr, scope),
            };
            let Some(expr) = expr else {
                good = false;
                continue;
            };
            if let Some(alias) = &projection.alias {
                aliases.push((alias.text.clone(), columns.len()));
            }
            columns.push(Column { name, expr });
        }
        good.then_some(columns)
    }

    /// Rows are objects with the columns as members, so each has a name of its own.
    fn is_new_column(
        &mut self,
        name: &str,
        projection: &ast::Projection,
        named: &mut Vec<(String, Span)>,
    ) -> bool {
        let span = projection.alias.as_ref().map_or(projection.expr.span, |alias| alias.span);
        if let Some((_, first)) = named.iter().find(|(known, _)| known == name) {
            let message = format!("two columns are called `{name}`");
            let found = Diagnostic::error(Code::T23, span, message);
            self.report(found.also(*first, "first here").hint("name one of them with `as`"));
            return false;
        }
        named.push((name.to_owned(), span));
        true
    }

    /// The expression of an alias that was declared before.
    fn alias(
        &mut self,
        name: &str,
        span: Span,
        aliases: &[(String, usize)],
        columns: &[Column],
    ) -> Option<Expr> {
        if let Some((_, at)) = aliases.iter().rev().find(|(alias, _)| alias == name) {
            return Some(columns[*at].expr.clone());
        }
        let hint = suggest::did_you_mean(name, aliases.iter().map(|(alias, _)| alias.as_str()));
        let found = Diagnostic::error(Code::T6, span, format!("no column is called `{name}`"));
        self.report(found.maybe_hint(hint));
        None
    }

    /// A value, the id of a node or edge, the nodes of a path, or an aggregate.
    fn output_expr(&mut self, expr: &ast::Expr, scope: &Scope) -> Option<Expr> {
        if let ast::ExprKind::Aggregate { function, distinct, arg } = &expr.kind {
            return self.aggregate(*function, *distinct, arg, expr.span, scope);
        }
        if let ast::ExprKind::Var(name) = &expr.kind
            && (name == "_" || is_anonymous(name))
        {
            let message = "`$_` stands for nothing in particular and cannot be returned";
            return self.error_with_hint(Code::T6, expr.span, message, "give the variable a name");
        }
        Some(self.operand(expr, scope)?.into_value())
    }

    pub(super) fn aggregate(
        &mut self,
        function: Aggregate,
        distinct: bool,
        arg: &ast::Expr,
        span: Span,
        scope: &Scope,
    ) -> Option<Expr> {
        let word = function.as_str();
        if matches!(arg.kind, ast::ExprKind::Aggregate { .. }) {
            return self.error(Code::T8, span, format!("{word} cannot work on an aggregate"));
        }
        let operand = self.operand(arg, scope)?;
        let is_value = matches!(operand, super::expr::Operand::Value(_));
        let arg_expr = operand.into_value();
        let ty = &arg_expr.ty;
        let scalar = &ty.scalar;
        let sortable = !matches!(scalar, Scalar::Blob | Scalar::Vector(_));
        let (fits, needs, result) = match function {
            Aggregate::Count => (true, "", Type::scalar(Scalar::I64)),
            Aggregate::Sum | Aggregate::Avg => {
                (scalar.is_numeric(), "a number", Type::scalar(Scalar::F64).with_null(true))
            }
            Aggregate::Min | Aggregate::Max => {
                (sortable, "a number, a text, a date or a Bool", ty.clone().with_null(true))
            }
            Aggregate::Collect => {
                // Lists hold the words of an enum as texts.
                let element = if scalar.is_text() { Scalar::String } else { scalar.clone() };
                (sortable, "a number, a text, a date, a Bool, a node or an edge", Type::list_of(element))
            }
        };
        let takes_entity = function == Aggregate::Collect && !ty.list;
        if function != Aggregate::Count && (!fits || ty.list || !(is_value || takes_entity)) {
            let got = match function {
                _ if is_value => ty.to_string(),
                Aggregate::Collect => "a path".into(),
                _ => "a node, edge or path".into(),
            };
            return self.error(Code::T8, span, format!("{word} needs {needs}, not {got}"));
        }
        Some(Expr { kind: ExprKind::Aggregate { function, distinct, arg: Box::new(arg_expr) }, ty: result })
    }

    /// What is not an aggregate is what rows are grouped by: a property, a variable or a block.
    fn groups(&mut self, read: &ast::Read, columns: &[Column]) -> Option<()> {
        let mut good = true;
        for (column, projection) in columns.iter().zip(&read.projections) {
            if !is_aggregate(&column.expr) && !is_group_key(&column.expr) {
                let message = "beside an aggregate stand properties, variables and blocks only";
                self.report(Diagnostic::error(Code::T9, projection.expr.span, message));
                good = false;
            }
        }
        good.then_some(())
    }

    fn sort_key(
        &mut self,
        key: &ast::OrderKey,
        columns: &[Column],
        scope: &Scope,
        rows: Rows,
    ) -> Option<SortKey> {
        let expr = match alias_of(&key.expr, columns) {
            Some(column) => column.expr.clone(),
            None => match &key.expr.kind {
                ast::ExprKind::Ident(name) => {
                    let hint = suggest::did_you_mean(name, columns.iter().map(|column| column.name.as_str()));
                    let found =
                        Diagnostic::error(Code::T6, key.expr.span, format!("no column is called `{name}`"));
                    self.report(found.maybe_hint(hint));
                    return None;
                }
                _ => self.output_expr(&key.expr, scope)?,
            },
        };
        if let ExprKind::Score(score) = &expr.kind {
            let best = if score.is_distance() { Direction::Asc } else { Direction::Desc };
            return Some(SortKey { expr, direction: key.direction.unwrap_or(best) });
        }
        let is_plain = !expr.ty.list && !matches!(expr.ty.scalar, Scalar::Vector(_) | Scalar::Blob);
        if !is_plain {
            return self.error(Code::T7, key.expr.span, format!("rows cannot be ordered by {}", expr.ty));
        }
        self.is_key_of(rows, &expr, columns, key.expr.span)?;
        Some(SortKey { expr, direction: key.direction.unwrap_or(Direction::Asc) })
    }

    /// What groups and distinct rows are ordered by is a value of each of them.
    fn is_key_of(&mut self, rows: Rows, expr: &Expr, columns: &[Column], span: Span) -> Option<()> {
        let is_returned = columns.iter().any(|column| column.expr == *expr);
        if rows != Rows::Groups && is_aggregate(expr) {
            let message = "rows that are not grouped have no aggregate";
            let hint = "return an aggregate, so that rows are grouped";
            return self.error_with_hint(Code::T9, span, message, hint);
        }
        match rows {
            Rows::Groups if !is_returned && !is_aggregate(expr) => {
                let message = "groups are ordered by what is returned, or by an aggregate";
                self.error(Code::T9, span, message)
            }
            Rows::Distinct if !is_returned => {
                let message = "distinct rows are ordered by what is returned";
                self.error_with_hint(Code::T9, span, message, "return this value as well")
            }
            _ => Some(()),
        }
    }

    /// Orderings by score need a limit, and rows instead of groups.
    fn ranked(&mut self, read: &ast::Read, order: &[SortKey], rows: Rows) -> Option<()> {
        for (key, written) in order.iter().zip(&read.order) {
            let ExprKind::Score(score) = &key.expr.kind else { continue };
            let span = written.expr.span;
            match rows {
                Rows::All => {}
                Rows::Groups => return self.error(Code::T18, span, "groups cannot be ordered by a score"),
                Rows::Distinct => {
                    return self.error(Code::T18, span, "distinct rows cannot be ordered by a score");
                }
            }
            if read.limit.is_some() {
                continue;
            }
            let (code, word) = match **score {
                Score::Nearest { .. } => (Code::T17, "nearest"),
                Score::Rrf { .. } => (Code::T21, "rrf"),
                Score::Bm25 { .. } => continue,
            };
            let message = format!("ordering by {word} needs a limit");
            return self.error_with_hint(code, span, message, "add `limit 20` behind `order`");
        }
        Some(())
    }
}

/// The column that a bare word in `order` means. `null`, `true` and `false` are words here.
fn alias_of<'c>(expr: &ast::Expr, columns: &'c [Column]) -> Option<&'c Column> {
    let word = match &expr.kind {
        ast::ExprKind::Ident(name) => name.clone(),
        ast::ExprKind::Literal(literal @ (Literal::Null | Literal::Bool(_))) => literal.to_string(),
        _ => return None,
    };
    columns.iter().rev().find(|column| column.name == word)
}

fn is_aggregate(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Aggregate { .. })
}

fn is_group_key(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Property { .. }
            | ExprKind::Id { .. }
            | ExprKind::TypeOf { .. }
            | ExprKind::Src { .. }
            | ExprKind::Dst { .. }
            | ExprKind::PathNodes { .. }
            | ExprKind::PathEdges { .. }
            | ExprKind::PathHops { .. }
            | ExprKind::Exists(_)
            | ExprKind::Fold { .. }
    )
}

/// Whether a score is computed somewhere in the expression.
pub(super) fn has_score(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::Score(_)) || children(expr).into_iter().any(has_score)
}

/// What a column is called.
fn column_name(projection: &ast::Projection) -> String {
    projection.alias.as_ref().map_or_else(|| expr_name(&projection.expr), |alias| alias.text.clone())
}

fn expr_name(expr: &ast::Expr) -> String {
    match &expr.kind {
        ast::ExprKind::Var(name) | ast::ExprKind::Ident(name) => name.clone(),
        ast::ExprKind::Property { var, property } => format!("{var}.{property}"),
        ast::ExprKind::Aggregate { arg, .. } => expr_name(arg),
        ast::ExprKind::Call { function, .. } => function.as_str().to_owned(),
        ast::ExprKind::Fold { function, .. } => function.as_str().to_owned(),
        ast::ExprKind::Now => "now".into(),
        ast::ExprKind::Arith { .. } => "value".into(),
        ast::ExprKind::Literal(_) | ast::ExprKind::List(_) => "literal".into(),
        _ => "condition".into(),
    }
}
