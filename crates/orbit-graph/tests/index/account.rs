//! Every occurrence of a name is accounted for, and `complete` is said only when nothing is left.

use crate::compare::assert_equals_fresh;
use crate::tree::Tree;
use expect_test::expect;
use orbit_graph::{Account, Graph, RefOptions, Refs, Selector};
use std::fmt::Write as _;

const SHOP: &str = r#"
==> shop/cart.py
"""The cart; fill() fills it."""

def fill(cart):
    # fill it up
    return cart

class Cart:
    def total(self):
        return fill(self)
==> shop/other.py
from shop.cart import fill

def run(anything, fill_it=None):
    fill([])
    anything.total()
    return "fill"

def apart():
    fill = 1
    return fill
==> web/fill.js
export function fill() {}
fill()
"#;

fn refs(graph: &Graph, selector: &str) -> Refs {
    let selector = Selector::parse(selector).expect("a selector");
    graph.refs(&selector, &RefOptions::default()).expect("an answer")
}

fn account(graph: &Graph, selector: &str) -> Account {
    refs(graph, selector).account.expect("an account")
}

/// The classes add up to the occurrences.
fn sum(account: &Account) -> usize {
    account.here + account.definitions + account.elsewhere + account.uncertain + account.text + account.unread
}

fn shown(account: &Account) -> String {
    let mut out = format!("complete: {}\n", account.complete);
    let counts = [
        ("occurrences", account.occurrences),
        ("here", account.here),
        ("definitions", account.definitions),
        ("elsewhere", account.elsewhere),
        ("uncertain", account.uncertain),
        ("text", account.text),
        ("unread", account.unread),
    ];
    for (name, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
        let _ = writeln!(out, "{name}: {count}");
    }
    for file in &account.unread_files {
        let _ = writeln!(out, "unread: {} {} {}", file.file, file.reason, file.occurrences);
    }
    out
}

