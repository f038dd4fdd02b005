//! What a branch sees: merges, rebases, branches apart, worktrees at once.

use super::repo::Repo;

const BASE: &str = "def f():\n    return 1\n\n\ndef g():\n    return 1\n";

#[test]
fn branches_see_their_own_commits() {
    let repo = Repo::new();
    repo.write("a.py", BASE).commit("Start");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("a.py", &BASE.replacen("return 1", "return 2", 1)).commit("Side");
    repo.sync();
    repo.git(&["checkout", "-q", "main"]);
    repo.write("a.py", &BASE.replacen("return 1", "return 3", 1)).commit("Main");
    repo.sync();
    assert_eq!(repo.story("a.py#f:function"), ["modified Main", "added Start"]);
    repo.git(&["checkout", "-q", "side"]);
    assert_eq!(repo.sync().commits_added, 0);
    assert_eq!(repo.story("a.py#f:function"), ["modified Side", "added Start"]);
}

#[test]
fn a_merge_keeps_both_sides_symbols() {
    let repo = Repo::new();
    repo.write("a.py", BASE).write("b.py", "X = 1\n").commit("Start");
    repo.git(&["checkout", "-q", "-b", "side"]);
    let added = "\n\ndef side(value):\n    return compute(value, value, value)\n";
    repo.write("a.py", &format!("{}{added}", BASE.replacen("return 1", "return 2", 1))).commit("Side");
    repo.sync();
    let side = repo.stable_id("a.py#side:function");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("b.py", "X = 2\n").commit("Main");
    repo.git(&["merge", "-q", "--no-edit", "-m", "Merge", "side"]);
    repo.sync();
    assert_eq!(repo.stable_id("a.py#side:function"), side);
    assert_eq!(repo.story("a.py#side:function"), ["modified Merge", "added Side"]);
    assert_eq!(repo.story("a.py#f:function"), ["modified Merge", "modified Side", "added Start"]);
    assert_eq!(repo.story("b.py#X:const"), ["modified Main", "added Start"]);
    repo.write(
        "a.py",
        &format!("{}{}", BASE.replacen("return 1", "return 2", 1), added.replace("value", "given")),
    )
    .commit("After");
    repo.sync();
    assert_eq!(repo.stable_id("a.py#side:function"), side, "the line goes on");
}

#[test]
fn a_symbol_renamed_on_a_branch_keeps_its_id_through_the_merge() {
    let body = "(items):\n    return sum(item.price for item in items)\n";
    let repo = Repo::new();
    repo.write("a.py", &format!("def total{body}")).write("b.py", "X = 1\n").commit("Start");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("a.py", &format!("def amount{body}")).commit("Rename");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("b.py", "X = 2\n").commit("Main");
    repo.sync();
    let id = repo.stable_id("a.py#total:function");
    repo.git(&["merge", "-q", "--no-edit", "-m", "Merge", "side"]);
    repo.sync();
    assert_eq!(repo.stable_id("a.py#amount:function"), id);
    assert_eq!(repo.lineage("a.py#amount:function").len(), 1);
}

#[test]
fn two_branches_that_make_the_same_symbol_keep_their_own() {
    let repo = Repo::new();
    repo.write("a.py", BASE).commit("Start");
    let same = format!("{BASE}\n\ndef same():\n    return 1\n");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("a.py", &same).commit("Side");
    repo.sync();
    let side = repo.stable_id("a.py#same:function");
    repo.git(&["checkout", "-q", "main"]);
    repo.write("c.py", "Y = 1\n").commit("Apart");
    repo.write("a.py", &same).commit("Main");
    repo.sync();
    let main = repo.stable_id("a.py#same:function");
    assert_ne!(main, side);
    repo.write("a.py", &same.replace("same():\n    return 1", "same():\n    return 2")).commit("Later");
    repo.sync();
    assert_eq!(repo.stable_id("a.py#same:function"), main, "the branch beside does not show");
    repo.git(&["merge", "-q", "--no-edit", "-X", "ours", "-m", "Merge", "side"]);
    repo.sync();
    assert_eq!(repo.stable_id("a.py#same:function"), main, "the first parent counts");
}

#[test]
fn a_rebase_drops_nothing_and_adds_what_is_new() {
    let repo = Repo::new();
    repo.write("a.py", BASE).commit("Start");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("a.py", &BASE.replacen("return 1", "return 2", 1)).commit("Side");
    repo.sync();
    let old = repo.head();
    repo.git(&["checkout", "-q", "main"]);
    repo.write("b.py", "X = 1\n").commit("Main");
    repo.git(&["checkout", "-q", "side"]);
    repo.git(&["rebase", "-q", "main"]);
    assert_ne!(repo.head(), old);
    assert_eq!(repo.sync().commits_added, 2);
    assert_eq!(repo.story("a.py#f:function"), ["modified Side", "added Start"]);
    // The old commit is gone from git for good; the history still has it, and goes on.
    repo.git(&["reflog", "expire", "--expire=now", "--all"]);
    repo.git(&["gc", "-q", "--prune=now"]);
    repo.write("a.py", &BASE.replacen("return 1", "return 4", 1)).commit("Next");
    let report = repo.sync();
    assert_eq!((report.commits_added, report.commits), (1, 5));
    repo.git(&["checkout", "-q", "--detach"]);
    assert_eq!(
        repo.story("a.py#f:function"),
        ["modified Next", "modified Side", "added Start"],
        "detached HEAD"
    );
}

#[test]
fn an_answer_says_how_far_it_is_behind() {
    let repo = Repo::new();
    repo.write("a.py", BASE).commit("Start");
    repo.sync();
    assert_eq!(repo.history("a.py#f:function").staleness, None);
    repo.write("a.py", &BASE.replacen("return 1", "return 2", 1)).commit("Two");
    repo.write("a.py", &BASE.replacen("return 1", "return 3", 1)).commit("Three");
    let answer = repo.history("a.py#f:function");
    let stale = answer.staleness.unwrap();
    assert_eq!((stale.commits_behind, stale.remedy.as_str()), (2, "orbit graph sync --history"));
    assert_eq!(answer.commits.len(), 1);
}

#[test]
fn worktrees_share_one_history_and_sync_at_once() {
    let repo = Repo::new();
    for n in 0..20 {
        repo.write("a.py", &format!("def f():\n    return {n}\n")).commit(&format!("C{n}"));
    }
    repo.git(&["worktree", "add", "-q", "../linked", "-b", "linked"]);
    let linked = repo.beside("linked");
    linked.write("b.py", "def only_here():\n    pass\n").commit("Linked");
    let reports: Vec<_> = std::thread::scope(|scope| {
        let started: Vec<_> =
            [&repo, &linked, &repo, &linked].map(|at| scope.spawn(|| at.sync())).into_iter().collect();
        started.into_iter().map(|handle| handle.join().unwrap()).collect()
    });
    let added: usize = reports.iter().map(|report| report.commits_added).sum();
    assert_eq!(added, 21, "every commit is read once, by whoever comes first");
    assert!(reports.iter().all(|report| report.database_path == reports[0].database_path));
    assert!(
        repo.root().join(".orbit/history.db").exists() && !linked.root().join(".orbit/history.db").exists()
    );
    assert_eq!(repo.story("a.py#f:function").len(), 20);
    assert_eq!(linked.story("b.py#only_here:function"), ["added Linked"]);
    assert!(repo.story("b.py#only_here:function").is_empty(), "main does not see the other branch");
    let ignored = repo.git(&["status", "--porcelain"]);
    assert_eq!(ignored, "", "nothing of the history shows in git");
}
