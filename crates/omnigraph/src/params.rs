//! Values of parameters and constants, as columns of one row.

use crate::error::{Error, Result};
use crate::rows::{Cell, Column, data_type, json_cell};
use crate::validate::Rule;
use arrow_array::{ArrayRef, new_null_array};
use arrow_schema::DataType;
use omnigraph_compiler::query::typed::{Expr, ExprKind, Param};
use omnigraph_compiler::schema::catalog::{Body, Metadata, Property};
use omnigraph_compiler::{Literal, Type};
use serde_json::{Map, Value};
use std::collections::HashMap;

/// The values of all parameters of a query: those given, then defaults, then null.
pub(crate) fn bind(params: &[Param], given: &Map<String, Value>) -> Result<HashMap<String, ArrayRef>> {
    if let Some(unknown) = given.keys().find(|name| params.iter().all(|param| param.name != **name)) {
        let names: Vec<String> = params.iter().map(|param| format!("${}", param.name)).collect();
        let known = if names.is_empty() {
            "the query has none".to_owned()
        } else {
            format!("there are {}", names.join(", "))
        };
        return Err(Error::Param {
            name: unknown.clone(),
            reason: format!("the query has no such parameter; {known}"),
        });
    }
    let mut values = HashMap::new();
    for param in params {
        let value = match (given.get(&param.name), &param.default) {
            (Some(value), _) => from_json(param, value)?,
            (None, Some(default)) => constant(default)?,
            (None, None) if param.ty.nullable => new_null_array(&data_type(&param.ty), 1),
            (None, None) => {
                let reason = format!("a value of type {} is needed", param.ty);
                return Err(Error::Param { name: param.name.clone(), reason });
            }
        };
        values.insert(param.name.clone(), value);
    }
    Ok(values)
}

fn from_json(param: &Param, value: &Value) -> Result<ArrayRef> {
    // A vector may be given as text, which is embedded by who asks for it.
    if matches!(param.ty.scalar, omnigraph_compiler::Scalar::Vector(_)) && value.is_string() {
        return one(&Type::scalar(omnigraph_compiler::Scalar::String), json_cell(value));
    }
    let made = one(&param.ty, json_cell(value));
    made.map_err(|error| Error::Param { name: param.name.clone(), reason: error.to_string() })
}

/// A default: a literal or a list of literals.
fn constant(expr: &Expr) -> Result<ArrayRef> {
    match &expr.kind {
        ExprKind::Literal(literal) => literal_array(literal, &expr.ty),
        ExprKind::List(items) => {
            let cells = items.iter().filter_map(|item| match &item.kind {
                ExprKind::Literal(literal) => Some(Cell::from(literal)),
                _ => None,
            });
            one(&expr.ty, Cell::List(cells.collect()))
        }
        _ => Err(Error::damaged("a default that is not a constant")),
    }
}

/// A literal as a column of one row.
pub(crate) fn literal_array(literal: &Literal, ty: &Type) -> Result<ArrayRef> {
    match literal {
        Literal::Null => Ok(new_null_array(&DataType::Null, 1)),
        literal => one(ty, Cell::from(literal)),
    }
}

/// A value of a type as a column of one row.
fn one(ty: &Type, cell: Cell<'_>) -> Result<ArrayRef> {
    let property = Property {
        name: "value".to_owned(),
        ty: ty.clone(),
        embed: None,
        default: None,
        backfill: None,
        metadata: Metadata::default(),
    };
    let mut column = Column::new(Rule::new("the value", &property, &Body::default())?);
    // The rule speaks of a property of a type; here it is a value alone.
    let plain = |message: String| message.replacen("the value.value", "the value", 1);
    column.put(cell).map_err(|problem| Error::request(plain(problem.message)))?;
    Ok(column.finish()?)
}
