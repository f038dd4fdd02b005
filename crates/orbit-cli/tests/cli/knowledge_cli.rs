//! Tasks and knowledge on the command line: tables for people, the tool's data for programs, files that git merges.

use crate::program::{Outcome, outcome};
use crate::worktree::Worktree;
use serde_json::Value;
use std::process::{Command, Stdio};

const SHOP: &str = "def total(items):\n    amount = 0\n    for item in items:\n        amount += item.price\n    return amount\n\n\ndef empty():\n    return []\n";

fn run(worktree: &Worktree, args: &[&str]) -> Outcome {
    let mut command = Command::new(env!("CARGO_BIN_EXE_orbit"));
    command.args(args).current_dir(worktree.root()).stdin(Stdio::null());
    command.env("HOME", "/nonexistent").env("GIT_CONFIG_NOSYSTEM", "1").env_remove("ORBIT_KNOWLEDGE_DB");
    outcome(command.output().expect("the program runs"))
}

fn said(worktree: &Worktree, args: &[&str]) -> String {
    run(worktree, args).success()
}

fn data(worktree: &Worktree, args: &[&str]) -> Value {
    let mut args = args.to_vec();
    args.push("--json");
    run(worktree, &args).json()
}

/// A repository with a project and a task.
fn shop() -> Worktree {
    let worktree = Worktree::repository();
    worktree.write("src/shop.py", SHOP);
    worktree.commit("first");
    said(&worktree, &["project", "create", "Shop"]);
    said(&worktree, &["task", "create", "Empty carts", "--priority", "high", "--tag", "cart"]);
    worktree
}

#[test]
fn a_task_goes_from_new_to_closed() {
    let worktree = shop();
    said(&worktree, &["feature", "create", "Carts"]);
    said(&worktree, &["task", "create", "Full carts", "--feature", "Carts", "--priority", "low"]);
    said(&worktree, &["task", "block", "Full carts", "--by", "Empty carts"]);
    let list = said(&worktree, &["task", "list"]);
    assert!(list.starts_with("ID        STATUS  PRIORITY  TITLE"), "{list}");
    assert!(
        list.contains("HIGH      Empty carts") && list.contains("LOW       Full carts   blocked by 1"),
        "{list}"
    );
    let next = data(&worktree, &["task", "next", "--claim", "--actor", "ada"]);
    assert_eq!(
        (&next["task"]["title"], &next["task"]["claim"]["actor"]),
        (&"Empty carts".into(), &"ada".into())
    );
    assert_eq!(data(&worktree, &["task", "next"])["task"], Value::Null, "what is claimed is not offered");
    let error = run(&worktree, &["task", "advance", "Full carts", "--json"]).error();
    assert_eq!(error["code"], "BLOCKED");
    let error = run(&worktree, &["task", "advance", "Empty carts", "--at", "9", "--json"]).error();
    assert_eq!(error["code"], "CONFLICT", "{error}");
    assert!(error["hint"].as_str().is_some_and(|hint| hint.contains("version")), "{error}");
    said(&worktree, &["task", "advance", "Empty carts", "--actor", "ada"]);
    let error = run(&worktree, &["task", "advance", "Empty carts", "--actor", "bob", "--json"]).error();
    assert!(error["message"].as_str().is_some_and(|text| text.contains("is held by ada")), "{error}");
    let closed = said(&worktree, &["task", "advance", "Empty carts", "--actor", "ada"]);
    assert!(closed.contains("ACTIVE → CLOSED") && closed.contains("Auto-unblocked 1"), "{closed}");
    let shown = said(&worktree, &["task", "show", "Empty carts"]);
    assert!(shown.contains("tags: cart") && shown.contains("NEW → ACTIVE by ada"), "{shown}");
    let board = said(&worktree, &["board"]);
    assert!(board.contains("NEW 1\n") && board.contains("CLOSED 1\n"), "{board}");
    let id = data(&worktree, &["task", "show", "Full carts"])["task"]["id"].as_str().unwrap().to_owned();
    assert!(said(&worktree, &["task", "show", &id[..8]]).starts_with("Full carts"));
    assert_eq!(run(&worktree, &["task", "show", "nothing", "--json"]).error()["code"], "knowledge_failed");
    said(&worktree, &["task", "delete", &id]);
    assert_eq!(data(&worktree, &["task", "list"])["total"], 1);
}

