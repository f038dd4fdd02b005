//! Functions that are used as classes, objects that get members one by one, and what CommonJS modules hand on.

use super::check;
use expect_test::expect;

#[test]
fn a_function_inherits_through_its_prototype() {
    check(
        r#"
==> base.js
var util = require("util");
function Base() { this.helper = new Helper(); }
Base.prototype.run = function () {};
function Helper() { if (!(this instanceof Helper)) return new Helper(); }
Helper.prototype = { help: function () { this.again(); }, again: function () {} }; //?
function First() { Base.call(this); var self = this; later(function () { self.run(); }); } //?
util.inherits(First, Base);
First.prototype.own = function () { this.run(); this.helper.help(); }; //?
function Second() {}
Second.prototype = Object.create(Base.prototype);
Second.prototype.own = function () { this.run(); }; //?
function Third() {}
Object.setPrototypeOf(Third.prototype, Base.prototype);
Third.prototype.own = function () { this.run(); }; //?
function Fourth() {}
Fourth.prototype.__proto__ = Base.prototype;
var proto = Fourth.prototype;
proto.own = function () { this.run(); this.more(); }; //?
proto.more = function () { return Helper().help(); }; //?
function Fifth() {}
Fifth.prototype = new Base();
Fifth.prototype.own = function () { this.run(); }; //?
(function () {
  function Inner() {}
  Inner.prototype = Object.create(Base.prototype);
  Inner.prototype.own = function () { this.run(); }; //?
  new Inner().own(); //?
})();
function First2() {}
First2.prototype.own = function () { this.run(); }; //?
exports.First = First;
exports.Fourth = Fourth;
==> user.js
const { First, Fourth } = require("./base");
new First().run(); //?
new Fourth().more(); //?
"#,
        &expect![[r#"
            base.js:5 again -> base.js:5 exact
            base.js:6 call -> ?
            base.js:6 later -> ?
            base.js:6 run -> base.js:3 exact
            base.js:8 run -> base.js:3 exact
            base.js:8 help -> base.js:5 exact
            base.js:11 run -> base.js:3 exact
            base.js:14 run -> base.js:3 exact
            base.js:18 run -> base.js:3 exact
            base.js:18 more -> base.js:19 exact
            base.js:19 Helper -> base.js:4 exact
            base.js:19 help -> base.js:5 exact
            base.js:22 run -> base.js:3 exact
            base.js:26 run -> base.js:3 exact
            base.js:27 Inner -> base.js:24 exact
            base.js:27 own -> base.js:26 exact
            base.js:30 run -> ?
            user.js:2 First -> base.js:6 import_resolved
            user.js:2 run -> base.js:3 import_resolved
            user.js:3 Fourth -> base.js:15 import_resolved
            user.js:3 more -> base.js:19 import_resolved
        "#]],
    );
}

#[test]
fn members_that_functions_of_the_language_define() {
    check(
        r#"
==> lib.js
class Helper { help() {} }
function Base() {}
Object.defineProperty(Base.prototype, "made", { enumerable: true, get: function () { return new Helper(); } });
Object.defineProperties(Base.prototype, { other: { get() { return new Helper(); } } });
Object.defineProperty(Base.prototype, "run", { value: function () { this.stop(); } }); //?
Object.assign(Base.prototype, { stop() { this.made.help(); } }); //?
function Mixed() {}
Object.assign(Mixed.prototype, Base.prototype);
module.exports = { Base, Mixed };
==> user.js
const { Base, Mixed } = require("./lib");
new Base().made.help(); //?
new Base().other.help(); //?
new Base().run(); //?
new Base().stop(); //?
new Mixed().stop(); //?
"#,
        &expect![[r#"
            lib.js:5 defineProperty -> ?
            lib.js:5 stop -> lib.js:6 exact
            lib.js:6 assign -> ?
            lib.js:6 help -> lib.js:1 exact
            user.js:2 Base -> lib.js:2 import_resolved
            user.js:2 help -> lib.js:1 import_resolved
            user.js:3 Base -> lib.js:2 import_resolved
            user.js:3 help -> lib.js:1 import_resolved
            user.js:4 Base -> lib.js:2 import_resolved
            user.js:4 run -> lib.js:5 import_resolved
            user.js:5 Base -> lib.js:2 import_resolved
            user.js:5 stop -> lib.js:6 import_resolved
            user.js:6 Mixed -> lib.js:7 import_resolved
            user.js:6 stop -> lib.js:6 import_resolved
        "#]],
    );
}

#[test]
fn objects_that_get_members_one_by_one() {
    check(
        r#"
==> lib.js
class Helper { help() {} }
function create() {
  var object = { first: function () { return object.second(); } }; //?
  object.second = function () {};
  object.third = third;
  object.helper = new Helper();
  function third() {}
  return object;
}
module.exports = function make(options) {
  const made = { go, helper: new Helper() };
  return made;
  function go() {}
};
module.exports.create = create;
==> user.js
const made = require("./lib")({});
made.go(); //?
made.helper.help(); //?
const object = require("./lib").create();
object.first(); //?
object.second(); //?
object.third(); //?
object.helper.help(); //?
function inside() {
  const within = require("./lib")();
  within.go(); //?
}
"#,
        &expect![[r#"
            lib.js:3 second -> lib.js:4 exact
            user.js:2 go -> lib.js:13 import_resolved
            user.js:3 help -> lib.js:1 import_resolved
            user.js:5 first -> lib.js:3 import_resolved
            user.js:6 second -> lib.js:4 import_resolved
            user.js:7 third -> lib.js:7 import_resolved
            user.js:8 help -> lib.js:1 import_resolved
            user.js:11 go -> lib.js:13 import_resolved
        "#]],
    );
}

#[test]
fn what_module_exports_holds_is_called_through_it() {
    check(
        r#"
==> lib.js
module.exports = {
  short() {},
  long: function () {},
  async later() {},
  get Client() { return require("./client").Client; },
};
==> client.js
class Client { static make() { return new Client(); } close() {} }
exports.Client = Client;
==> spread.js
const lib = require("./lib");
module.exports = { ...lib, ...require("./client"), own() {} };
==> hidden.js
register({ short() {} });
short(); //?
==> user.js
const lib = require("./lib");
const { short, later } = require("./lib");
const spread = require("./spread");
lib.short(); //?
lib.long(); //?
short(); //?
later(); //?
lib.Client.make().close(); //?
new lib.Client().close(); //?
spread.short(); //?
spread.own(); //?
new spread.Client().close(); //?
"#,
        &expect![[r#"
            hidden.js:2 short -> ?
            user.js:4 short -> lib.js:2 import_resolved
            user.js:5 long -> lib.js:3 import_resolved
            user.js:6 short -> lib.js:2 import_resolved
            user.js:7 later -> lib.js:4 import_resolved
            user.js:8 make -> client.js:1 import_resolved
            user.js:8 close -> client.js:1 import_resolved
            user.js:9 Client -> lib.js:5 import_resolved
            user.js:9 close -> client.js:1 import_resolved
            user.js:10 short -> lib.js:2 import_resolved
            user.js:11 own -> spread.js:2 import_resolved
            user.js:12 Client -> lib.js:5 import_resolved
            user.js:12 close -> client.js:1 import_resolved
        "#]],
    );
}

#[test]
fn a_comment_names_the_type_of_a_class() {
    check(
        r#"
==> lib.js
class Engine { start() {} static all() { return []; } }
exports.Engine = Engine;
==> user.js
/** @typedef {typeof import("./lib").Engine} Engine */
/** @type {Engine} */
let Engine;
function run() {
  /** @type {InstanceType<Engine>} */
  let engine;
  engine.start(); //?
  Engine.all(); //?
}
"#,
        &expect![[r#"
            user.js:7 start -> lib.js:1 import_resolved
            user.js:8 all -> lib.js:1 import_resolved
        "#]],
    );
}

#[test]
fn values_that_calls_hand_on_where_they_are_written() {
    check(
        r#"
==> lib.js
class Helper { help() {} async load() { return this; } }
exports.frozen = Object.freeze({ go() {}, helper: new Helper() });
const table = Object.freeze({ run: () => new Helper() });
const module = (function () {
  const helper = new Helper();
  function hidden() { return helper; }
  return { helper, hidden, shown() { return hidden(); } };
})();
const other = (() => { function hidden() {} return { hidden }; })();
module.hidden().help(); //?
module.shown().help(); //?
module.helper.help(); //?
other.hidden(); //?
table.run().help(); //?
async function wait() { (await new Helper().load()).help(); } //?
==> user.js
const { frozen } = require("./lib");
frozen.go(); //?
frozen.helper.help(); //?
"#,
        &expect![[r#"
            lib.js:10 hidden -> lib.js:6 exact
            lib.js:10 help -> lib.js:1 exact
            lib.js:11 shown -> lib.js:7 exact
            lib.js:11 help -> lib.js:1 exact
            lib.js:12 help -> lib.js:1 exact
            lib.js:13 hidden -> lib.js:9 exact
            lib.js:14 run -> lib.js:3 exact
            lib.js:14 help -> lib.js:1 exact
            lib.js:15 Helper -> lib.js:1 exact
            lib.js:15 load -> lib.js:1 exact
            lib.js:15 help -> lib.js:1 exact
            user.js:2 go -> lib.js:2 import_resolved
            user.js:3 help -> lib.js:1 import_resolved
        "#]],
    );
}

#[test]
fn a_module_names_what_it_exports_itself() {
    check(
        r#"
==> lib.js
exports.first = function () {};
exports.second = function () { exports.first(); module.exports.first(); }; //?
exports.third = exports.first;
const self = module.exports;
self.third(); //?
==> whole.js
module.exports = create;
module.exports.helper = function () {};
function create() { module.exports.helper(); return module.exports; } //?
==> held.js
var lib = exports;
lib.run = function () { return lib.stop(); }; //?
lib.stop = function () {};
==> user.js
require("./lib").third(); //?
require("./held").run(); //?
"#,
        &expect![[r#"
            held.js:2 stop -> held.js:3 exact
            lib.js:2 first -> lib.js:1 exact
            lib.js:2 first -> lib.js:1 exact
            lib.js:5 third -> lib.js:3 exact
            user.js:1 third -> lib.js:3 import_resolved
            user.js:2 run -> held.js:2 import_resolved
            whole.js:3 helper -> whole.js:2 exact
        "#]],
    );
}
