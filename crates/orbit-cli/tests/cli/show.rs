//! `show` of files that change, and in pages.

use crate::program::orbit;
use crate::worktree::Worktree;
use serde_json::Value;

const CART: &str = "class Cart:\n    def add(self, item):\n        self.items.append(item)\n\n    def total(self):\n        return len(self.items)\n";

fn shown(worktree: &Worktree, words: &[&str]) -> Value {
    let words: Vec<&str> = ["show"].iter().chain(words).chain(&["--json"]).copied().collect();
    let outcome = orbit(worktree.root(), &words);
    assert_eq!(outcome.code, Some(0), "{words:?}: {}", outcome.stderr);
    serde_json::from_str(&outcome.stdout).expect("JSON")
}

/// The index is as old as it was: nothing but `show` looks at what changed since.
#[test]
fn a_symbol_is_found_again_in_a_file_that_changed() {
    let worktree = Worktree::repository();
    worktree.write("cart.py", CART);
    orbit(worktree.root(), &["sync"]).success();
    worktree.write("cart.py", "# Größen, die vorher nicht da waren: äöü\n\n\n".to_owned() + CART);
    let total = shown(&worktree, &["Cart.total"]);
    assert_eq!(total["source"], "def total(self):\n        return len(self.items)", "{total}");
    assert_eq!((&total["metadata"]["line"], &total["metadata"]["end_line"]), (&8.into(), &9.into()));
    assert_eq!(total["metadata"]["stale"], false);
    for selector in ["cart.py:8", "cart.py::Cart.total", "symbol:cart.py#Cart.total:method"] {
        assert_eq!(shown(&worktree, &[selector]), total, "{selector}");
    }
    let whole = shown(&worktree, &["cart.py"]);
    assert_eq!((&whole["metadata"]["end_line"], &whole["metadata"]["stale"]), (&9.into(), &false.into()));

    worktree.write("cart.py", "class Cart:\n    def count(self):\n        return 1\n");
    let gone = shown(&worktree, &["Cart.total"]);
    assert_eq!(gone["source"], Value::Null);
    assert_eq!(gone["gone"], "cart.py changed since it was indexed and has no method `Cart.total` any more");
    assert_eq!(gone["metadata"]["stale"], true);
    assert_eq!(shown(&worktree, &["cart.py:2"])["metadata"]["name"], "count");
    assert_eq!(shown(&worktree, &["cart.py#Cart.count"])["metadata"]["line"], 2);

    std::fs::write(worktree.path("cart.py"), b"class Cart:\n    def total(self): '\xff'\n").expect("writes");
    let unreadable = shown(&worktree, &["Cart.total"]);
    assert_eq!(unreadable["gone"], "cart.py changed since it was indexed and cannot be read: not_utf8");
}

/// Following `next_lines` gives every line once, whatever the limit.
#[test]
fn pages_are_the_whole_source() {
    let worktree = Worktree::repository();
    let body: Vec<String> = (0..40).map(|line| format!("    # ä{}", "x".repeat(line))).collect();
    let body = body.join("\n");
    let text = format!("import os\n\n\ndef long():\n{body}\n    return os\n\n\nlast = 1\n");
    worktree.write("long.py", &text);
    orbit(worktree.root(), &["sync"]).success();
    let function =
        text.split_once("def long").expect("it is there").1.split_once("\n\n\nlast").expect("too").0;
    for (selector, whole) in [("long.py", text.as_str()), ("long", &format!("def long{function}"))] {
        for limit in ["60", "333", "100000"] {
            let (mut joined, mut lines) = (String::new(), None::<String>);
            loop {
                let mut words = vec![selector, "--max-bytes", limit];
                words.extend(lines.iter().flat_map(|lines| ["--lines", lines.as_str()]));
                let page = shown(&worktree, &words);
                joined.push_str(page["source"].as_str().expect("a text"));
                assert_eq!(page["metadata"]["truncated"], !page["next_lines"].is_null());
                match page["next_lines"].as_str() {
                    Some(next) => lines = Some(next.to_owned()),
                    None => break,
                }
            }
            assert_eq!(joined, whole, "{selector} {limit}");
        }
    }
}
