//! Uses in TypeScript and JavaScript: types, calls, receivers, elements of JSX.

#![expect(clippy::too_many_lines, reason = "a fixture and its facts stay together")]

use crate::render::check;
use expect_test::expect;

#[test]
fn generics_and_type_positions() {
    check(
        "a.ts",
        r#"
function over(a: string): One;
function over(a: number): Two;
function over(a: any) { return a; }
export function pick<T extends Shape & ns.Named, K extends keyof T, L extends List<Foo>>(t: T, k: K): T[] { t.area(); return [t]; }
const guard = (x: unknown): x is Foo => x instanceof Foo;
function assert(x: any): asserts x is Foo {}
let a: Map<string, Foo>, b: Foo['bar'], c: typeof value, d: Partial<Foo>, e: Promise<Foo>;
let f = x as Foo, g = y as const, h = z!, i = <Foo>w, j = v satisfies Foo, k = u as unknown as Foo;
let l: import('./types').Deep, m: Foo | undefined, n: string | Bar, o: keyof Foo, p: readonly Foo[];
const call = create<Foo>(1), inst = new Box<Foo>(2), q = make<Foo>;
function locals(foo: Foo, { bar, baz: { qux }, def = mk() }: Opts, [one]: Foo[], opt?: Foo, ...rest: Foo[]) {
  foo.go(); bar.go(); qux.go(); def.go(); one.go(); opt?.go(); rest[0].go(); bar['quoted'].go();
}
const foo = (Foo: Foo): Foo => Foo.make();
"#,
        &expect![[r#"
            symbol function over 2-2 (#) : <One> | function over(a: string): One
            symbol function over#2 3-3 (#) : <Two> | function over(a: number): Two
            symbol function over#3 4-4 | function over(a: any)
            symbol function pick 5-5 pub (<$T:Shape&ns.Named>, <$K:#>) <$T:Shape&ns.Named, $K:#, $L:List<Foo>> : <#<$T:Shape&ns.Named>> | export function pick<T extends Shape & ns.Named, K extends keyof T, L extends List<Foo>>(t: T, k: K): T[]
            symbol function guard 6-6 : # | const guard = (x: unknown): x is Foo =>
            symbol function assert 7-7 : # | function assert(x: any): asserts x is Foo
            symbol variable a 8-8 : <#<#, Foo><(#, Foo)>> | a: Map<string, Foo>
            symbol variable b 8-8 : <Foo>.bar | b: Foo['bar']
            symbol variable c 8-8 : value | c: typeof value
            symbol variable d 8-8 : <Foo> | d: Partial<Foo>
            symbol variable e 8-8 : <Promise<Foo>> | e: Promise<Foo>
            symbol variable f 9-9 : <Foo> | f = x as Foo
            symbol variable g 9-9 : y | g = y as const
            symbol variable h 9-9 : z | h = z!
            symbol variable i 9-9 : <Foo> | i = <Foo>w
            symbol variable j 9-9 : v | j = v satisfies Foo
            symbol variable k 9-9 : <Foo> | k = u as unknown as Foo
            symbol variable l 10-10 : ? | l: import('./types').Deep
            symbol variable m 10-10 : <Foo> | m: Foo | undefined
            symbol variable n 10-10 : <Bar> | n: string | Bar
            symbol variable o 10-10 : # | o: keyof Foo
            symbol variable p 10-10 : <#<Foo>> | p: readonly Foo[]
            symbol const call 11-11 : create<Foo>() | call = create<Foo>(1)
            symbol const inst 11-11 : <Box<Foo>> | inst = new Box<Foo>(2)
            symbol const q 11-11 : make | q = make<Foo>
            symbol function locals 12-14 (<Foo>, <Opts>, <#<Foo>>, <Foo>?, <#<Foo>>...) | function locals(foo: Foo, { bar, baz: { qux }, def = mk() }: Opts, [one]: Foo[], opt?: Foo, ...rest: Foo[])
            symbol function foo 15-15 (<Foo>) : <Foo> | const foo = (Foo: Foo): Foo =>
            ref type One @2 in over
            ref type Two @3 in over
            ref trait_bound Shape @5 in pick
            ref value ns @5 in pick
            ref trait_bound ns . Named @5 in pick
            ref trait_bound List @5 in pick
            ref type Foo @5 in pick
            ref call <$T:Shape&ns.Named> . area @5 in pick
            ref type Foo @6 in guard
            ref value Foo @6 in guard
            ref type Foo @7 in assert
            ref type Map @8 in a
            ref type Foo @8 in a
            ref type Foo @8 in b
            ref value value @8 in c
            ref type Partial @8 in d
            ref type Foo @8 in d
            ref type Promise @8 in e
            ref type Foo @8 in e
            ref value x @9 in f
            ref type Foo @9 in f
            ref value y @9 in g
            ref value z @9 in h
            ref type Foo @9 in i
            ref value w @9 in i
            ref value v @9 in j
            ref type Foo @9 in j
            ref value u @9 in k
            ref type Foo @9 in k
            ref type require(./types) . Deep @10 in l
            ref type Foo @10 in m
            ref type Bar @10 in n
            ref type Foo @10 in o
            ref type Foo @10 in p
            ref call create @11 in call
            ref type Foo @11 in call
            ref call Box @11 in inst
            ref type Foo @11 in inst
            ref value make @11 in q
            ref type Foo @11 in q
            ref type Foo @12 in locals
            ref type Opts @12 in locals
            ref value <Opts> . bar @12 in locals
            ref value <Opts> . baz @12 in locals
            ref value <Opts>.baz . qux @12 in locals
            ref value <Opts> . def @12 in locals
            ref call mk @12 in locals
            ref type Foo @12 in locals
            ref type Foo @12 in locals
            ref type Foo @12 in locals
            ref call <Foo> . go @13 in locals
            ref call <Opts>.bar . go @13 in locals
            ref call <Opts>.baz.qux . go @13 in locals
            ref call <Opts>.def . go @13 in locals
            ref call <#<Foo>>.0 . go @13 in locals
            ref call <Foo> . go @13 in locals
            ref call <#<Foo>>[] . go @13 in locals
            ref call <Opts>.bar.quoted . go @13 in locals
            ref type Foo @15 in foo
            ref type Foo @15 in foo
            ref call <Foo> . make @15 in foo
            import module ./types as require(./types) @10 in -
            string "quoted" @13 in locals
        "#]],
    );
}

#[test]
fn calls_receivers_and_locals() {
    check(
        "a.ts",
        r#"
async function run(conn: Conn, items: Item[], load: () => Promise<Foo>, list: Promise<Row>) {
  conn.execute('select something');
  const x = Client.create(1);
  x.send(helper);
  for (const item of items) item.touch();
  for (const key in conn) key.length;
  for (let i = 0; i < items.length; i++) items[i].touch();
  items.map((it) => it.name).filter(Boolean);
  items.forEach(function (it) { it.touch(); });
  list.then((row) => row.cell());
  (await list).cell();
  const row = await list;
  row.cell();
  unknown.method().chain();
  a?.b?.(c).d;
  tag`text ${x.total()} here`;
  try { risky(); } catch (err) { err.code; }
  const y = cond ? new Foo() : null;
  y.bar();
  const z = maybe ?? new Foo();
  (z as Bar).baz();
  obj[key].value = 3;
  ({ left: x.target, right } = other);
  label: while (true) { break label; }
  new ns.Thing(x).go();
  new Foo;
  (() => conn.close())();
  switch (kind) { case Kind.A: { const kind2 = 1; kind2.x; } }
  typeof globalThis.foo === `string ${y}`;
  import.meta.url;
  helper;
}
"#,
        &expect![[r#"
            symbol function run 2-33 (<Conn>, <#<Item>>, ()=><Promise<Foo>>, <Promise<Row>>) | async function run(conn: Conn, items: Item[], load: () => Promise<Foo>, list: Promise<Row>)
            ref type Conn @2 in run
            ref type Item @2 in run
            ref type Promise @2 in run
            ref type Foo @2 in run
            ref type Promise @2 in run
            ref type Row @2 in run
            ref call <Conn> . execute @3 in run
            ref value Client @4 in run
            ref call Client . create @4 in run
            ref call Client.create() . send @5 in run
            ref value helper @5 in run
            ref call <#<Item>>[] . touch @6 in run
            ref value # . length @7 in run
            ref value <#<Item>> . length @8 in run
            ref call <#<Item>>[] . touch @8 in run
            ref call <#<Item>> . map @9 in run
            ref value <#<Item>>.map(#0)<-0 . name @9 in run
            ref call <#<Item>>.map() . filter @9 in run
            ref value Boolean @9 in run
            ref call <#<Item>> . forEach @10 in run
            ref call <#<Item>>.forEach(#0)<-0 . touch @10 in run
            ref call <Promise<Row>> . then @11 in run
            ref call <Promise<Row>>.then(#0)<-0 . cell @11 in run
            ref call <Promise<Row>>[] . cell @12 in run
            ref call <Promise<Row>>[] . cell @14 in run
            ref value unknown @15 in run
            ref call unknown . method @15 in run
            ref call unknown.method() . chain @15 in run
            ref value a @16 in run
            ref call a . b @16 in run
            ref value c @16 in run
            ref value a.b() . d @16 in run
            ref call tag @17 in run
            ref call Client.create() . total @17 in run
            ref call risky @18 in run
            ref value ? . code @18 in run
            ref value cond @19 in run
            ref call Foo @19 in run
            ref call <Foo> . bar @20 in run
            ref value maybe @21 in run
            ref call Foo @21 in run
            ref type Bar @22 in run
            ref call <Bar> . baz @22 in run
            ref value obj @23 in run
            ref value key @23 in run
            ref value obj[] . value @23 in run
            ref value Client.create() . target @24 in run
            ref value right @24 in run
            ref value other @24 in run
            ref value ns @26 in run
            ref call ns . Thing @26 in run
            ref call <ns.Thing> . go @26 in run
            ref call Foo @27 in run
            ref call <Conn> . close @28 in run
            ref value kind @29 in run
            ref value Kind @29 in run
            ref value Kind . A @29 in run
            ref value # . x @29 in run
            ref value globalThis @30 in run
            ref value globalThis . foo @30 in run
            ref value ? . url @31 in run
            ref value helper @32 in run
            string "select something" @3 in run
            string "text ${x.total()} here" @17 in run
            string "string ${y}" @30 in run
        "#]],
    );
}

#[test]
fn jsx_elements() {
    check(
        "a.tsx",
        r#"
export const App: React.FC<Props> = ({ user }) => (
  <Layout title="the main page" {...rest}>
    <div className={styles.box} onClick={() => user.open()}>text <b>bold</b></div>
    <Menu.Item<Foo> key={1} render={renderItem} />
    <my-element />
    <>{items.map((item: Item) => <Row key={item.id} />)}</>
  </Layout>
);
export default function Page() { return <App />; }
"#,
        &expect![[r#"
            symbol function App 2-9 pub | export const App: React.FC<Props> = ({ user }) =>
            symbol function Page 10-10 pub | export default function Page()
            ref value React @2 in App
            ref type React . FC @2 in App
            ref type Props @2 in App
            ref value <React.FC<Props>><-0 . user @2 in App
            ref call Layout @3 in App
            ref value rest @3 in App
            ref value styles @4 in App
            ref value styles . box @4 in App
            ref call <React.FC<Props>><-0.user . open @4 in App
            ref value Menu @5 in App
            ref call Menu . Item @5 in App
            ref type Foo @5 in App
            ref value renderItem @5 in App
            ref value items @7 in App
            ref call items . map @7 in App
            ref type Item @7 in App
            ref call Row @7 in App
            ref value <Item> . id @7 in App
            ref value Layout @8 in App
            ref call App @10 in Page
            import symbol  [Page] as default reexport @10 in -
            string "the main page" @3 in App
        "#]],
    );
}
