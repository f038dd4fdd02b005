//! Definitions that nothing reaches, and how sure that is.

use crate::tree::Tree;
use expect_test::expect;
use orbit_graph::{Selector, SymbolKind, UnusedGrade, UnusedOptions};
use std::fmt::Write as _;

const SHOP: &str = r#"
==> Cargo.toml
[package]
name = "shop"
==> src/main.rs
mod cart;
fn main() {
    cart::fill(1);
}
==> src/cart.rs
pub fn fill(count: u32) -> u32 {
    if count == 0 { 0 } else { helper(count) }
}

fn helper(count: u32) -> u32 {
    count + LIMIT
}

const LIMIT: u32 = 9;

fn only_itself(count: u32) -> u32 {
    only_itself(count - 1)
}

fn first() {
    second();
}

fn second() {}

fn checked() -> bool {
    true
}

struct Forgotten {
    weight: u32,
}

impl Forgotten {
    fn weigh(&self) -> u32 {
        self.weight
    }
}

pub fn offered() {}

#[cfg(test)]
mod tests {
    #[test]
    fn it_holds() {
        assert!(super::checked());
    }
}
==> web/app.py
from framework import app, Base

def _dead():
    return _also_dead()

def _also_dead():
    return 1

def _guessed():
    return 1

def _called():
    return 1

@app.route("/")
def _index():
    return _called()

class _Page(Base):
    def on_load(self):
        return _by_page()

def _by_page():
    return 1

def show(thing):
    thing._guessed()

show(_Page())
==> tests/test_app.py
from web.app import show

def unused_helper():
    return show(1)
"#;

fn listed(tree: &Tree, scope: Option<&str>, options: &UnusedOptions) -> String {
    let scope = scope.map(|text| Selector::parse(text).expect("a selector"));
    let answer = tree.graph().unused(scope.as_ref(), options).expect("an index");
    let mut out = String::new();
    for row in &answer.definitions {
        let _ = writeln!(out, "{:?} {}", row.grade, row.selector);
    }
    let _ = writeln!(out, "{} of {}, {:?}", answer.total, answer.looked_at, answer.grades);
    out
}

const ALL: UnusedOptions = UnusedOptions { grade: None, kind: None, limit: 100 };

#[test]
fn what_nothing_reaches_is_graded() {
    let tree = Tree::of(SHOP);
    tree.sync_full();
    let all = listed(&tree, None, &ALL);
    expect![[r#"
        Unused symbol:src/cart.rs#only_itself:function
        Unused symbol:src/cart.rs#first:function
        Unused symbol:src/cart.rs#second:function
        OnlyTests symbol:src/cart.rs#checked:function
        Unused symbol:src/cart.rs#Forgotten:struct
        Unused symbol:src/cart.rs#Forgotten::weigh:method
        Exported symbol:src/cart.rs#offered:function
        Unused symbol:web/app.py#_dead:function
        Unused symbol:web/app.py#_also_dead:function
        PerhapsUsed symbol:web/app.py#_guessed:function
        PerhapsUsed symbol:web/app.py#_Page.on_load:method
        11 of 19, {Unused: 7, OnlyTests: 1, PerhapsUsed: 2, Exported: 1}
    "#]]
    .assert_eq(&all);
}

#[test]
fn grade_kind_and_place_narrow_the_list() {
    let tree = Tree::of(SHOP);
    tree.sync_full();
    let only = UnusedOptions { grade: Some(UnusedGrade::Unused), kind: Some(SymbolKind::Struct), limit: 100 };
    expect![[r#"
        Unused symbol:src/cart.rs#Forgotten:struct
        1 of 1, {Unused: 1}
    "#]]
    .assert_eq(&listed(&tree, Some("dir:src"), &only));
    let first = UnusedOptions { grade: Some(UnusedGrade::Unused), kind: None, limit: 1 };
    expect![[r#"
        Unused symbol:web/app.py#_dead:function
        2 of 9, {Unused: 2, PerhapsUsed: 2}
    "#]]
    .assert_eq(&listed(&tree, Some("web/app.py"), &first));
    let missing = tree.graph().unused(Some(&Selector::Dir("nowhere".into())), &ALL);
    assert_eq!(missing.expect_err("no such directory").code(), "not_found");
}
