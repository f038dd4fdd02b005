//! Python.

use super::{check, check_kind};
use crate::tree::Tree;
use expect_test::expect;

#[test]
fn a_decorated_function_is_what_its_decorators_give() {
    check(
        r"
==> lib.py
from typing import Callable, overload

class Group:
    def command(self, name=None) -> Callable[[object], 'Command']: ...

class Command:
    def main(self): ...

@overload
def group(name: Callable) -> Group: ...
@overload
def group(name: str = '', **rest) -> Callable[[Callable], Group]: ...
def group(name=None, **rest): ...

def trace(f): return f

==> app.py
import lib

@lib.group()
def cli(): ...

@cli.command('a') #?
def first(): ...

@lib.trace
@cli.command('b') #?
def second(): ...

@lib.trace
def third(): ...

first.main() #?
second.main() #?
third() #?
",
        &expect![[r#"
            app.py:6 command -> lib.py:4 import_resolved
            app.py:10 command -> lib.py:4 import_resolved
            app.py:16 main -> lib.py:7 import_resolved
            app.py:17 main -> lib.py:7 import_resolved
            app.py:18 third -> app.py:14 exact
        "#]],
    );
}

#[test]
fn what_a_function_returns_is_known_from_its_body() {
    check(
        r"
==> lib.py
class Box:
    def open(self): ...
class Lid:
    def open(self): ...
def box():
    return Box()
def mixed(x):
    if x:
        return Box()
    return Lid()
def maybe(x):
    if x:
        return
    return Box()
def each():
    yield 1
    return Box()
==> user.py
from lib import box, mixed, maybe, each
box().open() #?
mixed(1).open() #?
maybe(1).open() #?
each().open() #?
",
        &expect![[r#"
            user.py:2 box -> lib.py:5 import_resolved
            user.py:2 open -> lib.py:2 import_resolved
            user.py:3 mixed -> lib.py:7 import_resolved
            user.py:3 open -> ?
            user.py:4 maybe -> lib.py:11 import_resolved
            user.py:4 open -> lib.py:2 import_resolved
            user.py:5 each -> lib.py:15 import_resolved
            user.py:5 open -> ?
        "#]],
    );
}

#[test]
fn fields_of_a_local_class_are_its_own() {
    check(
        r"
==> user.py
class Part:
    def fit(self): ...
def run():
    class Local:
        part: Part
        def go(self):
            self.part.fit() #?
    Local().go() #?
",
        &expect![[r#"
            user.py:7 fit -> user.py:2 exact
            user.py:8 Local -> user.py:4 exact
            user.py:8 go -> user.py:6 exact
        "#]],
    );
}

#[test]
fn with_binds_what_entering_gives() {
    check(
        r"
==> m.py
from contextlib import contextmanager
from typing import Iterator

class Session:
    def send(self): pass
    def __enter__(self): return self
    async def __aenter__(self) -> 'Inner': ...

class Inner:
    def deep(self): pass

class Pool:
    def __enter__(self) -> Session: ...

@contextmanager
def annotated() -> Iterator[Session]:
    yield Session()

@contextmanager
def plain():
    yield Session()
==> use.py
from m import Session, Pool, annotated, plain

def run():
    with Session() as s:
        s.send() #?
    with Pool() as p:
        p.send() #?
    with annotated() as a:
        a.send() #?
    with plain() as q, Pool() as r:
        q.send() #?
        r.send() #?
",
        &expect![[r#"
            use.py:5 send -> m.py:5 import_resolved
            use.py:7 send -> m.py:5 import_resolved
            use.py:9 send -> m.py:5 same_module
            use.py:11 send -> m.py:5 same_module
            use.py:12 send -> m.py:5 import_resolved
        "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "one fixture with all its edges")]
fn collections_give_what_they_hold() {
    check(
        r"
==> m.py
from typing import Dict, Iterator, List, Optional, Tuple

class Item:
    def go(self): pass

class Bag:
    items: Dict[str, Item]
    def __getitem__(self, key) -> Item: ...
    def __iter__(self) -> Iterator[Item]: ...
    def pair(self) -> Tuple[Item, 'Bag']: ...
    def both(self):
        return Item(), self
    def find(self) -> Item | None: ...

def run(bag: Bag, many: List[Item], maybe: Optional[Item]):
    bag['a'].go() #?
    for each in bag:
        each.go() #?
    item, other = bag.pair()
    item.go() #?
    other.find().go() #?
    first, second = bag.both()
    first.go() #?
    second.pair() #?
    for place, one in enumerate(many):
        one.go() #?
    for one in reversed(sorted(many)):
        one.go() #?
    for key, value in bag.items.items():
        value.go() #?
        key.go() #?
    bag.items.get('a').go() #?
    for value in bag.items.values():
        value.go() #?
    for key in bag.items:
        key.go() #?
    [one.go() for one in many] #?
    made = [Item() for _ in many]
    made[0].go() #?
    for a, (b, c) in zip(many, enumerate(many)):
        a.go() #?
        c.go() #?
    many[1:][0].go() #?
    max(many).go() #?
    next(iter(many)).go() #?
    empty = []
    empty[0].go() #?
",
        &expect![[r#"
            m.py:16 go -> m.py:4 exact
            m.py:18 go -> m.py:4 exact
            m.py:20 go -> m.py:4 exact
            m.py:21 find -> m.py:13 exact
            m.py:21 go -> m.py:4 exact
            m.py:23 go -> m.py:4 exact
            m.py:24 pair -> m.py:10 exact
            m.py:26 go -> m.py:4 exact
            m.py:28 go -> m.py:4 exact
            m.py:30 go -> m.py:4 exact
            m.py:31 go -> ?
            m.py:32 get -> ?
            m.py:32 go -> m.py:4 exact
            m.py:34 go -> m.py:4 exact
            m.py:36 go -> ?
            m.py:37 go -> m.py:4 exact
            m.py:39 go -> m.py:4 exact
            m.py:41 go -> m.py:4 exact
            m.py:42 go -> m.py:4 exact
            m.py:43 go -> m.py:4 exact
            m.py:44 max -> ?
            m.py:44 go -> m.py:4 exact
            m.py:45 next -> ?
            m.py:45 iter -> ?
            m.py:45 go -> m.py:4 exact
            m.py:47 go -> ?
        "#]],
    );
}

#[test]
fn values_are_what_their_code_says_of_them() {
    check(
        r"
==> m.py
import enum
from typing import Annotated, Generic, TypeVar, Union
from fastapi import Depends

T = TypeVar('T')
S = TypeVar('S', bound='Base')

class Base:
    def base(self): pass

class Item(Base):
    def go(self): pass

class Other(Base):
    def stay(self): pass

class Color(str, enum.Enum):
    RED = 'red'
    def shade(self): pass

class Box(Generic[T]):
    def __init__(self, held: T): self.held = held
    def get(self) -> T: ...

def same(x: S) -> S: ...

class Late:
    def __init__(self):
        self.item = None
    def set(self):
        self.item = Item()
    def use(self):
        self.item.go() #?

def get_item() -> Item: ...

def run(box: Box[Item], any, either: Union[Item, Other], got: Annotated[Item, Depends(get_item)], dep=Depends(get_item)):
    Color.RED.shade() #?
    box.get().go() #?
    box.held.go() #?
    same(Item()).go() #?
    same(any).base() #?
    either.base() #?
    either.go() #?
    got.go() #?
    dep.go() #?
    if isinstance(any, Item):
        any.go() #?
    any.go() #?
    if not isinstance(any, Other):
        return
    any.stay() #?
",
        &expect![[r#"
            m.py:33 go -> m.py:12 exact
            m.py:38 shade -> m.py:19 exact
            m.py:39 get -> m.py:23 exact
            m.py:39 go -> m.py:12 exact
            m.py:40 go -> m.py:12 exact
            m.py:41 same -> m.py:25 exact
            m.py:41 Item -> m.py:11 exact
            m.py:41 go -> m.py:12 exact
            m.py:42 same -> m.py:25 exact
            m.py:42 base -> m.py:9 exact
            m.py:43 base -> m.py:9 exact
            m.py:44 go -> m.py:12 exact
            m.py:45 go -> m.py:12 exact
            m.py:46 go -> m.py:12 exact
            m.py:48 go -> m.py:12 exact
            m.py:49 go -> ?
            m.py:52 stay -> m.py:15 exact
        "#]],
    );
}

#[test]
fn a_parameter_named_after_a_fixture_is_what_the_fixture_gives() {
    check(
        r"
==> app.py
class Client:
    def get(self): pass

class Special(Client):
    def extra(self): pass
==> tests/conftest.py
import pytest
from app import Client, Special

@pytest.fixture
def client():
    yield Client()

@pytest.fixture(scope='module')
def special(client) -> Special:
    client.get() #?
    return Special()
==> tests/deep/conftest.py
import pytest
from app import Special

@pytest.fixture
def client():
    return Special()
==> tests/test_a.py
def test_it(client, special):
    client.get() #?
    client.extra() #?
    special.extra() #?
==> tests/deep/test_b.py
def test_it(client):
    client.extra() #?

def helper(client):
    client.extra() #?
",
        &expect![[r#"
            tests/conftest.py:10 get -> app.py:2 import_resolved
            tests/deep/test_b.py:2 extra -> app.py:5 import_resolved
            tests/deep/test_b.py:5 extra -> ?
            tests/test_a.py:2 get -> app.py:2 import_resolved
            tests/test_a.py:3 extra -> ?
            tests/test_a.py:4 extra -> app.py:5 import_resolved
        "#]],
    );
}

#[test]
fn directories_without_an_init_file_are_packages_too() {
    check(
        r"
==> space/pkg/__init__.py
==> space/pkg/mod.py
def f(): pass
==> space/plain.py
def g(): pass
==> main.py
from space.pkg.mod import f
from space.pkg import mod
from space import plain
import space.plain
f() #?
mod.f() #?
plain.g() #?
space.plain.g() #?
",
        &expect![[r#"
            main.py:5 f -> space/pkg/mod.py:1 import_resolved
            main.py:6 f -> space/pkg/mod.py:1 import_resolved
            main.py:7 g -> space/plain.py:1 import_resolved
            main.py:8 g -> space/plain.py:1 import_resolved
        "#]],
    );
}

#[test]
fn a_module_imported_from_its_package_is_its_own_file() {
    let tree = Tree::of("==> pkg/__init__.py\n==> pkg/sub.py\nx = 1\n==> pkg/use.py\nfrom . import sub\n");
    tree.sync();
    let imports: Vec<String> =
        tree.export().lines().filter(|line| line.contains(r#""type":"import""#)).map(str::to_owned).collect();
    assert_eq!(imports.len(), 1);
    assert!(imports[0].contains(r#""resolved_file":"pkg/sub.py""#), "{}", imports[0]);
}

#[test]
fn a_value_that_can_be_called_gives_what_its_call_method_does() {
    check(
        r#"
==> kinds.py
from typing import Protocol
from client import Client
class Factory(Protocol):
    def __call__(self, app, base: str = "") -> Client: ...
==> client.py
class Client:
    def get(self): ...
==> test_use.py
from kinds import Factory
def test_get(make: Factory):
    client = make(1)
    client.get() #?
    make(2, base="x").get() #?
"#,
        &expect![[r#"
            test_use.py:4 get -> client.py:2 import_resolved
            test_use.py:5 get -> client.py:2 import_resolved
        "#]],
    );
}

#[test]
fn an_attribute_that_is_assigned_is_the_one_that_is_declared() {
    let tree = Tree::of(
        r"
==> base.py
class Base:
    children: list['Base']
    name = None

    def __init__(self):
        self.depth: int = 0
        self.label = ''

    @property
    def prefix(self): ...

==> tree.py
from base import Base

class Node(Base):
    def __init__(self, children, prefix):
        self.children = list(children)
        self.depth = 1
        self.name = 'node'
        self.label = 'x'
        self.prefix = prefix
        self.suffix = ''

    def walk(self):
        for child in self.children: ... #?
        self.depth #?
        self.name #?
        self.label #?
        self.prefix #?
        self.suffix #?

    @property
    def suffix(self): ...
",
    );
    tree.sync();
    check_kind(
        &tree,
        "value",
        &expect![[r#"
        tree.py:13 children -> base.py:2 import_resolved
        tree.py:14 depth -> base.py:6 import_resolved
        tree.py:15 name -> tree.py:7 exact
        tree.py:16 label -> tree.py:8 exact
        tree.py:17 prefix -> base.py:10 import_resolved
        tree.py:18 suffix -> tree.py:21 exact
    "#]],
    );
}

#[test]
fn operators_give_what_their_methods_do() {
    check(
        r"
==> ranges.py
from typing import Self

class Range:
    def __and__(self, other: 'Range') -> 'Range': ...
    def __sub__(self, other) -> Self: ...
    def __invert__(self): return Range()
    def holds(self): ...

class Plain:
    def holds(self): ...

def make() -> Range: ...

both = make() & make()
both.holds() #?
(make() - both).holds() #?
(~both).holds() #?
(Plain() & both).holds() #?
('a' + both).holds() #?
",
        &expect![[r#"
            ranges.py:15 holds -> ranges.py:7 exact
            ranges.py:16 make -> ranges.py:12 exact
            ranges.py:16 holds -> ranges.py:7 exact
            ranges.py:17 holds -> ranges.py:7 exact
            ranges.py:18 Plain -> ranges.py:9 exact
            ranges.py:18 holds -> ?
            ranges.py:19 holds -> ?
        "#]],
    );
}

#[test]
fn an_object_is_made_of_the_class_that_new_is_given() {
    check(
        r"
==> shop.py
class Cart:
    def fill(self): ...

class Other:
    def __new__(cls, *args) -> Cart: ...
    def fill(self): ...

def run():
    cart = Cart.__new__(Cart)
    cart.fill() #?
    made = object.__new__(Cart)
    made.fill() #?
    other = Other.__new__(Other)
    other.fill() #?
",
        &expect![[r#"
            shop.py:10 fill -> shop.py:2 exact
            shop.py:12 fill -> shop.py:2 exact
            shop.py:14 fill -> shop.py:6 exact
        "#]],
    );
}
