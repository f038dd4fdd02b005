//! A query file as it is written.

mod expr;

use crate::diagnostic::Diagnostics;
use crate::source::{Name, Source, Span};
use crate::types::Type;

pub use expr::{Aggregate, ArithOp, Change, CompareOp, Expr, ExprKind, Function};

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueryFile {
    /// The queries, as they are written.
    pub queries: Vec<QueryDecl>,
}

impl QueryFile {
    /// Reads a file of queries without checking them. All errors that can be found are reported at once.
    pub fn parse(source: &Source) -> Result<QueryFile, Diagnostics> {
        let (file, errors, _) = super::parse::parse(source.text());
        errors.finish(file)
    }

    /// The first query of this name.
    pub fn query(&self, name: &str) -> Option<&QueryDecl> {
        self.queries.iter().find(|query| query.name.text == name)
    }
}

/// `query name($p: T, …) @description("…") { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct QueryDecl {
    /// Of the query.
    pub name: Name,
    /// The parameters, as they are written.
    pub params: Vec<Param>,
    /// `@description`
    pub description: Option<String>,
    /// `@instruction`
    pub instruction: Option<String>,
    /// What it does.
    pub body: Body,
    /// From `query` to the opening brace.
    pub header: Span,
    /// From `query` to the closing brace.
    pub span: Span,
}

/// `$name: Type = default`
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Without the dollar.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Behind `=`.
    pub default: Option<Expr>,
}

/// What a query does.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there is one per query, and most queries read")]
pub enum Body {
    /// `match { … } return { … } …`
    Read(Read),
    /// `insert …`, `update …`, `delete …`
    Mutation(Vec<Statement>),
}

/// A query that reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// Of `match`.
    pub clauses: Vec<Clause>,
    /// From `match` to its closing brace.
    pub match_span: Span,
    /// `return distinct { … }`
    pub distinct: bool,
    /// Of `return`.
    pub projections: Vec<Projection>,
    /// From `return` to its closing brace.
    pub return_span: Span,
    /// Of `order`.
    pub order: Vec<OrderKey>,
    /// From `order` to its closing brace.
    pub order_span: Span,
    /// `skip n`
    pub skip: Option<Expr>,
    /// `limit n`
    pub limit: Option<Expr>,
}

/// A line of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Clause {
    /// `$p: Person { name: $n }`
    Binding(Binding),
    /// `$p knows{1,3} $f`
    Traversal(Traversal),
    /// Anything that is true or false.
    Filter(Expr),
    /// `not { … }`, `exists { … }`, `optional { … }`
    Block(Block),
}

impl Clause {
    /// From its first to its last byte.
    pub fn span(&self) -> Span {
        match self {
            Clause::Binding(binding) => binding.span,
            Clause::Traversal(traversal) => traversal.span,
            Clause::Filter(expr) => expr.span,
            Clause::Block(block) => block.span,
        }
    }
}

/// A variable and its type.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// Without the dollar.
    pub var: Name,
    /// A node type or an interface.
    pub type_name: Name,
    /// What its properties must be.
    pub props: Vec<Assignment>,
    /// From its first to its last byte.
    pub span: Span,
}

/// `name: value`
#[derive(Clone, Debug, PartialEq)]
pub struct Assignment {
    /// The property.
    pub property: Name,
    /// Its value.
    pub value: Expr,
}

/// Two variables and what joins them.
#[derive(Clone, Debug, PartialEq)]
pub struct Traversal {
    /// Left of the edge.
    pub src: Name,
    /// `$w` in `$a $w:knows $b`: the edge, or the path when there are several hops.
    pub edge_var: Option<Name>,
    /// One, or several alternatives.
    pub edges: Vec<Name>,
    /// `<knows>`: in both directions.
    pub undirected: bool,
    /// `{1,3}`, if written.
    pub hops: Option<Hops>,
    /// Right of the edge.
    pub dst: Name,
    /// From its first to its last byte.
    pub span: Span,
}

/// `{min,max}`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hops {
    /// At least.
    pub min: u32,
    /// At most; `None` is without bound.
    pub max: Option<u32>,
    /// With the braces.
    pub span: Span,
}

/// What a block says about the pattern inside of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// It has no match.
    Not,
    /// It has a match.
    Exists,
    /// It may have matches.
    Optional,
}

impl BlockKind {
    /// As written.
    pub fn as_str(self) -> &'static str {
        match self {
            BlockKind::Not => "not",
            BlockKind::Exists => "exists",
            BlockKind::Optional => "optional",
        }
    }
}

/// A pattern inside of a pattern.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// What the block does with its rows.
    pub kind: BlockKind,
    /// The pattern.
    pub clauses: Vec<Clause>,
    /// From the word to the opening brace.
    pub header: Span,
    /// From the word to the closing brace.
    pub span: Span,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub struct Projection {
    /// Its value.
    pub expr: Expr,
    /// Behind `as`.
    pub alias: Option<Name>,
}

/// What rows are ordered by.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderKey {
    /// The value.
    pub expr: Expr,
    /// `asc` or `desc`, if written.
    pub direction: Option<Direction>,
}

/// Which end comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Smallest first.
    Asc,
    /// Largest first.
    Desc,
}

impl Direction {
    /// As written.
    pub fn as_str(self) -> &'static str {
        match self {
            Direction::Asc => "asc",
            Direction::Desc => "desc",
        }
    }
}

/// A change of the graph.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// `insert T { … }`
    Insert(Insert),
    /// `update T set { … } where …`
    Update(Update),
    /// `delete T where …`
    Delete(Delete),
}

impl Statement {
    /// From its first to its last byte.
    pub fn span(&self) -> Span {
        match self {
            Statement::Insert(insert) => insert.span,
            Statement::Update(update) => update.span,
            Statement::Delete(delete) => delete.span,
        }
    }

    /// What it changes.
    pub fn type_name(&self) -> &Name {
        match self {
            Statement::Insert(insert) => &insert.type_name,
            Statement::Update(update) => &update.type_name,
            Statement::Delete(delete) => &delete.type_name,
        }
    }
}

/// `insert T { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Insert {
    /// Node or edge type.
    pub type_name: Name,
    /// What is assigned, as it is written.
    pub values: Vec<Assignment>,
    /// From its first to its last byte.
    pub span: Span,
}

/// `update T set { … } where …`
#[derive(Clone, Debug, PartialEq)]
pub struct Update {
    /// Node or edge type.
    pub type_name: Name,
    /// What is assigned, as it is written.
    pub values: Vec<Assignment>,
    /// Which rows.
    pub filter: Expr,
    /// From its first to its last byte.
    pub span: Span,
}

/// `delete T where …`
#[derive(Clone, Debug, PartialEq)]
pub struct Delete {
    /// Node or edge type.
    pub type_name: Name,
    /// Which rows.
    pub filter: Expr,
    /// From its first to its last byte.
    pub span: Span,
}
