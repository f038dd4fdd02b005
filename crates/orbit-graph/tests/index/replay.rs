//! A history made by git itself, walked forth, back and across: the index follows every step.

use crate::compare::assert_equals_fresh;
use crate::repository::{commit, git, with_commit};
use crate::tree::{FIXTURE, Tree};

/// One commit per line: `sub PATH FROM TO` (texts without blanks), `mv FROM TO`, `rm PATH`, `add PATH`;
/// `branch`, `checkout` and `merge` as git has them.
const HISTORY: &str = "
sub py/pkg/base.py helper assist
sub py/pkg/__init__.py helper assist
mv py/pkg/sub/views.py py/pkg/sub/pages.py
sub py/app.py pkg.sub.views pkg.sub.pages
sub py/pkg/__init__.py views pages
sub crates/engine/src/util.rs helper aid
sub crates/engine/src/model.rs helper aid
branch feature/engine
mv crates/engine/src/store/memory.rs crates/engine/src/store/cache.rs
sub crates/engine/src/store.rs memory cache
sub crates/engine/src/lib.rs memory::Memory cache::Memory
sub crates/engine/src/glob.rs memory cache
sub crates/engine/Cargo.toml engine-core motor
sub crates/app/src/main.rs engine_core motor
sub crates/app/src/commands.rs engine_core motor
rm crates/engine/src/glob.rs
add crates/engine/src/extra.rs
sub crates/engine/src/lib.rs glob extra
checkout main
sub go/go.mod example.org/engine example.org/motor
sub go/main.go example.org/engine example.org/motor
rm go/store/methods.go
add go/store/extra.go
sub web/packages/ui/package.json @acme/ui @acme/kit
sub web/app/src/main.tsx @acme/ui @acme/kit
sub web/app/src/engine.ts @acme/ui @acme/kit
mv web/shared/index.ts web/shared/base.ts
sub web/shared/parse.ts ./index ./base
sub web/tsconfig.json shared/* shared/./*
mv java/com/acme/base/Store.java java/com/acme/app/Store.java
sub java/com/acme/app/Store.java com.acme.base com.acme.app
rm py/pkg/sub/__init__.py
add py/pkg/sub/extra.py
merge feature/engine
mv c/include/config.h c/src/config.h
sub c/src/store.c parse read
rm web/legacy/lib.js
sub py/pkg/models.py Base,Store Store,Base
sub py/pkg/models.py (Base (Store
branch tidy
rm README.md
mv docs/guide.md guide.md
sub settings.yaml level depth
add py/extra.py
checkout main
sub csharp/Store.cs Load Fetch
sub ruby/store.rb load_all fetch
merge tidy
";

/// Runs one line of the history.
fn step(tree: &Tree, line: &str) {
    let words: Vec<&str> = line.split_whitespace().collect();
    match words.as_slice() {
        ["branch", name] => {
            git(tree.root(), &["checkout", "-q", "-b", name]);
            return;
        }
        ["checkout", name] => {
            git(tree.root(), &["checkout", "-q", name]);
            return;
        }
        ["merge", name] => {
            git(tree.root(), &["merge", "-q", "--no-ff", "-m", line, name]);
            return;
        }
        ["sub", path, from, to] => tree.write(path, tree.read(path).replace(from, to)),
        ["mv", from, to] => tree.rename(from, to),
        ["rm", path] => tree.remove(path),
        ["add", path] => tree.write(path, new_text(path)),
        _ => panic!("no such step: {line}"),
    }
    commit(tree, line);
}

/// A small file of the language that the path names.
fn new_text(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("rs") => "pub use crate::util::*;\n\npub fn open() -> crate::model::Engine {\n    todo!()\n}\n",
        Some("go") => "package store\n\nfunc (m *Memory) Load() int {\n\treturn Helper(1)\n}\n",
        _ => "from pkg.base import Base, make\n\n\ndef extra():\n    return make().load()\n",
    }
}

fn lines() -> impl Iterator<Item = &'static str> {
    HISTORY.lines().filter(|line| !line.is_empty())
}

#[test]
fn the_index_follows_each_commit_as_it_is_made() {
    let tree = with_commit(FIXTURE);
    tree.sync();
    for line in lines() {
        step(&tree, line);
        let compared = crate::compare::check_incremental(&tree);
        compared.unwrap_or_else(|difference| panic!("after `{line}`: {difference}"));
    }
    let count: usize = git(tree.root(), &["rev-list", "--count", "--all"]).parse().unwrap();
    assert!(count >= 40, "{count} commits");
}

#[test]
fn the_index_follows_jumps_through_the_history() {
    let tree = with_commit(FIXTURE);
    lines().for_each(|line| step(&tree, line));
    let commits = git(tree.root(), &["rev-list", "--topo-order", "--all"]);
    let commits: Vec<&str> = commits.lines().collect();
    git(tree.root(), &["checkout", "-q", "-b", "replay"]);
    tree.sync();
    // Back in strides that meet every third commit, then straight to the ends.
    let jumps = commits.iter().step_by(3).chain([&commits[0], &commits[commits.len() - 1], &commits[0]]);
    for sha in jumps {
        git(tree.root(), &["reset", "-q", "--hard", sha]);
        let compared = crate::compare::check_incremental(&tree);
        compared.unwrap_or_else(|difference| panic!("at {sha}: {difference}"));
    }
}

#[test]
fn a_branch_finds_its_index_again() {
    let tree = with_commit(FIXTURE);
    tree.sync();
    git(tree.root(), &["checkout", "-q", "-b", "feature/x"]);
    tree.replace("py/pkg/base.py", "class Base", "class Case");
    commit(&tree, "on a branch");
    assert_equals_fresh(&tree);
    git(tree.root(), &["checkout", "-q", "main"]);
    let report = assert_equals_fresh(&tree);
    assert_eq!((report.files_changed, report.files_removed), (0, 0), "main is as it was");
    git(tree.root(), &["checkout", "-q", "feature/x"]);
    let report = assert_equals_fresh(&tree);
    assert_eq!((report.files_changed, report.files_removed), (0, 0), "and so is the branch");
    git(tree.root(), &["checkout", "-q", "main"]);
    tree.replace("py/app.py", "app.save()", "app.keep()");
    git(tree.root(), &["stash", "-q"]);
    assert_equals_fresh(&tree);
    git(tree.root(), &["stash", "pop", "-q"]);
    assert_equals_fresh(&tree);
}
