//! Edges that no name shows: overriding members, constructors, and code that is gone.

use crate::compare::assert_equals_fresh;
use crate::tree::Tree;
use expect_test::{Expect, expect};
use orbit_graph::{Confidence, Impact, ImpactOptions, RefOptions, Selector};
use std::fmt::Write as _;
use std::process::Command;

const SHAPES: &str = r"
==> shapes/base.py
class Shape:
    def draw(self):
        pass

class Middle(Shape):
    pass
==> shapes/round.py
from .base import Middle

class Round(Middle):
    def __init__(self, size):
        self.size = size

    def draw(self):
        pass

class Ball(Round):
    pass
==> shapes/use.py
from .base import Shape
from .round import Ball, Round

def paint(shape: Shape):
    shape.draw()

def roll():
    Round(1).draw()

def throw():
    return Ball(2)
";

fn selector(text: &str) -> Selector {
    Selector::parse(text).expect("a selector")
}

fn render(impact: &Impact) -> String {
    let mut out = String::new();
    for row in impact.touched.iter().chain(&impact.tests) {
        let confidence = row.confidence.as_str();
        let _ = writeln!(out, "{} {} {} {confidence}", row.distance, row.edge_kind, row.qualified_name);
    }
    let _ = write!(out, "complete: {}, uncertain: {}", impact.complete, impact.uncertain);
    out
}

fn impact(tree: &Tree, of: &str, expected: &Expect) {
    let answer = tree.graph().impact(&[selector(of)], &ImpactOptions::default()).expect("an index");
    expected.assert_eq(&render(&answer));
}

