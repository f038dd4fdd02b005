//! What a schema declares: types with their interfaces expanded, names resolved, constraints gathered.

mod canonical;

use super::ast::AnnotationValue;
use crate::language::Language;
use crate::literal::Literal;
use crate::suggest;
use crate::types::{Scalar, Type};
use std::collections::BTreeMap;

/// All types of a graph, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Catalog {
    /// The interfaces by their names.
    pub interfaces: BTreeMap<String, InterfaceType>,
    /// The node types by their names.
    pub nodes: BTreeMap<String, NodeType>,
    /// The edge types by their names.
    pub edges: BTreeMap<String, EdgeType>,
}

/// A set of properties that several node types have.
#[derive(Clone, Debug, PartialEq)]
pub struct InterfaceType {
    /// Unique in the schema.
    pub name: String,
    /// In order of declaration.
    pub properties: Vec<Property>,
    /// The node types that have it, sorted.
    pub implementors: Vec<String>,
    /// Everything else that is said about it.
    pub metadata: Metadata,
}

/// A kind of node; one table.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeType {
    /// Unique in the schema.
    pub name: String,
    /// In order of declaration.
    pub implements: Vec<String>,
    /// Properties and constraints; those of the interfaces come last.
    pub body: Body,
    /// Everything else that is said about it.
    pub metadata: Metadata,
}

/// A kind of edge; one table.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeType {
    /// Unique in the schema, even when case is ignored.
    pub name: String,
    /// Node type at its start.
    pub from: String,
    /// Node type at its end.
    pub to: String,
    /// How many may leave one node.
    pub card: Cardinality,
    /// Properties and constraints.
    pub body: Body,
    /// Everything else that is said about it.
    pub metadata: Metadata,
}

/// How many edges of a type leave one node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cardinality {
    /// At least.
    pub min: u32,
    /// At most; `None` is without bound.
    pub max: Option<u32>,
}

impl std::fmt::Display for Cardinality {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.max {
            Some(max) => write!(f, "{}..{max}", self.min),
            None => write!(f, "{}..", self.min),
        }
    }
}

/// Properties and constraints of a type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// In order of declaration.
    pub properties: Vec<Property>,
    /// The properties that identify a node, or an edge among those between the same two nodes. Empty without `@key`.
    pub key: Vec<String>,
    /// Sets of properties whose values together occur once. On edges `src` and `dst` may be among them.
    pub unique: Vec<Vec<String>>,
    /// Properties to index, alone or together. On edges `src` and `dst` may be among them.
    pub indexes: Vec<Vec<String>>,
    /// Languages of texts, for search.
    pub languages: Vec<TextLanguage>,
    /// Bounds of numbers.
    pub ranges: Vec<RangeCheck>,
    /// Patterns of texts.
    pub checks: Vec<PatternCheck>,
}

/// `@index(body, language: "en")`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextLanguage {
    /// Whose texts.
    pub property: String,
    /// What they are written in.
    pub language: Language,
}

/// `@range`
#[derive(Clone, Debug, PartialEq)]
pub struct RangeCheck {
    /// Whose values, or whose elements.
    pub property: String,
    /// Inclusive.
    pub min: Option<Literal>,
    /// Inclusive.
    pub max: Option<Literal>,
}

/// `@check`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternCheck {
    /// Whose values, or whose elements.
    pub property: String,
    /// A regular expression that is known to be valid.
    pub pattern: String,
}

/// A column of a type.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    /// Unique in its type.
    pub name: String,
    /// Of its values.
    pub ty: Type,
    /// `@embed`: the text property that this vector is computed from.
    pub embed: Option<String>,
    /// `@default`: the value of a row that gives none.
    pub default: Option<Literal>,
    /// `@backfill`: what rows get that were there before the property was.
    pub backfill: Option<Backfill>,
    /// Everything else that is said about it.
    pub metadata: Metadata,
}

/// Where the values of a new property come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Backfill {
    /// The same in all rows.
    Value(Literal),
    /// Copied from another property of the row.
    Property(String),
}

/// Annotations without an effect on rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata {
    /// In order, without those that have a place of their own.
    pub annotations: Vec<Note>,
    /// `@rename_from`: the name it had before.
    pub renamed_from: Option<String>,
}

/// An annotation as plain data.
#[derive(Clone, Debug, PartialEq)]
pub struct Note {
    /// Without `@`.
    pub name: String,
    /// With their names, if they have any.
    pub args: Vec<(Option<String>, AnnotationValue)>,
}

impl Metadata {
    /// The text of `@description`.
    pub fn description(&self) -> Option<&str> {
        self.text("description")
    }

    /// The text of `@instruction`.
    pub fn instruction(&self) -> Option<&str> {
        self.text("instruction")
    }

    fn text(&self, name: &str) -> Option<&str> {
        let note = self.annotations.iter().find(|note| note.name == name)?;
        match note.args.first() {
            Some((_, AnnotationValue::Literal(Literal::String(text)))) => Some(text),
            _ => None,
        }
    }
}

impl Body {
    /// The property of this name.
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// What the texts of a property are written in, when that is said.
    pub fn language(&self, property: &str) -> Option<Language> {
        self.languages.iter().find(|known| known.property == property).map(|known| known.language)
    }

    /// Whether an index begins with the property; keys are indexed.
    pub fn is_indexed(&self, property: &str) -> bool {
        let lists = self.indexes.iter().chain(&self.unique).chain(std::iter::once(&self.key));
        lists.filter_map(|list| list.first()).any(|first| first == property)
    }
}

impl Catalog {
    /// By name, without regard to case: `worksAt` is `WorksAt`.
    pub fn edge(&self, name: &str) -> Option<&EdgeType> {
        self.edges.get(name).or_else(|| self.edges.values().find(|edge| edge.name.eq_ignore_ascii_case(name)))
    }

    /// Properties and constraints of a node or edge type.
    pub fn body(&self, type_name: &str) -> Option<&Body> {
        let node = self.nodes.get(type_name).map(|node| &node.body);
        node.or_else(|| self.edges.get(type_name).map(|edge| &edge.body))
    }

    /// The type of a property of a node or edge type. `id` is there even when it is not declared, on edges `from`,
    /// `to`, `src` and `dst` too.
    pub fn property_type(&self, type_name: &str, property: &str) -> Option<Type> {
        if let Some(found) = self.body(type_name)?.property(property) {
            return Some(found.ty.clone());
        }
        let is_edge = self.edges.contains_key(type_name);
        let built_in = property == "id" || (is_edge && ENDPOINTS.contains(&property));
        built_in.then(|| Type::scalar(Scalar::String))
    }

    /// ``did you mean `name`?`` among the properties of a type.
    pub(crate) fn similar_property(&self, type_name: &str, written: &str) -> Option<String> {
        let names = self.body(type_name)?.properties.iter().map(|property| property.name.as_str());
        suggest::did_you_mean(written, names)
    }
}

/// The ends of an edge, under both of their names.
pub(crate) const ENDPOINTS: [&str; 4] = ["from", "to", "src", "dst"];
