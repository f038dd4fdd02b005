//! Code on which answers once said `complete` and were not.

use crate::compare::assert_equals_fresh;
use crate::tree::Tree;
use orbit_graph::{Confidence, Graph, ImpactOptions, RefOptions, Refs, Selector, UnusedGrade, UnusedOptions};
use std::fmt::Write as _;

pub(crate) fn graph(files: &str) -> (Tree, Graph) {
    let tree = Tree::of(files);
    assert_equals_fresh(&tree);
    let graph = tree.graph();
    (tree, graph)
}

pub(crate) fn refs(graph: &Graph, of: &str) -> Refs {
    let selector = Selector::parse(of).expect("a selector");
    graph.refs(&selector, &RefOptions::default()).expect("an answer")
}

/// `file:line` of every use.
pub(crate) fn places(answer: &Refs) -> Vec<String> {
    answer.refs.iter().map(|row| format!("{}:{}", row.file, row.line)).collect()
}

pub(crate) fn is_complete(answer: &Refs) -> bool {
    answer.account.as_ref().is_some_and(|account| account.complete)
}

pub(crate) fn sum(answer: &Refs) -> (usize, usize) {
    let account = answer.account.as_ref().expect("an account");
    let sum = account.here + account.definitions + account.elsewhere + account.uncertain + account.text;
    (sum + account.unread, account.occurrences)
}

/// `distance name` of everything that is touched.
pub(crate) fn touched(graph: &Graph, of: &str, options: &ImpactOptions) -> (Vec<String>, bool) {
    let selector = Selector::parse(of).expect("a selector");
    let answer = graph.impact(&[selector], options).expect("an answer");
    let rows = answer.touched.iter().map(|row| format!("{} {}", row.distance, row.qualified_name));
    (rows.collect(), answer.complete)
}

#[test]
fn functions_of_one_file_are_no_pieces_of_those_in_another() {
    let files = "
==> a.c
static void read_cb(int fd) {}
int main(void) { read_cb(1); return 0; }
==> b.c
static void read_cb(int fd) {}
int main(void) { read_cb(2); return 0; }
";
    let (_tree, graph) = graph(files);
    let answer = refs(&graph, "a.c:1");
    assert_eq!(places(&answer), ["a.c:2"]);
    assert_eq!(sum(&answer).0, sum(&answer).1);
    assert_eq!(touched(&graph, "a.c:1", &ImpactOptions::default()).0, ["1 main"]);
}

