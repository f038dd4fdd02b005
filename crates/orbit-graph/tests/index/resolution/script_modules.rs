//! What a specifier of TypeScript and JavaScript leads to.

use super::check;
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
