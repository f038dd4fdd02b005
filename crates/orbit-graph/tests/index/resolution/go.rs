//! Go.

use super::check;
use expect_test::expect;

#[test]
fn a_defined_type_has_its_own_methods_whatever_it_is_made_of() {
    check(
        r"
==> go.mod
module example.com/demo
==> types.go
package demo

type Scheme int

const (
	First Scheme = iota
	Second
)

type Item struct{}

type Items []Item

type Index map[string]Item

type Make func() Item
==> methods.go
package demo

func (s Scheme) String() string { return s.Name() } //?

func (s Scheme) Name() string { return First.String() } //?

func (i Item) Touch() {}

func (is Items) Sort() Items { return is }

func (ix Index) Keys() Items { return nil }

func (m Make) Twice() Item { return m() }
==> use.go
package demo

func run(items Items, index Index, make Make) {
	Second.String() //?
	items.Sort().Sort() //?
	index.Keys().Sort() //?
	make.Twice().Touch() //?
	for _, item := range items.Sort() { //?
		item.Touch() //?
	}
	items[0].Touch() //?
	Scheme(1).String() //?
}
",
        &expect![[r#"
            methods.go:3 Name -> methods.go:5 exact
            methods.go:5 String -> methods.go:3 exact
            use.go:4 String -> methods.go:3 same_module
            use.go:5 Sort -> methods.go:9 same_module
            use.go:5 Sort -> methods.go:9 same_module
            use.go:6 Keys -> methods.go:11 same_module
            use.go:6 Sort -> methods.go:9 same_module
            use.go:7 Twice -> methods.go:13 same_module
            use.go:7 Touch -> methods.go:7 same_module
            use.go:8 Sort -> methods.go:9 same_module
            use.go:9 Touch -> methods.go:7 same_module
            use.go:11 Touch -> methods.go:7 same_module
            use.go:12 Scheme -> types.go:3 same_module
            use.go:12 String -> methods.go:3 same_module
        "#]],
    );
}

#[test]
fn of_twins_for_several_systems_the_one_of_a_build_on_linux_is_meant() {
    check(
        r"
==> go.mod
module demo
==> poll_darwin.go
package demo
func poll() {}
==> poll_linux.go
package demo
func poll() {}
==> old.go
//go:build !go1.21

package demo
func limit() {}
==> recent.go
//go:build go1.21

package demo
func limit() {}
==> a.go
package demo
func run() {
	poll() //?
	limit() //?
}
",
        &expect![[r#"
            a.go:3 poll -> poll_linux.go:2 same_module
            a.go:4 limit -> recent.go:4 same_module
        "#]],
    );
}
