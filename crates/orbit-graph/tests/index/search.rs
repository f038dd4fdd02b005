//! Finding definitions by words.

use crate::answers::search;
use crate::tree::Tree;
use orbit_graph::{MatchKind, SearchQuery, SearchResult};
use std::fmt::Write as _;

/// Names that hold both words stand beside the member that is meant.
const SESSIONS: &str = r#"
==> shop/sessions.py
class Session:
    def send(self, request):
        pass

    def close(self):
        pass

def send_session_mail():
    pass
==> shop/adapters.py
class Adapter:
    def send(self, request):
        pass

def session_sender():
    pass
==> shop/query.py
class QuerySet:
    def filter(self):
        pass

def filter_queryset(rows):
    pass
==> tests/test_sessions.py
class TestSession:
    def send(self):
        pass

def test_session_send():
    pass
==> Cargo.toml
[package]
name = "shop"
==> src/sync/mpsc/bounded.rs
pub fn channel() {}
==> src/sync/oneshot.rs
pub fn channel() {}
==> src/lib.rs
pub mod sync;
==> src/sync/mod.rs
pub mod mpsc;
pub mod oneshot;
==> src/sync/mpsc/mod.rs
pub mod bounded;
"#;

fn first(tree: &Tree, text: &str) -> String {
    let hits = search(&tree.graph(), text, MatchKind::Symbol);
    hits.first().cloned().unwrap_or_else(|| "nothing".into())
}

#[test]
fn a_member_is_found_by_its_class_and_its_name() {
    let tree = Tree::of(SESSIONS);
    tree.sync_full();
    for text in ["session send", "Session send", "send session", "Session.send", "session.send"] {
        assert_eq!(
            first(&tree, text),
            "shop/sessions.py:2 symbol:shop/sessions.py#Session.send:method",
            "{text}"
        );
    }
    for text in ["queryset filter", "QuerySet filter", "query set filter", "filter queryset"] {
        let hits = search(&tree.graph(), text, MatchKind::Symbol);
        let place = hits.iter().position(|hit| hit.contains("QuerySet"));
        assert!(place.is_some_and(|place| place < 2), "{text}: {hits:?}");
    }
    assert_eq!(
        first(&tree, "queryset filter"),
        "shop/query.py:2 symbol:shop/query.py#QuerySet.filter:method"
    );
}

#[test]
fn a_function_is_found_by_its_module_and_its_name() {
    let tree = Tree::of(SESSIONS);
    tree.sync_full();
    let hit = first(&tree, "mpsc channel");
    assert!(hit.starts_with("src/sync/mpsc/bounded.rs:1 "), "{hit}");
    let hit = first(&tree, "oneshot channel");
    assert!(hit.starts_with("src/sync/oneshot.rs:1 "), "{hit}");
}

/// Names in code and in tests, with what is written about them.
const PARCELS: &str = r#"
==> shop/parcels.py
class ParcelSender:
    def send(self, parcel):
        """Hands a parcel over to the courier, unless its postage is due."""
        return parcel

    def cancel(self):
        return None

def weigh(parcel):
    return 1
==> shop/labels.ts
/**
 * Prints the address of a parcel as a barcode.
 */
export function render(parcel: string) { return parcel; }

// Nothing to do with it.

export function reset() {}
==> lib/utils.js
exports.etag = function etag(body) { return body; };
==> tests/test_parcels.py
class Parcel:
    def test_send(self):
        pass

def parcel():
    return "parcel"

def test_parcel_is_weighed():
    pass
"#;

fn found(tree: &Tree, text: &str, limit: usize) -> SearchResult {
    let query =
        SearchQuery { text: text.to_owned(), kind: None, symbol_kind: None, lang: None, path: None, limit };
    tree.graph().search(&query).expect("an index")
}

fn selectors(result: &SearchResult) -> Vec<&str> {
    result.matches.iter().map(|hit| hit.selector.as_str()).collect()
}

#[test]
fn the_total_counts_what_is_not_shown_as_well() {
    let tree = Tree::of(PARCELS);
    tree.sync_full();
    for text in ["parcel", "send", "parcel send", "parcels", "render", "nothing at all"] {
        let all = found(&tree, text, 1000);
        assert_eq!(all.total, all.matches.len(), "{text}");
        assert!(!all.truncated, "{text}");
        for limit in 0..all.total {
            let some = found(&tree, text, limit);
            assert_eq!(some.total, all.total, "{text}, {limit}");
            assert!(some.truncated, "{text}, {limit}");
            assert_eq!(selectors(&some), selectors(&all)[..limit], "{text}, {limit}");
        }
    }
}

#[test]
fn code_comes_before_tests() {
    let tree = Tree::of(PARCELS);
    tree.sync_full();
    for text in ["parcel", "parcel send", "send"] {
        let result = found(&tree, text, 100);
        let symbols = result.matches.iter().filter(|hit| hit.kind == MatchKind::Symbol);
        let is_test: Vec<bool> = symbols.map(|hit| hit.path.starts_with("tests/")).collect();
        assert!(
            is_test.is_sorted() && is_test.contains(&false) && is_test.contains(&true),
            "{text}: {result:?}"
        );
    }
    // Who types the name of a test wants that.
    let result = found(&tree, "test_send", 100);
    assert_eq!(selectors(&result)[0], "symbol:tests/test_parcels.py#Parcel.test_send:test");
}

