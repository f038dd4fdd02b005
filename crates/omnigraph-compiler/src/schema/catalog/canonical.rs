//! A schema as one text that is the same for all files that declare the same, and its id.

use super::{Body, Catalog, Metadata, Property};
use crate::literal::comma;
use crate::schema::ast::AnnotationValue;
use std::fmt::Write as _;

/// Changes when the form below does.
const VERSION: u32 = 1;

impl Catalog {
    /// The schema without comments, layout, order of declarations and hints for migrations (`@rename_from`,
    /// `@backfill`). Interfaces are expanded; their own declarations stay, because queries can name them.
    pub fn canonical(&self) -> String {
        let mut out = format!("pg {VERSION}\n");
        for interface in self.interfaces.values() {
            let _ = writeln!(out, "interface {}{}", interface.name, notes(&interface.metadata));
            properties(&mut out, &interface.properties);
        }
        for node in self.nodes.values() {
            let mut implements = node.implements.clone();
            implements.sort();
            let _ = writeln!(out, "node {} [{}]{}", node.name, comma(implements), notes(&node.metadata));
            body(&mut out, &node.body);
        }
        for edge in self.edges.values() {
            let (from, to, card) = (&edge.from, &edge.to, edge.card);
            let _ = writeln!(out, "edge {}: {from} -> {to} {card}{}", edge.name, notes(&edge.metadata));
            body(&mut out, &edge.body);
        }
        out
    }

    /// A hash of [`Catalog::canonical`], 32 hexadecimal digits.
    pub fn id(&self) -> String {
        blake3::hash(self.canonical().as_bytes()).to_hex()[..32].to_owned()
    }
}

fn body(out: &mut String, body: &Body) {
    properties(out, &body.properties);
    let mut lines = Vec::new();
    if !body.key.is_empty() {
        lines.push(format!("key {}", comma(&body.key)));
    }
    lines.extend(body.unique.iter().map(|list| format!("unique {}", comma(list))));
    lines.extend(body.indexes.iter().map(|list| format!("index {}", comma(list))));
    lines
        .extend(body.languages.iter().map(|known| format!("language {} {}", known.property, known.language)));
    let bound =
        |bound: &Option<crate::literal::Literal>| bound.as_ref().map(ToString::to_string).unwrap_or_default();
    lines.extend(
        body.ranges
            .iter()
            .map(|range| format!("range {} {}..{}", range.property, bound(&range.min), bound(&range.max))),
    );
    lines.extend(body.checks.iter().map(|check| format!("check {} {:?}", check.property, check.pattern)));
    lines.sort();
    for line in lines {
        let _ = writeln!(out, "  {line}");
    }
}

fn properties(out: &mut String, properties: &[Property]) {
    for property in properties {
        let _ = write!(out, "  {}: {}", property.name, property.ty);
        if let Some(source) = &property.embed {
            let _ = write!(out, " embed {source}");
        }
        if let Some(value) = &property.default {
            let _ = write!(out, " default {value}");
        }
        let _ = writeln!(out, "{}", notes(&property.metadata));
    }
}

fn notes(metadata: &Metadata) -> String {
    let mut notes: Vec<String> = Vec::new();
    for note in &metadata.annotations {
        let args = note.args.iter().map(|(key, value)| {
            let key = key.as_ref().map(|key| format!("{key}: ")).unwrap_or_default();
            match value {
                AnnotationValue::Ident(name) => format!("{key}{name}"),
                AnnotationValue::Literal(literal) => format!("{key}{literal}"),
            }
        });
        notes.push(format!(" @{}({})", note.name, comma(args)));
    }
    notes.sort();
    notes.concat()
}
