//! Schemas in their one form.

use super::ast::{
    Annotation, AnnotationValue, ConstraintDecl, ConstraintKind, Decl, EdgeDecl, InterfaceDecl, Member,
    NodeDecl, PropertyDecl, SchemaFile,
};
use super::parse::parse_with_comments;
use crate::diagnostic::Diagnostics;
use crate::literal::{Literal, comma, quote};
use crate::print::Printer;
use crate::source::Name;
use crate::source::{Source, Span};
use std::fmt::Write as _;

/// The text in its one form, with its comments. A text that cannot be read is not changed.
pub fn format_schema(source: &Source) -> Result<String, Diagnostics> {
    let (file, errors, comments) = parse_with_comments(source.text());
    let file = errors.finish(file)?;
    Ok(print(&file, Printer::new(source.text(), &comments)))
}

/// A tree as text.
pub fn print_schema(file: &SchemaFile) -> String {
    print(file, Printer::new("", &[]))
}

fn print(file: &SchemaFile, mut printer: Printer<'_>) -> String {
    let mut was_short = true;
    for decl in &file.decls {
        let is_short = matches!(decl, Decl::Edge(edge) if edge.members.is_empty());
        if !(is_short && was_short) {
            printer.blank();
        }
        match decl {
            Decl::Interface(decl) => interface(&mut printer, decl),
            Decl::Node(decl) => node(&mut printer, decl),
            Decl::Edge(decl) => edge(&mut printer, decl),
        }
        was_short = is_short;
    }
    printer.finish()
}

fn interface(printer: &mut Printer<'_>, decl: &InterfaceDecl) {
    let header = format!("interface {}{}", decl.name, annotations(&decl.annotations));
    let members: Vec<Member> = decl.properties.iter().cloned().map(Member::Property).collect();
    let last = decl.annotations.last().map_or(decl.name.span, |note| note.span);
    body(printer, &header, decl.span.to(last), last, &members);
}

fn node(printer: &mut Printer<'_>, decl: &NodeDecl) {
    let mut header = format!("node {}{}", decl.name, annotations(&decl.annotations));
    if !decl.implements.is_empty() {
        let _ = write!(header, " implements {}", comma(&decl.implements));
    }
    let spans =
        decl.annotations.iter().map(|note| note.span).chain(decl.implements.iter().map(|name| name.span));
    let last = spans.max_by_key(|span| span.end).unwrap_or(decl.name.span);
    body(printer, &header, decl.span, last, &decl.members);
}

fn edge(printer: &mut Printer<'_>, decl: &EdgeDecl) {
    let mut header = format!("edge {}: {} -> {}", decl.name, decl.from, decl.to);
    if let Some(card) = decl.card {
        let max = card.max.map(|max| max.to_string()).unwrap_or_default();
        let _ = write!(header, " @card({}..{max})", card.min);
    }
    header.push_str(&annotations(&decl.annotations));
    if decl.members.is_empty() && !printer.has_comment(decl.span) {
        return printer.item(decl.span, &header);
    }
    let spans = decl.annotations.iter().map(|note| note.span).chain(decl.card.map(|card| card.span));
    let last = spans.max_by_key(|span| span.end).unwrap_or(decl.to.span);
    body(printer, &header, decl.span, last, &decl.members);
}

/// `last` is the last token before the brace; what lies between it and the first member belongs to the header.
fn body(printer: &mut Printer<'_>, header: &str, span: Span, last: Span, members: &[Member]) {
    let inside = Span { start: last.end, end: span.end };
    if members.is_empty() && !printer.has_comment(inside) {
        return printer.item(span, &format!("{header} {{}}"));
    }
    let brace = printer.brace_after(last.end);
    printer.open(Span { start: span.start, end: brace }, &format!("{header} {{"));
    for member in members {
        match member {
            Member::Property(decl) => printer.item(decl.span, &property(decl)),
            Member::Constraint(decl) => printer.item(decl.span, &constraint(decl)),
        }
    }
    printer.close(span.end);
}

fn property(decl: &PropertyDecl) -> String {
    format!("{}: {}{}", decl.name, decl.ty, annotations(&decl.annotations))
}

fn constraint(decl: &ConstraintDecl) -> String {
    let list = |word: &str, names: &[Name]| format!("@{word}({})", comma(names));
    match &decl.kind {
        ConstraintKind::Key(names) => list("key", names),
        ConstraintKind::Unique(names) => list("unique", names),
        ConstraintKind::Index { names, language: None } => list("index", names),
        ConstraintKind::Index { names, language: Some((language, _)) } => {
            format!("@index({}, language: {})", comma(names), quote(language))
        }
        ConstraintKind::Range { property, min, max } => {
            let bound = |bound: &Option<Literal>| bound.as_ref().map(ToString::to_string).unwrap_or_default();
            format!("@range({property}, {}..{})", bound(min), bound(max))
        }
        ConstraintKind::Check { property, pattern, .. } => format!("@check({property}, {})", quote(pattern)),
    }
}

fn annotations(annotations: &[Annotation]) -> String {
    let mut out = String::new();
    for annotation in annotations {
        let _ = write!(out, " @{}", annotation.name);
        if annotation.args.is_empty() {
            continue;
        }
        let args = annotation.args.iter().map(|arg| {
            let key = arg.key.as_ref().map(|key| format!("{key}: ")).unwrap_or_default();
            match &arg.value {
                AnnotationValue::Ident(name) => format!("{key}{name}"),
                AnnotationValue::Literal(literal) => format!("{key}{literal}"),
            }
        });
        let _ = write!(out, "({})", comma(args));
    }
    out
}