#[test]
fn knowledge_says_what_changed_since() {
    let worktree = shop();
    let made = said(
        &worktree,
        &[
            "knowledge",
            "atom",
            "create",
            "Carts",
            "--task",
            "Empty carts",
            "--path",
            "src/**",
            "--anchor",
            "total",
            "--knowledge",
            "prices are in cents",
        ],
    );
    assert!(made.contains("Carts (fresh)"), "{made}");
    worktree.write("src/shop.py", SHOP.replace("amount += item.price", "amount += item.price * 2"));
    let list = said(&worktree, &["knowledge", "atom", "list"]);
    assert!(list.contains("body_drifted  Carts"), "{list}");
    let context = said(&worktree, &["knowledge", "context", "src/shop.py", "docs/none.md"]);
    assert!(context.contains("### Carts [body_drifted]"), "{context}");
    assert!(context.contains("symbol:src/shop.py#total:function (not committed)"), "{context}");
    assert!(
        context.contains("prices are in cents\n") && context.ends_with("not covered docs/none.md\n"),
        "{context}"
    );
    said(&worktree, &["knowledge", "atom", "reaffirm", "Carts"]);
    assert_eq!(data(&worktree, &["knowledge", "atom", "show", "Carts"])["atom"]["freshness"], "fresh");
    said(&worktree, &["knowledge", "changelog", "append", "Carts", "doubled", "--task", "Empty carts"]);
    assert!(said(&worktree, &["knowledge", "changelog", "list", "Carts"]).ends_with("doubled\n"));
    let coverage = data(&worktree, &["knowledge", "coverage"]);
    assert_eq!(
        (&coverage["files"]["total"], &coverage["files"]["fresh"]),
        (&1.into(), &1.into()),
        "{coverage}"
    );
    worktree.commit("done");
    worktree.git(&["mv", "src/shop.py", "src/store.py"]);
    worktree.commit("moved");
    let followed = said(&worktree, &["knowledge", "follow"]);
    assert!(
        followed.contains("followed") && followed.contains("file:src/shop.py → file:src/store.py"),
        "{followed}"
    );
    assert_eq!(said(&worktree, &["knowledge", "follow"]), "every anchor is where it was\n");
    let backup = worktree.path("backup.db");
    said(&worktree, &["knowledge", "backup", &backup.display().to_string()]);
    assert!(backup.exists());
}

#[test]
fn packs_bring_what_is_known_about_their_files() {
    let worktree = shop();
    said(
        &worktree,
        &[
            "knowledge",
            "atom",
            "create",
            "Carts",
            "--task",
            "Empty carts",
            "--path",
            "src/**",
            "--knowledge",
            "prices are in cents",
        ],
    );
    let pack = data(&worktree, &["graph", "pack", "total"]);
    let entries = pack["entries"].as_array().unwrap();
    let atom = entries.iter().find(|entry| entry["kind"] == "atom").unwrap_or_else(|| panic!("{pack}"));
    assert_eq!(atom["text"], "Carts\nprices are in cents");
}

#[test]
fn suggestions_stay_apart_until_they_are_promoted() {
    let worktree = shop();
    worktree.write("src/pay/a.py", "from pay.b import two\n\n\ndef one():\n    return two()\n");
    worktree.write("src/pay/b.py", "from pay.c import three\n\n\ndef two():\n    return three()\n");
    worktree.write("src/pay/c.py", "def three():\n    return 3\n");
    worktree.commit("pay");
    for round in 0..4 {
        for file in ["a", "b", "c"] {
            let text = std::fs::read_to_string(worktree.path(&format!("src/pay/{file}.py"))).unwrap();
            worktree.write(
                &format!("src/pay/{file}.py"),
                format!("{text}\n\ndef more_{round}_{file}():\n    pass\n"),
            );
        }
        worktree.commit("more");
    }
    let drafts = data(&worktree, &["knowledge", "suggest"]);
    assert_eq!(drafts["suggestions"][0]["name"], "src/pay", "{drafts}");
    assert_eq!(drafts["suggestions"][0]["arguments"]["paths"], serde_json::json!(["src/pay/*"]));
    said(&worktree, &["knowledge", "suggest", "--write", "--task", "Empty carts"]);
    assert_eq!(data(&worktree, &["knowledge", "atom", "list"])["total"], 0, "drafts are not knowledge");
    let context = data(&worktree, &["knowledge", "context", "src/pay/a.py"]);
    assert_eq!(context["unmatchedPaths"], serde_json::json!(["src/pay/a.py"]));
    assert!(said(&worktree, &["knowledge", "atom", "list", "--proposed"]).contains("src/pay"));
    assert_eq!(
        data(&worktree, &["knowledge", "suggest"])["total"],
        0,
        "what is proposed is not proposed again"
    );
    said(&worktree, &["knowledge", "atom", "promote", "src/pay"]);
    assert_eq!(data(&worktree, &["knowledge", "atom", "list"])["total"], 1);
    assert_eq!(
        run(&worktree, &["knowledge", "atom", "promote", "src/pay", "--json"]).error()["code"],
        "INVALID_OPERATION"
    );
}

