//! Properties and constraints of a type that is there before and after.

use super::{Change, Constraint, Differ, Fill, Safety, TypeKind, TypeRef};
use crate::schema::catalog::{Body, Property};
use crate::types::{Scalar, Type};

impl Differ<'_> {
    pub(super) fn bodies(&mut self, of: &TypeRef, before: &Body, now: &Body) {
        let mut kept: Vec<(&str, &str)> = Vec::new(); // before, now
        let mut added: Vec<&Property> = Vec::new();
        for property in &now.properties {
            let name = property.name.as_str();
            let renamed = property.metadata.renamed_from.as_deref().filter(|from| *from != name);
            let is_rename =
                renamed.is_some_and(|from| before.property(from).is_some() && now.property(from).is_none());
            match (before.property(name), renamed) {
                (None, Some(from)) if is_rename => {
                    let (from, to) = (from.to_owned(), name.to_owned());
                    self.step(Safety::Safe, Change::RenameProperty { of: of.clone(), from, to });
                    kept.push((renamed.unwrap_or(name), name));
                }
                (None, Some(from)) => {
                    let reason =
                        format!("`{}.{name}` cannot be renamed from `{from}`, which is not there", of.name);
                    let hint = "remove @rename_from to add a new property";
                    self.unsupported(entity(of, name), reason, Some(hint));
                }
                (Some(_), _) => kept.push((name, name)),
                (None, None) => {
                    self.add(of, property);
                    added.push(property);
                }
            }
        }
        for (from, to) in &kept {
            if let (Some(before), Some(now)) = (before.property(from), now.property(to)) {
                self.property(of, before, now);
            }
        }
        let is_kept = |property: &&Property| kept.iter().any(|(from, _)| *from == property.name);
        let removed: Vec<&Property> =
            before.properties.iter().filter(|property| !is_kept(property)).collect();
        for property in &removed {
            self.remove(of, property, &removed, &added);
        }
        self.constraints(of, before, now, &kept);
    }

    fn add(&mut self, of: &TypeRef, property: &Property) {
        let fill = match (&property.backfill, &property.default, &property.embed) {
            (Some(backfill), ..) => Some(Fill::from(backfill)),
            (None, Some(value), _) => Some(Fill::Value(value.clone())),
            (None, None, Some(source)) => Some(Fill::Embedding(source.clone())),
            (None, None, None) => property.ty.nullable.then_some(Fill::Null),
        };
        let safety = if fill.is_some() { Safety::Safe } else { Safety::ChecksData };
        let change = Change::AddProperty {
            of: of.clone(),
            property: property.name.clone(),
            ty: property.ty.clone(),
            fill,
        };
        if safety == Safety::Safe {
            return self.step(safety, change);
        }
        let hint =
            "works only while there are no rows; add `@default(…)` or `@backfill(…)`, or make it nullable";
        self.hinted(safety, change, hint);
    }

    fn remove(&mut self, of: &TypeRef, property: &Property, removed: &[&Property], added: &[&Property]) {
        let name = property.name.clone();
        let change = Change::DropProperty { of: of.clone(), property: name.clone() };
        let alike = |list: &[&Property]| list.iter().filter(|other| other.ty == property.ty).count();
        match added.iter().find(|new| new.ty == property.ty) {
            Some(new) if alike(added) == 1 && alike(removed) == 1 => {
                let new = &new.name;
                let hint = format!(
                    "if `{new}` is `{name}` under a new name, write `@rename_from(\"{name}\")` on it"
                );
                self.hinted(Safety::LosesData, change, hint);
            }
            _ => self.step(Safety::LosesData, change),
        }
    }

    fn property(&mut self, of: &TypeRef, before: &Property, now: &Property) {
        let property = now.name.clone();
        if before.ty != now.ty {
            self.type_change(of, before, now);
        }
        if before.default != now.default {
            let (from, to) = (before.default.clone(), now.default.clone());
            let change = Change::ChangeDefault { of: of.clone(), property: property.clone(), from, to };
            self.step(Safety::Safe, change);
        }
        if before.embed != now.embed {
            let (from, to) = (before.embed.clone(), now.embed.clone());
            let change = Change::ChangeEmbed { of: of.clone(), property: property.clone(), from, to };
            self.step(Safety::Safe, change);
        }
        if before.metadata.annotations != now.metadata.annotations {
            let annotations = now.metadata.annotations.clone();
            let change = Change::UpdatePropertyMetadata { of: of.clone(), property, annotations };
            self.step(Safety::Safe, change);
        }
    }

    fn type_change(&mut self, of: &TypeRef, before: &Property, now: &Property) {
        let Some(mut safety) = conversion(&before.ty, &now.ty) else {
            let reason = format!("`{}.{}` is {} and cannot become {}", of.name, now.name, before.ty, now.ty);
            let hint = "add a new property, fill it, then remove the old one";
            return self.unsupported(entity(of, &now.name), reason, Some(hint));
        };
        let mut fill = None;
        if before.ty.nullable && !now.ty.nullable {
            let value = now.default.clone().map(Fill::Value);
            fill = now.backfill.as_ref().map(Fill::from).or(value);
            safety = safety.max(if fill.is_some() { Safety::Safe } else { Safety::ChecksData });
        }
        let (from, to) = (before.ty.clone(), now.ty.clone());
        self.step(
            safety,
            Change::ChangePropertyType { of: of.clone(), property: now.name.clone(), from, to, fill },
        );
    }

    fn constraints(&mut self, of: &TypeRef, before: &Body, now: &Body, kept: &[(&str, &str)]) {
        let renamed = |name: &String| {
            kept.iter()
                .find(|(from, _)| from == name)
                .map_or_else(|| name.clone(), |(_, to)| (*to).to_owned())
        };
        let old_key: Vec<String> = before.key.iter().map(renamed).collect();
        if old_key != now.key {
            self.key(of, &old_key, &now.key);
        }
        let old: Vec<Constraint> = listed(before).into_iter().map(|c| rename(c, &renamed)).collect();
        let new = listed(now);
        for constraint in old.iter().filter(|constraint| !new.contains(constraint)) {
            if mentions_dropped(constraint, now, of) {
                continue; // goes with its property
            }
            let constraint = constraint.clone();
            self.step(Safety::Safe, Change::DropConstraint { of: of.clone(), constraint });
        }
        for constraint in new.iter().filter(|constraint| !old.contains(constraint)) {
            let is_index = matches!(constraint, Constraint::Index(_) | Constraint::Language(_));
            let safety = if is_index { Safety::Safe } else { Safety::ChecksData };
            let constraint = constraint.clone();
            self.step(safety, Change::AddConstraint { of: of.clone(), constraint });
        }
    }

    /// Rows are called by their key. Without one they keep the ids they have; with another one they get new ids, and the
    /// edges follow.
    fn key(&mut self, of: &TypeRef, old: &[String], new: &[String]) {
        if !old.is_empty() {
            // Edges that only their key told apart would become one.
            let safety = if of.kind == TypeKind::Edge { Safety::ChecksData } else { Safety::Safe };
            let constraint = Constraint::Key(old.to_vec());
            self.step(safety, Change::DropConstraint { of: of.clone(), constraint });
        }
        if !new.is_empty() {
            let constraint = Constraint::Key(new.to_vec());
            self.step(Safety::ChecksData, Change::AddConstraint { of: of.clone(), constraint });
        }
    }
}

