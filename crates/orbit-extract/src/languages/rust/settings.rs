//! Structs that serde fills from configuration, and variables of the environment that clap reads.

use super::Rust;
use super::clap::string_value;
use crate::builder::line;
use crate::settings::section_of;
use tree_sitter::Node;

impl Rust<'_> {
    /// A struct begins; its attributes stand before it.
    pub(super) fn settings_type(&mut self, name: Node<'_>) {
        let name = self.b.text(name);
        let derives =
            |of: &str| self.attributes.iter().any(|text| text.starts_with("#[derive") && has_word(text, of));
        let is_read = derives("Deserialize");
        let section = section_of(name).filter(|_| is_read);
        let rule = self.attributes.iter().filter(|text| text.starts_with("#[serde"));
        self.renames_keys = rule.into_iter().find_map(|text| string_value(text, "rename_all"));
        self.reads_keys = is_read;
        self.settings.open(name, section);
    }

    /// A field of it.
    pub(super) fn settings_field(&mut self, name: Node<'_>, ty: Node<'_>) {
        let (ident, at) = (self.b.text(name).trim_start_matches("r#"), line(name));
        let is_clap =
            |text: &&&str| ["#[arg", "#[clap", "#[structopt"].iter().any(|mark| text.starts_with(mark));
        for text in self.attributes.iter().filter(is_clap) {
            match string_value(text, "env") {
                Some(variable) => self.settings.variable(variable, at),
                None if is_bare_word(text, "env") => self.settings.variable(&ident.to_uppercase(), at),
                None => {}
            }
        }
        if !self.reads_keys {
            return;
        }
        let own: Vec<&str> =
            self.attributes.iter().copied().filter(|text| text.starts_with("#[serde")).collect();
        if own.iter().any(|text| is_bare_word(text, "skip") || is_bare_word(text, "skip_deserializing")) {
            return;
        }
        let given = own.iter().find_map(|text| string_value(text, "rename"));
        let key = given.map_or_else(|| renamed(ident, self.renames_keys), str::to_owned);
        let is_flat = own.iter().any(|text| is_bare_word(text, "flatten"));
        self.settings.field(&key, self.b.text(ty), at, is_flat);
    }
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|part| part == word)
}

/// `env` in `#[arg(long, env)]`, and not in `#[arg(long, env = …)]`.
fn is_bare_word(text: &str, word: &str) -> bool {
    let inside = text.split_once('(').map_or("", |(_, inside)| inside);
    inside.split([',', '(', ')', ']']).any(|part| part.trim() == word)
}

/// The key of a field by serde's rule for all.
fn renamed(ident: &str, rule: Option<&str>) -> String {
    match rule {
        Some("kebab-case") => ident.replace('_', "-"),
        Some("SCREAMING_SNAKE_CASE" | "UPPERCASE") => ident.to_uppercase(),
        Some("camelCase" | "PascalCase") => {
            let mut parts = ident.split('_').filter(|part| !part.is_empty());
            let first = match rule {
                Some("camelCase") => parts.next().unwrap_or("").to_owned(),
                _ => String::new(),
            };
            parts.fold(first, |mut key, part| {
                let mut letters = part.chars();
                key.extend(letters.next().into_iter().flat_map(char::to_uppercase));
                key.push_str(letters.as_str());
                key
            })
        }
        _ => ident.to_owned(),
    }
}
