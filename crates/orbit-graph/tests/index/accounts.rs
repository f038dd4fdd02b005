//! Answers about calls, changes and implementors say what they may have missed.

use crate::tree::Tree;
use expect_test::{Expect, expect};
use orbit_graph::{Confidence, Graph, ImpactOptions, RefOptions, Selector};
use std::fmt::Write as _;

fn selector(text: &str) -> Selector {
    Selector::parse(text).expect("a selector")
}

fn graph(files: &str) -> (Tree, Graph) {
    let tree = Tree::of(files);
    tree.sync();
    let graph = tree.graph();
    (tree, graph)
}

/// The account of `impact`, and what keeps it from being complete.
fn impact(files: &str, of: &str, expected: &Expect) {
    let (_tree, graph) = graph(files);
    let answer = graph.impact(&[selector(of)], &ImpactOptions::default()).expect("an answer");
    let account = &answer.account;
    let mut out = format!(
        "complete: {}, names: {}, uncertain: {}, unread: {}\n",
        account.complete, account.names, account.uncertain, account.unread
    );
    for open in &account.open {
        let _ = writeln!(out, "open: {} {} {}", open.selector, open.uncertain, open.unread);
    }
    for member in &account.called_unnamed {
        let _ = writeln!(out, "unnamed: {member}");
    }
    assert_eq!(answer.complete, account.complete);
    expected.assert_eq(&out);
}

/// The account of `callees`, and what is uncertain.
fn callees(files: &str, of: &str, expected: &Expect) {
    let (_tree, graph) = graph(files);
    let answer = graph.callees(&selector(of), Confidence::SameModule, 100).expect("an answer");
    let account = answer.account.expect("an account");
    let mut out = format!(
        "complete: {}, calls: {}, resolved: {}, external: {}, uncertain: {}\n",
        account.complete, account.calls, account.resolved, account.external, account.uncertain
    );
    for open in &answer.uncertain {
        let _ = writeln!(out, "{}: {} {}", open.line, open.name.as_deref().unwrap_or("-"), open.reason);
    }
    assert_eq!(account.resolved + account.external + account.uncertain, account.calls);
    expected.assert_eq(&out);
}

