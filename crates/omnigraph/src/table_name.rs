//! How commits name the tables of a graph.

use std::fmt;

/// The table of a type. Commits, change feeds and answers write it as `node:Person` or `edge:Knows`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TableName<'a> {
    /// Nodes of the type of this name.
    Node(&'a str),
    /// Edges of the type of this name.
    Edge(&'a str),
}

impl<'a> TableName<'a> {
    /// From what a commit says. A graph has no tables but those of its nodes and edges.
    pub fn of(key: &'a str) -> TableName<'a> {
        match key.split_once(':') {
            Some(("edge", name)) => TableName::Edge(name),
            Some((_, name)) => TableName::Node(name),
            None => TableName::Node(key),
        }
    }

    /// What a commit says.
    pub fn key(self) -> String {
        self.to_string()
    }

    /// The name of the type.
    pub fn type_name(self) -> &'a str {
        match self {
            TableName::Node(name) | TableName::Edge(name) => name,
        }
    }

    /// Whether its rows join nodes.
    pub fn is_edge(self) -> bool {
        matches!(self, TableName::Edge(_))
    }
}

impl fmt::Display for TableName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableName::Node(name) => write!(f, "node:{name}"),
            TableName::Edge(name) => write!(f, "edge:{name}"),
        }
    }
}
