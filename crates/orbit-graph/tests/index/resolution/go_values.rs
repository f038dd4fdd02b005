//! Go: what values are, where no type is written beside them.

#![expect(clippy::too_many_lines, reason = "a fixture and its facts stay together")]

use super::{check, check_kind, check_tree};
use crate::compare::assert_equals_fresh;
use crate::tree::Tree;
use expect_test::expect;

/// A package whose types the tests go through.
pub(super) const CLOCKS: &str = r"
==> go.mod
module example.com/demo
==> clock/clock.go
package clock

type Clock struct{ Zone Zone }
func (c *Clock) Tick() *Clock { return c }
type Zone struct{}
func (z Zone) Name() string { return z.name() }
func (z Zone) name() string { return `` }
func New() *Clock { return &Clock{} }
";

#[test]
fn functions_give_what_the_functions_they_return_give() {
    check(
        &format!(
            "{CLOCKS}{}",
            r"
==> use.go
package demo

import (
	once `sync`
	`example.com/demo/clock`
)

type Maker func() *clock.Clock
type Server struct {
	now   func() *clock.Clock
	both  func() (int, *clock.Clock)
	maker Maker
	all   map[string]func() clock.Zone
}

func makeHandler() func(n int) *clock.Clock { return nil }
func nested() func() func() *clock.Clock { return nil }

var shared = once.OnceValue(func() *clock.Clock { return clock.New() })
var again = once.OnceValue(clock.New)
var pair = once.OnceValues(func() (*clock.Clock, error) { return nil, nil })

func run(s *Server, given func() *clock.Clock, steps []func() *clock.Clock) {
	f := makeHandler()
	f(1).Tick() //?
	makeHandler()(1).Tick() //?
	nested()()().Tick() //?
	s.now().Tick() //?
	_, c := s.both()
	c.Tick() //?
	s.maker().Tick() //?
	Maker(s.now)().Tick() //?
	s.all[`x`]().Name() //?
	given().Tick() //?
	steps[0]().Tick() //?
	shared().Tick() //?
	again().Tick() //?
	p, err := pair()
	p.Tick() //?
	err.Error() //?
	local := once.OnceValue(given)
	local().Tick() //?
	method := p.Tick
	method().Tick() //?
	(*clock.Clock).Tick(p).Tick() //?
	func() *clock.Clock { return p }().Tick() //?
}
"
        ),
        &expect![[r#"
            use.go:25 Tick -> clock/clock.go:4 import_resolved
            use.go:26 makeHandler -> use.go:16 exact
            use.go:26 Tick -> clock/clock.go:4 import_resolved
            use.go:27 nested -> use.go:17 exact
            use.go:27 Tick -> clock/clock.go:4 import_resolved
            use.go:28 now -> use.go:10 exact
            use.go:28 Tick -> clock/clock.go:4 import_resolved
            use.go:30 Tick -> clock/clock.go:4 import_resolved
            use.go:31 maker -> use.go:12 exact
            use.go:31 Tick -> clock/clock.go:4 import_resolved
            use.go:32 Maker -> use.go:8 exact
            use.go:32 Tick -> clock/clock.go:4 import_resolved
            use.go:33 all -> use.go:13 exact
            use.go:33 Name -> clock/clock.go:6 import_resolved
            use.go:34 Tick -> clock/clock.go:4 import_resolved
            use.go:35 Tick -> clock/clock.go:4 import_resolved
            use.go:36 shared -> use.go:19 exact
            use.go:36 Tick -> clock/clock.go:4 import_resolved
            use.go:37 again -> use.go:20 exact
            use.go:37 Tick -> clock/clock.go:4 import_resolved
            use.go:39 Tick -> clock/clock.go:4 import_resolved
            use.go:40 Error -> ?
            use.go:42 Tick -> clock/clock.go:4 import_resolved
            use.go:44 Tick -> clock/clock.go:4 import_resolved
            use.go:45 Tick -> clock/clock.go:4 import_resolved
            use.go:45 Tick -> clock/clock.go:4 import_resolved
            use.go:46 Tick -> clock/clock.go:4 import_resolved
        "#]],
    );
}

#[test]
fn rows_of_a_table_have_the_fields_of_its_anonymous_struct() {
    let fixture = format!(
        "{CLOCKS}{}",
        r"
==> table.go
package demo

import `example.com/demo/clock`

var cases = []struct {
	name string
	want *clock.Clock
}{
	{name: `a`, want: clock.New()}, //?
}

func want() {}

type Options struct {
	Limits struct{ Zone clock.Zone }
	Rows   []struct{ Clock *clock.Clock }
}
==> table_test.go
package demo

import (
	`testing`
	`example.com/demo/clock`
)

func TestTable(t *testing.T) {
	tests := []struct {
		name string
		want *clock.Clock
		fn   func() *clock.Clock
		in   struct{ zone clock.Zone }
	}{
		{name: `one`, want: clock.New(), fn: clock.New}, //?
		{`two`, nil, nil, struct{ zone clock.Zone }{}},
	}
	for _, tt := range tests {
		tt.want.Tick() //?
		tt.fn().Tick() //?
		tt.in.zone.Name() //?
		t.Run(tt.name, func(t *testing.T) { tt.want.Tick() }) //?
	}
	for name, tc := range map[string]struct{ zone clock.Zone }{`x`: {zone: clock.Zone{}}} { //?
		tc.zone.Name() //?
		_ = name
	}
	for _, row := range cases {
		row.want.Tick() //?
	}
	{
		tests := []struct{ want clock.Zone }{{want: clock.Zone{}}} //?
		tests[0].want.Name() //?
	}
	want() //?
	var o Options
	o.Limits.Zone.Name() //?
	o.Rows[0].Clock.Tick() //?
	embeds := struct{ *clock.Clock }{}
	embeds.Tick().Zone.Name() //?
	var any interface{}
	if flusher, ok := any.(interface{ Flush() *clock.Clock }); ok {
		flusher.Flush().Tick() //?
	}
}
"
    );
    let tree = Tree::of(&fixture);
    tree.sync();
    check_kind(
        &tree,
        "value",
        &expect![[r#"
        table.go:9 name -> table.go:6 exact
        table.go:9 want -> table.go:7 exact
        table_test.go:15 name -> table_test.go:10 exact
        table_test.go:15 want -> table_test.go:11 exact
        table_test.go:15 fn -> table_test.go:12 exact
        table_test.go:15 New -> clock/clock.go:8 import_resolved
        table_test.go:19 want -> table_test.go:11 exact
        table_test.go:21 in -> table_test.go:13 exact
        table_test.go:21 zone -> table_test.go:13 exact
        table_test.go:22 name -> table_test.go:10 exact
        table_test.go:22 want -> table_test.go:11 exact
        table_test.go:24 zone -> table_test.go:24 exact
        table_test.go:25 zone -> table_test.go:24 exact
        table_test.go:29 want -> table.go:7 same_module
        table_test.go:32 want -> table_test.go:32 exact
        table_test.go:33 want -> table_test.go:32 exact
        table_test.go:37 Limits -> table.go:15 same_module
        table_test.go:37 Zone -> table.go:15 same_module
        table_test.go:38 Rows -> table.go:16 same_module
        table_test.go:38 Clock -> table.go:16 same_module
        table_test.go:40 Zone -> clock/clock.go:3 import_resolved
    "#]],
    );
    check_tree(
        &tree,
        &expect![[r#"
        table.go:9 New -> clock/clock.go:8 import_resolved
        table_test.go:15 New -> clock/clock.go:8 import_resolved
        table_test.go:19 Tick -> clock/clock.go:4 import_resolved
        table_test.go:20 fn -> table_test.go:12 exact
        table_test.go:20 Tick -> clock/clock.go:4 import_resolved
        table_test.go:21 Name -> clock/clock.go:6 import_resolved
        table_test.go:22 Run -> ?
        table_test.go:22 Tick -> clock/clock.go:4 import_resolved
        table_test.go:25 Name -> clock/clock.go:6 import_resolved
        table_test.go:29 Tick -> clock/clock.go:4 import_resolved
        table_test.go:33 Name -> clock/clock.go:6 import_resolved
        table_test.go:35 want -> table.go:12 same_module
        table_test.go:37 Name -> clock/clock.go:6 import_resolved
        table_test.go:38 Tick -> clock/clock.go:4 import_resolved
        table_test.go:40 Tick -> clock/clock.go:4 import_resolved
        table_test.go:40 Name -> clock/clock.go:6 import_resolved
        table_test.go:43 Flush -> table_test.go:42 exact
        table_test.go:43 Tick -> clock/clock.go:4 import_resolved
    "#]],
    );
    tree.replace("table.go", "want *clock.Clock", "want clock.Zone");
    assert_equals_fresh(&tree);
}

#[test]
fn loops_channels_and_several_results() {
    check(
        &format!(
            "{CLOCKS}{}",
            r"
==> use.go
package demo

import (
	`iter`
	`example.com/demo/clock`
)

type Feed chan *clock.Clock
func three() (*clock.Clock, clock.Zone, error) { return nil, clock.Zone{}, nil }
func walk(yield func(clock.Zone) bool) {}
func pairs(yield func(clock.Zone, *clock.Clock) bool) {}
func seq() iter.Seq[*clock.Clock] { return nil }
func seq2() iter.Seq2[clock.Zone, *clock.Clock] { return nil }

func run(ch chan *clock.Clock, feed Feed, byZone map[clock.Zone]*clock.Clock, v any) {
	for c := range ch {
		c.Tick() //?
	}
	for c := range feed {
		c.Tick() //?
	}
	(<-ch).Tick() //?
	x, ok := <-feed
	x.Tick() //?
	for z := range byZone {
		z.Name() //?
	}
	for z, c := range byZone {
		z.Name() //?
		c.Tick() //?
	}
	c, z, err := three()
	c.Tick() //?
	z.Name() //?
	err.Error() //?
	for z := range walk {
		z.Name() //?
	}
	for z, c := range pairs {
		z.Name() //?
		c.Tick() //?
	}
	for c := range seq() {
		c.Tick() //?
	}
	for z, c := range seq2() {
		z.Name() //?
		c.Tick() //?
	}
	select {
	case c, ok := <-ch:
		c.Tick() //?
	}
outer:
	for i := range 10 {
		if i > 1 {
			break outer
		}
	}
	switch x := v.(type) {
	case *clock.Clock:
		x.Tick() //?
	case clock.Zone, error:
	}
	got, ok := byZone[z]
	got.Tick() //?
	if zone, ok := v.(clock.Zone); ok {
		zone.Name() //?
	}
	_ = ok
}
"
        ),
        &expect![[r#"
            use.go:17 Tick -> clock/clock.go:4 import_resolved
            use.go:20 Tick -> clock/clock.go:4 import_resolved
            use.go:22 Tick -> clock/clock.go:4 import_resolved
            use.go:24 Tick -> clock/clock.go:4 import_resolved
            use.go:26 Name -> clock/clock.go:6 import_resolved
            use.go:29 Name -> clock/clock.go:6 import_resolved
            use.go:30 Tick -> clock/clock.go:4 import_resolved
            use.go:33 Tick -> clock/clock.go:4 import_resolved
            use.go:34 Name -> clock/clock.go:6 import_resolved
            use.go:35 Error -> ?
            use.go:37 Name -> clock/clock.go:6 import_resolved
            use.go:40 Name -> clock/clock.go:6 import_resolved
            use.go:41 Tick -> clock/clock.go:4 import_resolved
            use.go:44 Tick -> clock/clock.go:4 import_resolved
            use.go:47 Name -> clock/clock.go:6 import_resolved
            use.go:48 Tick -> clock/clock.go:4 import_resolved
            use.go:52 Tick -> clock/clock.go:4 import_resolved
            use.go:62 Tick -> clock/clock.go:4 import_resolved
            use.go:66 Tick -> clock/clock.go:4 import_resolved
            use.go:68 Name -> clock/clock.go:6 import_resolved
        "#]],
    );
}

#[test]
fn blocks_of_a_function_declare_names_of_their_own() {
    let tree = Tree::of(
        r"
==> go.mod
module demo
==> a.go
package demo

func helper() {}

func run(first bool) {
	if first {
		type point struct{ x int }
		same := func() *point { return nil }
		p := point{x: 1} //?
		same().x = p.x //?
	} else {
		type point struct{ x string }
		same := func() *point { return nil }
		p := point{x: `1`} //?
		same().x = p.x //?
	}
	helper() //?
}
",
    );
    tree.sync();
    check_kind(
        &tree,
        "value",
        &expect![[r#"
        a.go:9 x -> a.go:7 exact
        a.go:10 x -> a.go:7 exact
        a.go:10 x -> a.go:7 exact
        a.go:14 x -> a.go:12 exact
        a.go:15 x -> a.go:12 exact
        a.go:15 x -> a.go:12 exact
    "#]],
    );
    check_kind(
        &tree,
        "type",
        &expect![[r#"
        a.go:9 point -> a.go:7 exact
        a.go:14 point -> a.go:12 exact
    "#]],
    );
    check_tree(
        &tree,
        &expect![[r#"
        a.go:10 same -> a.go:8 exact
        a.go:15 same -> a.go:13 exact
        a.go:17 helper -> a.go:3 exact
    "#]],
    );
}

#[test]
fn keys_of_literals_are_fields_or_names() {
    let tree = Tree::of(
        r"
==> go.mod
module demo
==> types.go
package demo

type Pair struct{ Name string; Value int }
type Pairs []*Pair
type Index map[Kind]Pair
type Groups map[string]Pairs
type Kind int

const (
	First Kind = iota
	Second
)

func Value() {}
==> use.go
package demo

var pairs = Pairs{{Name: `a`, Value: 1}} //?
var index = Index{First: {Name: `b`}, Second: {Value: 2}} //?
var groups = Groups{`x`: {{Value: 3}}} //?

func run(Second Kind) {
	_ = Index{Second: {Value: 4}} //?
	_ = map[Pair]int{{Name: `c`}: 1} //?
}
",
    );
    tree.sync();
    check_kind(
        &tree,
        "value",
        &expect![[r#"
        use.go:3 Name -> types.go:3 same_module
        use.go:3 Value -> types.go:3 same_module
        use.go:4 First -> types.go:10 same_module
        use.go:4 Name -> types.go:3 same_module
        use.go:4 Second -> types.go:11 same_module
        use.go:4 Value -> types.go:3 same_module
        use.go:5 Value -> types.go:3 same_module
        use.go:8 Value -> types.go:3 same_module
        use.go:9 Name -> types.go:3 same_module
    "#]],
    );
}