#[test]
fn every_occurrence_belongs_somewhere() {
    let tree = Tree::of(SHOP);
    tree.sync();
    let account = account(&tree.graph(), "symbol:shop/cart.py#fill");
    assert_eq!(sum(&account), account.occurrences);
    expect![[r#"
        complete: true
        occurrences: 11
        here: 3
        definitions: 1
        elsewhere: 4
        text: 3
    "#]]
    .assert_eq(&shown(&account));
}

#[test]
fn a_receiver_of_unknown_type_is_listed_with_its_reason() {
    let tree = Tree::of(SHOP);
    tree.sync();
    let answer = refs(&tree.graph(), "symbol:shop/cart.py#Cart.total");
    let rows: Vec<String> =
        answer.uncertain.iter().map(|row| format!("{}:{} {}", row.file, row.line, row.reason)).collect();
    assert_eq!(rows, ["shop/other.py:5 type of the receiver unknown"]);
    let account = answer.account.expect("an account");
    assert!(!account.complete);
    assert_eq!(account.uncertain, 1);
}

#[test]
fn an_import_that_leads_nowhere_is_the_reason() {
    let tree = Tree::of(
        "
==> package.json
{\"name\": \"shop\", \"imports\": {\"#kitchen\": \"./generated/kitchen.js\"}}
==> kitchen.ts
export function fill() {}
export class Pot { boil() {} }
==> use.ts
import { fill, Pot as Pan } from '#kitchen';
fill();
new Pan().boil();
",
    );
    tree.sync();
    for selector in ["kitchen.ts#fill", "kitchen.ts#Pot.boil"] {
        let answer = refs(&tree.graph(), selector);
        let mut reasons: Vec<&str> = answer.uncertain.iter().map(|row| row.reason.as_str()).collect();
        reasons.dedup();
        assert_eq!(reasons, ["import not resolved: `#kitchen`"], "{selector}: {:?}", answer.uncertain);
    }
}

#[test]
fn a_template_that_names_a_symbol_is_unread_until_it_does_not() {
    let tree = Tree::of(SHOP);
    tree.write_old("web/page.html", "<p>{{ fill() }} and {{ fill }}</p>\n");
    tree.write_old("web/plain.html", "<p>fill</p><script>fill()</script>\n");
    tree.write_old("web/notes.txt", "fill\n");
    tree.sync();
    let before = account(&tree.graph(), "symbol:shop/cart.py#fill");
    assert_eq!(sum(&before), before.occurrences);
    expect![[r#"
        complete: false
        occurrences: 15
        here: 3
        definitions: 1
        elsewhere: 4
        text: 4
        unread: 3
        unread: web/page.html no_parser 2
        unread: web/plain.html no_parser 1
    "#]]
    .assert_eq(&shown(&before));
    for page in ["web/page.html", "web/plain.html"] {
        tree.write_old(page, "<p>nothing of the kind</p>\n");
    }
    tree.sync();
    assert!(account(&tree.graph(), "symbol:shop/cart.py#fill").complete);
}

#[test]
fn counts_follow_edits_and_removals() {
    let tree = Tree::of(SHOP);
    assert_equals_fresh(&tree);
    tree.write("shop/other.py", "from shop.cart import fill\nfill(fill)\n");
    assert_equals_fresh(&tree);
    assert_eq!(account(&tree.graph(), "symbol:shop/cart.py#fill").here, 4);
    std::fs::remove_file(tree.path("shop/other.py")).expect("there");
    assert_equals_fresh(&tree);
    assert_eq!(account(&tree.graph(), "symbol:shop/cart.py#fill").here, 1);
}

/// The sources of this workspace: every word of every file, against a count that knows nothing of the index.
#[test]
fn accounts_of_a_real_repository_add_up() {
    let sources = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let tree = Tree::new();
    let mut texts = String::new();
    for name in ["orbit-extract", "orbit-graph"] {
        copy(&sources.join(name).join("src"), &tree, name, &mut texts);
    }
    tree.sync();
    let graph = tree.graph();
    let (mut asked, mut complete) = (0, 0);
    for line in tree.export().lines().filter(|line| line.contains("\"symbol\"")) {
        let row: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let (name, file) = (row["name"].as_str().unwrap_or(""), row["file"].as_str().unwrap_or(""));
        let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        asked += 1;
        if asked % 37 != 0 || row["type"] != "symbol" || !is_word || row["kind"] == "module" {
            continue;
        }
        let selector = Selector::parse(&format!("{file}:{}", row["line"])).expect("a selector");
        // A block of `impl` alone stands on some lines.
        let Ok(answer) = graph.refs(&selector, &RefOptions::default()) else { continue };
        let Some(account) = answer.account else { continue };
        assert_eq!(account.occurrences, occurrences(&texts, &answer.target.name), "{}", answer.target.name);
        assert_eq!(sum(&account), account.occurrences, "{}", answer.target.name);
        complete += usize::from(account.complete);
    }
    assert!(complete > 20, "only {complete} complete answers");
}

fn copy(from: &std::path::Path, tree: &Tree, to: &str, texts: &mut String) {
    for entry in std::fs::read_dir(from).expect("a directory").flatten() {
        let path = format!("{to}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            copy(&entry.path(), tree, &path, texts);
        } else {
            let text = std::fs::read_to_string(entry.path()).expect("text");
            tree.write_old(&path, &text);
            // Tables of text are not in the index.
            if entry.path().extension().is_some_and(|end| end == "rs") {
                texts.push_str(&text);
                texts.push('\n');
            }
        }
    }
}

/// How often a word stands in a text, as `grep -w -o` counts.
fn occurrences(text: &str, word: &str) -> usize {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|part| *part == word).count()
}

#[test]
fn a_variable_that_a_function_declares_global_is_no_local() {
    let tree = Tree::of(
        "
==> conf.py
_on = True

def switch(on):
    global _on
    _on = on
",
    );
    tree.sync();
    let account = account(&tree.graph(), "symbol:conf.py#_on");
    assert_eq!((account.complete, account.uncertain), (false, 2));
}

#[test]
fn to_define_the_member_of_an_interface_may_be_to_use_it() {
    let tree = Tree::of(
        "
==> usage.ts
export interface Usage {
  show(): void;
  hide(): void;
}
export function usage(): Usage {
  const self = {} as Usage;
  self.show = function () {};
  return self;
}
",
    );
    tree.sync();
    let graph = tree.graph();
    assert!(!account(&graph, "symbol:usage.ts#Usage.show").complete);
    assert!(account(&graph, "symbol:usage.ts#Usage.hide").complete);
}

#[test]
fn the_label_of_a_switch_over_characters_is_a_constant() {
    let tree = Tree::of(
        "
==> a/Signs.java
package a;
class Signs { static final char LF = 10; }
==> a/Printer.java
package a;
import static a.Signs.LF;
class Printer {
  void print(char c) {
    switch (c) { case LF: return; }
  }
}
",
    );
    tree.sync();
    let account = account(&tree.graph(), "symbol:a/Signs.java#Signs.LF");
    assert_eq!((account.complete, account.here), (true, 2));
}

#[test]
fn calls_of_a_class_with_two_constructors_are_open_and_no_occurrences() {
    let tree = Tree::of(
        "
==> cart.py
class Cart:
    def __new__(cls):
        return object.__new__(cls)

    def __init__(self):
        self.items = []

Cart()
Cart()
Cart()
",
    );
    tree.sync();
    let account = account(&tree.graph(), "symbol:cart.py#Cart.__init__");
    assert_eq!(sum(&account), account.occurrences);
    assert!(!account.complete);
}

#[test]
fn a_file_that_may_not_be_read_is_unread_and_tried_again() {
    use std::os::unix::fs::PermissionsExt as _;
    let tree = Tree::of(SHOP);
    tree.write_old("web/page.html", "nothing");
    let set = |mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(tree.path("web/page.html"), permissions).expect("permissions");
    };
    set(0o000);
    if std::fs::read(tree.path("web/page.html")).is_ok() {
        return; // root may read everything
    }
    tree.sync();
    assert!(!account(&tree.graph(), "symbol:shop/cart.py#fill").complete);
    set(0o644);
    tree.sync();
    assert!(account(&tree.graph(), "symbol:shop/cart.py#fill").complete);
}

#[test]
fn functions_of_types_of_the_prelude_come_from_outside() {
    let tree = Tree::of(
        "
==> src/lib.rs
pub struct Named { bytes: Vec<u8> }
impl Named {
    pub fn new(first: u8) -> Self { Named { bytes: vec![first] } }
    pub fn open() {}
}
pub trait Open { fn open(); fn shut(); }
impl Open for String { fn open() {} fn shut() {} }
pub fn run() -> Box<u8> {
    let list: Vec<u8> = Vec::new();
    let other = Vec::<u8>::new();
    let text = Some(1).map_or_else(String::new, |_| String::new());
    String::open();
    Box::new(list[0])
}
==> src/own.rs
pub struct Box;
impl Box { pub fn new(n: u8) -> Box { Box } }
pub fn run() { Box::new(1); }
",
    );
    tree.sync();
    let graph = tree.graph();
    expect![[r#"
        complete: true
        occurrences: 8
        definitions: 1
        elsewhere: 7
    "#]]
    .assert_eq(&shown(&account(&graph, "symbol:src/lib.rs#Named::new")));
    expect![[r#"
        complete: true
        occurrences: 4
        here: 1
        definitions: 1
        elsewhere: 2
    "#]]
    .assert_eq(&shown(&account(&graph, "symbol:src/lib.rs#<String as Open>::open")));
    assert_eq!(account(&graph, "symbol:src/own.rs#Box::new").here, 1);
}
