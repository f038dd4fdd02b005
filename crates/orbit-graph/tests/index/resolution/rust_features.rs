//! Rust: which of several definitions a build has, and which file a module is.

use super::check_tree;
use crate::compare::assert_equals_fresh;
use crate::tree::Tree;
use expect_test::expect;

const TWINS: &str = r#"
==> Cargo.toml
[workspace]
members = ["base", "tool"]
==> base/Cargo.toml
[package]
name = "base"
[features]
default = ["fast"]
fast = ["extra"]
extra = []
slow = []
asked = []
==> base/src/lib.rs
#[cfg(feature = "slow")]
pub fn choose() {}
#[cfg(not(feature = "slow"))]
pub fn choose() {}
#[cfg(not(feature = "extra"))]
macro_rules! note { () => {}; }
#[cfg(feature = "extra")]
macro_rules! note { () => {}; }
#[cfg(not(feature = "asked"))]
#[path = "mock.rs"]
pub mod sys;
#[cfg(feature = "asked")]
pub mod sys;
#[cfg(feature = "slow")]
use slow::pick;
#[cfg(not(feature = "slow"))]
use fast::pick;
mod fast { pub fn pick() {} }
mod slow { pub fn pick() {} }
fn run() {
    choose(); //?
    note!(); //?
    sys::call(); //?
    pick(); //?
}
==> base/src/sys.rs
pub fn call() {}
==> base/src/mock.rs
pub fn call() {}
==> tool/Cargo.toml
[package]
name = "tool"
[dependencies]
base = { path = "../base", features = ["asked"] }
"#;

#[test]
fn features_of_a_plain_build_choose_among_twins() {
    let tree = Tree::of(TWINS);
    tree.sync();
    check_tree(
        &tree,
        &expect![[r#"
        base/src/lib.rs:21 choose -> base/src/lib.rs:4 exact
        base/src/lib.rs:22 note -> base/src/lib.rs:8 exact
        base/src/lib.rs:23 call -> base/src/sys.rs:1 import_resolved
        base/src/lib.rs:24 pick -> base/src/lib.rs:18 exact
    "#]],
    );
    tree.replace("base/Cargo.toml", r#"["extra"]"#, r#"["slow"]"#);
    tree.replace("tool/Cargo.toml", r#"["asked"]"#, "[]");
    assert_equals_fresh(&tree);
    check_tree(
        &tree,
        &expect![[r#"
        base/src/lib.rs:21 choose -> base/src/lib.rs:2 exact
        base/src/lib.rs:22 note -> base/src/lib.rs:6 exact
        base/src/lib.rs:23 call -> base/src/mock.rs:1 import_resolved
        base/src/lib.rs:24 pick -> base/src/lib.rs:19 exact
    "#]],
    );
}

#[test]
fn a_module_is_the_file_beside_who_declares_it_although_another_one_has_its_path() {
    let fixture = r#"
==> Cargo.toml
[package]
name = "demo"
[[test]]
name = "client"
path = "tests/client.rs"
[[bench]]
name = "client_bench"
path = "benches/client.rs"
==> benches/client.rs
mod support;
fn run() { support::start(); } //?
==> benches/support/mod.rs
pub fn start() {}
==> tests/client.rs
mod support;
fn run() { support::start(); } //?
==> tests/support/mod.rs
pub fn start() {}
"#;
    let tree = Tree::of(fixture);
    tree.sync();
    check_tree(
        &tree,
        &expect![[r#"
        benches/client.rs:2 start -> benches/support/mod.rs:1 import_resolved
        tests/client.rs:2 start -> tests/support/mod.rs:1 import_resolved
    "#]],
    );
}

#[cfg(unix)]
#[test]
fn a_module_behind_a_symbolic_link_is_the_file_that_it_leads_to() {
    let fixture = r#"
==> Cargo.toml
[package]
name = "demo"
==> benches/support/runtime.rs
pub fn start() {}
==> tests/client/main.rs
mod runtime;
fn run() { runtime::start(); } //?
"#;
    let tree = Tree::of(fixture);
    tree.sync();
    check_tree(
        &tree,
        &expect![[r#"
        tests/client/main.rs:2 start -> ?
    "#]],
    );
    let link = tree.path("tests/client/runtime.rs");
    std::os::unix::fs::symlink("../../benches/support/runtime.rs", &link).expect("a link");
    tree.sync();
    check_tree(
        &tree,
        &expect![[r#"
        tests/client/main.rs:2 start -> benches/support/runtime.rs:1 import_resolved
    "#]],
    );
    let incremental = tree.export();
    tree.sync_full();
    assert_eq!(tree.export(), incremental);
    std::fs::remove_file(link).expect("the link");
    tree.sync();
    check_tree(
        &tree,
        &expect![[r#"
        tests/client/main.rs:2 start -> ?
    "#]],
    );
}

#[test]
fn packages_that_a_workspace_excludes_turn_nothing_on() {
    let tree = Tree::of(TWINS);
    tree.sync();
    check_tree(
        &tree,
        &expect![[r#"
        base/src/lib.rs:21 choose -> base/src/lib.rs:4 exact
        base/src/lib.rs:22 note -> base/src/lib.rs:8 exact
        base/src/lib.rs:23 call -> base/src/sys.rs:1 import_resolved
        base/src/lib.rs:24 pick -> base/src/lib.rs:18 exact
    "#]],
    );
    tree.replace(
        "Cargo.toml",
        "members = [\"base\", \"tool\"]",
        "members = [\"base\"]\nexclude = [\"./tool\"]",
    );
    tree.sync();
    assert_equals_fresh(&tree);
    check_tree(
        &tree,
        &expect![[r#"
        base/src/lib.rs:21 choose -> base/src/lib.rs:4 exact
        base/src/lib.rs:22 note -> base/src/lib.rs:8 exact
        base/src/lib.rs:23 call -> base/src/mock.rs:1 import_resolved
        base/src/lib.rs:24 pick -> base/src/lib.rs:18 exact
    "#]],
    );
}
