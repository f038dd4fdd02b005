//! Names as people write them, and the symbols that they mean.

use crate::tree::Tree;
use orbit_graph::{Confidence, Graph, RefOptions, Selector, ShowOptions};

const SHOP: &str = r#"
==> shop/__init__.py
from .api import get, post as send
from .carts import *
from .serializers import URLSafeSerializer
==> shop/api.py
def get(url):
    return request(url)

def post(url):
    return request(url)

def request(url):
    return url
==> shop/carts/__init__.py
from shop.carts.base import Cart
==> shop/carts/base.py
class Cart:
    def add(self, item):
        return item
==> shop/serializers.py
class Serializer:
    def loads(self, text):
        return text

class URLSafeMixin(Serializer):
    pass

class URLSafeSerializer(URLSafeMixin):
    def dumps(self, value):
        return value
==> tests/carts.py
class Cart:
    pass
==> Cargo.toml
[package]
name = "loom"
==> src/lib.rs
pub mod task;
pub mod macros;
pub use task::spawn;
==> src/task/mod.rs
mod spawn;
pub use spawn::spawn;
pub use join::*;
mod join;
==> src/task/spawn.rs
pub fn spawn() {}
==> src/task/join.rs
pub fn join_all() {}
==> src/macros/mod.rs
pub mod select;
==> src/macros/select.rs
#[macro_export]
macro_rules! choose { () => {}; }
==> package.json
{"name": "react-like"}
==> packages/react/package.json
{"name": "react"}
==> packages/react/src/Hooks.ts
export function useState(value: number): number;
export function useState(value: string): string;
export function useState(value: any): any { return initial(value); }
function initial(value: any) { return value; }
==> packages/react/docs/hooks.md
# useState
==> lib/twins.c
#if FAST
int weigh(int a) { return a; }
#else
int weigh(int a) { return a + a; }
#endif
==> kitchen/engine.go
package kitchen

type Group struct{}

func (group *Group) GET() {}

type Engine struct {
	Group
}
==> kt/Texts.kt
package texts

class Shelf {
    fun weigh() = 1
}

fun String.shout(): String = this
val String?.shouted: Boolean get() = true
fun <T> List<T>.second(): T = this[1]
fun Shelf.dust() {}
fun Int.shout(): Int = this
==> cs/Texts.cs
namespace Texts {
    static class More {
        public static int Twice(this string text, int by) { return by; }
    }
}
==> src/item.rs
pub struct Item {
    size: u32,
}

impl Item {
    pub fn size(&self) -> u32 {
        self.size
    }
}
==> c#/notes.py
def note():
    pass
"#;

fn shown(graph: &Graph, text: &str) -> String {
    let selector = Selector::parse(text).expect("a selector");
    match graph.show(&selector, &ShowOptions::up_to(1_000)) {
        Ok(shown) => shown.selector,
        Err(error) => format!("{}: {error} {:?}", error.code(), error.candidates()),
    }
}

fn note(graph: &Graph, text: &str) -> Option<String> {
    graph.note(&Selector::parse(text).expect("a selector")).expect("an index")
}

