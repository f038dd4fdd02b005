//! Go: calls, locals, literals, types without a name, and what values are.

#![expect(clippy::too_many_lines, reason = "a fixture and its facts stay together")]

use crate::render::check;
use expect_test::expect;

#[test]
fn types_without_a_name_hang_their_members_under_what_holds_them() {
    check(
        "a_test.go",
        r#"
package a

var table = map[string]struct{ want *Row }{"first row": {want: nil}}

func TestRun(t *testing.T) {
	tests := []struct {
		name string
		in   struct{ row Row }
	}{{name: "one name"}}
	for _, tt := range tests {
		tt.in.row.Draw()
	}
	for _, tt := range []struct{ Base }{{Base: base}} {
		tt.Draw()
	}
	{
		tests := struct{ name Row }{}
		tests.name.Draw()
	}
	flusher := any(t).(interface{ Flush() *Row })
	flusher.Flush().Draw()
	use(struct{ row Row }{row: other})
}

func (s *Server) options(o struct{ Rows []Row }) struct{ Count Row } { return o.Rows[0] }

func bounded[T interface{ Close() }](closer T) { closer.Close() }
"#,
        &expect![[r#"
            package a
            symbol variable table 4-4 : <#<#, {{table}}><{{table}}>> | var table = map[string]struct{ want *Row }
            symbol field table.want 4-4 : <Row> | want *Row
            symbol test TestRun 6-24 pub | func TestRun(t *testing.T)
            symbol field TestRun.tests.name 8-8 : # | name string
            symbol field TestRun.tests.in 9-9 : {{TestRun.tests.in}} | in struct{ row Row }
            symbol field TestRun.tests.in.row 9-9 : <Row> | row Row
            symbol field TestRun.tt.Base 14-14 pub : <Base> | Base
            symbol field TestRun.tests2.name 18-18 : <Row> | name Row
            symbol method TestRun.flusher.Flush 21-21 pub : <Row> | Flush() *Row
            symbol field TestRun.struct.row 23-23 : <Row> | row Row
            symbol method Server.options 26-26 : {{Server.options}} | func (s *Server) options(o struct{ Rows []Row }) struct{ Count Row }
            symbol field Server.options.o.Rows 26-26 pub : <#<#, Row><Row>> | Rows []Row
            symbol field Server.options.Count 26-26 pub : <Row> | Count Row
            symbol function bounded 28-28 (<$T:{{bounded.T}}>) <$T:{{bounded.T}}> | func bounded[T interface{ Close() }](closer T)
            symbol method bounded.T.Close 28-28 pub | Close()
            ref type Row @4 in table.want
            ref value {{table}} . want @4 in table
            ref value testing @6 in TestRun
            ref type testing . T @6 in TestRun
            ref type Row @9 in TestRun.tests.in.row
            ref value {{TestRun.tests}} . name @10 in TestRun
            ref value <#<#, {{TestRun.tests}}><{{TestRun.tests}}>>[] . in @12 in TestRun
            ref value <#<#, {{TestRun.tests}}><{{TestRun.tests}}>>[].in . row @12 in TestRun
            ref call <#<#, {{TestRun.tests}}><{{TestRun.tests}}>>[].in.row . Draw @12 in TestRun
            ref type Base @14 in TestRun
            ref value {{TestRun.tt}, <Base>} . Base @14 in TestRun
            ref value base @14 in TestRun
            ref call <#<#, {{TestRun.tt}, <Base>}><{{TestRun.tt}, <Base>}>>[] . Draw @15 in TestRun
            ref type Row @18 in TestRun.tests2.name
            ref value {{TestRun.tests2}} . name @19 in TestRun
            ref call {{TestRun.tests2}}.name . Draw @19 in TestRun
            ref type Row @21 in TestRun.flusher.Flush
            ref call {{TestRun.flusher}} . Flush @22 in TestRun
            ref call {{TestRun.flusher}}.Flush() . Draw @22 in TestRun
            ref call use @23 in TestRun
            ref type Row @23 in TestRun.struct.row
            ref value {{TestRun.struct}} . row @23 in TestRun
            ref value other @23 in TestRun
            ref type Server @26 in Server.options
            ref type Row @26 in Server.options.o.Rows
            ref type Row @26 in Server.options.Count
            ref value {{Server.options.o}} . Rows @26 in Server.options
            ref call <$T:{{bounded.T}}> . Close @28 in bounded
            string "first row" @4 in table
            string "one name" @10 in TestRun
        "#]],
    );
}

#[test]
fn functions_are_values_by_what_they_take_and_give() {
    check(
        "a.go",
        r#"
package a

type Server struct {
	now  func() *Clock
	load func(ctx Context, names ...string) (rows, more []Row, err error)
}

func make(get func() *Clock) func(n int) *Clock {
	one := sync.OnceValue(func() *Clock { return get() })
	one().Tick()
	return nil
}

func run(s *Server) {
	rows, more, err := s.load(ctx)
	more[0].Draw(err)
	fns[0](1).Tick()
	Get[Row](1).Draw()
	Pair[Row, int](1, x).Draw()
	Map(rows, func(r Row) Cell { return r.Cell })[0].Draw()
	All(rows...).Draw()
	for k, v := range s.index {
		k.Draw(v)
	}
}
"#,
        &expect![[r#"
            package a
            symbol struct Server 4-7 pub | type Server struct
            symbol field Server.now 5-5 : ()=><Clock> | now func() *Clock
            symbol field Server.load 6-6 : (<Context>, #...)=><(#<#, Row><Row>, #<#, Row><Row>, #)> | load func(ctx Context, names ...string) (rows, more []Row, err error)
            symbol function make 9-13 (()=><Clock>) : (#)=><Clock> | func make(get func() *Clock) func(n int) *Clock
            symbol function run 15-26 | func run(s *Server)
            ref type Clock @5 in Server.now
            ref type Context @6 in Server.load
            ref type Row @6 in Server.load
            ref type Clock @9 in make
            ref type Clock @9 in make
            ref value sync @10 in make
            ref call sync . OnceValue @10 in make
            ref type Clock @10 in make
            ref call sync.OnceValue()() . Tick @11 in make
            ref type Server @15 in run
            ref call <Server> . load @16 in run
            ref value ctx @16 in run
            ref call <Server>.load().1[] . Draw @17 in run
            ref call fns @18 in run
            ref call fns<?>() . Tick @18 in run
            ref call Get @19 in run
            ref type Row @19 in run
            ref call Get<Row>() . Draw @19 in run
            ref call Pair @20 in run
            ref type Row @20 in run
            ref value x @20 in run
            ref call Pair<Row, #>() . Draw @20 in run
            ref call Map @21 in run
            ref type Row @21 in run
            ref type Cell @21 in run
            ref value <Row> . Cell @21 in run
            ref call Map()[] . Draw @21 in run
            ref call All @22 in run
            ref call All() . Draw @22 in run
            ref value <Server> . index @23 in run
            ref call each(<Server>.index) . Draw @24 in run
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
