//! Which argument was meant by a name that no argument has.

/// Names that other tools have for the same thing.
const SAME: [&[&str]; 11] = [
    &["limit", "max_results", "max_items", "num_results", "top_k", "count", "page_size", "size", "n"],
    &["query", "q", "text", "words", "pattern", "search", "name", "symbol"],
    &[
        "selector",
        "selectors",
        "symbol",
        "name",
        "target",
        "function",
        "file",
        "path",
        "dir",
        "command",
        "query",
    ],
    &["path", "paths", "glob", "file", "include", "dir"],
    &["lang", "language"],
    &["kind", "type", "ref_kind"],
    &["max_tokens", "tokens", "budget", "token_limit"],
    &["depth", "levels", "hops"],
    &["detail", "verbose", "full"],
    &["from", "source", "start", "caller"],
    &["to", "target", "destination", "end", "callee"],
];

/// The one of the `known` names that `name` surely is, in another spelling: `maxTokens`, `max-tokens`, `selectors`.
pub(super) fn surely<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let wanted = plain(name);
    let wanted = if wanted == "selectors" { "selector".to_owned() } else { wanted };
    known.iter().copied().find(|known| plain(known) == wanted)
}

/// The one of the `known` names that is nearest to `name`: the same in another spelling, another word for the same thing, or
/// one with few letters changed.
pub(crate) fn meant<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let wanted = plain(name);
    let find = |fits: &dyn Fn(&str) -> bool| known.iter().copied().find(|known| fits(&plain(known)));
    find(&|known| known == wanted)
        .or_else(|| {
            let is_named = |group: &&&[&str]| group.iter().any(|word| plain(word) == wanted);
            SAME.iter().filter(is_named).find_map(|group| find(&|known| plain(group[0]) == known))
        })
        .or_else(|| {
            let distance = |known: &str| strsim::damerau_levenshtein(&plain(known), &wanted);
            let nearest = known.iter().copied().min_by_key(|known| distance(known))?;
            (distance(nearest) <= (wanted.len() / 3).max(1)).then_some(nearest)
        })
        .or_else(|| find(&|known| known.len() > 2 && (wanted.contains(known) || known.contains(&wanted))))
}

/// Without case and separators: `maxTokens`, `max-tokens` and `max_tokens` are the same.
fn plain(name: &str) -> String {
    name.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::{meant, surely};

    #[test]
    fn another_spelling_is_no_other_name() {
        let show = ["selector", "max_bytes", "max_tokens"];
        for (name, meant) in [
            ("maxTokens", Some("max_tokens")),
            ("Max-Bytes", Some("max_bytes")),
            ("selectors", Some("selector")),
            ("symbol", None),
            ("tokens", None),
        ] {
            assert_eq!(surely(name, &show), meant, "{name}");
        }
    }

    #[test]
    fn the_nearest_argument_is_named() {
        let search =
            ["query", "task", "kind", "symbol_kind", "lang", "path", "limit", "detail", "max_tokens"];
        let show = ["selector", "max_bytes", "blame", "max_tokens"];
        for (name, known, nearest) in [
            ("max_results", &search[..], Some("limit")),
            ("limt", &search, Some("limit")),
            ("symbol-kinds", &search, Some("symbol_kind")),
            ("language", &search, Some("lang")),
            ("q", &search, Some("query")),
            ("symbol", &show, Some("selector")),
            ("path", &show, Some("selector")),
            ("byte", &show, Some("max_bytes")),
            ("colour", &show, None),
        ] {
            assert_eq!(meant(name, known), nearest, "{name}");
        }
    }
}
