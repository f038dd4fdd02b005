//! Properties and constraints of one type.

use super::Checker;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::fit::misfit;
use crate::literal::Literal;
use crate::schema::ast::{
    Annotation, AnnotationArg, AnnotationValue, ConstraintDecl, ConstraintKind, Member, PropertyDecl,
};
use crate::schema::catalog::{Backfill, Body, Property};
use crate::source::Name;
use crate::source::Span;
use crate::suggest;
use crate::types::Scalar;

mod constraint;

/// What kind of type a body belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    Interface,
    Node,
    Edge,
}

/// A body before it is checked: own and inherited properties, and constraints.
pub(super) struct Draft<'f> {
    pub(super) owner: Owner,
    pub(super) name: &'f Name,
    pub(super) properties: Vec<&'f PropertyDecl>,
    constraints: Vec<&'f ConstraintDecl>,
}

impl<'f> Draft<'f> {
    pub(super) fn new(
        owner: Owner,
        name: &'f Name,
        properties: Vec<&'f PropertyDecl>,
        constraints: Vec<&'f ConstraintDecl>,
    ) -> Draft<'f> {
        Draft { owner, name, properties, constraints }
    }

    pub(super) fn of_members(owner: Owner, name: &'f Name, members: &'f [Member]) -> Draft<'f> {
        let mut draft = Draft::new(owner, name, Vec::new(), Vec::new());
        for member in members {
            match member {
                Member::Property(property) => draft.properties.push(property),
                Member::Constraint(constraint) => draft.constraints.push(constraint),
            }
        }
        draft
    }

    fn property(&self, name: &str) -> Option<&'f PropertyDecl> {
        self.properties.iter().find(|property| property.name.text == name).copied()
    }

    fn similar(&self, written: &str) -> Option<String> {
        suggest::did_you_mean(written, self.properties.iter().map(|property| property.name.text.as_str()))
    }
}

