//! A schema as it is written.

use crate::literal::Literal;
use crate::source::{Name, Span};
use crate::types::Type;

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SchemaFile {
    /// The declarations, as they are written.
    pub decls: Vec<Decl>,
}

/// A declaration at the top of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Decl {
    /// `interface Slugged { … }`
    Interface(InterfaceDecl),
    /// `node Person { … }`
    Node(NodeDecl),
    /// `edge Knows: Person -> Person { … }`
    Edge(EdgeDecl),
}

impl Decl {
    /// Of the declared type.
    pub fn name(&self) -> &Name {
        match self {
            Decl::Interface(decl) => &decl.name,
            Decl::Node(decl) => &decl.name,
            Decl::Edge(decl) => &decl.name,
        }
    }

    /// From its keyword to its last token.
    pub fn span(&self) -> Span {
        match self {
            Decl::Interface(decl) => decl.span,
            Decl::Node(decl) => decl.span,
            Decl::Edge(decl) => decl.span,
        }
    }
}

/// Properties that several node types share.
#[derive(Clone, Debug, PartialEq)]
pub struct InterfaceDecl {
    /// Of the interface.
    pub name: Name,
    /// On the declaration.
    pub annotations: Vec<Annotation>,
    /// The properties, as they are written.
    pub properties: Vec<PropertyDecl>,
    /// From keyword to brace.
    pub span: Span,
}

/// A kind of node.
#[derive(Clone, Debug, PartialEq)]
pub struct NodeDecl {
    /// Of the type.
    pub name: Name,
    /// On the declaration.
    pub annotations: Vec<Annotation>,
    /// The interfaces, in order.
    pub implements: Vec<Name>,
    /// The members, as they are written.
    pub members: Vec<Member>,
    /// From keyword to brace.
    pub span: Span,
}

/// A kind of edge.
#[derive(Clone, Debug, PartialEq)]
pub struct EdgeDecl {
    /// Of the type.
    pub name: Name,
    /// Node type at its start.
    pub from: Name,
    /// Node type at its end.
    pub to: Name,
    /// `@card(…)`, if written.
    pub card: Option<Card>,
    /// On the declaration.
    pub annotations: Vec<Annotation>,
    /// The members, as they are written.
    pub members: Vec<Member>,
    /// From keyword to brace or last annotation.
    pub span: Span,
}

/// How many edges of a type may leave one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card {
    /// At least.
    pub min: u32,
    /// At most; `None` is without bound.
    pub max: Option<u32>,
    /// From `@` to parenthesis.
    pub span: Span,
}

/// What stands in the body of a type.
#[derive(Clone, Debug, PartialEq)]
pub enum Member {
    /// `name: String`
    Property(PropertyDecl),
    /// `@unique(a, b)`
    Constraint(ConstraintDecl),
}

impl Member {
    /// From its first to its last byte.
    pub fn span(&self) -> Span {
        match self {
            Member::Property(property) => property.span,
            Member::Constraint(constraint) => constraint.span,
        }
    }
}

/// `name: Type @annotation…`
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyDecl {
    /// Of the property.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Where the type stands.
    pub ty_span: Span,
    /// The annotations, as they are written.
    pub annotations: Vec<Annotation>,
    /// From its first to its last byte.
    pub span: Span,
}

/// A constraint in a body.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstraintDecl {
    /// Which one.
    pub kind: ConstraintKind,
    /// From `@` to parenthesis.
    pub span: Span,
}

/// The constraints.
#[derive(Clone, Debug, PartialEq)]
pub enum ConstraintKind {
    /// `@key(a, b)`
    Key(Vec<Name>),
    /// `@unique(a, b)`
    Unique(Vec<Name>),
    /// `@index(a, b)`, `@index(body, language: "en")`
    Index {
        /// Which properties.
        names: Vec<Name>,
        /// Of the texts, with its place.
        language: Option<(String, Span)>,
    },
    /// `@range(age, 0..150)`
    Range {
        /// Whose values.
        property: Name,
        /// Inclusive.
        min: Option<Literal>,
        /// Inclusive.
        max: Option<Literal>,
    },
    /// `@check(code, "^[A-Z]{3}$")`
    Check {
        /// Whose values.
        property: Name,
        /// A regular expression.
        pattern: String,
        /// Where the pattern stands.
        pattern_span: Span,
    },
}

/// `@name` or `@name(argument)`
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    /// Without `@`.
    pub name: Name,
    /// The arguments, as they are written.
    pub args: Vec<AnnotationArg>,
    /// From `@` to the end.
    pub span: Span,
}

/// An argument, perhaps with a name: `@embed(title, model: "x")`
#[derive(Clone, Debug, PartialEq)]
pub struct AnnotationArg {
    /// Before the colon.
    pub key: Option<Name>,
    /// Behind it.
    pub value: AnnotationValue,
    /// Where the value stands.
    pub span: Span,
}

/// A value in an annotation.
#[derive(Clone, Debug, PartialEq)]
pub enum AnnotationValue {
    /// A bare name.
    Ident(String),
    /// A literal.
    Literal(Literal),
}
