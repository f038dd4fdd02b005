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
