//! Conditional compilation: what a usual build on Linux leaves out.

/// The condition that no build meets, as it is written in Rust.
pub const NEVER: &str = "any()";

/// What the `#[cfg(…)]` among some attributes say of the item behind them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// A usual build has it.
    Kept,
    /// A usual build leaves it out.
    LeftOut,
    /// That depends on features: the condition.
    Depends(String),
}

/// Whether a usual build meets the conditions among these attributes.
pub(super) fn judge(attributes: &[&str]) -> Verdict {
    let mut open = Vec::new();
    for condition in attributes.iter().filter_map(|attribute| condition_of(attribute)) {
        match holds(condition, 0, &usual_feature) {
            Some(true) => {}
            Some(false) => return Verdict::LeftOut,
            None => open.push(condition),
        }
    }
    match open.as_slice() {
        [] => Verdict::Kept,
        [only] => Verdict::Depends((*only).to_owned()),
        several => Verdict::Depends(all_of(several)),
    }
}

/// The condition that several conditions are together.
pub(super) fn all_of(conditions: &[&str]) -> String {
    format!("all({})", conditions.join(", "))
}

/// Whether a condition of Rust's conditional compilation holds in a usual build with these features.
pub fn holds_with_features(condition: &str, has: &dyn Fn(&str) -> bool) -> bool {
    holds(condition, 0, &|feature| Some(has(feature))) != Some(false)
}

fn condition_of(attribute: &str) -> Option<&str> {
    let inner = attribute.strip_prefix("#[")?.strip_suffix(']')?.trim();
    inner.strip_prefix("cfg")?.trim_start().strip_prefix('(')?.strip_suffix(')')
}

/// Features that nearly all builds have.
fn usual_feature(name: &str) -> Option<bool> {
    matches!(name, "std" | "alloc" | "default").then_some(true)
}

/// Whether a condition holds; `None` when that is a matter of choice.
fn holds(condition: &str, depth: u32, feature: &dyn Fn(&str) -> Option<bool>) -> Option<bool> {
    let condition = condition.trim();
    if depth > 16 {
        return None;
    }
    if let Some((operator, list)) = condition.split_once('(')
        && let Some(list) = list.strip_suffix(')')
    {
        let parts = split(list);
        let values = || parts.iter().map(|part| holds(part, depth + 1, feature));
        return match operator.trim() {
            "not" => values().next()?.map(|value| !value),
            "all" if values().any(|value| value == Some(false)) => Some(false),
            "all" => values().all(|value| value == Some(true)).then_some(true),
            "any" if values().any(|value| value == Some(true)) => Some(true),
            "any" => values().all(|value| value == Some(false)).then_some(false),
            _ => None,
        };
    }
    match condition.split_once('=') {
        Some((key, value)) => match (key.trim(), value.trim().trim_matches('"')) {
            ("feature", name) => feature(name),
            (key, value) => option_holds(key, value),
        },
        None => match condition {
            "unix" | "test" | "debug_assertions" | "true" => Some(true),
            // Any other name is set by hand, for another system or for a tool.
            _ => Some(false),
        },
    }
}

fn option_holds(key: &str, value: &str) -> Option<bool> {
    Some(match key {
        "target_os" => value == "linux",
        "target_family" => value == "unix",
        "target_arch" => value == "x86_64",
        "target_pointer_width" => value == "64",
        "target_endian" => value == "little",
        "target_env" => value == "gnu",
        "target_vendor" => value == "unknown",
        "panic" => value == "unwind",
        // What every processor of that kind has; more is asked for by hand.
        "target_feature" => matches!(value, "fxsr" | "sse" | "sse2"),
        "target_has_atomic" => true,
        // An option of the project's own that tells machines apart by the size of their words.
        _ if value == "64" => true,
        _ if value == "32" => false,
        _ => return None,
    })
}

/// The parts of a list, at its commas outside of parentheses and strings.
fn split(list: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut is_text) = (0_u32, 0, false);
    for (at, c) in list.char_indices() {
        match c {
            '"' => is_text = !is_text,
            '(' if !is_text => depth += 1,
            ')' if !is_text => depth = depth.saturating_sub(1),
            ',' if !is_text && depth == 0 => {
                parts.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&list[start..]);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::{Verdict, holds_with_features, judge};

    #[test]
    fn other_systems_and_tools_are_left_out_and_features_are_not() {
        for (attribute, expected) in [
            ("#[cfg(windows)]", true),
            ("#[cfg(unix)]", false),
            ("#[cfg(not(unix))]", true),
            ("#[cfg(loom)]", true),
            ("#[cfg(not(loom))]", false),
            ("#[cfg(feature = \"net\")]", false),
            ("#[cfg(not(feature = \"net\"))]", false),
            ("#[cfg(not(feature = \"std\"))]", true),
            ("#[cfg(all(feature = \"net\", windows))]", true),
            ("#[cfg(any(feature = \"net\", windows))]", false),
            ("#[cfg(any(windows, target_os = \"macos\",))]", true),
            ("#[cfg(all(test, not(target_os = \"wasi\")))]", false),
            ("#[cfg_attr(windows, allow(unused))]", false),
            ("#[cfg(limb_width = \"32\")]", true),
            ("#[cfg(limb_width = \"64\")]", false),
            ("#[cfg(target_feature = \"sse2\")]", false),
            ("#[cfg(not(target_feature = \"sse2\"))]", true),
            ("#[cfg(target_feature = \"avx2\")]", true),
        ] {
            assert_eq!(judge(&[attribute]) == Verdict::LeftOut, expected, "{attribute}");
        }
    }

    #[test]
    fn what_depends_on_features_is_decided_when_they_are_known() {
        let attributes = ["#[cfg(feature = \"net\")]", "#[inline]", "#[cfg(not(feature = \"slow\"))]"];
        let Verdict::Depends(condition) = judge(&attributes) else { panic!("it depends") };
        assert_eq!(condition, "all(feature = \"net\", not(feature = \"slow\"))");
        for (features, expected) in [(vec![], false), (vec!["net"], true), (vec!["net", "slow"], false)] {
            assert_eq!(holds_with_features(&condition, &|name| features.contains(&name)), expected);
        }
    }
}
