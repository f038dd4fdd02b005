//! Long lists, a part at a time.

/// The part of a list behind the one with a name, at most so long, and whether there is more. A name that is not there any
/// more counts as the end of what was seen where the list is sorted by name, and as nothing seen else.
pub(super) fn page<T>(
    all: Vec<T>,
    limit: Option<u32>,
    after: Option<&str>,
    name: impl Fn(&T) -> &String,
) -> (Vec<T>, bool) {
    let is_sorted = all.is_sorted_by_key(&name);
    let start = match after {
        None => 0,
        Some(after) if is_sorted => all.partition_point(|item| name(item).as_str() <= after),
        Some(after) => all.iter().position(|item| name(item) == after).map_or(0, |at| at + 1),
    };
    let limit = limit.map_or(usize::MAX, |limit| limit as usize);
    let has_more = all.len() - start > limit;
    (all.into_iter().skip(start).take(limit).collect(), has_more)
}

#[cfg(test)]
mod tests {
    use super::page;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn parts_make_the_whole() {
        let all = names(&["a", "b", "c", "d", "e"]);
        let (first, more) = page(all.clone(), Some(2), None, |name| name);
        assert_eq!((first, more), (names(&["a", "b"]), true));
        let (second, more) = page(all.clone(), Some(2), Some("b"), |name| name);
        assert_eq!((second, more), (names(&["c", "d"]), true));
        let (last, more) = page(all.clone(), Some(2), Some("d"), |name| name);
        assert_eq!((last, more), (names(&["e"]), false));
        assert_eq!(page(all.clone(), None, None, |name| name), (all, false));
    }

    #[test]
    fn one_that_is_gone_leaves_its_place() {
        let all = names(&["a", "c"]);
        assert_eq!(page(all, Some(2), Some("b"), |name| name), (names(&["c"]), false));
    }

    #[test]
    fn the_newest_first() {
        let all = names(&["3", "2", "1"]);
        assert_eq!(page(all, Some(1), Some("3"), |name| name), (names(&["2"]), true));
    }
}
