//! What a rename changes, and what it leaves alone.

use crate::repo::Repo;

#[test]
fn a_rust_function_is_renamed_at_imports_paths_and_in_macros() {
    let repo = Repo::new(
        "//- Cargo.toml\n[package]\nname = \"shop\"\n//- src/lib.rs\npub mod prices;\nmod orders;\n//- src/prices.rs\n/// Sums up; see [`total`].\npub fn total(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n//- src/orders.rs\nuse crate::prices::{self, total};\n\npub fn print(items: &[u32]) {\n    println!(\"{}\", total(items));\n    let total = prices::total(items);\n    assert_eq!(total, 1);\n}\n",
    );
    repo.rename("symbol:src/prices.rs#total:function", "gross").unwrap();
    assert_eq!(
        repo.read("src/prices.rs"),
        "/// Sums up; see [`total`].\npub fn gross(items: &[u32]) -> u32 {\n    items.iter().sum()\n}\n"
    );
    let orders = repo.read("src/orders.rs");
    assert!(orders.contains("use crate::prices::{self, gross};"), "{orders}");
    assert!(orders.contains("println!(\"{}\", gross(items));"), "{orders}");
    assert!(
        orders.contains("let total = prices::gross(items);\n    assert_eq!(total, 1);"),
        "locals stay: {orders}"
    );
}

#[test]
fn methods_of_a_trait_are_renamed_together() {
    let repo = Repo::new(
        "//- Cargo.toml\n[package]\nname = \"shop\"\n//- src/lib.rs\npub trait Shape {\n    fn area(&self) -> u32;\n}\npub struct Square(u32);\nimpl Shape for Square {\n    fn area(&self) -> u32 {\n        self.0\n    }\n}\npub fn sum(shapes: &[Square]) -> u32 {\n    shapes.iter().map(|s| s.area()).sum()\n}\n",
    );
    repo.rename("symbol:src/lib.rs#Shape::area:method", "surface").unwrap();
    assert_eq!(repo.read("src/lib.rs").matches("surface").count(), 3);
    assert!(!repo.read("src/lib.rs").contains("area"));
}

#[test]
fn a_python_class_is_renamed_in_all_and_in_annotations() {
    let repo = Repo::new(
        "//- shop/__init__.py\nfrom .money import Price as Price\n\n__all__ = [\"Price\"]\n//- shop/money.py\nclass Price:\n    def cents(self) -> int:\n        return 1\n\n\ndef make() -> \"Price\":\n    return Price()\n",
    );
    repo.rename("symbol:shop/money.py#Price:class", "Amount").unwrap();
    assert_eq!(
        repo.read("shop/__init__.py"),
        "from .money import Amount as Amount\n\n__all__ = [\"Amount\"]\n"
    );
    assert_eq!(repo.read("shop/money.py").matches("Amount").count(), 3);
}

#[test]
fn a_typescript_function_is_renamed_through_a_barrel_and_shorthands() {
    let repo = Repo::new(
        "//- src/index.ts\nexport { total } from \"./prices\";\n//- src/prices.ts\nexport function total(a: number): number {\n  return a;\n}\n//- src/use.ts\nimport { total } from \"./index\";\n\nexport const api = { total };\nexport type Never = never;\n",
    );
    repo.rename("symbol:src/prices.ts#total:function", "gross").unwrap();
    assert_eq!(repo.read("src/index.ts"), "export { gross } from \"./prices\";\n");
    assert_eq!(
        repo.read("src/use.ts"),
        "import { gross } from \"./index\";\n\nexport const api = { total: gross };\nexport type Never = never;\n"
    );
}

#[test]
fn a_rust_module_takes_its_file_along() {
    let repo = Repo::new(
        "//- Cargo.toml\n[package]\nname = \"shop\"\n//- src/lib.rs\npub mod prices;\n\npub fn f() -> u32 {\n    prices::one()\n}\n//- src/prices.rs\npub fn one() -> u32 {\n    1\n}\n",
    );
    repo.rename("symbol:src/lib.rs#prices:module", "money").unwrap();
    assert_eq!(repo.read("src/money.rs"), "pub fn one() -> u32 {\n    1\n}\n");
    assert!(!repo.root().join("src/prices.rs").exists());
    assert!(repo.read("src/lib.rs").contains("money::one()"));
    repo.open().undo().unwrap();
    assert_eq!(repo.git(&["status", "--porcelain"]), "");
}

#[test]
fn what_python_containers_hold_and_types_in_strings_follow() {
    let repo = Repo::new(
        "//- m.py\nclass Bits(dict):\n    def as_list(self):\n        return []\n//- t.py\nimport importlib\nimport typing as t\n\nfrom m import Bits\n\n\ndef loop():\n    for bits in (Bits(), Bits()):\n        bits.as_list()\n    many = [Bits()]\n    many[0].as_list()\n    return t.cast(\"list[Bits]\", many)\n\n\ndef loaded():\n    m = importlib.import_module(\"m\")\n    return m.Bits()\n",
    );
    repo.rename("symbol:m.py#Bits.as_list:method", "listed").unwrap();
    assert!(!repo.read("t.py").contains("as_list"), "{}", repo.read("t.py"));
    repo.rename("symbol:m.py#Bits:class", "Pieces").unwrap();
    assert!(!repo.read("t.py").contains("Bits"), "{}", repo.read("t.py"));
}

#[test]
fn methods_are_reached_through_prototypes() {
    let repo = Repo::new(
        "//- a.ts\nexport interface Helpers {\n  cold: typeof Scheduler.prototype.createCold;\n}\n\nexport class Scheduler {\n  createCold(x: string): string {\n    return x;\n  }\n\n  run(): Helpers {\n    return { cold: this.createCold.bind(this) };\n  }\n}\n",
    );
    repo.rename("symbol:a.ts#Scheduler.createCold:method", "makeCold").unwrap();
    assert!(!repo.read("a.ts").contains("createCold"), "{}", repo.read("a.ts"));
}

#[test]
fn a_name_that_is_imported_under_another_one_is_free() {
    let repo = Repo::new(
        "//- Cargo.toml\n[package]\nname = \"shop\"\n//- src/lib.rs\nmod bash;\nmod zsh;\npub use crate::{bash::generate as bash_all, zsh::fresh as zsh_all};\n//- src/bash.rs\npub fn generate() {}\n//- src/zsh.rs\npub fn fresh() {}\n",
    );
    repo.rename("symbol:src/zsh.rs#fresh:function", "generate").unwrap();
    assert!(repo.read("src/lib.rs").contains("zsh::generate as zsh_all"), "{}", repo.read("src/lib.rs"));
}

#[test]
fn typescript_shorthands_follow_only_where_the_name_is_in_scope() {
    let repo = Repo::new(
        "//- src/a.ts\nexport function rate(): number {\n  return 1;\n}\n//- src/b.ts\nexport interface Opts {\n  rate: number;\n}\n\nexport function run(opts: Opts) {\n  const { rate } = opts;\n  return { rate };\n}\n//- src/c.ts\nimport { rate } from './a';\n\nexport const all = { rate };\n",
    );
    repo.rename("symbol:src/a.ts#rate:function", "fee").unwrap();
    assert!(repo.read("src/b.ts").contains("const { rate } = opts;\n  return { rate };"));
    assert_eq!(repo.read("src/c.ts"), "import { fee } from './a';\n\nexport const all = { rate: fee };\n");
}
