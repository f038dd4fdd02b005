//! The repository is tidy, and every rule notices when it is broken.

use super::edges::CRATES;
use super::findings;
use crate::project::{git, root};
use std::fmt::Write as _;
use std::path::Path;

#[test]
fn the_repository_is_tidy() {
    let found: Vec<String> = findings(&root()).unwrap().iter().map(ToString::to_string).collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// Files of a small tidy repository, then changed by a test.
struct Seed(Vec<(String, String)>);

impl Seed {
    fn tidy() -> Seed {
        let mut table = String::from("| crate | purpose | may use | state |\n|---|---|---|---|\n");
        for (name, uses) in CRATES {
            let uses: Vec<String> = uses.iter().map(|used| format!("`{used}`")).collect();
            let state = if matches!(name, "orbit-extract" | "orbit-graph") { "here" } else { "to come" };
            let _ = writeln!(table, "| `{name}` | … | {} | {state} |", uses.join(", "));
        }
        Seed(Vec::new())
            .with("ARCHITECTURE.md", &table)
            .with("README.md", "```sh\nrun\n```\n```sh\n./scripts/test\n```\n")
            .with(".ci/run", "#!/bin/sh\n./scripts/test\n")
            .with("crates/orbit-extract/Cargo.toml", "[dependencies]\ntree-sitter = \"1\"\n")
            .with("crates/orbit-extract/src/lib.rs", "use tree_sitter::Parser;\n")
            .with("crates/orbit-graph/Cargo.toml", "[dependencies]\norbit-extract.workspace = true\n")
            .with("crates/orbit-graph/src/lib.rs", "//! Nothing.\n")
    }

    fn with(mut self, path: &str, text: &str) -> Seed {
        self.0.retain(|(known, _)| known != path);
        self.0.push((path.into(), text.into()));
        self
    }

    fn findings(&self) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        git(dir.path(), &["init", "-q"]).unwrap();
        for (path, text) in &self.0 {
            write(&dir.path().join(path), text);
        }
        findings(dir.path()).unwrap().iter().map(ToString::to_string).collect()
    }
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

/// The tidy seed with one file more, or other, gives exactly these findings.
#[track_caller]
fn check(path: &str, text: &str, expected: &[&str]) {
    assert_eq!(Seed::tidy().with(path, text).findings(), expected);
}

const CODE: &str = "crates/orbit-graph/src/code.rs";

#[test]
fn the_seed_is_tidy() {
    assert_eq!(Seed::tidy().findings(), [""; 0]);
}

#[test]
fn edges() {
    check(
        "crates/orbit-extract/Cargo.toml",
        "[package]\n[dev-dependencies]\ngraph = { package = \"orbit-graph\", path = \"../orbit-graph\" }\n",
        &["crates/orbit-extract/Cargo.toml:3: [edge] `orbit-extract` must not use `orbit-graph`"],
    );
    check(
        "crates/orbit-new/Cargo.toml",
        "[package]\n",
        &[
            "crates/orbit-new/Cargo.toml:1: [edge] crate `orbit-new` is not in the table of crates (xtask, ARCHITECTURE.md)",
        ],
    );
}

#[test]
fn documented_table() {
    let table = Seed::tidy().0[0].1.clone();
    check(
        "ARCHITECTURE.md",
        &table.replace("| `orbit-graph` | … | `orbit-extract`, `orbit-git` |", "| `orbit-graph` | … | - |"),
        &["ARCHITECTURE.md:5: [documented] `orbit-graph` may use [orbit-extract, orbit-git], says xtask"],
    );
    check(
        "ARCHITECTURE.md",
        &table
            .replace("| - |", "| |")
            .replace("`orbit-extract` | … |  | here", "`orbit-extract` | … |  | to come"),
        &["ARCHITECTURE.md:3: [documented] `orbit-extract` exists"],
    );
    check(
        "ARCHITECTURE.md",
        &table.replace("| `omnigraph-store` ", "| store "),
        &["ARCHITECTURE.md:1: [documented] the table of crates has no row for `omnigraph-store`"],
    );
}

#[test]
fn file_sizes() {
    let long = "//\n".repeat(401);
    check(CODE, &long, &["crates/orbit-graph/src/code.rs:1: [file-size] 401 lines, 400 are allowed"]);
    check("crates/orbit-graph/tests/all/code.rs", &long, &[]);
    check(
        "crates/orbit-graph/tests/all/code.rs",
        &"//\n".repeat(601),
        &["crates/orbit-graph/tests/all/code.rs:1: [file-size] 601 lines, 600 are allowed"],
    );
}

#[test]
fn function_sizes() {
    let body =
        |lines: usize| format!("struct A;\nimpl A {{\n    fn b() {{\n{}    }}\n}}\n", "\n".repeat(lines));
    check(CODE, &body(58), &[]);
    check(CODE, &format!("fn a() {{\n    b(r#\"{}\"#)\n}}\n", "text\n".repeat(100)), &[]);
    check(
        CODE,
        &body(59),
        &["crates/orbit-graph/src/code.rs:3: [function-size] `A::b` has 61 lines, 60 are allowed"],
    );
}

#[test]
fn banned_names() {
    check(
        "crates/orbit-graph/src/utils.rs",
        "",
        &["crates/orbit-graph/src/utils.rs:1: [banned-name] `utils` says nothing about what is in there"],
    );
    check(
        "scripts/Common/run.sh",
        "",
        &["scripts/Common/run.sh:1: [banned-name] `common` says nothing about what is in there"],
    );
    check(
        CODE,
        "mod manager_of_keys {}\nmod manager {\n}\n",
        &[
            "crates/orbit-graph/src/code.rs:2: [banned-name] module `manager`: the name says nothing about what is in there",
        ],
    );
}

#[test]
fn unwraps() {
    let text = "fn a() {\n    b().unwrap();\n}\n// .unwrap()\n#[cfg(test)]\nmod tests {\n    fn c() { d().unwrap() }\n}\n";
    check(CODE, text, &["crates/orbit-graph/src/code.rs:2: [unwrap] `unwrap()` outside of tests"]);
    check("crates/orbit-graph/src/code/tests.rs", text, &[]);
}

#[test]
fn machine_paths() {
    let path = format!("/{}/x", "work");
    let text = format!("see https://example.org{path} and a{path}\nsee {path}\n");
    check("docs/page.md", &text, &["docs/page.md:2: [machine-path] `/work/` is a directory of one machine"]);
    let text = format!("const A: &str = \"{path}\";\n#[cfg(test)]\nconst B: &str = \"{path}\";\n");
    check(
        CODE,
        &text,
        &["crates/orbit-graph/src/code.rs:1: [machine-path] `/work/` is a directory of one machine"],
    );
}

#[test]
fn walled_crates() {
    check(
        CODE,
        "//! About tree_sitter.\nuse tree_sitter_rust::LANGUAGE;\n",
        &["crates/orbit-graph/src/code.rs:2: [walled] only `orbit-extract` may name `tree-sitter`"],
    );
    check(
        "crates/orbit-extract/Cargo.toml",
        "[dependencies]\ntree-sitter = \"1\"\nrusqlite = \"1\"\n",
        &[
            "crates/orbit-extract/Cargo.toml:3: [walled] only `orbit-graph`, `orbit-history` and `orbit-knowledge` may name `rusqlite`",
        ],
    );
    check("crates/orbit-graph/src/store.rs", "use rusqlite::Connection;\n", &[]);
    check("crates/orbit-history/src/store.rs", "use rusqlite::Connection;\n", &[]);
}

#[test]
fn prints() {
    let text = "fn a() {\n    println!(\"x\");\n}\n";
    check(CODE, text, &["crates/orbit-graph/src/code.rs:2: [print] `println!` outside of a render module"]);
    check("crates/orbit-cli/src/render/text.rs", text, &[]);
}

#[test]
fn readme_commands() {
    check("README.md", "no commands", &["README.md:1: [readme] has 0 `sh` blocks instead of two"]);
    check(
        ".ci/run",
        "cargo test\n",
        &["README.md:5: [readme] the test command `./scripts/test` is not a line of .ci/run"],
    );
}

#[test]
fn exceptions() {
    let entry = |limit: usize, reason: &str| {
        format!(
            "[[exception]]\ncheck = \"file-size\"\npath = \"{CODE}\"\nlimit = {limit}\nreason = \"{reason}\"\n"
        )
    };
    let findings = |lines: usize, list: &str| {
        Seed::tidy().with(CODE, &"//\n".repeat(lines)).with(super::exceptions::LIST, list).findings()
    };
    assert_eq!(findings(410, &entry(410, "a table of things")), [""; 0]);
    let grown = findings(411, &entry(410, "a table of things"));
    assert_eq!(grown, ["crates/orbit-graph/src/code.rs:1: [file-size] 411 lines, 400 are allowed"]);
    let stale = findings(400, &entry(410, "a table of things"));
    assert_eq!(
        stale,
        [
            "xtask/tidy-exceptions.toml:3: [exception] file-size crates/orbit-graph/src/code.rs: excuses nothing; remove it"
        ]
    );
    let bare = findings(410, &entry(410, ""));
    assert_eq!(
        bare,
        [
            "xtask/tidy-exceptions.toml:3: [exception] file-size crates/orbit-graph/src/code.rs: the reason is missing"
        ]
    );
    let misspelt = findings(1, "[[exception]]\nchek = 1\n");
    assert!(misspelt[0].contains("[exception] unknown field"), "{misspelt:?}");
}

#[test]
fn modules_that_use_each_other_are_found() {
    let seed = || {
        Seed::tidy()
            .with("crates/orbit-graph/src/a.rs", "use crate::{b::{self, X}, c};\n")
            .with("crates/orbit-graph/src/b/mod.rs", "//! Not crate::a.\n")
            .with("crates/orbit-graph/src/b/deep.rs", "fn f() { let _ = \"crate::a\"; }\n")
            .with(
                "crates/orbit-graph/src/c.rs",
                "fn g() {}\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n",
            )
            .with("crates/orbit-graph/src/error.rs", "use crate::a::A;\n")
    };
    assert_eq!(seed().findings(), [""; 0]);
    let circle =
        seed().with("crates/orbit-graph/src/b/deep.rs", "\nuse crate::error::E;\nuse crate::a::A;\n");
    assert_eq!(
        circle.findings(),
        ["crates/orbit-graph:1: [module-cycle] modules use each other in a circle: \
          a -> b (crates/orbit-graph/src/a.rs:1), b -> a (crates/orbit-graph/src/b/deep.rs:3)"]
    );
}
