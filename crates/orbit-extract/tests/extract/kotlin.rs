//! Kotlin.
#![expect(clippy::too_many_lines, reason = "a fixture and its facts stay together")]

use crate::render::check;
use expect_test::expect;

#[test]
fn classes_and_members() {
    check(
        "a/Box.kt",
        r#"
package com.acme.app

@Marker
abstract class Box<T : Shape, U>(val shape: T, private var pool: Pool = Pool.default(), size: Int, vararg rest: Item) :
    Base(size), Closeable, Named by pool where U : Other {
    val count = size
    lateinit var item: Item
    private val cache by lazy { Cache(pool) }
    var label: String = "some label"
        get() = field.trim()
        private set(value) { field = value.check() }
    val area: Double get() = shape.area()

    init {
        val local = Setup(size)
        local.run(rest)
    }

    constructor(other: Box<T, U>) : this(other.shape, other.pool) { other.close() }

    abstract fun run(list: List<Item>, block: (Item) -> Unit): Result
    override fun toString() = shape.name()
    protected suspend fun <R : Result> go(r: R): R? { fun local() = size; return r.also { local() } }

    companion object Factory : Maker {
        const val MAX = 3
        @JvmStatic fun create(): Box = Box(MAX)
        class Options
    }

    inner class Inner {
        fun m() = this@Box.count
    }

    internal object Single : Base(1) {
        fun only() {}
    }
}
"#,
        &expect![[r#"
            package com.acme.app
            symbol class Box 5-39 pub | abstract class Box<T : Shape, U>(val shape: T, private var pool: Pool = Pool.default(), size: Int, vararg rest: Item) : Base(size), Closeable, Named by pool where U : Other
            symbol property Box.shape 5-5 pub : <Shape> | val shape: T
            symbol property Box.pool 5-5 : <Pool> | private var pool: Pool = Pool.default()
            symbol property Box.count 7-7 pub : #Int | val count = size
            symbol property Box.item 8-8 pub : <Item> | lateinit var item: Item
            symbol property Box.cache 9-9 : Cache() | private val cache by lazy { Cache(pool) }
            symbol property Box.label 10-12 pub : #String | var label: String = "some label"
            symbol property Box.area 13-13 pub : #Double | val area: Double
            symbol constructor Box.constructor 20-20 pub | constructor(other: Box<T, U>) : this(other.shape, other.pool)
            symbol method Box.run 22-22 pub (List<Item>, (Item)=>#Unit) : <Result> | abstract fun run(list: List<Item>, block: (Item) -> Unit): Result
            symbol method Box.toString 23-23 pub () : shape.name() | override fun toString()
            symbol method Box.go 24-24 pub (Result) : <Result> | protected suspend fun <R : Result> go(r: R): R?
            symbol function Box.go.local 24-24 () : size | fun local()
            symbol class Box.Factory 26-30 pub | companion object Factory : Maker
            symbol const Box.MAX 27-27 pub : #Int | const val MAX = 3
            symbol method Box.create 28-28 pub () : <Box> | fun create(): Box
            symbol class Box.Options 29-29 pub | class Options
            symbol class Box.Inner 32-34 pub | inner class Inner
            symbol method Box.Inner.m 33-33 pub () : <Box>.count | fun m()
            symbol class Box.Single 36-38 | internal object Single : Base(1)
            symbol method Box.Single.only 37-37 () : # | fun only()
            ref call Marker @4 in -
            ref trait_bound Shape @5 in -
            ref trait_bound Other @6 in -
            ref type Base @6 in -
            ref type Closeable @6 in -
            ref type Named @6 in -
            ref type Pool @5 in Box
            ref value Pool @5 in Box
            ref call Pool . default() @5 in Box
            ref type Int @5 in Box
            ref type Item @5 in Box
            ref value pool @6 in Box
            ref type Item @8 in Box
            ref call lazy(?) @9 in Box
            ref call (lazy(#65534)<-65535) . Cache(pool on (lazy(#65534)<-65535)) @9 in Box
            ref value (lazy(#65534)<-65535) . pool @9 in Box
            ref type String @10 in Box
            ref call #String . trim() @11 in Box.label
            ref call #String . check() @12 in Box.label
            ref type Double @13 in Box
            ref value shape @13 in Box.area
            ref call shape . area() @13 in Box.area
            ref call Setup(#Int) @16 in Box
            ref call Setup() . run(<#<Item>>) @17 in Box
            ref type Box @20 in Box.constructor
            ref call this . this @20 in Box.constructor
            ref value <Box<Other>> . shape @20 in Box.constructor
            ref value <Box<Other>> . pool @20 in Box.constructor
            ref call <Box<Other>> . close() @20 in Box.constructor
            ref type List @22 in Box.run
            ref type Item @22 in Box.run
            ref type Item @22 in Box.run
            ref type Unit @22 in Box.run
            ref type Result @22 in Box.run
            ref value shape @23 in Box.toString
            ref call shape . name() @23 in Box.toString
            ref trait_bound Result @24 in Box.go
            ref value size @24 in Box.go.local
            ref call <Result> . also(?) @24 in Box.go
            ref call local() @24 in Box.go
            ref type Maker @26 in Box
            ref call JvmStatic @28 in Box.Factory
            ref type Box @28 in Box.create
            ref call Box(MAX) @28 in Box.create
            ref value MAX @28 in Box.create
            ref value <Box> . count @33 in Box.Inner.m
            ref type Base @36 in Box
            relation Box extends Base @6
            relation Box implements Closeable @6
            relation Box implements Named @6
            relation Factory implements Maker @26
            relation Single extends Base @36
            string "some label" @10 in Box
        "#]],
    );
}

#[test]
fn interfaces_enums_objects_and_aliases() {
    check(
        "a/Kinds.kt",
        r#"
sealed interface Shape : Base {
    val name: String
    fun area(): Double
}
fun interface Action { fun run() }
enum class Color(val code: Int) : Coded {
    RED(1), @Old GREEN(Codes.two()) {
        override fun show() = helper()
    },
    BLUE;
    open fun show() = code
    companion object { fun of(n: Int) = entries[n] }
}
data class Point(val x: Int, val y: Int)
annotation class Route(val path: String)
object Registry {
    private val items = mutableListOf<Item>()
    fun add(item: Item) { items.add(item) }
}
typealias Handler<T> = (T) -> Unit
typealias Items = Map<String, Item>
const val LIMIT = 10
val service: Service = Service()
private var counter = 0
val (first, second) = pair()
val String.shout: String get() = this.uppercase()
fun Item.twice(): Item = this.copy(other = touch())
fun <T : Shape> List<T>.total() where T : Named { this[0].area() }
internal fun hidden() {}
class Empty
"#,
        &expect![[r#"
            symbol interface Shape 2-5 pub | sealed interface Shape : Base
            symbol property Shape.name 3-3 pub : #String | val name: String
            symbol method Shape.area 4-4 pub () : #Double | fun area(): Double
            symbol interface Action 6-6 pub | fun interface Action
            symbol method Action.run 6-6 pub () : # | fun run()
            symbol enum Color 7-14 pub | enum class Color(val code: Int) : Coded
            symbol property Color.code 7-7 pub : #Int | val code: Int
            symbol variant Color.RED 8-8 pub : <Color> | RED(1)
            symbol variant Color.GREEN 8-10 pub : <Color> | GREEN(Codes.two())
            symbol method Color.GREEN.show 9-9 pub () : helper() | override fun show()
            symbol variant Color.BLUE 11-11 pub : <Color> | BLUE
            symbol method Color.show 12-12 pub () : code | open fun show()
            symbol class Color.Companion 13-13 pub | companion object
            symbol method Color.of 13-13 pub (#Int) : entries[] | fun of(n: Int)
            symbol class Point 15-15 pub | data class Point(val x: Int, val y: Int)
            symbol property Point.x 15-15 pub : #Int | val x: Int
            symbol property Point.y 15-15 pub : #Int | val y: Int
            symbol class Route 16-16 pub | annotation class Route(val path: String)
            symbol property Route.path 16-16 pub : #String | val path: String
            symbol class Registry 17-20 pub | object Registry
            symbol property Registry.items 18-18 : <#<Item>> | private val items = mutableListOf<Item>()
            symbol method Registry.add 19-19 pub (Item) : # | fun add(item: Item)
            symbol type_alias Handler 21-21 pub : (?)=>#Unit | typealias Handler<T> = (T) -> Unit
            symbol type_alias Items 22-22 pub : Map<Item> | typealias Items = Map<String, Item>
            symbol const LIMIT 23-23 pub : #Int | const val LIMIT = 10
            symbol variable service 24-24 pub : <Service> | val service: Service = Service()
            symbol variable counter 25-25 : #Int | private var counter = 0
            symbol variable first 26-26 pub | val (first, second) = pair()
            symbol variable second 26-26 pub | val (first, second) = pair()
            symbol property shout 27-27 pub for #String : #String | val String.shout: String
            symbol function twice 28-28 pub () for Item : <Item> | fun Item.twice(): Item
            symbol function total 29-29 pub () for List<Shape> : # | fun <T : Shape> List<T>.total() where T : Named
            symbol function hidden 30-30 () : # | internal fun hidden()
            symbol class Empty 31-31 pub | class Empty
            ref type Base @2 in -
            ref type String @3 in Shape
            ref type Double @4 in Shape.area
            ref type Coded @7 in -
            ref type Int @7 in Color
            ref call Old @8 in Color
            ref value Codes @8 in Color
            ref call Codes . two() @8 in Color
            ref call helper() @9 in Color.GREEN.show
            ref value code @12 in Color.show
            ref type Int @13 in Color.of
            ref value entries @13 in Color.of
            ref type Int @15 in Point
            ref type Int @15 in Point
            ref type String @16 in Route
            ref call mutableListOf() @18 in Registry
            ref type Item @18 in Registry
            ref type Item @19 in Registry.add
            ref value items @19 in Registry.add
            ref call items . add(<Item>) @19 in Registry.add
            ref type Unit @21 in -
            ref type Map @22 in -
            ref type String @22 in -
            ref type Item @22 in -
            ref type Service @24 in -
            ref call Service() @24 in -
            ref call pair() @26 in -
            ref type String @27 in -
            ref type String @27 in -
            ref call #String . uppercase() @27 in shout
            ref type Item @28 in twice
            ref type Item @28 in twice
            ref call <Item> . copy(?) @28 in twice
            ref call (<Item>) . touch() @28 in twice
            ref trait_bound Shape @29 in total
            ref trait_bound Named @29 in total
            ref type List @29 in total
            ref call <List<Shape>>[] . area() @29 in total
            relation Shape extends Base @2
            relation Color implements Coded @7
        "#]],
    );
}

#[test]
fn calls_and_receivers() {
    check(
        "a/Calls.kt",
        r#"
class Calls(private val pool: Pool) : Parent() {
    fun run(conn: Conn, items: List<Item>, maybe: Item?, cb: (Int) -> Unit) {
        helper()
        this.helper()
        super.run(conn)
        super<Named>.run()
        conn.execute("select something").fetch()
        conn?.inner?.close()
        maybe!!.touch()
        pool.get().touch()
        Client.create(1).send(MAX)
        Outer.Inner.make()
        Widget(conn).draw()
        com.acme.Tool().go()
        (conn as Special).special()
        items[0].touch()
        items.first().touch()
        for (item in items) item.touch()
        for ((a, b) in pairs) { a.go(b) }
        for (i: Int in 0..10) i.toLong()
        val made = Widget(1)
        made.draw()
        val typed: Widget = make()
        typed.draw()
        val (p, q) = split()
        p.go()
        (maybe ?: other()).touch()
        (if (flag) conn else null).close()
        cb(1)
        conn.state = State.OPEN
        conn.apply { open() }.close()
        conn.let { it.close() }
        maybe?.also { m -> m.touch() }
        with(conn) { this.close() }
        items.forEach { it.touch() }
        items.filter { x -> x.ok() }.map(Item::name).map(::wrap).map(this::helper)
        list.fold(0) { acc, n -> acc.plus(n) }
        log(name = "some value", level = Level.HIGH, *rest)
        a shl conn.size
        Item::class.java
        build<Item>(1)
        val run = object : Runnable, Base(pool) {
            val seen = 1
            override fun run() { this.seen; helper() }
        }
        run.run()
        val f = fun Item.(n: Int): Int { return this.size + n }
        println("hello ${conn.name()} and $maybe and $MAX")
        "plain".length
        return@label conn.close()
    }
}
"#,
        &expect![[r#"
            symbol class Calls 2-53 pub | class Calls(private val pool: Pool) : Parent()
            symbol property Calls.pool 2-2 : <Pool> | private val pool: Pool
            symbol method Calls.run 3-52 pub (Conn, List<Item>, Item, (#Int)=>#Unit) : # | fun run(conn: Conn, items: List<Item>, maybe: Item?, cb: (Int) -> Unit)
            symbol class Calls.run.<anonymous> 43-46 | object : Runnable, Base(pool)
            symbol property Calls.run.<anonymous>.seen 44-44 : #Int | val seen = 1
            symbol method Calls.run.<anonymous>.run 45-45 () : # | override fun run()
            ref type Parent @2 in -
            ref type Pool @2 in Calls
            ref type Conn @3 in Calls.run
            ref type List @3 in Calls.run
            ref type Item @3 in Calls.run
            ref type Item @3 in Calls.run
            ref type Int @3 in Calls.run
            ref type Unit @3 in Calls.run
            ref call helper() @4 in Calls.run
            ref call this . helper() @5 in Calls.run
            ref call super . run(<Conn>) @6 in Calls.run
            ref type Named @7 in Calls.run
            ref call super . run() @7 in Calls.run
            ref call <Conn> . execute(#String) @8 in Calls.run
            ref call <Conn>.execute() . fetch() @8 in Calls.run
            ref value <Conn> . inner @9 in Calls.run
            ref call <Conn>.inner . close() @9 in Calls.run
            ref call <Item> . touch() @10 in Calls.run
            ref value pool @11 in Calls.run
            ref call pool . get() @11 in Calls.run
            ref call pool.get() . touch() @11 in Calls.run
            ref value Client @12 in Calls.run
            ref call Client . create(#Int) @12 in Calls.run
            ref call Client.create() . send(MAX) @12 in Calls.run
            ref value MAX @12 in Calls.run
            ref value Outer @13 in Calls.run
            ref value Outer . Inner @13 in Calls.run
            ref call Outer.Inner . make() @13 in Calls.run
            ref call Widget(<Conn>) @14 in Calls.run
            ref call Widget() . draw() @14 in Calls.run
            ref value com @15 in Calls.run
            ref value com . acme @15 in Calls.run
            ref call com.acme . Tool() @15 in Calls.run
            ref call com.acme.Tool() . go() @15 in Calls.run
            ref type Special @16 in Calls.run
            ref call <Special> . special() @16 in Calls.run
            ref call <List<Item>>[] . touch() @17 in Calls.run
            ref call <List<Item>> . first() @18 in Calls.run
            ref call <List<Item>>.first() . touch() @18 in Calls.run
            ref call <List<Item>>[] . touch() @19 in Calls.run
            ref value pairs @20 in Calls.run
            ref call ? . go(?) @20 in Calls.run
            ref type Int @21 in Calls.run
            ref call #Int . toLong() @21 in Calls.run
            ref call Widget(#Int) @22 in Calls.run
            ref call Widget() . draw() @23 in Calls.run
            ref type Widget @24 in Calls.run
            ref call make() @24 in Calls.run
            ref call <Widget> . draw() @25 in Calls.run
            ref call split() @26 in Calls.run
            ref call ? . go() @27 in Calls.run
            ref call other() @28 in Calls.run
            ref call <Item> . touch() @28 in Calls.run
            ref value flag @29 in Calls.run
            ref call <Conn> . close() @29 in Calls.run
            ref value <Conn> . state @31 in Calls.run
            ref value State @31 in Calls.run
            ref value State . OPEN @31 in Calls.run
            ref call <Conn> . apply(?) @32 in Calls.run
            ref call (<Conn>) . open() @32 in Calls.run
            ref call <Conn> . close() @32 in Calls.run
            ref call <Conn> . let(?) @33 in Calls.run
            ref call <Conn> . close() @33 in Calls.run
            ref call <Item> . also(?) @34 in Calls.run
            ref call <Item> . touch() @34 in Calls.run
            ref call with(<Conn>, ?) @35 in Calls.run
            ref call <Conn> . close() @35 in Calls.run
            ref call <List<Item>> . forEach(?) @36 in Calls.run
            ref call <List<Item>>[] . touch() @36 in Calls.run
            ref call <List<Item>> . filter(?) @37 in Calls.run
            ref call <List<Item>>[] . ok() @37 in Calls.run
            ref call <List<Item>>.filter() . map(Item.name) @37 in Calls.run
            ref value Item @37 in Calls.run
            ref value Item . name @37 in Calls.run
            ref call <List<Item>>.filter().map() . map(?) @37 in Calls.run
            ref value wrap @37 in Calls.run
            ref call <List<Item>>.filter().map().map() . map(this.helper) @37 in Calls.run
            ref value this . helper @37 in Calls.run
            ref value list @38 in Calls.run
            ref call list . fold(#Int, ?) @38 in Calls.run
            ref call list.fold(#65534)<-0 . plus(list.fold(#65534)<-1) @38 in Calls.run
            ref call log(?, ?, ?) @39 in Calls.run
            ref value Level @39 in Calls.run
            ref value Level . HIGH @39 in Calls.run
            ref value rest @39 in Calls.run
            ref value a @40 in Calls.run
            ref call a . shl @40 in Calls.run
            ref value <Conn> . size @40 in Calls.run
            ref type Item @41 in Calls.run
            ref value <KClass> . java @41 in Calls.run
            ref call build @42 in Calls.run
            ref type Item @42 in Calls.run
            ref type Runnable @43 in Calls.run
            ref type Base @43 in Calls.run
            ref value pool @43 in Calls.run.<anonymous>
            ref value this . seen @45 in Calls.run.<anonymous>.run
            ref call helper() @45 in Calls.run.<anonymous>.run
            ref call <Runnable> . run() @47 in Calls.run
            ref type Item @48 in Calls.run
            ref type Int @48 in Calls.run
            ref type Int @48 in Calls.run
            ref value <Item> . size @48 in Calls.run
            ref call println(#String) @49 in Calls.run
            ref call <Conn> . name() @49 in Calls.run
            ref value #String . length @50 in Calls.run
            ref call <Conn> . close() @51 in Calls.run
            relation Calls extends Parent @2
            relation <anonymous> implements Runnable @43
            relation <anonymous> extends Base @43
            string "select something" @8 in Calls.run
            string "some value" @39 in Calls.run
            string "hello ${conn.name()} and $maybe and $MAX" @49 in Calls.run
        "#]],
    );
}

#[test]
fn locals_and_smart_casts() {
    check(
        "a/Locals.kt",
        r#"
fun f(o: Any, kind: Kind): Int? {
    try {
        open()
    } catch (e: IOException) {
        e.explain()
    } finally {
        done()
    }
    if (o is Foo && o.ok()) o.go() else o.other()
    when (o) {
        is Foo -> o.go()
        is Bar, is Baz -> o.both()
        !is Qux -> o.none()
        in range() -> return null
        else -> true
    }
    when (val x = load()) {
        is Foo -> x.go()
        Color.RED -> x.red()
    }
    when {
        o is Foo -> o.go()
        kind == Kind.FIRST -> return 1
    }
    outer@ while (true) {
        if (kind.ok()) break@outer
        if (kind.no()) continue
        break
    }
    val x by lazy { Widget() }
    x.draw()
    `weird name`.go()
    do { val y = next(); y.use() } while (kind.more())
    val block: Foo.() -> Unit = { this.bar() }
    return null
}
"#,
        &expect![[r#"
            symbol function f 2-37 pub (Any, Kind) : #Int | fun f(o: Any, kind: Kind): Int?
            ref type Any @2 in f
            ref type Kind @2 in f
            ref type Int @2 in f
            ref call open() @4 in f
            ref type IOException @5 in f
            ref call <IOException> . explain() @6 in f
            ref call done() @8 in f
            ref type Foo @10 in f
            ref call <Foo> . ok() @10 in f
            ref call <Foo> . go() @10 in f
            ref call <Any> . other() @10 in f
            ref type Foo @12 in f
            ref call <Foo> . go() @12 in f
            ref type Bar @13 in f
            ref type Baz @13 in f
            ref call <Any> . both() @13 in f
            ref type Qux @14 in f
            ref call <Any> . none() @14 in f
            ref call range() @15 in f
            ref call load() @18 in f
            ref type Foo @19 in f
            ref call <Foo> . go() @19 in f
            ref value Color @20 in f
            ref value Color . RED @20 in f
            ref call load() . red() @20 in f
            ref type Foo @23 in f
            ref call <Foo> . go() @23 in f
            ref value Kind @24 in f
            ref value Kind . FIRST @24 in f
            ref call <Kind> . ok() @27 in f
            ref call <Kind> . no() @28 in f
            ref call lazy(?) @31 in f
            ref call (lazy(#65534)<-65535) . Widget() @31 in f
            ref call Widget() . draw() @32 in f
            ref value weird name @33 in f
            ref call weird name . go() @33 in f
            ref call next() @34 in f
            ref call next() . use() @34 in f
            ref call <Kind> . more() @34 in f
            ref type Foo @35 in f
            ref type Unit @35 in f
            ref call this on ((Foo?)=>#Unit<-65535) . bar() @35 in f
        "#]],
    );
}

#[test]
fn annotations_strings_and_tests() {
    check(
        "a/FooTest.kt",
        r#"
@file:JvmName("Foo")
@Path("/api/users/{id}", kinds = [Kind.FULL])
class FooTest {
    @Test fun works() { assertTrue(true) }
    @Test fun `works with spaces`() = run { }
    @org.junit.jupiter.api.ParameterizedTest @ValueSource(ints = [1])
    fun many(@Nullable n: Int) {}
    @field:Inject lateinit var service: Service
    val text = """
        select *
        from users
    """
    val c = 'x'
}
"#,
        &expect![[r#"
            symbol class FooTest 4-15 pub | class FooTest
            symbol test FooTest.works 5-5 pub () : # | fun works()
            symbol test FooTest.works with spaces 6-6 pub () : run() | fun `works with spaces`()
            symbol test FooTest.many 8-8 pub (#Int) : # | fun many(@Nullable n: Int)
            symbol property FooTest.service 9-9 pub : <Service> | lateinit var service: Service
            symbol property FooTest.text 10-13 pub : #String | val text
            symbol property FooTest.c 14-14 pub : #Char | val c = 'x'
            ref call JvmName @2 in -
            ref call Path @3 in -
            ref value Kind @3 in -
            ref value Kind . FULL @3 in -
            ref call Test @5 in FooTest
            ref call assertTrue(#) @5 in FooTest.works
            ref call Test @6 in FooTest
            ref call run(?) @6 in FooTest.works with spaces
            ref call org.junit.jupiter.api . ParameterizedTest @7 in FooTest
            ref call ValueSource @7 in FooTest
            ref call Nullable @8 in FooTest.many
            ref type Int @8 in FooTest.many
            ref call Inject @9 in FooTest
            ref type Service @9 in FooTest
            string "/api/users/{id}" @3 in -
            string "select *\n        from users" @10 in FooTest
        "#]],
    );
}

#[test]
fn imports() {
    check(
        "a/B.kt",
        "package a.b.c\nimport a.b.C\nimport a.b.*\nimport a.b.C.m as n\nimport a.`in`.D\nimport Plain;\nclass B\n",
        &expect![[r#"
            package a.b.c
            symbol class B 7-7 pub | class B
            import symbol a.b [C] as C @2 in -
            import glob a.b @3 in -
            import symbol a.b.C [m] as n @4 in -
            import symbol a.in [D] as D @5 in -
            import symbol  [Plain] as Plain @6 in -
        "#]],
    );
}

#[test]
fn scripts() {
    check(
        "build.gradle.kts",
        "plugins {\n    id(\"java-library\")\n}\nval version = \"1.0.0-beta\"\ntasks.register<Copy>(\"copyThings\") { from(version) }\n",
        &expect![[r#"
            symbol variable version 4-4 pub : #String | val version = "1.0.0-beta"
            ref call plugins(?) @1 in -
            ref call (plugins(#65534)<-65535) . id(#String) @2 in -
            ref value tasks @5 in -
            ref call tasks . register(#String, ?) @5 in -
            ref type Copy @5 in -
            ref call (tasks.register(#65534)<-65535) . from(version on (tasks.register(#65534)<-65535)) @5 in -
            ref value (tasks.register(#65534)<-65535) . version @5 in -
            string "java-library" @2 in -
            string "1.0.0-beta" @4 in -
            string "copyThings" @5 in -
        "#]],
    );
}

#[test]
fn collections_and_generic_calls() {
    check(
        "a/G.kt",
        r#"
class G {
    private val made = mutableListOf<Item>()
    fun f(any: Any) {
        val list = ArrayList<Item>()
        list.forEach { it.touch() }
        for (x in made) x.touch()
        val one = parse<Item>(any)
        one.touch()
        with(load(1)) { this.go() }
        load(2) { it }.go()
    }
}
"#,
        &expect![[r#"
            symbol class G 2-13 pub | class G
            symbol property G.made 3-3 : <#<Item>> | private val made = mutableListOf<Item>()
            symbol method G.f 4-12 pub (Any) : # | fun f(any: Any)
            ref call mutableListOf() @3 in G
            ref type Item @3 in G
            ref type Any @4 in G.f
            ref call ArrayList() @5 in G.f
            ref type Item @5 in G.f
            ref call <ArrayList<Item>> . forEach(?) @6 in G.f
            ref call <ArrayList<Item>>[] . touch() @6 in G.f
            ref value made @7 in G.f
            ref call made[] . touch() @7 in G.f
            ref call parse @8 in G.f
            ref type Item @8 in G.f
            ref call parse() . touch() @9 in G.f
            ref call with(load(), ?) @10 in G.f
            ref call load(#Int) @10 in G.f
            ref call load() . go() @10 in G.f
            ref call load(#Int, ?) @11 in G.f
            ref call load() . go() @11 in G.f
        "#]],
    );
}
