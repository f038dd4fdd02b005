//! What is kept of calls, lists and conditions for finding out types.

use crate::render::check;
use expect_test::expect;

#[test]
fn what_a_call_is_expected_to_give() {
    check(
        "a.ts",
        "const made: Maker<Shape> = maker('x', (it) => it.own());\neach<Row>(rows, (r) => r.save());\n",
        &expect![[r#"
            symbol const made 1-1 : <Maker<Shape>> | const made: Maker<Shape> = maker('x', (it) => it.own())
            ref type Maker @1 in made
            ref type Shape @1 in made
            ref call maker @1 in made
            ref call maker:<Maker<Shape>>(#1)<-0 . own @1 in made
            ref call each @2 in -
            ref type Row @2 in -
            ref value rows @2 in -
            ref call each<Row>(#1)<-0 . save @2 in -
        "#]],
    );
}

#[test]
fn what_a_condition_tells() {
    check(
        "a.ts",
        r"
function f(x: unknown, y: Row | Cell) {
  if (x instanceof Row && y instanceof Cell) { x.save(); y.paint(); } else { x.save(); }
  y instanceof Row ? y.save() : y.paint();
  if (!(x instanceof Cell)) return;
  x.paint();
}
function g() {
  let row;
  row = new Row();
  row.save();
}
",
        &expect![[r#"
            symbol function f 2-7 (?, <Row|Cell>) | function f(x: unknown, y: Row | Cell)
            symbol function g 8-12 | function g()
            ref type Row @2 in f
            ref type Cell @2 in f
            ref value Row @3 in f
            ref value Cell @3 in f
            ref call <Row> . save @3 in f
            ref call <<Cell>&<Row|Cell>> . paint @3 in f
            ref call ? . save @3 in f
            ref value Row @4 in f
            ref call <<Row>&<Row|Cell>> . save @4 in f
            ref call <Row|Cell> . paint @4 in f
            ref value Cell @5 in f
            ref call <Cell> . paint @6 in f
            ref call Row @10 in g
            ref call <Row> . save @11 in g
        "#]],
    );
}

#[test]
fn what_lists_hold() {
    check(
        "a.ts",
        "const a = [new Row(), make()];\nconst b = [1, 'x'], c = [...a], d = [unknown ? 1 : x], e = [];\n",
        &expect![[r#"
            symbol const a 1-1 : [<Row>, make()] | const a = [new Row(), make()]
            symbol const b 2-2 : # | b = [1, 'x']
            symbol const c 2-2 : [a[]] | c = [...a]
            symbol const d 2-2 : [x] | d = [unknown ? 1 : x]
            symbol const e 2-2 : # | e = []
            ref call Row @1 in a
            ref call make @1 in a
            ref value a @2 in c
            ref value unknown @2 in d
            ref value x @2 in d
        "#]],
    );
}

#[test]
fn what_a_class_extends_with_type_arguments() {
    check(
        "a.ts",
        "class Rows extends Base<Row> {}\nclass All extends ns.Map<Key, Row> implements Box<Row> {}\ntype R = ReturnType<typeof make>;\nfunction f(a: Awaited<R>, b: InstanceType<typeof Row>) {}\n",
        &expect![[r#"
            symbol class Rows 1-1 | class Rows extends Base<Row>
            symbol class All 2-2 | class All extends ns.Map<Key, Row> implements Box<Row>
            symbol type_alias R 3-3 : make() | type R = ReturnType<typeof make>
            symbol function f 4-4 (<<R>[]>, <Row>) | function f(a: Awaited<R>, b: InstanceType<typeof Row>)
            ref type Base @1 in -
            ref type Row @1 in -
            ref value ns @2 in -
            ref type ns . Map @2 in -
            ref type Key @2 in -
            ref type Row @2 in -
            ref type Box @2 in -
            ref type Row @2 in -
            ref type ReturnType @3 in R
            ref value make @3 in R
            ref type Awaited @4 in f
            ref type R @4 in f
            ref type InstanceType @4 in f
            ref value Row @4 in f
            relation Rows extends Base<Row> @1
            relation All extends ns.Map<Key, Row><Row> @2
            relation All implements Box<Row> @2
        "#]],
    );
}

#[test]
fn what_is_taken_out_of_a_part_of_a_package() {
    check(
        "a.js",
        "const { readFile, stat: s } = require('node:fs').promises\nconst { a } = require('./own').part\n",
        &expect![[r#"
            symbol const a 2-2 : require(./own).part.a | const { a } = require('./own').part
            ref type require(./own) . part @2 in -
            ref value require(./own).part . a @2 in -
            import symbol node:fs [promises.readFile] as readFile @1 in -
            import symbol node:fs [promises.stat] as s @1 in -
            import module ./own as require(./own) @2 in -
        "#]],
    );
}

#[test]
fn what_objects_without_a_symbol_hold() {
    check(
        "a.ts",
        "function f(x: { a: A; b(): B; n: number }): { c: C } {}\nfunction g() { const a = new A(); return { a, b: make(), run() {} }; }\nasync function h() { return new A(); }\nasync function i() { return load(); }\ntype T = { a: A } | { b: B };\n",
        &expect![[r#"
            symbol function f 1-1 ({a: <A>, b: ()=><B>}) : {c: <C>} | function f(x: { a: A; b(): B; n: number }): { c: C }
            symbol function g 2-2 : {{g}, a: <A>, b: make()} | function g()
            symbol method g.run 2-2 | run()
            symbol function h 3-3 : [<A>] | async function h()
            symbol function i 4-4 | async function i()
            symbol type_alias T 5-5 : ? | type T = { a: A } | { b: B }
            symbol property T.a 5-5 : <A> | a: A
            symbol property T.b 5-5 : <B> | b: B
            ref type A @1 in f
            ref type B @1 in f
            ref type C @1 in f
            ref call A @2 in g
            ref call make @2 in g
            ref call A @3 in h
            ref call load @4 in i
            ref type A @5 in T.a
            ref type B @5 in T.b
        "#]],
    );
}
