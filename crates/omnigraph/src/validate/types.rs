//! The rules of a whole type.

use super::rule::Rule;
use super::violation::{Code, Problem};
use crate::cells::{Cell, ID, edge_schema, key_id, node_schema};
use crate::error::Error;
use arrow_schema::{Schema, SchemaRef};
use omnigraph_compiler::schema::catalog::{Body, EdgeType, NodeType};
use omnigraph_compiler::{Catalog, did_you_mean};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The node types an edge goes between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ends {
    /// Where it leaves.
    pub from: String,
    /// Where it arrives.
    pub to: String,
}

/// What rows of a type must be. Made once, shared by everyone who builds or checks rows of the type.
#[derive(Clone, Debug)]
pub struct TypeRules {
    pub(crate) name: String,
    /// Only for edges.
    pub(crate) ends: Option<Ends>,
    /// In the order of the properties.
    pub(crate) rules: Vec<Rule>,
    /// Which properties make the key, in the order of the key.
    pub(crate) key: Vec<usize>,
    schema: SchemaRef,
    open_schema: SchemaRef,
}

impl TypeRules {
    /// Of a node type.
    pub fn of_node(node: &NodeType) -> Result<TypeRules, Error> {
        TypeRules::new(&node.name, &node.body, None, node_schema(node))
    }

    /// Of an edge type.
    pub fn of_edge(edge: &EdgeType) -> Result<TypeRules, Error> {
        let ends = Ends { from: edge.from.clone(), to: edge.to.clone() };
        TypeRules::new(&edge.name, &edge.body, Some(ends), edge_schema(edge))
    }

    fn new(name: &str, body: &Body, ends: Option<Ends>, schema: SchemaRef) -> Result<TypeRules, Error> {
        let rules = body.properties.iter().map(|property| Rule::new(name, property, body));
        let rules: Vec<Rule> = rules.collect::<Result<_, _>>()?;
        let key = body.key.iter().filter_map(|key| rules.iter().position(|rule| rule.name == *key));
        let open_schema = open(&schema, &rules);
        Ok(TypeRules { name: name.to_owned(), ends, key: key.collect(), rules, schema, open_schema })
    }

    /// The name of the type.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The node types an edge goes between; `None` for a node type.
    pub fn ends(&self) -> Option<&Ends> {
        self.ends.as_ref()
    }

    /// How rows are stored.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// How rows are before embeddings are computed: vectors with `@embed` may be null.
    pub fn open_schema(&self) -> &SchemaRef {
        &self.open_schema
    }

    /// Which property has the name.
    pub fn position(&self, property: &str) -> Option<usize> {
        self.rules.iter().position(|rule| rule.name == property)
    }

    /// The rule of a property.
    pub fn rule(&self, position: usize) -> Option<&Rule> {
        self.rules.get(position)
    }

    /// Whether rows without a key get a random id.
    pub fn has_random_ids(&self) -> bool {
        self.ends.is_none() && self.key.is_empty()
    }

    /// The id of the node with this key, one value per key property in the order of the key; `None` without a key.
    pub fn id_of(&self, key: &[Cell<'_>]) -> Result<Option<String>, Problem> {
        if self.ends.is_some() || self.key.is_empty() || key.len() != self.key.len() {
            return Ok(None);
        }
        let mut parts = Vec::with_capacity(key.len());
        for (position, cell) in self.key.iter().zip(key) {
            let rule = &self.rules[*position];
            let cell = match cell {
                Cell::Null => return Err(rule.missing()),
                cell => rule.narrow(rule.admit(cell.clone())?),
            };
            let mut part = String::new();
            cell.write_key(&mut part);
            parts.push(part);
        }
        Ok(Some(key_id(parts.iter().map(String::as_str))))
    }

    /// Whether rows are known by some of their properties.
    pub fn has_key(&self) -> bool {
        !self.key.is_empty()
    }

    /// Whether the property `id` is the column `id` itself.
    pub(crate) fn id_property(&self) -> Option<usize> {
        if self.ends.is_none() { self.position(ID) } else { None }
    }

    /// A property that the type does not have.
    pub(crate) fn unknown(&self, property: &str) -> Problem {
        let hint = did_you_mean(property, self.rules.iter().map(|rule| rule.name.as_str()));
        let hint = hint.map_or(String::new(), |hint| format!("; {hint}"));
        Problem::new(Code::UnknownProperty, format!("{} has no property `{property}`{hint}", self.name))
    }
}

/// The rules of all types of a graph.
#[derive(Clone, Debug, Default)]
pub struct RuleBook {
    nodes: BTreeMap<String, Arc<TypeRules>>,
    edges: BTreeMap<String, Arc<TypeRules>>,
}

impl RuleBook {
    /// Of a catalog.
    pub fn new(catalog: &Catalog) -> Result<RuleBook, Error> {
        let mut book = RuleBook::default();
        for node in catalog.nodes.values() {
            book.nodes.insert(node.name.clone(), Arc::new(TypeRules::of_node(node)?));
        }
        for edge in catalog.edges.values() {
            book.edges.insert(edge.name.clone(), Arc::new(TypeRules::of_edge(edge)?));
        }
        Ok(book)
    }

    /// Of all types, nodes before edges, by name.
    pub fn all(&self) -> impl Iterator<Item = &Arc<TypeRules>> {
        self.nodes.values().chain(self.edges.values())
    }

    /// Of a node type.
    pub fn node(&self, name: &str) -> Result<&Arc<TypeRules>, Problem> {
        self.nodes.get(name).ok_or_else(|| {
            let hint = did_you_mean(name, self.nodes.keys().map(String::as_str));
            let is_edge =
                self.edges.contains_key(name).then(|| "it is an edge type: write `edge`".to_owned());
            unknown_type("node", name, is_edge.or(hint))
        })
    }

    /// Of an edge type, without regard to case.
    pub fn edge(&self, name: &str) -> Result<&Arc<TypeRules>, Problem> {
        let folded = || self.edges.values().find(|rules| rules.name.eq_ignore_ascii_case(name));
        self.edges.get(name).or_else(folded).ok_or_else(|| {
            let hint = did_you_mean(name, self.edges.keys().map(String::as_str));
            let is_node = self.nodes.contains_key(name).then(|| "it is a node type: write `type`".to_owned());
            unknown_type("edge", name, is_node.or(hint))
        })
    }
}

fn unknown_type(kind: &str, name: &str, hint: Option<String>) -> Problem {
    let hint = hint.map_or(String::new(), |hint| format!("; {hint}"));
    Problem::new(Code::UnknownType, format!("unknown {kind} type `{name}`{hint}"))
}

fn open(schema: &SchemaRef, rules: &[Rule]) -> SchemaRef {
    let embedded = |name: &str| rules.iter().any(|rule| rule.is_embedded && rule.name == name);
    if !schema.fields().iter().any(|field| embedded(field.name()) && !field.is_nullable()) {
        return Arc::clone(schema);
    }
    let fields = schema.fields().iter().map(|field| {
        let nullable = field.is_nullable() || embedded(field.name());
        field.as_ref().clone().with_nullable(nullable)
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}
