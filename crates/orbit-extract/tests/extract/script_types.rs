//! Classes, interfaces, enums, aliases and namespaces of TypeScript and JavaScript.

#![expect(clippy::too_many_lines, reason = "a fixture and its facts stay together")]

use crate::render::check;
use expect_test::expect;

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
            symbol method Old.run 23-23 : <own Old>.x | Old.prototype.run = function ()
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
            ref value <own Old> . x @23 in Old.run
            ref value Old @24 in -
            ref value Old . prototype @24 in -
            ref value Old @25 in -
            ref call Old @25 in Old.create
            ref value Old @26 in -
            ref value Elsewhere @27 in -
            ref value Elsewhere . prototype @27 in -
            ref value <Elsewhere> . go @27 in -
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
