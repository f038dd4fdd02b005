//! Expressions over columns.

mod compare;
mod compute;
mod lists;
mod since;
mod texts;
mod variables;

pub(in crate::exec) use compare::{common, fitted};
pub(crate) use compute::exact;
pub(crate) use since::{Changes, Entities, History, State};
pub(crate) use variables::RowColumns;

use super::walk::Walks;
use crate::error::{Error, Result};
use crate::rows::data_type;
use crate::search::Searches;
use crate::stop::Stop;
use crate::text::Match;
use crate::view::View;
use arrow_arith::boolean::{and_kleene, is_not_null, is_null, not, or_kleene};
use arrow_array::{Array, ArrayRef, BooleanArray, Datum, Scalar, new_null_array};
use omnigraph_compiler::query::typed::{Expr, ExprKind, TextMatch};
use std::collections::HashMap;
use std::sync::Arc;

/// What is the same for all rows of a query: the graph, the parameters, the time.
pub(crate) struct Context<'a> {
    pub(crate) view: &'a View,
    /// By name, each of one row.
    pub(crate) params: &'a HashMap<String, ArrayRef>,
    /// Milliseconds since 1970.
    pub(crate) now: i64,
    pub(crate) searches: Searches,
    /// Looked at between operators and in long loops.
    pub(crate) stop: &'a Stop,
    pub(crate) walks: Walks,
    pub(crate) changes: Changes<'a>,
}

/// Where the values of variables come from.
pub(crate) trait Columns {
    fn len(&self) -> usize;
    /// A property of a variable.
    fn property(&self, var: &str, property: &str) -> Result<ArrayRef>;
    /// Of which type the value of a variable is in a row; `None` for nothing.
    fn type_at(&self, _var: &str, _row: usize) -> Option<&str> {
        None
    }
    /// Which rows match a text search.
    fn text(&self, _: &Context<'_>, text: &TextMatch, _: Match) -> Result<BooleanArray> {
        Err(Error::damaged(format!("a search of ${}.{} here", text.var, text.property)))
    }
    /// What a variable stands for.
    fn entities(&self, var: &str) -> Result<Entities> {
        Err(Error::damaged(format!("${var} is neither a node nor an edge here")))
    }
    /// Everything else that only rows of variables have. Without more, the row is the variable without a name.
    fn other(&self, kind: &ExprKind) -> Result<ArrayRef> {
        match kind {
            ExprKind::Id { .. } => self.property("", "id"),
            ExprKind::Src { .. } => self.property("", "src"),
            ExprKind::Dst { .. } => self.property("", "dst"),
            other => Err(Error::damaged(format!("{other:?} has no value here"))),
        }
    }
}

/// One value for all rows, or one for each.
pub(crate) struct Value {
    array: ArrayRef,
    one: bool,
}

impl Value {
    fn one(array: ArrayRef) -> Value {
        Value { array, one: true }
    }

    fn each(array: ArrayRef) -> Value {
        Value { array, one: false }
    }

    fn datum(&self) -> Box<dyn Datum> {
        if self.one { Box::new(Scalar::new(self.array.clone())) } else { Box::new(self.array.clone()) }
    }

    /// One value for each of so many rows.
    pub(crate) fn expand(self, len: usize) -> Result<ArrayRef> {
        if !self.one {
            return Ok(self.array);
        }
        let first = arrow_array::UInt32Array::from(vec![0; len]);
        Ok(arrow_select::take::take(&self.array, &first, None)?)
    }
}

