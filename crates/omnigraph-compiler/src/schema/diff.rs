//! What leads from one schema to another: typed steps, each with how safe it is.

mod bodies;
mod describe;
mod types;

use super::catalog::{Backfill, Cardinality, Catalog, Note, PatternCheck, RangeCheck, TextLanguage};
use crate::literal::Literal;
use crate::types::Type;

/// The steps from the accepted schema to the desired one: renames, additions, changes, removals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MigrationPlan {
    /// In the order in which they are applied.
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What changes.
    pub change: Change,
    /// How safe that is.
    pub safety: Safety,
    /// What to write to get something else.
    pub hint: Option<String>,
}

/// What a step needs before it can be applied; later is worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Safety {
    /// Always.
    Safe,
    /// Only when the rows that are there agree, which is checked first.
    ChecksData,
    /// Hides data; purging it must be asked for.
    LosesData,
    /// Never.
    Unsupported,
}

impl Safety {
    /// The word that is printed and stored.
    pub fn as_str(self) -> &'static str {
        match self {
            Safety::Safe => "safe",
            Safety::ChecksData => "checks_data",
            Safety::LosesData => "loses_data",
            Safety::Unsupported => "unsupported",
        }
    }
}

/// What kind of type a step is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TypeKind {
    /// No table.
    Interface,
    /// A table of nodes.
    Node,
    /// A table of edges.
    Edge,
}

impl TypeKind {
    /// As in the language.
    pub fn as_str(self) -> &'static str {
        match self {
            TypeKind::Interface => "interface",
            TypeKind::Node => "node",
            TypeKind::Edge => "edge",
        }
    }
}

/// A type, by its name in the desired schema; for removals in the accepted one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeRef {
    /// What it is.
    pub kind: TypeKind,
    /// What it is called.
    pub name: String,
}

/// What rows get that were there before the property was.
#[derive(Clone, Debug, PartialEq)]
pub enum Fill {
    /// Null.
    Null,
    /// The `@default` or `@backfill` value.
    Value(Literal),
    /// A copy of another property.
    Property(String),
    /// The embedding of another property.
    Embedding(String),
}

impl From<&Backfill> for Fill {
    fn from(backfill: &Backfill) -> Fill {
        match backfill {
            Backfill::Value(value) => Fill::Value(value.clone()),
            Backfill::Property(name) => Fill::Property(name.clone()),
        }
    }
}

/// A constraint as data.
#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    /// `@key`
    Key(Vec<String>),
    /// `@unique`
    Unique(Vec<String>),
    /// `@index`
    Index(Vec<String>),
    /// The language of `@index`
    Language(TextLanguage),
    /// `@range`
    Range(RangeCheck),
    /// `@check`
    Check(PatternCheck),
}

/// What changes.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are named after what they hold")]
pub enum Change {
    /// A new type.
    AddType { of: TypeRef },
    /// `@rename_from` on a type.
    RenameType { kind: TypeKind, from: String, to: String },
    /// A type that is no longer declared.
    DropType { of: TypeRef },
    /// A new property. Without a fill it is required and there may be no rows.
    AddProperty { of: TypeRef, property: String, ty: Type, fill: Option<Fill> },
    /// `@rename_from` on a property.
    RenameProperty { of: TypeRef, from: String, to: String },
    /// Another type, or other nullability. `fill` replaces nulls that may no longer be.
    ChangePropertyType { of: TypeRef, property: String, from: Type, to: Type, fill: Option<Fill> },
    /// Another `@default`.
    ChangeDefault { of: TypeRef, property: String, from: Option<Literal>, to: Option<Literal> },
    /// Another `@embed` source.
    ChangeEmbed { of: TypeRef, property: String, from: Option<String>, to: Option<String> },
    /// A property that is no longer declared.
    DropProperty { of: TypeRef, property: String },
    /// A new constraint.
    AddConstraint { of: TypeRef, constraint: Constraint },
    /// A constraint that is no longer declared.
    DropConstraint { of: TypeRef, constraint: Constraint },
    /// Another `@card`.
    ChangeCardinality { of: TypeRef, from: Cardinality, to: Cardinality },
    /// Other interfaces.
    ChangeImplements { of: TypeRef, from: Vec<String>, to: Vec<String> },
    /// Other annotations on a type.
    UpdateTypeMetadata { of: TypeRef, annotations: Vec<Note> },
    /// Other annotations on a property.
    UpdatePropertyMetadata { of: TypeRef, property: String, annotations: Vec<Note> },
    /// Something that cannot be done.
    UnsupportedChange { entity: String, reason: String },
}

