//! There and back again: every file is what it was, byte for byte.

use crate::repo::Repo;
use proptest::prelude::*;

/// A few files that use each other, with what formatters would change: tabs, no last line end, line ends of two kinds.
/// `~` stands for a carriage return.
const FIXTURE: &str = r#"
==> Cargo.toml
[package]
name = "p"
==> src/lib.rs
mod a;
pub use a::{Kind, total};

#[macro_export]
macro_rules! twice {
    ($x:expr) => {
        $x + $x
    };
}
==> src/a.rs
#[derive(Clone,Copy)]
pub enum Kind { One,	Two }~
~
pub struct Item { pub price : u32 , kind:Kind }

impl Item {
	pub fn new(price: u32) -> Item { Item { price, kind: Kind::One } }
    fn is_two(&self) -> bool { matches!(self.kind, Kind::Two) }
}

pub const LIMIT: usize = 3;

pub fn total(items: &[Item]) -> u32 {
    items.iter().take(LIMIT).filter(|item| !item.is_two()).map(|item| item.price).sum()
}
==> m.py
class Base:
    def run(self):
        return self.helper()

    def helper(self): return LIMIT


class Child(Base):
    def helper(self):
	return super().helper()


LIMIT = 3
==> n.py
from m import Base, LIMIT as most


def use(base: "Base"):
    return base.run() + most
==> t.ts
export class Box<T> {
	constructor(private inner: T) {}
	open(): T { return this.inner }
}
export const make = <T,>(x: T) => new Box(x)
export type Maybe<T> = Box<T> | undefined
\ no line end
"#;

fn repository() -> Repo {
    Repo::new(&FIXTURE.replace("~\n", "\r\n"))
}

fn selectors(repo: &Repo) -> Vec<String> {
    let refactor = repo.open();
    drop(refactor);
    let graph = orbit_graph::Graph::open(repo.root(), orbit_graph::SyncPolicy::Manual).expect("a graph");
    let found = graph.facts(|facts| -> Result<Vec<String>, orbit_graph::GraphError> {
        let mut found = Vec::new();
        for path in ["src/lib.rs", "src/a.rs", "m.py", "n.py", "t.ts"] {
            found.extend(facts.of_file(path)?.iter().map(orbit_graph::SymbolFacts::selector));
        }
        Ok(found)
    });
    found.expect("rows")
}

#[test]
fn undo_restores_every_symbol_s_files_and_most_can_be_renamed() {
    let repo = repository();
    let before = repo.tree();
    let all = selectors(&repo);
    let mut renamed = 0;
    for selector in &all {
        if repo.rename(selector, &styled(selector, "zebra")).is_ok() {
            renamed += 1;
            assert_ne!(repo.tree(), before, "{selector}");
            repo.open().undo().unwrap();
        }
        assert_eq!(repo.tree(), before, "{selector}");
    }
    assert!(renamed * 2 > all.len(), "{renamed} of {}", all.len());
}

/// The last part of a symbol's address: `run` of `symbol:m.py#Base.run:method`.
fn short_name(selector: &str) -> String {
    let local = selector.split('#').nth(1).unwrap_or("");
    let path = local.rsplit_once(':').map_or(local, |(path, _)| path);
    path.rsplit(['.', ':']).next().unwrap_or(path).to_owned()
}

/// A name in the style of a symbol's own.
fn styled(selector: &str, word: &str) -> String {
    let name = short_name(selector);
    match name.chars().next() {
        _ if !name.contains(char::is_lowercase) => word.to_uppercase(),
        Some(first) if first.is_uppercase() => format!("Z{}", &word[1..]),
        _ => word.to_owned(),
    }
}

/// Where a rename put the symbol that it was asked for.
fn renamed_to(step: &orbit_refactor::Step, selector: &str) -> String {
    let found = step.entries.iter().find_map(|entry| match entry {
        orbit_refactor::Entry::Rename { pre, post } if pre.to_string() == selector => Some(post.to_string()),
        _ => None,
    });
    found.expect("the symbol that was asked for is renamed")
}

#[test]
fn whatever_can_be_renamed_can_be_renamed_back() {
    let repo = repository();
    let before = repo.tree();
    let mut back = 0;
    for selector in selectors(&repo) {
        let Ok(step) = repo.rename(&selector, &styled(&selector, "zebra")) else { continue };
        repo.rename(&renamed_to(&step, &selector), &short_name(&selector))
            .unwrap_or_else(|error| panic!("{selector} has no way back: {error}"));
        assert_eq!(repo.tree(), before, "{selector}");
        repo.open().undo().unwrap();
        assert_ne!(repo.tree(), before, "{selector}");
        repo.open().undo().unwrap();
        assert_eq!(repo.tree(), before, "{selector}");
        back += 1;
    }
    assert!(back > 12, "{back} symbols came back");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    /// Several symbols get other names, one after the other, and their own again in any order.
    #[test]
    fn renames_and_back_are_nothing(
        picks in prop::collection::vec(0usize..1000, 1..4),
        names in prop::sample::subsequence(vec!["zqaa", "zqbb", "zqcc"], 3),
        reverse: bool,
    ) {
        let repo = repository();
        let before = repo.tree();
        let all = selectors(&repo);
        let mut done: Vec<(String, String)> = Vec::new();
        let mut asked: Vec<&String> = Vec::new();
        for (pick, name) in picks.iter().zip(&names) {
            let selector = &all[pick % all.len()];
            if let Ok(step) = repo.rename(selector, &styled(selector, name)) {
                done.push((renamed_to(&step, selector), short_name(selector)));
                asked.push(selector);
            }
        }
        let steps = done.len();
        // A symbol inside of a renamed one, or in the file of a renamed module, has another address by now; the last one
        // first is always right.
        let is_apart = asked.iter().all(|a| asked.iter().all(|b| a == b || !is_inside(a, b)))
            && !asked.iter().any(|selector| selector.ends_with(":module"));
        if !reverse || !is_apart {
            done.reverse();
        }
        for (selector, name) in &done {
            repo.rename(selector, name).unwrap_or_else(|error| panic!("{selector} has no way back: {error}"));
        }
        prop_assert_eq!(&repo.tree(), &before);
        for _ in 0..steps * 2 {
            repo.open().undo().unwrap();
        }
        prop_assert_eq!(&repo.tree(), &before);
    }
}

/// Whether one of two symbols stands inside of the other.
fn is_inside(a: &str, b: &str) -> bool {
    let path = |selector: &str| selector.rsplit_once(':').map_or(String::new(), |(path, _)| path.to_owned());
    path(a).starts_with(&path(b)) || path(b).starts_with(&path(a))
}
