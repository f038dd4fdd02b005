//! Finding definitions by words.

use crate::answers::search;
use crate::tree::Tree;
use orbit_graph::MatchKind;

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
