//! There and back again: every file is what it was, byte for byte.

use crate::repo::{Repo, select};
use orbit_refactor::RenameOptions;
use proptest::prelude::*;

/// A few files that use each other, with what formatters would change: tabs, no last line end, line ends of two kinds.
const FIXTURE: &str = "//- Cargo.toml\n[package]\nname = \"p\"\n//- src/lib.rs\nmod a;\npub use a::{Kind, total};\n\n#[macro_export]\nmacro_rules! twice {\n    ($x:expr) => {\n        $x + $x\n    };\n}\n//- src/a.rs\n#[derive(Clone,Copy)]\npub enum Kind { One,\tTwo }\r\n\r\npub struct Item { pub price : u32 , kind:Kind }\n\nimpl Item {\n\tpub fn new(price: u32) -> Item { Item { price, kind: Kind::One } }\n    fn is_two(&self) -> bool { matches!(self.kind, Kind::Two) }\n}\n\npub const LIMIT: usize = 3;\n\npub fn total(items: &[Item]) -> u32 {\n    items.iter().take(LIMIT).filter(|item| !item.is_two()).map(|item| item.price).sum()\n}\n//- m.py\nclass Base:\n    def run(self):\n        return self.helper()\n\n    def helper(self): return LIMIT\n\n\nclass Child(Base):\n    def helper(self):\n\treturn super().helper()\n\n\nLIMIT = 3\n//- n.py\nfrom m import Base, LIMIT as most\n\n\ndef use(base: \"Base\"):\n    return base.run() + most\n//- t.ts\nexport class Box<T> {\n\tconstructor(private inner: T) {}\n\topen(): T { return this.inner }\n}\nexport const make = <T,>(x: T) => new Box(x)\nexport type Maybe<T> = Box<T> | undefined";

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
    let repo = Repo::new(FIXTURE);
    let before = repo.tree();
    let all = selectors(&repo);
    let mut renamed = 0;
    for selector in &all {
        if repo.rename(selector, "zebra").is_ok() {
            renamed += 1;
            assert_ne!(repo.tree(), before, "{selector}");
            repo.open().undo().unwrap();
        }
        assert_eq!(repo.tree(), before, "{selector}");
    }
    assert!(renamed * 2 > all.len(), "{renamed} of {}", all.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn rename_and_back_is_nothing(pick in 0usize..1000, name in "zq[a-z]{3,8}") {
        let repo = Repo::new(FIXTURE);
        let before = repo.tree();
        let all = selectors(&repo);
        let selector = &all[pick % all.len()];
        if let Ok(step) = repo.rename(selector, &name) {
            let old = select(selector).to_string();
            let old = old.split('#').nth(1).unwrap_or("").rsplit(['.', ':']).nth(1).unwrap_or("").to_owned();
            prop_assert!(!step.files.is_empty());
            let refactor = repo.open();
            let post = step.entries.iter().find_map(|entry| match entry {
                orbit_refactor::Entry::Rename { pre, post } if format!("symbol:{}#{}:{}", pre.file, pre.name, pre.kind) == *selector => Some(post.clone()),
                _ => None,
            }).unwrap();
            let back = select(&format!("symbol:{}#{}:{}", post.file, post.name, post.kind));
            let plan = refactor.rename(&back, &old, RenameOptions::default());
            if let Ok(plan) = plan {
                refactor.apply(&plan, false).unwrap();
                prop_assert_eq!(&repo.tree(), &before);
            }
        }
    }
}
