//! What modules of TypeScript and JavaScript import and export.

#![expect(clippy::too_many_lines, reason = "a fixture and its facts stay together")]

use crate::render::check;
use expect_test::expect;

#[test]
fn imports() {
    check(
        "a.ts",
        r#"
import def, { a as b, c, default as d } from './m';
import * as ns from '../ns';
import './side-effect';
import type { T } from "./types";
import { type U, 'string name' as s } from './u';
import x = require('legacy');
import json from './data.json' with { type: 'json' };
const lazy = () => import('./lazy');
const cjs = require('./cjs');
const { p, q: r, s: { t }, u = fallback } = require('./cjs');
const member = require('./cjs').member;
require('./bare');
async function f() {
  const mod = await import('./dyn');
  const { one } = await import(`./dyn2`);
  mod.go(one);
  import(dynamic);
}
"#,
        &expect![[r#"
            symbol function lazy 9-9 : require(./lazy) | const lazy = () =>
            symbol const t 11-11 : ? | const { p, q: r, s: { t }, u = fallback } = require('./cjs')
            symbol function f 14-19 | async function f()
            ref value fallback @11 in -
            ref value mod @17 in f
            ref call mod . go @17 in f
            ref value one @17 in f
            ref value dynamic @18 in f
            import symbol ./m [default] as def @2 in -
            import symbol ./m [a] as b @2 in -
            import symbol ./m [c] as c @2 in -
            import symbol ./m [default] as d @2 in -
            import module ../ns as ns @3 in -
            import file ./side-effect @4 in -
            import symbol ./types [T] as T @5 in -
            import symbol ./u [U] as U @6 in -
            import symbol ./u [string name] as s @6 in -
            import module legacy as x @7 in -
            import symbol ./data.json [default] as json @8 in -
            import module ./lazy as require(./lazy) @9 in -
            import module ./cjs as cjs @10 in -
            import symbol ./cjs [p] as p @11 in -
            import symbol ./cjs [q] as r @11 in -
            import symbol ./cjs [u] as u @11 in -
            import symbol ./cjs [member] as member @12 in -
            import module ./bare as require(./bare) @13 in -
            import module ./dyn as mod @15 in f
            import symbol ./dyn2 [one] as one @16 in f
        "#]],
    );
}

#[test]
fn exports() {
    check(
        "a.ts",
        r#"
export { a as b, c } from './m';
export { default } from './d';
export { default as named } from './d';
export * from './all';
export * as ns from './ns';
export type { T } from './types';
const one = 1, two = 2;
function internal() {}
class Kept { m() {} private p() {} }
export { one, two as deux, Kept };
export default one;
"#,
        &expect![[r#"
            symbol const one 8-8 pub : # | one = 1
            symbol const two 8-8 pub : # | two = 2
            symbol function internal 9-9 | function internal()
            symbol class Kept 10-10 pub | class Kept
            symbol method Kept.m 10-10 pub | m()
            symbol method Kept.p 10-10 | private p()
            import symbol ./m [a] as b reexport @2 in -
            import symbol ./m [c] as c reexport @2 in -
            import symbol ./d [default] as default reexport @3 in -
            import symbol ./d [default] as named reexport @4 in -
            import glob ./all reexport @5 in -
            import module ./ns as ns reexport @6 in -
            import symbol ./types [T] as T reexport @7 in -
            import symbol  [one] as one reexport @11 in -
            import symbol  [two] as deux reexport @11 in -
            import symbol  [Kept] as Kept reexport @11 in -
            import symbol  [one] as default reexport @12 in -
        "#]],
    );
    check(
        "b.ts",
        "export default function named() {}\n",
        &expect![[r#"
        symbol function named 1-1 pub | export default function named()
        import symbol  [named] as default reexport @1 in -
    "#]],
    );
    check(
        "c.ts",
        "export default class Named {}\n",
        &expect![[r#"
        symbol class Named 1-1 pub | export default class Named
        import symbol  [Named] as default reexport @1 in -
    "#]],
    );
    check(
        "d.ts",
        "export default class { m() {} }\n",
        &expect![[r#"
        symbol class default 1-1 pub | export default class
        symbol method default.m 1-1 pub | m()
    "#]],
    );
    check(
        "e.ts",
        "export default (x: Foo) => x.go();\n",
        &expect![[r#"
            symbol function default 1-1 pub (<Foo>) : <Foo>.go() | export default (x: Foo) =>
            ref type Foo @1 in default
            ref call <Foo> . go @1 in default
        "#]],
    );
    check(
        "f.js",
        "export default function () { go(); }\n",
        &expect![[r#"
        symbol function default 1-1 pub | export default function ()
        ref call go @1 in default
    "#]],
    );
    check(
        "g.js",
        "export default { data() {}, methods: { go() {} } };\n",
        &expect![[r#"
        symbol const default 1-1 pub | export default
        symbol method default.data 1-1 pub | data()
        symbol property default.methods 1-1 pub | methods
        symbol method default.methods.go 1-1 pub | go()
    "#]],
    );
    check(
        "h.ts",
        "export default defineConfig({ plugins: [vue()], build: { onEnd() {} } });\n",
        &expect![[r#"
            symbol const default 1-1 pub : defineConfig() | export default defineConfig({ plugins: [vue()], build: { onEnd() {} } })
            symbol method default.build.onEnd 1-1 pub | onEnd()
            ref call defineConfig @1 in default
            ref value defineConfig(#0) . plugins @1 in default
            ref call vue @1 in default
            ref value defineConfig(#0) . build @1 in default
            ref value defineConfig(#0).build . onEnd @1 in default
        "#]],
    );
    check(
        "i.ts",
        "function foo() {}\nexport = foo;\n",
        &expect![[r#"
            symbol function foo 1-1 pub | function foo()
            import symbol  [foo] as default reexport @2 in -
            import symbol  [foo] as export= reexport @2 in -
        "#]],
    );
}

#[test]
fn commonjs_exports() {
    check(
        "a.js",
        "function X() {}\nmodule.exports = X;\n",
        &expect![[r#"
            symbol function X 1-1 pub | function X()
            import symbol  [X] as default reexport @2 in -
            import symbol  [X] as export= reexport @2 in -
        "#]],
    );
    check(
        "b.js",
        "const a = 1, c = 2;\nmodule.exports = { a, b: c, f() {}, g: () => a, h: 'value of h', ...require('./more') };\n",
        &expect![[r#"
            symbol const a 1-1 pub : # | a = 1
            symbol const c 1-1 pub : # | c = 2
            symbol method f 2-2 pub | f()
            symbol function g 2-2 pub : a | g: () =>
            symbol const h 2-2 pub : # | h: 'value of h'
            ref value a @2 in g
            import symbol  [a] as a reexport @2 in -
            import symbol  [c] as b reexport @2 in -
            import glob ./more reexport @2 in -
            string "value of h" @2 in h
        "#]],
    );
    check(
        "c.js",
        "exports.a = exports.b = void 0;\nexports.f = function () { go(); };\nmodule.exports.g = class { m() {} };\nexports.h = h;\nfunction h() {}\nexports.v = 1;\n",
        &expect![[r#"
            symbol function f 2-2 pub | exports.f = function ()
            symbol class g 3-3 pub | module.exports.g = class
            symbol method g.m 3-3 pub | m()
            symbol function h 5-5 pub | function h()
            symbol const v 6-6 pub : # | exports.v = 1
            ref call go @2 in f
            import symbol  [h] as h reexport @4 in -
        "#]],
    );
    check(
        "d.js",
        "exports = module.exports = function create() {};\n",
        &expect![[r#"
            symbol function create 1-1 pub | module.exports = function create()
            ref value exports @1 in -
            import symbol  [create] as default reexport @1 in -
            import symbol  [create] as export= reexport @1 in -
        "#]],
    );
    check(
        "e.js",
        "module.exports = require('./other');\n",
        &expect![[r#"
        import glob ./other reexport @1 in -
    "#]],
    );
    check(
        "f.js",
        "module.exports = (x) => x.go();\n",
        &expect![[r#"
            symbol function default 1-1 pub | module.exports = (x) =>
            ref call ? . go @1 in default
            import symbol  [default] as export= reexport @1 in -
        "#]],
    );
}
