//! More code on which answers once said `complete` and were not: what runs or is set without standing in the way of a call.

use crate::complete::{graph, is_complete, places, refs, sum, touched};
use orbit_graph::{Confidence, ImpactOptions};

#[test]
fn an_inherited_property_is_set_through_self() {
    let files = "
==> base.py
class Response:
    length: int

    @property
    def range(self):
        return self._range

    @range.setter
    def range(self, value):
        self._range = value
==> web.py
from base import Response

class WebResponse(Response):
    def prepare(self):
        self.range = 1
        self.length = 2
        self.own = 3

    def later(self):
        return self.own
";
    let (_tree, graph) = graph(files);
    let range = refs(&graph, "base.py:5");
    assert_eq!(places(&range), ["base.py:8", "web.py:5"]);
    assert!(is_complete(&range));
    assert_eq!(sum(&range).0, sum(&range).1);
    assert_eq!(places(&refs(&graph, "base.py:2")), ["web.py:6"]);
    let (reached, _) = touched(&graph, "base.py:5", &ImpactOptions::default());
    assert!(reached.contains(&"1 web.WebResponse.prepare".to_owned()), "{reached:?}");
    // What only this class assigns is defined there, and not used by it.
    let own = refs(&graph, "web.py:7");
    assert_eq!(places(&own), ["web.py:10"]);
    assert_eq!(sum(&own).0, sum(&own).1);
}

#[test]
fn to_call_self_is_not_to_make_another() {
    let files = "
==> state.py
class State:
    def __enter__(self):
        return self

class Handler:
    def __call__(self) -> State:
        return State()

    @classmethod
    def make(cls):
        made = cls()
        return made.other()

    def other(self):
        return 1

    def __enter__(self):
        state = self()
        return state.__enter__()
";
    let (_tree, graph) = graph(files);
    assert_eq!(places(&refs(&graph, "state.py:2")), ["state.py:19"]);
    assert_eq!(places(&refs(&graph, "state.py:17")), Vec::<String>::new());
    assert_eq!(places(&refs(&graph, "state.py:14")), ["state.py:12"]);
}

#[test]
fn a_constant_is_touched_by_what_initialises_it() {
    let files = "
==> Option.java
class Option {
    static Option make() { return null; }
}
==> Tool.java
class Tool {
    static final Option HELP = Option.make();
    void print() { System.out.println(HELP); }
}
";
    let (_tree, graph) = graph(files);
    let options = ImpactOptions { depth: 2, ..ImpactOptions::default() };
    let (reached, _) = touched(&graph, "Option.java:2", &options);
    assert!(reached.contains(&"1 Tool.HELP".to_owned()), "{reached:?}");
    assert!(reached.contains(&"2 Tool.print".to_owned()), "{reached:?}");
}

#[test]
fn a_closure_is_as_near_as_the_function_that_it_stands_in() {
    let files = "
==> go.mod
module m
==> a.go
package m

func matches() bool { return true }

func parse() {
	query := func() bool { return matches() }
	query()
}

func Get() { parse() }
==> b.py
def leaf():
    pass

def outer():
    def inner():
        leaf()
    inner()

def unrelated():
    def inner():
        leaf()
";
    let (_tree, graph) = graph(files);
    let options = ImpactOptions { depth: 2, ..ImpactOptions::default() };
    let (reached, is_whole) = touched(&graph, "a.go:3", &options);
    assert_eq!(reached, ["1 m.parse.query", "1 m.parse", "2 m.Get"]);
    assert!(is_whole);
    let options = ImpactOptions { depth: 1, ..ImpactOptions::default() };
    let (reached, _) = touched(&graph, "b.py:1", &options);
    assert_eq!(reached, ["1 b.outer.inner", "1 b.unrelated.inner", "1 b.outer"]);
}

#[test]
fn a_signature_of_python_is_chosen_by_what_it_takes() {
    let files = "
==> items.py
from typing import overload

class Item:
    def text(self): ...

class Bool(Item):
    def text(self): ...

class Integer(Item):
    def text(self): ...

@overload
def item(value: bool) -> Bool: ...
@overload
def item(value: int) -> Integer: ...
@overload
def item(value: Item) -> Item: ...
def item(value):
    return value
==> use.py
from items import item, Integer

def use(unknown):
    item(True).text()
    item(34).text()
    item(Integer()).text()
    item(unknown).text()
";
    let (_tree, graph) = graph(files);
    assert_eq!(places(&refs(&graph, "items.py:7")), ["use.py:4"]);
    let integer = refs(&graph, "items.py:10");
    assert_eq!(places(&integer).first().map(String::as_str), Some("use.py:5"));
    assert!(!is_complete(&integer));
    assert!(places(&refs(&graph, "items.py:4")).contains(&"use.py:6".to_owned()));
}

#[test]
fn a_signature_of_python_is_chosen_by_literals_and_dates() {
    let files = "
==> items.py
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, overload

class Item:
    def kind(self): ...

class Moment(Item):
    def kind(self): ...

class Day(Item):
    def kind(self): ...

class Tables(Item):
    def kind(self): ...

class Array(Item):
    def kind(self): ...

class Table(Item):
    def kind(self): ...
    def only_here(self): ...

@overload
def item(value: datetime) -> Moment: ...
@overload
def item(value: date) -> Day: ...
@overload
def item(value: Sequence[dict[str, Any]]) -> Tables: ...
@overload
def item(value: Sequence[Any], width: int = ...) -> Array: ...
@overload
def item(value: dict[str, Any]) -> Table: ...
@overload
def item(value: object, width: int = ...) -> Item: ...
def item(value, width=0):
    return value
==> use.py
import datetime as dt
from datetime import date
from decimal import Decimal
from items import item

def use(unknown):
    item([1, 2]).kind()
    item([{'a': 1}]).kind()
    item({'a': [1]}).kind()
    item([x for x in unknown]).kind()
    item([{'a': x} for x in unknown], 2).kind()
    item(date(2000, 1, 2)).kind()
    item(dt.datetime(2000, 1, 2)).kind()
    item([unknown]).kind()
    item(rb'x', width=1).kind()
    item(unknown).kind()
    item(unknown).only_here()
    item(Decimal('1'), width=2).kind()
    item({'a': 1}, width=2).kind()
";
    let (_tree, graph) = graph(files);
    for (selector, lines) in [
        ("Moment.kind", &[13][..]),
        ("Day.kind", &[12]),
        ("Tables.kind", &[8]),
        ("Array.kind", &[7, 11]),
        ("Table.kind", &[9]),
        ("Item.kind", &[18]),
        ("Table.only_here", &[17]),
    ] {
        let answer = refs(&graph, selector);
        let lines: Vec<String> = lines.iter().map(|line| format!("use.py:{line}")).collect();
        let sure = answer.refs.iter().filter(|row| row.confidence < Confidence::Dispatch);
        let sure: Vec<String> = sure.map(|row| format!("{}:{}", row.file, row.line)).collect();
        assert_eq!(sure, lines, "{selector}");
    }
    let open: Vec<u32> = refs(&graph, "Array.kind").uncertain.iter().map(|row| row.line).collect();
    assert_eq!(open, [10, 14, 15, 16, 19]);
}