#[test]
fn alternatives_behind_one_declaration_are_pieces_of_one_function() {
    let files = "
==> os.h
int os_open(const char *path);
==> os_unix.c
#include \"os.h\"
int os_open(const char *path) { return 1; }
==> os_win.c
#include \"os.h\"
int os_open(const char *path) { return 2; }
==> use.c
#include \"os.h\"
int use(void) { return os_open(\"a\"); }
";
    let (_tree, graph) = graph(files);
    for definition in ["os_unix.c:2", "os_win.c:2", "os.h:1"] {
        assert_eq!(places(&refs(&graph, definition)), ["use.c:2"], "{definition}");
    }
}

#[test]
fn a_prototype_without_names_of_parameters_declares_the_function() {
    let files = "
==> a.c
enum E { A };
static void done(void *, enum E);
void start(void) { done(0, A); }
static void done(void *arg, enum E res) {}
";
    let (_tree, graph) = graph(files);
    let answer = refs(&graph, "a.c:4");
    assert_eq!(places(&answer), ["a.c:3"]);
    assert!(is_complete(&answer));
}

#[test]
fn what_initialises_a_table_stands_in_it() {
    let files = "
==> a.c
struct ops { int (*enable)(void); };
static int enable(void);
static const struct ops event_ops = { enable };
const struct ops *get(void) { return &event_ops; }
static int enable(void) { return 0; }
==> b.py
def enable():
    return 1

OPS = {\"enable\": enable}

def get():
    return OPS
==> c.py
def made(name):
    return property(lambda self: name)

class Answer:
    vary = made(\"Vary\")

def read(answer: Answer):
    return answer.vary
";
    let (_tree, graph) = graph(files);
    assert_eq!(touched(&graph, "c.py:1", &ImpactOptions::default()).0, ["1 c.Answer.vary", "2 c.read"]);
    assert_eq!(touched(&graph, "a.c:5", &ImpactOptions::default()).0, ["1 a.c::event_ops", "2 get"]);
    assert_eq!(touched(&graph, "b.py:1", &ImpactOptions::default()).0, ["1 b.OPS", "2 b.get"]);
}

#[test]
fn to_set_a_property_is_to_use_it() {
    let files = "
==> box.py
class Box:
    def __init__(self):
        self.pin = None

    @property
    def pin(self):
        return self._pin

    @pin.setter
    def pin(self, value):
        self._pin = value

def open_box(box: Box):
    return box.pin
";
    let (_tree, graph) = graph(files);
    for line in [6, 10] {
        let answer = refs(&graph, &format!("box.py:{line}"));
        assert_eq!(places(&answer), ["box.py:3", "box.py:9", "box.py:14"], "line {line}");
        assert_eq!(sum(&answer).0, sum(&answer).1);
    }
}

#[test]
fn a_decorator_stands_in_what_it_decorates() {
    let files = "
==> a.py
def expose(path):
    return lambda function: function

@expose(\"/x\")
def show():
    return 1

def run():
    return show()

class Page:
    @expose(\"/y\")
    def draw(self):
        return 2

def hold(page: Page):
    return page
";
    let (_tree, graph) = graph(files);
    let (rows, _) = touched(&graph, "symbol:a.py#expose", &ImpactOptions::default());
    assert_eq!(rows, ["1 a.show", "1 a.Page.draw", "2 a.run"]);
}

#[test]
fn a_decorator_is_used_where_the_module_is_loaded() {
    let files = "
==> a.py
def _expose(function):
    return function

@_expose
def _show():
    return 1
";
    let (_tree, graph) = graph(files);
    let answer =
        graph.unused(None, &UnusedOptions { grade: None, kind: None, limit: 100 }).expect("an answer");
    let unused = answer.definitions.iter().filter(|row| row.grade == UnusedGrade::Unused);
    assert_eq!(unused.map(|row| row.selector.as_str()).collect::<Vec<_>>(), [] as [&str; 0]);
}

#[test]
fn a_function_of_a_type_from_outside_may_be_one_of_the_repository() {
    let files = "
==> Cargo.toml
[package]
name = \"a\"
==> src/lib.rs
use std::borrow::Cow;
pub struct Url;
impl From<Url> for Cow<'_, str> {
    fn from(url: Url) -> Self {
        Cow::Borrowed(\"\")
    }
}
pub fn text(url: Url) -> Cow<'static, str> {
    Cow::from(url)
}
pub trait Tell {
    fn tell() -> u8;
}
impl Tell for std::io::Error {
    fn tell() -> u8 {
        1
    }
}
pub fn ask() -> u8 {
    std::io::Error::tell()
}
";
    let (_tree, graph) = graph(files);
    for method in ["src/lib.rs:4", "src/lib.rs:12", "src/lib.rs:15"] {
        let answer = refs(&graph, method);
        assert!(!is_complete(&answer) || !answer.refs.is_empty(), "{method}");
    }
}

#[test]
fn a_bounded_value_has_the_methods_of_its_bound() {
    let files = "
==> Cargo.toml
[package]
name = \"a\"
==> src/lib.rs
pub trait Unit {
    fn is_mark(&self) -> bool;
}
impl Unit for u8 {
    fn is_mark(&self) -> bool {
        true
    }
}
pub fn decode<T: Unit + Copy>(input: &[T]) -> Option<usize> {
    input.iter().rposition(|c| c.is_mark())
}
";
    let (_tree, graph) = graph(files);
    assert_eq!(places(&refs(&graph, "src/lib.rs:2")), ["src/lib.rs:10"]);
    assert_eq!(places(&refs(&graph, "src/lib.rs:5")), [] as [&str; 0]);
}

#[test]
fn a_shorthand_property_is_one_occurrence() {
    let files = "
==> a.js
const fill = () => 1;
const actions = { fill };
actions.fill();
";
    let (_tree, graph) = graph(files);
    let answer = refs(&graph, "fill");
    assert_eq!(sum(&answer).0, sum(&answer).1);
    assert_eq!(answer.account.expect("an account").occurrences, 3);
}

#[test]
fn an_undecided_constructor_is_listed_and_keeps_an_impact_open() {
    let files = "
==> a/A.java
package a;
class A {
    A(java.io.File f, int n) {}
    A(java.nio.file.Path p, int n) {}
}
==> a/B.java
package a;
class B {
    Object make() { return new A(other.Res.file(\"x\"), 1); }
}
";
    let (_tree, graph) = graph(files);
    let answer = refs(&graph, "a/A.java:3");
    assert!(!is_complete(&answer));
    let rows: Vec<String> =
        answer.uncertain.iter().map(|row| format!("{}:{} {}", row.file, row.line, row.reason)).collect();
    assert_eq!(rows, ["a/B.java:3 several overloads or constructors fit"]);
    let only_sure = ImpactOptions { confidence: Confidence::SameModule, ..ImpactOptions::default() };
    assert!(!touched(&graph, "a/A.java:3", &only_sure).1);
}

#[test]
fn each_branch_of_a_chain_of_tests_has_a_type_of_its_own() {
    let files = "
==> a.py
from collections import abc

class Multi:
    def items(self):
        return []

def walk(m: Multi | abc.Mapping):
    if isinstance(m, Multi):
        m.items()
    elif isinstance(m, abc.Mapping):
        m.items()
";
    let (_tree, graph) = graph(files);
    assert_eq!(places(&refs(&graph, "symbol:a.py#Multi.items")), ["a.py:9"]);
}

#[test]
fn an_embedded_field_is_one_occurrence() {
    let files = "
==> go.mod
module a
==> a.go
package a

type Base struct{ n int }
type Info struct{ *Base }

func make() *Info { return &Info{Base: &Base{}} }
";
    let (_tree, graph) = graph(files);
    let answer = refs(&graph, "Base");
    assert_eq!(sum(&answer).0, sum(&answer).1);
}

#[test]
fn methods_of_one_path_in_two_crates_are_two() {
    let source = "pub struct Builder;\nimpl Builder {\n    pub fn smart(&self) {}\n}\npub fn run() {\n    Builder.smart();\n}\n";
    let mut files = String::from("\n==> Cargo.toml\n[workspace]\nmembers = [\"a\", \"b\"]\n");
    for name in ["a", "b"] {
        let _ = writeln!(files, "==> {name}/Cargo.toml\n[package]\nname = \"{name}\"");
        let _ = write!(files, "==> {name}/src/lib.rs\nmod matcher;\n==> {name}/src/matcher.rs\n{source}");
    }
    let (_tree, graph) = graph(&files);
    assert_eq!(places(&refs(&graph, "a/src/matcher.rs:3")), ["a/src/matcher.rs:6"]);
}

#[test]
fn a_class_in_an_unnamed_namespace_of_another_file_is_another_one() {
    let files = "
==> a.cc
namespace ns {
int Truncate(int n) { return n; }
struct FileState { int Drop() const; };
int FileState::Drop() const { return Truncate(1); }
}
==> b.cc
namespace ns {
namespace {
class FileState { void Truncate() {} };
}
}
";
    let (_tree, graph) = graph(files);
    assert_eq!(places(&refs(&graph, "a.cc:2")), ["a.cc:4"]);
}

#[test]
fn python_looks_for_members_in_the_order_of_its_own() {
    let files = "
==> a.py
class Base:
    def collect(self):
        return 0

class File(Base):
    pass

class Py(Base):
    def collect(self):
        return 1

class Module(File, Py):
    def collect(self):
        return super().collect()

class Plain(File, Py):
    pass

def run(plain: Plain):
    return plain.collect()
";
    let (_tree, graph) = graph(files);
    assert_eq!(places(&refs(&graph, "symbol:a.py#Py.collect")), ["a.py:14", "a.py:20"]);
    assert_eq!(places(&refs(&graph, "symbol:a.py#Base.collect")), [] as [&str; 0]);
}

#[test]
fn a_source_with_a_nul_byte_is_unread() {
    let tree = Tree::of("\n==> p/B.java\npackage p;\nclass B {\n    static void go() {}\n}\n");
    tree.write_old("p/C.java", "package p; class C { void run() { B.go(\"\0\"); } }");
    tree.sync();
    let graph = tree.graph();
    assert!(!is_complete(&refs(&graph, "symbol:p/B.java#B.go")));
    assert!(!touched(&graph, "symbol:p/B.java#B.go", &ImpactOptions::default()).1);
}

#[test]
fn an_impact_is_as_open_as_the_uses_of_what_it_starts_from() {
    let files = "
==> a.ts
export interface M { positive(): void }
type Lazy<T> = { [K in keyof T]: T[K] }
export function make(): Lazy<M> { return { positive() {} } }
";
    let (_tree, graph) = graph(files);
    assert!(!is_complete(&refs(&graph, "symbol:a.ts#M.positive")));
    assert!(!touched(&graph, "symbol:a.ts#M.positive", &ImpactOptions::default()).1);
}

#[test]
fn a_package_is_described_by_its_stub_too() {
    let files = "
==> shop/__init__.py
def __getattr__(name):
    raise AttributeError(name)
==> shop/__init__.pyi
from . import locks
==> shop/locks.py
class Condition:
    def notify(self):
        return 1
==> tests/test_locks.py
from shop import locks

def test_notify():
    c = locks.Condition()
    c.notify()
==> demo/run.py
import shop

def run():
    shop.locks.Condition().notify()
==> plain/__init__.py
==> plain/sub.py
def f():
    return 1
==> demo/other.py
import plain

def run():
    return plain.sub.f()
";
    let (_tree, graph) = graph(files);
    let notify = refs(&graph, "symbol:shop/locks.py#Condition.notify");
    assert_eq!(places(&notify), ["demo/run.py:4", "tests/test_locks.py:5"]);
    assert_eq!(places(&refs(&graph, "symbol:plain/sub.py#f")), ["demo/other.py:4"]);
}

#[test]
fn a_relative_import_that_leads_nowhere_does_not_lead_outside() {
    let files = "
==> shop/__init__.py
==> shop/cart.py
def fill():
    return 1
==> shop/use.py
from .made_by_a_script import fill

def run():
    return fill()
";
    let (_tree, graph) = graph(files);
    assert!(!is_complete(&refs(&graph, "symbol:shop/cart.py#fill")));
}

#[test]
fn what_a_type_has_itself_comes_before_its_traits() {
    let files = "
==> Cargo.toml
[package]
name = \"a\"
==> src/lib.rs
use std::ops::Index;
pub struct Url(String);
impl Index<u8> for Url {
    type Output = str;
    fn index(&self, at: u8) -> &str {
        &self.0[self.index(true)..]
    }
}
impl Url {
    fn index(&self, is_end: bool) -> usize {
        usize::from(is_end)
    }
}
";
    let (_tree, graph) = graph(files);
    assert_eq!(places(&refs(&graph, "src/lib.rs:10")), ["src/lib.rs:6"]);
}

#[test]
fn a_long_chain_of_classes_ends() {
    let mut text =
        String::from("class C0:\n    def run(self):\n        return 1\n\nclass Other:\n    pass\n\n");
    for number in 1..4000 {
        let _ = write!(text, "class C{number}(C{}):\n    pass\n\n", number - 1);
    }
    text += "class Last(C3999, Other):\n    pass\n\nclass Near(C3, Other):\n    pass\n\n";
    text += "def use(last: Last, near: Near):\n    last.run()\n    near.run()\n";
    let tree = Tree::of(&format!("\n==> a.py\n{text}"));
    tree.sync();
    let lines = text.lines().count();
    assert!(places(&refs(&tree.graph(), "symbol:a.py#C0.run")).contains(&format!("a.py:{lines}")));
}

#[test]
fn what_an_attribute_is_assigned_reaches_those_who_read_it() {
    let files = "
==> shop.py
def make_token():
    return 1

class Cart:
    def set_up(self):
        self.token = make_token()
        self.size = 2

    def pay(self):
        return self.token

    def count(self):
        return self.size
";
    let (_tree, graph) = graph(files);
    let (rows, is_complete) = touched(&graph, "make_token", &ImpactOptions::default());
    assert_eq!(rows, ["1 shop.Cart.set_up", "1 shop.Cart.token", "2 shop.Cart.pay"]);
    assert!(is_complete);
}

#[test]
fn what_initialises_a_field_reaches_those_who_read_it() {
    let files = "
==> p/Hash.java
package p;
class Hash {
  static Hash make() { return new Hash(); }
  int sum() { return 1; }
}
==> p/HashUser.java
package p;
class HashUser {
  private final Hash hash = Hash.make();
  int total() { return hash.sum(); }
  int other() { return 2; }
}
";
    let (_tree, graph) = graph(files);
    let (rows, _) = touched(&graph, "Hash.make", &ImpactOptions::default());
    assert!(rows.contains(&"2 p.HashUser.total".to_owned()), "{rows:?}");
    assert!(!rows.iter().any(|row| row.ends_with("other")), "{rows:?}");
}