impl Checker<'_> {
    pub(super) fn body(&mut self, draft: &Draft<'_>) -> Body {
        let mut body = Body::default();
        for (at, decl) in draft.properties.iter().enumerate() {
            if let Some(first) = draft.properties[..at].iter().find(|first| first.name.text == decl.name.text)
            {
                let message = format!("the property `{}.{}` is declared twice", draft.name, decl.name);
                let found = Diagnostic::error(Code::S001, decl.name.span, message);
                self.report(found.also(first.name.span, "first here"));
                continue;
            }
            let property = self.property(draft, decl);
            body.properties.push(property);
            for (at, annotation) in decl.annotations.iter().enumerate() {
                let is_first =
                    !decl.annotations[..at].iter().any(|first| first.name.text == annotation.name.text);
                if is_first {
                    self.property_constraint(draft, decl, annotation, &mut body);
                }
            }
        }
        for constraint in &draft.constraints {
            self.constraint(draft, &constraint.kind, constraint.span, &mut body);
        }
        self.shadows(draft, &body);
        body
    }

    /// `@key`, `@unique` and `@index` behind a property are constraints on it alone.
    fn property_constraint(
        &mut self,
        draft: &Draft<'_>,
        decl: &PropertyDecl,
        note: &Annotation,
        body: &mut Body,
    ) {
        let on = vec![decl.name.clone()];
        let kind = match note.name.text.as_str() {
            "key" => ConstraintKind::Key(on),
            "unique" => ConstraintKind::Unique(on),
            "index" => ConstraintKind::Index { names: on, language: self.language_argument(note) },
            _ => return,
        };
        self.constraint(draft, &kind, note.span, body);
    }

    /// `@index(language: "en")`
    fn language_argument(&mut self, note: &Annotation) -> Option<(String, Span)> {
        let arg = note.args.first()?;
        let is_named = arg.key.as_ref().is_some_and(|key| key.text == "language");
        match &arg.value {
            AnnotationValue::Literal(Literal::String(code)) if is_named && note.args.len() == 1 => {
                Some((code.clone(), arg.span))
            }
            _ => {
                let message = "@index behind a property takes a language or nothing";
                let hint = "write `@index(language: \"en\")`";
                self.report(Diagnostic::error(Code::S006, note.span, message).hint(hint));
                None
            }
        }
    }

    fn property(&mut self, draft: &Draft<'_>, decl: &PropertyDecl) -> Property {
        let full = format!("property `{}.{}`", draft.name, decl.name);
        let metadata = self.metadata(&decl.annotations, &full);
        let mut property = Property {
            name: decl.name.text.clone(),
            ty: decl.ty.clone().normalized(),
            embed: None,
            default: None,
            backfill: None,
            metadata,
        };
        for annotation in &decl.annotations {
            match annotation.name.text.as_str() {
                "embed" => property.embed = self.embed(draft, decl, annotation),
                "default" => property.default = self.default_value(decl, annotation),
                "backfill" => property.backfill = self.backfill(draft, decl, annotation),
                "instruction" | "card" => {
                    let message = format!("@{} does not belong on {full}", annotation.name);
                    let found = Diagnostic::error(Code::S004, annotation.span, message);
                    self.report(found.hint("write it on the type"));
                }
                _ => {}
            }
        }
        property
    }

    fn embed(&mut self, draft: &Draft<'_>, decl: &PropertyDecl, note: &Annotation) -> Option<String> {
        let full = format!("`{}.{}`", draft.name, decl.name);
        if draft.owner == Owner::Edge {
            self.misplaced(note.span, "@embed is not supported on edges", None);
            return None;
        }
        if decl.ty.list || !matches!(decl.ty.scalar, Scalar::Vector(_)) {
            let message = format!("@embed is only supported on Vector properties; {full} is {}", decl.ty);
            self.misplaced(note.span, message, None);
            return None;
        }
        let source = self.name_argument(note, &format!("property {full}"))?;
        let is_model = |arg: &AnnotationArg| {
            let is_text = matches!(arg.value, AnnotationValue::Literal(Literal::String(_)));
            is_text && arg.key.as_ref().is_some_and(|key| key.text == "model")
        };
        if let Some(other) = note.args.iter().skip(1).find(|arg| !is_model(arg)) {
            let message = format!("@embed on {full} takes a property, and no more than a `model`");
            self.report(Diagnostic::error(Code::S006, other.span, message).hint("write `@embed(title)`"));
        }
        match draft.property(&source) {
            Some(found) if found.ty.is(&Scalar::String) => {}
            Some(found) => {
                let message = format!("@embed on {full} needs a String; `{source}` is {}", found.ty);
                self.misplaced(note.span, message, None);
            }
            None => {
                let message = format!("@embed on {full} names the unknown property `{source}`");
                let found = Diagnostic::error(Code::S003, note.span, message);
                self.report(found.maybe_hint(draft.similar(&source)));
            }
        }
        Some(source)
    }

    fn default_value(&mut self, decl: &PropertyDecl, note: &Annotation) -> Option<Literal> {
        match note.args.first().map(|arg| &arg.value) {
            Some(AnnotationValue::Literal(value)) => self.fitting(value, decl, note.span),
            Some(AnnotationValue::Ident(word)) if matches!(decl.ty.scalar, Scalar::Enum(_)) => {
                self.fitting(&Literal::String(word.clone()), decl, note.span)
            }
            _ => {
                let message = format!("@default on `{}` requires a value", decl.name);
                self.report(Diagnostic::error(Code::S006, note.span, message).hint("write `@default(0)`"));
                None
            }
        }
    }

    fn backfill(&mut self, draft: &Draft<'_>, decl: &PropertyDecl, note: &Annotation) -> Option<Backfill> {
        let Some(AnnotationValue::Ident(source)) = note.args.first().map(|arg| &arg.value) else {
            return self.default_value(decl, note).map(Backfill::Value);
        };
        let Some(found) = draft.property(source) else {
            if matches!(decl.ty.scalar, Scalar::Enum(_)) {
                return self.default_value(decl, note).map(Backfill::Value);
            }
            let message = format!("@backfill on `{}` names the unknown property `{source}`", decl.name);
            let found = Diagnostic::error(Code::S003, note.span, message);
            self.report(found.maybe_hint(draft.similar(source)));
            return None;
        };
        if !found.ty.fits(&decl.ty) || (found.ty.nullable && !decl.ty.nullable) {
            let message = format!("`{source}` is {}, and `{}` is {}", found.ty, decl.name, decl.ty);
            self.misplaced(note.span, message, Some("a backfill copies values of the same type"));
        }
        Some(Backfill::Property(source.clone()))
    }

    fn fitting(&mut self, value: &Literal, decl: &PropertyDecl, span: Span) -> Option<Literal> {
        if let Some(reason) = misfit(value, &decl.ty) {
            let message = format!("{value} is not a valid value of `{}`: {reason}", decl.name);
            self.report(Diagnostic::error(Code::S006, span, message));
            return None;
        }
        Some(value.clone())
    }

    pub(super) fn misplaced(&mut self, span: Span, message: impl Into<String>, hint: Option<&str>) {
        let found = Diagnostic::error(Code::S004, span, message);
        self.report(found.maybe_hint(hint.map(str::to_owned)));
    }
}
