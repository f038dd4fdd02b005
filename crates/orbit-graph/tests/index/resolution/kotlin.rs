//! Kotlin.

use super::check;
use expect_test::expect;

#[test]
fn an_extension_is_called_like_a_member_where_it_is_imported() {
    check(
        r#"
==> lib/Ext.kt
package lib
fun Node.depth(): Int = 1
fun Node.label(prefix: String, wide: Boolean = false): String = prefix
fun Node.label(count: Int): String = ""
fun String.shout(): String = this
==> lib/Node.kt
package lib
open class Node { fun own() {} }
class Leaf : Node()
==> app/User.kt
package app
import lib.Leaf
import lib.depth
import lib.label
import lib.shout
fun run(leaf: Leaf, text: String, any: Any?) {
  leaf.own() //?
  leaf.depth() //?
  leaf.label("a") //?
  leaf.label("a", true) //?
  leaf.label(1) //?
  text.shout() //?
  unknown().depth() //?
}
==> app/Blind.kt
package app
import lib.Leaf
fun blind(leaf: Leaf) { leaf.depth() } //?
"#,
        &expect![[r#"
            app/Blind.kt:3 depth -> ?
            app/User.kt:7 own -> lib/Node.kt:2 import_resolved
            app/User.kt:8 depth -> lib/Ext.kt:2 import_resolved
            app/User.kt:9 label -> lib/Ext.kt:3 import_resolved
            app/User.kt:10 label -> lib/Ext.kt:3 import_resolved
            app/User.kt:11 label -> lib/Ext.kt:4 import_resolved
            app/User.kt:12 shout -> lib/Ext.kt:5 import_resolved
            app/User.kt:13 unknown -> ?
            app/User.kt:13 depth -> ?
        "#]],
    );
}

#[test]
fn extensions_fit_their_receivers_and_companions_hand_on_what_they_declare() {
    check(
        r#"
==> lib/Bytes.kt
package lib
open class Bytes {
  fun hex(): String = ""
  companion object {
    fun String.encode(): Bytes = Bytes()
    fun of(): Bytes = Bytes()
  }
}
fun Char.repeat(count: Int): String = ""
==> use/Use.kt
package use
import lib.Bytes.Companion.encode
import lib.Bytes.Companion.of
import lib.repeat
class Use {
  fun run(c: Char, s: String) {
    "abc".encode().hex() //?
    s.encode() //?
    of().hex() //?
    repeat(3) //?
    c.repeat(2) //?
    s.repeat(2) //?
  }
}
"#,
        &expect![[r#"
            use/Use.kt:7 encode -> lib/Bytes.kt:5 import_resolved
            use/Use.kt:7 hex -> lib/Bytes.kt:3 import_resolved
            use/Use.kt:8 encode -> lib/Bytes.kt:5 import_resolved
            use/Use.kt:9 of -> lib/Bytes.kt:6 import_resolved
            use/Use.kt:9 hex -> lib/Bytes.kt:3 import_resolved
            use/Use.kt:10 repeat -> ?
            use/Use.kt:11 repeat -> lib/Bytes.kt:9 import_resolved
            use/Use.kt:12 repeat -> ?
        "#]],
    );
}

#[test]
fn a_source_set_sees_its_own_platform_first() {
    check(
        r"
==> src/commonMain/kotlin/Path.kt
package lib
expect class Path { fun go() }
==> src/appleMain/kotlin/Path.kt
package lib
actual class Path { actual fun go() {} }
==> src/jvmMain/kotlin/Path.kt
package lib
actual class Path { actual fun go() {} }
==> src/jvmTest/kotlin/Test.kt
package lib
fun run(path: Path) { path.go() } //?
==> src/commonTest/kotlin/Common.kt
package lib
fun common(path: Path) { path.go() } //?
",
        &expect![[r#"
            src/commonTest/kotlin/Common.kt:2 go -> src/commonMain/kotlin/Path.kt:2 same_module
            src/jvmTest/kotlin/Test.kt:2 go -> src/jvmMain/kotlin/Path.kt:2 same_module
        "#]],
    );
}

#[test]
fn an_extension_without_a_receiver_is_the_one_for_this() {
    check(
        r#"
==> src/Dsl.kt
package dsl
class Module
class Scope
==> src/ModuleExt.kt
package dsl
fun Module.worker(x: Int) = 1
==> src/ScopeExt.kt
package dsl
fun Scope.worker(x: Int) = 2
==> src/Use.kt
package dsl
fun Scope.workerOf() = worker(1) //?
fun Module.workerOf() = worker(1) //?
"#,
        &expect![[r#"
            src/Use.kt:2 worker -> src/ScopeExt.kt:2 import_resolved
            src/Use.kt:3 worker -> src/ModuleExt.kt:2 import_resolved
        "#]],
    );
}

/// What takes lambdas with and without a receiver.
const TAKERS: &str = r#"
==> lib/Config.kt
package lib
class Config {
  fun load() {}
  fun nested(block: Inner.(Int) -> Unit) {}
}
class Inner { fun deep() {} }
class Plain { fun shallow() {} }
typealias Setup = Config.() -> Unit
fun configure(name: String = "", block: Config.() -> Unit) {}
fun setUp(block: Setup) {}
fun several(text: String, name: String) {}
fun several(block: Setup, name: String) {}
fun each(block: (Plain) -> Unit) {}
fun Config.reload() { load() }
fun load() {}
"#;

#[test]
fn names_in_lambdas_and_extensions_may_be_members_of_what_this_is_there() {
    let uses = r#"
==> lib/Use.kt
package lib
fun Config.again() { load() } //?
==> app/App.kt
package app
import lib.*
class App {
  val start: Config.() -> Unit = { load() } //?
  fun run(config: Config) {
    configure { load() } //?
    configure("a") { reload() } //?
    setUp { load() } //?
    setUp({ load() }) //?
    several({ load() }, name = "a") //?
    config.apply { load() } //?
    config.apply {
      object : Runnable {
        fun load() {}
        override fun run() { load() } //?
      }
    }
  }
}
"#;
    check(
        &(TAKERS.to_owned() + uses),
        &expect![[r#"
        app/App.kt:4 load -> lib/Config.kt:3 import_resolved
        app/App.kt:6 configure -> lib/Config.kt:9 import_resolved
        app/App.kt:6 load -> lib/Config.kt:3 import_resolved
        app/App.kt:7 configure -> lib/Config.kt:9 import_resolved
        app/App.kt:7 reload -> lib/Config.kt:14 import_resolved
        app/App.kt:8 setUp -> lib/Config.kt:10 import_resolved
        app/App.kt:8 load -> lib/Config.kt:3 import_resolved
        app/App.kt:9 setUp -> lib/Config.kt:10 import_resolved
        app/App.kt:9 load -> lib/Config.kt:3 import_resolved
        app/App.kt:10 several -> ?
        app/App.kt:10 load -> lib/Config.kt:3 import_resolved
        app/App.kt:11 apply -> ?
        app/App.kt:11 load -> lib/Config.kt:3 import_resolved
        app/App.kt:15 load -> app/App.kt:14 exact
        lib/Use.kt:2 load -> lib/Config.kt:3 same_module
    "#]],
    );
}

#[test]
fn lambdas_stand_in_each_other_and_may_have_no_this_of_their_own() {
    let uses = r"
==> app/App.kt
package app
import lib.*
class App {
  fun own() {}
  fun run() {
    configure {
      nested { deep() } //?
      nested { load() } //?
      this.load() //?
      own() //?
    }
    each { it.shallow() } //?
    each { plain -> plain.shallow() } //?
    each { load() } //?
    each { this.own() } //?
  }
}
";
    check(
        &(TAKERS.to_owned() + uses),
        &expect![[r#"
        app/App.kt:7 nested -> lib/Config.kt:4 import_resolved
        app/App.kt:7 deep -> lib/Config.kt:6 import_resolved
        app/App.kt:8 nested -> lib/Config.kt:4 import_resolved
        app/App.kt:8 load -> lib/Config.kt:3 import_resolved
        app/App.kt:9 load -> lib/Config.kt:3 import_resolved
        app/App.kt:10 own -> app/App.kt:4 exact
        app/App.kt:12 each -> lib/Config.kt:13 import_resolved
        app/App.kt:12 shallow -> lib/Config.kt:7 import_resolved
        app/App.kt:13 each -> lib/Config.kt:13 import_resolved
        app/App.kt:13 shallow -> lib/Config.kt:7 import_resolved
        app/App.kt:14 each -> lib/Config.kt:13 import_resolved
        app/App.kt:14 load -> lib/Config.kt:15 import_resolved
        app/App.kt:15 each -> lib/Config.kt:13 import_resolved
        app/App.kt:15 own -> app/App.kt:4 exact
    "#]],
    );
}

#[test]
fn extensions_are_told_apart_by_what_aliases_stand_for_and_properties_are_extensions_too() {
    check(
        r#"
==> lib/Options.kt
package lib
interface Option<T> { fun name(): String }
interface Argument<T> { fun place(): Int }
typealias RawOption = Option<String>
typealias RawArgument = Argument<String>
class Holder {
  fun option(): RawOption = TODO()
  fun argument(): RawArgument = TODO()
}
class Length { fun half() {} }
==> lib/Types.kt
package lib
fun RawOption.int(): Option<Int> = TODO()
fun RawArgument.int(): Argument<Int> = TODO()
val Option<*>.length: Length get() = Length()
val Argument<*>.length: Length get() = Length()
==> app/App.kt
package app
import lib.*
class Made(holder: Holder) {
  val int = holder.option().int() //?
}
fun run(holder: Holder) {
  holder.option().int() //?
  holder.argument().int() //?
  holder.option().length.half() //?
}
"#,
        &expect![[r#"
            app/App.kt:4 option -> lib/Options.kt:7 import_resolved
            app/App.kt:4 int -> lib/Types.kt:2 import_resolved
            app/App.kt:7 option -> lib/Options.kt:7 import_resolved
            app/App.kt:7 int -> lib/Types.kt:2 import_resolved
            app/App.kt:8 argument -> lib/Options.kt:8 import_resolved
            app/App.kt:8 int -> lib/Types.kt:3 import_resolved
            app/App.kt:9 option -> lib/Options.kt:7 import_resolved
            app/App.kt:9 half -> lib/Options.kt:10 import_resolved
        "#]],
    );
}

#[test]
fn a_constructor_on_a_line_of_its_own_belongs_to_the_class_and_classes_are_values() {
    check(
        r#"
==> Spec.kt
package spec
class Spec {
  public class Builder
  internal constructor(val name: String) {
    val size = 1
    fun add(type: KClass<*>): Builder = this
    fun add(name: Name): Builder = this
    fun build(): Spec = Spec()
  }
  fun build() {}
  companion object {
    fun builder(name: String): Builder = Builder(name)
  }
}
class Name
==> Use.kt
package spec
fun use(name: Name) {
  Spec.builder("a").add(String::class).build() //?
  Spec.builder("a").add(name).build() //?
}
fun Outside.show() {}
fun Other.show() {}
fun show(outside: Other) {
  when (val it = outside.next()) {
    is Outside -> it.show() //?
  }
}
"#,
        &expect![[r#"
            Use.kt:3 builder -> Spec.kt:12 same_module
            Use.kt:3 add -> Spec.kt:6 same_module
            Use.kt:3 build -> Spec.kt:8 same_module
            Use.kt:4 builder -> Spec.kt:12 same_module
            Use.kt:4 add -> Spec.kt:7 same_module
            Use.kt:4 build -> Spec.kt:8 same_module
            Use.kt:10 show -> ?
        "#]],
    );
}

#[test]
fn a_function_may_be_called_like_an_enum() {
    check(
        r"
==> Day.kt
package day
enum class Day { MONDAY }
fun Day(number: Int): Day = Day.MONDAY
==> Use.kt
package day
fun use() = Day(1) //?
",
        &expect![[r#"
            Use.kt:2 Day -> Day.kt:3 same_module
        "#]],
    );
}
