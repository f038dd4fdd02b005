//! What was done since the last commit: listed, shown, and taken back.

use crate::repo::{Repo, select};
use expect_test::expect;
use orbit_refactor::RenameOptions;

const FIXTURE: &str = "
==> a.py
def one(x):
    return x + 1
# And the other.
def two():
    return one(1)
";

#[test]
fn steps_are_one_change_and_are_taken_back_together() {
    let repo = Repo::new(FIXTURE);
    repo.rename("symbol:a.py#one:function", "first").unwrap();
    repo.run(|refactor| refactor.change_body(&select("symbol:a.py#first:function"), "return x")).unwrap();
    let refactor = repo.open();
    let titles: Vec<String> = refactor.status().unwrap().into_iter().map(|step| step.title).collect();
    assert_eq!(
        titles,
        ["rename symbol:a.py#one:function to first", "change the body of symbol:a.py#first:function"]
    );
    expect![[r#"
        diff --git a/a.py b/a.py
        --- a/a.py
        +++ b/a.py
        @@ -1,5 +1,5 @@
        -def one(x):
        -    return x + 1
        +def first(x):
        +    return x
         # And the other.
         def two():
        -    return one(1)
        +    return first(1)
    "#]]
    .assert_eq(&refactor.diff().unwrap());
    assert_eq!(refactor.abort().unwrap().steps, 2);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
    assert_eq!(refactor.diff().unwrap(), "");
}

#[test]
fn a_preview_changes_nothing() {
    let repo = Repo::new(FIXTURE);
    let refactor = repo.open();
    let plan =
        refactor.rename(&select("symbol:a.py#two:function"), "second", RenameOptions::default()).unwrap();
    expect![[r#"
        diff --git a/a.py b/a.py
        --- a/a.py
        +++ b/a.py
        @@ -1,5 +1,5 @@
         def one(x):
             return x + 1
         # And the other.
        -def two():
        +def second():
             return one(1)
    "#]]
    .assert_eq(&refactor.preview(&plan).unwrap());
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

/// The titles of the steps that a new call finds, and what it says of those that it lost.
fn found(repo: &Repo) -> (Vec<String>, Option<String>) {
    let refactor = repo.open();
    (refactor.status().expect("steps").into_iter().map(|step| step.title).collect(), refactor.notice.clone())
}

fn two_steps() -> Repo {
    let repo = Repo::new(FIXTURE);
    repo.rename("symbol:a.py#one:function", "first").expect("a first step");
    repo.rename("symbol:a.py#two:function", "second").expect("a second step");
    repo
}

#[test]
fn a_checkout_sets_steps_aside() {
    let repo = two_steps();
    repo.git(&["checkout", "-q", "."]);
    let (titles, notice) = found(&repo);
    assert_eq!(titles, [""; 0]);
    assert_eq!(notice.unwrap(), "2 steps are set aside: their files are as they were before");
    repo.rename("symbol:a.py#one:function", "other").unwrap();
    assert_eq!(found(&repo).0.len(), 1);
}

#[test]
fn steps_come_back_with_a_stash() {
    let repo = two_steps();
    repo.git(&["stash", "-q"]);
    assert_eq!(found(&repo).0.len(), 0);
    repo.git(&["stash", "pop", "-q"]);
    let (titles, notice) = found(&repo);
    assert_eq!((titles.len(), notice.as_deref()), (2, Some("2 steps are back with their files")));
    assert_eq!(repo.open().abort().unwrap().steps, 2);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn what_git_committed_is_logged_and_never_taken_back() {
    let repo = two_steps();
    repo.git(&["commit", "-q", "-am", "Rename"]);
    let (titles, notice) = found(&repo);
    assert_eq!(titles, [""; 0]);
    assert_eq!(notice.unwrap(), "2 steps were committed with git; their log was written now");
    let sha = repo.git(&["rev-parse", "HEAD"]);
    let note = repo.git(&["notes", "--ref", "refs/notes/orbit-operations", "show", sha.trim()]);
    assert!(note.contains("\"first\"") && note.contains("\"second\""), "{note}");
    assert_eq!(repo.open().abort().unwrap().steps, 0);
    assert!(repo.read("a.py").contains("def second"));
}

#[test]
fn a_commit_of_other_files_keeps_the_steps() {
    let repo = two_steps();
    repo.write("b.py", "x = 1\n");
    repo.git(&["add", "b.py"]);
    repo.git(&["commit", "-q", "-m", "Other", "b.py"]);
    assert_eq!(found(&repo), (found(&repo).0, None));
    assert_eq!(repo.open().abort().unwrap().steps, 2);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn steps_are_forgotten_when_another_commit_changed_their_files() {
    let repo = two_steps();
    repo.git(&["checkout", "-q", "."]);
    repo.write("a.py", "def three():\n    return 3\n");
    repo.git(&["commit", "-q", "-am", "Three"]);
    let (titles, notice) = found(&repo);
    assert_eq!(titles, [""; 0]);
    assert!(notice.unwrap().contains("no file was touched"));
    assert!(repo.read("a.py").contains("three"));
}

#[test]
fn an_abort_leaves_what_an_editor_changed() {
    let repo = two_steps();
    repo.write("a.py", &format!("{}# mine\n", repo.read("a.py")));
    assert_eq!(found(&repo).0.len(), 2);
    let aborted = repo.open().abort().unwrap();
    assert_eq!((aborted.steps, aborted.left), (2, vec!["a.py".to_owned()]));
    assert!(repo.read("a.py").ends_with("# mine\n"));
    assert_eq!(found(&repo), (Vec::new(), None));
}

#[cfg(unix)]
#[test]
fn an_abort_leaves_a_file_that_became_a_link() {
    let repo = two_steps();
    std::fs::remove_file(repo.root().join("a.py")).unwrap();
    std::os::unix::fs::symlink("elsewhere.py", repo.root().join("a.py")).unwrap();
    let aborted = repo.open().abort().unwrap();
    assert_eq!((aborted.steps, aborted.left), (2, vec!["a.py".to_owned()]));
    assert_eq!(found(&repo), (Vec::new(), None));
}

#[test]
fn a_damaged_list_of_steps_is_set_aside() {
    let repo = Repo::new(FIXTURE);
    repo.rename("symbol:a.py#one:function", "first").unwrap();
    let path = repo.root().join(".orbit/refactor/buffer.json");
    std::fs::write(&path, "{\"next_id\": 2, \"steps\": [").unwrap();
    let notice = repo.open().notice.unwrap();
    assert!(notice.contains(".orbit/refactor/buffer.json.damaged-1"), "{notice}");
    assert!(path.with_file_name("buffer.json.damaged-1").exists());
    assert_eq!(repo.open().notice, None);
    let refactor = repo.open();
    let plan =
        refactor.rename(&select("symbol:a.py#first:function"), "other", RenameOptions::default()).unwrap();
    refactor.apply(&plan, true).unwrap();
    assert_eq!(refactor.status().unwrap().len(), 1);
}

#[test]
fn files_that_are_not_utf8_are_named() {
    let repo = Repo::new(FIXTURE);
    std::fs::write(repo.root().join("latin.py"), b"# caf\xe9\nfrom a import one\n").unwrap();
    let refactor = repo.open();
    let renamed = refactor.rename(&select("symbol:a.py#one:function"), "first", RenameOptions::default());
    let told = format!("{:?}", renamed.unwrap_err());
    assert!(told.contains("latin.py:2: the file was not read (not utf8)"), "{told}");
    let told = format!("{:?}", refactor.relocate(&select("symbol:a.py#one:function"), "b.py").unwrap_err());
    assert!(told.contains("latin.py:2"), "{told}");
}
