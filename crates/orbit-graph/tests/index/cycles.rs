//! Files that import each other in a circle.

use crate::tree::Tree;
use orbit_graph::{Cycles, Graph, Selector, SyncPolicy};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::fmt::Write as _;

fn cycles(tree: &Tree, scope: Option<&str>) -> Cycles {
    tree.sync();
    let graph = Graph::open(tree.root(), SyncPolicy::Manual).expect("a worktree");
    let scope = scope.map(|scope| Selector::parse(scope).expect("a selector"));
    graph.cycles(scope.as_ref(), 100).expect("an index")
}

#[test]
fn a_shortest_way_round_is_shown() {
    let tree = Tree::of(
        "
==> shop/__init__.py
==> shop/a.py
import os
from shop import b
from shop import d
==> shop/b.py
from shop.c import run
==> shop/c.py
def run():
    from shop.a import start
==> shop/d.py
from shop import c
==> shop/apart.py
from shop import a
==> web/x.ts
import { y } from './y';
export const x = 1;
==> web/y.ts
import { x } from './x';
export const y = 1;
",
    );
    let found = cycles(&tree, None);
    let shown: Vec<String> = found
        .cycles
        .iter()
        .map(|cycle| {
            let path: Vec<String> =
                cycle.path.iter().map(|step| format!("{}:{}", step.file, step.line)).collect();
            format!("{} of {}", path.join(" "), cycle.files.join(" "))
        })
        .collect();
    let expected = [
        "shop/a.py:2 shop/b.py:1 shop/c.py:2 of shop/a.py shop/b.py shop/c.py shop/d.py",
        "web/x.ts:1 web/y.ts:1 of web/x.ts web/y.ts",
    ];
    assert_eq!(shown, expected);
    assert_eq!(cycles(&tree, Some("dir:web")).total, 1);
    assert_eq!(cycles(&tree, Some("web")).scope.as_deref(), Some("dir:web"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Two files are in one cycle when each leads to the other, and every step shown is an import.
    #[test]
    fn cycles_are_what_leads_both_ways(edges in prop::collection::btree_set((0..9usize, 0..9usize), 0..20)) {
        let tree = Tree::new();
        for file in 0..9 {
            let mut text = String::new();
            for (_, to) in edges.iter().filter(|(from, _)| *from == file) {
                let _ = writeln!(text, "import './m{to}';"); // a string takes everything
            }
            tree.write_old(&format!("m{file}.js"), text);
        }
        let mut leads: BTreeSet<(usize, usize)> = edges.clone();
        for through in 0..9 {
            for from in 0..9 {
                for to in 0..9 {
                    if leads.contains(&(from, through)) && leads.contains(&(through, to)) {
                        leads.insert((from, to));
                    }
                }
            }
        }
        let found = cycles(&tree, None);
        let number = |path: &str| path[1..2].parse::<usize>().expect("a digit");
        for (one, other) in (0..9).flat_map(|one| (0..9).map(move |other| (one, other))).filter(|(a, b)| a != b) {
            let is_in = |file| move |path: &String| number(path) == file;
            let together = found.cycles.iter().any(|cycle| cycle.files.iter().any(is_in(one)) && cycle.files.iter().any(is_in(other)));
            prop_assert_eq!(together, leads.contains(&(one, other)) && leads.contains(&(other, one)));
        }
        for cycle in &found.cycles {
            let next = cycle.path.iter().cycle().skip(1);
            for (step, next) in cycle.path.iter().zip(next) {
                prop_assert!(edges.contains(&(number(&step.file), number(&next.file))));
            }
        }
    }
}

/// The resolver looks for code; what an import names as it is need not be code.
#[test]
fn an_import_of_data_leads_to_its_file() {
    let tree = Tree::of(
        "
==> web/data.json
{\"name\": \"x\"}
==> web/app/main.ts
import data from '../data.json';
import gone from './gone.json';
import outside from '../../../outside.json';
",
    );
    tree.sync();
    let graph = Graph::open(tree.root(), SyncPolicy::Manual).expect("a worktree");
    let deps = graph.deps(&Selector::File("web/app/main.ts".into()), 10).expect("an index");
    let files: Vec<Option<&str>> = deps.imports.iter().map(|row| row.resolved_file.as_deref()).collect();
    assert_eq!(files, [Some("web/data.json"), None, None]);
}