#[test]
fn names_are_understood_as_they_are_written_in_code() {
    let tree = Tree::of(SHOP);
    tree.sync_full();
    let graph = tree.graph();
    for (text, selector) in [
        ("shop.get", "symbol:shop/api.py#get:function"),
        ("shop.get()", "symbol:shop/api.py#get:function"),
        ("shop.send", "symbol:shop/api.py#post:function"),
        ("shop.Cart", "symbol:shop/carts/base.py#Cart:class"),
        ("carts.Cart", "symbol:shop/carts/base.py#Cart:class"),
        ("shop.Cart.add", "symbol:shop/carts/base.py#Cart.add:method"),
        ("Cart#add", "symbol:shop/carts/base.py#Cart.add:method"),
        ("URLSafeSerializer.dumps", "symbol:shop/serializers.py#URLSafeSerializer.dumps:method"),
        ("URLSafeSerializer.loads", "symbol:shop/serializers.py#Serializer.loads:method"),
        ("shop.URLSafeSerializer.loads", "symbol:shop/serializers.py#Serializer.loads:method"),
        ("loom::spawn", "symbol:src/task/spawn.rs#spawn:function"),
        ("loom::task::spawn", "symbol:src/task/spawn.rs#spawn:function"),
        ("loom::task::join_all", "symbol:src/task/join.rs#join_all:function"),
        ("loom::choose", "symbol:src/macros/select.rs#choose:macro"),
        ("React.useState", "symbol:packages/react/src/Hooks.ts#useState#3:function"),
        ("(*Group).GET", "symbol:kitchen/engine.go#Group.GET:method"),
        ("Engine.GET", "symbol:kitchen/engine.go#Group.GET:method"),
        ("String.shout", "symbol:kt/Texts.kt#shout:function"),
        ("Int.shout()", "symbol:kt/Texts.kt#shout#2:function"),
        ("String.shouted", "symbol:kt/Texts.kt#shouted:property"),
        ("List.second", "symbol:kt/Texts.kt#second:function"),
        ("Shelf.dust", "symbol:kt/Texts.kt#dust:function"),
        ("Shelf.weigh", "symbol:kt/Texts.kt#Shelf.weigh:method"),
        ("string.Twice", "symbol:cs/Texts.cs#Texts.More.Twice:method"),
        ("Item::size", "symbol:src/item.rs#Item::size#2:method"),
        ("Item::size:field", "symbol:src/item.rs#Item::size:field"),
    ] {
        assert_eq!(shown(&graph, text), selector, "{text}");
    }
}

#[test]
fn a_note_says_where_a_written_name_is_defined() {
    let tree = Tree::of(SHOP);
    tree.sync_full();
    let graph = tree.graph();
    for (text, wanted) in [
        (
            "URLSafeSerializer.loads",
            Some(
                "`URLSafeSerializer.loads` is inherited; it is defined as `shop.serializers.Serializer.loads`",
            ),
        ),
        ("shop.get", Some("`shop.get` is defined as `shop.api.get`")),
        ("shop.Cart.add", Some("`shop.Cart.add` is defined as `shop.carts.base.Cart.add`")),
        ("shop.api.get", None),
        ("Serializer.loads", None),
        ("nothing.at.all", None),
    ] {
        assert_eq!(note(&graph, text).as_deref(), wanted, "{text}");
    }
}

#[test]
fn places_are_understood_in_every_form() {
    let tree = Tree::of(SHOP);
    tree.sync_full();
    let graph = tree.graph();
    for (text, selector) in [
        ("shop/carts/base.py:2", "symbol:shop/carts/base.py#Cart.add:method"),
        ("shop/carts/base.py:2:9", "symbol:shop/carts/base.py#Cart.add:method"),
        ("shop/carts/base.py#Cart.add", "symbol:shop/carts/base.py#Cart.add:method"),
        ("shop/carts/base.py::Cart::add", "symbol:shop/carts/base.py#Cart.add:method"),
        ("shop/carts/base.py:Cart.add", "symbol:shop/carts/base.py#Cart.add:method"),
        ("./shop/carts/base.py", "file:shop/carts/base.py"),
        ("c#/notes.py", "file:c#/notes.py"),
        ("c#/notes.py:1", "symbol:c#/notes.py#note:function"),
        ("c#/notes.py#note", "symbol:c#/notes.py#note:function"),
        ("symbol:c#/notes.py#note", "symbol:c#/notes.py#note:function"),
    ] {
        assert_eq!(shown(&graph, text), selector, "{text}");
    }
    let missing = shown(&graph, "shop/carts/base.py:Cart.remove");
    assert!(missing.starts_with("not_found: "), "{missing}");
}

