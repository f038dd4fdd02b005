//! Config keys that types are read from: fields of structs that a library fills from a file or the environment.
//!
//! A struct that another one holds has its keys below the field: `Config { server: Server }` and `Server { port }` read
//! `server.port`. Structs of other files are not seen here, so a question about `server.port` also finds who reads `port`
//! below nothing.

use crate::builder::Builder;
use crate::{ConfigKind, RawConfig};

/// How many structs may be in each other.
const MOST_LEVELS: usize = 6;

struct Field {
    key: String,
    /// The name of the type that it has, or that is inside of that.
    ty: String,
    line: u32,
    /// A variable of the environment, whatever the struct is in.
    is_variable: bool,
    /// The fields of its type stand beside it.
    is_flat: bool,
}

struct Struct {
    name: String,
    /// What stands before its keys when nothing holds it; `None` when it is only read as a part of others.
    prefix: Option<String>,
    fields: Vec<Field>,
}

/// The structs of a file that are filled from configuration.
#[derive(Default)]
pub(crate) struct Settings {
    structs: Vec<Struct>,
}

impl Settings {
    /// The next fields are those of this struct.
    pub(crate) fn open(&mut self, name: &str, prefix: Option<String>) {
        self.structs.push(Struct { name: name.to_owned(), prefix, fields: Vec::new() });
    }

    /// A field of the last struct.
    pub(crate) fn field(&mut self, key: &str, ty: &str, line: u32, is_flat: bool) {
        let mut words = ty.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
        let ty = words.next_back().unwrap_or("").to_owned();
        self.push(Field { key: key.to_owned(), ty, line, is_variable: false, is_flat });
    }

    /// A field of the last struct that a variable of the environment fills.
    pub(crate) fn variable(&mut self, name: &str, line: u32) {
        let (key, ty) = (name.to_owned(), String::new());
        self.push(Field { key, ty, line, is_variable: true, is_flat: false });
    }

    fn push(&mut self, field: Field) {
        if let Some(last) = self.structs.last_mut() {
            last.fields.push(field);
        }
    }

    /// Records the keys.
    pub(crate) fn finish(self, b: &mut Builder<'_>) {
        let is_held = |name: &str| {
            let others = self.structs.iter().filter(|one| one.name != name);
            others.flat_map(|one| &one.fields).any(|field| field.ty == name)
        };
        let mut found = Vec::new();
        for one in &self.structs {
            let variables = one.fields.iter().filter(|field| field.is_variable);
            found.extend(variables.map(|field| (field.line, field.key.clone())));
            if let Some(prefix) = one.prefix.as_deref().filter(|_| !is_held(&one.name)) {
                self.keys(one, prefix, MOST_LEVELS, &mut found);
            }
        }
        found.sort();
        found.dedup();
        let kind = ConfigKind::Read;
        b.file.configs.extend(found.into_iter().map(|(line, key)| RawConfig { key: key.into(), line, kind }));
    }

    fn keys(&self, one: &Struct, prefix: &str, levels: usize, found: &mut Vec<(u32, String)>) {
        for field in one.fields.iter().filter(|field| !field.is_variable) {
            let dot = if prefix.is_empty() || field.key.is_empty() { "" } else { "." };
            let key = if field.is_flat { prefix.to_owned() } else { format!("{prefix}{dot}{}", field.key) };
            if !field.is_flat {
                found.push((field.line, key.clone()));
            }
            let inner = self.structs.iter().find(|other| other.name == field.ty && other.name != one.name);
            if let (Some(inner), Some(levels)) = (inner, levels.checked_sub(1)) {
                self.keys(inner, &key, levels, found);
            }
        }
    }
}

/// What a struct that is called after configuration stands for: `ServerConfig` is `server`, `Settings` is all of it. `None`
/// for one that is not called so.
pub(crate) fn section_of(name: &str) -> Option<String> {
    let ends = ["Configuration", "Config", "Settings", "Properties", "Preferences", "Options", "Conf"];
    let stem = ends.iter().find_map(|end| name.strip_suffix(end))?;
    if matches!(stem, "" | "App" | "Application" | "Global" | "Main" | "Raw") {
        return Some(String::new());
    }
    let mut section = String::new();
    for letter in stem.chars() {
        if letter.is_uppercase() && !section.is_empty() {
            section.push('_');
        }
        section.extend(letter.to_lowercase());
    }
    Some(section)
}

#[cfg(test)]
mod tests {
    use super::section_of;

    #[test]
    fn structs_are_called_after_sections() {
        for (name, section) in [
            ("Config", Some("")),
            ("AppSettings", Some("")),
            ("ServerConfig", Some("server")),
            ("MailServerOptions", Some("mail_server")),
            ("User", None),
        ] {
            assert_eq!(section_of(name).as_deref(), section, "{name}");
        }
    }
}
