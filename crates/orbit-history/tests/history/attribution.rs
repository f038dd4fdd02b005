//! Which symbols a commit is credited to.

use super::repo::Repo;

const CART: &str = "\
class Cart:
    def add(self, item):
        self.items.append(item)

    def total(self):
        return sum(item.price for item in self.items)


def checkout(cart):
    return cart.total()
";

#[test]
fn a_root_commit_adds_everything() {
    let repo = Repo::new();
    repo.write("cart.py", CART).commit("Start");
    repo.sync();
    for symbol in ["Cart:class", "Cart.add:method", "Cart.total:method", "checkout:function"] {
        assert_eq!(repo.story(&format!("cart.py#{symbol}")), ["added Start"], "{symbol}");
    }
    assert_eq!(repo.story("file:cart.py"), ["added Start"]);
}

#[test]
fn a_change_credits_the_innermost_symbol_and_the_file() {
    let repo = Repo::new();
    repo.write("cart.py", CART).commit("Start");
    repo.write("cart.py", &CART.replace("item.price", "item.net")).commit("Net prices");
    repo.write(
        "cart.py",
        &CART.replace("item.price", "item.net").replace("class Cart:", "class Cart(list):"),
    )
    .commit("A list");
    repo.sync();
    assert_eq!(repo.story("cart.py#Cart.total:method"), ["modified Net prices", "added Start"]);
    assert_eq!(repo.story("cart.py#Cart:class"), ["modified A list", "added Start"]);
    assert_eq!(repo.story("cart.py#checkout:function"), ["added Start"]);
    assert_eq!(repo.story("file:cart.py"), ["modified A list", "modified Net prices", "added Start"]);
}

#[test]
fn a_pure_deletion_credits_what_stands_before_the_gap() {
    let repo = Repo::new();
    repo.write("a.py", "def f():\n    one()\n    two()\n\n\ndef g():\n    pass\n").commit("Start");
    repo.write("a.py", "def f():\n    one()\n\n\ndef g():\n    pass\n").commit("No two");
    repo.sync();
    assert_eq!(repo.story("a.py#f:function"), ["modified No two", "added Start"]);
    assert_eq!(repo.story("a.py#g:function"), ["added Start"]);
}

#[test]
fn lines_between_symbols_credit_the_file_only() {
    let repo = Repo::new();
    repo.write("a.py", "import os\n\n\ndef f():\n    pass\n").commit("Start");
    repo.write("a.py", "import os\nimport re\n\n\ndef f():\n    pass\n").commit("Import");
    repo.sync();
    assert_eq!(repo.story("a.py#f:function"), ["added Start"]);
    assert_eq!(repo.story("file:a.py"), ["modified Import", "added Start"]);
}

#[test]
fn files_without_symbols_are_credited() {
    let repo = Repo::new();
    repo.write("config.json", "{}\n").write("logo.bin", "\0\0").commit("Start");
    repo.write("config.json", "{\"a\": 1}\n").commit("Key");
    repo.remove("logo.bin").commit("No logo");
    repo.sync();
    assert_eq!(repo.story("file:config.json"), ["modified Key", "added Start"]);
    assert_eq!(repo.story("file:logo.bin"), ["deleted No logo", "added Start"]);
}

#[test]
fn odd_names_and_messages_are_read_as_they_are() {
    let repo = Repo::new();
    repo.write("a b/\u{e4}\"q\".py", "def f():\n    pass\n")
        .commit("Start\n\ndiff --git a/x b/x\n@@ -1 +1 @@\n:100644 x");
    repo.write("a b/\u{e4}\"q\".py", "def f():\n    return '@@ -1 +1 @@'\n").commit("diff --git a b");
    repo.sync();
    assert_eq!(repo.story("a b/\u{e4}\"q\".py#f:function"), ["modified diff --git a b", "added Start"]);
}

#[test]
fn a_file_that_becomes_a_link_loses_its_symbols() {
    let repo = Repo::new();
    repo.write("b.py", "def g():\n    pass\n")
        .write("a.py", "def f():\n    return compute(1, 2, 3)\n")
        .commit("Start");
    repo.remove("a.py");
    std::os::unix::fs::symlink("b.py", repo.root().join("a.py")).unwrap();
    repo.write("b.py", "def g():\n    return 1\n").commit("Link");
    repo.sync();
    assert_eq!(repo.story("a.py#f:function"), ["deleted Link", "added Start"]);
    assert_eq!(repo.story("b.py#g:function"), ["modified Link", "added Start"], "hunks stay with their file");
}

