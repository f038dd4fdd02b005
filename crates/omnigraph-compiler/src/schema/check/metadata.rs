//! Annotations: those the compiler knows are checked, all others are kept for whoever asks.

use super::Checker;
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::literal::Literal;
use crate::schema::ast::{Annotation, AnnotationArg, AnnotationValue};
use crate::schema::catalog::{Metadata, Note};
use crate::source::Name;

/// Annotations that have a place of their own in the catalog.
const PLACED: [&str; 7] = ["key", "unique", "index", "embed", "default", "backfill", "rename_from"];

impl Checker<'_> {
    /// Of a whole type. `kind` is the keyword of its declaration.
    pub(super) fn type_metadata(&mut self, annotations: &[Annotation], kind: &str, owner: &Name) -> Metadata {
        for annotation in annotations {
            let name = annotation.name.text.as_str();
            if PLACED.contains(&name) && name != "rename_from" {
                let message = format!("@{name} does not belong on the {kind} `{owner}`");
                let found = Diagnostic::error(Code::S004, annotation.span, message);
                self.report(
                    found.hint("write it behind a property, or into the body with the names of properties"),
                );
            } else if name == "card" {
                let message = format!("@card does not belong on the {kind} `{owner}`");
                self.report(
                    Diagnostic::error(Code::S004, annotation.span, message).hint("@card is for edges"),
                );
            }
        }
        self.metadata(annotations, &format!("{kind} `{owner}`"))
    }

    /// Texts that are not empty and there once; the name from before; the rest as it is.
    pub(super) fn metadata(&mut self, annotations: &[Annotation], owner: &str) -> Metadata {
        let mut metadata = Metadata::default();
        let mut seen: Vec<&Annotation> = Vec::new();
        for annotation in annotations {
            let name = annotation.name.text.as_str();
            let once = PLACED.contains(&name) || matches!(name, "description" | "instruction");
            let first = seen.iter().find(|seen| seen.name.text == name).filter(|_| once);
            if let Some(first) = first {
                let found =
                    Diagnostic::error(Code::S001, annotation.span, format!("{owner} has @{name} twice"));
                self.report(found.also(first.span, "first here"));
            }
            seen.push(annotation);
            match name {
                "description" | "instruction" => {
                    self.text_argument(annotation, owner);
                }
                "rename_from" => metadata.renamed_from = self.name_argument(annotation, owner),
                _ => {}
            }
            if !PLACED.contains(&name) {
                let args = annotation.args.iter();
                let args = args.map(|arg| (arg.key.as_ref().map(|key| key.text.clone()), arg.value.clone()));
                metadata.annotations.push(Note { name: name.to_owned(), args: args.collect() });
            }
        }
        metadata
    }

    fn text_argument(&mut self, annotation: &Annotation, owner: &str) {
        let text = match &annotation.args[..] {
            [AnnotationArg { key: None, value: AnnotationValue::Literal(Literal::String(text)), .. }] => {
                text.trim()
            }
            _ => "",
        };
        if text.is_empty() {
            let name = &annotation.name;
            let message = format!("@{name} on {owner} requires a non-empty text");
            let hint = format!("write `@{name}(\"…\")`");
            self.report(Diagnostic::error(Code::S006, annotation.span, message).hint(hint));
        }
    }

    /// The single name in the parentheses, bare or in quotes.
    pub(super) fn name_argument(&mut self, annotation: &Annotation, owner: &str) -> Option<String> {
        let name = match annotation.args.first().map(|arg| &arg.value) {
            Some(AnnotationValue::Ident(name) | AnnotationValue::Literal(Literal::String(name))) => {
                name.trim()
            }
            _ => "",
        };
        if name.is_empty() {
            let message = format!("@{} on {owner} requires a name", annotation.name);
            let hint = format!("write `@{}(\"name\")`", annotation.name);
            self.report(Diagnostic::error(Code::S006, annotation.span, message).hint(hint));
            return None;
        }
        Some(name.to_owned())
    }
}
