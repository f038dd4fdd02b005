//! What is refused, with nothing changed.

use crate::repo::{Repo, refused, select};
use orbit_refactor::RenameOptions;

const FIXTURE: &str = "//- a.py\nimport os\n\n\ndef total(items):\n    return sum(items)\n\n\ndef other(x):\n    y = total(x)\n    return print(y)\n\n\nclass A:\n    def run(self):\n        return 1\n\n\nclass B:\n    def run(self):\n        return 2\n//- b.py\nfrom a import total\n\n\ndef use(thing):\n    amount = 1\n    return thing.run() + total([amount])\n";

#[test]
fn taken_names_keywords_and_bad_names() {
    let repo = Repo::new(FIXTURE);
    for (name, code) in [
        ("other", "taken"),
        ("class", "keyword"),
        ("1x", "bad_name"),
        ("a-b", "bad_name"),
        ("total", "same_name"),
    ] {
        assert_eq!(refused(&repo, repo.rename("symbol:a.py#total:function", name)), code, "{name}");
    }
}

#[test]
fn names_that_would_capture_or_be_captured() {
    let repo = Repo::new(FIXTURE);
    for name in ["y", "amount", "print", "os"] {
        assert_eq!(refused(&repo, repo.rename("symbol:a.py#total:function", name)), "captured", "{name}");
    }
}

#[test]
fn uses_that_only_the_name_ties() {
    let repo = Repo::new(FIXTURE);
    let result = repo.rename("symbol:a.py#A.run:method", "start");
    let error = result.as_ref().expect_err("two classes have it");
    assert!(error.places().iter().any(|place| place.starts_with("b.py:6")), "{:?}", error.places());
    assert_eq!(refused(&repo, result), "ambiguous_uses");
    let options = RenameOptions { skip_fuzzy: true, ..RenameOptions::default() };
    let step =
        repo.run(|refactor| refactor.rename(&select("symbol:a.py#A.run:method"), "start", options)).unwrap();
    assert_eq!(step.files.len(), 1);
    repo.open().undo().unwrap();
    let options = RenameOptions { include_fuzzy: true, ..RenameOptions::default() };
    repo.run(|refactor| refactor.rename(&select("symbol:a.py#A.run:method"), "start", options)).unwrap();
    assert!(repo.read("b.py").contains("thing.start()"));
}

#[test]
fn dirty_read_only_and_changed_files() {
    let repo = Repo::new(FIXTURE);
    let before = repo.read("b.py");
    repo.write("b.py", &format!("{before}# mine\n"));
    assert_eq!(repo.rename("symbol:a.py#total:function", "gross").expect_err("dirty").code(), "dirty");
    assert_eq!(repo.read("b.py"), format!("{before}# mine\n"));
    repo.write("b.py", &before);
    let file = repo.root().join("b.py");
    let mut permissions = file.metadata().unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&file, permissions.clone()).unwrap();
    assert_eq!(refused(&repo, repo.rename("symbol:a.py#total:function", "gross")), "read_only");
    #[expect(clippy::permissions_set_readonly_false, reason = "the file is gone in a moment")]
    permissions.set_readonly(false);
    std::fs::set_permissions(&file, permissions).unwrap();
    let refactor = repo.open();
    let plan =
        refactor.rename(&select("symbol:a.py#total:function"), "gross", RenameOptions::default()).unwrap();
    repo.write("b.py", &format!("{before}# meanwhile\n"));
    assert_eq!(refactor.apply(&plan, true).expect_err("it changed").code(), "changed");
    assert_eq!(repo.read("b.py"), format!("{before}# meanwhile\n"));
}

#[test]
fn names_that_others_fix() {
    let repo = Repo::new(
        "//- a.py\nclass A:\n    def __init__(self):\n        self.x = 1\n//- Cargo.toml\n[package]\nname = \"p\"\n//- src/main.rs\nstruct S;\nimpl Clone for S {\n    fn clone(&self) -> S {\n        S\n    }\n}\nfn main() {\n    S.clone();\n}\n",
    );
    for selector in [
        "symbol:a.py#A.__init__",
        "symbol:src/main.rs#main:function",
        "symbol:src/main.rs#<S as Clone>::clone",
    ] {
        assert_eq!(refused(&repo, repo.rename(selector, "other")), "fixed_name", "{selector}");
    }
}

#[test]
fn paths_outside_of_the_worktree() {
    let repo = Repo::new(FIXTURE);
    let outside = repo.root().parent().unwrap().join("outside");
    std::fs::create_dir(&outside).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(&outside, repo.root().join("link")).unwrap();
    repo.git(&["add", "-A"]);
    repo.git(&["commit", "-q", "-m", "Link"]);
    for path in ["../evil.py", "/tmp/evil.py", ".git/hooks/x.py", "link/evil.py"] {
        let result = repo.run(|refactor| refactor.create(path, "f", None, "def f():\n    pass\n"));
        assert_eq!(refused(&repo, result), "outside", "{path}");
    }
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
}

#[test]
fn a_constant_stays_one() {
    let repo = Repo::new("//- a.py\nLIMIT = 3\n\n\ndef f():\n    return LIMIT\n");
    assert_eq!(refused(&repo, repo.rename("symbol:a.py#LIMIT:const", "limit")), "kind");
    repo.rename("symbol:a.py#LIMIT:const", "MOST").unwrap();
}

#[test]
fn names_that_are_put_together_stand_in_the_way() {
    let repo = Repo::new(
        "//- a.py\nclass A:\n    def visit_name(self):\n        return 1\n\n    def visit(self, kind):\n        return getattr(self, \"visit_\" + kind)()\n",
    );
    assert_eq!(refused(&repo, repo.rename("symbol:a.py#A.visit_name:method", "other")), "ambiguous_uses");
}

#[test]
fn handlers_of_objects_from_outside_keep_their_names() {
    let repo = Repo::new(
        "//- a.ts\nexport function open(url: string) {\n  const socket = new WebSocket(url);\n  socket.onclose = () => {\n    return 1;\n  };\n  return socket;\n}\n",
    );
    let graph = orbit_graph::Graph::open(repo.root(), orbit_graph::SyncPolicy::Manual).unwrap();
    drop(repo.open());
    let found = graph.facts(|facts| facts.named("onclose")).unwrap();
    for symbol in &found {
        assert_eq!(refused(&repo, repo.rename(&symbol.selector(), "done")), "fixed_name");
    }
}
