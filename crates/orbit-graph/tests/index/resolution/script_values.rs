//! What values of TypeScript and JavaScript are: objects, callbacks, unions, parts of collections.

use super::check;
use expect_test::expect;

#[test]
fn members_of_objects_are_found_through_what_holds_them() {
    check(
        r#"
==> api.ts
export const api = {
  get(n: number) { return this.put(n); }, //?
  put: (n: number) => n,
  deep: { run() {} },
};
export function make() {
  const local = { step() {}, go() { this.step(); } }; //?
  local.step(); //?
  return { open() {}, close: () => 1 };
}
export const typed: { call(): void } = null as any;
==> user.ts
import { api, make, typed } from './api';
import { render } from './render';
export const Comp = { render() {} };
register({ render() {}, setup() { this.other(); } });
render(1); //?
api.get(1); //?
api.deep.run(); //?
make().open(); //?
make().close(); //?
typed.call(); //?
==> render.ts
export function render(n: number) {}
==> bare.ts
import { setup } from './user';
setup(); //?
"#,
        &expect![[r#"
            api.ts:2 put -> api.ts:3 exact
            api.ts:7 step -> api.ts:7 exact
            api.ts:8 step -> api.ts:7 exact
            bare.ts:2 setup -> ?
            user.ts:5 render -> render.ts:1 import_resolved
            user.ts:6 get -> api.ts:2 import_resolved
            user.ts:7 run -> api.ts:4 import_resolved
            user.ts:8 make -> api.ts:6 import_resolved
            user.ts:8 open -> api.ts:9 import_resolved
            user.ts:9 make -> api.ts:6 import_resolved
            user.ts:9 close -> api.ts:9 import_resolved
            user.ts:10 call -> api.ts:11 import_resolved
        "#]],
    );
}

#[test]
fn callbacks_get_what_the_place_they_are_given_to_says() {
    check(
        r#"
==> app.ts
export class Req { header(name: string) {} }
export class Ctx<P = any> { req: Req; json(x: any): Answer { return null as any; } }
export class Answer { done() {} }
export type Next = () => void;
export type Handler<P = any> = (c: Ctx<P>, next: Next) => Answer;
export interface Routes { (handler: Handler): App; (path: string, ...handlers: Handler[]): App }
export interface Options { onStart(req: Req): void; handler: Handler; }
export class App {
  get: Routes;
  use(path: string, ...rest: (Handler | Next)[]): this { return this; }
  constructor(options?: Options) {}
}
==> user.ts
import { App, Handler, Req } from './app';
const app = new App({
  onStart(req) { req.header('a'); }, //?
  handler: (c) => c.json(1), //?
});
app.get('/', (c) => c.json(c.req.header('b'))); //?
app.use('/', async function (c, next) { c.json(2).done(); }); //?
const typed: Handler<1> = (c) => c.json(3); //?
function made(): Handler { return (c) => c.json(4); } //?
typed(null as any, () => {}).done(); //?
class Later { handler: Handler = (c) => c.json(5); } //?
"#,
        &expect![[r#"
            user.ts:3 header -> app.ts:1 import_resolved
            user.ts:4 json -> app.ts:2 import_resolved
            user.ts:6 get -> app.ts:9 import_resolved
            user.ts:6 json -> app.ts:2 import_resolved
            user.ts:6 header -> app.ts:1 import_resolved
            user.ts:7 use -> app.ts:10 import_resolved
            user.ts:7 json -> app.ts:2 import_resolved
            user.ts:7 done -> app.ts:3 import_resolved
            user.ts:8 json -> app.ts:2 import_resolved
            user.ts:9 json -> app.ts:2 import_resolved
            user.ts:10 typed -> user.ts:8 exact
            user.ts:10 done -> app.ts:3 import_resolved
            user.ts:11 json -> app.ts:2 import_resolved
        "#]],
    );
}

#[test]
fn a_member_of_a_union_is_the_one_that_all_who_have_it_share() {
    check(
        r#"
==> a.ts
class Base { shared() {} }
class A extends Base { own() {} both() {} }
class B extends Base { both() {} }
type Either = A | B | null;
type More = Base & { extra(): void };
type Found<T> = T extends Base ? T : A;
function run(x: Either, y: More, z: Found<any>) {
  x.shared(); //?
  x.own(); //?
  x.both(); //?
  y.extra(); //?
  y.shared(); //?
  z.shared(); //?
}
"#,
        &expect![[r#"
            a.ts:8 shared -> a.ts:1 exact
            a.ts:9 own -> a.ts:2 exact
            a.ts:10 both -> ?
            a.ts:11 extra -> a.ts:5 exact
            a.ts:12 shared -> a.ts:1 exact
            a.ts:13 shared -> a.ts:1 exact
        "#]],
    );
}

#[test]
fn collections_hand_on_what_they_hold() {
    check(
        r#"
==> a.ts
class Item { touch() {} }
const map = new Map<string, Item>();
const list: Item[] = [];
const pair: [number, Item] = null as any;
map.get('a')!.touch(); //?
for (const [key, value] of map) value.touch(); //?
map.forEach((value) => value.touch()); //?
for (const value of map.values()) value.touch(); //?
list.filter((item) => item).at(0)!.touch(); //?
list.reduce((sum, item) => item.touch(), 0); //?
const [, second] = pair;
second.touch(); //?
const [first] = list;
first.touch(); //?
"#,
        &expect![[r#"
            a.ts:5 get -> ?
            a.ts:5 touch -> a.ts:1 exact
            a.ts:6 touch -> a.ts:1 exact
            a.ts:7 forEach -> ?
            a.ts:7 touch -> a.ts:1 exact
            a.ts:8 values -> ?
            a.ts:8 touch -> a.ts:1 exact
            a.ts:9 filter -> ?
            a.ts:9 at -> ?
            a.ts:9 touch -> a.ts:1 exact
            a.ts:10 reduce -> ?
            a.ts:10 touch -> a.ts:1 exact
            a.ts:12 touch -> a.ts:1 exact
            a.ts:14 touch -> a.ts:1 exact
        "#]],
    );
}

#[test]
fn functions_that_are_used_as_classes() {
    check(
        r#"
==> shape.js
function Shape(name) {
  this.name = name;
  this.init(); //?
}
Shape.prototype.init = function () { return this.area(); }; //?
Shape.prototype.area = function area() {};
module.exports = Shape;
==> app.js
var app = exports = module.exports = {};
app.start = function start() { this.stop(); }; //?
app.stop = function stop() {};
==> user.js
const Shape = require('./shape');
const app = require('./app');
new Shape('a').area(); //?
app.start(); //?
require('./app').stop(); //?
"#,
        &expect![[r#"
            app.js:2 stop -> app.js:3 exact
            shape.js:3 init -> shape.js:5 exact
            shape.js:5 area -> shape.js:6 exact
            user.js:3 Shape -> shape.js:1 import_resolved
            user.js:3 area -> shape.js:6 import_resolved
            user.js:4 start -> app.js:2 import_resolved
            user.js:5 stop -> app.js:3 import_resolved
        "#]],
    );
}

#[test]
fn type_arguments_stand_for_type_parameters() {
    check(
        r#"
==> box.ts
export class Item { touch() {} }
export class Box<T, E = Item> { get(): T { return null as any; } other(): E { return null as any; } each(f: (value: T) => void) {} }
export interface Ref<T> { value: T }
export function ref<T>(value: T): [T] extends [Ref<any>] ? T : Ref<T> { return null as any; }
export type Loop<T> = T extends any[] ? Loop<T[0]> : Box<T>;
export type Pair<A, B> = { first: A; second: B };
==> user.ts
import { Box, Item, ref, Loop, Pair } from './box';
const box = new Box<Item>();
box.get().touch(); //?
box.other().touch(); //?
box.each((value) => value.touch()); //?
ref(new Item()).value.touch(); //?
function run(loop: Loop<Item>, pair: Pair<number, Item>, make: <T>() => Box<T>) {
  loop.get().touch(); //?
  pair.second.touch(); //?
}
"#,
        &expect![[r#"
            user.ts:3 get -> box.ts:2 import_resolved
            user.ts:3 touch -> box.ts:1 import_resolved
            user.ts:4 other -> box.ts:2 import_resolved
            user.ts:4 touch -> box.ts:1 same_module
            user.ts:5 each -> box.ts:2 import_resolved
            user.ts:5 touch -> box.ts:1 import_resolved
            user.ts:6 ref -> box.ts:4 import_resolved
            user.ts:6 Item -> box.ts:1 import_resolved
            user.ts:6 touch -> ?
            user.ts:8 get -> box.ts:2 import_resolved
            user.ts:8 touch -> ?
            user.ts:9 touch -> box.ts:1 import_resolved
        "#]],
    );
}
