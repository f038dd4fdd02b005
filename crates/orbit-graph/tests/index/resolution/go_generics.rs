//! Go: what stands for type parameters.

#![expect(clippy::too_many_lines, reason = "a fixture and its facts stay together")]

use super::go_values::CLOCKS;
use super::{check, check_tree};
use crate::compare::assert_equals_fresh;
use crate::tree::Tree;
use expect_test::expect;

#[test]
fn arguments_tell_what_type_parameters_stand_for() {
    let fixture = format!(
        "{CLOCKS}{}",
        r"
==> lo/lo.go
package lo

func Map[T, U any](xs []T, f func(x T, i int) U) []U { return nil }
func Filter[S ~[]E, E any](s S, keep func(E) bool) S { return s }
func First[S ~[]E, E any](s S) E { return s[0] }
func Ptr[T any](v T) *T { return &v }
func Must[T any](v T, err error) T { return v }
func Zero[T any]() T { var zero T; return zero }
func Convert[To, From any](v From) To { return Zero[To]() }
func Keys[K comparable, V any](m map[K]V) []K { return nil }
func Lazy[T any](f func() T) func() T { return f }
func Coalesce[T any](vs ...T) T { return vs[0] }

type Named interface{ Name() string }
func Longest[T Named](x T) string { return x.Name() } //?

type List[T any] struct{ items []T; next *List[T] }
func (l *List[E]) At(i int) E { return l.items[i] }
func (l *List[E]) Next() *List[E] { return l.next }
func (l *List[E]) Each() func(yield func(int, E) bool) { return nil }
type Set[K Named] map[K]struct{}
func (s Set[A]) Any() A { for k := range s { k.Name(); return k }; panic(0) } //?
type Pair[A, B any] struct { First A; Second B }
func Both[A, B any](a A, b B) Pair[A, B] { return Pair[A, B]{a, b} }
==> use.go
package demo

import (
	`maps`
	`slices`
	`sync/atomic`
	`example.com/demo/clock`
	`example.com/demo/lo`
)

type Clocks []*clock.Clock
func (c Clocks) Sort() Clocks { return c }
type Own struct { lo.List[*clock.Clock] }
func zone(c *clock.Clock, i int) clock.Zone { return c.Zone }
func open() (*clock.Clock, error) { return nil, nil }

func run(clocks []*clock.Clock, named Clocks, byZone map[clock.Zone]*clock.Clock, own *Own, p atomic.Pointer[clock.Clock]) {
	lo.Map(clocks, func(c *clock.Clock, i int) clock.Zone { return c.Zone })[0].Name() //?
	lo.Map(clocks, zone)[0].Name() //?
	lo.Filter(clocks, nil)[0].Tick() //?
	lo.Filter(named, nil).Sort()[0].Tick() //?
	lo.First(named).Tick() //?
	lo.Ptr(clock.Zone{}).Name() //?
	lo.Must(open()).Tick() //?
	lo.Zero[*clock.Clock]().Tick() //?
	lo.Convert[clock.Zone](clocks[0]).Name() //?
	lo.Keys(byZone)[0].Name() //?
	lo.Lazy(clock.New)().Tick() //?
	lo.Coalesce(clocks...).Tick() //?
	var list lo.List[clock.Zone]
	list.At(0).Name() //?
	list.Next().Next().At(1).Name() //?
	for _, z := range list.Each() {
		z.Name() //?
	}
	own.At(0).Tick() //?
	var set lo.Set[clock.Zone]
	set.Any().Name() //?
	both := lo.Both(clocks[0], clock.Zone{})
	both.First.Tick() //?
	both.Second.Name() //?
	lo.Set[clock.Zone](nil).Any().Name() //?
	slices.Clone(clocks)[0].Tick() //?
	slices.MaxFunc(clocks, nil).Tick() //?
	for k := range maps.Keys(byZone) {
		k.Name() //?
	}
	slices.Collect(maps.Values(byZone))[0].Tick() //?
	p.Load().Tick() //?
}
"
    );
    let tree = Tree::of(&fixture);
    tree.sync();
    check_tree(
        &tree,
        &expect![[r#"
        lo/lo.go:15 Name -> lo/lo.go:14 exact
        lo/lo.go:22 Name -> lo/lo.go:14 exact
        use.go:18 Map -> lo/lo.go:3 import_resolved
        use.go:18 Name -> clock/clock.go:6 import_resolved
        use.go:19 Map -> lo/lo.go:3 import_resolved
        use.go:19 Name -> clock/clock.go:6 import_resolved
        use.go:20 Filter -> lo/lo.go:4 import_resolved
        use.go:20 Tick -> clock/clock.go:4 import_resolved
        use.go:21 Filter -> lo/lo.go:4 import_resolved
        use.go:21 Sort -> use.go:12 exact
        use.go:21 Tick -> clock/clock.go:4 import_resolved
        use.go:22 First -> lo/lo.go:5 import_resolved
        use.go:22 Tick -> clock/clock.go:4 import_resolved
        use.go:23 Ptr -> lo/lo.go:6 import_resolved
        use.go:23 Name -> clock/clock.go:6 import_resolved
        use.go:24 Must -> lo/lo.go:7 import_resolved
        use.go:24 open -> use.go:15 exact
        use.go:24 Tick -> clock/clock.go:4 import_resolved
        use.go:25 Zero -> lo/lo.go:8 import_resolved
        use.go:25 Tick -> clock/clock.go:4 import_resolved
        use.go:26 Convert -> lo/lo.go:9 import_resolved
        use.go:26 Name -> clock/clock.go:6 import_resolved
        use.go:27 Keys -> lo/lo.go:10 import_resolved
        use.go:27 Name -> clock/clock.go:6 import_resolved
        use.go:28 Lazy -> lo/lo.go:11 import_resolved
        use.go:28 Tick -> clock/clock.go:4 import_resolved
        use.go:29 Coalesce -> lo/lo.go:12 import_resolved
        use.go:29 Tick -> clock/clock.go:4 import_resolved
        use.go:31 At -> lo/lo.go:18 import_resolved
        use.go:31 Name -> clock/clock.go:6 import_resolved
        use.go:32 Next -> lo/lo.go:19 import_resolved
        use.go:32 Next -> lo/lo.go:19 import_resolved
        use.go:32 At -> lo/lo.go:18 import_resolved
        use.go:32 Name -> clock/clock.go:6 import_resolved
        use.go:34 Name -> clock/clock.go:6 import_resolved
        use.go:36 At -> lo/lo.go:18 import_resolved
        use.go:36 Tick -> clock/clock.go:4 import_resolved
        use.go:38 Any -> lo/lo.go:22 import_resolved
        use.go:38 Name -> clock/clock.go:6 import_resolved
        use.go:40 Tick -> clock/clock.go:4 import_resolved
        use.go:41 Name -> clock/clock.go:6 import_resolved
        use.go:42 Set -> lo/lo.go:21 import_resolved
        use.go:42 Any -> lo/lo.go:22 import_resolved
        use.go:42 Name -> clock/clock.go:6 import_resolved
        use.go:43 Clone -> ?
        use.go:43 Tick -> clock/clock.go:4 import_resolved
        use.go:44 MaxFunc -> ?
        use.go:44 Tick -> clock/clock.go:4 import_resolved
        use.go:46 Name -> clock/clock.go:6 import_resolved
        use.go:48 Collect -> ?
        use.go:48 Values -> ?
        use.go:48 Tick -> clock/clock.go:4 import_resolved
        use.go:49 Load -> ?
        use.go:49 Tick -> clock/clock.go:4 import_resolved
    "#]],
    );
    tree.replace("lo/lo.go", "func First[S ~[]E, E any](s S) E", "func First[S ~[]E, E any](s S) S");
    assert_equals_fresh(&tree);
    tree.replace(
        "use.go",
        "func zone(c *clock.Clock, i int) clock.Zone",
        "func zone(c *clock.Clock, i int) *clock.Clock",
    );
    assert_equals_fresh(&tree);
}

#[test]
fn defined_types_and_methods_of_interfaces_tell_type_arguments() {
    check(
        &format!(
            "{CLOCKS}{}",
            r"
==> lo/lo.go
package lo

type Compare[T any] func(x, y T) int
type Container[T any] interface {
	Size() int
	Values() []T
}
func Sorted[T any](c Container[T]) []T { return c.Values() }
func Best[T any](compare Compare[T]) T { panic(0) }
type Box[E any] struct{ values []E }
func (b *Box[A]) Size() int { return len(b.values) }
func (b *Box[A]) Values() []A { return b.values }
func New[K, V any](k K, v V) *Pair[K, V] { return nil }
type Pair[K, V any] struct { Key K; Value V }
==> use.go
package demo

import (
	`example.com/demo/clock`
	`example.com/demo/lo`
)

type Fixed struct{}
func (f Fixed) Size() int { return 0 }
func (f Fixed) Values() []*clock.Clock { return nil }

func run(box *lo.Box[clock.Zone], fixed Fixed, c *clock.Clock) {
	lo.Sorted(box)[0].Name() //?
	lo.Sorted(fixed)[0].Tick() //?
	lo.Best(func(x, y clock.Zone) int { return 0 }).Name() //?
	pair := *lo.New[*clock.Clock, int](c, 1) //?
	pair.Key.Tick() //?
	one := *lo.Best[clock.Zone](nil) //?
	one.Name() //?
}
"
        ),
        &expect![[r#"
            use.go:13 Sorted -> lo/lo.go:8 import_resolved
            use.go:13 Name -> clock/clock.go:6 import_resolved
            use.go:14 Sorted -> lo/lo.go:8 import_resolved
            use.go:14 Tick -> clock/clock.go:4 import_resolved
            use.go:15 Best -> lo/lo.go:9 import_resolved
            use.go:15 Name -> clock/clock.go:6 import_resolved
            use.go:16 New -> lo/lo.go:13 import_resolved
            use.go:17 Tick -> clock/clock.go:4 import_resolved
            use.go:18 Best -> lo/lo.go:9 import_resolved
            use.go:19 Name -> clock/clock.go:6 import_resolved
        "#]],
    );
}
