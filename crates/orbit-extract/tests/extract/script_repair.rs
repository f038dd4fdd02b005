//! TypeScript that the grammar cannot read as it stands.

use crate::render::check;
use expect_test::expect;

#[test]
fn call_signatures_that_only_a_line_break_separates() {
    check(
        "a.ts",
        r#"
export interface Get {
  // One.
  <K extends keyof Vars>(key: K): Vars[K]
  /** Two. */
  <K>(
    key: K
  ): Found<K>
  in?: Numberish
}
export function behind() {}
type Last = { <T>(x: T): A
  <U extends B>(x: U): B }
"#,
        &expect![[r#"
            symbol interface Get 2-10 pub : (<$K:#>)=>?|(<$K>)=><Found<$K>> | export interface Get
            symbol property Get.in 9-9 pub : <Numberish> | in?: Numberish
            symbol function behind 11-11 pub | export function behind()
            symbol type_alias Last 12-13 : (<$T>)=><A>|(<$U:B>)=><B> | type Last
            ref type Vars @4 in Get
            ref type Vars @4 in Get
            ref type Found @8 in Get
            ref type Numberish @9 in Get.in
            ref type A @12 in Last
            ref trait_bound B @13 in Last
            ref type B @13 in Last
        "#]],
    );
}

#[test]
fn variance_and_type_only_exports() {
    check(
        "a.ts",
        r#"
export type * from './types'
export interface Box<in out T extends Base, out U = Def, in V = never> { get(): U }
export type * as ns from './other'
"#,
        &expect![[r#"
            symbol interface Box 3-3 pub <$T:Base, $U:Def, $V:#> | export interface Box<in out T extends Base, out U = Def, in V = never>
            symbol method Box.get 3-3 pub : <$U:Def> | get(): U
            ref trait_bound Base @3 in Box
            ref type Def @3 in Box
            import glob ./types reexport @2 in -
            import module ./other as ns reexport @4 in -
        "#]],
    );
}

#[test]
fn what_cannot_be_read_ends_with_its_statement() {
    check(
        "a.ts",
        r#"
import { a } from './a'
export type Broken = { [[ <<< ;
  also: ] ) broken
export const text = `
export function no() {}
`
/*
class No {}
*/
@dec()
export class After { run() { a() } }
function last() {}
"#,
        &expect![[r#"
            has errors
            symbol const text 5-7 pub : # | export const text = ` export function no() {} `
            symbol class After 12-12 pub | export class After
            symbol method After.run 12-12 pub | run()
            symbol function last 13-13 | function last()
            ref value Broken @3 in -
            ref type also @4 in -
            ref type broken @4 in -
            ref call dec @11 in -
            ref call a @12 in After.run
            import symbol ./a [a] as a @2 in -
            string "\nexport function no() {}\n" @5 in text
        "#]],
    );
}

#[test]
fn awaited_calls_with_type_arguments() {
    check(
        "a.ts",
        r#"
async function run(api: Api) {
  await api.get<Foo>(1);
  (await load<Bar>()).use();
}
"#,
        &expect![[r#"
            symbol function run 2-5 (<Api>) | async function run(api: Api)
            ref type Api @2 in run
            ref call <Api> . get @3 in run
            ref type Foo @3 in run
            ref call load @4 in run
            ref type Bar @4 in run
            ref call load<Bar>()[] . use @4 in run
        "#]],
    );
}
