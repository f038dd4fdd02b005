//! What the comments of JavaScript say of types.

use super::check;
use expect_test::expect;

#[test]
fn documented_types_are_followed() {
    check(
        r#"
==> lib/foo.js
class Foo { go() {} }
/**
 * @typedef {Object} Made
 * @property {Foo} thing a thing
 */
module.exports = { Foo };
==> lib/bar.js
class Bar { stop() {} }
module.exports = Bar;
==> lib/user.js
const { Foo } = require("./foo");
const Bar = require("./bar");
/** @typedef {import("./foo").Made} Mine */
/**
 * @param {Foo} foo
 * @param {Array.<Bar>} bars
 * @param {Object} options
 * @param {Foo} options.inner
 * @param {Mine} made
 * @returns {Promise<Bar>}
 */
function run(foo, bars, { inner }, made) {
  foo.go(); //?
  bars.map(bar => bar.stop()); //?
  inner.go(); //?
  made.thing.go(); //?
}
async function main() {
  (await run()).stop(); //?
  const cast = /** @type {Foo} */ (nobody);
  cast.go(); //?
  /** @type {Bar|null} */
  let later = null;
  later.stop(); //?
}
class K {
  /** @type {Foo} */
  #foo;
  constructor() { /** @type {Bar} */ this.bar = undefined; }
  go() { this.#foo.go(); this.bar.stop(); } //?
}
/**
 * @template {Foo} T
 * @param {T} a
 * @returns {T}
 */
function same(a) { return a; }
same(new Foo()).go(); //?
/**
 * @callback Cb
 * @param {Foo} f
 */
/** @param {Cb} cb */
function each(cb) {}
each(f => f.go()); //?
"#,
        &expect![[r#"
            lib/user.js:13 go -> lib/foo.js:1 import_resolved
            lib/user.js:14 map -> ?
            lib/user.js:14 stop -> lib/bar.js:1 import_resolved
            lib/user.js:15 go -> lib/foo.js:1 import_resolved
            lib/user.js:16 go -> lib/foo.js:1 import_resolved
            lib/user.js:19 run -> lib/user.js:12 exact
            lib/user.js:19 stop -> lib/bar.js:1 import_resolved
            lib/user.js:21 go -> lib/foo.js:1 import_resolved
            lib/user.js:24 stop -> lib/bar.js:1 import_resolved
            lib/user.js:30 go -> lib/foo.js:1 import_resolved
            lib/user.js:30 stop -> lib/bar.js:1 import_resolved
            lib/user.js:38 same -> lib/user.js:37 exact
            lib/user.js:38 Foo -> lib/foo.js:1 import_resolved
            lib/user.js:38 go -> lib/foo.js:1 import_resolved
            lib/user.js:45 each -> lib/user.js:44 exact
            lib/user.js:45 go -> lib/foo.js:1 import_resolved
        "#]],
    );
}

#[test]
fn an_object_that_is_documented_is_read_as_its_type() {
    check(
        r#"
==> types/index.d.ts
export namespace Rule {
  interface Module { create(context: Context): Listener }
  interface Context { source: Source }
  interface Listener { onEnd?(last: Source): void }
}
export class Source { text(): string }
==> lib/rule.js
/** @type {import('../types').Rule.Module} */
module.exports = {
  create(context) {
    const source = context.source;
    source.text(); //?
    return {
      onEnd(last) { last.text(); }, //?
    };
  },
};
==> lib/named.js
/** @type {import('../types').Rule.Module} */
const rule = {
  create(context) {
    return context.source.text(); //?
  },
};
"#,
        &expect![[r#"
            lib/named.js:4 text -> types/index.d.ts:6 import_resolved
            lib/rule.js:5 text -> types/index.d.ts:6 import_resolved
            lib/rule.js:7 text -> types/index.d.ts:6 import_resolved
        "#]],
    );
}

#[test]
fn types_of_other_modules_are_named_in_place() {
    check(
        r#"
==> core.ts
export interface Box<T> { value: T }
export class Item { run() {} }
==> all.ts
export * as core from "./core";
==> user.ts
import * as all from "./all";
export function f(boxes: import("./core").Box<import("./core").Item>[]) {
  boxes[0].value.run(); //?
}
export function g(x: unknown) {
  const item = x as all.core.Item;
  item.run(); //?
  return x satisfies all.core.Item;
}
"#,
        &expect![[r#"
            user.ts:3 run -> core.ts:2 import_resolved
            user.ts:7 run -> core.ts:2 import_resolved
        "#]],
    );
}
