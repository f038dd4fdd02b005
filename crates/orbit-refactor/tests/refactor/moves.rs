//! Definitions that go to other files.

use crate::repo::{Repo, refused};

#[test]
fn a_python_function_takes_its_imports_along() {
    let repo = Repo::new(
        "//- shop/__init__.py\nfrom .a import total as total\n//- shop/a.py\nimport os\nfrom math import floor\n\n\n# Sums up.\ndef total(items):\n    return floor(sum(items))\n\n\ndef home():\n    return os.name\n//- shop/b.py\n\"\"\"More.\"\"\"\n\n\ndef b():\n    return 1\n//- shop/c.py\nfrom .a import home, total\n\n\ndef c():\n    return total([home()])\n",
    );
    repo.relocate("symbol:shop/a.py#total:function", "shop/b.py").unwrap();
    assert_eq!(
        repo.read("shop/a.py"),
        "import os\nfrom math import floor\n\n\ndef home():\n    return os.name\n"
    );
    assert_eq!(
        repo.read("shop/b.py"),
        "\"\"\"More.\"\"\"\nfrom math import floor\n\n\ndef b():\n    return 1\n\n\n# Sums up.\ndef total(items):\n    return floor(sum(items))\n"
    );
    assert_eq!(repo.read("shop/__init__.py"), "from .b import total as total\n");
    assert!(
        repo.read("shop/c.py").starts_with("from .a import home\nfrom .b import total\n"),
        "{}",
        repo.read("shop/c.py")
    );
    repo.open().undo().unwrap();
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn an_import_that_would_close_a_circle_goes_into_the_function() {
    let repo = Repo::new(
        "//- p/__init__.py\n//- p/a.py\ndef low():\n    return 1\n\n\ndef high():\n    \"\"\"High.\"\"\"\n    return low()\n\n\ndef top():\n    return high()\n//- p/b.py\nB = 1\n",
    );
    repo.relocate("symbol:p/a.py#high:function", "p/b.py").unwrap();
    assert_eq!(
        repo.read("p/b.py"),
        "B = 1\n\n\ndef high():\n    \"\"\"High.\"\"\"\n    from .a import low\n    return low()\n"
    );
    assert_eq!(
        repo.read("p/a.py"),
        "from .b import high\ndef low():\n    return 1\n\n\ndef top():\n    return high()\n"
    );
}

#[test]
fn a_python_variable_of_the_same_name_needs_no_import() {
    let repo = Repo::new(
        "//- p/__init__.py\n//- p/a.py\ndef low():\n    return 1\n\n\ndef high():\n    return low()\n\n\ndef other(x):\n    high = x + 1\n    return high\n\n\ndef given(high=1):\n    return high\n\n\ndef each(xs):\n    return [high for high in xs] + [high()]\n//- p/b.py\nfrom .a import other\n\nB = other(1)\n",
    );
    repo.relocate("symbol:p/a.py#high:function", "p/b.py").unwrap();
    assert_eq!(
        repo.read("p/a.py"),
        "def low():\n    return 1\n\n\ndef other(x):\n    high = x + 1\n    return high\n\n\ndef given(high=1):\n    return high\n\n\ndef each(xs):\n    from .b import high\n    return [high for high in xs] + [high()]\n"
    );
}

#[test]
fn a_circle_of_python_imports_that_cannot_be_loaded_is_refused() {
    let repo = Repo::new(
        "//- p/__init__.py\n//- p/a.py\nclass Low:\n    pass\n\n\nclass High(Low):\n    pass\n\n\nTOP = High()\n//- p/b.py\nB = 1\n",
    );
    assert_eq!(refused(&repo, repo.relocate("symbol:p/a.py#High:class", "p/b.py")), "circular_import");
}

#[test]
fn what_relies_on_its_python_file_stays() {
    let repo = Repo::new(
        "//- p/__init__.py\n//- p/a.py\ncount = 0\n\n\ndef more():\n    global count\n    count += 1\n\n\ndef told():\n    return count\n\n\ndef here():\n    return __file__\n\n\ndef helper():\n    return 1\n\n\ndef user():\n    return helper()\n//- p/b.py\nB = 1\n//- t.py\nfrom unittest.mock import patch\n\n\ndef test():\n    with patch(\"p.a.helper\"):\n        pass\n",
    );
    for (name, code) in [
        ("more", "unsupported"),
        ("told", "unsupported"),
        ("here", "unsupported"),
        ("helper", "module_attribute"),
        ("user", "module_attribute"),
    ] {
        let selector = format!("symbol:p/a.py#{name}:function");
        assert_eq!(refused(&repo, repo.relocate(&selector, "p/b.py")), code, "{name}");
    }
}

#[test]
fn types_of_python_annotations_come_along_for_type_checkers() {
    let repo = Repo::new(
        "//- p/__init__.py\n//- p/a.py\nfrom __future__ import annotations\n\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import datetime as dt\n\n\ndef age(born: dt.date) -> int:\n    import datetime as dt\n\n    return dt.date.today().year - born.year\n//- p/b.py\nfrom __future__ import annotations\n\nB = 1\n//- use.py\nimport p.a\n\n\ndef use(x):\n    return p.a.age(x)\n",
    );
    repo.relocate("symbol:p/a.py#age:function", "p/b.py").unwrap();
    assert!(
        repo.read("p/b.py").starts_with(
            "from __future__ import annotations\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import datetime as dt\n\nB = 1\n"
        ),
        "{}",
        repo.read("p/b.py")
    );
    let a = repo.read("p/a.py");
    assert!(a.contains("from .b import age as age\n"), "users that go through the module find it: {a}");
}

#[test]
fn a_typescript_function_is_followed_by_imports_and_barrels() {
    let repo = Repo::new(
        "//- src/index.ts\nexport * from \"./a\";\n//- src/a.ts\nimport { one, two } from \"./n\";\n\nexport function total(): number {\n  return one;\n}\n\nexport const second = two;\n//- src/n.ts\nexport const one = 1;\nexport const two = 2;\n//- src/b.ts\nexport const b = 1;\n//- src/use.ts\nimport { second, total } from \"./a\";\n\nexport const x = total() + second;\n",
    );
    repo.relocate("symbol:src/a.ts#total:function", "src/b.ts").unwrap();
    assert_eq!(repo.read("src/a.ts"), "import { two } from \"./n\";\n\nexport const second = two;\n");
    assert_eq!(
        repo.read("src/b.ts"),
        "import { one } from \"./n\";\nexport const b = 1;\n\nexport function total(): number {\n  return one;\n}\n"
    );
    assert_eq!(repo.read("src/index.ts"), "export * from \"./a\";\nexport { total } from \"./b\";\n");
    assert!(
        repo.read("src/use.ts")
            .starts_with("import { second } from \"./a\";\nimport { total } from \"./b\";\n")
    );
}

#[test]
fn a_rust_function_becomes_visible_where_it_is_used() {
    let repo = Repo::new(
        "//- Cargo.toml\n[package]\nname = \"shop\"\n//- src/lib.rs\nmod a;\nmod b;\n//- src/a.rs\nuse std::collections::BTreeMap;\n\nfn rate() -> u32 {\n    3\n}\n\n/// Counts.\nfn count(map: &BTreeMap<u32, u32>) -> u32 {\n    map.len() as u32 * rate()\n}\n\npub fn all() -> u32 {\n    count(&BTreeMap::new())\n}\n//- src/b.rs\npub fn b() -> u32 {\n    crate::a::all()\n}\n",
    );
    repo.relocate("symbol:src/a.rs#count:function", "src/b.rs").unwrap();
    let b = repo.read("src/b.rs");
    assert!(b.contains("use crate::a::rate;\n") && b.contains("use std::collections::BTreeMap;\n"), "{b}");
    assert!(b.contains("/// Counts.\npub(crate) fn count("), "{b}");
    let a = repo.read("src/a.rs");
    assert!(a.contains("use crate::b::count;\n") && a.contains("pub(crate) fn rate()"), "{a}");
}

#[test]
fn rust_conditions_and_re_exports_follow() {
    let repo = Repo::new(
        "//- Cargo.toml\n[package]\nname = \"shop\"\n//- src/lib.rs\nmod a;\nmod b;\npub use a::Kind;\n//- src/a.rs\n/*!\nPaths like `**/x`, and `/**`:\n\nuse shop::a;\n*/\n\n#[derive(Debug)]\npub struct Kind;\n\nstruct Debug;\n\n#[cfg(test)]\nfn probe() -> Debug {\n    Debug\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn probed() {\n        super::probe();\n    }\n}\n//- src/b.rs\npub fn b() {}\n//- tests/t.rs\nfn t(_: shop::Kind) {}\n",
    );
    repo.relocate("symbol:src/a.rs#Kind:struct", "src/b.rs").unwrap();
    assert!(repo.read("src/a.rs").contains("pub use crate::b::Kind;\n"), "{}", repo.read("src/a.rs"));
    assert!(
        !repo.read("src/b.rs").contains("use crate::a::Debug"),
        "a derived trait is not a type of the file"
    );
    repo.relocate("symbol:src/a.rs#probe:function", "src/b.rs").unwrap();
    let a = repo.read("src/a.rs");
    assert!(a.contains("#[cfg(test)]\nuse crate::b::probe;\n"), "{a}");
    assert!(a.contains("pub(crate) struct Debug;"), "{a}");
}

#[test]
fn rust_fields_without_names_open_and_hidden_modules_refuse() {
    let repo = Repo::new(
        "//- Cargo.toml\n[package]\nname = \"shop\"\n//- src/lib.rs\nmod a;\nmod b;\n//- src/a.rs\nmod inner;\nuse self::inner::rate;\n\npub(crate) struct Size(u32, Vec<(u8, u8)>);\n\nfn size() -> Size {\n    Size(1, vec![])\n}\n\npub fn total() -> u32 {\n    size().0 + rate()\n}\n//- src/a/inner.rs\npub fn rate() -> u32 {\n    1\n}\n//- src/b.rs\npub fn b() -> u32 {\n    crate::a::total()\n}\n",
    );
    assert_eq!(refused(&repo, repo.relocate("symbol:src/a.rs#total:function", "src/b.rs")), "not_visible");
    repo.relocate("symbol:src/a.rs#Size:struct", "src/b.rs").unwrap();
    let b = repo.read("src/b.rs");
    assert!(b.contains("pub(crate) struct Size(pub(crate) u32, pub(crate) Vec<(u8, u8)>);"), "{b}");
}

#[test]
fn rust_imports_that_only_their_module_sees_are_no_way_for_others() {
    let repo = Repo::new(
        "//- Cargo.toml\n[package]\nname = \"shop\"\n//- src/lib.rs\nmod a;\nmod b;\n//- src/a.rs\nmod below;\nuse std::rc::Rc;\n\npub(crate) struct Cart {\n    parts: Rc<u32>,\n}\n\nimpl Cart {\n    pub(crate) fn new() -> Cart {\n        use self::Rc as Shared;\n        self::Cart { parts: Shared::clone(&self::Rc::new(1)) }\n    }\n}\n\npub(crate) fn all() -> u32 {\n    *Cart::new().parts + below::one() + below::two()\n}\n//- src/a/below.rs\npub(crate) fn one() -> u32 {\n    *super::Rc::new(1)\n}\n\npub(crate) fn two() -> u32 {\n    use crate::a::{self, Rc};\n    *Rc::new(a::all())\n}\n//- src/b.rs\npub fn b() -> u32 {\n    crate::a::all()\n}\n",
    );
    for name in ["one", "two"] {
        let selector = format!("symbol:src/a/below.rs#{name}:function");
        assert_eq!(refused(&repo, repo.relocate(&selector, "src/b.rs")), "not_visible", "{name}");
    }
    repo.relocate("symbol:src/a.rs#Cart:struct", "src/b.rs").unwrap();
    let b = repo.read("src/b.rs");
    assert!(b.contains("use std::rc::Rc;\n") && b.contains("use std::rc::Rc as Shared;\n"), "{b}");
    assert!(b.contains("self::Cart { parts: Shared::clone(&self::Rc::new(1)) }"), "{b}");
}

#[test]
fn rust_modules_under_a_condition_take_nothing_from_others() {
    let repo = Repo::new(
        "//- Cargo.toml\n[package]\nname = \"shop\"\n//- src/lib.rs\nmod a;\n/// More.\n#[cfg(feature = \"more\")]\nmod b;\nmod c;\n//- src/a.rs\nfn one() -> u32 {\n    1\n}\n\npub fn two() -> u32 {\n    one() + 1\n}\n//- src/b.rs\nmod below;\n\nfn three() -> u32 {\n    3\n}\n\npub fn four() -> u32 {\n    three() + 1\n}\n//- src/b/below.rs\npub fn five() -> u32 {\n    5\n}\n//- src/c.rs\n#![cfg(unix)]\n\npub fn six() -> u32 {\n    6\n}\n",
    );
    for target in ["src/b.rs", "src/b/below.rs", "src/c.rs"] {
        let code = refused(&repo, repo.relocate("symbol:src/a.rs#one:function", target));
        assert_eq!(code, "unsupported", "{target}");
    }
    repo.relocate("symbol:src/b.rs#three:function", "src/b/below.rs").unwrap();
}

#[test]
fn what_cannot_move_says_so() {
    let repo = Repo::new(
        "//- a.go\npackage a\n\nfunc F() {}\n//- b.go\npackage a\n//- a.py\nclass A:\n    def f(self):\n        pass\n//- b.py\n",
    );
    let parts = Repo::new(
        "//- a.ts\nconst { keys: getKeys, values } = Object;\n\nexport const x = getKeys({}).concat(values({}));\n//- b.ts\nexport const b = 1;\n//- a.py\nONE, TWO = range(2)\n//- b.py\nB = 1\n",
    );
    assert_eq!(refused(&parts, parts.relocate("symbol:a.py#ONE:const", "b.py")), "unsupported");
    assert_eq!(refused(&parts, parts.relocate("symbol:a.ts#getKeys:const", "b.ts")), "unsupported");
    assert_eq!(refused(&repo, repo.relocate("symbol:a.go#F:function", "b.go")), "unsupported");
    assert_eq!(refused(&repo, repo.relocate("symbol:a.py#A.f:method", "b.py")), "unsupported");
}

#[test]
fn an_import_that_a_comment_shows_is_none() {
    let repo = Repo::new(
        "//- Cargo.toml\n[package]\nname = \"shop\"\n//- src/lib.rs\n/*!\nAsk:\n\n```\nuse shop::ask;\n```\n*/\n\n#![deny(missing_docs)]\n\nmod a;\n\npub use crate::{\n    a::{Answer, ask},\n};\n//- src/a.rs\n/// One.\npub struct Answer {\n    kind: Kind,\n}\n\nenum Kind {\n    Yes,\n}\n\nimpl Answer {\n    fn yes() -> Answer {\n        use self::Kind::*;\n        Answer { kind: Yes }\n    }\n}\n\n/// Asks.\npub fn ask() -> Answer {\n    Answer::yes()\n}\n",
    );
    repo.relocate("symbol:src/a.rs#shop::a::Answer:struct", "src/lib.rs").unwrap();
    let lib = repo.read("src/lib.rs");
    let (head, code) = lib.split_once("*/").unwrap();
    assert!(!head.contains("use crate::a::Kind;"), "{lib}");
    assert!(code.contains("use crate::a::Kind;\n"), "{lib}");
}
