//! Kotlin that its grammar cannot read.

use crate::render::check;
use expect_test::expect;

#[test]
fn bodies_on_one_line() {
    check(
        "a/I.kt",
        "interface I { fun f(): Foo }\nclass A { companion object { const val X = 1 } }\nclass C { fun g(i: I) { i.f().h() } }\n",
        &expect![[r#"
            symbol interface I 1-1 pub | interface I
            symbol method I.f 1-1 pub () : <Foo> | fun f(): Foo
            symbol class A 2-2 pub | class A
            symbol class A.Companion 2-2 pub | companion object
            symbol const A.X 2-2 pub : #Int | const val X = 1
            symbol class C 3-3 pub | class C
            symbol method C.g 3-3 pub (I) : # | fun g(i: I)
            ref type Foo @1 in I.f
            ref type I @3 in C.g
            ref call <I> . f() @3 in C.g
            ref call <I>.f() . h() @3 in C.g
        "#]],
    );
}

#[test]
fn names_and_modifiers_the_grammar_mistakes() {
    check(
        "a/R.kt",
        r#"
@Suppress("unused")
@Marker(1)
private data class Annotated(val x: Int)

class Split
internal constructor(val y: Int) : Base(y) {
    val size: Int
        @JvmName("size")
        get() = count()

    fun open(final: Boolean) {
        val copy = open(true)
        get(copy)
        val block = suspend { final.not() }
    }
}
"#,
        &expect![[r#"
            symbol class Annotated 4-4 | class Annotated(val x: Int)
            symbol property Annotated.x 4-4 : #Int | val x: Int
            symbol class Split 6-17 pub | class Split internal constructor(val y: Int) : Base(y)
            symbol property Split.y 7-7 pub : #Int | val y: Int
            symbol property Split.size 8-10 pub : #Int | val size: Int
            symbol method Split.open 12-16 pub (#Boolean) : # | fun open(final: Boolean)
            ref call Suppress @2 in -
            ref call Marker @3 in -
            ref type Int @4 in Annotated
            ref type Base @7 in -
            ref type Int @7 in Split
            ref value y @7 in Split
            ref type Int @8 in Split
            ref call count() @10 in Split.size
            ref type Boolean @12 in Split.open
            ref call open(#) @13 in Split.open
            ref call get(open()) @14 in Split.open
            ref call suspend(?) @15 in Split.open
            ref call #Boolean . not() @15 in Split.open
            relation Split extends Base @7
            string "unused" @2 in -
        "#]],
    );
}

#[test]
fn bad_syntax_keeps_the_rest() {
    check(
        "a/Bad.kt",
        "class Bad {\n  fun ok() { a.b( }\n  val = 3\n  fun fine() { ok() }\n}\nclass Rest {\n  fun more() { Bad().fine() }\n}\n",
        &expect![[r#"
            has errors
            symbol class Bad 1-5 pub
            symbol function Bad.ok 2-2 pub
            symbol method Bad.fine 4-4 pub () : # | fun fine()
            symbol class Rest 6-8 pub | class Rest
            symbol method Rest.more 7-7 pub () : # | fun more()
            ref value a @2 in Bad
            ref value a . b @2 in Bad
            ref call ok() @4 in Bad.fine
            ref call Bad() @7 in Rest.more
            ref call Bad() . fine() @7 in Rest.more
        "#]],
    );
    check("a/Empty.kt", "", &expect![[r#""#]]);
}

#[test]
fn annotated_constructors_and_multi_dollar_strings() {
    check(
        "a/Result.kt",
        "@JvmInline\npublic value class Result<out T>\n@PublishedApi internal constructor(@PublishedApi internal val holder: Any?) {\n  public fun get(): T? = null\n}\n@JvmName($$\"run$default\")\npublic fun legacy() {}\n",
        &expect![[r#"
            symbol class Result 2-5 pub | class Result<out T> @PublishedApi internal constructor(@PublishedApi internal val holder: Any?)
            symbol property Result.holder 3-3 : <Any> | internal val holder: Any?
            symbol method Result.get 4-4 pub () : ? | public fun get(): T?
            symbol function legacy 7-7 pub () : # | public fun legacy()
            ref call JvmInline @1 in -
            ref call PublishedApi @3 in Result
            ref type Any @3 in Result
            ref call JvmName @6 in -
            string "run$default" @6 in -
        "#]],
    );
}
