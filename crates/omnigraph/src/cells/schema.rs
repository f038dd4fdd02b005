//! Types of a catalog as Arrow types.

use arrow_schema::{DataType, Field, Schema, SchemaRef};
use omnigraph_compiler::schema::catalog::{EdgeType, NodeType, Property};
use omnigraph_compiler::{Scalar, Type};
use std::sync::Arc;

/// The column every table begins with.
pub const ID: &str = "id";
/// The id of the node an edge leaves.
pub const SRC: &str = "src";
/// The id of the node an edge reaches.
pub const DST: &str = "dst";

/// How values of the type are stored. Nullability belongs to the field.
pub fn data_type(ty: &Type) -> DataType {
    let scalar = match &ty.scalar {
        Scalar::String | Scalar::Enum(_) => DataType::Utf8,
        Scalar::Bool => DataType::Boolean,
        Scalar::I32 => DataType::Int32,
        Scalar::I64 => DataType::Int64,
        Scalar::U32 => DataType::UInt32,
        Scalar::U64 => DataType::UInt64,
        Scalar::F32 => DataType::Float32,
        Scalar::F64 => DataType::Float64,
        Scalar::Date => DataType::Date32,
        Scalar::DateTime => DataType::Date64,
        Scalar::Blob => DataType::LargeBinary,
        Scalar::Vector(dim) => {
            let item = Arc::new(Field::new_list_field(DataType::Float32, true));
            DataType::FixedSizeList(item, i32::try_from(*dim).unwrap_or(i32::MAX))
        }
    };
    if ty.list { DataType::List(Arc::new(Field::new_list_field(scalar, true))) } else { scalar }
}

/// The type that is stored so; an enum comes back as `String`, the item of a list without null.
pub fn type_of(data_type: &DataType, nullable: bool) -> Option<Type> {
    let scalar = match data_type {
        DataType::Utf8 => Scalar::String,
        DataType::Boolean => Scalar::Bool,
        DataType::Int32 => Scalar::I32,
        DataType::Int64 => Scalar::I64,
        DataType::UInt32 => Scalar::U32,
        DataType::UInt64 => Scalar::U64,
        DataType::Float32 => Scalar::F32,
        DataType::Float64 => Scalar::F64,
        DataType::Date32 => Scalar::Date,
        DataType::Date64 => Scalar::DateTime,
        DataType::LargeBinary => Scalar::Blob,
        DataType::FixedSizeList(_, dim) => Scalar::Vector(u32::try_from(*dim).ok()?),
        DataType::List(item) => {
            let element = type_of(item.data_type(), false)?;
            return Some(Type::list_of(element.scalar).with_null(nullable));
        }
        _ => return None,
    };
    Some(Type::scalar(scalar).with_null(nullable))
}

/// The column of a property.
pub fn field(property: &Property) -> Field {
    Field::new(&property.name, data_type(&property.ty), property.ty.nullable)
}

/// `id`, then the properties in order. A property called `id` is the key and therefore the first column itself.
pub fn node_schema(node: &NodeType) -> SchemaRef {
    let properties = node.body.properties.iter().filter(|property| property.name != ID);
    table(&[ID], properties)
}

/// `id`, `src`, `dst`, then the properties in order.
pub fn edge_schema(edge: &EdgeType) -> SchemaRef {
    table(&[ID, SRC, DST], edge.body.properties.iter())
}

fn table<'p>(built_in: &[&str], properties: impl Iterator<Item = &'p Property>) -> SchemaRef {
    let mut fields: Vec<Field> =
        built_in.iter().map(|name| Field::new(*name, DataType::Utf8, false)).collect();
    fields.extend(properties.map(field));
    Arc::new(Schema::new(fields))
}
