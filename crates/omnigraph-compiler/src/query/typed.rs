//! A query that holds: every name resolved, every value typed. What the checker yields and the planner orders.
//!
//! Dates inside of [`Literal`]s are known to be valid; [`crate::parse_date`] and [`crate::parse_datetime`] read them.

pub use super::ast::{Aggregate, ArithOp, BlockKind, Change, CompareOp, Direction};
use crate::language::Language;
use crate::literal::Literal;
use crate::types::Type;

/// All queries of a file, checked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checked {
    /// The queries, as they are written.
    pub queries: Vec<CheckedQuery>,
}

impl Checked {
    /// The first query of this name.
    pub fn query(&self, name: &str) -> Option<&CheckedQuery> {
        self.queries.iter().find(|query| query.name == name)
    }
}

/// One query.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckedQuery {
    /// Of the query.
    pub name: String,
    /// The parameters, as they are written.
    pub params: Vec<Param>,
    /// `@description`
    pub description: Option<String>,
    /// `@instruction`
    pub instruction: Option<String>,
    /// What it does.
    pub body: Body,
}

/// A parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Without the dollar.
    pub name: String,
    /// A nullable one may be left out.
    pub ty: Type,
    /// The value when it is left out.
    pub default: Option<Expr>,
}

/// What a query does.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there is one per query, and most queries read")]
pub enum Body {
    /// Reads.
    Read(Read),
    /// Changes the graph, all statements or none.
    Mutation(Vec<Statement>),
}

/// A query that reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// What must match.
    pub pattern: Pattern,
    /// The columns, in order.
    pub columns: Vec<Column>,
    /// Whether rows are grouped by the columns that are not aggregates.
    pub aggregates: bool,
    /// Whether rows with the same values come once. Groups do so anyway.
    pub distinct: bool,
    /// In order of weight.
    pub order: Vec<SortKey>,
    /// Rows to leave out.
    pub skip: Option<Expr>,
    /// Rows to return at most.
    pub limit: Option<Expr>,
}

/// A column of the result.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// The alias, or what follows from the expression.
    pub name: String,
    /// Its value.
    pub expr: Expr,
}

/// What rows are ordered by. Nulls come first when ascending, last when descending.
#[derive(Clone, Debug, PartialEq)]
pub struct SortKey {
    /// The value.
    pub expr: Expr,
    /// Which end comes first.
    pub direction: Direction,
}

/// A pattern: variables, what joins them, and conditions. Everything in it must hold at once, in whatever order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pattern {
    /// The node variables it binds, in order of appearance.
    pub nodes: Vec<NodeVar>,
    /// Variables from outside that it uses.
    pub outer: Vec<String>,
    /// What joins them.
    pub edges: Vec<EdgeStep>,
    /// Conditions.
    pub filters: Vec<Expr>,
    /// Patterns inside of it, in order.
    pub blocks: Vec<(BlockKind, Pattern)>,
}

/// A variable for a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeVar {
    /// Without the dollar; those of `$_` are numbered.
    pub name: String,
    /// The node types it can have, sorted; several for interfaces and alternatives.
    pub types: Vec<String>,
}

/// As many hops as there are.
pub const UNBOUNDED: u32 = u32::MAX;

/// A traversal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeStep {
    /// Where it starts, as written.
    pub src: String,
    /// Where it ends, as written.
    pub dst: String,
    /// The edges to follow; each hop takes any of them that fits.
    pub arms: Vec<Arm>,
    /// At least so many hops.
    pub min: u32,
    /// At most so many hops, or [`UNBOUNDED`].
    pub max: u32,
    /// The variable for the edge or the path.
    pub var: Option<String>,
}

impl EdgeStep {
    /// Whether its variable is a path instead of an edge.
    pub fn is_path(&self) -> bool {
        self.max > 1
    }
}

/// An edge type and how it is followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    /// Its name in the schema.
    pub edge: String,
    /// From the source of the traversal.
    pub way: Way,
}

/// How an edge is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From its start to its end.
    Out,
    /// From its end to its start.
    In,
    /// Both.
    Both,
}

impl Way {
    /// Seen from the other side.
    #[must_use]
    pub fn reversed(self) -> Way {
        match self {
            Way::Out => Way::In,
            Way::In => Way::Out,
            Way::Both => Way::Both,
        }
    }
}

/// Something with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The form of the expression.
    pub kind: ExprKind,
    /// Of the value.
    pub ty: Type,
}