#[test]
fn two_branches_that_edit_different_atoms_merge_in_git() {
    let worktree = shop();
    for name in ["One", "Two"] {
        said(
            &worktree,
            &[
                "knowledge",
                "atom",
                "create",
                name,
                "--task",
                "Empty carts",
                "--path",
                "src/**",
                "--knowledge",
                "as it was",
            ],
        );
    }
    let commit = |message: &str| {
        said(&worktree, &["knowledge", "export", "--dir", "knowledge"]);
        worktree.commit(message);
    };
    commit("exported");
    worktree.git(&["branch", "other"]);
    said(&worktree, &["knowledge", "atom", "update", "One", "--knowledge", "from main"]);
    commit("main");
    let ours = worktree.path("ours.db").display().to_string();
    said(&worktree, &["knowledge", "backup", &ours]);
    worktree.git(&["checkout", "-q", "other"]);
    // The other branch has a store of its own, filled from its files.
    let theirs = worktree.path("theirs.db").display().to_string();
    said(&worktree, &["knowledge", "import", "--dir", "knowledge", "--db", &theirs]);
    said(&worktree, &["knowledge", "atom", "update", "Two", "--knowledge", "from other", "--db", &theirs]);
    said(&worktree, &["knowledge", "export", "--dir", "knowledge", "--db", &theirs]);
    worktree.commit("other");
    worktree.git(&["checkout", "-q", "main"]);
    worktree.git(&["merge", "-q", "--no-edit", "other"]);
    let done = data(&worktree, &["knowledge", "import", "--dir", "knowledge"]);
    assert_eq!(
        (&done["changed"], &done["unchanged"], &done["conflicts"]),
        (&1.into(), &1.into(), &serde_json::json!([])),
        "{done}"
    );
    for (name, text) in [("One", "from main"), ("Two", "from other")] {
        assert_eq!(data(&worktree, &["knowledge", "atom", "show", name])["atom"]["knowledge"], text);
    }
    let again = data(&worktree, &["knowledge", "export", "--dir", "knowledge"]);
    assert_eq!(
        (&again["written"], &again["removed"]),
        (&0.into(), &0.into()),
        "the merge is what the store says"
    );
}

#[test]
fn skills_are_written_where_clients_look() {
    let worktree = shop();
    said(&worktree, &["skills", "install", "--client", "claude-code"]);
    let skill = std::fs::read_to_string(worktree.path(".claude/skills/orbit-execution/SKILL.md")).unwrap();
    assert!(skill.starts_with("---\nname: orbit-execution\ndescription: "), "{skill}");
    let printed = said(&worktree, &["skills", "install", "--client", "codex", "--print"]);
    assert!(printed.contains("AGENTS.md:") && !worktree.path("AGENTS.md").exists(), "{printed}");
}

#[test]
fn a_damaged_store_is_set_aside_and_a_backup_brought_back() {
    let worktree = shop();
    let db = worktree.root().join(".orbit/knowledge.db");
    // The copy of today was made before there was a task; a later one has it.
    let copy = worktree.root().join(".orbit/backups/knowledge-9999-01-01.db");
    said(&worktree, &["knowledge", "backup", copy.to_str().unwrap()]);
    let listed = said(&worktree, &["knowledge", "restore", "--list"]);
    assert_eq!(listed.lines().count(), 2, "{listed}");
    for end in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{end}", db.display()));
    }
    std::fs::write(&db, "not a database, but long enough to be taken for one\n".repeat(100)).unwrap();
    let error = run(&worktree, &["task", "list", "--json"]).error();
    assert_eq!(error["code"], "knowledge_damaged");
    assert!(error["hint"].as_str().unwrap().contains("orbit knowledge restore"), "{error}");
    assert!(!db.exists());
    assert!(said(&worktree, &["knowledge", "restore"]).contains("knowledge-9999-01-01.db"));
    assert!(said(&worktree, &["task", "list"]).contains("Empty carts"));
}

