//! Java.
#![expect(clippy::too_many_lines, reason = "a fixture and its facts stay together")]

use crate::render::check;
use expect_test::expect;

#[test]
fn types_and_members() {
    check(
        "a/Outer.java",
        r#"
package com.acme.app;

/** Doc. */
@Deprecated
public abstract class Outer<T extends Shape & Named, U> extends Base<T> implements Closeable, a.b.Other<U> {
    public static final int MAX = 3;
    private T shape;
    protected Map<String, Item> items = new HashMap<>(), other[] = null;
    static int count;

    static { count = boot(); }
    { prepare(); }

    public Outer(T shape) { this(shape, MAX); this.shape = shape; }
    private Outer(T shape, int n) { super(n); }

    @Override public <R extends Result> R run(final List<? extends Item> list, String... names) throws IOException { return null; }
    abstract void stop();
    int[] sizes()[] { return null; }

    static class Nested { int x; }
    class Inner { void m() { class Local { void deep() {} } new Local().deep(); } }
    sealed interface Shape permits Circle { double PI = 3.14; double area(); default void log() {} private void hidden() {} }
}
"#,
        &expect![[r#"
            package com.acme.app
            symbol class Outer 6-25 pub <$T:Shape, $U> | public abstract class Outer<T extends Shape & Named, U> extends Base<T> implements Closeable, a.b.Other<U>
            symbol const Outer.MAX 7-7 pub : #int | public static final int MAX = 3
            symbol field Outer.shape 8-8 : <$T:Shape> | private T shape
            symbol field Outer.items 9-9 pub : <Map<String, Item><Item>> | protected Map<String, Item> items = new HashMap<>(), other[] = null
            symbol field Outer.other 9-9 pub : <#<Map<String, Item><Item>>> | protected Map<String, Item> items = new HashMap<>(), other[] = null
            symbol field Outer.count 10-10 pub : #int | static int count
            symbol constructor Outer.Outer 15-15 pub ($T:Shape) | public Outer(T shape)
            symbol constructor Outer.Outer#2 16-16 ($T:Shape, #int) | private Outer(T shape, int n)
            symbol method Outer.run 18-18 pub (List<Item>, String...) <$R:Result> : <$R:Result> | public <R extends Result> R run(final List<? extends Item> list, String... names) throws IOException
            symbol method Outer.stop 19-19 pub () bodiless : # | abstract void stop()
            symbol method Outer.sizes 20-20 pub () : <#<#<#int>>> | int[] sizes()[]
            symbol class Outer.Nested 22-22 pub | static class Nested
            symbol field Outer.Nested.x 22-22 pub : #int | int x
            symbol class Outer.Inner 23-23 pub | class Inner
            symbol method Outer.Inner.m 23-23 pub () : # | void m()
            symbol class Outer.Inner.m.Local 23-23 | class Local
            symbol method Outer.Inner.m.Local.deep 23-23 () : # | void deep()
            symbol interface Outer.Shape 24-24 pub : ()=>#double | sealed interface Shape permits Circle
            symbol const Outer.Shape.PI 24-24 pub : #double | double PI = 3.14
            symbol method Outer.Shape.area 24-24 pub () bodiless : #double | double area()
            symbol method Outer.Shape.log 24-24 pub () : # | default void log()
            symbol method Outer.Shape.hidden 24-24 () : # | private void hidden()
            ref call Deprecated @5 in -
            ref trait_bound Shape @6 in -
            ref trait_bound Named @6 in -
            ref type Base @6 in -
            ref type Closeable @6 in -
            ref type a.b . Other @6 in -
            ref type Map @9 in Outer
            ref type String @9 in Outer
            ref type Item @9 in Outer
            ref call HashMap() @9 in Outer
            ref value count @12 in Outer
            ref call boot() @12 in Outer
            ref call prepare() @13 in Outer
            ref call this . this(<$T:Shape>, MAX) @15 in Outer.Outer
            ref value MAX @15 in Outer.Outer
            ref value this . shape @15 in Outer.Outer
            ref call super . super(#int) @16 in Outer.Outer
            ref call Override @18 in Outer
            ref trait_bound Result @18 in Outer.run
            ref type List @18 in Outer.run
            ref type Item @18 in Outer.run
            ref type String @18 in Outer.run
            ref type IOException @18 in Outer.run
            ref call Local() @23 in Outer.Inner.m
            ref call <Local> . deep() @23 in Outer.Inner.m
            ref type Circle @24 in Outer
            relation Outer extends Base<$T:Shape> @6
            relation Outer implements Closeable @6
            relation Outer implements a.b.Other<$U> @6
        "#]],
    );
}

#[test]
fn records_enums_and_annotation_types() {
    check(
        "a/Point.java",
        r#"
record Point<T>(int x, @NotNull Label label, T... rest) implements Comparable<Point> {
    static final Point ZERO = new Point(0, null);
    Point { check(x, label.text()); }
    int sum() { return x + label.size(); }
}
enum Color implements Coded {
    RED(1, Names.red()), @Old GREEN { @Override int code() { return helper(); } }, BLUE;
    private final int code;
    Color(int code) { this.code = code; }
    int code() { return code; }
}
@Retention(RetentionPolicy.RUNTIME)
@interface Route {
    String value() default "/index";
    Class<?>[] groups() default {};
    int LIMIT = 5;
}
"#,
        &expect![[r#"
            symbol class Point 2-6 pub <$T> | record Point<T>(int x, @NotNull Label label, T... rest) implements Comparable<Point>
            symbol field Point.x 2-2 pub : #int | int x
            symbol field Point.label 2-2 pub : <Label> | Label label
            symbol field Point.rest 2-2 pub : <#<$T>> | T... rest
            symbol const Point.ZERO 3-3 pub : <Point> | static final Point ZERO = new Point(0, null)
            symbol constructor Point.Point 4-4 pub | Point
            symbol method Point.sum 5-5 pub () : #int | int sum()
            symbol enum Color 7-12 pub | enum Color implements Coded
            symbol variant Color.RED 8-8 pub : <Color> | RED(1, Names.red())
            symbol variant Color.GREEN 8-8 pub : <Color> | GREEN
            symbol method Color.GREEN.code 8-8 pub () : #int | int code()
            symbol variant Color.BLUE 8-8 pub : <Color> | BLUE
            symbol field Color.code 9-9 : #int | private final int code
            symbol constructor Color.Color 10-10 pub (#int) | Color(int code)
            symbol method Color.code#2 11-11 pub () : #int | int code()
            symbol interface Route 14-18 pub | @interface Route
            symbol method Route.value 15-15 pub bodiless : <String> | String value() default "/index"
            symbol method Route.groups 16-16 pub bodiless : <#<Class<?>>> | Class<?>[] groups() default {}
            symbol const Route.LIMIT 17-17 pub : #int | int LIMIT = 5
            ref type Comparable @2 in -
            ref type Point @2 in -
            ref call NotNull @2 in Point
            ref type Label @2 in Point
            ref type Point @3 in Point
            ref call Point(#int, #null) @3 in Point
            ref call check(#int, <Label>.text()) @4 in Point.Point
            ref call <Label> . text() @4 in Point.Point
            ref value x @5 in Point.sum
            ref value label @5 in Point.sum
            ref call label . size() @5 in Point.sum
            ref type Coded @7 in -
            ref value Names @8 in Color
            ref call Names . red() @8 in Color
            ref call Old @8 in Color
            ref call Override @8 in Color.GREEN
            ref call helper() @8 in Color.GREEN.code
            ref value this . code @10 in Color.Color
            ref value code @11 in Color.code
            ref call Retention @13 in -
            ref value RetentionPolicy @13 in -
            ref value RetentionPolicy . RUNTIME @13 in -
            ref type String @15 in Route.value
            ref type Class @16 in Route.groups
            relation Point implements Comparable<Point> @2
            relation Color implements Coded @7
            string "/index" @15 in Route.value
        "#]],
    );
}

#[test]
fn calls_and_receivers() {
    check(
        "a/Calls.java",
        r#"
class Calls extends Parent {
    private Pool pool;
    void run(Conn conn, List<Item> items, Item[] array) {
        helper();
        this.helper();
        super.run(conn);
        Named.super.run();
        Calls.this.pool.close();
        conn.execute("select something").fetch();
        pool.get().touch();
        this.pool.size;
        Client.create(1).send(MAX);
        java.util.Objects.hash(1);
        Outer.Inner.make();
        new Widget(conn).draw();
        new Outer.Inner<Item>().go();
        Collections.<Item>emptyList().size();
        ((Special) conn).special();
        items.get(0).touch();
        array[0].touch();
        for (Item item : items) item.touch();
        for (var item : items) { item.touch(); }
        for (int i = 0; i < array.length; i++) { array[i].touch(); }
        var made = new Widget();
        made.draw();
        var called = factory();
        called.go();
        (conn != null ? conn : other()).close();
        Foo[] foos = new Foo[3];
        foos[0].bar();
        String text = "a" + conn.name();
        text.length();
        conn.helper = Flag.ON;
    }
}
"#,
        &expect![[r#"
            symbol class Calls 2-36 pub | class Calls extends Parent
            symbol field Calls.pool 3-3 : <Pool> | private Pool pool
            symbol method Calls.run 4-35 pub (Conn, List<Item>, #<Item>) : # | void run(Conn conn, List<Item> items, Item[] array)
            ref type Parent @2 in -
            ref type Pool @3 in Calls
            ref type Conn @4 in Calls.run
            ref type List @4 in Calls.run
            ref type Item @4 in Calls.run
            ref type Item @4 in Calls.run
            ref call helper() @5 in Calls.run
            ref call this . helper() @6 in Calls.run
            ref call super . run(<Conn>) @7 in Calls.run
            ref value Named @8 in Calls.run
            ref call super . run() @8 in Calls.run
            ref value Calls @9 in Calls.run
            ref value <Calls> . pool @9 in Calls.run
            ref call <Calls>.pool . close() @9 in Calls.run
            ref call <Conn> . execute(#String) @10 in Calls.run
            ref call <Conn>.execute() . fetch() @10 in Calls.run
            ref value pool @11 in Calls.run
            ref call pool . get() @11 in Calls.run
            ref call pool.get() . touch() @11 in Calls.run
            ref value this . pool @12 in Calls.run
            ref value this.pool . size @12 in Calls.run
            ref value Client @13 in Calls.run
            ref call Client . create(#int) @13 in Calls.run
            ref call Client.create() . send(MAX) @13 in Calls.run
            ref value MAX @13 in Calls.run
            ref value java @14 in Calls.run
            ref value java . util @14 in Calls.run
            ref value java.util . Objects @14 in Calls.run
            ref call java.util.Objects . hash(#int) @14 in Calls.run
            ref value Outer @15 in Calls.run
            ref value Outer . Inner @15 in Calls.run
            ref call Outer.Inner . make() @15 in Calls.run
            ref call Widget(<Conn>) @16 in Calls.run
            ref call <Widget> . draw() @16 in Calls.run
            ref type Outer @17 in Calls.run
            ref call Outer . Inner() @17 in Calls.run
            ref type Item @17 in Calls.run
            ref call <Outer.Inner<Item>> . go() @17 in Calls.run
            ref value Collections @18 in Calls.run
            ref call Collections . emptyList() @18 in Calls.run
            ref type Item @18 in Calls.run
            ref call Collections.emptyList<Item>() . size() @18 in Calls.run
            ref type Special @19 in Calls.run
            ref call <Special> . special() @19 in Calls.run
            ref call <List<Item>> . get(#int) @20 in Calls.run
            ref call <List<Item>>.get() . touch() @20 in Calls.run
            ref call <#<Item>>[] . touch() @21 in Calls.run
            ref type Item @22 in Calls.run
            ref call <Item> . touch() @22 in Calls.run
            ref call <List<Item>>[] . touch() @23 in Calls.run
            ref value <#<Item>> . length @24 in Calls.run
            ref call <#<Item>>[] . touch() @24 in Calls.run
            ref call Widget() @25 in Calls.run
            ref call <Widget> . draw() @26 in Calls.run
            ref call factory() @27 in Calls.run
            ref call factory() . go() @28 in Calls.run
            ref call other() @29 in Calls.run
            ref call <Conn> . close() @29 in Calls.run
            ref type Foo @30 in Calls.run
            ref type Foo @30 in Calls.run
            ref call <#<Foo>>[] . bar() @31 in Calls.run
            ref type String @32 in Calls.run
            ref call <Conn> . name() @32 in Calls.run
            ref call <String> . length() @33 in Calls.run
            ref value <Conn> . helper @34 in Calls.run
            ref value Flag @34 in Calls.run
            ref value Flag . ON @34 in Calls.run
            relation Calls extends Parent @2
            string "select something" @10 in Calls.run
        "#]],
    );
}

#[test]
fn locals_lambdas_and_patterns() {
    check(
        "a/Locals.java",
        r#"
class Locals {
    Object f(Object o, Kind kind, int n) throws Exception {
        try (Reader reader = open(); var other = new Writer(); shared) {
            reader.read(); other.write();
        } catch (IOException | BadException e) {
            e.explain();
        } finally { done(); }
        if (o instanceof Foo foo && foo.ok()) foo.go();
        if (!(o instanceof Point(int x, Line(var a, End end)))) return null;
        end.stop(a, x);
        list.forEach(x1 -> x1.go());
        list.map((p, q) -> { return p.join(q); }).map((Item i) -> i.name());
        list.map(Foo::bar).map(this::baz).map(Foo::new).map(List<Foo>::size).map(int[]::new).map(super::qux);
        Runnable r = new Runnable() {
            int seen;
            @Override public void run() { seen++; this.seen = n; helper(); }
        };
        r.run();
        switch (kind) { case FIRST: one(); break; case SECOND: default: two(); }
        switch (n) { case LIMIT: three(); }
        outer: while (true) { break outer; }
        return switch (o) {
            case Foo f when f.ok() -> f.go();
            case Point(int px, var py) -> use(px, py);
            case null, default -> throw new IllegalStateException("nothing matched here");
        };
    }
    static final int LIMIT = 1;
    <T extends Foo> void generic(T t, Class<T> c) { T copy = t; copy.go(); T.make(); c.cast(Foo.class); }
}
"#,
        &expect![[r#"
            symbol class Locals 2-31 pub | class Locals
            symbol method Locals.f 3-28 pub (Object, Kind, #int) : <Object> | Object f(Object o, Kind kind, int n) throws Exception
            symbol class Locals.f.<anonymous> 15-18 | new Runnable()
            symbol field Locals.f.<anonymous>.seen 16-16 : #int | int seen
            symbol method Locals.f.<anonymous>.run 17-17 () : # | public void run()
            symbol const Locals.LIMIT 29-29 pub : #int | static final int LIMIT = 1
            symbol method Locals.generic 30-30 pub ($T:Foo, Class<$T:Foo>) <$T:Foo> : # | <T extends Foo> void generic(T t, Class<T> c)
            ref type Object @3 in Locals.f
            ref type Object @3 in Locals.f
            ref type Kind @3 in Locals.f
            ref type Exception @3 in Locals.f
            ref type Reader @4 in Locals.f
            ref call open() @4 in Locals.f
            ref call Writer() @4 in Locals.f
            ref value shared @4 in Locals.f
            ref call <Reader> . read() @5 in Locals.f
            ref call <Writer> . write() @5 in Locals.f
            ref type IOException @6 in Locals.f
            ref type BadException @6 in Locals.f
            ref call <IOException> . explain() @7 in Locals.f
            ref call done() @8 in Locals.f
            ref type Foo @9 in Locals.f
            ref call <Foo> . ok() @9 in Locals.f
            ref call <Foo> . go() @9 in Locals.f
            ref type Point @10 in Locals.f
            ref type Line @10 in Locals.f
            ref type End @10 in Locals.f
            ref call <End> . stop(?, #int) @11 in Locals.f
            ref value list @12 in Locals.f
            ref call list . forEach(#1->) @12 in Locals.f
            ref call list.forEach(#0)<-0 . go() @12 in Locals.f
            ref value list @13 in Locals.f
            ref call list . map(#2->) @13 in Locals.f
            ref call list.map(#0)<-0 . join(list.map(#0)<-1) @13 in Locals.f
            ref call list.map() . map(#1->) @13 in Locals.f
            ref type Item @13 in Locals.f
            ref call <Item> . name() @13 in Locals.f
            ref value list @14 in Locals.f
            ref call list . map(#::) @14 in Locals.f
            ref value Foo @14 in Locals.f
            ref value Foo . bar @14 in Locals.f
            ref call list.map() . map(#::) @14 in Locals.f
            ref value this . baz @14 in Locals.f
            ref call list.map().map() . map(#::) @14 in Locals.f
            ref call Foo @14 in Locals.f
            ref call list.map().map().map() . map(#::) @14 in Locals.f
            ref type List @14 in Locals.f
            ref type Foo @14 in Locals.f
            ref value List<Foo> . size @14 in Locals.f
            ref call list.map().map().map().map() . map(#::) @14 in Locals.f
            ref call list.map().map().map().map().map() . map(#::) @14 in Locals.f
            ref value super . qux @14 in Locals.f
            ref type Runnable @15 in Locals.f
            ref call Runnable() @15 in Locals.f
            ref call Override @17 in Locals.f.<anonymous>
            ref value seen @17 in Locals.f.<anonymous>.run
            ref value this . seen @17 in Locals.f.<anonymous>.run
            ref call helper() @17 in Locals.f.<anonymous>.run
            ref call <Runnable> . run() @19 in Locals.f
            ref value <Kind> . FIRST @20 in Locals.f
            ref call one() @20 in Locals.f
            ref value <Kind> . SECOND @20 in Locals.f
            ref call two() @20 in Locals.f
            ref value LIMIT @21 in Locals.f
            ref call three() @21 in Locals.f
            ref type Foo @24 in Locals.f
            ref call <Foo> . ok() @24 in Locals.f
            ref call <Foo> . go() @24 in Locals.f
            ref type Point @25 in Locals.f
            ref call use(#int, ?) @25 in Locals.f
            ref call IllegalStateException(#String) @26 in Locals.f
            ref trait_bound Foo @30 in Locals.generic
            ref type Class @30 in Locals.generic
            ref call <$T:Foo> . go() @30 in Locals.generic
            ref call $T:Foo . make() @30 in Locals.generic
            ref call <Class<$T:Foo>> . cast(#Class) @30 in Locals.generic
            ref type Foo @30 in Locals.generic
            relation <anonymous> extends Runnable @15
            string "nothing matched here" @26 in Locals.f
        "#]],
    );
}

#[test]
fn annotations_strings_and_tests() {
    check(
        "a/FooTest.java",
        r#"
@Path("/api/users/{id}")
@Table(name = "users_table", indexes = @Index(columns = {"first_name"}), kind = Kind.FULL)
class FooTest {
    @Test void works() { assertTrue(true); }
    @org.junit.Test public void alsoWorks() {}
    @ParameterizedTest @ValueSource(ints = {1}) void many(@Nullable Integer n) {}
    @Inject @Named("some name") Service service;
    String block = """
        select *
        from users
        """;
    char c = 'x';
}
"#,
        &expect![[r#"
            symbol class FooTest 4-14 pub | class FooTest
            symbol test FooTest.works 5-5 pub () : # | void works()
            symbol test FooTest.alsoWorks 6-6 pub () : # | public void alsoWorks()
            symbol test FooTest.many 7-7 pub (Integer) : # | void many(@Nullable Integer n)
            symbol field FooTest.service 8-8 pub : <Service> | Service service
            symbol field FooTest.block 9-12 pub : <String> | String block
            symbol field FooTest.c 13-13 pub : #char | char c = 'x'
            ref call Path @2 in -
            ref call Table @3 in -
            ref value <Table> . name @3 in -
            ref value <Table> . indexes @3 in -
            ref call Index @3 in -
            ref value <Index> . columns @3 in -
            ref value <Table> . kind @3 in -
            ref value Kind @3 in -
            ref value Kind . FULL @3 in -
            ref call Test @5 in FooTest
            ref call assertTrue(#boolean) @5 in FooTest.works
            ref call org.junit . Test @6 in FooTest
            ref call ParameterizedTest @7 in FooTest
            ref call ValueSource @7 in FooTest
            ref value <ValueSource> . ints @7 in FooTest
            ref call Nullable @7 in FooTest.many
            ref type Integer @7 in FooTest.many
            ref call Inject @8 in FooTest
            ref call Named @8 in FooTest
            ref type Service @8 in FooTest
            ref type String @9 in FooTest
            string "/api/users/{id}" @2 in -
            string "users_table" @3 in -
            string "first_name" @3 in -
            string "some name" @8 in FooTest
            string "select *\n        from users" @9 in FooTest
        "#]],
    );
}

#[test]
fn imports() {
    check(
        "a/B.java",
        "package a.b.c;\nimport a.b.C;\nimport a.b.*;\nimport static a.b.C.m;\nimport static a.b.C.*;\nimport Plain;\nclass B {}\n",
        &expect![[r#"
            package a.b.c
            symbol class B 7-7 pub | class B
            import symbol a.b [C] as C @2 in -
            import glob a.b @3 in -
            import symbol a.b [C] @4 in -
            import symbol a.b.C [m] as m @4 in -
            import symbol a.b [C] @5 in -
            import glob a.b.C @5 in -
            import symbol  [Plain] as Plain @6 in -
        "#]],
    );
}

#[test]
fn module_descriptors() {
    check(
        "module-info.java",
        "open module com.acme.app {\n  requires java.sql;\n  exports com.acme.api to other;\n  uses com.acme.Service;\n  provides com.acme.Service with com.acme.impl.Main;\n}\n",
        &expect![[r#"
            symbol module com.acme.app 1-6 pub | open module com.acme.app
            ref type com.acme . Service @4 in com.acme.app
            ref type com.acme . Service @5 in com.acme.app
            ref type com.acme.impl . Main @5 in com.acme.app
        "#]],
    );
}

#[test]
fn bad_syntax_keeps_the_rest() {
    check(
        "a/Bad.java",
        "class Bad {\n  void ok() { a.b(; }\n  int = 3;\n  void fine() { ok(); }\n}\nclass Rest { void more() { new Bad().fine(); } }\n",
        &expect![[r#"
            has errors
            symbol class Bad 1-5 pub | class Bad
            symbol method Bad.ok 2-2 pub () : # | void ok()
            symbol method Bad.fine 4-4 pub () : # | void fine()
            symbol class Rest 6-6 pub | class Rest
            symbol method Rest.more 6-6 pub () : # | void more()
            ref value a @2 in Bad.ok
            ref value a . b @2 in Bad.ok
            ref call ok() @4 in Bad.fine
            ref call Bad() @6 in Rest.more
            ref call <Bad> . fine() @6 in Rest.more
        "#]],
    );
    check("a/Empty.java", "", &expect![[r#""#]]);
}
