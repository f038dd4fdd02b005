//! Java.

use super::{check, check_tree};
use crate::compare::assert_equals_fresh;
use crate::tree::Tree;
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

#[test]
fn a_method_is_chosen_in_the_phases_of_the_specification() {
    check(
        r#"
==> p/Util.java
package p;
public class Util {
  static void take(int[] all) {}
  static void take(Object[] all) {}
  static void take(long n) {}
  static void take(Integer n) {}
  static void take(Object any) {}
  static void take(Object first, Object... rest) {}
  static void run(Task task) {}
  static void run(Step step) {}
  static void text(String s) {}
  static void text(char[] chars) {}
  static void text(Class<?> type) {}
  interface Task { void go(); }
  interface Step { void go(int n); default void more() {} }
}
==> p/User.java
package p;
class User {
  void run(String[] names, int n, Integer boxed, byte small, Object any) {
    Util.take(new int[] {1}); //?
    Util.take(names); //?
    Util.take(n); //?
    Util.take(small); //?
    Util.take(boxed); //?
    Util.take(any); //?
    Util.take('c', 1); //?
    Util.take((Object) names); //?
    Util.take(names.length); //?
    Util.run(() -> {}); //?
    Util.run(n1 -> {}); //?
    Util.text("a" + n); //?
    Util.text("abc".toCharArray()); //?
    Util.text(User.class.getName()); //?
    Util.text(User.class); //?
    Util.text(null); //?
  }
}
"#,
        &expect![[r#"
            p/User.java:4 take -> p/Util.java:3 same_module
            p/User.java:5 take -> p/Util.java:4 same_module
            p/User.java:6 take -> p/Util.java:5 same_module
            p/User.java:7 take -> p/Util.java:5 same_module
            p/User.java:8 take -> p/Util.java:6 same_module
            p/User.java:9 take -> p/Util.java:7 same_module
            p/User.java:10 take -> p/Util.java:8 same_module
            p/User.java:11 take -> p/Util.java:7 same_module
            p/User.java:12 take -> p/Util.java:5 same_module
            p/User.java:13 run -> p/Util.java:9 same_module
            p/User.java:14 run -> p/Util.java:10 same_module
            p/User.java:15 text -> p/Util.java:11 same_module
            p/User.java:16 text -> p/Util.java:12 same_module
            p/User.java:16 toCharArray -> ?
            p/User.java:17 text -> p/Util.java:11 same_module
            p/User.java:17 getName -> ?
            p/User.java:18 text -> p/Util.java:13 same_module
            p/User.java:19 text -> ?
        "#]],
    );
}

#[test]
fn packages_are_written_out_and_collections_hold_what_they_say() {
    check(
        r#"
==> a/b/Node.java
package a.b;
public class Node {
  private int size;
  public void open() {}
}
==> c/Nodes.java
package c;
import java.util.ArrayList;
public class Nodes extends ArrayList<a.b.Node> {}
==> c/User.java
package c;
import java.util.List;
import java.util.Map;
class User {
  int size() { return 0; }
  void run(List<a.b.Node> list, Map<String, a.b.Node> map, Nodes nodes) {
    list.get(0).open(); //?
    map.get("a").open(); //?
    list.iterator().next().open(); //?
    map.entrySet().iterator().next().getValue().open(); //?
    nodes.get(0).open(); //?
    ((a.b.Node) null).open(); //?
  }
}
"#,
        &expect![[r#"
            c/User.java:7 get -> ?
            c/User.java:7 open -> a/b/Node.java:4 import_resolved
            c/User.java:8 get -> ?
            c/User.java:8 open -> a/b/Node.java:4 import_resolved
            c/User.java:9 iterator -> ?
            c/User.java:9 next -> ?
            c/User.java:9 open -> a/b/Node.java:4 import_resolved
            c/User.java:10 entrySet -> ?
            c/User.java:10 iterator -> ?
            c/User.java:10 next -> ?
            c/User.java:10 getValue -> ?
            c/User.java:10 open -> a/b/Node.java:4 import_resolved
            c/User.java:11 get -> ?
            c/User.java:11 open -> a/b/Node.java:4 import_resolved
            c/User.java:12 open -> a/b/Node.java:4 import_resolved
        "#]],
    );
}

const LAMBDAS: &str = r#"
==> lib/Item.java
package lib;
public class Item {
  public void go() {}
  public Item next() { return this; }
}
==> lib/Visitor.java
package lib;
public interface Visitor {
  void visit(Item item, int depth);
  default void done(String text) {}
  boolean equals(Object other);
}
==> lib/Use.java
package lib;
import java.util.*;
import java.util.function.*;
class Use {
  void walk(Visitor visitor) {}
  void walk(String name, Consumer<Item> consumer) {}
  void run(List<Item> items, Map<String, Item> byName, Optional<Item> one) {
    walk((item, depth) -> item.go()); //? go
    walk("x", item -> item.go()); //? go
    Visitor visitor = (a, b) -> a.go(); //? go
    items.forEach(item -> item.go()); //? go
    items.stream().filter(item -> item.next() != null).forEach(item -> { item.go(); }); //? go
    byName.forEach((name, item) -> item.go()); //? go
    byName.entrySet().forEach(entry -> entry.getValue().go()); //? go
    one.ifPresent(item -> item.go()); //? go
    Comparator<Item> order = (left, right) -> right.next() == left ? 1 : 0; //? next
    unknown(item -> item.go()); //? go
  }
}
"#;

#[test]
fn parameters_of_lambdas_have_the_types_of_the_interface_that_is_wanted() {
    let tree = Tree::of(LAMBDAS);
    tree.sync();
    check_tree(
        &tree,
        &expect![[r#"
            lib/Use.java:8 walk -> lib/Use.java:5 exact
            lib/Use.java:8 go -> lib/Item.java:3 same_module
            lib/Use.java:9 walk -> lib/Use.java:6 exact
            lib/Use.java:9 go -> lib/Item.java:3 same_module
            lib/Use.java:10 go -> lib/Item.java:3 same_module
            lib/Use.java:11 forEach -> ?
            lib/Use.java:11 go -> lib/Item.java:3 same_module
            lib/Use.java:12 stream -> ?
            lib/Use.java:12 filter -> ?
            lib/Use.java:12 next -> lib/Item.java:4 same_module
            lib/Use.java:12 forEach -> ?
            lib/Use.java:12 go -> lib/Item.java:3 same_module
            lib/Use.java:13 forEach -> ?
            lib/Use.java:13 go -> lib/Item.java:3 same_module
            lib/Use.java:14 entrySet -> ?
            lib/Use.java:14 forEach -> ?
            lib/Use.java:14 getValue -> ?
            lib/Use.java:14 go -> lib/Item.java:3 same_module
            lib/Use.java:15 ifPresent -> ?
            lib/Use.java:15 go -> lib/Item.java:3 same_module
            lib/Use.java:16 next -> lib/Item.java:4 same_module
            lib/Use.java:17 unknown -> ?
            lib/Use.java:17 go -> ?
        "#]],
    );
    tree.replace("lib/Visitor.java", "Item item, int depth", "String item, Item depth");
    tree.sync();
    assert_equals_fresh(&tree);
    tree.replace("lib/Visitor.java", "boolean equals", "boolean second");
    tree.sync();
    assert_equals_fresh(&tree);
}

#[test]
fn new_means_the_constructor_that_takes_the_arguments() {
    check(
        r#"
==> p/Codec.java
package p;
public class Codec {
  public Codec() {}
  public Codec(int length) {}
  public Codec(String mapping) {}
  public Codec(char[] mapping) { this(1); }
}
==> p/Single.java
package p;
public class Single {
  public Single(int length) {}
}
==> q/User.java
package q;
import p.Codec;
import p.Single;
class User {
  void run(Object unknown, String text) {
    new Codec(); //?
    new Codec(64); //?
    new Codec(text.trim()); //?
    new Codec(text.toCharArray()); //?
    new Codec(unknown.what()); //?
    new Single(1); //?
  }
}
"#,
        &expect![[r#"
            q/User.java:6 Codec -> p/Codec.java:3 import_resolved
            q/User.java:7 Codec -> p/Codec.java:4 import_resolved
            q/User.java:8 Codec -> p/Codec.java:5 import_resolved
            q/User.java:8 trim -> ?
            q/User.java:9 Codec -> p/Codec.java:6 import_resolved
            q/User.java:9 toCharArray -> ?
            q/User.java:10 Codec -> p/Codec.java:2 import_resolved
            q/User.java:10 what -> ?
            q/User.java:11 Single -> p/Single.java:2 import_resolved
        "#]],
    );
}

#[test]
fn types_of_the_library_tell_overloads_apart() {
    check(
        r#"
==> p/Digest.java
package p;
import java.io.File;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
class Digest {
  void put(byte[] data) {}
  void put(ByteBuffer data) {}
  void put(File data) { put(data.toPath()); } //?
  void put(FileChannel data) {}
  void put(InputStream data) {}
  void put(Path data, OpenOption... options) {}
  void put(RandomAccessFile data) { put(data.getChannel()); } //?
  void put(String data) {}
  void run(RandomAccessFile file, ByteBuffer buffer) {
    put(file); //?
    put(buffer.duplicate()); //?
    put(buffer.array()); //?
    put(new java.io.ByteArrayInputStream(buffer.array())); //?
    put(buffer.position()); //?
  }
}
"#,
        &expect![[r#"
            p/Digest.java:12 put -> p/Digest.java:15 exact
            p/Digest.java:12 toPath -> ?
            p/Digest.java:16 put -> p/Digest.java:13 exact
            p/Digest.java:16 getChannel -> ?
            p/Digest.java:19 put -> p/Digest.java:16 exact
            p/Digest.java:20 put -> p/Digest.java:11 exact
            p/Digest.java:20 duplicate -> ?
            p/Digest.java:21 put -> p/Digest.java:10 exact
            p/Digest.java:21 array -> ?
            p/Digest.java:22 put -> p/Digest.java:14 exact
            p/Digest.java:22 ByteArrayInputStream -> ?
            p/Digest.java:22 array -> ?
            p/Digest.java:23 put -> ?
            p/Digest.java:23 position -> ?
        "#]],
    );
}