#[test]
fn a_read_that_leads_nowhere_keeps_an_impact_from_being_complete() {
    // `job.fill` is no call: the index has no row for it.
    let files = "
==> a.py
class Cart:
    def fill(self):
        return 1

def start(job):
    return run(job.fill)

def run(task):
    return task
";
    impact(
        files,
        "symbol:a.py#Cart.fill",
        &expect![[r#"
        complete: false, names: 1, uncertain: 1, unread: 0
        open: symbol:a.py#Cart.fill:method 1 0
    "#]],
    );
    impact(
        files,
        "symbol:a.py#run",
        &expect![[r#"
        complete: true, names: 2, uncertain: 0, unread: 0
    "#]],
    );
}

#[test]
fn the_names_on_the_way_count_as_the_first_one_does() {
    let files = "
==> a.py
def inner():
    return 1

class Box:
    def outer(self):
        return inner()
==> b.py
def use(thing):
    return thing.outer()
==> page.html
{{ box.outer }}
";
    impact(
        files,
        "symbol:a.py#inner",
        &expect![[r#"
        complete: false, names: 2, uncertain: 1, unread: 1
        open: symbol:a.py#Box.outer:method 1 1
    "#]],
    );
}

#[test]
fn what_the_language_calls_without_a_name_has_users_that_nobody_can_list() {
    let files = r#"
==> a.py
class Door:
    def __enter__(self):
        return self
"#;
    impact(
        files,
        "symbol:a.py#Door.__enter__",
        &expect![[r#"
        complete: false, names: 1, uncertain: 0, unread: 0
        unnamed: symbol:a.py#Door.__enter__:method
    "#]],
    );
    let files = r#"
==> Cargo.toml
[package]
name = "a"
==> src/lib.rs
pub struct Door;
impl std::fmt::Display for Door {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("door")
    }
}
pub trait Close {
    fn close(&self);
}
impl Close for Door {
    fn close(&self) {}
}
"#;
    let (_tree, graph) = graph(files);
    let of = |line: &str| {
        let answer = graph.impact(&[selector(line)], &ImpactOptions::default()).expect("an answer");
        answer.account.called_unnamed.len()
    };
    assert_eq!((of("src/lib.rs:3"), of("src/lib.rs:11")), (1, 0));
}

#[test]
fn a_class_that_nobody_understands_keeps_its_constructor_open() {
    let files = "
==> a.py
class Cart:
    def __init__(self):
        self.items = []
==> b.py
def make(registry):
    return registry.Cart()
";
    let (_tree, graph) = graph(files);
    let answer =
        graph.refs(&selector("symbol:a.py#Cart.__init__"), &RefOptions::default()).expect("an answer");
    assert!(!answer.account.expect("an account").complete);
    impact(
        files,
        "symbol:a.py#Cart.__init__",
        &expect![[r#"
        complete: false, names: 2, uncertain: 1, unread: 0
        open: symbol:a.py#Cart:class 1 0
    "#]],
    );
}

#[test]
fn every_call_of_a_function_is_counted() {
    let files = "
==> a.py
import os

def start(callback, table, shop):
    callback(1)
    table[0](2)
    helper()
    os.getcwd()
    print(3)
    shop.open()

def helper():
    pass

class Shop:
    def open(self):
        pass
";
    callees(
        files,
        "symbol:a.py#start",
        &expect![[r#"
        complete: false, calls: 6, resolved: 1, external: 2, uncertain: 3
        4: callback calls a value
        5: - calls a value
        9: open not resolved
    "#]],
    );
    callees(
        files,
        "symbol:a.py#helper",
        &expect![[r#"
        complete: true, calls: 0, resolved: 0, external: 0, uncertain: 0
    "#]],
    );
    let files = "
==> a.js
export function start(done, table) {
  done(1);
  table[0](2);
  helper();
  console.log(1);
  new Shop();
}
function helper() {}
class Shop {}
";
    callees(
        files,
        "symbol:a.js#start",
        &expect![[r#"
        complete: false, calls: 5, resolved: 2, external: 1, uncertain: 2
        2: done calls a value
        3: - calls a value
    "#]],
    );
}

#[test]
fn implementors_are_complete_when_no_occurrence_could_be_one_more() {
    let complete = |files: &str, of: &str| {
        let (_tree, graph) = graph(files);
        let answer = graph.implementors(&selector(of), 100).expect("an answer");
        answer.account.map(|account| account.complete)
    };
    let files = "
==> a/Store.java
package a;
interface Store {}
==> a/Disk.java
package a;
class Disk implements Store {}
";
    assert_eq!(complete(files, "symbol:a/Store.java#Store"), Some(true));
    let with_template = format!("{files}==> page.jsp\n<% new Store() {{}} %>\n");
    assert_eq!(complete(&with_template, "symbol:a/Store.java#Store"), Some(false));
    // Any object of TypeScript that has the members implements an interface.
    assert_eq!(
        complete("\n==> a.ts\nexport interface Store { get(): void }\n", "symbol:a.ts#Store"),
        Some(false)
    );
    let embedding = "
==> go.mod
module a
==> a.go
package a

import \"io\"

type Store interface{ Get() }
type Disk struct{}

func (Disk) Get() {}

type Odd struct{ io.Reader }
";
    assert_eq!(complete(embedding, "symbol:a.go#Store"), Some(false));
    assert_eq!(complete(&embedding.replace("io.Reader", "Disk"), "symbol:a.go#Store"), Some(true));
}

#[test]
fn uncertain_rows_name_what_they_could_mean() {
    let files = "
==> a.py
class Cart:
    def total(self):
        return 1

class Bill:
    def total(self):
        return 2

    def tax(self):
        return 3
==> b.py
def use(thing):
    thing.total()
    thing.tax()
";
    let (_tree, graph) = graph(files);
    let rows = |of: &str| {
        let answer = graph.refs(&selector(of), &RefOptions::default()).expect("an answer");
        let rows = answer.uncertain.iter().map(|row| (row.line, row.candidates.len(), row.by_name_alone));
        rows.collect::<Vec<_>>()
    };
    assert_eq!(rows("symbol:a.py#Cart.total"), [(2, 2, false)]);
    assert_eq!(rows("symbol:a.py#Bill.tax"), [(3, 1, true)]);
}

#[test]
fn a_limit_cuts_relations_too_and_says_so() {
    let tree = Tree::of(
        "==> shop.py\nclass Base: ...\nclass A(Base): ...\nclass B(Base): ...\nclass C(Base): ...\n",
    );
    tree.sync();
    let graph = tree.graph();
    let answer = |limit| {
        let selector = Selector::parse("Base").expect("a selector");
        graph.refs(&selector, &RefOptions { limit, ..RefOptions::default() }).expect("an answer")
    };
    let cut = answer(2);
    assert_eq!((cut.relations.len(), cut.relations_total, cut.truncated), (2, 3, true));
    let whole = answer(3);
    assert_eq!((whole.relations.len(), whole.relations_total, whole.truncated), (3, 3, false));
}

#[test]
fn the_kind_picks_uses_and_the_confidence_how_sure_they_are() {
    let tree = Tree::of(
        "==> shop.py\ndef fill(): ...\n\ndef run(cart):\n    fill()\n    again = fill\n    cart.fill()\n",
    );
    tree.sync();
    let graph = tree.graph();
    let lines = |kind: Option<&str>, confidence| {
        let selector = Selector::parse("fill").expect("a selector");
        let options = RefOptions { kind: kind.map(str::to_owned), confidence, ..RefOptions::default() };
        let answer = graph.refs(&selector, &options).expect("an answer");
        answer.refs.iter().map(|row| format!("{} {:?}", row.line, row.confidence)).collect::<Vec<_>>()
    };
    let sure = Confidence::SameModule;
    assert_eq!(lines(None, sure), ["4 Exact", "5 Exact"]);
    assert_eq!(lines(Some("call"), sure), ["4 Exact"]);
    assert_eq!(lines(Some("value"), sure), ["5 Exact"]);
    assert_eq!(lines(None, Confidence::FuzzyName), ["4 Exact", "5 Exact", "6 FuzzyName"]);
    assert_eq!(lines(Some("call"), Confidence::FuzzyName), ["4 Exact", "6 FuzzyName"]);
}
