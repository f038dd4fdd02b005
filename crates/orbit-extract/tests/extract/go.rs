//! Go: declarations, imports and tests.

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
