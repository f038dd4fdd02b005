use super::*;
use crate::outline::outline;

/// Files before and after; ids of the old tree count from 1 through all files.
fn pairs(files: &[(&str, Option<&str>, Option<&str>)]) -> Vec<FilePair> {
    let mut next = 1;
    let read = |path: &str, text: &str| Arc::new(outline(path, text.as_bytes()));
    files
        .iter()
        .enumerate()
        .map(|(at, (path, old, new))| {
            let old = old.map(|text| {
                let outline = read(path, text);
                let ids = outline.symbols.iter().map(|_| (next, next += 1).0).collect::<Vec<_>>();
                Side { outline, ids: ids.into() }
            });
            let new = new.map(|text| read(path, text));
            FilePair { path: at as PathId, path_text: (*path).to_owned(), old, new, others: Vec::new() }
        })
        .collect()
}

/// `new name <- id how` for every symbol of the new tree, and `id gone`.
fn matched(files: &[FilePair], renames: &[(usize, usize)]) -> Vec<String> {
    let mut matching = Matching::new(files);
    matching.run(files, renames);
    let mut lines = Vec::new();
    for (file, pair) in files.iter().enumerate() {
        for (at, symbol) in pair.new.iter().flat_map(|new| &new.symbols).enumerate() {
            let (id, how) = match matching.origins[file][at] {
                Origin::New => (0, "new"),
                Origin::Same(old) => (old_id(files, old).unwrap(), "same"),
                Origin::From(old, known_by) => (old_id(files, old).unwrap(), known_by.as_str()),
                Origin::Parent(id) => (id, "parent"),
                Origin::Claimed => (0, "claimed"),
            };
            lines.push(format!("{} <- {id} {how}", symbol.local));
        }
        let ids = pair.old.iter().flat_map(|side| side.ids.iter()).zip(&matching.settled[file]);
        lines.extend(ids.filter(|(_, settled)| !**settled).map(|(id, _)| format!("{id} gone")));
    }
    lines
}

const SUM: &str = "def total(items):\n    return sum(item.price for item in items)\n";
const AMOUNT: &str = "def amount(items):\n    return sum(item.price for item in items)\n";

#[test]
fn the_same_address_stays_whatever_is_in_it() {
    let files =
        pairs(&[("a.py", Some(SUM), Some("def total(items):\n    return 0\n\n\ndef other():\n    pass\n"))]);
    assert_eq!(matched(&files, &[]), ["total <- 1 same", "other <- 0 new"]);
}

#[test]
fn a_new_name_with_the_same_body_is_inferred() {
    assert_eq!(matched(&pairs(&[("a.py", Some(SUM), Some(AMOUNT))]), &[]), ["amount <- 1 inferred"]);
}

#[test]
fn two_candidates_are_none() {
    let twice = format!("{AMOUNT}\n\n{}", AMOUNT.replace("amount", "sum_up"));
    let files = pairs(&[("a.py", Some(SUM), Some(&twice))]);
    assert_eq!(matched(&files, &[]), ["amount <- 0 new", "sum_up <- 0 new", "1 gone"]);
}

#[test]
fn a_short_body_proves_nothing() {
    let files = pairs(&[("a.py", Some("def f():\n    pass\n"), Some("def g():\n    pass\n"))]);
    assert_eq!(matched(&files, &[]), ["g <- 0 new", "1 gone"]);
}

#[test]
fn a_symbol_moves_between_files() {
    let files = pairs(&[("a.py", Some(SUM), Some("")), ("b.py", Some("X = 1\n"), Some(SUM))]);
    assert_eq!(matched(&files, &[]), ["total <- 1 inferred", "2 gone"]);
}

#[test]
fn a_renamed_file_keeps_its_names() {
    let changed = "def total(items):\n    return 0\n";
    let files = pairs(&[("a.py", Some(SUM), None), ("b.py", None, Some(changed))]);
    assert_eq!(matched(&files, &[(0, 1)]), ["total <- 1 matched"]);
    assert_eq!(matched(&files, &[]), ["1 gone", "total <- 0 new"]);
}

#[test]
fn members_follow_their_class() {
    let old = "class Cart:\n    limit = 10\n    def add(self, item):\n        self.items.append(item)\n";
    let files = pairs(&[("a.py", Some(old), Some(&old.replace("Cart", "Basket")))]);
    assert_eq!(
        matched(&files, &[]),
        ["Basket <- 1 inferred", "Basket.limit <- 2 inferred", "Basket.add <- 3 inferred"]
    );
}

#[test]
fn a_merge_takes_ids_from_the_parent_that_has_them() {
    let mut files = pairs(&[("a.py", Some("X = 1\n"), Some(&format!("X = 1\n{SUM}")))]);
    let theirs = [(("X".into(), SymbolKind::Variable), 1), (("total".into(), SymbolKind::Function), 9)];
    files[0].others.push(HashMap::from(theirs));
    assert_eq!(matched(&files, &[]), ["X <- 1 same", "total <- 9 parent"]);
}
