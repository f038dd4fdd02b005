//! What TypeScript and JavaScript infer: type parameters at a call, narrowed variables, lists, overloads.

use super::check;
use expect_test::expect;

#[test]
fn callbacks_of_generic_functions_get_what_the_call_says() {
    check(
        r#"
==> lib.ts
export class Row { save() {} }
export class Cell { paint() {} }
export interface Trait { base(): void }
export interface Maker<T, D = unknown> { make(): T }
export function each<T>(xs: T[], f: (x: T) => void) {}
export function pick<T, K>(xs: T[], key: K, f: (x: T, k: K) => void) {}
export function maker<T extends Trait>(name: string, init: (it: T) => void): Maker<T> { return null as any; }
==> use.ts
import { Row, Cell, each, pick, maker, Maker, Trait } from './lib';
interface Shape extends Trait { own(): void }
const rows: Row[] = [];
each(rows, (r) => r.save()); //?
each<Cell>([] as any, (c) => c.paint()); //?
pick(rows, new Cell(), (r, c) => { r.save(); c.paint(); }); //?
const Shape: Maker<Shape> = maker("Shape", (it) => { it.own(); it.base(); }); //?
function typed(): Maker<Shape> { return maker("Shape", (it) => { it.own(); }); } //?
"#,
        &expect![[r#"
            use.ts:4 each -> lib.ts:5 import_resolved
            use.ts:4 save -> lib.ts:1 import_resolved
            use.ts:5 each -> lib.ts:5 import_resolved
            use.ts:5 paint -> lib.ts:2 import_resolved
            use.ts:6 pick -> lib.ts:6 import_resolved
            use.ts:6 Cell -> lib.ts:2 import_resolved
            use.ts:6 save -> lib.ts:1 import_resolved
            use.ts:6 paint -> lib.ts:2 import_resolved
            use.ts:7 maker -> lib.ts:7 import_resolved
            use.ts:7 own -> use.ts:2 exact
            use.ts:7 base -> lib.ts:3 import_resolved
            use.ts:8 maker -> lib.ts:7 import_resolved
            use.ts:8 own -> use.ts:2 exact
        "#]],
    );
}

#[test]
fn class_arguments_reach_inherited_members() {
    check(
        r#"
==> lib.ts
export class Row { save() {} }
export abstract class Base<T> { items: T[] = []; first(): T { return this.items[0]; } }
export class Rows extends Base<Row> { run() { this.first().save(); this.items.map((r) => r.save()); } } //?
new Rows().first().save(); //?
type Made = ReturnType<typeof make>;
async function make() { return new Row(); }
function plain() { return new Row(); }
function f(a: Awaited<Promise<Row>>, b: InstanceType<typeof Row>, c: ReturnType<typeof plain>) {
  a.save(); b.save(); c.save(); //?
}
"#,
        &expect![[r#"
            lib.ts:3 first -> lib.ts:2 exact
            lib.ts:3 save -> lib.ts:1 exact
            lib.ts:3 map -> ?
            lib.ts:3 save -> lib.ts:1 exact
            lib.ts:4 Rows -> lib.ts:3 exact
            lib.ts:4 first -> lib.ts:2 exact
            lib.ts:4 save -> lib.ts:1 exact
            lib.ts:9 save -> lib.ts:1 exact
            lib.ts:9 save -> lib.ts:1 exact
            lib.ts:9 save -> lib.ts:1 exact
        "#]],
    );
}

#[test]
fn conditions_tell_what_a_variable_is() {
    check(
        r#"
==> lib.ts
export class Row { save() {} same() {} }
export class Cell { paint() {} same() {} }
export class Sub extends Cell { extra() {} }
==> use.ts
import { Row, Cell, Sub } from './lib';
function f(x: unknown, y: Row | Cell, z: Cell, s: Sub) {
  if (x instanceof Row) { x.save(); } //?
  if (y instanceof Cell && z instanceof Sub) { y.same(); z.extra(); } //?
  if (s instanceof Cell) s.extra(); //?
  x instanceof Cell ? x.paint() : x.save(); //?
  try {} catch (error) { if (error instanceof Row) error.save(); error.save(); } //?
  if (!(x instanceof Row)) throw 1;
  x.save(); //?
}
function g() {
  let row;
  row = new Row();
  row.save(); //?
  row = new Cell();
  row.paint(); //?
}
"#,
        &expect![[r#"
            use.ts:3 save -> lib.ts:1 import_resolved
            use.ts:4 same -> lib.ts:2 import_resolved
            use.ts:4 extra -> lib.ts:3 import_resolved
            use.ts:5 extra -> lib.ts:3 import_resolved
            use.ts:6 paint -> lib.ts:2 import_resolved
            use.ts:6 save -> ?
            use.ts:7 save -> lib.ts:1 import_resolved
            use.ts:7 save -> ?
            use.ts:9 save -> lib.ts:1 import_resolved
            use.ts:14 save -> lib.ts:1 import_resolved
            use.ts:16 paint -> lib.ts:2 import_resolved
        "#]],
    );
}

#[test]
fn lists_and_what_is_made_of_them() {
    check(
        r#"
==> lib.ts
export class Row { save() {} }
export class Cell { paint() {} }
export async function load(): Promise<Row> { return new Row(); }
export async function other(): Promise<Cell> { return new Cell(); }
==> use.ts
import { Row, Cell, load, other } from './lib';
async function f(named: Record<string, Row>, set: Set<Row>, many: Promise<Row>[]) {
  const xs = [new Row(), new Row()];
  xs[0].save(); xs.forEach((x) => x.save()); //?
  for (const x of [...set]) x.save(); //?
  Array.from(set).map((x) => x.save()); //?
  const [a, b] = await Promise.all([load(), other()]);
  a.save(); b.paint(); //?
  (await Promise.all(many)).forEach((x) => x.save()); //?
  Object.values(named).forEach((x) => x.save()); //?
  for (const [key, x] of Object.entries(named)) x.save(); //?
}
"#,
        &expect![[r#"
            use.ts:4 save -> lib.ts:1 import_resolved
            use.ts:4 forEach -> ?
            use.ts:4 save -> lib.ts:1 import_resolved
            use.ts:5 save -> lib.ts:1 import_resolved
            use.ts:6 from -> ?
            use.ts:6 map -> ?
            use.ts:6 save -> lib.ts:1 import_resolved
            use.ts:8 save -> lib.ts:1 import_resolved
            use.ts:8 paint -> lib.ts:2 import_resolved
            use.ts:9 all -> ?
            use.ts:9 forEach -> ?
            use.ts:9 save -> lib.ts:1 import_resolved
            use.ts:10 values -> ?
            use.ts:10 forEach -> ?
            use.ts:10 save -> lib.ts:1 import_resolved
            use.ts:11 entries -> ?
            use.ts:11 save -> lib.ts:1 import_resolved
        "#]],
    );
}

#[test]
fn overloads_are_told_apart_by_the_number_of_arguments() {
    check(
        r#"
==> lib.ts
export class Row { save() {} }
export class Box { meta(): Row; meta(data: object): Box; meta(data?: object): any {} open() {} }
export function run(): Row;
export function run(a: number, ...rest: number[]): Box;
export function run(...all: number[]): any {}
==> use.ts
import { Box, run } from './lib';
new Box().meta().save(); //?
new Box().meta({}).meta({ a: 1 }).open(); //?
run().save(); run(1, 2).open(); //?
"#,
        &expect![[r#"
            use.ts:2 Box -> lib.ts:2 import_resolved
            use.ts:2 meta -> lib.ts:2 import_resolved
            use.ts:2 save -> lib.ts:1 import_resolved
            use.ts:3 Box -> lib.ts:2 import_resolved
            use.ts:3 meta -> lib.ts:2 import_resolved
            use.ts:3 meta -> lib.ts:2 import_resolved
            use.ts:3 open -> lib.ts:2 import_resolved
            use.ts:4 run -> lib.ts:3 import_resolved
            use.ts:4 save -> lib.ts:1 import_resolved
            use.ts:4 run -> lib.ts:3 import_resolved
            use.ts:4 open -> lib.ts:2 import_resolved
        "#]],
    );
}

#[test]
fn objects_without_a_symbol_have_what_is_written_of_them() {
    check(
        r#"
==> lib.ts
export class Row { save() {} }
export class Cell { paint() {} }
export function pair(): { row: Row; cell: Cell; make(): Row } { return null as any; }
export function build<T>(item: T): { item: T } { return { item }; }
export function use() {
  const row = new Row();
  return { row, cell: new Cell(), open() {} };
}
export async function later() { return { row: new Row(), open() {} }; }
export async function one() { const row = new Row(); return row; }
==> use.ts
import { Row, Cell, pair, build, use, later, one } from './lib';
async function f({ row, deep }: { row: Row; deep: { cell: Cell } }, both: Row & { more: Cell }) {
  row.save(); deep.cell.paint(); both.save(); both.more.paint(); //?
  const { cell } = pair();
  cell.paint(); pair().row.save(); pair().make().save(); //?
  build(new Row()).item.save(); //?
  const { row: used, open } = use();
  used.save(); open(); use().cell.paint(); //?
  const { row: given } = await later();
  given.save(); (await later()).open(); (await one()).save(); //?
  const local = { inner: new Row(), run() {} };
  local.inner.save(); local.run(); //?
}
"#,
        &expect![[r#"
            use.ts:3 save -> lib.ts:1 import_resolved
            use.ts:3 paint -> lib.ts:2 import_resolved
            use.ts:3 save -> lib.ts:1 import_resolved
            use.ts:3 paint -> lib.ts:2 import_resolved
            use.ts:5 paint -> lib.ts:2 import_resolved
            use.ts:5 pair -> lib.ts:3 import_resolved
            use.ts:5 save -> lib.ts:1 import_resolved
            use.ts:5 pair -> lib.ts:3 import_resolved
            use.ts:5 make -> ?
            use.ts:5 save -> lib.ts:1 import_resolved
            use.ts:6 build -> lib.ts:4 import_resolved
            use.ts:6 Row -> lib.ts:1 import_resolved
            use.ts:6 save -> lib.ts:1 import_resolved
            use.ts:8 save -> lib.ts:1 import_resolved
            use.ts:8 use -> lib.ts:5 import_resolved
            use.ts:8 paint -> lib.ts:2 import_resolved
            use.ts:10 save -> lib.ts:1 same_module
            use.ts:10 later -> lib.ts:9 import_resolved
            use.ts:10 open -> lib.ts:9 import_resolved
            use.ts:10 one -> lib.ts:10 import_resolved
            use.ts:10 save -> lib.ts:1 same_module
            use.ts:12 save -> lib.ts:1 import_resolved
            use.ts:12 run -> use.ts:11 exact
        "#]],
    );
}
