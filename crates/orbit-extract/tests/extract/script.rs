#![expect(clippy::too_many_lines, reason = "a fixture and its facts stay together")]

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
fn classes_in_javascript() {
    check(
        "a.js",
        r#"
export class Foo extends ns.Base {
  static #count = 0;
  name = build();
  onClick = (e) => this.run(e);
  constructor(pool) {
    super(pool);
    this.pool = pool;
    this.pool = null;
    this.name = 'x';
    this.make = () => pool.get();
  }
  get size() { return this.pool.size(); }
  set size(v) { this.#hidden(v); }
  static create() { return new Foo(); }
  async *[Symbol.iterator]() {}
  'quoted-name'() {}
  #hidden() { super.hidden(); }
  static { init(); }
}
const Anon = class extends Mixin(Foo) { go() {} };
function Old(x) { this.x = x; }
Old.prototype.run = function () { return this.x; };
Old.prototype.value = 3;
Old.create = (x) => new Old(x);
Old.VERSION = '1';
Elsewhere.prototype.go = function () {};
Foo.prototype = { late() {} };
if (!Old.shim) { Old.shim = function () {}; Old.limit = 3; }
(function () { var ip = {}; ip.valid = function (x) { return x.ok(); }; ip.count = 1; })();
ns.converters.Data = (v) => v;
function bundle() { let Late, act; Late = class extends Foo { ['async']() {} }; act = () => new Late(); return act(); }
"#,
        &expect![[r#"
            symbol class Foo 2-20 pub | export class Foo extends ns.Base
            symbol field Foo.#count 3-3 : # | static #count = 0
            symbol field Foo.name 4-4 pub : build() | name = build()
            symbol method Foo.onClick 5-5 pub : this.run() | onClick = (e) =>
            symbol constructor Foo.constructor 6-12 pub | constructor(pool)
            symbol field Foo.pool 8-8 pub : ? | this.pool = pool
            symbol method Foo.make 11-11 pub | this.make = () =>
            symbol property Foo.size 13-13 pub : this.pool.size() | get size()
            symbol property Foo.size#2 14-14 pub | set size(v)
            symbol method Foo.create 15-15 pub : <Foo> | static create()
            symbol method Foo.[Symbol.iterator] 16-16 pub | async *[Symbol.iterator]()
            symbol method Foo.quoted-name 17-17 pub | 'quoted-name'()
            symbol method Foo.#hidden 18-18 | #hidden()
            symbol class Anon 21-21 | const Anon = class extends Mixin(Foo)
            symbol method Anon.go 21-21 | go()
            symbol function Old 22-22 | function Old(x)
            symbol field Old.x 22-22 : ? | this.x = x
            symbol method Old.run 23-23 : {Old}.x | Old.prototype.run = function ()
            symbol property Old.value 24-24 : # | Old.prototype.value = 3
            symbol method Old.create 25-25 : <Old> | Old.create = (x) =>
            symbol property Old.VERSION 26-26 : # | Old.VERSION = '1'
            symbol method Elsewhere.go 27-27 | Elsewhere.prototype.go = function ()
            symbol method Foo.late 28-28 pub | late()
            symbol method Old.shim 29-29 | Old.shim = function ()
            symbol method ip.valid 30-30 | ip.valid = function (x)
            symbol method ns.converters.Data 31-31 : ns.converters.Data<-0 | ns.converters.Data = (v) =>
            symbol function bundle 32-32 : act() | function bundle()
            symbol class bundle.Late 32-32 | Late = class extends Foo
            symbol method bundle.Late.async 32-32 | ['async']()
            symbol function bundle.act 32-32 : <Late> | act = () =>
            ref value ns @2 in -
            ref type ns . Base @2 in -
            ref call build @4 in Foo.name
            ref call this . run @5 in Foo.onClick
            ref value this . pool @9 in Foo.constructor
            ref value this . name @10 in Foo.constructor
            ref call ? . get @11 in Foo.make
            ref value this . pool @13 in Foo.size
            ref call this.pool . size @13 in Foo.size
            ref call this . #hidden @14 in Foo.size
            ref call Foo @15 in Foo.create
            ref value Symbol @16 in Foo
            ref value Symbol . iterator @16 in Foo
            ref call super . hidden @18 in Foo.#hidden
            ref call init @19 in Foo
            ref call Mixin @21 in -
            ref value Foo @21 in -
            ref value Old @23 in -
            ref value Old . prototype @23 in -
            ref value {Old} . x @23 in Old.run
            ref value Old @24 in -
            ref value Old . prototype @24 in -
            ref value Old @25 in -
            ref call Old @25 in Old.create
            ref value Old @26 in -
            ref value Elsewhere @27 in -
            ref value Elsewhere . prototype @27 in -
            ref value Elsewhere.prototype . go @27 in -
            ref value Foo @28 in -
            ref value Old @29 in -
            ref value Old . shim @29 in -
            ref value Old @29 in -
            ref value Old @29 in -
            ref value Old . limit @29 in -
            ref call ? . ok @30 in ip.valid
            ref value {ip} . count @30 in -
            ref value ns @31 in -
            ref value ns . converters @31 in -
            ref value ns.converters . Data @31 in -
            ref type Foo @32 in bundle
            ref call Late @32 in bundle.act
            ref call act @32 in bundle
            relation Foo extends ns.Base @2
            relation Late extends Foo @32
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
fn classes_in_typescript() {
    check(
        "a.ts",
        r#"
@Component({ selector: 'app-root' })
@ns.Other
export class A<T extends Shape> extends Base<T> implements D, ns.E<F> {
  @Input() private x?: Foo = make();
  readonly items: Item[] = [];
  declare y: Bar;
  static readonly z = new Zed();
  config: { port: Port };
  [key: string]: any;
  constructor(private readonly db: Db, public name: string, plain: Plain) { super(); this.undeclared = 1; }
  @Hook('event-name') run(@Inject() a: X): Promise<Y> { return this.db.query(a); }
  over(a: string): void;
  over(a: any) {}
  protected get size(): number { return this.items.length; }
  self(): this { return this; }
  pick(t: T) { t.area(); this.items[0].touch(); }
}
export abstract class Q { abstract m(): Foo; abstract p: Bar; }
"#,
        &expect![[r#"
            symbol class A 4-18 pub <$T:Shape> | export class A<T extends Shape> extends Base<T> implements D, ns.E<F>
            symbol field A.x 5-5 : <Foo> | @Input() private x?: Foo = make()
            symbol field A.items 6-6 pub : <#<Item>> | readonly items: Item[] = []
            symbol field A.y 7-7 pub : <Bar> | declare y: Bar
            symbol field A.z 8-8 pub : <Zed> | static readonly z = new Zed()
            symbol field A.config 9-9 pub | config: { port: Port }
            symbol property A.config.port 9-9 pub : <Port> | port: Port
            symbol constructor A.constructor 11-11 pub (<Db>, #, <Plain>) | constructor(private readonly db: Db, public name: string, plain: Plain)
            symbol field A.db 11-11 : <Db> | private readonly db: Db
            symbol field A.name 11-11 pub : # | public name: string
            symbol method A.run 12-12 pub (<X>) : <Promise<Y>> | run(@Inject() a: X): Promise<Y>
            symbol method A.over 13-13 pub (#) : # | over(a: string): void
            symbol method A.over#2 14-14 pub | over(a: any)
            symbol property A.size 15-15 : # | protected get size(): number
            symbol method A.self 16-16 pub : this | self(): this
            symbol method A.pick 17-17 pub (<$T:Shape>) | pick(t: T)
            symbol class Q 19-19 pub | export abstract class Q
            symbol method Q.m 19-19 pub : <Foo> | abstract m(): Foo
            symbol field Q.p 19-19 pub : <Bar> | abstract p: Bar
            ref call Component @2 in -
            ref value Component(#0) . selector @2 in -
            ref value ns @3 in -
            ref call ns . Other @3 in -
            ref trait_bound Shape @4 in A
            ref type Base @4 in -
            ref type D @4 in -
            ref value ns @4 in -
            ref type ns . E @4 in -
            ref type F @4 in -
            ref call Input @5 in A
            ref type Foo @5 in A.x
            ref call make @5 in A.x
            ref type Item @6 in A.items
            ref type Bar @7 in A.y
            ref call Zed @8 in A.z
            ref type Port @9 in A.config.port
            ref type Db @11 in A.constructor
            ref type Plain @11 in A.constructor
            ref value this . undeclared @11 in A.constructor
            ref call Hook @12 in A
            ref call Inject @12 in A.run
            ref type X @12 in A.run
            ref type Promise @12 in A.run
            ref type Y @12 in A.run
            ref value this . db @12 in A.run
            ref call this.db . query @12 in A.run
            ref value this . items @15 in A.size
            ref value this.items . length @15 in A.size
            ref call <$T:Shape> . area @17 in A.pick
            ref value this . items @17 in A.pick
            ref call this.items[] . touch @17 in A.pick
            ref type Foo @19 in Q.m
            ref type Bar @19 in Q.p
            relation A extends Base<$T:Shape> @4
            relation A implements D @4
            relation A implements ns.E<F> @4
            string "app-root" @2 in -
            string "event-name" @12 in A
        "#]],
    );
}

#[test]
fn interfaces_enums_aliases_and_namespaces() {
    check(
        "a.ts",
        r#"
export interface Options<T = Def> extends Base, ns.Other<T> {
  name: string;
  readonly nested?: { port: Port; deep(): void };
  method(cb: (x: { inline: Foo }) => void): T;
  (call: Foo): Bar;
  new (x: Foo): Bar;
  [key: string]: Value;
  'quoted-name': Baz;
}
export enum Color { Red = 1, Green = compute(), 'light-blue' }
declare const enum Flags { A }
export type Point = { x: number; y: Num };
type Either = Left | Right | null;
export type Fn = (a: Arg, b?: Opt) => Ret;
type Mapped<T> = { [K in keyof T]: Wrap<K> } & { extra: Extra };
type Cond<T> = T extends Promise<infer U extends Lim> ? U : Other;
type Tuple = [name: First, ...rest: Rest[]];
type Lit = 'first-literal' | `tpl-${Foo}`;
namespace A.B { export const z = 1; const hidden = 2; export function f() {} interface I {} }
declare module 'ext-mod' { export const a: number; function f(): Foo; }
declare global { interface Window { app: App } }
declare function ambient(x: Foo): Bar;
import Alias = A.B.C;
"#,
        &expect![[r#"
            symbol interface Options 2-10 pub <$T:Def> : (<Foo>)=><Bar> | export interface Options<T = Def> extends Base, ns.Other<T>
            symbol property Options.name 3-3 pub : # | name: string
            symbol property Options.nested 4-4 pub | readonly nested?: { port: Port; deep(): void }
            symbol property Options.nested.port 4-4 pub : <Port> | port: Port
            symbol method Options.nested.deep 4-4 pub : # | deep(): void
            symbol method Options.method 5-5 pub (({inline: <Foo>})=>#) : <$T:Def> | method(cb: (x: { inline: Foo }) => void): T
            symbol property Options.quoted-name 9-9 pub : <Baz> | 'quoted-name': Baz
            symbol enum Color 11-11 pub | export enum Color
            symbol variant Color.Red 11-11 pub | Red = 1
            symbol variant Color.Green 11-11 pub | Green = compute()
            symbol variant Color.light-blue 11-11 pub | 'light-blue'
            symbol enum Flags 12-12 pub | declare const enum Flags
            symbol variant Flags.A 12-12 pub | A
            symbol type_alias Point 13-13 pub | export type Point
            symbol property Point.x 13-13 pub : # | x: number
            symbol property Point.y 13-13 pub : <Num> | y: Num
            symbol type_alias Either 14-14 : Left|Right | type Either = Left | Right | null
            symbol type_alias Fn 15-15 pub : (<Arg>, <Opt>?)=><Ret> | export type Fn = (a: Arg, b?: Opt) => Ret
            symbol type_alias Mapped 16-16 <$T> : ? | type Mapped<T> = { [K in keyof T]: Wrap<K> } & { extra: Extra }
            symbol property Mapped.extra 16-16 : <Extra> | extra: Extra
            symbol type_alias Cond 17-17 <$T> : U|Other | type Cond<T> = T extends Promise<infer U extends Lim> ? U : Other
            symbol type_alias Tuple 18-18 : (First, #<Rest>) | type Tuple = [name: First, ...rest: Rest[]]
            symbol type_alias Lit 19-19 : # | type Lit = 'first-literal' | `tpl-${Foo}`
            symbol module A.B 20-20 | namespace A.B
            symbol const A.B.z 20-20 : # | export const z = 1
            symbol const A.B.hidden 20-20 : # | const hidden = 2
            symbol function A.B.f 20-20 | export function f()
            symbol interface A.B.I 20-20 | interface I
            symbol module ext-mod 21-21 pub | declare module 'ext-mod'
            symbol const ext-mod.a 21-21 pub : # | export const a: number
            symbol function ext-mod.f 21-21 pub : <Foo> | function f(): Foo
            symbol module global 22-22 pub | declare global
            symbol interface global.Window 22-22 pub | interface Window
            symbol property global.Window.app 22-22 pub : <App> | app: App
            symbol function ambient 23-23 pub (<Foo>) : <Bar> | declare function ambient(x: Foo): Bar
            symbol type_alias Alias 24-24 : A.B.C | import Alias = A.B.C
            ref type Def @2 in Options
            ref type Base @2 in -
            ref value ns @2 in -
            ref type ns . Other @2 in -
            ref type Port @4 in Options.nested.port
            ref type Foo @5 in Options.method
            ref type Foo @6 in Options
            ref type Bar @6 in Options
            ref type Foo @7 in Options
            ref type Bar @7 in Options
            ref type Value @8 in Options
            ref type Baz @9 in Options.quoted-name
            ref call compute @11 in Color.Green
            ref type Num @13 in Point.y
            ref type Left @14 in Either
            ref type Right @14 in Either
            ref type Arg @15 in Fn
            ref type Opt @15 in Fn
            ref type Ret @15 in Fn
            ref type Wrap @16 in Mapped
            ref type Extra @16 in Mapped.extra
            ref type Promise @17 in Cond
            ref type Lim @17 in Cond
            ref type Other @17 in Cond
            ref type First @18 in Tuple
            ref type Rest @18 in Tuple
            ref type Foo @19 in Lit
            ref type Foo @21 in ext-mod.f
            ref type App @22 in global.Window.app
            ref type Foo @23 in ambient
            ref type Bar @23 in ambient
            ref value A @24 in Alias
            ref value A . B @24 in Alias
            ref value A.B . C @24 in Alias
            relation Options extends Base @2
            relation Options extends ns.Other<$T:Def> @2
            import glob ext-mod @21 in ext-mod
            import glob  reexport @22 in global
            string "first-literal" @19 in Lit
        "#]],
    );
}

#[test]
fn generics_and_type_positions() {
    check(
        "a.ts",
        r#"
function over(a: string): One;
function over(a: number): Two;
function over(a: any) { return a; }
export function pick<T extends Shape & ns.Named, K extends keyof T, L extends List<Foo>>(t: T, k: K): T[] { t.area(); return [t]; }
const guard = (x: unknown): x is Foo => x instanceof Foo;
function assert(x: any): asserts x is Foo {}
let a: Map<string, Foo>, b: Foo['bar'], c: typeof value, d: Partial<Foo>, e: Promise<Foo>;
let f = x as Foo, g = y as const, h = z!, i = <Foo>w, j = v satisfies Foo, k = u as unknown as Foo;
let l: import('./types').Deep, m: Foo | undefined, n: string | Bar, o: keyof Foo, p: readonly Foo[];
const call = create<Foo>(1), inst = new Box<Foo>(2), q = make<Foo>;
function locals(foo: Foo, { bar, baz: { qux }, def = mk() }: Opts, [one]: Foo[], opt?: Foo, ...rest: Foo[]) {
  foo.go(); bar.go(); qux.go(); def.go(); one.go(); opt?.go(); rest[0].go(); bar['quoted'].go();
}
const foo = (Foo: Foo): Foo => Foo.make();
"#,
        &expect![[r#"
            symbol function over 2-2 (#) : <One> | function over(a: string): One
            symbol function over#2 3-3 (#) : <Two> | function over(a: number): Two
            symbol function over#3 4-4 | function over(a: any)
            symbol function pick 5-5 pub (<$T:Shape&ns.Named>, <$K:#>) <$T:Shape&ns.Named, $K:#, $L:List<Foo>> : <#<$T:Shape&ns.Named>> | export function pick<T extends Shape & ns.Named, K extends keyof T, L extends List<Foo>>(t: T, k: K): T[]
            symbol function guard 6-6 : # | const guard = (x: unknown): x is Foo =>
            symbol function assert 7-7 : # | function assert(x: any): asserts x is Foo
            symbol variable a 8-8 : <#<#, Foo><(#, Foo)>> | a: Map<string, Foo>
            symbol variable b 8-8 : <Foo>.bar | b: Foo['bar']
            symbol variable c 8-8 : value | c: typeof value
            symbol variable d 8-8 : <Foo> | d: Partial<Foo>
            symbol variable e 8-8 : <Promise<Foo>> | e: Promise<Foo>
            symbol variable f 9-9 : <Foo> | f = x as Foo
            symbol variable g 9-9 : y | g = y as const
            symbol variable h 9-9 : z | h = z!
            symbol variable i 9-9 : <Foo> | i = <Foo>w
            symbol variable j 9-9 : v | j = v satisfies Foo
            symbol variable k 9-9 : <Foo> | k = u as unknown as Foo
            symbol variable l 10-10 : ? | l: import('./types').Deep
            symbol variable m 10-10 : <Foo> | m: Foo | undefined
            symbol variable n 10-10 : <Bar> | n: string | Bar
            symbol variable o 10-10 : # | o: keyof Foo
            symbol variable p 10-10 : <#<Foo>> | p: readonly Foo[]
            symbol const call 11-11 : create<Foo>() | call = create<Foo>(1)
            symbol const inst 11-11 : <Box<Foo>> | inst = new Box<Foo>(2)
            symbol const q 11-11 : make | q = make<Foo>
            symbol function locals 12-14 (<Foo>, <Opts>, <#<Foo>>, <Foo>?, <#<Foo>>...) | function locals(foo: Foo, { bar, baz: { qux }, def = mk() }: Opts, [one]: Foo[], opt?: Foo, ...rest: Foo[])
            symbol function foo 15-15 (<Foo>) : <Foo> | const foo = (Foo: Foo): Foo =>
            ref type One @2 in over
            ref type Two @3 in over
            ref trait_bound Shape @5 in pick
            ref value ns @5 in pick
            ref trait_bound ns . Named @5 in pick
            ref trait_bound List @5 in pick
            ref type Foo @5 in pick
            ref call <$T:Shape&ns.Named> . area @5 in pick
            ref type Foo @6 in guard
            ref value Foo @6 in guard
            ref type Foo @7 in assert
            ref type Map @8 in a
            ref type Foo @8 in a
            ref type Foo @8 in b
            ref value value @8 in c
            ref type Partial @8 in d
            ref type Foo @8 in d
            ref type Promise @8 in e
            ref type Foo @8 in e
            ref value x @9 in f
            ref type Foo @9 in f
            ref value y @9 in g
            ref value z @9 in h
            ref type Foo @9 in i
            ref value w @9 in i
            ref value v @9 in j
            ref type Foo @9 in j
            ref value u @9 in k
            ref type Foo @9 in k
            ref type require(./types) . Deep @10 in l
            ref type Foo @10 in m
            ref type Bar @10 in n
            ref type Foo @10 in o
            ref type Foo @10 in p
            ref call create @11 in call
            ref type Foo @11 in call
            ref call Box @11 in inst
            ref type Foo @11 in inst
            ref value make @11 in q
            ref type Foo @11 in q
            ref type Foo @12 in locals
            ref type Opts @12 in locals
            ref value <Opts> . bar @12 in locals
            ref value <Opts> . baz @12 in locals
            ref value <Opts>.baz . qux @12 in locals
            ref value <Opts> . def @12 in locals
            ref call mk @12 in locals
            ref type Foo @12 in locals
            ref type Foo @12 in locals
            ref type Foo @12 in locals
            ref call <Foo> . go @13 in locals
            ref call <Opts>.bar . go @13 in locals
            ref call <Opts>.baz.qux . go @13 in locals
            ref call <Opts>.def . go @13 in locals
            ref call <#<Foo>>.0 . go @13 in locals
            ref call <Foo> . go @13 in locals
            ref call <#<Foo>>[] . go @13 in locals
            ref call <Opts>.bar.quoted . go @13 in locals
            ref type Foo @15 in foo
            ref type Foo @15 in foo
            ref call <Foo> . make @15 in foo
            import module ./types as require(./types) @10 in l
            string "quoted" @13 in locals
        "#]],
    );
}

#[test]
fn calls_receivers_and_locals() {
    check(
        "a.ts",
        r#"
async function run(conn: Conn, items: Item[], load: () => Promise<Foo>, list: Promise<Row>) {
  conn.execute('select something');
  const x = Client.create(1);
  x.send(helper);
  for (const item of items) item.touch();
  for (const key in conn) key.length;
  for (let i = 0; i < items.length; i++) items[i].touch();
  items.map((it) => it.name).filter(Boolean);
  items.forEach(function (it) { it.touch(); });
  list.then((row) => row.cell());
  (await list).cell();
  const row = await list;
  row.cell();
  unknown.method().chain();
  a?.b?.(c).d;
  tag`text ${x.total()} here`;
  try { risky(); } catch (err) { err.code; }
  const y = cond ? new Foo() : null;
  y.bar();
  const z = maybe ?? new Foo();
  (z as Bar).baz();
  obj[key].value = 3;
  ({ left: x.target, right } = other);
  label: while (true) { break label; }
  new ns.Thing(x).go();
  new Foo;
  (() => conn.close())();
  switch (kind) { case Kind.A: { const kind2 = 1; kind2.x; } }
  typeof globalThis.foo === `string ${y}`;
  import.meta.url;
  helper;
}
"#,
        &expect![[r#"
            symbol function run 2-33 (<Conn>, <#<Item>>, ()=><Promise<Foo>>, <Promise<Row>>) | async function run(conn: Conn, items: Item[], load: () => Promise<Foo>, list: Promise<Row>)
            ref type Conn @2 in run
            ref type Item @2 in run
            ref type Promise @2 in run
            ref type Foo @2 in run
            ref type Promise @2 in run
            ref type Row @2 in run
            ref call <Conn> . execute @3 in run
            ref value Client @4 in run
            ref call Client . create @4 in run
            ref call Client.create() . send @5 in run
            ref value helper @5 in run
            ref call <#<Item>>[] . touch @6 in run
            ref value # . length @7 in run
            ref value <#<Item>> . length @8 in run
            ref call <#<Item>>[] . touch @8 in run
            ref call <#<Item>> . map @9 in run
            ref value <#<Item>>.map(#0)<-0 . name @9 in run
            ref call <#<Item>>.map() . filter @9 in run
            ref value Boolean @9 in run
            ref call <#<Item>> . forEach @10 in run
            ref call <#<Item>>.forEach(#0)<-0 . touch @10 in run
            ref call <Promise<Row>> . then @11 in run
            ref call <Promise<Row>>.then(#0)<-0 . cell @11 in run
            ref call <Promise<Row>>[] . cell @12 in run
            ref call <Promise<Row>>[] . cell @14 in run
            ref value unknown @15 in run
            ref call unknown . method @15 in run
            ref call unknown.method() . chain @15 in run
            ref value a @16 in run
            ref call a . b @16 in run
            ref value c @16 in run
            ref value a.b() . d @16 in run
            ref call tag @17 in run
            ref call Client.create() . total @17 in run
            ref call risky @18 in run
            ref value ? . code @18 in run
            ref value cond @19 in run
            ref call Foo @19 in run
            ref call <Foo> . bar @20 in run
            ref value maybe @21 in run
            ref call Foo @21 in run
            ref type Bar @22 in run
            ref call <Bar> . baz @22 in run
            ref value obj @23 in run
            ref value key @23 in run
            ref value obj[] . value @23 in run
            ref value Client.create() . target @24 in run
            ref value right @24 in run
            ref value other @24 in run
            ref value ns @26 in run
            ref call ns . Thing @26 in run
            ref call <ns.Thing> . go @26 in run
            ref call Foo @27 in run
            ref call <Conn> . close @28 in run
            ref value kind @29 in run
            ref value Kind @29 in run
            ref value Kind . A @29 in run
            ref value # . x @29 in run
            ref value globalThis @30 in run
            ref value globalThis . foo @30 in run
            ref value ? . url @31 in run
            ref value helper @32 in run
            string "select something" @3 in run
            string "text ${x.total()} here" @17 in run
            string "string ${y}" @30 in run
        "#]],
    );
}

#[test]
fn jsx_elements() {
    check(
        "a.tsx",
        r#"
export const App: React.FC<Props> = ({ user }) => (
  <Layout title="the main page" {...rest}>
    <div className={styles.box} onClick={() => user.open()}>text <b>bold</b></div>
    <Menu.Item<Foo> key={1} render={renderItem} />
    <my-element />
    <>{items.map((item: Item) => <Row key={item.id} />)}</>
  </Layout>
);
export default function Page() { return <App />; }
"#,
        &expect![[r#"
            symbol function App 2-9 pub | export const App: React.FC<Props> = ({ user }) =>
            symbol function Page 10-10 pub | export default function Page()
            ref value React @2 in App
            ref type React . FC @2 in App
            ref type Props @2 in App
            ref value <React.FC<Props>><-0 . user @2 in App
            ref call Layout @3 in App
            ref value rest @3 in App
            ref value styles @4 in App
            ref value styles . box @4 in App
            ref call <React.FC<Props>><-0.user . open @4 in App
            ref value Menu @5 in App
            ref call Menu . Item @5 in App
            ref type Foo @5 in App
            ref value renderItem @5 in App
            ref value items @7 in App
            ref call items . map @7 in App
            ref type Item @7 in App
            ref call Row @7 in App
            ref value <Item> . id @7 in App
            ref value Layout @8 in App
            ref call App @10 in Page
            import symbol  [Page] as default reexport @10 in -
            string "the main page" @3 in App
        "#]],
    );
}

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
            import module ./lazy as require(./lazy) @9 in lazy
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
            ref call helper @8 in the suite.inner
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
fn commander_commands() {
    check(
        "cli.ts",
        r#"
import { Command, program } from 'commander';
program.name('app').version('1').command('clone <source> [destination]').description('clones it').action(cloneIt);
const task = program.command('task');
task.command('update <id>').option('-f').action((id) => update(id));
task.command('list').action(handlers.list);
program.command('install', 'a program of its own').command('next').action(next);
const build = new Command('build').action(doBuild);
program.addCommand(build);
program.addCommand(makeServe());
program.addCommand(new Command('inline').action(inlined));
program.command(dynamicName).action(nope);
function makeServe() {
  const serve = new Command('serve');
  serve.command('stop').action(() => stopIt());
  return serve.action(run);
}
"#,
        &expect![[r#"
            symbol const task 4-4 : program.command() | const task = program.command('task')
            symbol const build 8-8 : <Command>.action() | const build = new Command('build').action(doBuild)
            symbol function makeServe 13-17 : <Command>.action() | function makeServe()
            ref value program @3 in -
            ref call program . name @3 in -
            ref call program.name() . version @3 in -
            ref call program.name().version() . command @3 in -
            ref call program.name().version().command() . description @3 in -
            ref call program.name().version().command().description() . action @3 in -
            ref value cloneIt @3 in -
            ref value program @4 in task
            ref call program . command @4 in task
            ref value task @5 in -
            ref call task . command @5 in -
            ref call task.command() . option @5 in -
            ref call task.command().option() . action @5 in -
            ref call update @5 in -
            ref value task @6 in -
            ref call task . command @6 in -
            ref call task.command() . action @6 in -
            ref value handlers @6 in -
            ref value handlers . list @6 in -
            ref value program @7 in -
            ref call program . command @7 in -
            ref call program.command() . command @7 in -
            ref call program.command().command() . action @7 in -
            ref value next @7 in -
            ref call Command @8 in build
            ref call <Command> . action @8 in build
            ref value doBuild @8 in build
            ref value program @9 in -
            ref call program . addCommand @9 in -
            ref value build @9 in -
            ref value program @10 in -
            ref call program . addCommand @10 in -
            ref call makeServe @10 in -
            ref value program @11 in -
            ref call program . addCommand @11 in -
            ref call Command @11 in -
            ref call <Command> . action @11 in -
            ref value inlined @11 in -
            ref value program @12 in -
            ref call program . command @12 in -
            ref value dynamicName @12 in -
            ref call program.command() . action @12 in -
            ref value nope @12 in -
            ref call Command @14 in makeServe
            ref call <Command> . command @15 in makeServe
            ref call <Command>.command() . action @15 in makeServe
            ref call stopIt @15 in makeServe
            ref call <Command> . action @16 in makeServe
            ref value run @16 in makeServe
            import symbol commander [Command] as Command @2 in -
            import symbol commander [program] as program @2 in -
            string "clone <source> [destination]" @3 in -
            string "clones it" @3 in -
            string "update <id>" @5 in -
            string "install" @7 in -
            string "a program of its own" @7 in -
            string "inline" @11 in -
            command "clone" -> cloneIt @3
            command "task" -> - @4
            command "task update" -> - @5
            command "task list" -> handlers.list @6
            command "install" -> - @7
            command "next" -> next @7
            command "build" -> doBuild @8
            command "inline" -> inlined @11
            command "serve" -> run @14
            command "serve stop" -> makeServe @15
        "#]],
    );
}

#[test]
fn yargs_commands() {
    check(
        "cli.js",
        r#"
const yargs = require('yargs/yargs');
const { hideBin } = require('yargs/helpers');
yargs(hideBin(process.argv))
  .usage('how to use it')
  .command('serve [port]', 'start the server', (y) => y.option('p'), serve)
  .command(['start', 'run'], 'starts it', () => {}, (argv) => startIt(argv))
  .command({ command: 'get <key>', describe: 'gets it', handler: getKey })
  .command('remote', 'remotes', (remote) => remote.command('add', 'adds one', {}, addRemote))
  .command('$0', 'the default', () => {}, main)
  .demandCommand(1)
  .parse();
"#,
        &expect![[r#"
            ref call yargs @4 in -
            ref call hideBin @4 in -
            ref value process @4 in -
            ref value process . argv @4 in -
            ref call yargs() . usage @5 in -
            ref call yargs().usage() . command @6 in -
            ref call yargs().usage().command(#2)<-0 . option @6 in -
            ref value serve @6 in -
            ref call yargs().usage().command() . command @7 in -
            ref call startIt @7 in -
            ref call yargs().usage().command().command() . command @8 in -
            ref value yargs().usage().command().command().command(#0) . command @8 in -
            ref value yargs().usage().command().command().command(#0) . describe @8 in -
            ref value yargs().usage().command().command().command(#0) . handler @8 in -
            ref value getKey @8 in -
            ref call yargs().usage().command().command().command() . command @9 in -
            ref call yargs().usage().command().command().command().command(#2)<-0 . command @9 in -
            ref value addRemote @9 in -
            ref call yargs().usage().command().command().command().command() . command @10 in -
            ref value main @10 in -
            ref call yargs().usage().command().command().command().command().command() . demandCommand @11 in -
            ref call yargs().usage().command().command().command().command().command().demandCommand() . parse @12 in -
            import module yargs/yargs as yargs @2 in -
            import symbol yargs/helpers [hideBin] as hideBin @3 in -
            string "how to use it" @5 in -
            string "serve [port]" @6 in -
            string "start the server" @6 in -
            string "starts it" @7 in -
            string "get <key>" @8 in -
            string "gets it" @8 in -
            string "remote" @9 in -
            string "remotes" @9 in -
            string "adds one" @9 in -
            string "the default" @10 in -
            command "serve" -> serve @6
            command "start" -> - @7
            command "get" -> getKey @8
            command "remote" -> - @9
            command "remote add" -> addRemote @9
        "#]],
    );
    check(
        "cmds/init.js",
        "exports.command = 'init [dir]';\nexports.handler = function (argv) { run(argv); };\n",
        &expect![[r#"
            symbol const command 1-1 pub : # | exports.command = 'init [dir]'
            symbol function handler 2-2 pub | exports.handler = function (argv)
            ref call run @2 in handler
            string "init [dir]" @1 in command
            command "init" -> handler @1
        "#]],
    );
}

#[test]
fn cac_commands() {
    check(
        "cli.ts",
        r#"
import { cac } from 'cac';
const cli = cac('vite');
cli.command('[root]', 'start dev server').alias('serve').action(async () => {});
cli.command('build [root]', 'build for production').option('--x').action(build);
"#,
        &expect![[r#"
            symbol const cli 3-3 : cac() | const cli = cac('vite')
            ref call cac @3 in cli
            ref value cli @4 in -
            ref call cli . command @4 in -
            ref call cli.command() . alias @4 in -
            ref call cli.command().alias() . action @4 in -
            ref value cli @5 in -
            ref call cli . command @5 in -
            ref call cli.command() . option @5 in -
            ref call cli.command().option() . action @5 in -
            ref value build @5 in -
            import symbol cac [cac] as cac @2 in -
            string "[root]" @4 in -
            string "start dev server" @4 in -
            string "build [root]" @5 in -
            string "build for production" @5 in -
            command "build" -> build @5
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