/// The forms of expressions. Variables are without their dollar; in mutations the row at hand is the empty name.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are named after what they hold")]
pub enum ExprKind {
    /// A value.
    Literal(Literal),
    /// Several values.
    List(Vec<Expr>),
    /// A parameter.
    Param(String),
    /// The time of the query, the same in all rows.
    Now,
    /// A property of a node or an edge.
    Property { var: String, property: String },
    /// The id of a node or an edge.
    Id { var: String },
    /// The name of the type of a node or an edge.
    TypeOf { var: String },
    /// The id of the node where an edge starts.
    Src { var: String },
    /// The id of the node where an edge ends.
    Dst { var: String },
    /// The ids of the nodes of a path, both ends included.
    PathNodes { var: String },
    /// The ids of the edges of a path.
    PathEdges { var: String },
    /// The number of edges of a path.
    PathHops { var: String },
    /// Whether a node is of one of these types.
    HasType { var: String, types: Vec<String> },
    /// Computed of two numbers, or of two texts; null when one of them is, and of what cannot be divided.
    Arith { op: ArithOp, left: Box<Expr>, right: Box<Expr> },
    /// A text in capitals, or in small letters.
    Case { upper: bool, arg: Box<Expr> },
    /// A comparison. With null it is never true.
    Compare { op: CompareOp, left: Box<Expr>, right: Box<Expr> },
    /// Membership.
    In { item: Box<Expr>, list: Box<Expr>, negated: bool },
    /// Whether there is a value.
    IsNull { arg: Box<Expr>, negated: bool },
    /// Whether a node or an edge changed since a state of the graph, which a text names, or a time.
    Since { var: String, change: Change, since: Box<Expr> },
    /// All of them.
    And(Vec<Expr>),
    /// One of them.
    Or(Vec<Expr>),
    /// The opposite.
    Not(Box<Expr>),
    /// Whether a text matches.
    Text(TextMatch),
    /// A text, or a part of it, with marks around what matches.
    Marked(Box<Marked>),
    /// How well something fits. Plans have [`ExprKind::ScoreSlot`] instead.
    Score(Box<Score>),
    /// In plans: the score of this number that a `score` operator computed.
    ScoreSlot(usize),
    /// Whether a pattern has a match. Plans have [`ExprKind::Flag`] instead.
    Exists(Box<Pattern>),
    /// In plans: the flag that a `mark` operator set.
    Flag(usize),
    /// Over the matches of a pattern; of the matches themselves without `arg`. Counts and sums of nothing are 0, all other
    /// values are null. Plans have [`ExprKind::Folded`] instead.
    Fold { function: Aggregate, distinct: bool, arg: Option<Box<Expr>>, pattern: Box<Pattern> },
    /// In plans: the value of this number that a `fold` operator computed.
    Folded(usize),
    /// Over the rows of a group. Plans have [`ExprKind::Slot`] instead.
    Aggregate { function: Aggregate, distinct: bool, arg: Box<Expr> },
    /// In plans, behind `aggregate`: the key or aggregate of this number.
    Slot(usize),
}

/// A condition on a text property.
#[derive(Clone, Debug, PartialEq)]
pub struct TextMatch {
    /// Of which variable.
    pub var: String,
    /// Which property.
    pub property: String,
    /// How.
    pub mode: TextMode,
    /// What is looked for: a parameter or a literal.
    pub query: Box<Expr>,
    /// What the texts are written in, by type; types without a language are left out.
    pub languages: Vec<(String, Language)>,
}

/// `highlight` and `snippet`.
#[derive(Clone, Debug, PartialEq)]
pub struct Marked {
    /// The property.
    pub text: Expr,
    /// What is marked in it.
    pub what: TextMatch,
    /// Of a snippet: how many characters it has at most.
    pub most: Option<Expr>,
    /// What stands before and behind each place.
    pub marks: Option<(Expr, Expr)>,
}

/// How a text matches.
#[derive(Clone, Debug, PartialEq)]
pub enum TextMode {
    /// One of the words.
    Words,
    /// One of the words, with so many typing errors; by its length when not given.
    Fuzzy(Option<Box<Expr>>),
    /// All words next to each other, in order.
    Phrase,
    /// One of the words, or one that begins with the last.
    Prefix,
}

/// How well a node fits.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are named after what they hold")]
pub enum Score {
    /// BM25 of a text; more is better.
    Bm25 { var: String, property: String, query: Expr },
    /// Cosine distance of a vector; less is better. A text is embedded first.
    Nearest { var: String, property: String, query: Expr, dimension: u32 },
    /// Reciprocal rank fusion; more is better.
    Rrf { ranks: Vec<Score>, k: Expr },
}

impl Score {
    /// Whether smaller is better.
    pub fn is_distance(&self) -> bool {
        matches!(self, Score::Nearest { .. })
    }

    /// The variables it looks at.
    pub fn vars(&self) -> Vec<&str> {
        match self {
            Score::Bm25 { var, .. } | Score::Nearest { var, .. } => vec![var],
            Score::Rrf { ranks, .. } => ranks.iter().flat_map(Score::vars).collect(),
        }
    }
}

/// What a statement changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Nodes of a type.
    Node(String),
    /// Edges of a type.
    Edge(String),
}

/// A change of the graph.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are named after what they hold")]
pub enum Statement {
    /// Adds a node, or changes the one with the same key.
    InsertNode { type_name: String, values: Vec<(String, Expr)> },
    /// Adds an edge, or changes the one with the same ends and key.
    InsertEdge { type_name: String, from: Expr, to: Expr, values: Vec<(String, Expr)> },
    /// Changes rows.
    Update { target: Target, values: Vec<(String, Expr)>, filter: Expr },
    /// Removes rows; with nodes go their edges.
    Delete { target: Target, filter: Expr },
}
