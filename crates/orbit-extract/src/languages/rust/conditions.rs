//! Conditional compilation: what a usual build on Linux leaves out.

/// Whether one of these attributes is a `#[cfg(…)]` that a usual build does not meet. Features are a matter of
/// choice, so that what depends on them may be there.
pub(super) fn is_left_out(attributes: &[&str]) -> bool {
    attributes.iter().any(|attribute| {
        let inner = attribute.strip_prefix("#[").and_then(|inner| inner.strip_suffix(']')).map(str::trim);
        let condition = inner.and_then(|inner| inner.strip_prefix("cfg")?.trim_start().strip_prefix('('));
        condition.and_then(|text| text.strip_suffix(')')).is_some_and(|text| holds(text, 0) == Some(false))
    })
}

/// Whether a condition holds; `None` when that is a matter of choice.
fn holds(condition: &str, depth: u32) -> Option<bool> {
    let condition = condition.trim();
    if depth > 16 {
        return None;
    }
    if let Some((operator, list)) = condition.split_once('(')
        && let Some(list) = list.strip_suffix(')')
    {
        let parts = split(list);
        let values = || parts.iter().map(|part| holds(part, depth + 1));
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
        Some((key, value)) => option_holds(key.trim(), value.trim().trim_matches('"')),
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
        "target_has_atomic" => true,
        "feature" if matches!(value, "std" | "alloc" | "default") => true,
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
    use super::is_left_out;

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
        ] {
            assert_eq!(is_left_out(&[attribute]), expected, "{attribute}");
        }
    }
}
