//! Commits with their operation logs, read back by the history, here and in another clone.

use crate::repo::{Repo, select};
use orbit_history::operations::{NOTES_REF, Operation, OperationLog};
use orbit_history::{History, HistoryOptions, Subject, SymbolHistory};
use orbit_refactor::CommitOptions;

const FIXTURE: &str = r"
==> shop/__init__.py
==> shop/a.py
def total(items):
    return sum(items)


def other():
    return total([1])
==> shop/b.py
B = 1
";

fn history(repo: &Repo, selector: &str) -> SymbolHistory {
    orbit_history::sync(repo.root(), &HistoryOptions::default()).expect("a history");
    let subject = Subject::of(&select(selector)).expect("a symbol");
    History::open(repo.root(), None).expect("a history").history(&subject, 100).expect("an answer")
}

fn commit(repo: &Repo, message: &str) -> orbit_refactor::Committed {
    repo.open()
        .commit(&CommitOptions { message: message.into(), ..CommitOptions::default() })
        .expect("a commit")
}

#[test]
fn rename_move_and_body_are_three_operations_of_one_identity_in_every_clone() {
    let repo = Repo::new(FIXTURE);
    let before = history(&repo, "symbol:shop/a.py#total:function").stable_id;
    repo.rename("symbol:shop/a.py#total:function", "gross").unwrap();
    repo.relocate("symbol:shop/a.py#gross:function", "shop/b.py").unwrap();
    repo.run(|refactor| {
        refactor.change_body(
            &select("symbol:shop/b.py#gross:function"),
            "result = 0\nfor item in items:\n    result += item\nreturn result",
        )
    })
    .unwrap();
    repo.write("note.txt", "not mine to commit");
    let committed = commit(&repo, "Everything at once");
    assert_eq!(committed.warnings, [""; 0]);
    assert_eq!(committed.files, ["shop/a.py", "shop/b.py"]);
    assert_eq!(
        committed.operations.iter().map(Operation::name).collect::<Vec<_>>(),
        ["rename", "move", "change_body"]
    );
    let log: OperationLog = serde_json::from_str(&repo.read(&committed.log)).unwrap();
    assert_eq!(log.commit_sha, repo.git(&["rev-parse", "HEAD"]));
    assert_eq!(repo.git(&["notes", "--ref", NOTES_REF, "show", "HEAD"]), repo.read(&committed.log).trim());
    assert!(repo.open().status().unwrap().is_empty());
    let told = |repo: &Repo| {
        let answer = history(repo, "symbol:shop/b.py#gross:function");
        assert!(answer.warnings.is_empty(), "{:?}", answer.warnings);
        assert_eq!(answer.commits.len(), 2);
        assert_eq!(answer.lineage[0].known_by, "operation");
        let operations: Vec<String> = answer.operations.into_iter().map(|row| row.op).collect();
        assert_eq!(operations, ["rename", "move", "change_body"]);
        answer.stable_id
    };
    assert_eq!(told(&repo), before);
    repo.git(&["clone", "-q", &repo.root().display().to_string(), "../clone"]);
    let clone = repo.beside("clone");
    clone.git(&["fetch", "-q", "origin", &format!("{NOTES_REF}:{NOTES_REF}")]);
    assert_eq!(told(&clone), before, "the other clone gives the same id");
}

#[test]
fn made_gone_split_and_merged_symbols_are_followed() {
    let repo = Repo::new(
        r"
==> a.py
def one(x):
    return x + 1


def two(x):
    return x + 2


def three(x):
    return x + 3
",
    );
    let part = |name: &str| orbit_refactor::Part {
        file: None,
        name: name.into(),
        kind: None,
        body: format!("def {name}(x):\n    return x\n"),
    };
    repo.run(|refactor| refactor.create("a.py", "four", None, "def four():\n    return 4\n")).unwrap();
    repo.rename("symbol:a.py#four:function", "vier").unwrap();
    repo.run(|refactor| refactor.delete(&select("symbol:a.py#three:function"), false)).unwrap();
    repo.run(|refactor| {
        refactor.split(&select("symbol:a.py#one:function"), &[part("left"), part("right")], false)
    })
    .unwrap();
    let committed = commit(&repo, "Make, unmake, split");
    assert_eq!(committed.warnings, [""; 0]);
    assert_eq!(
        committed.operations.iter().map(Operation::name).collect::<Vec<_>>(),
        ["create", "delete", "split"]
    );
    assert_eq!(history(&repo, "symbol:a.py#left:function").lineage[0].change, "split");
    assert_eq!(history(&repo, "symbol:a.py#vier:function").operations[0].op, "create");
    let sources = [select("symbol:a.py#left:function"), select("symbol:a.py#right:function")];
    repo.run(|refactor| refactor.merge(&sources, &part("both"), false)).unwrap();
    assert_eq!(commit(&repo, "Merge").warnings, [""; 0]);
    assert_eq!(history(&repo, "symbol:a.py#both:function").lineage.last().unwrap().change, "merged");
}

#[test]
fn work_of_others_is_neither_committed_nor_lost() {
    let repo = Repo::new(FIXTURE);
    repo.write("staged.txt", "theirs");
    repo.git(&["add", "staged.txt"]);
    repo.rename("symbol:shop/a.py#total:function", "gross").unwrap();
    commit(&repo, "Only mine");
    assert_eq!(repo.git(&["show", "--pretty=format:", "--name-only", "HEAD"]), "shop/a.py");
    assert!(repo.git(&["status", "--porcelain"]).contains("A  staged.txt"));
    repo.rename("symbol:shop/a.py#gross:function", "net").unwrap();
    repo.write("shop/a.py", &format!("{}# by hand\n", repo.read("shop/a.py")));
    let refactor = repo.open();
    let options = CommitOptions { message: "x".into(), ..CommitOptions::default() };
    assert_eq!(refactor.commit(&options).expect_err("somebody edited").code(), "changed");
    assert_eq!(refactor.undo().expect_err("somebody edited").code(), "changed");
}
