//! Qualified names of any language, part by part.

use orbit_extract::unnumbered;

/// The part behind the last separator of any language.
pub(crate) fn last_part(name: &str) -> &str {
    unnumbered(name).rsplit([':', '.', '/', '>']).find(|part| !part.is_empty()).unwrap_or(name)
}

/// The parts of a qualified name, whatever separates them.
pub(crate) fn parts(name: &str) -> Vec<&str> {
    name.split([':', '.', '/']).filter(|part| !part.is_empty()).collect()
}

pub(crate) fn same_name(qualified: &str, name: &str) -> bool {
    parts(qualified) == parts(name)
}

/// Whether `name` is the end of `qualified`, part by part.
pub(crate) fn is_tail(qualified: &str, name: &str) -> bool {
    let qualified = if unnumbered(name) == name { unnumbered(qualified) } else { qualified };
    parts(qualified).ends_with(&parts(name)) && !parts(name).is_empty()
}

/// A name without what belongs to its use: `get()` is `get`, `(*Context).JSON` is `Context.JSON`, `list->next` is
/// `list.next`, `crate::cart` is `cart`, and Ruby's `Cart#add` is `Cart.add`. The number of a second definition stays.
pub(crate) fn bare(written: &str) -> String {
    let called = match written.strip_suffix(')').and_then(|call| call.split_once('(')) {
        Some((name, _)) if !name.is_empty() => name,
        _ => written,
    };
    let (name, number) = called.split_at(unnumbered(called).len());
    let name = name.strip_prefix("crate::").unwrap_or(name);
    let name = name.replace("->", ".").replace('#', ".").replace("(*", "").replace(['(', ')'], "");
    name.trim_start_matches(['&', '*']).to_owned() + number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_freed_from_their_use() {
        for (written, name) in [
            ("requests.get()", "requests.get"),
            ("get(url, timeout)", "get"),
            ("(*Context).JSON", "Context.JSON"),
            ("(Context).JSON()", "Context.JSON"),
            ("&Client::connect", "Client::connect"),
            ("list->next", "list.next"),
            ("crate::cart::Cart", "cart::Cart"),
            ("Cart#add", "Cart.add"),
            ("Client::connect#2", "Client::connect#2"),
            ("<Foo as Runnable>::run", "<Foo as Runnable>::run"),
        ] {
            assert_eq!(bare(written), name, "{written}");
        }
    }

    #[test]
    fn a_tail_is_the_last_parts() {
        assert!(is_tail("shop::cart::Cart::add#2", "Cart.add"));
        assert!(!is_tail("shop::cart::Cart::add", "cart.add"));
        assert!(!is_tail("shop::cart", ""));
    }
}
