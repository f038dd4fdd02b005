//! The package clause and imports.

use super::{Go, Kind};
use crate::ImportKind;
use crate::builder::Import;
use tree_sitter::Node;

impl Go<'_> {
    pub(super) fn package(&mut self, node: Node<'_>) {
        if let Some(name) = node.named_child(0) {
            self.b.file.package = Some(self.b.name(name));
        }
    }

    /// `"a/b"`, `x "a/b"`, `_ "a/b"`, `. "a/b"`.
    pub(super) fn import(&mut self, node: Node<'_>) {
        let Some(path) = node.child_by_field_id(self.t.fields.path) else { return };
        let module = self.b.text(path).trim_matches(['"', '`']);
        let alias = node.child_by_field_id(self.t.fields.name);
        let (kind, binds) = match alias {
            Some(alias) if self.kind(alias) == Kind::Blank => (ImportKind::File, None),
            Some(alias) if self.kind(alias) == Kind::Dot => (ImportKind::Glob, None),
            Some(alias) => (ImportKind::Module, Some(self.b.text(alias))),
            None => (ImportKind::Module, Some(default_name(module))),
        };
        self.b.import(Import { kind, module, symbol: None, binds, reexport: false, at: path });
    }
}

/// The last path segment, without a major version: `x/y/v2` is `y`, `gopkg.in/yaml.v3` is `yaml`.
fn default_name(module: &str) -> &str {
    let mut segments = module.rsplit('/');
    let last = segments.next().unwrap_or(module);
    let name = if is_version(last) { segments.next().unwrap_or(last) } else { last };
    match name.rsplit_once('.') {
        Some((stem, version)) if is_version(version) && !stem.is_empty() => stem,
        _ => name,
    }
}

fn is_version(segment: &str) -> bool {
    segment
        .strip_prefix('v')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}
