//! TypeScript and JavaScript.

use super::check;
use expect_test::expect;

#[test]
fn a_namespace_handed_on_by_name_has_its_members() {
    check(
        r#"
==> lib/external.ts
export function text(): Text { return new Text(); }
export class Text { min(n: number): this { return this; } }
==> lib/index.ts
import * as z from "./external.js";
export * from "./external.js";
export { z, z as default };
==> user.ts
import { z } from "./lib/index.js";
import again from "./lib/index.js";
z.text().min(1); //?
again.text(); //?
"#,
        &expect![[r#"
            user.ts:3 text -> lib/external.ts:1 import_resolved
            user.ts:3 min -> lib/external.ts:2 import_resolved
            user.ts:4 text -> lib/external.ts:1 import_resolved
        "#]],
    );
}

#[test]
fn exports_of_a_package_lead_to_its_sources_even_where_git_ignores_the_manifest() {
    check(
        r#"
==> packages/kit/.gitignore
package.json
==> packages/kit/package.json
{ "name": "kit", "exports": { ".": "./src/main.ts", "./deep": { "types": "./deep.d.ts", "source": "./src/inner/deep.ts" }, "./parts/*": "./src/parts/*.ts" } }
==> packages/kit/src/main.ts
export function start() {}
==> packages/kit/src/inner/deep.ts
export function dive() {}
==> packages/kit/src/parts/wheel.ts
export function turn() {}
==> app/user.ts
import { start } from "kit";
import { dive } from "kit/deep";
import { turn } from "kit/parts/wheel";
start(); //?
dive(); //?
turn(); //?
"#,
        &expect![[r#"
            app/user.ts:4 start -> packages/kit/src/main.ts:1 import_resolved
            app/user.ts:5 dive -> packages/kit/src/inner/deep.ts:1 import_resolved
            app/user.ts:6 turn -> packages/kit/src/parts/wheel.ts:1 import_resolved
        "#]],
    );
}

#[test]
fn types_and_values_of_one_name_are_kept_apart() {
    check(
        r#"
==> core.ts
export interface Maker<T> { init(x: T): void; make(): Made; }
export function Maker(name: string): Maker<Made> { return null as any; }
export interface Made { use(): void; }
export const Made: Maker<Made> = Maker("Made");
==> user.ts
import { Maker, Made } from "./core";
Maker("x").init(1); //?
Made.make().use(); //?
"#,
        &expect![[r#"
            user.ts:2 Maker -> core.ts:2 import_resolved
            user.ts:2 init -> core.ts:1 import_resolved
            user.ts:3 make -> core.ts:1 import_resolved
            user.ts:3 use -> core.ts:3 import_resolved
        "#]],
    );
}

#[test]
fn what_a_function_returns_is_known_from_its_body() {
    check(
        r#"
==> lib.ts
export class Box { open() {} static create = (): Box => new Box(); }
export function box() { return new Box(); }
export const boxed = Box.create;
export function either(x: boolean) { if (x) return new Box(); return 1 + 1; }
export function mixed(x: boolean) { if (x) return new Box(); return new Lid(); }
export async function later() { return new Box(); }
export class Lid { open() {} run: () => Box; }
==> user.ts
import { box, boxed, either, mixed, later, Lid } from "./lib";
box().open(); //?
boxed().open(); //?
either(true).open(); //?
mixed(true).open(); //?
later().open(); //?
new Lid().run().open(); //?
"#,
        &expect![[r#"
            user.ts:2 box -> lib.ts:2 import_resolved
            user.ts:2 open -> lib.ts:1 import_resolved
            user.ts:3 boxed -> lib.ts:3 import_resolved
            user.ts:3 open -> lib.ts:1 import_resolved
            user.ts:4 either -> lib.ts:4 import_resolved
            user.ts:4 open -> lib.ts:1 import_resolved
            user.ts:5 mixed -> lib.ts:5 import_resolved
            user.ts:5 open -> ?
            user.ts:6 later -> lib.ts:6 import_resolved
            user.ts:6 open -> ?
            user.ts:7 Lid -> lib.ts:7 import_resolved
            user.ts:7 run -> lib.ts:7 import_resolved
            user.ts:7 open -> lib.ts:1 import_resolved
        "#]],
    );
}

#[test]
fn members_of_an_object_are_not_names_that_their_neighbours_see() {
    check(
        r#"
==> lib.ts
import * as parse from "./parse";
export const methods = {
  parse(x: string) { return parse.run(x); }, //?
};
function test() {
  const Category = wrap(() => Category.child()); //?
}
export const Category = { child() {} };
==> parse.ts
export function run(x: string) {}
"#,
        &expect![[r#"
            lib.ts:3 run -> parse.ts:1 import_resolved
            lib.ts:6 wrap -> ?
            lib.ts:6 child -> ?
        "#]],
    );
}

#[test]
fn another_name_for_a_namespace_of_the_file_has_its_members() {
    check(
        r#"
==> lib.ts
namespace Outer {
  export namespace Deep { export function run() {} export interface Shape { draw(): void } }
  export class Box { open() {} }
  export interface Lid { close(): void }
}
import Deep = Outer.Deep;
import Box = Outer.Box;
import Lid = Outer.Lid;
export import Handed = Outer.Deep;
Deep.run(); //?
new Box().open(); //?
function use(box: Box, lid: Lid, shape: Deep.Shape) {
  box.open(); //?
  lid.close(); //?
  shape.draw(); //?
}
==> user.ts
import { Handed } from "./lib";
Handed.run(); //?
"#,
        &expect![[r#"
            lib.ts:10 run -> lib.ts:2 exact
            lib.ts:11 Box -> lib.ts:7 exact
            lib.ts:11 open -> lib.ts:3 exact
            lib.ts:13 open -> lib.ts:3 exact
            lib.ts:14 close -> lib.ts:4 exact
            lib.ts:15 draw -> lib.ts:2 exact
            user.ts:2 run -> lib.ts:2 import_resolved
        "#]],
    );
}
