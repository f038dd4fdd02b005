//! Bodies, signatures, new and gone definitions, splits and merges.

use crate::repo::{Repo, refused, select};
use orbit_refactor::Part;

const FIXTURE: &str = "//- a.py\ndef one(x):\n    # begin\n    return x + 1\n\n\n# About two.\n@cached\ndef two(x):\n    return x + 2\n\n\ndef three():\n    return two(1)\n//- a.rs\npub fn f(a: u32) -> u32 {\n    a\n}\n";

#[test]
fn a_body_is_replaced_and_indented() {
    let repo = Repo::new(FIXTURE);
    repo.run(|refactor| {
        refactor.change_body(&select("symbol:a.py#one:function"), "if x:\n    return 1\nreturn 2\n")
    })
    .unwrap();
    assert!(
        repo.read("a.py")
            .starts_with("def one(x):\n    if x:\n        return 1\n    return 2\n\n\n# About two."),
        "{}",
        repo.read("a.py")
    );
    repo.run(|refactor| refactor.change_body(&select("symbol:a.rs#f:function"), "a + 1")).unwrap();
    assert_eq!(repo.read("a.rs"), "pub fn f(a: u32) -> u32 {\n    a + 1\n}\n");
    assert_eq!(repo.open().abort().unwrap(), 2);
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn calls_that_no_longer_fit_are_listed() {
    let repo = Repo::new(FIXTURE);
    let refactor = repo.open();
    let plan = refactor.change_signature(&select("symbol:a.py#two:function"), "def two(x, y)").unwrap();
    assert_eq!(plan.review.len(), 1, "{:?}", plan.review);
    refactor.apply(&plan, false).unwrap();
    assert!(repo.read("a.py").contains("# About two.\n@cached\ndef two(x, y):\n    return x + 2\n"));
}

#[test]
fn what_is_used_is_not_deleted() {
    let repo = Repo::new(FIXTURE);
    let two = select("symbol:a.py#two:function");
    assert_eq!(refused(&repo, repo.run(|refactor| refactor.delete(&two, false))), "still_used");
    repo.run(|refactor| refactor.delete(&select("symbol:a.py#three:function"), false)).unwrap();
    repo.run(|refactor| refactor.delete(&two, false)).unwrap();
    assert_eq!(repo.read("a.py"), "def one(x):\n    # begin\n    return x + 1\n");
}

#[test]
fn a_definition_is_made_once() {
    let repo = Repo::new(FIXTURE);
    let body = "def four():\n    return 4\n";
    repo.run(|refactor| refactor.create("new/b.py", "four", Some("function"), body)).unwrap();
    assert_eq!(repo.read("new/b.py"), body);
    let again = repo.run(|refactor| refactor.create("new/b.py", "four", None, body));
    assert_eq!(again.expect_err("it is there").code(), "taken");
    let other = repo.run(|refactor| refactor.create("new/b.py", "five", None, body));
    assert_eq!(other.expect_err("it defines something else").code(), "not_defined");
}

#[test]
fn one_becomes_two_and_two_become_one() {
    let repo = Repo::new(FIXTURE);
    let part = |name: &str, file: Option<&str>| Part {
        file: file.map(str::to_owned),
        name: name.to_owned(),
        kind: None,
        body: format!("def {name}(x):\n    return x\n"),
    };
    let parts = [part("left", None), part("right", Some("b.py"))];
    repo.run(|refactor| refactor.split(&select("symbol:a.py#one:function"), &parts, false)).unwrap();
    assert!(
        repo.read("a.py").starts_with("def left(x):\n    return x\n\n\n# About two."),
        "{}",
        repo.read("a.py")
    );
    assert_eq!(repo.read("b.py"), "def right(x):\n    return x\n");
    let sources = [select("symbol:a.py#left:function"), select("symbol:b.py#right:function")];
    repo.run(|refactor| refactor.merge(&sources, &part("both", None), false)).unwrap();
    assert!(repo.read("a.py").starts_with("def both(x):\n    return x\n\n\n# About two."));
    assert_eq!(repo.read("b.py"), "");
}