fn entity(of: &TypeRef, property: &str) -> String {
    format!("{}:{}.{property}", of.kind.as_str(), of.name)
}

/// How values of one type become values of another, nulls aside; `None` when they cannot.
fn conversion(from: &Type, to: &Type) -> Option<Safety> {
    if from.list != to.list {
        return None;
    }
    match (&from.scalar, &to.scalar) {
        (a, b) if a == b => Some(Safety::Safe),
        (Scalar::I32, Scalar::I64 | Scalar::F64) => Some(Safety::Safe),
        (Scalar::U32, Scalar::U64 | Scalar::I64 | Scalar::F64) => Some(Safety::Safe),
        (Scalar::F32, Scalar::F64) => Some(Safety::Safe),
        (Scalar::Enum(_), Scalar::String) => Some(Safety::Safe),
        (Scalar::String, Scalar::Enum(_)) => Some(Safety::ChecksData),
        (Scalar::Enum(old), Scalar::Enum(new)) => {
            let grows = old.iter().all(|value| new.contains(value));
            Some(if grows { Safety::Safe } else { Safety::ChecksData })
        }
        _ => None,
    }
}

/// Everything but the key.
fn listed(body: &Body) -> Vec<Constraint> {
    let unique = body.unique.iter().cloned().map(Constraint::Unique);
    let indexes = body.indexes.iter().cloned().map(Constraint::Index);
    let languages = body.languages.iter().cloned().map(Constraint::Language);
    let ranges = body.ranges.iter().cloned().map(Constraint::Range);
    let checks = body.checks.iter().cloned().map(Constraint::Check);
    unique.chain(indexes).chain(languages).chain(ranges).chain(checks).collect()
}

fn rename(constraint: Constraint, renamed: &impl Fn(&String) -> String) -> Constraint {
    match constraint {
        Constraint::Key(names) => Constraint::Key(names.iter().map(renamed).collect()),
        Constraint::Unique(names) => Constraint::Unique(names.iter().map(renamed).collect()),
        Constraint::Index(names) => Constraint::Index(names.iter().map(renamed).collect()),
        Constraint::Language(mut text) => {
            text.property = renamed(&text.property);
            Constraint::Language(text)
        }
        Constraint::Range(mut range) => {
            range.property = renamed(&range.property);
            Constraint::Range(range)
        }
        Constraint::Check(mut check) => {
            check.property = renamed(&check.property);
            Constraint::Check(check)
        }
    }
}

fn mentions_dropped(constraint: &Constraint, now: &Body, of: &TypeRef) -> bool {
    let is_there = |name: &String| {
        now.property(name).is_some() || (of.kind == TypeKind::Edge && matches!(name.as_str(), "src" | "dst"))
    };
    match constraint {
        Constraint::Key(names) | Constraint::Unique(names) | Constraint::Index(names) => {
            !names.iter().all(is_there)
        }
        Constraint::Language(text) => !is_there(&text.property),
        Constraint::Range(range) => !is_there(&range.property),
        Constraint::Check(check) => !is_there(&check.property),
    }
}
