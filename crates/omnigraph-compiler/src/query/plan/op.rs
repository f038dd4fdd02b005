//! The operators of a pattern, and the statements of a mutation. Rows are bindings of variables; every operator says
//! what it adds or takes away.

use crate::query::typed::{Aggregate, Arm, Expr, Target, TextMatch};
use crate::types::Type;

/// One operator of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// Binds a node variable; always the first of its pipeline.
    Scan(Scan),
    /// Follows edges from a bound variable.
    Expand(Expand),
    /// Keeps the rows for which it is true.
    Filter(Expr),
    /// Combines every row with every row of another pipeline that agrees with it.
    Join(Join),
    /// Keeps the rows for which another pipeline has a row, or has none.
    Semi(Semi),
    /// Adds whether another pipeline has a row.
    Mark(Mark),
    /// Adds what is computed over the rows of another pipeline.
    Fold(Fold),
    /// Adds what another pipeline binds; nulls when it has no row.
    Optional(Optional),
}

/// How rows of a table are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// By their ids: the filters give the whole key.
    Key,
    /// Edges by the node they start at.
    Source,
    /// Edges by the node they end at.
    Target,
    /// By what changed since a state.
    Changes,
    /// By the index on this property.
    Index(String),
    /// By the text index on this property.
    Text(String),
    /// One by one.
    Full,
}

/// Binds a node variable to the nodes of its types.
#[derive(Clone, Debug, PartialEq)]
pub struct Scan {
    /// The variable.
    pub var: String,
    /// The tables.
    pub types: Vec<String>,
    /// The best way in that the filters allow.
    pub access: Access,
    /// Conditions on this variable alone.
    pub filters: Vec<Expr>,
    /// Text searches on this variable; all must match.
    pub search: Vec<TextMatch>,
    /// The properties that this plan reads of it, sorted. Neither the id nor what only a search or score looks at is
    /// among them.
    pub properties: Vec<String>,
}

/// Follows edges. Traversal is a walk with set semantics: a destination comes once per source, at its shortest
/// distance. The source itself comes only along an edge that begins and ends there. With an edge variable a destination
/// comes once per edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Expand {
    /// The bound end.
    pub src: String,
    /// The other end.
    pub dst: String,
    /// Seen from `src`.
    pub arms: Vec<Arm>,
    /// At least so many hops.
    pub min: u32,
    /// At most so many hops, or [`UNBOUNDED`](crate::query::typed::UNBOUNDED).
    pub max: u32,
    /// The destination is bound already; rows are kept when the edges lead there.
    pub into: bool,
    /// `src` is the right end as written, so a path is turned round.
    pub reversed: bool,
    /// The node types that the destination can have.
    pub types: Vec<String>,
    /// Conditions on the destination alone.
    pub filters: Vec<Expr>,
    /// Text searches on the destination.
    pub search: Vec<TextMatch>,
    /// The properties that this plan reads of the destination, sorted.
    pub properties: Vec<String>,
    /// The variable for the edge; only with one hop.
    pub edge: Option<String>,
    /// Conditions on the edge alone.
    pub edge_filters: Vec<Expr>,
    /// The properties that this plan reads of the edge, sorted.
    pub edge_properties: Vec<String>,
    /// The variable for the path; only with several hops.
    pub path: Option<String>,
}

/// Combines two independent pipelines.
#[derive(Clone, Debug, PartialEq)]
pub struct Join {
    /// The other pipeline.
    pub inner: Vec<Op>,
    /// Values that must be equal, here and there. Without any it is a cross product.
    pub on: Vec<(Expr, Expr)>,
}

/// Semi-join or anti-join.
#[derive(Clone, Debug, PartialEq)]
pub struct Semi {
    /// Variables of the row at hand that the other pipeline uses.
    pub outer: Vec<String>,
    /// The other pipeline; it starts from the row at hand.
    pub inner: Vec<Op>,
    /// Keeps rows without a match.
    pub negated: bool,
}

/// `exists` inside of an expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// The number that expressions name it by.
    pub flag: usize,
    /// Variables of the row at hand that the other pipeline uses.
    pub outer: Vec<String>,
    /// The other pipeline; it starts from the row at hand.
    pub inner: Vec<Op>,
}

/// An aggregate over the matches of a pattern inside of an expression. Counts and sums of nothing are 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Fold {
    /// The number that expressions name it by.
    pub value: usize,
    /// What is computed.
    pub function: Aggregate,
    /// Whether equal values count once.
    pub distinct: bool,
    /// Of what; of the rows themselves without it.
    pub arg: Option<Expr>,
    /// Of the value.
    pub ty: Type,
    /// Variables of the row at hand that the other pipeline or the argument uses.
    pub outer: Vec<String>,
    /// The other pipeline; it starts from the row at hand.
    pub inner: Vec<Op>,
}

/// Left outer join.
#[derive(Clone, Debug, PartialEq)]
pub struct Optional {
    /// Variables of the row at hand that the other pipeline uses.
    pub outer: Vec<String>,
    /// The other pipeline; it starts from the row at hand.
    pub inner: Vec<Op>,
    /// What it binds.
    pub binds: Vec<String>,
}

/// A statement of a mutation.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are named after what they hold")]
pub enum MutationOp {
    /// Adds a node, or changes the one with the same key.
    InsertNode { type_name: String, values: Vec<(String, Expr)> },
    /// Adds an edge, or changes the one with the same ends and key.
    InsertEdge { type_name: String, from: Expr, to: Expr, values: Vec<(String, Expr)> },
    /// Changes the rows that pass all filters.
    Update { target: Target, access: Access, filters: Vec<Expr>, values: Vec<(String, Expr)> },
    /// Removes the rows that pass all filters; with nodes go their edges.
    Delete { target: Target, access: Access, filters: Vec<Expr> },
}