impl Context<'_> {
    /// One value for every row.
    pub(crate) fn column(&self, expr: &Expr, columns: &dyn Columns) -> Result<ArrayRef> {
        self.value(expr, columns)?.expand(columns.len())
    }

    /// The same, with the type that the checker gave it.
    pub(crate) fn typed(&self, expr: &Expr, columns: &dyn Columns) -> Result<ArrayRef> {
        let (array, wanted) = (self.column(expr, columns)?, type_of(expr));
        Ok(if *array.data_type() == wanted { array } else { arrow_cast::cast(&array, &wanted)? })
    }

    /// Which rows all conditions are true for; unknown is not true.
    pub(crate) fn holds(&self, conditions: &[Expr], columns: &dyn Columns) -> Result<Option<BooleanArray>> {
        let mut all: Option<BooleanArray> = None;
        for condition in conditions {
            let mask = booleans(&self.column(condition, columns)?)?.clone();
            all = Some(match all {
                None => mask,
                Some(others) => and_kleene(&others, &mask)?,
            });
        }
        Ok(all)
    }

    /// A value that does not depend on a row.
    pub(crate) fn constant(&self, expr: &Expr) -> Result<ArrayRef> {
        let value = self.value(expr, &Nothing)?;
        Ok(value.array)
    }

    pub(crate) fn value(&self, expr: &Expr, columns: &dyn Columns) -> Result<Value> {
        let of = |expr: &Expr| self.value(expr, columns);
        Ok(match &expr.kind {
            ExprKind::Literal(literal) => Value::one(crate::params::literal_array(literal, &expr.ty)?),
            ExprKind::List(items) => Value::one(lists::constant(self, items, &expr.ty)?),
            ExprKind::Param(name) => {
                let known = self.params.get(name);
                Value::one(known.cloned().ok_or_else(|| Error::damaged(format!("no parameter ${name}")))?)
            }
            ExprKind::Now => Value::one(Arc::new(arrow_array::Date64Array::from(vec![self.now]))),
            ExprKind::Property { var, property } => {
                let column = columns.property(var, property)?;
                let untyped = column.data_type() == &arrow_schema::DataType::Null;
                Value::each(if untyped { new_null_array(&type_of(expr), column.len()) } else { column })
            }
            ExprKind::Arith { op, left, right } => {
                let (left, right) = (of(left)?, of(right)?);
                compute::arithmetic(*op, left, right, &type_of(expr), columns.len())?
            }
            ExprKind::Case { upper, arg } => compute::case(*upper, of(arg)?)?,
            ExprKind::Compare { op, left, right } => {
                let (left, right) = (of(left)?, of(right)?);
                compare::compare(*op, left, right, columns.len())?
            }
            ExprKind::In { item, list, negated } => {
                let found = lists::contains(of(list)?, of(item)?, columns.len())?;
                Value::each(Arc::new(if *negated { not(&found)? } else { found }))
            }
            ExprKind::IsNull { arg, negated } => {
                let arg = of(arg)?.expand(columns.len())?;
                Value::each(Arc::new(if *negated { is_not_null(&arg)? } else { is_null(&arg)? }))
            }
            ExprKind::And(parts) => self.fold(parts, columns, and_kleene)?,
            ExprKind::Or(parts) => self.fold(parts, columns, or_kleene)?,
            ExprKind::Not(inner) => {
                let inner = of(inner)?.expand(columns.len())?;
                Value::each(Arc::new(not(booleans(&inner)?)?))
            }
            ExprKind::Since { var, change, since } => {
                Value::each(self.happened((var, *change), since, columns)?)
            }
            ExprKind::Text(text) => self.text(text, columns)?,
            ExprKind::Marked(marked) => self.marked(marked, columns)?,
            ExprKind::Exists(_) | ExprKind::Fold { .. } | ExprKind::Score(_) | ExprKind::Aggregate { .. } => {
                return Err(Error::damaged("the plan computes this in an operator of its own"));
            }
            kind => Value::each(columns.other(kind)?),
        })
    }

    fn fold(
        &self,
        parts: &[Expr],
        columns: &dyn Columns,
        join: fn(&BooleanArray, &BooleanArray) -> Result<BooleanArray, arrow_schema::ArrowError>,
    ) -> Result<Value> {
        let mut all: Option<BooleanArray> = None;
        for part in parts {
            let next = self.value(part, columns)?.expand(columns.len())?;
            let next = booleans(&next)?.clone();
            all = Some(match all {
                None => next,
                Some(others) => join(&others, &next)?,
            });
        }
        let all = all.ok_or_else(|| Error::damaged("a condition without parts"))?;
        Ok(Value::each(Arc::new(all)))
    }
}

/// A column of conditions as what it is; one of unknown type holds no truth.
pub(crate) fn booleans(array: &ArrayRef) -> Result<&BooleanArray> {
    array.as_any().downcast_ref().ok_or_else(|| Error::damaged("a condition that is neither true nor false"))
}

/// The text of a value of one row; `None` for null.
pub(crate) fn text_of(array: &ArrayRef) -> Result<Option<&str>> {
    if array.is_null(0) || array.data_type() == &arrow_schema::DataType::Null {
        return Ok(None);
    }
    crate::topology::texts(array).map(|texts| Some(texts.value(0)))
}

/// For expressions without variables.
struct Nothing;

impl Columns for Nothing {
    fn len(&self) -> usize {
        1
    }

    fn property(&self, var: &str, property: &str) -> Result<ArrayRef> {
        Err(Error::damaged(format!("${var}.{property} where no row is")))
    }

    fn other(&self, kind: &ExprKind) -> Result<ArrayRef> {
        Err(Error::damaged(format!("{kind:?} where no row is")))
    }
}

/// The columns of one batch, whose row is the variable without a name.
pub(crate) struct BatchColumns<'a>(pub(crate) &'a arrow_array::RecordBatch);

impl Columns for BatchColumns<'_> {
    fn len(&self) -> usize {
        self.0.num_rows()
    }

    fn property(&self, _: &str, property: &str) -> Result<ArrayRef> {
        let column = self.0.column_by_name(property).cloned();
        column.ok_or_else(|| Error::damaged(format!("no column {property}")))
    }
}

/// Of a value of an expression.
pub(crate) fn type_of(expr: &Expr) -> arrow_schema::DataType {
    data_type(&expr.ty)
}
