//! Expressions as they are written, and the words of functions and operators.

use super::Clause;
use crate::literal::Literal;
use crate::source::{Name, Span};

/// Something with a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// The form of the expression.
    pub kind: ExprKind,
    /// The place in the source text.
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
        /// The arguments, as they are written.
        args: Vec<Expr>,
    },
    /// `count(distinct $x)`
    Aggregate {
        /// What is computed.
        function: Aggregate,
        /// Whether equal values count once.
        distinct: bool,
        /// Of what.
        arg: Box<Expr>,
    },
    /// `count { … }`, `sum($x.size) { … }`: over the matches of a pattern of its own.
    Fold {
        /// What is computed.
        function: Aggregate,
        /// Whether equal values count once.
        distinct: bool,
        /// Of what; only matches can be counted without it.
        arg: Option<Box<Expr>>,
        /// The pattern.
        clauses: Vec<Clause>,
    },
    /// `a + b`
    Arith {
        /// What is computed.
        op: ArithOp,
        /// Left.
        left: Box<Expr>,
        /// Right.
        right: Box<Expr>,
    },
    /// `a < b`, `a contains b`
    Compare {
        /// How the two sides are compared.
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
        /// The list that is searched.
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
    /// `$p changed since $commit`
    Since {
        /// What is asked about: a node or an edge.
        arg: Box<Expr>,
        /// What happened to it.
        change: Change,
        /// A state of the graph, or a time.
        since: Box<Expr>,
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
    /// A function that is not an aggregate.
    Function {
        /// Texts with the words of a query.
        Search = "search",
        /// The same, with typing errors.
        Fuzzy = "fuzzy",
        /// Texts with a phrase.
        MatchText = "match_text",
        /// Texts with the words of a query, the last of which may be cut off.
        Prefix = "prefix",
        /// A text with marks around what was found.
        Highlight = "highlight",
        /// The part of a text where most was found.
        Snippet = "snippet",
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
        /// A text in small letters.
        Lower = "lower",
        /// A text in capitals.
        Upper = "upper",
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
        /// All of them, as a list.
        Collect = "collect",
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
        /// A text ends with another.
        EndsWith = "ends_with",
    }
}

words! {
    /// What happened to a row.
    Change {
        /// It was inserted or updated.
        Changed = "changed",
        /// It was not there.
        Inserted = "inserted",
        /// It was there with other values.
        Updated = "updated",
    }
}

words! {
    /// What is computed of two numbers; of two texts their sum is both, one behind the other.
    ArithOp {
        /// Sum.
        Add = "+",
        /// Difference.
        Sub = "-",
        /// Product.
        Mul = "*",
        /// Quotient, with its fraction.
        Div = "/",
        /// What is left of a division.
        Rem = "%",
    }
}

impl Function {
    /// Whether it writes a text in other letters.
    pub(crate) fn is_text_match(self) -> bool {
        matches!(self, Function::Search | Function::Prefix | Function::Fuzzy | Function::MatchText)
    }

    pub(crate) fn is_case(self) -> bool {
        matches!(self, Function::Lower | Function::Upper)
    }
}
