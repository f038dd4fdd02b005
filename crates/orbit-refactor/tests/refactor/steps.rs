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
    assert_eq!(refactor.abort().unwrap(), 2);
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
