//! Steps in words.

use super::{Change, Constraint, Fill, MigrationPlan, Step};
use crate::literal::{Literal, comma};
use std::fmt;

impl Change {
    /// A stable word for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Change::AddType { .. } => "add_type",
            Change::RenameType { .. } => "rename_type",
            Change::DropType { .. } => "drop_type",
            Change::AddProperty { .. } => "add_property",
            Change::RenameProperty { .. } => "rename_property",
            Change::ChangePropertyType { .. } => "change_property_type",
            Change::ChangeDefault { .. } => "change_default",
            Change::ChangeEmbed { .. } => "change_embed",
            Change::DropProperty { .. } => "drop_property",
            Change::AddConstraint { .. } => "add_constraint",
            Change::DropConstraint { .. } => "drop_constraint",
            Change::ChangeCardinality { .. } => "change_cardinality",
            Change::ChangeImplements { .. } => "change_implements",
            Change::UpdateTypeMetadata { .. } => "update_type_metadata",
            Change::UpdatePropertyMetadata { .. } => "update_property_metadata",
            Change::UnsupportedChange { .. } => "unsupported_change",
        }
    }
}

impl fmt::Display for MigrationPlan {
    /// One step per line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.steps.iter().try_for_each(|step| writeln!(f, "{step}"))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}] {}", self.change.kind(), self.safety.as_str(), self.change)?;
        self.hint.iter().try_for_each(|hint| write!(f, "\n  help: {hint}"))
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or_none = |value: &Option<Literal>| value.as_ref().map_or("none".into(), ToString::to_string);
        match self {
            Change::AddType { of } | Change::DropType { of } => write!(f, "{} {}", of.kind.as_str(), of.name),
            Change::RenameType { kind, from, to } => write!(f, "{} {from} -> {to}", kind.as_str()),
            Change::AddProperty { of, property, ty, fill } => {
                write!(f, "{}.{property}: {ty}", of.name)?;
                fill.iter().try_for_each(|fill| write!(f, ", rows get {fill}"))
            }
            Change::RenameProperty { of, from, to } => write!(f, "{}.{from} -> {to}", of.name),
            Change::ChangePropertyType { of, property, from, to, fill } => {
                write!(f, "{}.{property}: {from} -> {to}", of.name)?;
                fill.iter().try_for_each(|fill| write!(f, ", nulls become {fill}"))
            }
            Change::ChangeDefault { of, property, from, to } => {
                write!(f, "{}.{property}: {} -> {}", of.name, or_none(from), or_none(to))
            }
            Change::ChangeEmbed { of, property, from, to } => {
                let word = |source: &Option<String>| source.clone().unwrap_or_else(|| "none".into());
                write!(f, "{}.{property}: {} -> {}", of.name, word(from), word(to))
            }
            Change::DropProperty { of, property } => write!(f, "{}.{property}", of.name),
            Change::AddConstraint { of, constraint } | Change::DropConstraint { of, constraint } => {
                write!(f, "{} {constraint}", of.name)
            }
            Change::ChangeCardinality { of, from, to } => write!(f, "{}: {from} -> {to}", of.name),
            Change::ChangeImplements { of, from, to } => {
                write!(f, "{}: [{}] -> [{}]", of.name, comma(from), comma(to))
            }
            Change::UpdateTypeMetadata { of, annotations } => {
                write!(f, "{}: {}", of.name, comma(annotations.iter().map(|note| format!("@{}", note.name))))
            }
            Change::UpdatePropertyMetadata { of, property, annotations } => {
                let names = comma(annotations.iter().map(|note| format!("@{}", note.name)));
                write!(f, "{}.{property}: {names}", of.name)
            }
            Change::UnsupportedChange { entity, reason } => write!(f, "{entity}: {reason}"),
        }
    }
}

impl fmt::Display for Fill {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fill::Null => f.write_str("null"),
            Fill::Value(value) => write!(f, "{value}"),
            Fill::Property(name) => write!(f, "a copy of `{name}`"),
            Fill::Embedding(name) => write!(f, "the embedding of `{name}`"),
        }
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = |bound: &Option<Literal>| bound.as_ref().map(ToString::to_string).unwrap_or_default();
        match self {
            Constraint::Key(names) => write!(f, "@key({})", comma(names)),
            Constraint::Unique(names) => write!(f, "@unique({})", comma(names)),
            Constraint::Index(names) => write!(f, "@index({})", comma(names)),
            Constraint::Language(text) => {
                write!(f, "@index({}, language: \"{}\")", text.property, text.language)
            }
            Constraint::Range(range) => {
                write!(f, "@range({}, {}..{})", range.property, bound(&range.min), bound(&range.max))
            }
            Constraint::Check(check) => write!(f, "@check({}, {:?})", check.property, check.pattern),
        }
    }
}
