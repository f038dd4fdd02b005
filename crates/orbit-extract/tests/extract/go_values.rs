//! Go: types without a name, and what values are.

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
