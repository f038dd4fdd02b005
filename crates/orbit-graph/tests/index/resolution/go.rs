//! Go.

#![expect(clippy::too_many_lines, reason = "a fixture and its edges stay together")]

use super::{check, check_tree};
use crate::compare::assert_equals_fresh;
use crate::tree::Tree;
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

#[test]
fn imports_lead_to_modules_of_the_workspace_and_to_packages_by_the_name_they_declare() {
    let tree = Tree::of(
        r#"
==> go.work
go 1.24
use (
	./app
	./go-tools
)
==> app/go.mod
module example.com/app
require example.com/other v1.0.0
replace example.com/other => ../other
==> other/go.mod
module example.com/other // replaced by a directory
==> other/other.go
package other
func Help() {}
==> go-tools/go.mod
module example.com/go-tools/v2
==> go-tools/tools.go
package tools
func Run() *Tool { return nil }
type Tool struct{}
func (t *Tool) Stop() {}
==> go-tools/internal/deep/deep.go
package deep
func Dive() {}
==> app/main.go
package main
import (
	"example.com/go-tools/v2"
	"example.com/go-tools/v2/internal/deep"
	"example.com/other"
	. "example.com/app/dot"
)
func main() {
	tools.Run().Stop() //?
	deep.Dive() //?
	other.Help() //?
	Dotted() //?
	var t tools.Tool
	t.Stop() //?
}
==> app/dot/dot.go
package dot
func Dotted() {}
func hidden() {}
==> app/dot/dot_test.go
package dot_test
import "example.com/app/dot"
func hidden() {}
func use() {
	dot.Dotted() //?
	hidden() //?
}
"#,
    );
    tree.sync();
    check_tree(
        &tree,
        &expect![[r#"
        app/dot/dot_test.go:5 Dotted -> app/dot/dot.go:2 import_resolved
        app/dot/dot_test.go:6 hidden -> app/dot/dot_test.go:3 exact
        app/main.go:9 Run -> go-tools/tools.go:2 import_resolved
        app/main.go:9 Stop -> go-tools/tools.go:4 import_resolved
        app/main.go:10 Dive -> go-tools/internal/deep/deep.go:2 import_resolved
        app/main.go:11 Help -> other/other.go:2 import_resolved
        app/main.go:12 Dotted -> app/dot/dot.go:2 import_resolved
        app/main.go:14 Stop -> go-tools/tools.go:4 import_resolved
    "#]],
    );
    tree.replace("go-tools/tools.go", "package tools", "package gadgets");
    assert_equals_fresh(&tree);
    tree.replace("app/main.go", "tools.Run()", "gadgets.Run()");
    assert_equals_fresh(&tree);
    check_tree(
        &tree,
        &expect![[r#"
        app/dot/dot_test.go:5 Dotted -> app/dot/dot.go:2 import_resolved
        app/dot/dot_test.go:6 hidden -> app/dot/dot_test.go:3 exact
        app/main.go:9 Run -> go-tools/tools.go:2 import_resolved
        app/main.go:9 Stop -> go-tools/tools.go:4 import_resolved
        app/main.go:10 Dive -> go-tools/internal/deep/deep.go:2 import_resolved
        app/main.go:11 Help -> other/other.go:2 import_resolved
        app/main.go:12 Dotted -> app/dot/dot.go:2 import_resolved
        app/main.go:14 Stop -> ?
    "#]],
    );
}

#[test]
fn what_is_embedded_is_promoted_through_pointers_and_packages() {
    check(
        r#"
==> go.mod
module example.com/demo
==> base/base.go
package base
type Logger interface { Log(text string) }
type Core struct{ Name string }
func (c *Core) Start() *Core { return c }
type Middle struct { *Core; Logger }
func (m Middle) Own() {}
==> app.go
package demo
import "example.com/demo/base"
type App struct { base.Middle; Extra base.Core }
type Wide interface { base.Logger; Close() }
type Alias = App
func run(a *App, w Wide, alias Alias) {
	a.Start().Start() //?
	a.Log("text") //?
	a.Own() //?
	a.Middle.Core.Start() //?
	a.Extra.Start() //?
	w.Log("text") //?
	w.Close() //?
	alias.Own() //?
	start := a.Start
	start().Start() //?
	base.Middle.Own(a.Middle) //?
	defer a.Own() //?
	go func() { a.Start() }() //?
}
"#,
        &expect![[r#"
            app.go:7 Start -> base/base.go:4 import_resolved
            app.go:7 Start -> base/base.go:4 import_resolved
            app.go:8 Log -> base/base.go:2 import_resolved
            app.go:9 Own -> base/base.go:6 import_resolved
            app.go:10 Start -> base/base.go:4 import_resolved
            app.go:11 Start -> base/base.go:4 import_resolved
            app.go:12 Log -> base/base.go:2 import_resolved
            app.go:13 Close -> app.go:4 exact
            app.go:14 Own -> base/base.go:6 import_resolved
            app.go:16 Start -> base/base.go:4 import_resolved
            app.go:17 Own -> base/base.go:6 import_resolved
            app.go:18 Own -> base/base.go:6 import_resolved
            app.go:19 Start -> base/base.go:4 import_resolved
        "#]],
    );
}