#[test]
fn blame_names_the_last_commit_of_every_symbol() {
    let repo = Repo::new();
    repo.write("cart.py", CART).commit("Start [T20260101-1]");
    repo.write("cart.py", &CART.replace("cart.total()", "cart.total() + 1")).commit("Fee [T20260102-7]");
    repo.write(
        "cart.py",
        &CART.replace("cart.total()", "cart.total() + 1").replace("    def add", "    def put"),
    )
    .commit("Put");
    repo.sync();
    let rows: Vec<String> = repo
        .open()
        .blame("cart.py")
        .unwrap()
        .iter()
        .map(|row| {
            format!(
                "{} {} {:?}",
                row.selector.replace("symbol:cart.py#", ""),
                row.commit.summary,
                row.task_ids
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            "Cart.put:method Put [\"T20260101-1\"]",
            "Cart.total:method Start [T20260101-1] [\"T20260101-1\"]",
            "Cart:class Start [T20260101-1] [\"T20260101-1\"]",
            "checkout:function Fee [T20260102-7] [\"T20260101-1\", \"T20260102-7\"]",
        ]
    );
}

#[test]
fn cochange_ranks_what_changes_together() {
    let repo = Repo::new();
    let text = |a: u32, b: u32, c: u32| {
        format!(
            "def one():\n    return {a}\n\n\ndef two():\n    return {b}\n\n\ndef three():\n    return {c}\n"
        )
    };
    repo.write("a.py", &text(0, 0, 0)).commit("Start");
    for n in 1..4 {
        repo.write("a.py", &text(n, n, 0)).write("b.txt", &n.to_string()).commit("Both");
    }
    repo.write("a.py", &text(3, 3, 9)).commit("Three");
    repo.sync();
    let answer = repo.open().cochange(&super::repo::subject("a.py#one:function"), 10).unwrap();
    let rows: Vec<String> = answer
        .companions
        .iter()
        .map(|row| format!("{} {}/{}", row.selector, row.together, row.commits))
        .collect();
    assert_eq!(answer.commits, 4);
    assert_eq!(rows, ["symbol:a.py#two:function 4/4"], "one shared commit is not enough beside four");
    let files = repo.open().cochange(&super::repo::subject("file:b.txt"), 10).unwrap();
    assert_eq!(files.companions[0].selector, "file:a.py");
    assert_eq!((files.companions[0].together, files.companions[0].commits), (3, 5));
    repo.git(&["mv", "a.py", "z.py"]);
    repo.commit("Move");
    repo.sync();
    let files = repo.open().cochange(&super::repo::subject("file:b.txt"), 10).unwrap();
    assert_eq!(files.companions[0].selector, "file:z.py", "under the name it has now");
    assert_eq!((files.companions[0].together, files.companions[0].commits), (3, 6));
}

/// What a file was called once may be the name of another one since, whose commits are not those of the first.
#[test]
fn nothing_changes_together_more_often_than_it_changes() {
    let repo = Repo::new();
    let long = |n: u32| (0..20).map(|line| format!("line {line} of {n}")).collect::<Vec<_>>().join("\n");
    repo.write("a.txt", &long(0)).write("log.txt", "0").commit("Start");
    repo.git(&["mv", "a.txt", "b.txt"]);
    repo.write("log.txt", "1").commit("Move");
    for n in 2..6 {
        repo.write("a.txt", &long(n)).write("log.txt", &n.to_string()).commit("Another a.txt");
    }
    repo.sync();
    let answer = repo.open().cochange(&super::repo::subject("file:log.txt"), 10).unwrap();
    let rows: Vec<String> = answer
        .companions
        .iter()
        .map(|row| format!("{} {}/{}", row.selector, row.together, row.commits))
        .collect();
    assert_eq!(rows, ["file:a.txt 6/6", "file:b.txt 2/2"], "a.txt under every file of this name");
    assert_eq!((answer.total, answer.commits), (2, 6));
}
