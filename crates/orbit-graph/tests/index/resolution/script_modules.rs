//! What a specifier of TypeScript and JavaScript leads to.

use super::{check, check_tree};
use crate::compare::assert_equals_fresh;
use crate::tree::Tree;
use expect_test::expect;

#[test]
fn a_directory_stands_for_its_index() {
    check(
        r#"
==> lib/index.ts
export function f() {}
export namespace Inner { export function deep() {} }
==> lib/sibling.ts
import { f } from '.';
f(); //?
==> lib/inner/child.ts
import { f } from '..';
f(); //?
==> both.ts
export function own() {}
==> both/index.ts
export function own() {}
export function other() {}
==> user.ts
import { f, Inner } from './lib';
import * as all from './lib/index.js';
import { own, other } from './both';
f(); //?
all.f(); //?
Inner.deep(); //?
Inner.f(); //?
own(); //?
other(); //?
"#,
        &expect![[r#"
            lib/inner/child.ts:2 f -> lib/index.ts:1 import_resolved
            lib/sibling.ts:2 f -> lib/index.ts:1 import_resolved
            user.ts:4 f -> lib/index.ts:1 import_resolved
            user.ts:5 f -> lib/index.ts:1 import_resolved
            user.ts:6 deep -> lib/index.ts:2 import_resolved
            user.ts:7 f -> ?
            user.ts:8 own -> both.ts:1 import_resolved
            user.ts:9 other -> ?
        "#]],
    );
}

#[test]
fn paths_are_inherited_and_relative_to_the_file_that_has_them() {
    check(
        r#"
==> config/tsconfig.base.json
{ "compilerOptions": { "paths": { "@app/*": ["../src/*"], "@app/special": ["../other/special"] } } }
==> tsconfig.json
{ "extends": ["./config/tsconfig.base", "./none.json"], "files": [] }
==> web/tsconfig.json
{ "references": [{ "path": "./tsconfig.app.json" }], "files": [] }
==> web/tsconfig.app.json
{ "extends": "../tsconfig.json", "compilerOptions": { "baseUrl": ".", "paths": { "~/*": ["./code/*"] } } }
==> src/a.ts
export function a() {}
==> src/special.ts
export function special() {}
==> other/special.ts
export function special() {}
==> web/code/b.ts
export function b() {}
==> web/main.ts
import { a } from '@app/a';
import { special } from '@app/special';
import { b } from '~/b';
import { c } from 'code/b';
a(); //?
special(); //?
b(); //?
c(); //?
"#,
        &expect![[r#"
            web/main.ts:5 a -> src/a.ts:1 import_resolved
            web/main.ts:6 special -> other/special.ts:1 import_resolved
            web/main.ts:7 b -> web/code/b.ts:1 import_resolved
            web/main.ts:8 c -> ?
        "#]],
    );
}

#[test]
fn a_package_maps_its_own_names_and_its_build_output() {
    check(
        r##"
==> packages/kit/package.json
{ "name": "@acme/kit", "main": "./dist/cjs/main.js", "exports": { ".": "./dist/esm/main.js", "./deep/*": { "import": "./dist/esm/deep/*.mjs" } },
  "imports": { "#tools": "./src/tools.ts", "#parts/*": "./src/parts/*.js", "#other": "@acme/other" } }
==> packages/kit/src/main.ts
import { tool } from '#tools';
import { part } from '#parts/one';
import { other } from '#other';
import { missing } from '#nothing';
export function start() {
  tool(); //?
  part(); //?
  other(); //?
  missing(); //?
}
==> packages/kit/src/tools.ts
export function tool() {}
==> packages/kit/src/parts/one.ts
export function part() {}
==> packages/kit/src/deep/x.ts
export function x() {}
==> packages/other/package.json
{ "name": "@acme/other" }
==> packages/other/index.js
exports.other = function () {};
==> app/user.ts
import { start } from '@acme/kit';
import { x } from '@acme/kit/deep/x';
start(); //?
x(); //?
"##,
        &expect![[r#"
            app/user.ts:3 start -> packages/kit/src/main.ts:5 import_resolved
            app/user.ts:4 x -> packages/kit/src/deep/x.ts:1 import_resolved
            packages/kit/src/main.ts:6 tool -> packages/kit/src/tools.ts:1 import_resolved
            packages/kit/src/main.ts:7 part -> packages/kit/src/parts/one.ts:1 import_resolved
            packages/kit/src/main.ts:8 other -> packages/other/index.js:1 import_resolved
            packages/kit/src/main.ts:9 missing -> ?
        "#]],
    );
}

#[test]
fn a_use_behind_an_import_that_leads_nowhere_stays_open() {
    use crate::tree::Tree;
    let tree = Tree::of(
        r#"
==> user.ts
import { gone } from './gone';
import { alias } from '@/alias';
import { outside } from 'outside';
gone();
alias();
outside();
"#,
    );
    tree.sync();
    let external: Vec<String> = tree
        .export()
        .lines()
        .filter(|line| line.contains(r#""kind":"call""#) && line.contains(r#""external":1"#))
        .map(str::to_owned)
        .collect();
    assert_eq!(external.len(), 1, "only what comes from a package is external: {external:?}");
}

#[test]
fn a_directory_leads_where_its_package_says() {
    check(
        r#"
==> package.json
{ "name": "tool", "main": "lib/tool.js", "types": "tool.d.ts" }
==> tool.d.ts
import { Instance } from "./types/instance";
declare namespace tool {
  export interface Options { deep(): void }
  export type { Instance };
}
declare function tool(options?: tool.Options): Instance;
export = tool;
==> types/instance.d.ts
export interface Instance { listen(): Instance }
==> lib/tool.js
module.exports = function tool() {};
==> lib/api.js
const api = { one() {}, two: () => 1 };
module.exports = api;
==> test/run.js
const Tool = require("..");
const { one } = require("../lib/api");
Tool().listen().listen(); //?
one(); //?
==> test/types.ts
import { Instance, Options } from "../tool";
export function f(instance: Instance, options: Options) {
  instance.listen(); options.deep(); //?
}
"#,
        &expect![[r#"
            test/run.js:3 Tool -> tool.d.ts:6 import_resolved
            test/run.js:3 listen -> types/instance.d.ts:1 import_resolved
            test/run.js:3 listen -> types/instance.d.ts:1 import_resolved
            test/run.js:4 one -> lib/api.js:1 import_resolved
            test/types.ts:3 listen -> types/instance.d.ts:1 import_resolved
            test/types.ts:3 deep -> tool.d.ts:3 import_resolved
        "#]],
    );
}

#[test]
fn declarations_for_other_modules_and_for_all() {
    check(
        r#"
==> globals.d.ts
declare function track(name: string): void;
interface Shape { area(): number }
interface Promise<T> {}
declare module "ext" {
  export interface Opt { run(): void }
  export function start(): Opt;
}
==> src/a.ts
export interface Config { base(): void }
export class Box { open() {} }
==> src/all.ts
export * from "./a";
==> src/b.ts
import "./a";
declare module "./a" {
  interface Config { extra(): Box }
  interface Fresh { hi(): void }
}
declare module "./all" {
  interface Config { more(): void }
}
declare global {
  interface Window { boot(): void }
  function boot(): Window;
}
global.boot(); //?
==> src/c.ts
import { Config, Fresh } from "./a";
import { Config as Same } from "./all";
import { Opt, start } from "ext";
import * as ext from "ext";
export function f(c: Config, s: Shape, h: Fresh, o: Opt, same: Same) {
  c.base(); c.extra().open(); same.base(); //?
  s.area(); h.hi(); track("x"); //?
  o.run(); start().run(); ext.start(); //?
  boot().boot(); //?
}
"#,
        &expect![[r#"
            src/b.ts:13 boot -> ?
            src/c.ts:6 base -> src/a.ts:1 import_resolved
            src/c.ts:6 extra -> src/b.ts:3 import_resolved
            src/c.ts:6 open -> src/a.ts:2 import_resolved
            src/c.ts:6 base -> src/a.ts:1 import_resolved
            src/c.ts:7 area -> globals.d.ts:2 same_module
            src/c.ts:7 hi -> src/b.ts:4 import_resolved
            src/c.ts:7 track -> globals.d.ts:1 same_module
            src/c.ts:8 run -> globals.d.ts:5 import_resolved
            src/c.ts:8 start -> globals.d.ts:6 import_resolved
            src/c.ts:8 run -> globals.d.ts:5 import_resolved
            src/c.ts:8 start -> globals.d.ts:6 import_resolved
            src/c.ts:9 boot -> src/b.ts:11 same_module
            src/c.ts:9 boot -> src/b.ts:10 same_module
        "#]],
    );
}

#[test]
fn a_declaration_file_says_what_typescript_imports() {
    check(
        r#"
==> lib/api.js
function start () {}
function only () {}
module.exports = { start, only }
==> lib/api.d.ts
export declare function start(): void;
==> lib/index.js
module.exports = require('./api')
==> lib/index.d.ts
export * from './api';
==> use.ts
import { start, only } from './lib/api.js';
import { start as again } from './lib';
start(); only(); again(); //?
==> run.js
const { only } = require('./lib/api')
only() //?
"#,
        &expect![[r#"
            run.js:2 only -> lib/api.js:2 import_resolved
            use.ts:3 start -> lib/api.d.ts:1 import_resolved
            use.ts:3 only -> lib/api.js:2 import_resolved
            use.ts:3 again -> lib/api.d.ts:1 import_resolved
        "#]],
    );
}

#[test]
fn what_a_module_exports_as_a_whole_has_what_else_it_exports() {
    check(
        r#"
==> app.js
const { readFile } = require('node:fs').promises
const parse = require('url').parse
const fresh = require('fresh')
function App () {}
module.exports = App
module.exports.named = function () {}
function open () { readFile('x'); parse('y') } //?
==> request.js
const fresh = require('./fresh')
module.exports = {
  get fresh () { return fresh(this) }, //?
  open () { return fresh(1) } //?
}
==> fresh.js
module.exports = function fresh () {}
==> use.mjs
import App, { named } from './app.js'
import * as all from './app.js'
new App(); named(); App.named(); all.named() //?
==> use.js
const App = require('./app')
App.named() //?
"#,
        &expect![[r#"
            app.js:7 readFile -> ?
            app.js:7 parse -> ?
            request.js:3 fresh -> fresh.js:1 import_resolved
            request.js:4 fresh -> fresh.js:1 import_resolved
            use.js:2 named -> app.js:6 import_resolved
            use.mjs:3 App -> app.js:4 import_resolved
            use.mjs:3 named -> app.js:6 import_resolved
            use.mjs:3 named -> app.js:6 import_resolved
            use.mjs:3 named -> app.js:6 import_resolved
        "#]],
    );
}

/// The declaration is meant, not what a test adds to it, whatever comes and goes.
#[test]
fn what_is_added_to_leads_to_its_declaration() {
    let tree = Tree::of(
        r#"
==> lib.d.ts
import { Reply, Host } from './types';
declare namespace lib {
  export { Reply, Host };
}
declare function lib(): Host;
export = lib;
==> types.d.ts
export interface Reply { send(): void }
export interface Host { close(): void }
==> use.ts
import { Reply } from './lib';
export function f(reply: Reply) { reply.send(); } //?
"#,
    );
    tree.sync();
    let expected = expect![[r#"
        use.ts:2 send -> types.d.ts:1 import_resolved
    "#]];
    check_tree(&tree, &expected);
    tree.write(
        "added.test.ts",
        "import './lib';\ndeclare module './lib' { interface Reply { more(): void } }\n",
    );
    assert_equals_fresh(&tree);
    check_tree(&tree, &expected);
    tree.remove("added.test.ts");
    assert_equals_fresh(&tree);
    check_tree(&tree, &expected);
}

#[test]
fn packages_of_a_workspace_stand_for_what_their_output_is_made_of() {
    check(
        r#"
==> packages/core/package.json
{ "name": "core", "main": "./build/cjs/main.js", "exports": { "import": "./wrapper.mjs", "types": "./build/cjs/main.d.ts" } }
==> packages/core/tsconfig.json
{ "compilerOptions": { "rootDir": "code/", "outDir": "build/cjs/" } }
==> packages/core/code/main.ts
export function start() {}
==> packages/core/wrapper.mjs
import core from './build/cjs/main.js'
export const { start } = core
==> packages/app/use.ts
import { start } from 'core';
start(); //?
"#,
        &expect![[r#"
            packages/app/use.ts:2 start -> packages/core/code/main.ts:1 import_resolved
        "#]],
    );
}

#[test]
fn a_declared_package_exports_what_it_says() {
    check(
        r#"
==> support/say.d.ts
declare function say(x: any): Said.Root;
declare namespace Said {
  interface Root { to(): void }
}
declare module "say.js" {
  export = say;
}
==> use.ts
import say from 'say.js';
import again = require('say.js');
import * as all from 'say.js';
say(1).to(); again(1).to(); all(1).to(); //?
"#,
        &expect![[r#"
            use.ts:4 say -> support/say.d.ts:1 import_resolved
            use.ts:4 to -> support/say.d.ts:3 import_resolved
            use.ts:4 again -> support/say.d.ts:1 import_resolved
            use.ts:4 to -> support/say.d.ts:3 import_resolved
            use.ts:4 all -> support/say.d.ts:1 import_resolved
            use.ts:4 to -> support/say.d.ts:3 import_resolved
        "#]],
    );
}

#[test]
fn an_import_alias_is_an_import_of_the_module_that_it_goes_through() {
    let tree = Tree::of(
        r#"
==> either.ts
export type Either<E, A> = E | A;
export const Either = { of() {} };
export function left() {}
==> transformer.ts
import * as E from './either';
import Either = E.Either;
export import first = E.left;
export function chain(e: Either<string, number>) {} //?
Either.of(); //?
first(); //?
==> user.ts
import { first, chain } from './transformer';
first(); //?
chain(); //?
"#,
    );
    tree.sync();
    let expected = expect![[r#"
        transformer.ts:5 of -> either.ts:2 import_resolved
        transformer.ts:6 first -> either.ts:3 import_resolved
        user.ts:2 first -> either.ts:3 import_resolved
        user.ts:3 chain -> transformer.ts:4 import_resolved
    "#]];
    check_tree(&tree, &expected);
    tree.write("either.ts", "export type Other = 1;\nexport type Either<E, A> = E | A;\n");
    assert_equals_fresh(&tree);
}
