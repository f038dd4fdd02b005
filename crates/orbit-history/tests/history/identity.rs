//! Stable ids stay through every rename, and lineage says how that is known.

use super::repo::Repo;

const TOTAL: &str = "def total(items):\n    return sum(item.price for item in items if item.price)\n";
const AMOUNT: &str = "def amount(items):\n    return sum(item.price for item in items if item.price)\n";
const OTHER: &str = "\n\ndef other():\n    pass\n";

#[test]
fn a_renamed_symbol_keeps_its_id() {
    let repo = Repo::new();
    repo.write("a.py", &format!("{TOTAL}{OTHER}")).commit("Start");
    repo.sync();
    let id = repo.stable_id("a.py#total:function");
    repo.write("a.py", &format!("{AMOUNT}{OTHER}")).commit("Rename");
    repo.write("a.py", &format!("{}{OTHER}", AMOUNT.replace("if item.price", ""))).commit("Later");
    repo.sync();
    assert_eq!(repo.stable_id("a.py#amount:function"), id);
    assert_eq!(repo.story("a.py#amount:function"), ["modified Later", "renamed Rename", "added Start"]);
    assert_eq!(
        repo.lineage("a.py#amount:function"),
        ["renamed a.py#total:function -> a.py#amount:function inferred"]
    );
    assert_eq!(repo.stable_id("a.py#total:function"), id, "the old name leads to the same symbol");
}

#[test]
fn a_renamed_file_keeps_its_symbols() {
    let repo = Repo::new();
    let rest = "\n\nRATES = {\n    'a': 1,\n    'b': 2,\n    'c': 3,\n    'd': 4,\n}\n";
    repo.write("a.py", &format!("{TOTAL}{OTHER}{rest}")).commit("Start");
    repo.git(&["mv", "a.py", "b.py"]);
    let edited = TOTAL.replace("if item.price", "if item.net");
    repo.write("b.py", &format!("{edited}{OTHER}{rest}")).commit("Move and edit");
    repo.sync();
    assert_eq!(repo.story("b.py#total:function"), ["moved Move and edit", "added Start"]);
    assert_eq!(repo.story("b.py#other:function"), ["moved Move and edit", "added Start"]);
    assert_eq!(
        repo.lineage("b.py#total:function"),
        ["moved a.py#total:function -> b.py#total:function matched"]
    );
    assert_eq!(repo.story("file:b.py"), ["moved Move and edit", "added Start"]);
    assert_eq!(repo.lineage("file:b.py"), ["moved file:a.py -> file:b.py matched"]);
}

#[test]
fn a_symbol_moved_between_files_keeps_its_id() {
    let repo = Repo::new();
    repo.write("a.py", &format!("{TOTAL}{OTHER}")).write("b.py", "X = 1\n").commit("Start");
    repo.write("a.py", OTHER).write("b.py", &format!("X = 1\n\n\n{TOTAL}")).commit("Move");
    repo.sync();
    assert_eq!(repo.story("b.py#total:function"), ["moved Move", "added Start"]);
    assert_eq!(
        repo.lineage("b.py#total:function"),
        ["moved a.py#total:function -> b.py#total:function inferred"]
    );
}

#[test]
fn a_renamed_class_takes_its_members_along() {
    let text = "class Cart:\n    limit = 10\n\n    def add(self, item):\n        self.items.append(item)\n";
    let repo = Repo::new();
    repo.write("a.py", text).commit("Start");
    repo.write("a.py", &text.replace("Cart", "Basket")).commit("Basket");
    repo.sync();
    assert_eq!(repo.story("a.py#Basket.limit:field"), ["renamed Basket", "added Start"]);
    assert_eq!(repo.story("a.py#Basket.add:method"), ["renamed Basket", "added Start"]);
}

#[test]
fn a_split_without_a_log_is_a_deletion_and_new_symbols() {
    let repo = Repo::new();
    repo.write("a.py", "def both(x):\n    first(x.alpha.beta.gamma)\n    second(x.delta.epsilon)\n")
        .commit("Start");
    repo.write(
        "a.py",
        "def one(x):\n    first(x.alpha.beta.gamma)\n\n\ndef two(x):\n    second(x.delta.epsilon)\n",
    )
    .commit("Split");
    repo.sync();
    assert_eq!(repo.story("a.py#both:function"), ["deleted Split", "added Start"]);
    assert_eq!(repo.story("a.py#one:function"), ["added Split"]);
    assert!(repo.lineage("a.py#one:function").is_empty());
}

