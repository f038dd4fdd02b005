//! Nesting of 100,000 levels, in every language and in several forms: the real program, because a stack that
//! overflows takes its process with it.

use crate::program::{Outcome, indexed, orbit, skipped};
use crate::worktree::Worktree;

const DEEP: usize = 100_000;

/// A file of this name is indexed beside a good one, once per form: what opens a level, what is inside, what
/// closes a level. What stands before a `…` comes once only, as does what stands behind one in the end.
fn check(path: &str, forms: &[(&str, &str, &str)]) {
    let wrong: Vec<String> = forms
        .iter()
        .filter_map(|form| index(path, *form).err().map(|reason| format!("{form:?}: {reason}")))
        .collect();
    assert!(wrong.is_empty(), "{path}:\n{}", wrong.join("\n"));
}

/// The file is indexed or listed as skipped, and the good one is there.
fn index(path: &str, (open, middle, close): (&str, &str, &str)) -> Result<(), String> {
    let (before, open) = open.split_once('…').unwrap_or(("", open));
    let (close, after) = close.split_once('…').unwrap_or((close, ""));
    let worktree = Worktree::new();
    worktree.write(path, format!("{before}{}{middle}{}{after}\n", open.repeat(DEEP), close.repeat(DEEP)));
    worktree.write("good.py", "def good(): pass\n");
    let synced: Outcome = orbit(worktree.root(), &["sync", "--json"]);
    if synced.code != Some(0) {
        return Err(format!("exit {:?}: {}", synced.code, synced.stderr.trim()));
    }
    let report = synced.json();
    let files = indexed(worktree.root());
    let is_listed = skipped(&report).iter().any(|(skipped, _)| skipped == path);
    if report["failed"] != serde_json::json!([]) || !files.contains(&"good.py".to_owned()) {
        return Err(format!("lost: {report}"));
    }
    if files.contains(&path.to_owned()) || is_listed { Ok(()) } else { Err(format!("silent: {report}")) }
}

#[test]
fn rust() {
    check(
        "deep.rs",
        &[
            ("fn f() { …(", "1", ")… }"),
            ("{", "", "}"),
            ("mod a {", "", "}"),
            ("fn f() { …a!(", "", ")…; }"),
            ("fn f(x: …Vec<", "u8", ">…) {}"),
            ("fn f() { x…", ".a()", ""),
            ("fn f() { …!", "x", "…; }"),
            ("fn f() { …if a {} else ", "{}", "… }"),
            ("use …a::{", "b", "}…;"),
            ("fn f() { …a::", "b", "…(); }"),
            ("fn f() { let …(", "a", ")… = x; }"),
            ("fn f() { let x = …1+", "1", "…; }"),
            ("#[a(…b(", "c", ")…)] fn f() {}"),
        ],
    );
}

#[test]
fn python() {
    check(
        "deep.py",
        &[
            ("x = …(", "1", ")"),
            ("x = …[", "", "]"),
            ("x = a…", "", ".b()"),
            ("x = …not ", "1", ""),
            ("x = …lambda: ", "1", ""),
            ("x = …f(", "", ")"),
            ("x: …A[", "B", "]"),
            ("(", "a", ",)… = x"),
            ("[", "a", "]… = x"),
            ("for …[", "a", "]… in x: pass"),
            ("import …a.", "b", ""),
            ("x = …a if b else ", "c", ""),
            ("if a: pass\n…elif b: pass\n", "", ""),
        ],
    );
}

#[test]
fn python_blocks() {
    let worktree = Worktree::new();
    let blocks: Vec<String> = (0..2500).map(|level| " ".repeat(level) + "if x:\n").collect();
    worktree.write("deep.py", blocks.concat() + &" ".repeat(2500) + "pass\n");
    let report = orbit(worktree.root(), &["sync", "--json"]).json();
    assert_eq!((&report["files_indexed"], &report["failed"]), (&1.into(), &serde_json::json!([])));
}

#[test]
fn javascript_and_typescript() {
    let plain = [
        ("x = …(", "1", ")"),
        ("x = …[", "", "]"),
        ("{", "", "}"),
        ("x = …{a:", "1", "}"),
        ("f(", "", ")"),
        ("x…", "", ".a()"),
        ("x = …() => ", "1", ""),
        ("x = …`${", "1", "}`"),
        ("function f() {", "", "}"),
        ("class A { m() {", "", "}}"),
        ("let …{a:", "b", "}… = x;"),
        ("x = …a?b:", "c", ""),
        ("if (a) {} …else if (b) {} ", "", ""),
        ("a=", "1", ""),
    ];
    check("deep.js", &plain);
    check("deep.ts", &[("let x: …A<", "B", ">"), ("namespace a {", "", "}"), ("let x: …[", "A", "]")]);
    let types = [
        ("type X = …A extends B ? C : ", "D", ""),
        ("type X = …() => ", "A", ""),
        ("type X = …typeof a.", "b", ""),
        ("type X = …{a: ", "A", "}"),
        ("let x: …A.", "B", ""),
    ];
    check("types.ts", &types);
    check("deep.tsx", &[("x = …<a>", "", "</a>"), ("x = …<A b={", "1", "} />")]);
}

#[test]
fn go() {
    check(
        "deep.go",
        &[
            ("package a\nvar x = …(", "1", ")"),
            ("package a\nfunc f() …{", "", "}"),
            ("package a\nvar x …[]", "int", ""),
            ("package a\nvar x = y…", "", ".a()"),
            ("package a\ntype T …struct { a ", "int", " }"),
            ("package a\nvar x = …func() {", "", "}"),
            ("package a\ntype T …interface { a() ", "int", " }"),
            ("package a\nvar x …map[a]", "int", ""),
            ("package a\nvar x = …T{", "", "}"),
            ("package a\nfunc f() { if a {} …else if a {} ", "", "… }"),
        ],
    );
}

#[test]
fn java_and_kotlin() {
    check(
        "Deep.java",
        &[("class A { int x = …(", "1", ")…; }"), ("class A {", "", "}"), ("class A { …A<", "B", ">… x; }")],
    );
    check("deep.kt", &[("val x = …(", "1", ")"), ("class A {", "", "}"), ("val x = …{ ", "1", " }")]);
}

#[test]
fn csharp_and_ruby() {
    check(
        "deep.cs",
        &[("namespace a {", "", "}"), ("class A { int x = …(", "1", ")…; }"), ("class A {", "", "}")],
    );
    check(
        "deep.rb",
        &[("x = …(", "1", ")"), ("module A\n", "", "end\n"), ("x = …[", "", "]"), ("x = …{a: ", "1", "}")],
    );
}

#[test]
fn c_and_cpp() {
    check(
        "deep.c",
        &[
            ("int x = …(", "1", ")…;"),
            ("void f() …{", "", "}"),
            ("int …*", "x", "…;"),
            ("#if A\n", "", "#endif\n"),
        ],
    );
    check(
        "deep.cpp",
        &[("namespace a {", "", "}"), ("A<", "int", ">… x;"), ("auto x = …[]{ return ", "1", "; }")],
    );
}

#[test]
fn markdown_and_config() {
    check("deep.json", &[("[", "", "]"), ("{\"a\":", "1", "}")]);
    check("deep.yaml", &[("a: …[", "", "]"), ("- ", "a", ""), ("a: …{a: ", "1", "}")]);
    check("deep.toml", &[("x = …[", "", "]"), ("x = …{a=", "1", "}"), ("[…a.", "b", "…]")]);
    check("deep.md", &[("> ", "a", ""), ("[", "", "]"), ("* ", "a", ""), ("*", "a", "*"), ("# …`", "", "")]);
}
