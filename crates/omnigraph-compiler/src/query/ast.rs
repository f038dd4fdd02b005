//! A query file as it is written.

use crate::diagnostic::Diagnostics;
use crate::literal::Literal;
use crate::source::{Name, Source, Span};
use crate::types::Type;

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QueryFile {
    /// In order.
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
    /// In order.
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
    /// All of it.
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
    /// All of it.
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
    /// All of it.
    pub span: Span,
}

/// `{min,max}`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hops {
    /// At least.
    pub min: u32,
    /// At most; `None` when left out, which is an error.
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
    /// Which.
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

/// Something with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// The forms of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A value that is written down.
    Literal(Literal),
    /// `[1, 2]`
    List(Vec<Expr>),
    /// `$x`: a parameter or a variable of the pattern.
    Var(String),
    /// `$x.name`
    Property {
        /// Without the dollar.
        var: Name,
        /// Behind the dot.
        property: Name,
    },
    /// A bare word: an alias in `order`, a property in `where`.
    Ident(String),
    /// `now()`
    Now,
    /// `search(…)`, `bm25(…)`, `hops($path)`…
    Call {
        /// Which function.
        function: Function,
        /// In order.
        args: Vec<Expr>,
    },
    /// `count(distinct $x)`
    Aggregate {
        /// Which.
        function: Aggregate,
        /// Whether equal values count once.
        distinct: bool,
        /// Of what.
        arg: Box<Expr>,
    },
    /// `a < b`, `a contains b`
    Compare {
        /// Which.
        op: CompareOp,
        /// Left.
        left: Box<Expr>,
        /// Right.
        right: Box<Expr>,
    },
    /// `a in b`, `a not in b`
    In {
        /// What is looked for.
        item: Box<Expr>,
        /// Where.
        list: Box<Expr>,
        /// Whether it must not be there.
        negated: bool,
    },
    /// `a is null`, `a is not null`
    IsNull {
        /// Of what.
        arg: Box<Expr>,
        /// Whether it must not be null.
        negated: bool,
    },
    /// Two or more.
    And(Vec<Expr>),
    /// Two or more.
    Or(Vec<Expr>),
    /// `not a`
    Not(Box<Expr>),
    /// `exists { … }` inside of an expression.
    Exists(Vec<Clause>),
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name { $($(#[$variant_doc])* $variant,)* }

        impl $name {
            /// All of them.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// As written.
            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $word,)* }
            }

            /// By its word.
            pub(crate) fn named(word: &str) -> Option<$name> {
                $name::ALL.iter().copied().find(|known| known.as_str() == word)
            }
        }
    };
}

words! {
    /// A function that is no aggregate.
    Function {
        /// Texts with the words of a query.
        Search = "search",
        /// The same, with typing errors.
        Fuzzy = "fuzzy",
        /// Texts with a phrase.
        MatchText = "match_text",
        /// How well a text fits a query.
        Bm25 = "bm25",
        /// How far a vector is from another.
        Nearest = "nearest",
        /// Several rankings as one.
        Rrf = "rrf",
        /// The ids of the nodes of a path.
        Nodes = "nodes",
        /// The ids of the edges of a path.
        Edges = "edges",
        /// The number of edges of a path.
        Hops = "hops",
    }
}

words! {
    /// A function over many rows.
    Aggregate {
        /// How many that are not null.
        Count = "count",
        /// Their sum.
        Sum = "sum",
        /// Their mean.
        Avg = "avg",
        /// The least.
        Min = "min",
        /// The greatest.
        Max = "max",
    }
}

words! {
    /// A comparison of two values.
    CompareOp {
        /// Greater or equal.
        Ge = ">=",
        /// Less or equal.
        Le = "<=",
        /// Not equal.
        Ne = "!=",
        /// Greater.
        Gt = ">",
        /// Less.
        Lt = "<",
        /// Equal.
        Eq = "=",
        /// A list has an element, a text has a part.
        Contains = "contains",
        /// A text begins with another.
        StartsWith = "starts_with",
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
    /// All of it.
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
    /// In order.
    pub values: Vec<Assignment>,
    /// All of it.
    pub span: Span,
}

/// `update T set { … } where …`
#[derive(Clone, Debug, PartialEq)]
pub struct Update {
    /// Node or edge type.
    pub type_name: Name,
    /// In order.
    pub values: Vec<Assignment>,
    /// Which rows.
    pub filter: Expr,
    /// All of it.
    pub span: Span,
}

/// `delete T where …`
#[derive(Clone, Debug, PartialEq)]
pub struct Delete {
    /// Node or edge type.
    pub type_name: Name,
    /// Which rows.
    pub filter: Expr,
    /// All of it.
    pub span: Span,
}