#[test]
fn a_change_of_an_override_reaches_the_callers_of_what_it_overrides() {
    let tree = Tree::of(SHAPES);
    tree.sync();
    impact(
        &tree,
        "Round.draw",
        &expect![[r#"
            1 call shapes.use.paint dispatch
            1 call shapes.use.roll import_resolved
            complete: true, uncertain: 0"#]],
    );
    impact(
        &tree,
        "Shape.draw",
        &expect![[r#"
        1 overrides shapes.round.Round.draw import_resolved
        1 call shapes.use.paint import_resolved
        2 call shapes.use.roll import_resolved
        complete: true, uncertain: 0"#]],
    );
}

#[test]
fn a_change_of_a_constructor_reaches_what_constructs_the_class_or_an_heir() {
    let tree = Tree::of(SHAPES);
    tree.sync();
    impact(
        &tree,
        "Round.__init__",
        &expect![[r#"
        1 call shapes.use.roll import_resolved
        1 call shapes.use.throw import_resolved
        complete: true, uncertain: 0"#]],
    );
}

#[test]
fn uses_through_a_declaration_are_counted_and_listed_when_asked_for() {
    let tree = Tree::of(SHAPES);
    tree.sync();
    let of = selector("Round.draw");
    let plain = tree.graph().refs(&of, &RefOptions::default()).expect("an index");
    assert_eq!(plain.refs.len(), 1);
    assert_eq!(plain.through.len(), 1);
    assert!(plain.through[0].selector.ends_with("base.py#Shape.draw:method"));
    assert_eq!(plain.through[0].refs, 1);
    let options = RefOptions { confidence: Confidence::Dispatch, ..RefOptions::default() };
    let wide = tree.graph().refs(&of, &options).expect("an index");
    let rows: Vec<String> =
        wide.refs.iter().map(|row| format!("{} {}", row.from_selector, row.confidence.as_str())).collect();
    expect![[r#"
        symbol:shapes/use.py#paint:function dispatch
        symbol:shapes/use.py#roll:function import_resolved"#]]
    .assert_eq(&rows.join("\n"));
}

#[test]
fn a_call_of_a_declaration_says_how_many_stand_behind_it() {
    let tree = Tree::of(SHAPES);
    tree.sync();
    let of = selector("paint");
    let plain = tree.graph().callees(&of, Confidence::SameModule, 10).expect("an index");
    let row = plain.callees.iter().find(|row| row.target_name == "draw").expect("the call");
    assert_eq!(row.overridden_by, 1);
    let wide = tree.graph().callees(&of, Confidence::Dispatch, 10).expect("an index");
    let through =
        wide.callees.iter().find(|row| row.confidence == Confidence::Dispatch).expect("the override");
    assert_eq!(through.target_qualified.as_deref(), Some("shapes.round.Round.draw"));
}

#[test]
fn overrides_follow_the_edits_of_other_files() {
    let tree = Tree::of(SHAPES);
    tree.sync();
    tree.replace("shapes/base.py", "class Middle(Shape)", "class Middle");
    tree.sync();
    assert_equals_fresh(&tree);
    assert!(!tree.export().contains(r#""kind":"overrides""#));
    tree.replace("shapes/base.py", "class Middle", "class Middle(Shape)");
    tree.replace("shapes/base.py", "def draw", "def paint");
    tree.sync();
    assert_equals_fresh(&tree);
    assert!(!tree.export().contains(r#""kind":"overrides""#));
}

#[test]
fn an_override_is_found_in_every_language_that_has_them() {
    let tree = Tree::of(
        r"
==> src/lib.rs
pub trait Sink { fn put(&mut self); fn end(&mut self) {} }
pub struct Buffer;
impl Sink for Buffer { fn put(&mut self) {} }
impl Buffer { pub fn end(&mut self) {} }
==> a/Base.java
package a;
class Base<T> { void put(T t) {} void put(int n) {} static class Inner extends Base<String> { void put(String s) {} void put(int n) {} } }
==> a.ts
interface Sink { put(n: number): void }
class Base implements Sink { put(n: number) {} }
class Derived extends Base { put(n: number) {} }
==> a.cc
class Base { public: virtual void put(int n); void plain(int n); };
class Derived : public Base { public: void put(int n) override; void plain(int n); };
void Derived::put(int n) {}
==> A.cs
interface ISink { void Put(int n); }
class Base : ISink { public virtual void Put(int n) {} public void Plain() {} }
class Derived : Base { public override void Put(int n) {} public new void Plain() {} }
",
    );
    tree.sync();
    let mut found = String::new();
    for row in tree.export().lines().filter(|line| line.contains(r#""kind":"overrides""#)) {
        let row: serde_json::Value = serde_json::from_str(row).expect("JSON lines");
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        let _ = writeln!(found, "{} {} -> {}", text("file"), text("from"), text("to"));
    }
    expect![[r#"
        A.cs Base.Put -> ISink.Put
        A.cs Derived.Put -> Base.Put
        a.cc a.cc::Derived::put -> a.cc::Base::put
        a.cc Derived::put#2 -> a.cc::Base::put
        a.ts a.Base.put -> a.Sink.put
        a.ts a.Derived.put -> a.Base.put
        a/Base.java a.Base.Inner.put -> a.Base.put
        a/Base.java a.Base.Inner.put#2 -> a.Base.put#2
        src/lib.rs crate::<Buffer as Sink>::put -> crate::Sink::put
    "#]]
    .assert_eq(&found);
}

#[test]
fn a_definition_is_used_through_its_declaration() {
    let tree = Tree::of(
        r"
==> a.h
int add(int left, const char *name = nullptr);
int add(double only);
==> a.cc
#include <a.h>
int add(int l, const char *n) { return 0; }
int add(double d) { return 1; }
==> b.cc
#include <a.h>
int run() { return add(1, nullptr); }
",
    );
    tree.sync();
    for place in ["a.h:1", "a.cc:2"] {
        let answer = tree.graph().refs(&selector(place), &RefOptions::default()).expect("an index");
        let from: Vec<&str> = answer.refs.iter().map(|row| row.from_selector.as_str()).collect();
        assert_eq!(from, ["symbol:b.cc#run:function"], "{place}");
    }
    for place in ["a.h:2", "a.cc:3"] {
        let answer = tree.graph().refs(&selector(place), &RefOptions::default()).expect("an index");
        assert!(answer.refs.is_empty(), "{place}");
    }
}

/// A worktree whose files are committed.
fn committed(fixture: &str) -> Tree {
    let tree = Tree::without_git();
    for (path, text) in crate::fixture::files(fixture) {
        tree.write_old(&path, text);
    }
    git(&tree, &["init", "-q", "-b", "main"]);
    git(&tree, &["add", "."]);
    git(&tree, &["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all"]);
    tree
}

fn git(tree: &Tree, arguments: &[&str]) {
    let status = Command::new("git").args(arguments).current_dir(tree.root()).status().expect("git");
    assert!(status.success(), "git {arguments:?}");
}

fn impact_of_diff(tree: &Tree, expected: &Expect) {
    tree.sync();
    let answer = tree.graph().impact_of_diff("worktree", &ImpactOptions::default()).expect("a repository");
    let unmapped =
        if answer.unmapped.is_empty() { String::new() } else { format!("\n{:?}", answer.unmapped) };
    expected.assert_eq(&format!("{}\n{}{unmapped}", answer.start.join("\n"), render(&answer)));
}

#[test]
fn what_used_a_function_that_is_gone_is_touched() {
    let tree = committed(SHAPES);
    tree.replace(
        "shapes/round.py",
        "    def draw(self):\n        pass\n\nclass Ball(Round):\n    pass\n",
        "",
    );
    impact_of_diff(
        &tree,
        &expect![[r#"
            symbol:shapes/round.py#Round.draw:method
            symbol:shapes/round.py#Ball:class
            1 call shapes.use.roll import_resolved
            1 call shapes.use.throw import_resolved
            complete: true, uncertain: 0"#]],
    );
}

#[test]
fn what_used_a_file_that_is_gone_is_touched() {
    let tree = committed(SHAPES);
    tree.remove("shapes/base.py");
    impact_of_diff(
        &tree,
        &expect![[r#"
            symbol:shapes/base.py#Shape:class
            symbol:shapes/base.py#Shape.draw:method
            symbol:shapes/base.py#Middle:class
            1 extends shapes.round.Round import_resolved
            1 type shapes.use.paint import_resolved
            2 extends shapes.round.Ball import_resolved
            2 call shapes.use.roll import_resolved
            3 call shapes.use.throw import_resolved
            complete: true, uncertain: 0"#]],
    );
}

#[test]
fn a_changed_file_that_is_not_indexed_leaves_an_impact_open() {
    let tree = committed("==> a.py\ndef f():\n    pass\n==> page.html\n<p>one</p>\n==> notes.rst\none\n");
    tree.write("page.html", "<p>two</p>\n");
    tree.write("notes.rst", "two\n");
    impact_of_diff(
        &tree,
        &expect![[r#"

            complete: false, uncertain: 0
            ["notes.rst", "page.html"]"#]],
    );
}

#[test]
fn a_use_in_the_file_that_lost_the_definition_counts() {
    let tree = committed("==> a.py\ndef f():\n    pass\n\ndef g():\n    f()\n\ndef h():\n    g()\n");
    tree.replace("a.py", "def f():\n    pass\n", "def renamed():\n    pass\n");
    impact_of_diff(
        &tree,
        &expect![[r#"
        symbol:a.py#renamed:function
        symbol:a.py#f:function
        1 call a.g exact
        2 call a.h exact
        complete: true, uncertain: 0"#]],
    );
}

#[test]
fn a_definition_that_moved_with_its_users_touches_nothing() {
    let tree = committed("==> a.py\ndef f():\n    pass\n==> b.py\nfrom a import f\n\ndef g():\n    f()\n");
    tree.write("a.py", "\n");
    tree.write("c.py", "def f():\n    pass\n");
    tree.replace("b.py", "from a import f", "from c import f");
    impact_of_diff(
        &tree,
        &expect![[r#"
        symbol:c.py#f:function
        symbol:a.py#f:function
        1 call b.g import_resolved
        complete: true, uncertain: 0"#]],
    );
}

/// The signatures that are written before a function are places of it: whoever calls one of them runs the body.
#[test]
fn a_body_has_the_callers_of_its_signatures() {
    let tree = Tree::of(
        r"
==> app/core.py
from typing import overload

class Command:
    @overload
    def main(self, args: str) -> str: ...
    @overload
    def main(self, args: int) -> int: ...
    def main(self, args):
        return self.invoke(args)

    def invoke(self, args):
        return args
==> app/use.py
from .core import Command

def start(command: Command):
    return command.main(1)
==> web/parse.ts
export function parse(text: string): string
export function parse(text: number): number
export function parse(text: unknown) {
  return text
}
==> web/use.ts
import { parse } from './parse'

export function read() {
  return parse('a')
}
",
    );
    tree.sync();
    impact(
        &tree,
        "app/core.py:9",
        &expect![[r#"
            1 call app.use.start import_resolved
            complete: true, uncertain: 0"#]],
    );
    impact(
        &tree,
        "web/parse.ts:4",
        &expect![[r#"
            1 call web/use.read import_resolved
            complete: true, uncertain: 0"#]],
    );
    let path = tree.graph().path(&selector("start"), &selector("Command.invoke"), Confidence::Dispatch);
    let steps: Vec<String> = path
        .expect("an index")
        .steps
        .iter()
        .map(|step| format!("{} {:?}", step.qualified, step.next.map(|next| next.line)))
        .collect();
    expect![[r#"
        [
            "app.use.start Some(4)",
            "app.core.Command.main#3 Some(9)",
            "app.core.Command.invoke None",
        ]
    "#]]
    .assert_debug_eq(&steps);
}

#[test]
fn a_java_class_is_used_where_one_of_its_constructors_is_called() {
    let files = "
==> p/Codec.java
package p;
public class Codec {
  public Codec() { this(1); }
  public Codec(int length) {}
  public Codec(String mapping) {}
}
==> p/User.java
package p;
class User {
  Codec a() { return new Codec(); }
  Codec b() { return new Codec(64); }
  Codec c(Object o) { return new Codec(o.what()); }
}
";
    let tree = Tree::of(files);
    tree.sync();
    let graph = tree.graph();
    let lines = |selector: &str| {
        let selector = Selector::parse(selector).expect("a selector");
        let answer = graph.refs(&selector, &RefOptions::default()).expect("an answer");
        let account = answer.account.expect("an account");
        let sum = account.here + account.definitions + account.elsewhere + account.uncertain + account.text;
        assert_eq!(sum + account.unread, account.occurrences, "{selector:?}");
        let rows = answer.refs.iter().filter(|row| row.kind == "call" && row.file == "p/User.java");
        (rows.map(|row| row.line).collect::<Vec<_>>(), account.uncertain)
    };
    assert_eq!(lines("symbol:p/Codec.java#Codec:class"), (vec![3, 4, 5], 0));
    assert_eq!(lines("p/Codec.java:3"), (vec![3], 1));
    assert_eq!(lines("p/Codec.java:4"), (vec![4], 1));
}