#[test]
fn two_symbols_with_one_body_are_not_guessed_at() {
    let repo = Repo::new();
    let copy = AMOUNT.replace("amount", "copied");
    repo.write("a.py", TOTAL).commit("Start");
    repo.write("a.py", &format!("{AMOUNT}\n\n{copy}")).commit("Two");
    repo.sync();
    assert_eq!(repo.story("a.py#amount:function"), ["added Two"]);
    assert_eq!(repo.story("a.py#copied:function"), ["added Two"]);
    assert_eq!(repo.story("a.py#total:function"), ["deleted Two", "added Start"]);
}

#[test]
fn what_is_made_again_is_somebody_else() {
    let repo = Repo::new();
    repo.write("a.py", &format!("{TOTAL}{OTHER}")).commit("Start");
    repo.sync();
    let id = repo.stable_id("a.py#total:function");
    repo.write("a.py", OTHER).commit("Gone");
    repo.sync();
    assert_eq!(repo.story("a.py#total:function"), ["deleted Gone", "added Start"]);
    repo.write("a.py", &format!("{TOTAL}{OTHER}")).commit("Again");
    repo.sync();
    assert_ne!(repo.stable_id("a.py#total:function"), id);
    assert_eq!(repo.story("a.py#total:function"), ["added Again"]);
}

#[test]
fn a_revert_is_a_change_like_any_other() {
    let repo = Repo::new();
    repo.write("a.py", &format!("{TOTAL}{OTHER}")).commit("Start");
    repo.write("a.py", &format!("{}{OTHER}", TOTAL.replace("price", "net"))).commit("Net");
    repo.git(&["revert", "--no-edit", "HEAD"]);
    repo.sync();
    assert_eq!(repo.story("a.py#total:function"), ["modified Revert \"Net\"", "modified Net", "added Start"]);
}

#[test]
fn ids_survive_everything_that_is_read_again() {
    let repo = Repo::new();
    repo.write("a.py", &format!("{TOTAL}{OTHER}")).commit("Start");
    repo.write("a.py", &format!("{AMOUNT}{OTHER}")).commit("Rename");
    repo.sync();
    let before = [repo.stable_id("a.py#amount:function"), repo.stable_id("a.py#other:function")];
    // A log that says nothing makes both commits be read again.
    for commit in [repo.git(&["rev-parse", "HEAD~1"]), repo.head()] {
        let log = format!(
            r#"{{"schemaVersion":1,"commitSha":"{commit}","producer":{{"name":"p","version":"1"}},"operations":[]}}"#
        );
        repo.write(&format!(".orbit/operations/{commit}.json"), &log);
    }
    let report = repo.sync();
    assert_eq!(report.commits_added, 2);
    assert_eq!([repo.stable_id("a.py#amount:function"), repo.stable_id("a.py#other:function")], before);
    assert_eq!(repo.sync().commits_added, 0);
}

#[test]
fn a_walk_in_steps_finds_what_a_walk_at_once_finds() {
    let stepwise = Repo::new();
    let texts = [
        format!("{TOTAL}{OTHER}"),
        format!("{AMOUNT}{OTHER}"),
        AMOUNT.to_owned(),
        format!("X = 1\n\n{AMOUNT}"),
    ];
    for (n, text) in texts.iter().enumerate() {
        stepwise.write("a.py", text).commit(&format!("C{n}"));
        assert_eq!(stepwise.sync().commits_added, 1);
    }
    let at_once = stepwise.beside("at-once");
    stepwise.git(&["clone", "-q", ".", "../at-once"]);
    assert_eq!(at_once.sync().commits_added, 4);
    for symbol in ["a.py#amount:function", "a.py#other:function", "a.py#X:const", "a.py#total:function"] {
        assert_eq!(stepwise.story(symbol), at_once.story(symbol), "{symbol}");
        assert_eq!(stepwise.lineage(symbol), at_once.lineage(symbol), "{symbol}");
    }
}

#[test]
fn every_clone_gives_the_same_ids() {
    let origin = Repo::new();
    origin.write("a.py", &format!("{TOTAL}{OTHER}")).commit("Start");
    origin.write("a.py", &format!("{AMOUNT}{OTHER}")).commit("Rename");
    origin.git(&["checkout", "-q", "-b", "side", "HEAD~1"]);
    origin.write("b.py", TOTAL).commit("Side");
    origin.git(&["checkout", "-q", "main"]);
    origin.git(&["merge", "-q", "--no-edit", "side"]);
    origin.git(&["clone", "-q", &origin.root().display().to_string(), "../clone"]);
    let clone = origin.beside("clone");
    // One clone reads everything at once, the other one branch after the other.
    clone.sync();
    origin.git(&["checkout", "-q", "side"]);
    origin.sync();
    origin.git(&["checkout", "-q", "main"]);
    origin.sync();
    for selector in ["a.py#amount:function", "a.py#other:function", "b.py#total:function"] {
        assert_eq!(origin.stable_id(selector), clone.stable_id(selector), "{selector}");
    }
}