#[test]
fn reserved_paths_are_guarded() {
    let worktree = shop();
    said(&worktree, &["task", "reserve", "Empty carts", "src/**", "--actor", "ada"]);
    let warned = run(&worktree, &["task", "guard", "src/shop.py", "--actor", "bob", "--json"]).json();
    assert_eq!((&warned["setting"], &warned["reserved"][0]["actor"]), (&"warn".into(), &"ada".into()));
    let own = run(&worktree, &["task", "guard", "src/shop.py", "--actor", "ada", "--json"]).json();
    assert_eq!(own["reserved"], serde_json::json!([]));
    worktree.write(".orbit/config.toml", "[guard]\nreserved = \"refuse\"\n");
    let error = run(&worktree, &["task", "guard", "src/shop.py", "--actor", "bob", "--json"]).error();
    assert_eq!(error["code"], "reserved");
    let error = run(&worktree, &["refactor", "rename", "total", "sum_up", "--json"]).error();
    assert_eq!(error["code"], "reserved", "{error}");
    assert!(error["message"].as_str().unwrap().contains("reserved by ada"), "{error}");
    said(&worktree, &["task", "release", "Empty carts", "--actor", "ada"]);
    said(&worktree, &["task", "guard", "src/shop.py", "--actor", "bob"]);
    let hook = said(&worktree, &["task", "guard", "--install"]);
    assert!(hook.contains("pre-commit"), "{hook}");
    assert!(said(&worktree, &["task", "guard", "--install"]).contains("already"));
}

#[test]
fn two_appends_to_one_atom_merge() {
    let worktree = shop();
    let atom = |operation: &[&str]| {
        let mut args = vec!["knowledge", "atom"];
        args.extend(operation);
        said(&worktree, &args)
    };
    let export = || said(&worktree, &["knowledge", "export", "--dir", ".orbit/knowledge"]);
    let import = || said(&worktree, &["knowledge", "import", "--dir", ".orbit/knowledge"]);
    said(&worktree, &["knowledge", "merge-driver", "--install"]);
    let driver = format!("{} knowledge merge-driver %O %A %B %P", env!("CARGO_BIN_EXE_orbit"));
    worktree.git(&["config", "merge.orbit-knowledge.driver", &driver]);
    atom(&[
        "create",
        "Carts",
        "--task",
        "Empty carts",
        "--path",
        "src/**",
        "--knowledge",
        "prices are in cents",
    ]);
    export();
    worktree.git(&["add", "-A"]);
    worktree.git(&["commit", "-qm", "knowledge"]);
    let text = |line: &str| {
        let dir = worktree.root().join(".orbit/knowledge");
        let project = std::fs::read_dir(&dir).unwrap().flatten().find(|it| it.path().is_dir()).unwrap();
        let atoms = project.path().join("atoms");
        let file = std::fs::read_dir(atoms).unwrap().flatten().next().unwrap().path();
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, format!("{text}\n{line}\n")).unwrap();
    };
    worktree.git(&["checkout", "-qb", "other"]);
    text("said over there");
    worktree.git(&["commit", "-qam", "there"]);
    worktree.git(&["checkout", "-q", "-"]);
    atom(&["update", "Carts", "--append", "said over here", "--task", "Empty carts"]);
    export();
    worktree.git(&["commit", "-qam", "here"]);
    worktree.git(&["merge", "-q", "--no-edit", "other"]);
    let kept = run(&worktree, &["knowledge", "export", "--dir", ".orbit/knowledge", "--json"]).json();
    assert_eq!(kept["kept"].as_array().map(Vec::len), Some(1), "what git brought is not overwritten: {kept}");
    import();
    let shown = atom(&["show", "Carts"]);
    assert!(shown.contains("said over there") && shown.contains("said over here"), "{shown}");
}
