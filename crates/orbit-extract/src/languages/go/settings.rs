//! Structs that are filled from configuration: what their tags say.

use super::Go;
use super::exprs::unquoted;
use crate::builder::line;
use tree_sitter::Node;

/// Tags of libraries that read configuration. `json` is not one: most of what has it is no configuration.
const FILES: [&str; 6] = ["mapstructure", "yaml", "toml", "koanf", "ini", "hcl"];
const ENVIRONMENT: [&str; 2] = ["env", "envconfig"];

impl Go<'_> {
    /// The keys of a field with a tag: `yaml:"port,omitempty"`.
    pub(super) fn settings_field(&mut self, field: Node<'_>, ty: Node<'_>, tag: Node<'_>) {
        let tag = unquoted(self.b.text(tag));
        let at = line(field);
        let value = |key: &str| tag_value(tag, key);
        if let Some(name) = ENVIRONMENT.into_iter().find_map(value).filter(|name| !name.is_empty()) {
            self.settings.variable(name, at);
        }
        if let Some(written) = FILES.into_iter().find_map(|key| whole_value(tag, key)) {
            let name = written.split(',').next().unwrap_or("").trim();
            let is_flat = written.contains(",inline") || written.contains(",squash");
            if is_flat || !name.is_empty() && name != "-" {
                self.settings.field(name, self.b.text(ty), at, is_flat);
            }
        }
    }
}

/// The first part of what a tag says under a key.
fn tag_value<'t>(tag: &'t str, key: &str) -> Option<&'t str> {
    whole_value(tag, key).and_then(|value| value.split(',').next()).map(str::trim)
}

fn whole_value<'t>(tag: &'t str, key: &str) -> Option<&'t str> {
    let is_end = |rest: &str| rest.is_empty() || rest.ends_with([' ', '\t']);
    let start = tag
        .match_indices(key)
        .find(|(at, _)| is_end(&tag[..*at]) && tag[at + key.len()..].starts_with(":\""));
    let (at, _) = start?;
    tag[at + key.len() + 2..].split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_have_values_by_key() {
        let tag = r#"json:"p" yaml:"port,omitempty" env:"PORT,required""#;
        assert_eq!(tag_value(tag, "yaml"), Some("port"));
        assert_eq!(tag_value(tag, "env"), Some("PORT"));
        assert_eq!(tag_value(tag, "toml"), None);
        assert_eq!(tag_value(r#"myyaml:"x""#, "yaml"), None);
    }
}
