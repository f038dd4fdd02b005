#![expect(clippy::too_many_lines, reason = "a fixture and its facts stay together")]

use crate::render::check;
use expect_test::expect;

#[test]
fn functions_methods_and_receivers() {
    check(
        "srv/a.go",
        r#"
package srv

func New(addr string, opts ...Option) (*Server, error) {
	s := &Server{addr: addr}
	helper := func(n int) *Item { return s.items[n] }
	helper(1).Touch()
	return s, nil
}

type Server struct {
	addr  string
	items []*Item
}

func (s *Server) Run(ctx context.Context) error {
	s.items[0].Touch()
	s.later()
	return nil
}

func (Server) Anonymous() {}

func (p *Pool[K, V]) Get(k K) V { return p.m[k] }

func init() {}
func init() {}
"#,
        &expect![[r#"
            package srv
            symbol function New 4-9 pub : <(Server, #)> | func New(addr string, opts ...Option) (*Server, error)
            symbol function New.helper 6-6 : <Item> | helper := func(n int) *Item
            symbol struct Server 11-14 pub | type Server struct
            symbol field Server.addr 12-12 : # | addr string
            symbol field Server.items 13-13 : <#<#, Item><Item>> | items []*Item
            symbol method Server.Run 16-20 pub : # | func (s *Server) Run(ctx context.Context) error
            symbol method Server.Anonymous 22-22 pub | func (Server) Anonymous()
            symbol method Pool.Get 24-24 pub <$K, $V> for Pool<$K, $V><$V> : <$V> | func (p *Pool[K, V]) Get(k K) V
            symbol function init 26-26 | func init()
            symbol function init#2 27-27 | func init()
            ref type Option @4 in New
            ref type Server @4 in New
            ref type Server @5 in New
            ref value <Server> . addr @5 in New
            ref type Item @6 in New.helper
            ref value <Server> . items @6 in New.helper
            ref call helper @7 in New
            ref call helper() . Touch @7 in New
            ref type Item @13 in Server.items
            ref type Server @16 in Server.Run
            ref value context @16 in Server.Run
            ref type context . Context @16 in Server.Run
            ref value <Server> . items @17 in Server.Run
            ref call <Server>.items[] . Touch @17 in Server.Run
            ref call <Server> . later @18 in Server.Run
            ref type Server @22 in Server.Anonymous
            ref type Pool @24 in Pool.Get
            ref value <Pool<$K, $V><$V>> . m @24 in Pool.Get
        "#]],
    );
}

#[test]
fn types_fields_and_embedding() {
    check(
        "srv/a.go",
        r#"
package srv

type (
	ID    int64
	Names = []string
	Hook  func(c *Context) error
)

type Base struct {
	*Inner
	pkg.Other
	Gen[Foo]
	A, b Foo `json:"a_field"`
	cfg  struct {
		Port Port
	}
}

type Reader interface {
	io.Reader
	Closer
	comparable
	Read(p []byte) (n Count, err error)
	close()
}

type Number interface {
	~int | ~float64 | Big
}

var _ Reader = (*Base)(nil)
var _ Reader = &Base{}
var _ Reader = (*elsewhere)(nil)

func local() {
	type point struct{ x int }
}
"#,
        &expect![[r#"
            package srv
            symbol type_alias ID 5-5 pub : # | ID int64
            symbol type_alias Names 6-6 pub : # | Names = []string
            symbol type_alias Hook 7-7 pub : (<Context>)=># | Hook func(c *Context) error
            symbol struct Base 10-18 pub | type Base struct
            symbol field Base.Inner 11-11 pub : <Inner> | *Inner
            symbol field Base.Other 12-12 pub : <pkg.Other> | pkg.Other
            symbol field Base.Gen 13-13 pub : <Gen<Foo>> | Gen[Foo]
            symbol field Base.A 14-14 pub : <Foo> | A, b Foo `json:"a_field"`
            symbol field Base.b 14-14 : <Foo> | A, b Foo `json:"a_field"`
            symbol field Base.cfg 15-17 : {{Base.cfg}} | cfg struct { Port Port }
            symbol field Base.cfg.Port 16-16 pub : <Port> | Port Port
            symbol interface Reader 20-26 pub | type Reader interface
            symbol method Reader.Read 24-24 pub : <(Count, #)> | Read(p []byte) (n Count, err error)
            symbol method Reader.close 25-25 | close()
            symbol interface Number 28-30 pub | type Number interface
            symbol function local 36-38 | func local()
            symbol struct local.point 37-37 | type point struct
            symbol field local.point.x 37-37 : # | x int
            ref type Context @7 in Hook
            ref type Inner @11 in Base
            ref value pkg @12 in Base
            ref type pkg . Other @12 in Base
            ref type Gen @13 in Base
            ref type Foo @13 in Base
            ref type Foo @14 in Base.A
            ref type Port @16 in Base.cfg.Port
            ref value io @21 in Reader
            ref type io . Reader @21 in Reader
            ref type Closer @22 in Reader
            ref type Count @24 in Reader.Read
            ref type Big @29 in Number
            ref type Reader @32 in -
            ref type Base @32 in -
            ref type Reader @33 in -
            ref type Base @33 in -
            ref type Reader @34 in -
            ref type elsewhere @34 in -
            relation Base extends Inner @11
            relation Base extends pkg.Other @12
            relation Base extends Gen<Foo> @13
            relation Reader extends io.Reader @21
            relation Reader extends Closer @22
            relation Base implements Reader @32
            relation Base implements Reader @33
            string "json:\"a_field\"" @14 in Base
        "#]],
    );
}

#[test]
fn generics() {
    check(
        "a.go",
        r#"
package a

type Set[T comparable] struct{ m map[T]Foo }

func Map[T Stringer, E any, S ~[]E, N Number[int]](xs []T, f func(x T) E) (out []E) {
	for _, x := range xs {
		x.String()
		out = append(out, f(x))
	}
	var s Set[Foo]
	_ = Map[int](xs)
	_ = pkg.Map[Foo, int](xs)
	_ = Map[int, Foo](xs, nil)
	New[Foo]().Touch()
	return
}
"#,
        &expect![[r#"
            package a
            symbol struct Set 4-4 pub <$T> | type Set[T comparable] struct
            symbol field Set.m 4-4 : <#<$T, Foo><Foo>> | m map[T]Foo
            symbol function Map 6-17 pub (<#<#, $T:Stringer><$T:Stringer>>, (<$T:Stringer>)=><$E>) <$T:Stringer, $E, $S:#<#, $E><$E>, $N:Number<#>> : <#<#, $E><$E>> | func Map[T Stringer, E any, S ~[]E, N Number[int]](xs []T, f func(x T) E) (out []E)
            ref type Foo @4 in Set.m
            ref trait_bound Stringer @6 in Map
            ref trait_bound Number @6 in Map
            ref call <#<#, $T:Stringer><$T:Stringer>>[] . String @8 in Map
            ref type Set @11 in Map
            ref type Foo @11 in Map
            ref call Map @12 in Map
            ref value pkg @13 in Map
            ref call pkg . Map @13 in Map
            ref type Foo @13 in Map
            ref call Map @14 in Map
            ref type Foo @14 in Map
            ref call New @15 in Map
            ref value Foo @15 in Map
            ref call New<Foo>() . Touch @15 in Map
        "#]],
    );
}

#[test]
fn constants_and_variables() {
    check(
        "a.go",
        r#"
package a

const Max = 3

const (
	First Kind = iota
	Second
	_
	third, fourth = 1, "four"
)

var (
	mu      sync.Mutex
	Default = NewClient(mu)
	a, b    = pair()
	table   = map[string]*Row{"key-one": {Name: first}}
)

var Handler = func(c *Context) *Reply { return c.Reply() }

func f() {
	const limit Size = 2
	var x, y Foo = makeFoo(), limit.Grow()
	var z = x
	z.Go(y)
	Default.Call(Second)
}
"#,
        &expect![[r#"
            package a
            symbol const Max 4-4 pub : # | const Max = 3
            symbol const First 7-7 pub : <Kind> | First Kind = iota
            symbol const Second 8-8 pub : <Kind> | Second
            symbol const third 10-10 : # | third, fourth = 1, "four"
            symbol const fourth 10-10 : # | third, fourth = 1, "four"
            symbol variable mu 14-14 : <sync.Mutex> | mu sync.Mutex
            symbol variable Default 15-15 pub : NewClient() | Default = NewClient(mu)
            symbol variable a 16-16 : pair().0 | a, b = pair()
            symbol variable b 16-16 : pair().1 | a, b = pair()
            symbol variable table 17-17 : <#<#, Row><Row>> | table = map[string]*Row
            symbol function Handler 20-20 pub : <Reply> | var Handler = func(c *Context) *Reply
            symbol function f 22-28 | func f()
            ref type Kind @7 in First
            ref value sync @14 in mu
            ref type sync . Mutex @14 in mu
            ref call NewClient @15 in Default
            ref value mu @15 in Default
            ref call pair @16 in a
            ref type Row @17 in table
            ref value <Row> . Name @17 in table
            ref value first @17 in table
            ref type Context @20 in Handler
            ref type Reply @20 in Handler
            ref call <Context> . Reply @20 in Handler
            ref type Size @23 in f
            ref type Foo @24 in f
            ref call makeFoo @24 in f
            ref call <Size> . Grow @24 in f
            ref call <Foo> . Go @26 in f
            ref value Default @27 in f
            ref call Default . Call @27 in f
            ref value Second @27 in f
            string "key-one" @17 in table
        "#]],
    );
}

#[test]
fn calls_receivers_and_locals() {
    check(
        "a.go",
        r#"
package a

func run(c *gin.Context, items []Item, byKey map[string]*Row, ch chan Msg) {
	c.JSON(200, "a long message")
	for i, item := range items {
		item.Touch(i)
	}
	for _, row := range byKey {
		row.Cells[0].Draw()
	}
	for msg := range ch {
		msg.Send()
	}
	byKey["a"].Draw()
	(<-ch).Send()
	client, err := NewClient()
	client.Do(err.Error())
	if v, ok := any(c).(Flusher); ok {
		v.Flush()
	}
	v.Outer()
	x := make([]Foo, 3)
	x[0].Bar()
	y := new(Foo)
	y.Bar()
	z := append(x, *y)
	z[1:2][0].Bar()
	go y.Bar()
	defer func() { recover() }()
	func() *Foo { return y }().Bar()
	http.HandleFunc("/route/path", handle)
	n := len(items) + int(max(1, 2))
	_ = []byte(`raw text here`)
	http.DefaultClient.Timeout = n
	Foo(y).Bar()
	(y).Bar()
	ns.T{Field: other.Value}.Method()
}
"#,
        &expect![[r#"
            package a
            symbol function run 4-39 | func run(c *gin.Context, items []Item, byKey map[string]*Row, ch chan Msg)
            ref value gin @4 in run
            ref type gin . Context @4 in run
            ref type Item @4 in run
            ref type Row @4 in run
            ref type Msg @4 in run
            ref call <gin.Context> . JSON @5 in run
            ref call <#<#, Item><Item>>[] . Touch @7 in run
            ref value <#<#, Row><Row>>[] . Cells @10 in run
            ref call <#<#, Row><Row>>[].Cells[] . Draw @10 in run
            ref call each(<#<Msg>>) . Send @13 in run
            ref call <#<#, Row><Row>>[] . Draw @15 in run
            ref call <#<Msg>>[] . Send @16 in run
            ref call NewClient @17 in run
            ref call NewClient().0 . Do @18 in run
            ref call NewClient().1 . Error @18 in run
            ref type Flusher @19 in run
            ref call <Flusher> . Flush @20 in run
            ref value v @22 in run
            ref call v . Outer @22 in run
            ref type Foo @23 in run
            ref call <#<#, Foo><Foo>>[] . Bar @24 in run
            ref type Foo @25 in run
            ref call <Foo> . Bar @26 in run
            ref call <#<#, Foo><Foo>>[] . Bar @28 in run
            ref call <Foo> . Bar @29 in run
            ref type Foo @31 in run
            ref call <Foo> . Bar @31 in run
            ref value http @32 in run
            ref call http . HandleFunc @32 in run
            ref value handle @32 in run
            ref call max @33 in run
            ref value http @35 in run
            ref value http . DefaultClient @35 in run
            ref value http.DefaultClient . Timeout @35 in run
            ref call Foo @36 in run
            ref call Foo() . Bar @36 in run
            ref call <Foo> . Bar @37 in run
            ref value ns @38 in run
            ref type ns . T @38 in run
            ref value <ns.T> . Field @38 in run
            ref value other @38 in run
            ref value other . Value @38 in run
            ref call <ns.T> . Method @38 in run
            string "a long message" @5 in run
            string "/route/path" @32 in run
            string "raw text here" @34 in run
        "#]],
    );
}

#[test]
fn switches_and_selects() {
    check(
        "a.go",
        r#"
package a

func f(v any, ch chan Msg) {
	switch x := v.(type) {
	case *Foo:
		x.Bar()
	case A, pkg.B:
		x.Both()
	default:
		x.None()
	}
	select {
	case m, ok := <-ch:
		m.Send(ok)
	case ch <- build():
	default:
	}
	switch k := kind(); k {
	case KindA, pkg.KindB:
		goto end
	}
	for i := 0; i < limit; i++ {
		continue
	}
end:
	return
}
"#,
        &expect![[r#"
            package a
            symbol function f 4-28 | func f(v any, ch chan Msg)
            ref type Msg @4 in f
            ref type Foo @6 in f
            ref call <Foo> . Bar @7 in f
            ref type A @8 in f
            ref value pkg @8 in f
            ref type pkg . B @8 in f
            ref call ? . Both @9 in f
            ref call ? . None @11 in f
            ref call <#<Msg>>[] . Send @15 in f
            ref call build @16 in f
            ref call kind @19 in f
            ref value KindA @20 in f
            ref value pkg @20 in f
            ref value pkg . KindB @20 in f
            ref value limit @23 in f
        "#]],
    );
}

#[test]
fn literals() {
    check(
        "a.go",
        r#"
package a

var rows = []Row{{Name: n, Cells: []*Cell{{X: 1}}}, Row{Name: "second row"}}
var byID = map[ID]Row{first: {Name: n}, 2: {}}
var anon = struct{ A Foo }{A: build()}
var arr = [...]pkg.T{index: {F: 1}}
"#,
        &expect![[r#"
            package a
            symbol variable rows 4-4 : <#<#, Row><Row>> | var rows = []Row
            symbol variable byID 5-5 : <#<ID, Row><Row>> | var byID = map[ID]Row
            symbol variable anon 6-6 : {{anon}} | var anon = struct{ A Foo }
            symbol field anon.A 6-6 pub : <Foo> | A Foo
            symbol variable arr 7-7 : <#<#, pkg.T><pkg.T>> | var arr = [...]pkg.T
            ref type Row @4 in rows
            ref value <Row> . Name @4 in rows
            ref value n @4 in rows
            ref value <Row> . Cells @4 in rows
            ref type Cell @4 in rows
            ref value <Cell> . X @4 in rows
            ref type Row @4 in rows
            ref value <Row> . Name @4 in rows
            ref type ID @5 in byID
            ref type Row @5 in byID
            ref value first @5 in byID
            ref value <Row> . Name @5 in byID
            ref value n @5 in byID
            ref type Foo @6 in anon.A
            ref value {{anon}} . A @6 in anon
            ref call build @6 in anon
            ref value pkg @7 in arr
            ref type pkg . T @7 in arr
            ref value index @7 in arr
            ref value <pkg.T> . F @7 in arr
            string "second row" @4 in rows
        "#]],
    );
}

#[test]
fn imports() {
    check(
        "a.go",
        r#"
package a

import "fmt"
import (
	"a/b"
	alias "a/c"
	_ "embed"
	. "dot/pkg"
	"github.com/x/y/v2"
	"gopkg.in/yaml.v3"
)
"#,
        &expect![[r#"
            package a
            import module fmt as fmt @4 in -
            import module a/b as b @6 in -
            import module a/c as alias @7 in -
            import file embed @8 in -
            import glob dot/pkg @9 in -
            import module github.com/x/y/v2 as y @10 in -
            import module gopkg.in/yaml.v3 as yaml @11 in -
        "#]],
    );
}

#[test]
fn tests() {
    check(
        "a_test.go",
        r#"
package a

func TestMain(m *testing.M) {}
func TestServer_run(t *testing.T) { t.Run("sub test", func(t *testing.T) { t.Fatal() }) }
func BenchmarkX(b *testing.B) {}
func FuzzX(f *testing.F) {}
func Example() {}
func Testing() {}
func helper() {}
"#,
        &expect![[r#"
            package a
            symbol test TestMain 4-4 pub | func TestMain(m *testing.M)
            symbol test TestServer_run 5-5 pub | func TestServer_run(t *testing.T)
            symbol test BenchmarkX 6-6 pub | func BenchmarkX(b *testing.B)
            symbol test FuzzX 7-7 pub | func FuzzX(f *testing.F)
            symbol test Example 8-8 pub | func Example()
            symbol function Testing 9-9 pub | func Testing()
            symbol function helper 10-10 | func helper()
            ref value testing @4 in TestMain
            ref type testing . M @4 in TestMain
            ref value testing @5 in TestServer_run
            ref type testing . T @5 in TestServer_run
            ref call <testing.T> . Run @5 in TestServer_run
            ref value testing @5 in TestServer_run
            ref type testing . T @5 in TestServer_run
            ref call <testing.T> . Fatal @5 in TestServer_run
            ref value testing @6 in BenchmarkX
            ref type testing . B @6 in BenchmarkX
            ref value testing @7 in FuzzX
            ref type testing . F @7 in FuzzX
            string "sub test" @5 in TestServer_run
        "#]],
    );
    check(
        "a.go",
        "package a\nfunc TestX() {}\n",
        &expect![[r#"
        package a
        symbol function TestX 2-2 pub | func TestX()
    "#]],
    );
}

#[test]
fn cobra_commands() {
    check(
        "cmd/root.go",
        r#"
package cmd

var rootCmd = &cobra.Command{Use: "app", Short: "does it all"}

func init() {
	rootCmd.AddCommand(taskCmd, newServeCmd())
	taskCmd.AddCommand(&cobra.Command{Use: "list", RunE: list}, importedCmd)
}

var taskCmd = &cobra.Command{
	Use: "task [flags]",
	Run: func(cmd *cobra.Command, args []string) { doTask(cmd) },
}

func newServeCmd() *cobra.Command {
	cmd := &cobra.Command{Use: "serve <addr>", RunE: runServe}
	stop := &cobra.Command{Use: "stop", RunE: pkg.Stop}
	cmd.AddCommand(stop)
	cmd.AddCommand(&cobra.Command{Use: name, RunE: dynamic})
	return cmd
}
"#,
        &expect![[r#"
            package cmd
            symbol variable rootCmd 4-4 : <cobra.Command> | var rootCmd = &cobra.Command
            symbol function init 6-9 | func init()
            symbol variable taskCmd 11-14 : <cobra.Command> | var taskCmd = &cobra.Command
            symbol function newServeCmd 16-22 : <cobra.Command> | func newServeCmd() *cobra.Command
            ref value cobra @4 in rootCmd
            ref type cobra . Command @4 in rootCmd
            ref value <cobra.Command> . Use @4 in rootCmd
            ref value <cobra.Command> . Short @4 in rootCmd
            ref value rootCmd @7 in init
            ref call rootCmd . AddCommand @7 in init
            ref value taskCmd @7 in init
            ref call newServeCmd @7 in init
            ref value taskCmd @8 in init
            ref call taskCmd . AddCommand @8 in init
            ref value cobra @8 in init
            ref type cobra . Command @8 in init
            ref value <cobra.Command> . Use @8 in init
            ref value <cobra.Command> . RunE @8 in init
            ref value list @8 in init
            ref value importedCmd @8 in init
            ref value cobra @11 in taskCmd
            ref type cobra . Command @11 in taskCmd
            ref value <cobra.Command> . Use @12 in taskCmd
            ref value <cobra.Command> . Run @13 in taskCmd
            ref value cobra @13 in taskCmd
            ref type cobra . Command @13 in taskCmd
            ref call doTask @13 in taskCmd
            ref value cobra @16 in newServeCmd
            ref type cobra . Command @16 in newServeCmd
            ref value cobra @17 in newServeCmd
            ref type cobra . Command @17 in newServeCmd
            ref value <cobra.Command> . Use @17 in newServeCmd
            ref value <cobra.Command> . RunE @17 in newServeCmd
            ref value runServe @17 in newServeCmd
            ref value cobra @18 in newServeCmd
            ref type cobra . Command @18 in newServeCmd
            ref value <cobra.Command> . Use @18 in newServeCmd
            ref value <cobra.Command> . RunE @18 in newServeCmd
            ref value pkg @18 in newServeCmd
            ref value pkg . Stop @18 in newServeCmd
            ref call <cobra.Command> . AddCommand @19 in newServeCmd
            ref call <cobra.Command> . AddCommand @20 in newServeCmd
            ref value cobra @20 in newServeCmd
            ref type cobra . Command @20 in newServeCmd
            ref value <cobra.Command> . Use @20 in newServeCmd
            ref value name @20 in newServeCmd
            ref value <cobra.Command> . RunE @20 in newServeCmd
            ref value dynamic @20 in newServeCmd
            string "does it all" @4 in rootCmd
            string "task [flags]" @12 in taskCmd
            string "serve <addr>" @17 in newServeCmd
            command "app" -> - @4
            command "task list" -> list @8
            command "task" -> taskCmd @11
            command "serve" -> runServe @17
            command "serve stop" -> pkg.Stop @18
        "#]],
    );
}

#[test]
fn cobra_commands_of_a_program_in_another_file() {
    check(
        "cmd/task.go",
        r#"
package cmd

var taskCmd = &cobra.Command{Use: "task", RunE: runTask}
var updateCmd = &cobra.Command{Use: "update ID", RunE: runUpdate}

func init() {
	taskCmd.AddCommand(updateCmd)
	rootCmd.AddCommand(taskCmd)
}
"#,
        &expect![[r#"
            package cmd
            symbol variable taskCmd 4-4 : <cobra.Command> | var taskCmd = &cobra.Command
            symbol variable updateCmd 5-5 : <cobra.Command> | var updateCmd = &cobra.Command
            symbol function init 7-10 | func init()
            ref value cobra @4 in taskCmd
            ref type cobra . Command @4 in taskCmd
            ref value <cobra.Command> . Use @4 in taskCmd
            ref value <cobra.Command> . RunE @4 in taskCmd
            ref value runTask @4 in taskCmd
            ref value cobra @5 in updateCmd
            ref type cobra . Command @5 in updateCmd
            ref value <cobra.Command> . Use @5 in updateCmd
            ref value <cobra.Command> . RunE @5 in updateCmd
            ref value runUpdate @5 in updateCmd
            ref value taskCmd @8 in init
            ref call taskCmd . AddCommand @8 in init
            ref value updateCmd @8 in init
            ref value rootCmd @9 in init
            ref call rootCmd . AddCommand @9 in init
            ref value taskCmd @9 in init
            string "update ID" @5 in updateCmd
            command "task" -> runTask @4
            command "task update" -> runUpdate @5
        "#]],
    );
}

#[test]
fn bad_syntax_keeps_the_rest() {
    check(
        "a.go",
        "package a\nfunc ok() {}\ntype = struct {\nfunc fine() { ok() }\nvar x =\nfunc last() { fine( }\n",
        &expect![[r#"
            has errors
            package a
            symbol function ok 2-2 | func ok()
            symbol function fine 4-4 | func fine()
            symbol function x 5-6 | var x = func last()
            ref call ok @4 in fine
            ref value fine @6 in x
        "#]],
    );
    check("a.go", "", &expect![[""]]);
}

#[test]
fn deep_trees() {
    for source in [
        format!("package a\nvar x = {}1{}\n", "(".repeat(20_000), ")".repeat(20_000)),
        format!("package a\nvar x = a{}\n", ".a()".repeat(20_000)),
        format!("package a\nvar x = a{}(1)\n", "[0]".repeat(20_000)),
        format!("package a\nvar x = [][]T{}{}\n", "{".repeat(20_000), "}".repeat(20_000)),
        format!("package a\nfunc f() {}{}\n", "{".repeat(20_000), "}".repeat(20_000)),
    ] {
        assert!(orbit_extract::extract("a.go", orbit_extract::Lang::Go, source.as_bytes()).is_ok());
    }
}

#[test]
fn generic_functions_as_values() {
    check(
        "a.go",
        r#"
package a

func run() {
	join(Pair[int, string], lo.Triple[int, int, string])
	one := first[int](items)
}
"#,
        &expect![[r#"
            package a
            symbol function run 4-7 | func run()
            ref call join @5 in run
            ref value Pair @5 in run
            ref value lo @5 in run
            ref value lo . Triple @5 in run
            ref call first @6 in run
            ref value items @6 in run
        "#]],
    );
}
