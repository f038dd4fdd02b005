//! Commands declared with clap's derive macros.
//!
//! `#[derive(Subcommand)] enum Cmd { Add(Args), … }` declares one command per variant. A variant that holds
//! another such enum, directly or through a struct with a `#[command(subcommand)]` field, is a group. The
//! handler is what runs where a pattern names the variant, which [`super::arms`] reads.

use super::{Kind, Rust};
use crate::builder::{Builder, line, span};
use crate::{RawCommand, ScopeId, Span};
use tree_sitter::Node;

struct Variant<'s> {
    owner: &'s str,
    name: Option<String>,
    /// Types the variant carries: candidates for nested commands.
    carries: Vec<&'s str>,
    span: Span,
    line: u32,
    scope: ScopeId,
}

/// What a file says about clap.
#[derive(Default)]
pub(super) struct Clap<'s> {
    /// The subcommand enum, struct or variant being read.
    current: Option<&'s str>,
    in_subcommand_enum: bool,
    rename_all: Option<&'s str>,
    variants: Vec<Variant<'s>>,
    /// `(struct, enum)`: the struct's `#[command(subcommand)]` field has that type.
    holders: Vec<(&'s str, &'s str)>,
}

impl Rust<'_> {
    pub(super) fn clap_type(&mut self, node: Node<'_>, name: Node<'_>, _scope: ScopeId) {
        self.clap.current = Some(self.b.text(name));
        self.clap.in_subcommand_enum = self.kind(node) == Kind::Enum
            && self.attributes.iter().any(|text| text.starts_with("#[derive") && text.contains("Subcommand"));
        self.clap.rename_all = self.attributes.iter().find_map(|text| string_value(text, "rename_all"));
    }

    pub(super) fn clap_variant(&mut self, node: Node<'_>, name: Node<'_>) {
        let Some(owner) = self.clap.current.filter(|_| self.clap.in_subcommand_enum) else { return };
        let ident = self.b.text(name);
        let own: Vec<&str> = self.attributes.iter().copied().filter(|text| is_clap_attribute(text)).collect();
        if own.iter().any(|text| text.contains("external_subcommand") || text.contains("skip")) {
            return;
        }
        let given = own.iter().find_map(|text| string_value(text, "name"));
        let computed = own.iter().any(|text| text.contains("name =") && string_value(text, "name").is_none());
        let flattened = own.iter().any(|text| text.contains("flatten"));
        let name_text = match given {
            Some(given) => Some(given.to_owned()),
            None if computed => return,
            None if flattened => None,
            None => Some(renamed(ident, self.clap.rename_all)),
        };
        let body = node.child_by_field_id(self.t.fields.body).map_or("", |body| self.b.text(body));
        let carries = body
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| word.starts_with(char::is_uppercase));
        self.clap.variants.push(Variant {
            owner,
            name: name_text,
            carries: carries.collect(),
            span: span(node),
            line: line(name),
            scope: self.b.scope(),
        });
    }

    /// `#[command(subcommand)] cmd: Cmd` or `Option<Cmd>`.
    pub(super) fn clap_field(&mut self, ty: Node<'_>) {
        let is_subcommand =
            self.attributes.iter().any(|text| is_clap_attribute(text) && text.contains("subcommand"));
        if let (true, Some(holder)) = (is_subcommand, self.clap.current) {
            let text = self.b.text(ty);
            let name = text.split(|c: char| !c.is_alphanumeric() && c != '_').rfind(|word| !word.is_empty());
            if let Some(name) = name {
                self.clap.holders.push((holder, name));
            }
        }
    }
}

impl Clap<'_> {
    /// Turns variants into command rows, nested ones behind their groups' names.
    pub(super) fn finish(self, b: &mut Builder<'_>) {
        for variant in &self.variants {
            // A group without a name of its own hands its commands on to the group round it.
            let Some(name) = &variant.name else {
                let (span, line, scope) = (variant.span, variant.line, variant.scope);
                let name = Box::default();
                b.file.commands.push(RawCommand { name, span, line, handler: None, scope, body: None });
                continue;
            };
            let mut parts = vec![name.as_str()];
            let mut owner = variant.owner;
            for _ in 0..8 {
                let Some(group) = self.group_of(owner) else { break };
                parts.extend(group.name.as_deref());
                owner = group.owner;
            }
            parts.reverse();
            let name = parts.join(" ").into_boxed_str();
            let (span, line, scope) = (variant.span, variant.line, variant.scope);
            b.file.commands.push(RawCommand { name, span, line, handler: None, scope, body: None });
        }
    }

    /// The variant whose payload leads to this enum.
    fn group_of(&self, owner: &str) -> Option<&Variant<'_>> {
        let leads = |ty: &str| {
            ty == owner || self.holders.iter().any(|(holder, held)| *holder == ty && *held == owner)
        };
        self.variants
            .iter()
            .find(|variant| variant.owner != owner && variant.carries.iter().any(|ty| leads(ty)))
    }
}

fn is_clap_attribute(text: &str) -> bool {
    ["#[command", "#[clap", "#[structopt"].iter().any(|prefix| text.starts_with(prefix))
}

/// The literal in `key = "literal"`.
pub(super) fn string_value<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    let mut rest = text;
    while let Some(at) = rest.find(key) {
        let before = rest[..at].chars().next_back();
        let after = rest[at + key.len()..].trim_start();
        if before.is_none_or(|c| !c.is_alphanumeric() && c != '_')
            && let Some(value) = after.strip_prefix('=')
            && let Some(value) = value.trim_start().strip_prefix('"')
        {
            return value.split('"').next();
        }
        rest = &rest[at + key.len()..];
    }
    None
}

/// clap's default name of a variant, kebab-case unless the enum says otherwise.
fn renamed(ident: &str, rule: Option<&str>) -> String {
    let separator = match rule {
        Some("lower" | "lowercase") => return ident.to_lowercase(),
        Some("verbatim" | "PascalCase") => return ident.to_owned(),
        Some("snake_case") => '_',
        _ => '-',
    };
    let mut out = String::new();
    let chars: Vec<char> = ident.chars().collect();
    for (at, c) in chars.iter().enumerate() {
        let starts_word = c.is_uppercase()
            && at > 0
            && (!chars[at - 1].is_uppercase() || chars.get(at + 1).is_some_and(|next| next.is_lowercase()));
        if starts_word && !out.ends_with(separator) {
            out.push(separator);
        }
        out.extend(c.to_lowercase());
    }
    out
}
