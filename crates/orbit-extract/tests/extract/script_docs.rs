//! Types that JavaScript writes in comments.

use crate::render::check;
use expect_test::expect;

#[test]
fn comments_say_what_functions_take_and_give() {
    check(
        "a.js",
        r#"
/**
 * Prose with {braces} and user@example.org.
 * @param {Foo} foo the foo
 * @param {Array.<Bar>} [bars=[]] some
 * @param {Object} options
 * @param {!Foo} options.inner
 * @param {...Bar} rest
 * @returns {Promise<Bar>}
 */
export function run(foo, bars, { inner, other }, ...rest) {
  foo.go(); bars[0].stop(); inner.go(); rest[0].stop(); other.go();
}
/** @type {(a: Foo) => void} */
const arrow = (a) => a.go();
class K {
  /** @type {?Foo} */
  #f;
  /**
   * @template {Foo} T
   * @param {T} x
   * @returns {T}
   */
  same(x) { return x; }
}
"#,
        &expect![[r#"
            symbol function run 11-13 pub (<Foo>, <Array<Bar>>, ?, <#<<Bar>>>...) : <Promise<Bar>> | export function run(foo, bars, { inner, other }, ...rest)
            symbol function arrow 15-15 : (<Foo>)=>#<-0.go() | const arrow = (a) =>
            symbol class K 16-25 | class K
            symbol field K.#f 18-18 : <Foo> | #f
            symbol method K.same 24-24 (<$T:Foo>) <$T:Foo> : <$T:Foo> | same(x)
            ref type Foo @4 in -
            ref type Array @5 in -
            ref type Bar @5 in -
            ref type Foo @7 in -
            ref type Bar @8 in -
            ref type Promise @9 in -
            ref type Bar @9 in -
            ref call <Foo> . go @12 in run
            ref call <Array<Bar>>[] . stop @12 in run
            ref call <Foo> . go @12 in run
            ref call <#<<Bar>>>[] . stop @12 in run
            ref call ? . go @12 in run
            ref type Foo @14 in -
            ref call (<Foo>)=>#<-0 . go @15 in arrow
            ref type Foo @17 in K
            ref type Foo @20 in K
        "#]],
    );
}

#[test]
fn comments_define_types() {
    check(
        "a.js",
        r#"
/** @typedef {import("./foo").Made<Bar>} Mine */
/**
 * @typedef {Object} Made
 * @property {Foo} thing a thing
 * @property {{
 *   a: Bar,
 * }} other
 */
/**
 * @callback Call
 * @param {Foo} foo
 * @param {string} [name]
 * @returns {Bar}
 */
/** nothing here @param {Foo} */
/***/ const s = "/** @type {Foo} */";
const cast = /** @type {Foo} */ (value);
"#,
        &expect![[r#"
            symbol type_alias Mine 2-2 pub : require(./foo).Made<Bar> | @typedef {import("./foo").Made<Bar>} Mine
            symbol type_alias Made 4-9 pub | @typedef {Object} Made
            symbol property Made.thing 5-5 pub : <Foo> | @property {Foo} thing
            symbol property Made.other 8-8 pub | @property {{ * a: Bar, * }} other
            symbol property Made.other.a 7-7 pub : <Bar> | a: Bar
            symbol type_alias Call 11-15 pub : (<Foo>, #?)=><Bar> | @callback Call
            symbol const s 17-17 : # | const s = "/** @type {Foo} */"
            symbol const cast 18-18 : <Foo> | const cast = /** @type {Foo} */ (value)
            ref type require(./foo) . Made @2 in Mine
            ref type Bar @2 in Mine
            ref type Foo @5 in Made.thing
            ref type Bar @7 in Made.other.a
            ref type Foo @12 in -
            ref type Bar @14 in -
            ref value value @18 in cast
            import module ./foo as require(./foo) @2 in -
            string "/** @type {Foo} */" @17 in s
        "#]],
    );
}

#[test]
fn comments_of_typescript_are_prose() {
    check(
        "a.ts",
        "/** @param {Foo} x */\nexport function f(x: Bar) {}\n/** @typedef {Foo} Baz */\n",
        &expect![[r#"
            symbol function f 2-2 pub (<Bar>) | export function f(x: Bar)
            ref type Bar @2 in f
        "#]],
    );
}
