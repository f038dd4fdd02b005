//! Functions inside of functions without a name, prototypes, and the two formats of modules.

use super::check;
use expect_test::expect;

#[test]
fn closures_keep_their_functions_to_themselves() {
    check(
        r"
==> bundle.js
(function () {
  function error() {}
  error(); //?
})();
(function () {
  error(); //?
  function later() { return error(); } //?
  function error() {}
  const twice = () => error(); //?
  twice(); //?
})();
error(); //?
var modules = { 1: [function () {
  function assert() {}
  assert(); //?
}], 2: [function () {
  var assert = require('assert');
  assert.ok(1); //?
}] };
",
        &expect![[r#"
            bundle.js:3 error -> bundle.js:2 exact
            bundle.js:6 error -> bundle.js:8 exact
            bundle.js:7 error -> bundle.js:8 exact
            bundle.js:9 error -> bundle.js:8 exact
            bundle.js:10 twice -> bundle.js:9 exact
            bundle.js:12 error -> ?
            bundle.js:15 assert -> bundle.js:14 exact
            bundle.js:18 ok -> ?
        "#]],
    );
}

#[test]
fn a_function_in_a_named_one_hides_that_of_the_closure_round_it() {
    check(
        r"
==> a.js
run(function () {
  function pick() { return 1; }
  function outer() {
    pick(); //?
    function pick() { return 2; }
  }
  pick(); //?
});
",
        &expect![[r#"
            a.js:4 pick -> a.js:5 exact
            a.js:7 pick -> a.js:2 exact
        "#]],
    );
}

#[test]
fn a_member_of_the_prototype_under_another_name_gives_what_it_gives() {
    check(
        r"
==> builder.js
class Builder {
  columns() { return this; }
  where() { return this; }
}
Builder.prototype.select = Builder.prototype.columns;
module.exports = Builder;
==> use.js
const Builder = require('./builder');
new Builder().select().where(); //?
",
        &expect![[r#"
            use.js:2 Builder -> builder.js:1 import_resolved
            use.js:2 select -> builder.js:5 import_resolved
            use.js:2 where -> builder.js:3 import_resolved
        "#]],
    );
}

#[test]
fn a_declaration_for_one_format_is_not_taken_for_the_other() {
    check(
        r"
==> index.d.cts
declare const axios: { get(url: string): void };
export = axios;
==> index.d.ts
interface Client { get(url: string): void }
declare const axios: Client;
export default axios;
==> use.ts
import axios from './index.js';
axios.get('x'); //?
",
        &expect![[r#"
            use.ts:2 get -> index.d.ts:1 import_resolved
        "#]],
    );
}
