//! Refusals that need more than files and requests: permissions, links, and somebody who writes meanwhile.

use crate::repo::{Repo, refused, select};
use orbit_refactor::RenameOptions;

const FIXTURE: &str = "
==> a.py
def total(items):
    return sum(items)
==> b.py
from a import total


def use():
    return total([1])
";

#[test]
fn files_that_cannot_be_written() {
    let repo = Repo::new(FIXTURE);
    let file = repo.root().join("b.py");
    let mut permissions = file.metadata().unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&file, permissions.clone()).unwrap();
    assert_eq!(refused(&repo, repo.rename("symbol:a.py#total:function", "gross")), "read_only");
    #[expect(clippy::permissions_set_readonly_false, reason = "the file is gone in a moment")]
    permissions.set_readonly(false);
    std::fs::set_permissions(&file, permissions).unwrap();
}

#[test]
fn files_that_changed_since_the_plan() {
    let repo = Repo::new(FIXTURE);
    let refactor = repo.open();
    let plan =
        refactor.rename(&select("symbol:a.py#total:function"), "gross", RenameOptions::default()).unwrap();
    let meanwhile = format!("{}# meanwhile\n", repo.read("b.py"));
    repo.write("b.py", &meanwhile);
    assert_eq!(refactor.apply(&plan, true).expect_err("it changed").code(), "changed");
    assert_eq!(repo.read("b.py"), meanwhile);
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
