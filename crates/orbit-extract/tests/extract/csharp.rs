//! C#.
#![expect(clippy::too_many_lines, reason = "a fixture and its facts stay together")]

use crate::render::check;
use expect_test::expect;

#[test]
fn namespaces_and_types() {
    check(
        "a/A.cs",
        r#"
namespace Acme.App {
    namespace Inner { class Deep {} }
    [Serializable]
    public abstract partial class Box<T, U> : Base<T>, IDisposable, Other.IThing<U> where T : Shape, IMark, new() where U : class
    {
        public const int Max = 3, Min = 1;
        private readonly T shape;
        protected static List<Item> items = new List<Item>();
        int hidden;
        private protected class Nested { }
    }
    internal struct Pair : IPair { public int X; }
    public enum Color : byte { Red, [Old] Green = 2, Blue = Red | Green }
    public interface IShape : IBase { double Area(); string Name { get; set; } }
    public delegate Result Maker<T>(Item item, int n) where T : Shape;
    public record Person(string Name, [Required] Address Home, int Age = Limits.Max) : Entity(Name), IHasName { public int Id { get; init; } }
    readonly record struct Point(int X, int Y);
    class Service(ILogger log, Pool pool) : Root(log) { void Run() { log.Info(pool.Get()); } }
    file class Hidden {}
    public partial class Box<T, U> { }
}
"#,
        &expect![[r#"
            symbol module Acme.App 2-22 pub | namespace Acme.App
            symbol module Acme.App.Inner 3-3 pub | namespace Inner
            symbol class Acme.App.Inner.Deep 3-3 pub | class Deep
            symbol class Acme.App.Box 5-12 pub <$T:Shape, $U> | public abstract partial class Box<T, U> : Base<T>, IDisposable, Other.IThing<U> where T : Shape, IMark, new() where U : class
            symbol const Acme.App.Box.Max 7-7 pub : #int | public const int Max = 3, Min = 1
            symbol const Acme.App.Box.Min 7-7 pub : #int | public const int Max = 3, Min = 1
            symbol field Acme.App.Box.shape 8-8 : <$T:Shape> | private readonly T shape
            symbol field Acme.App.Box.items 9-9 pub : <List`1<Item>> | protected static List<Item> items = new List<Item>()
            symbol field Acme.App.Box.hidden 10-10 : #int | int hidden
            symbol class Acme.App.Box.Nested 11-11 | private protected class Nested
            symbol struct Acme.App.Pair 13-13 pub | internal struct Pair : IPair
            symbol field Acme.App.Pair.X 13-13 pub : #int | public int X
            symbol enum Acme.App.Color 14-14 pub | public enum Color : byte
            symbol variant Acme.App.Color.Red 14-14 pub : <Color> | Red
            symbol variant Acme.App.Color.Green 14-14 pub : <Color> | Green = 2
            symbol variant Acme.App.Color.Blue 14-14 pub : <Color> | Blue = Red | Green
            symbol interface Acme.App.IShape 15-15 pub | public interface IShape : IBase
            symbol method Acme.App.IShape.Area 15-15 pub () : #double | double Area()
            symbol property Acme.App.IShape.Name 15-15 pub : #string | string Name
            symbol type_alias Acme.App.Maker 16-16 pub <$T:Shape> : (<Item>, #int)=><Result> | public delegate Result Maker<T>(Item item, int n) where T : Shape
            symbol class Acme.App.Person 17-17 pub | public record Person(string Name, [Required] Address Home, int Age = Limits.Max) : Entity(Name), IHasName
            symbol property Acme.App.Person.Name 17-17 pub : #string | string Name
            symbol property Acme.App.Person.Home 17-17 pub : <Address> | Address Home
            symbol property Acme.App.Person.Age 17-17 pub : #int | int Age = Limits.Max
            symbol property Acme.App.Person.Id 17-17 pub : #int | public int Id
            symbol struct Acme.App.Point 18-18 pub | readonly record struct Point(int X, int Y)
            symbol property Acme.App.Point.X 18-18 pub : #int | int X
            symbol property Acme.App.Point.Y 18-18 pub : #int | int Y
            symbol class Acme.App.Service 19-19 pub | class Service(ILogger log, Pool pool) : Root(log)
            symbol method Acme.App.Service.Run 19-19 () : () | void Run()
            symbol class Acme.App.Hidden 20-20 | file class Hidden
            symbol class Acme.App.Box#2 21-21 pub <$T, $U> | public partial class Box<T, U>
            ref call Serializable @4 in Acme.App
            ref type Base`1 @5 in Acme.App
            ref type IDisposable @5 in Acme.App
            ref value Other @5 in Acme.App
            ref type Other . IThing`1 @5 in Acme.App
            ref trait_bound Shape @5 in Acme.App
            ref trait_bound IMark @5 in Acme.App
            ref type List`1 @9 in Acme.App.Box
            ref type Item @9 in Acme.App.Box
            ref call List`1 @9 in Acme.App.Box
            ref type Item @9 in Acme.App.Box
            ref type IPair @13 in Acme.App
            ref call Old @14 in Acme.App.Color
            ref value Red @14 in Acme.App.Color
            ref value Green @14 in Acme.App.Color
            ref type IBase @15 in Acme.App
            ref type Result @16 in Acme.App.Maker
            ref type Item @16 in Acme.App.Maker
            ref trait_bound Shape @16 in Acme.App.Maker
            ref type Entity @17 in Acme.App
            ref type IHasName @17 in Acme.App
            ref call Required @17 in Acme.App.Person
            ref type Address @17 in Acme.App.Person
            ref value Limits @17 in Acme.App.Person
            ref value Limits . Max @17 in Acme.App.Person
            ref value Name @17 in Acme.App.Person
            ref type Root @19 in Acme.App
            ref type ILogger @19 in Acme.App.Service
            ref type Pool @19 in Acme.App.Service
            ref call <ILogger> . Info(<Pool>.Get()) @19 in Acme.App.Service.Run
            ref call <Pool> . Get() @19 in Acme.App.Service.Run
            relation Box extends Base`1<$T:Shape> @5
            relation Box implements IDisposable @5
            relation Box implements Other.IThing`1<$U> @5
            relation Pair implements IPair @13
            relation IShape extends IBase @15
            relation Person extends Entity @17
            relation Person implements IHasName @17
            relation Service extends Root @19
        "#]],
    );
}

#[test]
fn file_scoped_namespace_and_imports() {
    check(
        "a/A.cs",
        r#"extern alias Old;
global using System.Linq;
using System;
using System.Collections.Generic;
using static System.Math;
using Json = Newtonsoft.Json.JsonConvert;
using Ints = System.Collections.Generic.List<int>;
using Plain = Thing;
using global::Root.Sub;
[assembly: InternalsVisibleTo("Acme.Tests")]

namespace Acme.App;

public class A { }
class B { A a; }
"#,
        &expect![[r#"
            symbol module Acme.App 12-15 pub | namespace Acme.App
            symbol class Acme.App.A 14-14 pub | public class A
            symbol class Acme.App.B 15-15 pub | class B
            symbol field Acme.App.B.a 15-15 : <A> | A a
            ref call InternalsVisibleTo @10 in -
            ref type A @15 in Acme.App.B
            import glob System.Linq reexport @2 in -
            import glob System @3 in -
            import glob System.Collections.Generic @4 in -
            import glob System.Math @5 in -
            import symbol Newtonsoft.Json [JsonConvert] as Json @6 in -
            import symbol System.Collections.Generic [List] as Ints @7 in -
            import symbol  [Thing] as Plain @8 in -
            import glob Root.Sub @9 in -
            string "Acme.Tests" @10 in -
        "#]],
    );
}

#[test]
fn members() {
    check(
        "a/M.cs",
        r#"
public class M : Root, IThing {
    public M(Pool pool) : base(pool.Size) { this.pool = pool; }
    private M() : this(Pool.Default) => Init();
    ~M() { Close(); }
    static M() { }
    Pool pool;
    public Pool Pool { get { return pool; } private set { pool = value; value.Open(); } }
    public int Size => pool.Count();
    public string Label { get; } = Names.Make();
    public Item this[int index] { get => items[index]; set => items[index] = value; }
    public event Handler Changed;
    public event EventHandler<Args> Custom { add { list.Add(value); } remove { } }
    public static M operator +(M a, M b) => a.Join(b);
    public static implicit operator Item(M m) => m.ToItem();
    public virtual async Task<Item> RunAsync<T>(T arg, params Item[] rest) where T : Shape { arg.Draw(); foreach (var r in rest) r.Touch(); return await Load(); }
    void IThing.Explicit() { }
    int Outer() { return Local(2); int Local(int n) => n + Helper(); }
    [DllImport("kernel32.dll")] extern static int Native();
    ref Item Find(in Key key, out Item found, ref int n) { found = null; return ref items[0]; }
}
public static class Extensions { public static void Twice(this Item item) { item.Touch(); } }
"#,
        &expect![[r#"
            symbol class M 2-21 pub | public class M : Root, IThing
            symbol constructor M.M 3-3 pub (Pool) | public M(Pool pool) : base(pool.Size)
            symbol constructor M.M#2 4-4 () | private M() : this(Pool.Default)
            symbol method M.~M 5-5 () | ~M()
            symbol constructor M.M#3 6-6 () | static M()
            symbol field M.pool 7-7 : <Pool> | Pool pool
            symbol property M.Pool 8-8 pub : <Pool> | public Pool Pool
            symbol property M.Size 9-9 pub : #int | public int Size
            symbol property M.Label 10-10 pub : #string | public string Label
            symbol property M.this[] 11-11 pub : <Item> | public Item this[int index]
            symbol field M.Changed 12-12 pub : <Handler> | public event Handler Changed
            symbol field M.Custom 13-13 pub : <EventHandler`1<Args>> | public event EventHandler<Args> Custom
            symbol method M.operator + 14-14 pub (M, M) : <M> | public static M operator +(M a, M b)
            symbol method M.operator Item 15-15 pub (M) : <Item> | public static implicit operator Item(M m)
            symbol method M.RunAsync 16-16 pub ($T:Shape, Item...) <$T:Shape> : <Task`1<Item>> | public virtual async Task<Item> RunAsync<T>(T arg, params Item[] rest) where T : Shape
            symbol method M.Explicit 17-17 () : () | void IThing.Explicit()
            symbol method M.Outer 18-18 () : #int | int Outer()
            symbol function M.Outer.Local 18-18 (#int) : #int | int Local(int n)
            symbol method M.Native 19-19 () : #int | extern static int Native()
            symbol method M.Find 20-20 (Key, Item, #int) : <Item> | ref Item Find(in Key key, out Item found, ref int n)
            symbol class Extensions 22-22 pub | public static class Extensions
            symbol method Extensions.Twice 22-22 pub () for Item : () | public static void Twice(this Item item)
            ref type Root @2 in -
            ref type IThing @2 in -
            ref type Pool @3 in M.M
            ref call super . base @3 in M.M
            ref value <Pool> . Size @3 in M.M
            ref value this . pool @3 in M.M
            ref call this . this @4 in M.M
            ref value Pool @4 in M.M
            ref value Pool . Default @4 in M.M
            ref call Init() @4 in M.M
            ref call Close() @5 in M.~M
            ref type Pool @7 in M
            ref type Pool @8 in M.Pool
            ref value pool @8 in M.Pool
            ref value pool @8 in M.Pool
            ref call <Pool> . Open() @8 in M.Pool
            ref value pool @9 in M.Size
            ref call pool . Count() @9 in M.Size
            ref value Names @10 in M.Label
            ref call Names . Make() @10 in M.Label
            ref type Item @11 in M.this[]
            ref value items @11 in M.this[]
            ref value items @11 in M.this[]
            ref type Handler @12 in M
            ref type EventHandler`1 @13 in M.Custom
            ref type Args @13 in M.Custom
            ref value list @13 in M.Custom
            ref call list . Add(<EventHandler`1<Args>>) @13 in M.Custom
            ref type M @14 in M.operator +
            ref type M @14 in M.operator +
            ref type M @14 in M.operator +
            ref call <M> . Join(<M>) @14 in M.operator +
            ref type Item @15 in M.operator Item
            ref type M @15 in M.operator Item
            ref call <M> . ToItem() @15 in M.operator Item
            ref type Task`1 @16 in M.RunAsync
            ref type Item @16 in M.RunAsync
            ref type Item @16 in M.RunAsync
            ref trait_bound Shape @16 in M.RunAsync
            ref call <$T:Shape> . Draw() @16 in M.RunAsync
            ref call <#<Item>>[] . Touch() @16 in M.RunAsync
            ref call Load() @16 in M.RunAsync
            ref type IThing @17 in M.Explicit
            ref call Local(#int) @18 in M.Outer
            ref call Helper() @18 in M.Outer.Local
            ref call DllImport @19 in M
            ref type Item @20 in M.Find
            ref type Key @20 in M.Find
            ref type Item @20 in M.Find
            ref value items @20 in M.Find
            ref type Item @22 in Extensions.Twice
            ref call <Item> . Touch() @22 in Extensions.Twice
            relation M extends Root @2
            relation M implements IThing @2
            string "kernel32.dll" @19 in M
        "#]],
    );
}

#[test]
fn calls_and_receivers() {
    check(
        "a/C.cs",
        r#"
class C : Root {
    Pool pool;
    async Task Run(Conn conn, List<Item> items, Item[] array, Item? maybe) {
        Helper();
        this.Helper();
        base.Run(conn);
        Generic<Item>(1);
        conn.Get<Item>().Touch();
        conn?.Close();
        conn?.Inner?.Close();
        maybe!.Touch();
        pool.Get().Touch();
        Client.Create(1).Send(Max);
        System.IO.Path.Combine("first part", name);
        global::Root.Sub.Go();
        string.Join(",", items);
        new Widget(conn).Draw();
        new Outer.Inner<Item> { Name = conn.Name, Sub = { Depth = 1 }, [0] = x }.Go();
        ((Special)conn).Special();
        (conn as Special).Special();
        items[0].Touch();
        array[0].Touch();
        foreach (var item in items) item.Touch();
        foreach (Item item in Load()) { item.Touch(); }
        foreach (var (a, b) in pairs) a.Go(b);
        for (int i = 0; i < array.Length; i++) { array[i].Touch(); }
        var made = new Widget();
        made.Draw();
        Widget typed = new();
        typed.Draw();
        var loaded = await LoadAsync();
        loaded.Go();
        (conn ?? Other()).Close();
        (flag ? conn : null).Close();
        conn.Event += OnEvent;
        Log(nameof(Helper), nameof(conn.Close), name: "some value", level: Level.High);
        var copy = conn with { Name = "copied" };
        copy.Close();
        var anon = new { Total = pool.Total, conn.Name };
        default(Item).Touch();
        typeof(Item).Name.ToString();
        var arr = new Item[3]; arr[0].Touch();
        var (p, q) = Split(); p.Go();
        checked(Sum()).ToString();
    }
}
"#,
        &expect![[r#"
            symbol class C 2-47 pub | class C : Root
            symbol field C.pool 3-3 : <Pool> | Pool pool
            symbol method C.Run 4-46 (Conn, List`1<Item>, #<Item>, Item) : <Task> | async Task Run(Conn conn, List<Item> items, Item[] array, Item? maybe)
            ref type Root @2 in -
            ref type Pool @3 in C
            ref type Task @4 in C.Run
            ref type Conn @4 in C.Run
            ref type List`1 @4 in C.Run
            ref type Item @4 in C.Run
            ref type Item @4 in C.Run
            ref type Item @4 in C.Run
            ref call Helper() @5 in C.Run
            ref call this . Helper() @6 in C.Run
            ref call super . Run(<Conn>) @7 in C.Run
            ref call Generic(#int)<Item> @8 in C.Run
            ref type Item @8 in C.Run
            ref call <Conn> . Get()<Item> @9 in C.Run
            ref type Item @9 in C.Run
            ref call <Conn>.Get<Item>() . Touch() @9 in C.Run
            ref call <Conn> . Close() @10 in C.Run
            ref value <Conn> . Inner @11 in C.Run
            ref call <Conn>.Inner . Close() @11 in C.Run
            ref call <Item> . Touch() @12 in C.Run
            ref value pool @13 in C.Run
            ref call pool . Get() @13 in C.Run
            ref call pool.Get() . Touch() @13 in C.Run
            ref value Client @14 in C.Run
            ref call Client . Create(#int) @14 in C.Run
            ref call Client.Create() . Send(Max) @14 in C.Run
            ref value Max @14 in C.Run
            ref value System @15 in C.Run
            ref value System . IO @15 in C.Run
            ref value System.IO . Path @15 in C.Run
            ref call System.IO.Path . Combine(#string, name) @15 in C.Run
            ref value name @15 in C.Run
            ref value Root @16 in C.Run
            ref value Root . Sub @16 in C.Run
            ref call Root.Sub . Go() @16 in C.Run
            ref call #string . Join(#string, <List`1<Item>>) @17 in C.Run
            ref call Widget @18 in C.Run
            ref call <Widget> . Draw() @18 in C.Run
            ref value Outer @19 in C.Run
            ref call Outer . Inner`1 @19 in C.Run
            ref type Item @19 in C.Run
            ref value <Outer.Inner`1<Item>> . Name @19 in C.Run
            ref value <Conn> . Name @19 in C.Run
            ref value <Outer.Inner`1<Item>> . Sub @19 in C.Run
            ref value <Outer.Inner`1<Item>>.Sub . Depth @19 in C.Run
            ref value x @19 in C.Run
            ref call <Outer.Inner`1<Item>> . Go() @19 in C.Run
            ref type Special @20 in C.Run
            ref call <Special> . Special() @20 in C.Run
            ref type Special @21 in C.Run
            ref call <Special> . Special() @21 in C.Run
            ref call <List`1<Item>>[] . Touch() @22 in C.Run
            ref call <#<Item>>[] . Touch() @23 in C.Run
            ref call <List`1<Item>>[] . Touch() @24 in C.Run
            ref type Item @25 in C.Run
            ref call Load() @25 in C.Run
            ref call <Item> . Touch() @25 in C.Run
            ref value pairs @26 in C.Run
            ref call ? . Go(?) @26 in C.Run
            ref value <#<Item>> . Length @27 in C.Run
            ref call <#<Item>>[] . Touch() @27 in C.Run
            ref call Widget @28 in C.Run
            ref call <Widget> . Draw() @29 in C.Run
            ref type Widget @30 in C.Run
            ref call <Widget> . Draw() @31 in C.Run
            ref call LoadAsync() @32 in C.Run
            ref call LoadAsync()[] . Go() @33 in C.Run
            ref call Other() @34 in C.Run
            ref call <Conn> . Close() @34 in C.Run
            ref value flag @35 in C.Run
            ref call <Conn> . Close() @35 in C.Run
            ref value <Conn> . Event @36 in C.Run
            ref value OnEvent @36 in C.Run
            ref call Log(#, #, ?, ?) @37 in C.Run
            ref value Helper @37 in C.Run
            ref value <Conn> . Close @37 in C.Run
            ref value Level @37 in C.Run
            ref value Level . High @37 in C.Run
            ref value <Conn> . Name @38 in C.Run
            ref call <Conn> . Close() @39 in C.Run
            ref value pool @40 in C.Run
            ref value pool . Total @40 in C.Run
            ref value <Conn> . Name @40 in C.Run
            ref type Item @41 in C.Run
            ref call <Item> . Touch() @41 in C.Run
            ref type Item @42 in C.Run
            ref value # . Name @42 in C.Run
            ref call # . ToString() @42 in C.Run
            ref type Item @43 in C.Run
            ref call <#<Item>>[] . Touch() @43 in C.Run
            ref call Split() @44 in C.Run
            ref call ? . Go() @44 in C.Run
            ref call Sum() @45 in C.Run
            ref call Sum() . ToString() @45 in C.Run
            relation C extends Root @2
            string "first part" @15 in C.Run
            string "some value" @37 in C.Run
            string "copied" @38 in C.Run
        "#]],
    );
}

#[test]
fn locals_lambdas_patterns_and_queries() {
    check(
        "a/L.cs",
        r#"
class L {
    object F(object o, Dictionary<string, Item> map) {
        using (var reader = new Reader()) { reader.Read(); }
        using var writer = Open();
        writer.Write();
        try { } catch (IOException e) when (e.Code == Codes.Bad) { e.Explain(); } finally { Done(); }
        if (o is Foo foo && foo.Ok()) foo.Go();
        if (o is not Bar) return null;
        if (o is Person { Name: "someone", Home.City: var city, Age: > Limits.Min } person) person.Go(city);
        if (map.TryGetValue("key", out var item)) item.Touch();
        if (Parse(out Item parsed)) parsed.Touch();
        list.ForEach(x => x.Go());
        list.Map((p, q) => { return p.Join(q); }).Map((Item i) => i.Name);
        list.Map(Helper).Map(this.Helper);
        Func<Item> f = delegate (Item d) { d.Touch(); return d; };
        f();
        switch (o) {
            case Foo g when g.Ok(): g.Go(); break;
            case Color.Red: goto done;
            case Max: break;
            default: break;
        }
        done: Finish();
        var r = o switch { Foo h => h.Go(), Point(var px, 2) => Use(px), Color.Blue => 1, null => throw new Bad("nothing here"), _ => 0 };
        var query = from Item x in items
                    join y in others on x.Id equals y.Id into g2
                    let z = x.Inner
                    where z.Ok() && g2.Any()
                    orderby x.Name
                    select new { x, Total = z.Total } into s
                    select s.Total;
        lock (gate) { Enter(); }
        (int a, Item b) tuple = (1, o);
#if DEBUG
        Trace(o);
#else
        Quiet();
#endif
        T Make<T>() where T : Foo, new() { T t = new T(); t.Go(); return t; }
        return Make<Foo>();
    }
}
"#,
        &expect![[r#"
            symbol class L 2-43 pub | class L
            symbol method L.F 3-42 (#, Dictionary`2<#string, Item><Item>) : # | object F(object o, Dictionary<string, Item> map)
            symbol function L.F.Make 40-40 () <$T:Foo> : <$T:Foo> | T Make<T>() where T : Foo, new()
            ref type Dictionary`2 @3 in L.F
            ref type Item @3 in L.F
            ref call Reader @4 in L.F
            ref call <Reader> . Read() @4 in L.F
            ref call Open() @5 in L.F
            ref call Open() . Write() @6 in L.F
            ref type IOException @7 in L.F
            ref value <IOException> . Code @7 in L.F
            ref value Codes @7 in L.F
            ref value Codes . Bad @7 in L.F
            ref call <IOException> . Explain() @7 in L.F
            ref call Done() @7 in L.F
            ref type Foo @8 in L.F
            ref call <Foo> . Ok() @8 in L.F
            ref call <Foo> . Go() @8 in L.F
            ref type Bar @9 in L.F
            ref type Person @10 in L.F
            ref value <Person> . Name @10 in L.F
            ref value <Person> . Home @10 in L.F
            ref value <Person>.Home . City @10 in L.F
            ref value <Person> . Age @10 in L.F
            ref value Limits @10 in L.F
            ref value Limits . Min @10 in L.F
            ref call <Person> . Go(?) @10 in L.F
            ref call <Dictionary`2<#string, Item><Item>> . TryGetValue(#string, ?) @11 in L.F
            ref call ? . Touch() @11 in L.F
            ref call Parse(?) @12 in L.F
            ref type Item @12 in L.F
            ref call <Item> . Touch() @12 in L.F
            ref value list @13 in L.F
            ref call list . ForEach((?)=>?) @13 in L.F
            ref call list.ForEach(#0)<-0 . Go() @13 in L.F
            ref value list @14 in L.F
            ref call list . Map((?, ?)=>#) @14 in L.F
            ref call list.Map(#0)<-0 . Join(list.Map(#0)<-1) @14 in L.F
            ref call list.Map() . Map((?)=>?) @14 in L.F
            ref type Item @14 in L.F
            ref value <Item> . Name @14 in L.F
            ref value list @15 in L.F
            ref call list . Map(Helper) @15 in L.F
            ref value Helper @15 in L.F
            ref call list.Map() . Map(this.Helper) @15 in L.F
            ref value this . Helper @15 in L.F
            ref type Func`1 @16 in L.F
            ref type Item @16 in L.F
            ref type Item @16 in L.F
            ref call <Item> . Touch() @16 in L.F
            ref type Foo @19 in L.F
            ref call <Foo> . Ok() @19 in L.F
            ref call <Foo> . Go() @19 in L.F
            ref value Color @20 in L.F
            ref value Color . Red @20 in L.F
            ref value Max @21 in L.F
            ref call Finish() @24 in L.F
            ref type Foo @25 in L.F
            ref call <Foo> . Go() @25 in L.F
            ref type Point @25 in L.F
            ref call Use(?) @25 in L.F
            ref value Color @25 in L.F
            ref value Color . Blue @25 in L.F
            ref call Bad @25 in L.F
            ref type Item @26 in L.F
            ref value items @26 in L.F
            ref value others @27 in L.F
            ref value <Item> . Id @27 in L.F
            ref value others[] . Id @27 in L.F
            ref value <Item> . Inner @28 in L.F
            ref call <Item>.Inner . Ok() @29 in L.F
            ref call ? . Any() @29 in L.F
            ref value <Item> . Name @30 in L.F
            ref value <Item>.Inner . Total @31 in L.F
            ref value ? . Total @32 in L.F
            ref value gate @33 in L.F
            ref call Enter() @33 in L.F
            ref type Item @34 in L.F
            ref call Trace(#) @36 in L.F
            ref call Quiet() @38 in L.F
            ref trait_bound Foo @40 in L.F.Make
            ref call <$T:Foo> . Go() @40 in L.F.Make
            ref call Make()<Foo> @41 in L.F
            ref type Foo @41 in L.F
            string "someone" @10 in L.F
            string "nothing here" @25 in L.F
        "#]],
    );
}

#[test]
fn attributes_strings_and_tests() {
    check(
        "a/T.cs",
        r#"
[Route("api/users/{id}", Name = "users", Order = Orders.First)]
[A, B.CAttribute]
class T {
    [Fact] public void Works() { Assert.True(true); }
    [Theory, InlineData(1)] public void Many([FromBody] Item item) { }
    [NUnit.Framework.Test] public void Third() { }
    [TestMethod] public void Fourth() { }
    string a = "plain text", b = @"c:\some\path", c = $"hello {name.Trim():x} there";
    string raw = """
        select * from users
        """;
    char d = 'x';
}
"#,
        &expect![[r#"
            symbol class T 4-14 pub | class T
            symbol test T.Works 5-5 pub () : () | public void Works()
            symbol test T.Many 6-6 pub (Item) : () | public void Many([FromBody] Item item)
            symbol test T.Third 7-7 pub () : () | public void Third()
            symbol test T.Fourth 8-8 pub () : () | public void Fourth()
            symbol field T.a 9-9 : #string | string a = "plain text", b = @"c:\some\path", c = $"hello {name.Trim():x} there"
            symbol field T.b 9-9 : #string | string a = "plain text", b = @"c:\some\path", c = $"hello {name.Trim():x} there"
            symbol field T.c 9-9 : #string | string a = "plain text", b = @"c:\some\path", c = $"hello {name.Trim():x} there"
            symbol field T.raw 10-12 : #string | string raw
            symbol field T.d 13-13 : #char | char d = 'x'
            ref call Route @2 in -
            ref value <Route> . Name @2 in -
            ref value <Route> . Order @2 in -
            ref value Orders @2 in -
            ref value Orders . First @2 in -
            ref call A @3 in -
            ref value B @3 in -
            ref call B . CAttribute @3 in -
            ref call Fact @5 in T
            ref value Assert @5 in T.Works
            ref call Assert . True(#bool) @5 in T.Works
            ref call Theory @6 in T
            ref call InlineData @6 in T
            ref call FromBody @6 in T.Many
            ref type Item @6 in T.Many
            ref value NUnit @7 in T
            ref value NUnit . Framework @7 in T
            ref call NUnit.Framework . Test @7 in T
            ref call TestMethod @8 in T
            ref value name @9 in T
            ref call name . Trim() @9 in T
            string "api/users/{id}" @2 in -
            string "plain text" @9 in T
            string "c:\\some\\path" @9 in T
            string "hello {name.Trim():x} there" @9 in T
            string "select * from users" @10 in T
        "#]],
    );
}

#[test]
fn top_level_statements() {
    check(
        "Program.cs",
        "using App;\nvar app = Builder.Create(args);\napp.Run();\nint Twice(int n) => n * Two();\nTwice(2);\nclass Late { void M() { } }\n",
        &expect![[r#"
            symbol function Twice 4-4 (#int) : #int | int Twice(int n)
            symbol class Late 6-6 pub | class Late
            symbol method Late.M 6-6 () : () | void M()
            ref value Builder @2 in -
            ref call Builder . Create(args) @2 in -
            ref value args @2 in -
            ref call Builder.Create() . Run() @3 in -
            ref call Two() @4 in Twice
            ref call Twice(#int) @5 in -
            import glob App @1 in -
        "#]],
    );
}

#[test]
fn directives_that_cut_through_declarations() {
    check(
        "a/D.cs",
        "class D\n#if ASYNC\n    : IAsync\n#endif\n{\n#if ASYNC\n    void A() { B(); }\n#else\n    void C() { B(); }\n#endif\n}\n#pragma warning restore 618",
        &expect![[r#"
            symbol class D 1-11 pub | class D #if ASYNC : IAsync #endif
            symbol method D.A 7-7 () : () | void A()
            ref type IAsync @3 in -
            ref call B() @7 in D.A
            relation D implements IAsync @3
        "#]],
    );
}

#[test]
fn bad_syntax_keeps_the_rest() {
    check(
        "a/Bad.cs",
        "class Bad {\n  void Ok() { a.B(; }\n  int = 3;\n  void Fine() { Ok(); }\n}\nclass Rest { void More() { new Bad().Fine(); } }\n",
        &expect![[r#"
            has errors
            symbol class Bad 1-5 pub | class Bad
            symbol method Bad.Ok 2-2 () : () | void Ok()
            symbol method Bad.Fine 4-4 () : () | void Fine()
            symbol class Rest 6-6 pub | class Rest
            symbol method Rest.More 6-6 () : () | void More()
            ref value a @2 in Bad.Ok
            ref call a . B() @2 in Bad.Ok
            ref call Ok() @4 in Bad.Fine
            ref call Bad @6 in Rest.More
            ref call <Bad> . Fine() @6 in Rest.More
        "#]],
    );
    check("a/Empty.cs", "", &expect![[r#""#]]);
}
