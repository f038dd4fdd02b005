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
            src/Use.kt:2 worker -> src/ScopeExt.kt:2 same_module
            src/Use.kt:3 worker -> src/ModuleExt.kt:2 same_module
        "#]],
    );
}
