//! Python.

use super::check;
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
