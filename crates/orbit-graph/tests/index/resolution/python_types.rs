//! Types of Python as annotations write them.

use super::check;
use expect_test::expect;

#[test]
fn a_class_may_be_what_is_handed_on() {
    check(
        r#"
==> lib.py
from typing import Type, TypeVar, Union
class Left:
    def go(self): ...
    @classmethod
    def make(cls): ...
class Right:
    def go(self): ...
    def stop(self): ...
T = TypeVar("T")
def build(cls: type[T]) -> T: ...
def one(cls: Type[Left]):
    cls().go() #?
    cls.make() #?
def several(cls: "type[Left | Right]"):
    cls().stop() #?
class Holder:
    kind: type[Left]
    def run(self):
        self.kind().go() #?
build(Right).stop() #?
"#,
        &expect![[r#"
            lib.py:12 go -> lib.py:3 exact
            lib.py:13 make -> lib.py:5 exact
            lib.py:15 stop -> lib.py:8 exact
            lib.py:19 kind -> lib.py:17 exact
            lib.py:19 go -> lib.py:3 exact
            lib.py:20 build -> lib.py:10 exact
            lib.py:20 stop -> lib.py:8 exact
        "#]],
    );
}

#[test]
fn annotations_in_quotes_are_read_as_if_they_had_none() {
    check(
        r#"
==> lib.py
from __future__ import annotations
from typing import Callable, Optional
class Node:
    def go(self): ...
def one(node: "Node | None"):
    node.go() #?
def several(nodes: "dict[str, list[Node]]"):
    nodes["a"][0].go() #?
def quoted(node: Optional["Node"], make: "Callable[[int, str], Node]"):
    node.go() #?
    make(1, "a").go() #?
def pair(both: "tuple[int, 'Node']"):
    number, node = both
    node.go() #?
"#,
        &expect![[r#"
            lib.py:6 go -> lib.py:4 exact
            lib.py:8 go -> lib.py:4 exact
            lib.py:10 go -> lib.py:4 exact
            lib.py:11 go -> lib.py:4 exact
            lib.py:14 go -> lib.py:4 exact
        "#]],
    );
}

#[test]
fn starred_names_hold_several_and_tasks_give_what_they_wait_for() {
    check(
        r#"
==> lib.py
import asyncio
class Node:
    def go(self): ...
    async def load(self) -> "Node": ...
def run(nodes: list[Node], *args: Node, **named: Node):
    args[0].go() #?
    for each in args: each.go() #?
    named["a"].go() #?
    for each in named.values(): each.go() #?
    first, *rest = nodes
    first.go() #?
    rest[0].go() #?
async def wait():
    one, two = await asyncio.gather(Node().load(), Node().load())
    two.go() #?
    task = asyncio.create_task(Node().load())
    (await task).go() #?
    (await asyncio.wait_for(Node().load(), 1)).go() #?
"#,
        &expect![[r#"
            lib.py:6 go -> lib.py:3 exact
            lib.py:7 go -> lib.py:3 exact
            lib.py:8 go -> lib.py:3 exact
            lib.py:9 values -> ?
            lib.py:9 go -> lib.py:3 exact
            lib.py:11 go -> lib.py:3 exact
            lib.py:12 go -> lib.py:3 exact
            lib.py:15 go -> lib.py:3 exact
            lib.py:17 go -> lib.py:3 exact
            lib.py:18 wait_for -> ?
            lib.py:18 Node -> lib.py:2 exact
            lib.py:18 load -> lib.py:4 exact
            lib.py:18 go -> lib.py:3 exact
        "#]],
    );
}

#[test]
fn a_comment_before_the_first_parameter_is_none() {
    check(
        r#"
==> lib.py
class Node:
    def __init__(  # noqa
        self,
        other: "Node",
    ) -> None:
        self.other = other
    def go(self):
        self.other.go() #?
"#,
        &expect![[r#"
            lib.py:8 go -> lib.py:7 exact
        "#]],
    );
}
