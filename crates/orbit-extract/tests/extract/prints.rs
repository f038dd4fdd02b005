//! What counts as a change of a symbol, and what does not.

use orbit_extract::{Lang, Prints, prints};

fn of(path: &str, source: &str) -> Prints {
    prints(path, Lang::of_path(path).expect("a known language"), source.as_bytes()).expect("it is text")
}

/// Names of symbols with another signature (`s`) or body (`b`), `+` and `-` for new and lost ones, `file`.
fn changes(path: &str, before: &str, after: &str) -> Vec<String> {
    let (before, after) = (of(path, before), of(path, after));
    let mut found = Vec::new();
    if before.file != after.file {
        found.push("file".to_owned());
    }
    for old in &before.symbols {
        match after.symbols.iter().find(|new| new.local == old.local && new.kind == old.kind) {
            None => found.push(format!("-{}", old.local)),
            Some(new) => {
                if new.signature != old.signature {
                    found.push(format!("s {}", old.local));
                }
                if new.body != old.body {
                    found.push(format!("b {}", old.local));
                }
            }
        }
    }
    found
}

fn same(path: &str, before: &str, after: &str) {
    assert_eq!(changes(path, before, after), [""; 0], "{path}: {before:?} {after:?}");
}

#[test]
fn formatting_and_comments_do_not_count() {
    same(
        "a.py",
        "def f(a, b):\n    return g('x', 1)\n",
        "def f(\n    a,\n    b,\n):\n    # why\n    return g(\n        \"x\",  # first\n        1,\n    )\n",
    );
    same("a.py", "x = ('a' 'b')\n", "x = \"ab\"\n");
    same("a.py", "for a, b in c:\n    pass\n", "for (a, b) in c:\n    pass\n");
    same("a.py", "from a import b, c\n", "from a import (\n    b,\n    c,\n)\n");
    same("a.py", "class A():\n    x = 1\n", "class A:\n    x = (1)\n");
    same("a.py", "x = f'{a} b'\n", "x = f\"{a} b\"\n");
    same("a.py", "s = 'it\\'s'\n", "s = \"it's\"\n");
    same(
        "a.rs",
        "fn f(a: u8) -> u8 { g(a, 1) }",
        "/// Adds.\nfn f(\n    a: u8,\n) -> u8 {\n    // one\n    g(a, 1,)\n}",
    );
    same(
        "a.ts",
        "export function f(a: number) { return 'x' + a; }",
        "export function f(a: number) {\n  return \"x\" + a\n}",
    );
    same(
        "a.go",
        "package a\nfunc F(a int) int { return a+1 }\n",
        "package a\n\n// F adds.\nfunc F(a int) int {\n\treturn a + 1 // one\n}\n",
    );
    same(
        "A.java",
        "class A { int f(int a) { return a; } }",
        "class A {\n  /** Gives a. */\n  int f(int a) {\n    return a;\n  }\n}",
    );
    same("a.toml", "[a]\nb = 1\n", "# why\n[a]\nb   = 1\n");
    same("a.md", "# A\n\ntext text\n", "# A\ntext\ntext\n");
}

#[test]
fn bodies_and_signatures_count_apart() {
    assert_eq!(changes("a.py", "def f(a):\n    return a\n", "def f(a):\n    return a + 1\n"), ["b f"]);
    assert_eq!(changes("a.py", "def f(a):\n    return a\n", "def f(a, b):\n    return a\n"), ["s f"]);
    assert_eq!(changes("a.py", "def f(a):\n    return a\n", "@cached\ndef f(a):\n    return a\n"), ["b f"]);
    assert_eq!(changes("a.py", "X = 1\n", "X = 2\n"), ["b X"]);
    assert_eq!(changes("a.py", "x = (a + b) * c\n", "x = a + (b * c)\n"), ["b x"]);
    assert_eq!(changes("a.py", "x = 'a'\n", "x = b'a'\n"), ["b x"]);
    assert_eq!(changes("a.py", "x = (1,)\n", "x = (1)\n"), ["b x"]);
    assert_eq!(changes("a.rs", "fn f(a: u8) -> u8 { a }", "fn f(a: u8) -> u16 { a }"), ["s f"]);
    assert_eq!(changes("a.rs", "struct A { x: u8 }", "struct A { x: u16 }"), ["s A::x"]);
    assert_eq!(
        changes("a.ts", "const f = (a: number) => a + 1;", "const f = (a: string) => a + 1;"),
        ["s f"]
    );
    assert_eq!(
        changes("a.ts", "const f = (a: number) => a + 1;", "const f = (a: number) => a + 2;"),
        ["b f"]
    );
    assert_eq!(
        changes(
            "a.go",
            "package a\nfunc F(a int) int { return a }\n",
            "package a\nfunc F(a int) int { return 0 }\n"
        ),
        ["b F"]
    );
    assert_eq!(
        changes("a.kt", "fun f(a: Int): Int { return a }", "fun f(a: Int): Int { return 0 }"),
        ["b f"]
    );
    assert_eq!(
        changes("a.kt", "fun f(a: Int): Int { return a }", "fun f(a: Long): Int { return a }"),
        ["s f"]
    );
    assert_eq!(changes("a.c", "int f(int a) { return a; }", "int f(long a) { return a; }"), ["s f"]);
    assert_eq!(changes("a.rb", "def f(a)\n  a\nend\n", "def f(a)\n  a + 1\nend\n"), ["b f"]);
    assert_eq!(
        changes("a.cs", "class A { int F(int a) { return a; } }", "class A { int F(int a) { return 0; } }"),
        ["b A.F"]
    );
}

#[test]
fn a_change_shows_where_it_is() {
    let class = "class A(B):\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n";
    assert_eq!(changes("a.py", class, &class.replace("return 2", "return 3")), ["b A.g"]);
    assert_eq!(changes("a.py", class, &class.replace("A(B)", "A(C)")), ["s A"]);
    assert_eq!(changes("a.py", class, &format!("{class}\n    def h(self):\n        pass\n")), ["b A"]);
    assert_eq!(changes("a.py", "import a\ndef f(): pass\n", "import b\ndef f(): pass\n"), ["file"]);
    assert_eq!(changes("a.py", "def f(): pass\n", "def f(): pass\ndef g(): pass\n"), [""; 0]);
    let guarded = "#ifndef A\n#define A\nint f(void) { return 1; }\n#endif\n";
    let with_more = guarded.replace("#endif", "int g(void) { return 2; }\n#endif");
    assert_eq!(changes("a.h", guarded, &with_more), [""; 0]);
    let init = "class A:\n    def __init__(self):\n        self.x = 1\n";
    assert_eq!(changes("a.py", init, &init.replace("= 1", "= 2")), ["b A.__init__"]);
}

#[test]
fn a_new_name_leaves_the_prints() {
    let one = of("a.py", "def f(a):\n    return f(a - 1)\n");
    let two = of("a.py", "def g(a):\n    return g(a - 1)\n");
    assert_eq!(
        (one.symbols[0].signature, one.symbols[0].body),
        (two.symbols[0].signature, two.symbols[0].body)
    );
}
