//! TypeScript and JavaScript: functions, variables, objects, and what no grammar reads.

use crate::render::check;
use expect_test::expect;

#[test]
fn functions_and_variables() {
    check(
        "a.js",
        r#"
'use strict';
export const MAX = 3, other = MAX;
let count = 0;
var legacy;
const client = new Client(), made = build().it;
export function outer(a, b = defaults(), ...rest) {
  function inner() { return a; }
  const arrow = async (x) => inner(x);
  const local = 1;
  let fn = function () { return arrow(local); };
  setTimeout(function tick() { fn(); }, 10);
  return inner() + rest;
}
export const short = x => x.go(), typed = () => new Foo();
function* gen() { yield count; }
async function later() { await gen(); }
const Wrapped = memo(() => { later(); });
const { a, b: { c }, ...others } = load();
const [first] = list;
if (count) { const inBlock = 1; inBlock.foo(); }
"#,
        &expect![[r#"
            symbol const MAX 3-3 pub : # | MAX = 3
            symbol const other 3-3 pub : MAX | other = MAX
            symbol variable count 4-4 : # | let count = 0
            symbol variable legacy 5-5 | var legacy
            symbol const client 6-6 : <Client> | client = new Client()
            symbol const made 6-6 : build().it | made = build().it
            symbol function outer 7-14 pub (?, ??, ?...) | export function outer(a, b = defaults(), ...rest)
            symbol function outer.inner 8-8 | function inner()
            symbol function outer.arrow 9-9 | const arrow = async (x) =>
            symbol function outer.fn 11-11 : arrow() | let fn = function ()
            symbol function outer.tick 12-12 | function tick()
            symbol function short 15-15 pub | short = x =>
            symbol function typed 15-15 pub : <Foo> | typed = () =>
            symbol function gen 16-16 | function* gen()
            symbol function later 17-17 | async function later()
            symbol const Wrapped 18-18 : memo() | const Wrapped = memo(() => { later(); })
            symbol const a 19-19 : load().a | const { a, b: { c }, ...others } = load()
            symbol const c 19-19 : load().b.c | const { a, b: { c }, ...others } = load()
            symbol const others 19-19 : ? | const { a, b: { c }, ...others } = load()
            symbol const first 20-20 : list.0 | const [first] = list
            ref value MAX @3 in other
            ref call Client @6 in client
            ref call build @6 in made
            ref value build() . it @6 in made
            ref call defaults @7 in outer
            ref call inner @9 in outer.arrow
            ref call arrow @11 in outer.fn
            ref call setTimeout @12 in outer
            ref call fn @12 in outer.tick
            ref call inner @13 in outer
            ref call ? . go @15 in short
            ref call Foo @15 in typed
            ref value count @16 in gen
            ref call gen @17 in later
            ref call memo @18 in Wrapped
            ref call later @18 in Wrapped
            ref call load @19 in -
            ref value load() . a @19 in -
            ref value load() . b @19 in -
            ref value load().b . c @19 in -
            ref value list @20 in -
            ref value count @21 in -
            ref call # . foo @21 in -
        "#]],
    );
}

#[test]
fn object_literals() {
    check(
        "a.ts",
        r#"
export const api = {
  get(url: string): Reply { return send(url); },
  post: async (url) => send(url),
  nested: { deep() {}, value: 1 },
  'quoted-key': other,
  client: new Client(),
  short,
  ...spread,
  [computed()]: 1,
  get size() { return 1; },
} satisfies Api;
api.get('/').json();
function plugin() {
  const local = { m() {}, value: compute() };
  return { name: 'the plugin', transform(code) { return code; }, inner: { hook: () => {} } };
}
register({ setup() {}, data: value });
"#,
        &expect![[r#"
            symbol const api 2-12 pub | export const api
            symbol method api.get 3-3 pub (#) : <Reply> | get(url: string): Reply
            symbol method api.post 4-4 pub | post: async (url) =>
            symbol property api.nested 5-5 pub | nested
            symbol method api.nested.deep 5-5 pub | deep()
            symbol property api.nested.value 5-5 pub : # | value: 1
            symbol property api.quoted-key 6-6 pub : other | 'quoted-key': other
            symbol property api.client 7-7 pub : <Client> | client: new Client()
            symbol property api.short 8-8 pub : short
            symbol property api.[computed()] 10-10 pub : # | [computed()]: 1
            symbol property api.size 11-11 pub | get size()
            symbol function plugin 14-17 : {plugin} | function plugin()
            symbol method plugin.local.m 15-15 | m()
            symbol method plugin.transform 16-16 | transform(code)
            symbol method plugin.inner.hook 16-16 | hook: () =>
            symbol method setup 18-18 | setup()
            ref value <Api> . get @3 in api
            ref type Reply @3 in api.get
            ref call send @3 in api.get
            ref value <Api> . post @4 in api
            ref call send @4 in api.post
            ref value <Api> . nested @5 in api
            ref value <Api>.nested . deep @5 in api.nested
            ref value <Api>.nested . value @5 in api.nested
            ref value other @6 in api.quoted-key
            ref value <Api> . client @7 in api
            ref call Client @7 in api.client
            ref value short @8 in api
            ref value spread @9 in api
            ref call computed @10 in api
            ref value <Api> . size @11 in api
            ref type Api @12 in api
            ref value api @13 in -
            ref call api . get @13 in -
            ref call api.get() . json @13 in -
            ref call compute @15 in plugin
            ref call register @18 in -
            ref value register(#0) . setup @18 in -
            ref value register(#0) . data @18 in -
            ref value value @18 in -
            string "the plugin" @16 in plugin
        "#]],
    );
}

#[test]
fn tests() {
    check(
        "a.test.ts",
        r#"
describe('the suite', () => {
  const shared = setup();
  it('works', async () => { expect(run(shared)).toBe(1); });
  test.only(`template title`, () => {});
  it.each([1, 2])('each %s', (n) => { run(n); });
  test.each`a | b`('tagged', ({ a }) => {});
  describe.skip('inner', function () { helper(); function helper() {} });
  it.todo('later');
  it(dynamic, () => {});
  it('with options', { timeout: 1 }, () => {});
});
regex.test('not a test', () => {});
"#,
        &expect![[r#"
            symbol test the suite 2-12
            symbol test the suite.works 4-4
            symbol test the suite.template title 5-5
            symbol test the suite.each %s 6-6
            symbol test the suite.tagged 7-7
            symbol test the suite.inner 8-8
            symbol function the suite.inner.helper 8-8 | function helper()
            symbol test the suite.with options 11-11
            ref call describe @2 in -
            ref call setup @3 in the suite
            ref call it @4 in the suite
            ref call expect @4 in the suite.works
            ref call run @4 in the suite.works
            ref call expect() . toBe @4 in the suite.works
            ref value test @5 in the suite
            ref call test . only @5 in the suite
            ref value it @6 in the suite
            ref call it . each @6 in the suite
            ref call run @6 in the suite.each %s
            ref value test @7 in the suite
            ref call test . each @7 in the suite
            ref value describe @8 in the suite
            ref call describe . skip @8 in the suite
            ref call helper`1 @8 in the suite.inner
            ref value it @9 in the suite
            ref call it . todo @9 in the suite
            ref call it @10 in the suite
            ref value dynamic @10 in the suite
            ref call it @11 in the suite
            ref value regex @13 in -
            ref call regex . test @13 in -
            string "the suite" @2 in the suite
            string "template title" @5 in the suite.template title
            string "each %s" @6 in the suite.each %s
            string "tagged" @7 in the suite.tagged
            string "with options" @11 in the suite.with options
            string "not a test" @13 in -
        "#]],
    );
}

#[test]
fn bad_syntax_keeps_the_rest() {
    check(
        "a.ts",
        "function ok() {}\nclass { = 3 ;\nexport const fine = () => ok();\nfunction last( { ok(); }\n",
        &expect![[r#"
            has errors
            symbol function ok 1-1 | function ok()
            symbol class class 2-4 | class
            symbol field class.3 2-2 | 3
            symbol method class.export 3-3 : ok() | export const fine = () =>
            symbol field class.function 4-4 | function
            ref call ok @3 in class.export
            ref value last @4 in class
        "#]],
    );
    check("a.js", "", &expect![[""]]);
    check("a.tsx", "", &expect![[""]]);
}

#[test]
fn deep_trees() {
    let sum = format!("const s = {}1;\nafter();\n", "'a' + ".repeat(5_000));
    check(
        "a.js",
        &sum,
        &expect![[r#"
        symbol const s 1-1 : # | const s = 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a' + 'a…
        ref call after @2 in -
    "#]],
    );
    let chain = format!("start(){};\nafter();\n", ".next()".repeat(400));
    let file = orbit_extract::extract("a.js", orbit_extract::Lang::JavaScript, chain.as_bytes()).unwrap();
    assert_eq!(file.refs.len(), 402);
    for source in [
        format!("x = {}{};\n", "[".repeat(20_000), "]".repeat(20_000)),
        format!("x = a{};\n", ".a".repeat(20_000)),
        format!("x = a{}();\n", "!".repeat(20_000)),
        format!("x = {}1{};\n", "{a:".repeat(20_000), "}".repeat(20_000)),
        format!("const x = {}1{};\n", "{a:".repeat(20_000), "}".repeat(20_000)),
        format!("type X = {}A{};\n", "{a:".repeat(20_000), "}".repeat(20_000)),
        format!("const f = {}1;\n", "() => ".repeat(20_000)),
        format!("type U = {}A;\n", "A | ".repeat(20_000)),
    ] {
        assert!(orbit_extract::extract("a.ts", orbit_extract::Lang::TypeScript, source.as_bytes()).is_ok());
    }
}

#[test]
fn javascript_that_only_tsx_reads() {
    check(
        "a.jsx",
        "export function App() { return <div class=\"hero\"><Logo /></div>; }\n",
        &expect![[r#"
        symbol function App 1-1 pub | export function App()
        ref call Logo @1 in App
    "#]],
    );
    check(
        "flow.js",
        "// @flow\nimport type { T } from './t';\nfunction f(x: T): Foo { return x.go(); }\n",
        &expect![[r#"
            symbol function f 3-3 (<T>) : <Foo> | function f(x: T): Foo
            ref type T @3 in f
            ref type Foo @3 in f
            ref call <T> . go @3 in f
            import symbol ./t [T] as T @2 in -
        "#]],
    );
}
