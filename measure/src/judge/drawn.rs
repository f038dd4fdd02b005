//! Which symbols are not drawn, because no tool and no person could give them another name or another place.

use serde_json::Value;
use std::collections::BTreeSet;

/// Names that a repository defines.
pub(super) fn own_names(rows: &[Value]) -> BTreeSet<&str> {
    let symbols = rows.iter().filter(|row| row["type"] == "symbol" && row["kind"] != "impl");
    symbols.filter_map(|row| row["name"].as_str()).collect()
}

/// Whether a symbol has no name that could be another one: the language calls it, it is computed, or a trait from outside
/// of the repository gives it.
pub(super) fn is_fixed(row: &Value, own: &BTreeSet<&str>) -> bool {
    let name = row["name"].as_str().unwrap_or_default();
    let is_called_by_language = name.starts_with("__") && name.ends_with("__");
    let is_special = name.starts_with('~') || name.starts_with("operator");
    let is_identifier = name.chars().all(|c| c.is_alphanumeric() || "_$#".contains(c));
    let is_reserved = name == "default" || name == "constructor";
    is_reserved || is_called_by_language || is_special || !is_identifier || is_of_foreign_trait(row, own)
}

/// Whether an item of Rust stands in the `impl` of a trait that the repository does not define: `<Text as fmt::Display>::fmt`.
fn is_of_foreign_trait(row: &Value, own: &BTreeSet<&str>) -> bool {
    let qualified = row["qualified"].as_str().unwrap_or_default();
    let Some((_, written)) = qualified.rsplit_once(" as ") else { return false };
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let path = written.split(|c| !is_part(c)).next().unwrap_or_default();
    !own.contains(path.rsplit("::").next().unwrap_or_default())
}

/// Whether a file of Rust is a crate of its own, which shares nothing with its neighbours.
pub(super) fn is_crate_of_its_own(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').collect();
    let is_root = |at: usize| ["tests", "benches", "examples", "bin"].contains(&parts[at]);
    path.ends_with("build.rs") || parts.len() > 1 && is_root(parts.len() - 2)
}

#[cfg(test)]
mod tests {
    use super::{is_crate_of_its_own, is_fixed};
    use serde_json::json;
    use std::collections::BTreeSet;

    #[test]
    fn only_what_has_no_other_name_is_left_out() {
        let own = BTreeSet::from(["Walk", "Text"]);
        let cases = [
            ("fmt", "shop::<Text as fmt::Display>::fmt", true),
            ("from", "shop::<Text as From<u8>>::from", true),
            ("step", "shop::<Text as Walk<u8>>::step", false),
            ("new", "shop::Text::new", false),
            ("[matcher]", "m.ts#A.[matcher]", true),
            ("#count", "m.ts#A.#count", false),
            ("__init__", "m.A.__init__", true),
        ];
        for (name, qualified, expected) in cases {
            let row = json!({ "name": name, "qualified": qualified });
            assert_eq!(is_fixed(&row, &own), expected, "{qualified}");
        }
    }

    #[test]
    fn tests_and_benches_of_rust_are_crates() {
        let cases = [
            ("benches/one.rs", true),
            ("core/tests/one.rs", true),
            ("tests/one/two.rs", false),
            ("src/tests.rs", false),
            ("src/bin/tool.rs", true),
            ("build.rs", true),
        ];
        for (path, expected) in cases {
            assert_eq!(is_crate_of_its_own(path), expected, "{path}");
        }
    }
}
