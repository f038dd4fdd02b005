//! Type parameters: what stands for them where a generic declaration is used.

use super::check;
use expect_test::expect;

const BOXES: &str = r"
==> p/Box.java
package p;
public class Box<T> {
  T held;
  public T get() { return held; }
  public Box<T> self() { return this; }
  public Pair<T, Box<T>> both() { return null; }
}
==> p/Pair.java
package p;
public class Pair<A, B> {
  A first;
  public B second() { return null; }
}
==> p/Shape.java
package p;
public class Shape { public void draw() {} }
==> p/Round.java
package p;
public class Round extends Shape { public void roll() {} }
==> p/ShapeBox.java
package p;
public class ShapeBox extends Middle<Round> { void own() { get().roll(); } }
==> p/Middle.java
package p;
public class Middle<M extends Shape> extends Box<M> { void mid() { get().draw(); } }
";

#[test]
fn what_a_receiver_was_made_of_stands_for_its_type_parameters() {
    let fixture = format!(
        "{BOXES}{}",
        r#"
==> p/User.java
package p;
class User {
  void run(Box<Round> box, Pair<Shape, Round> pair, ShapeBox special, Box raw) {
    box.get().roll(); //?
    box.held.roll(); //?
    box.self().get().roll(); //?
    box.both().second().get().roll(); //?
    box.both().first.roll(); //?
    pair.first.draw(); //?
    pair.second().roll(); //?
    special.get().roll(); //?
    raw.get().roll(); //?
  }
  static <X> X same(X x) { return x; }
  static <X> X inside(Box<X> box) { return null; }
  static <X extends Shape> X bounded(Object any) { return null; }
  void calls(Box<Round> box, ShapeBox special, Round round) {
    same(round).roll(); //?
    inside(box).roll(); //?
    inside(special).roll(); //?
    bounded(null).draw(); //?
    User.<Round>bounded(null).roll(); //?
  }
}
"#
    );
    check(
        &fixture,
        &expect![[r#"
        p/User.java:4 get -> p/Box.java:4 same_module
        p/User.java:4 roll -> p/Round.java:2 same_module
        p/User.java:5 roll -> p/Round.java:2 same_module
        p/User.java:6 self -> p/Box.java:5 same_module
        p/User.java:6 get -> p/Box.java:4 same_module
        p/User.java:6 roll -> p/Round.java:2 same_module
        p/User.java:7 both -> p/Box.java:6 same_module
        p/User.java:7 second -> p/Pair.java:4 same_module
        p/User.java:7 get -> p/Box.java:4 same_module
        p/User.java:7 roll -> p/Round.java:2 same_module
        p/User.java:8 both -> p/Box.java:6 same_module
        p/User.java:8 roll -> p/Round.java:2 same_module
        p/User.java:9 draw -> p/Shape.java:2 same_module
        p/User.java:10 second -> p/Pair.java:4 same_module
        p/User.java:10 roll -> p/Round.java:2 same_module
        p/User.java:11 get -> p/Box.java:4 same_module
        p/User.java:11 roll -> p/Round.java:2 same_module
        p/User.java:12 get -> p/Box.java:4 same_module
        p/User.java:12 roll -> ?
        p/User.java:18 same -> p/User.java:14 exact
        p/User.java:18 roll -> p/Round.java:2 same_module
        p/User.java:19 inside -> p/User.java:15 exact
        p/User.java:19 roll -> p/Round.java:2 same_module
        p/User.java:20 inside -> p/User.java:15 exact
        p/User.java:20 roll -> p/Round.java:2 same_module
        p/User.java:21 bounded -> p/User.java:16 exact
        p/User.java:21 draw -> p/Shape.java:2 same_module
        p/User.java:22 bounded -> p/User.java:16 exact
        p/User.java:22 roll -> p/Round.java:2 same_module
    "#]],
    );
}