impl Change {
    /// The type that it is about, by its name in the desired schema.
    pub fn type_ref(&self) -> Option<TypeRef> {
        match self {
            Change::AddType { of }
            | Change::DropType { of }
            | Change::AddProperty { of, .. }
            | Change::RenameProperty { of, .. }
            | Change::ChangePropertyType { of, .. }
            | Change::ChangeDefault { of, .. }
            | Change::ChangeEmbed { of, .. }
            | Change::DropProperty { of, .. }
            | Change::AddConstraint { of, .. }
            | Change::DropConstraint { of, .. }
            | Change::ChangeCardinality { of, .. }
            | Change::ChangeImplements { of, .. }
            | Change::UpdateTypeMetadata { of, .. }
            | Change::UpdatePropertyMetadata { of, .. } => Some(of.clone()),
            Change::RenameType { kind, to, .. } => Some(TypeRef { kind: *kind, name: to.clone() }),
            Change::UnsupportedChange { .. } => None,
        }
    }
}

impl MigrationPlan {
    /// Whether every step can be applied in principle.
    pub fn is_supported(&self) -> bool {
        self.safety() < Safety::Unsupported
    }

    /// Of the worst step.
    pub fn safety(&self) -> Safety {
        self.steps.iter().map(|step| step.safety).max().unwrap_or(Safety::Safe)
    }
}

/// What leads from `accepted` to `desired`. Equal schemas give no steps.
pub fn diff(accepted: &Catalog, desired: &Catalog) -> MigrationPlan {
    let mut differ = Differ { accepted, desired, steps: Vec::new() };
    differ.interfaces();
    differ.nodes();
    differ.edges();
    let mut steps = differ.steps;
    steps.sort_by_key(|step| rank(&step.change));
    MigrationPlan { steps }
}

struct Differ<'c> {
    accepted: &'c Catalog,
    desired: &'c Catalog,
    steps: Vec<Step>,
}

impl Differ<'_> {
    fn step(&mut self, safety: Safety, change: Change) {
        self.steps.push(Step { change, safety, hint: None });
    }

    fn hinted(&mut self, safety: Safety, change: Change, hint: impl Into<String>) {
        self.steps.push(Step { change, safety, hint: Some(hint.into()) });
    }

    fn unsupported(&mut self, entity: String, reason: impl Into<String>, hint: Option<&str>) {
        let change = Change::UnsupportedChange { entity, reason: reason.into() };
        self.steps.push(Step { change, safety: Safety::Unsupported, hint: hint.map(str::to_owned) });
    }
}

/// Names first, so that later steps can use the new ones; what removes comes last.
fn rank(change: &Change) -> u8 {
    match change {
        Change::UnsupportedChange { .. } => 0,
        Change::RenameType { .. } => 1,
        Change::AddType { .. } => 2,
        Change::RenameProperty { .. } => 3,
        Change::DropConstraint { .. } => 4,
        Change::AddProperty { .. } => 5,
        Change::ChangePropertyType { .. } | Change::ChangeDefault { .. } | Change::ChangeEmbed { .. } => 6,
        Change::ChangeImplements { .. } => 7,
        Change::ChangeCardinality { .. } | Change::AddConstraint { .. } => 8,
        Change::UpdateTypeMetadata { .. } | Change::UpdatePropertyMetadata { .. } => 9,
        Change::DropProperty { .. } => 10,
        Change::DropType { .. } => 11,
    }
}