#[test]
fn overloads_twins_and_headings_make_no_name_ambiguous() {
    let tree = Tree::of(SHOP);
    tree.sync_full();
    let graph = tree.graph();
    let use_state =
        graph.show(&Selector::Loose("useState".into()), &ShowOptions::up_to(1_000)).expect("one thing");
    assert_eq!(use_state.selector, "symbol:packages/react/src/Hooks.ts#useState#3:function");
    assert_eq!(
        use_state.other_definitions,
        [
            "symbol:packages/react/src/Hooks.ts#useState:function",
            "symbol:packages/react/src/Hooks.ts#useState#2:function"
        ]
    );
    let calls = graph.callees(&Selector::Loose("useState".into()), Confidence::Exact, 10).expect("one thing");
    assert_eq!(calls.callees.len(), 1);
    assert_eq!(shown(&graph, "weigh"), "symbol:lib/twins.c#weigh#2:function");
    assert_eq!(shown(&graph, "weigh#2"), "symbol:lib/twins.c#weigh#2:function");
    let options = RefOptions { confidence: Confidence::SameModule, kind: None, limit: 10, snippets: false };
    let refs = graph.refs(&Selector::Loose("useState".into()), &options).expect("an index");
    assert!(
        refs.targets.iter().all(|target| target.file == "packages/react/src/Hooks.ts"),
        "{:?}",
        refs.targets
    );
    // Different things stay different.
    assert!(shown(&graph, "Cart").starts_with("ambiguous: "));
}

#[test]
fn a_line_means_what_begins_there_and_not_its_parameters() {
    let tree = Tree::of(
        "
==> a.ts
class Match {
  constructor(private input: string, private state: number) {}
  run() {
    return this.state;
  }
}
==> b.rs
struct Point { x: u8, y: u8 }
",
    );
    tree.sync();
    let at = |place: &str| {
        let found = tree.graph().show(&Selector::parse(place).unwrap(), &ShowOptions::up_to(1000)).unwrap();
        found.selector
    };
    assert_eq!(at("a.ts:2"), "symbol:a.ts#Match.constructor:constructor");
    assert_eq!(at("a.ts:4"), "symbol:a.ts#Match.run:method");
    assert_eq!(at("b.rs:1"), "symbol:b.rs#Point:struct");
}

#[test]
fn modules_are_understood_as_they_are_written_in_code() {
    let tree = Tree::of(
        r#"
==> shop/__init__.py
==> shop/prices.py
def total(): pass
==> desk.py
from shop.prices import total
import shop.prices
==> Cargo.toml
[package]
name = "loom"
==> src/lib.rs
pub mod util;
mod run;
==> src/util/mod.rs
pub mod units;
==> src/util/units.rs
pub struct Unit;
==> src/run.rs
use crate::util::units::Unit;
use crate::util::units;
fn run() { units::Unit; }
"#,
    );
    tree.sync_full();
    let graph = tree.graph();
    let used = |text: &str| {
        let selector = Selector::parse(text).expect("a selector");
        match graph.refs(&selector, &RefOptions::default()) {
            Ok(found) => {
                assert_eq!(found.total, found.refs.len(), "{text}");
                found
                    .refs
                    .iter()
                    .map(|row| format!("{}:{}", row.file, row.line))
                    .collect::<Vec<_>>()
                    .join(" ")
            }
            Err(error) => error.to_string(),
        }
    };
    for name in ["shop.prices", "module:shop.prices", "shop/prices.py"] {
        assert_eq!(used(name), "desk.py:1 desk.py:2", "{name}");
    }
    for name in
        ["util::units", "crate::util::units", "loom::util::units", "module:util::units", "src/util/mod.rs:1"]
    {
        assert_eq!(used(name), "src/run.rs:1 src/run.rs:2 src/run.rs:3", "{name}");
    }
    assert_eq!(shown(&graph, "shop.prices"), "file:shop/prices.py");
    assert!(used("prices").contains("nothing in the index"), "one part is the end of too many names");
}
