//! What a process that is killed leaves behind is before or after, once the next call has looked at it.

use crate::repo::{Repo, select};
use orbit_refactor::RenameOptions;

const FIXTURE: &str = r"
==> a.py
def total(items):
    return sum(items)
==> b.py
from a import total


def use():
    return total([])
";

/// Puts the state together that a kill between two files leaves: a journal, one file written, one not.
#[test]
fn a_half_written_refactoring_is_taken_back() {
    let repo = Repo::new(FIXTURE);
    let before = repo.tree();
    repo.rename("symbol:a.py#total:function", "gross").unwrap();
    let after = repo.tree();
    let desk = repo.root().join(".orbit/refactor");
    let buffer: serde_json::Value =
        serde_json::from_slice(&std::fs::read(desk.join("buffer.json")).unwrap()).unwrap();
    let files = &buffer["steps"][0]["files"];
    let journal = serde_json::json!({"step": 0, "is_undo": false, "files": files});
    std::fs::write(desk.join("journal.json"), journal.to_string()).unwrap();
    // The buffer has the step: the kill came after it was done.
    assert!(!repo.open().recovered);
    assert_eq!(repo.tree(), after);
    // It has not: one of two files had been written, and one was on its way.
    std::fs::write(desk.join("journal.json"), journal.to_string()).unwrap();
    std::fs::write(desk.join("buffer.json"), "{\"next_id\": 0, \"steps\": []}").unwrap();
    repo.write("b.py", &before["b.py"]);
    repo.write(".a.py.orbit-draft", "half of it");
    let refactor = repo.open();
    assert!(refactor.recovered);
    assert_eq!(repo.tree(), before);
    assert!(!desk.join("journal.json").exists());
    let plan =
        refactor.rename(&select("symbol:a.py#total:function"), "gross", RenameOptions::default()).unwrap();
    refactor.apply(&plan, false).unwrap();
    assert_eq!(repo.tree(), after);
}

#[test]
fn edits_made_after_a_crash_are_kept() {
    let repo = Repo::new(FIXTURE);
    repo.rename("symbol:a.py#total:function", "gross").unwrap();
    let desk = repo.root().join(".orbit/refactor");
    let buffer: serde_json::Value =
        serde_json::from_slice(&std::fs::read(desk.join("buffer.json")).unwrap()).unwrap();
    let journal = serde_json::json!({"step": 0, "is_undo": false, "files": buffer["steps"][0]["files"]});
    std::fs::write(desk.join("journal.json"), journal.to_string()).unwrap();
    std::fs::write(desk.join("buffer.json"), "{\"next_id\": 0, \"steps\": []}").unwrap();
    repo.write("b.py", "# somebody was here\n");
    let error = orbit_refactor::Refactor::open(repo.root()).err().expect("a file is neither old nor new");
    assert_eq!(error.code(), "changed");
    assert_eq!(repo.read("b.py"), "# somebody was here\n");
    assert!(repo.read("a.py").contains("def total"));
}
