//! The same files give the same export, byte for byte, whatever the threads and the order of the walk.

use crate::compare::difference;
use crate::fixture::files;
use crate::tree::{FIXTURE, Tree};
use orbit_graph::{Silent, SyncMode, SyncOptions};
use std::fmt::Write as _;

/// The fixture, and more small files than a build hands over at once.
fn large_fixture() -> String {
    let mut fixture = FIXTURE.to_owned();
    for number in 0..400 {
        let (next, base) = ((number + 1) % 400, number / 7);
        let _ = write!(
            fixture,
            "==> many/m{number}.py\nfrom many.m{next} import run as go\nfrom many.m{base} import Base\n\n\
             class Base(Base):\n    def load(self): return go()\n\ndef run(): return Base().load()\n"
        );
    }
    fixture
}

fn sync(tree: &Tree, mode: SyncMode, threads: usize) {
    tree.graph().sync(&SyncOptions { mode, threads, progress: &Silent }).expect("a sync");
}

#[test]
fn the_number_of_threads_does_not_show() {
    let fixture = large_fixture();
    let trees = [1, 2, 8].map(|threads| {
        let tree = Tree::of(&fixture);
        sync(&tree, SyncMode::Auto, threads);
        (threads, tree)
    });
    let expected = trees[0].1.export();
    for (threads, tree) in &trees {
        assert_eq!(difference(&tree.export(), &expected), None, "{threads} threads, first build");
        tree.replace("many/m3.py", "def run", "def walk");
        tree.replace("py/pkg/base.py", "class Base", "class Root");
        for path in ["go/store/store.go", "web/shared/index.ts", "crates/engine/src/util.rs"] {
            tree.replace(path, "elper", "elped");
        }
        sync(tree, SyncMode::Auto, *threads);
    }
    let edited = trees[0].1.export();
    assert_ne!(edited, expected);
    for (threads, tree) in &trees {
        assert_eq!(difference(&tree.export(), &edited), None, "{threads} threads, after edits");
        sync(tree, SyncMode::Full, *threads);
        assert_eq!(difference(&tree.export(), &edited), None, "{threads} threads, built anew");
    }
}

#[test]
fn the_order_of_creation_does_not_show() {
    let mut files = files(&large_fixture());
    let expected = built(&files);
    files.reverse();
    assert_eq!(difference(&built(&files), &expected), None, "in reverse");
    let half = files.len() / 2;
    files.rotate_left(half);
    files.sort_by_key(|(path, _)| path.bytes().map(u32::from).sum::<u32>() % 97);
    assert_eq!(difference(&built(&files), &expected), None, "shuffled");
}

/// The export of a worktree whose files are made in this order, each directory after what is in it exists.
fn built(files: &[(String, String)]) -> String {
    let tree = Tree::new();
    for (path, text) in files {
        tree.write(path, text);
    }
    tree.sync();
    tree.export()
}

#[test]
fn two_runs_are_identical() {
    let (first, second) = (Tree::of(FIXTURE), Tree::of(FIXTURE));
    first.sync();
    second.sync();
    assert_eq!(difference(&first.export(), &second.export()), None);
    assert_eq!(first.export(), first.export());
}

#[test]
fn one_sync_after_each_edit_or_one_after_all_is_the_same() {
    let (often, once) = (Tree::of(FIXTURE), Tree::of(FIXTURE));
    often.sync();
    once.sync();
    for (path, from, to) in [
        ("py/pkg/models.py", "class Engine", "class Motor"),
        ("crates/engine/src/store.rs", "fn parse", "fn read"),
        ("web/packages/ui/src/store.ts", "helper", "aid"),
        ("go/store/methods.go", "Save", "Keep"),
    ] {
        often.replace(path, from, to);
        once.replace(path, from, to);
        often.sync();
    }
    once.sync();
    assert_eq!(difference(&often.export(), &once.export()), None);
}
