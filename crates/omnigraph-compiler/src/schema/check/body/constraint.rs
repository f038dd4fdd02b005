//! The five constraints, each with what it may be put on.

use super::{Checker, Draft, Owner};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::language::Language;
use crate::literal::{Literal, comma};
use crate::schema::ast::{ConstraintKind, PropertyDecl};
use crate::schema::catalog::{Body, ENDPOINTS, PatternCheck, RangeCheck, TextLanguage};
use crate::source::Name;
use crate::source::Span;
use crate::types::Scalar;

impl Checker<'_> {
    pub(super) fn constraint(
        &mut self,
        draft: &Draft<'_>,
        kind: &ConstraintKind,
        span: Span,
        body: &mut Body,
    ) {
        match kind {
            ConstraintKind::Key(names) => self.key(draft, names, span, body),
            ConstraintKind::Unique(names) => {
                if let Some(columns) = self.columns(draft, "@unique", names) {
                    self.once(&mut body.unique, columns, "@unique", span);
                }
            }
            ConstraintKind::Index { names, language } => {
                if let Some(columns) = self.columns(draft, "@index", names) {
                    self.once(&mut body.indexes, columns, "@index", span);
                    if let Some((code, at)) = language {
                        self.language(draft, names, (code, *at), body);
                    }
                }
            }
            ConstraintKind::Range { property, min, max } => {
                self.range(
                    draft,
                    property,
                    span,
                    RangeCheck { property: property.text.clone(), min: min.clone(), max: max.clone() },
                    body,
                );
            }
            ConstraintKind::Check { property, pattern, pattern_span } => {
                self.pattern(draft, property, (pattern, *pattern_span), span, body);
            }
        }
    }

    fn once(&mut self, lists: &mut Vec<Vec<String>>, columns: Vec<String>, word: &str, span: Span) {
        if lists.contains(&columns) {
            let message = format!("{word}({}) is declared twice", columns.join(", "));
            self.report(Diagnostic::error(Code::S001, span, message));
        } else {
            lists.push(columns);
        }
    }

    /// The language of a text property.
    fn language(&mut self, draft: &Draft<'_>, names: &[Name], (code, at): (&str, Span), body: &mut Body) {
        let Some(language) = Language::of_code(code) else {
            let message = format!("`{code}` is not the code of a language with an analyzer");
            let hint = match Language::meant(code) {
                Some(meant) => format!("write `language: \"{meant}\"`"),
                None => format!("the languages are {}", comma(Language::ALL)),
            };
            return self.report(Diagnostic::error(Code::S006, at, message).hint(hint));
        };
        let [name] = names else {
            return self.misplaced(at, "a language belongs to an index of one property", None);
        };
        match draft.property(&name.text) {
            Some(property) if property.ty.is(&Scalar::String) => {
                body.languages.push(TextLanguage { property: name.text.clone(), language });
            }
            Some(property) => {
                let message =
                    format!("a language needs a String; `{}.{name}` is {}", draft.name, property.ty);
                self.misplaced(at, message, None);
            }
            None => self.misplaced(at, "the ends of edges have no language", None),
        }
    }

    fn key(&mut self, draft: &Draft<'_>, names: &[Name], span: Span, body: &mut Body) {
        let Some(columns) = self.columns(draft, "@key", names) else { return };
        let written = |end: &str| names.iter().any(|name| name.text == end);
        if written("@src") != written("@dst") {
            let message = format!("the @key of `{}` names one end of the edge", draft.name);
            let found = Diagnostic::error(Code::S004, span, message);
            return self.report(found.hint("edges are told apart by both ends: `@key(@src, @dst, …)`"));
        }
        // Both ends are part of the identity of every edge.
        let columns: Vec<String> = columns.into_iter().filter(|name| !is_end(draft, name)).collect();
        if body.key == columns {
            return; // the same key twice, for instance from two interfaces
        }
        if !body.key.is_empty() {
            let message = format!("`{}` has a second @key", draft.name);
            let found = Diagnostic::error(Code::S001, span, message);
            return self.report(found.hint(format!(
                "several properties make one key together: `@key({}, {})`",
                body.key.join(", "),
                columns.join(", ")
            )));
        }
        for name in names {
            if draft.property(&name.text).is_some_and(|property| property.ty.nullable) {
                let message = format!("the @key property `{}.{name}` cannot be nullable", draft.name);
                self.report(Diagnostic::error(Code::S004, name.span, message).hint("remove the `?`"));
            }
        }
        body.key = columns;
    }

    /// The names, with all spellings of the ends as `src` and `dst`; `None` when one of them cannot be.
    fn columns(&mut self, draft: &Draft<'_>, word: &str, names: &[Name]) -> Option<Vec<String>> {
        let mut columns = Vec::new();
        let mut good = true;
        for name in names {
            let column = match name.text.as_str() {
                "from" if is_end(draft, "from") => "src",
                "to" if is_end(draft, "to") => "dst",
                "@src" if draft.owner == Owner::Edge => "src",
                "@dst" if draft.owner == Owner::Edge => "dst",
                other => other,
            };
            if columns.iter().any(|known| known == column) {
                self.error(Code::S001, name, format!("{word} names `{name}` twice"));
                good = false;
            }
            if !is_end(draft, column) {
                good &= self.indexable(draft, word, name);
            }
            columns.push(column.to_owned());
        }
        good.then_some(columns)
    }

    fn indexable(&mut self, draft: &Draft<'_>, word: &str, name: &Name) -> bool {
        let Some(property) = self.known(draft, word, name) else { return false };
        let what = match &property.ty.scalar {
            Scalar::Blob => "blob",
            Scalar::Vector(_) if word != "@index" => "vector",
            _ if property.ty.list => "list",
            _ => return true,
        };
        let message = format!("{word} is not supported on the {what} property `{}.{name}`", draft.name);
        self.report(Diagnostic::error(Code::S004, name.span, message));
        false
    }

    fn known<'f>(&mut self, draft: &Draft<'f>, word: &str, name: &Name) -> Option<&'f PropertyDecl> {
        let found = draft.property(&name.text);
        if found.is_none() {
            let message = format!("{word} on `{}` names the unknown property `{name}`", draft.name);
            let found = Diagnostic::error(Code::S003, name.span, message);
            self.report(found.maybe_hint(draft.similar(&name.text)));
        }
        found
    }

    fn range(&mut self, draft: &Draft<'_>, property: &Name, span: Span, range: RangeCheck, body: &mut Body) {
        if draft.owner == Owner::Edge {
            return self.misplaced(span, "@range is not supported on edges", None);
        }
        let Some(decl) = self.known(draft, "@range", property) else { return };
        if !decl.ty.scalar.is_numeric() {
            let message = format!("@range needs a number; `{}.{property}` is {}", draft.name, decl.ty);
            return self.misplaced(property.span, message, None);
        }
        if let (Some(min), Some(max)) = (&range.min, &range.max)
            && number(min) > number(max)
        {
            let message = format!("@range goes from {min} to {max}, which no value satisfies");
            self.report(Diagnostic::error(Code::S006, span, message));
        }
        body.ranges.push(range);
    }

    fn pattern(
        &mut self,
        draft: &Draft<'_>,
        property: &Name,
        pattern: (&str, Span),
        span: Span,
        body: &mut Body,
    ) {
        if draft.owner == Owner::Edge {
            return self.misplaced(span, "@check is not supported on edges", None);
        }
        let Some(decl) = self.known(draft, "@check", property) else { return };
        if !decl.ty.scalar.is_text() {
            let message = format!("@check needs a String; `{}.{property}` is {}", draft.name, decl.ty);
            return self.misplaced(property.span, message, None);
        }
        let (pattern, at) = pattern;
        if let Err(error) = regex_syntax::parse(pattern) {
            let text = error.to_string();
            let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
            let message = format!("the pattern is not a valid regular expression: {reason}");
            return self.report(Diagnostic::error(Code::S006, at, message));
        }
        body.checks.push(PatternCheck { property: property.text.clone(), pattern: pattern.to_owned() });
    }
}

fn is_end(draft: &Draft<'_>, name: &str) -> bool {
    draft.owner == Owner::Edge && ENDPOINTS.contains(&name)
}

fn number(literal: &Literal) -> f64 {
    match literal {
        Literal::Int(value) => *value as f64,
        Literal::Float(value) => *value,
        _ => 0.0,
    }
}
