//! Java.

use super::check;
use expect_test::expect;

const WRITER: &str = r"
==> p/Writer.java
package p;
public class Writer extends Base {
  public Writer value(boolean b) { return this; }
  public Writer value(double d) { return this; }
  public Writer value(long l) { return this; }
  public Writer value(String s) { return this; }
  public Writer value(Shape shape) { return this; }
  public void all(String first, Object... rest) {}
  public void all(String only) {}
  public void own(int n) {}
}
==> p/Base.java
package p;
public class Base {
  public void own() {}
  public void own(String s) {}
}
==> p/Shape.java
package p;
public class Shape {}
==> p/Round.java
package p;
public class Round extends Shape {}
";

#[test]
fn an_overload_is_chosen_by_number_and_type_of_arguments() {
    let fixture = format!(
        "{WRITER}{}",
        r#"
==> p/User.java
package p;
class User {
  void run(Writer w, Round round, Object any, int n) {
    w.value(true); //?
    w.value(1.5); //?
    w.value(1); //?
    w.value(n + n); //?
    w.value("a" + n); //?
    w.value(round); //?
    w.value(any); //?
    w.all("a"); //?
    w.all("a", 1, 2); //?
    w.own(1); //?
    w.own(); //?
    w.own("s"); //?
    w.value(1).value("chained"); //?
  }
}
"#
    );
    check(
        &fixture,
        &expect![[r#"
            p/User.java:4 value -> p/Writer.java:3 same_module
            p/User.java:5 value -> p/Writer.java:4 same_module
            p/User.java:6 value -> p/Writer.java:5 same_module
            p/User.java:7 value -> p/Writer.java:5 same_module
            p/User.java:8 value -> p/Writer.java:6 same_module
            p/User.java:9 value -> p/Writer.java:7 same_module
            p/User.java:10 value -> ?
            p/User.java:11 all -> p/Writer.java:9 same_module
            p/User.java:12 all -> p/Writer.java:8 same_module
            p/User.java:13 own -> p/Writer.java:10 same_module
            p/User.java:14 own -> p/Base.java:3 same_module
            p/User.java:15 own -> p/Base.java:4 same_module
            p/User.java:16 value -> p/Writer.java:5 same_module
            p/User.java:16 value -> p/Writer.java:6 same_module
        "#]],
    );
}

#[test]
fn an_import_of_a_nested_type_uses_the_outer_one() {
    check(
        r"
==> a/Outer.java
package a;
public class Outer { public static class Inner { public void go() {} } }
==> b/User.java
package b;
import a.Outer.Inner;
class User { void run(Inner inner) { inner.go(); } } //?
",
        &expect![[r#"
            b/User.java:3 go -> a/Outer.java:2 import_resolved
        "#]],
    );
}