#[test]
fn words_may_be_those_of_the_class_and_of_the_file() {
    let tree = Tree::of(PARCELS);
    tree.sync_full();
    for (text, selector) in [
        ("sender cancel", "symbol:shop/parcels.py#ParcelSender.cancel:method"),
        ("parc canc", "symbol:shop/parcels.py#ParcelSender.cancel:method"),
        ("utils etag", "symbol:lib/utils.js#etag:function"),
        ("labels ts reset", "symbol:shop/labels.ts#reset:function"),
    ] {
        assert_eq!(selectors(&found(&tree, text, 10)).first(), Some(&selector), "{text}");
    }
}

#[test]
fn documentation_is_read_when_no_name_has_all_words() {
    let tree = Tree::of(PARCELS);
    tree.sync_full();
    for (text, wanted) in [
        ("courier", vec!["symbol:shop/parcels.py#ParcelSender.send:method"]),
        ("postage due parcel", vec!["symbol:shop/parcels.py#ParcelSender.send:method"]),
        ("render barcode", vec!["symbol:shop/labels.ts#render:function"]),
    ] {
        let result = found(&tree, text, 10);
        assert_eq!(selectors(&result), wanted, "{text}");
        assert_eq!(result.total, wanted.len(), "{text}");
        assert!(result.did_you_mean.is_empty(), "{text}");
    }
}

#[test]
fn a_word_that_is_everywhere_still_begins_others_when_nothing_else_is_found() {
    let mut text = String::new();
    for number in 0..1100 {
        let _ = writeln!(text, "def get_value_{number}(): pass");
    }
    text.push_str("def getter_of_door(): pass\ndef get_window(): pass\ndef getter_of_windows(): pass\n");
    let tree = Tree::new();
    tree.write("many.py", &text);
    tree.sync();
    let names = |words: &str| {
        found(&tree, words, 5).matches.into_iter().filter_map(|hit| hit.name).collect::<Vec<_>>()
    };
    assert_eq!(names("get door"), ["getter_of_door"]);
    assert_eq!(names("get window"), ["get_window"]);
}

#[test]
fn documentation_is_found_as_it_is_after_an_edit() {
    let tree = Tree::of(
        "
==> jobs.py
class Scheduler:
    def tick(self):
        \"\"\"Recalculates deadlines.\"\"\"
==> other.py
def tock():
    pass
",
    );
    tree.sync();
    let names = |words: &str| {
        found(&tree, words, 5).matches.into_iter().filter_map(|hit| hit.name).collect::<Vec<_>>()
    };
    assert_eq!(names("recalculates deadlines"), ["tick"]);
    assert_eq!(names("recalc scheduler"), ["tick"]);
    tree.replace("jobs.py", "Recalculates", "Forgets");
    tree.replace("other.py", "def tock", "# Postpones everything.\ndef tock");
    tree.sync();
    assert_eq!(names("forgets deadlines"), ["tick"]);
    assert_eq!(names("postpones everything"), ["tock"]);
    assert_eq!(names("recalculates deadlines"), Vec::<String>::new());
}

#[test]
fn what_a_search_keeps_is_gone_when_the_index_changes() {
    let tree = Tree::of(SESSIONS);
    tree.sync();
    let graph = tree.graph();
    let names = || {
        let query = SearchQuery {
            text: "session send".to_owned(),
            kind: Some(MatchKind::Symbol),
            symbol_kind: None,
            lang: None,
            path: None,
            limit: 20,
        };
        let found = graph.search(&query).expect("an index");
        let mut names: Vec<String> = found.matches.into_iter().filter_map(|hit| hit.qualified).collect();
        names.sort();
        (found.total, names)
    };
    let before = names();
    assert_eq!(names(), before);
    assert_eq!(
        (before.0, before.1.contains(&"shop.sessions.Session.send".to_owned())),
        (5, true),
        "{before:?}"
    );
    tree.replace("shop/sessions.py", "    def send(", "    def post(");
    tree.write("shop/more.py", "class Session:\n    def send(self): pass\n\ndef send_session(): pass\n");
    tree.sync();
    let after = names();
    assert!(!after.1.contains(&"shop.sessions.Session.send".to_owned()), "{after:?}");
    for name in ["shop.more.Session.send", "shop.more.send_session"] {
        assert!(after.1.contains(&name.to_owned()), "{after:?}");
    }
    assert_eq!(after.0, before.0 + 1);
}

#[test]
fn names_that_have_all_words_hide_no_member() {
    let mut tests = String::new();
    let mut others = String::new();
    for number in 0..9 {
        let _ = writeln!(tests, "def test_route_group_handle_{number}(): pass");
        let _ = writeln!(others, "def routes_of_group_are_handled_{number}(): pass");
    }
    let tree = Tree::of(
        "
==> web/routing.py
class RouterGroup:
    def handle(self): pass
",
    );
    tree.write("tests/test_routing.py", &tests);
    tree.sync();
    assert_eq!(
        first(&tree, "route group handle"),
        "web/routing.py:2 symbol:web/routing.py#RouterGroup.handle:method"
    );
    tree.write("web/others.py", &others);
    tree.sync();
    let all = found(&tree, "route group handle", 100);
    assert_eq!(all.total, 19);
    let place = selectors(&all).iter().position(|hit| hit.ends_with("#RouterGroup.handle:method"));
    assert_eq!(place, Some(9), "{:?}", selectors(&all));
}
