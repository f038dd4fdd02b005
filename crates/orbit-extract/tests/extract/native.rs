//! C, and what C++ has of it.

use crate::render::check;
use expect_test::expect;

#[test]
fn functions_prototypes_and_globals() {
    check(
        "src/a.c",
        r#"
int add(int a, int b);
static Foo *make(const char *name, Foo **out) { Foo *f = alloc(name); f->next = *out; return f; }
extern int limit;
static int counter = 0;
const int MAX = 3;
const char *label = "hello there";
static const char *const names[] = { "first name", other };
Foo table[4], *head, last = INIT;
int (*handler)(Foo *, int) = on_event;
int old(a, b) int a; Bar *b; { return b->size + a; }
void *(*get(int n))(Foo *) { return n; }
"#,
        &expect![[r#"
            symbol function add 2-2 pub bodiless : # | int add(int a, int b)
            symbol function make 3-3 : <Foo> | static Foo *make(const char *name, Foo **out)
            symbol variable limit 4-4 pub : # | extern int limit
            symbol static counter 5-5 : # | static int counter = 0
            symbol const MAX 6-6 pub : # | const int MAX = 3
            symbol variable label 7-7 pub : # | const char *label = "hello there"
            symbol const names 8-8 : # | static const char *const names[]
            symbol variable table 9-9 pub : <#<Foo>> | Foo table[4], *head, last = INIT
            symbol variable head 9-9 pub : <Foo> | Foo table[4], *head, last = INIT
            symbol variable last 9-9 pub : <Foo> | Foo table[4], *head, last = INIT
            symbol variable handler 10-10 pub | int (*handler)(Foo *, int) = on_event
            symbol function old 11-11 pub : # | int old(a, b) int a; Bar *b;
            symbol function get 12-12 pub : # | void *(*get(int n))(Foo *)
            ref type Foo @3 in make
            ref type Foo @3 in make
            ref type Foo @3 in make
            ref call alloc @3 in make
            ref value <Foo> . next @3 in make
            ref value other @8 in -
            ref type Foo @9 in -
            ref value INIT @9 in -
            ref type Foo @10 in -
            ref value on_event @10 in -
            ref type Bar @11 in old
            ref value <Bar> . size @11 in old
            ref type Foo @12 in get
            string "hello there" @7 in -
            string "first name" @8 in -
        "#]],
    );
}

#[test]
fn records_fields_enums_and_typedefs() {
    check(
        "src/a.h",
        r#"
struct node { struct node *next; int (*run)(struct ctx *); unsigned flag : 1; char buf[SIZE], *p; };
union value { long i; Foo *f; };
enum color { RED, GREEN = BASE + 1, };
enum { LOW, HIGH };
typedef struct { Foo *foo; struct { int x; } in; union { int u; float v; }; } Pair, *PairPtr;
typedef struct tree { int depth; } tree;
typedef struct opaque opaque;
typedef enum { ON, OFF } State;
typedef unsigned long size_type;
typedef int (*callback)(Foo *, Bar);
struct forward;
static const struct { const char *name; callback run; } commands[] = { { "list all", do_list } };
static inline int helper(void) { return LOW; }
"#,
        &expect![[r#"
            symbol struct node 2-2 pub | struct node
            symbol field node::next 2-2 pub : <node> | struct node *next
            symbol field node::run 2-2 pub | int (*run)(struct ctx *)
            symbol field node::flag 2-2 pub : # | unsigned flag : 1
            symbol field node::buf 2-2 pub : # | char buf[SIZE], *p
            symbol field node::p 2-2 pub : # | char buf[SIZE], *p
            symbol union value 3-3 pub | union value
            symbol field value::i 3-3 pub : # | long i
            symbol field value::f 3-3 pub : <Foo> | Foo *f
            symbol enum color 4-4 pub | enum color
            symbol variant color::RED 4-4 pub : <color>
            symbol variant color::GREEN 4-4 pub : <color>
            symbol variant LOW 5-5 pub
            symbol variant HIGH 5-5 pub
            symbol struct Pair 6-6 pub | typedef struct
            symbol field Pair::foo 6-6 pub : <Foo> | Foo *foo
            symbol field Pair::in 6-6 pub | struct { int x; } in
            symbol field Pair::in::x 6-6 pub : # | int x
            symbol field Pair::u 6-6 pub : # | int u
            symbol field Pair::v 6-6 pub : # | float v
            symbol type_alias PairPtr 6-6 pub : Pair
            symbol struct tree 7-7 pub | struct tree
            symbol field tree::depth 7-7 pub : # | int depth
            symbol type_alias opaque 8-8 pub : opaque | typedef struct opaque opaque
            symbol enum State 9-9 pub | typedef enum
            symbol variant State::ON 9-9 pub : <State>
            symbol variant State::OFF 9-9 pub : <State>
            symbol type_alias size_type 10-10 pub : # | typedef unsigned long size_type
            symbol type_alias callback 11-11 pub : ? | typedef int (*callback)(Foo *, Bar)
            symbol const commands 13-13 pub | static const struct { const char *name; callback run; } commands[]
            symbol field commands::name 13-13 pub : # | const char *name
            symbol field commands::run 13-13 pub : <callback> | callback run
            symbol function helper 14-14 pub : # | static inline int helper(void)
            ref type struct<> . node @2 in node
            ref type struct<> . ctx @2 in node
            ref value SIZE @2 in node
            ref type Foo @3 in value
            ref value BASE @4 in color
            ref type Foo @6 in Pair
            ref type struct<> . opaque @8 in -
            ref type Foo @11 in -
            ref type Bar @11 in -
            ref type struct<> . forward @12 in -
            ref type callback @13 in commands
            ref value do_list @13 in -
            ref value LOW @14 in helper
            string "list all" @13 in -
        "#]],
    );
}

#[test]
fn uses_in_c() {
    check(
        "src/a.c",
        r#"
void work(struct ctx *c, Foo items[], callback cb) {
    c->pool.start(1);
    items[2].name = c->name;
    (*c).total++;
    cb(c);
    struct node *node = (struct node *)c->data;
    node->next->run(node, &other, limit);
    Foo *list = lookup();
    list[3].touch();
    for (int i = 0; i < COUNT; i++) { log_info("step %d done", i); }
    Foo f = { .name = label, .sub = { .x = 1 }, .ops[2] = { go } };
    Foo grid[] = { [0] = { .name = 0 } };
    use(&(struct point){ .x = 1, .y = offsetof(Foo, name) });
    size_t n = sizeof(struct node) + sizeof(Foo);
    switch (n) { case RED: goto out; default: break; }
    CHECK(n > 0, f.name);
out:
    return;
}
"#,
        &expect![[r#"
            symbol function work 2-20 pub : # | void work(struct ctx *c, Foo items[], callback cb)
            ref type struct<> . ctx @2 in work
            ref type Foo @2 in work
            ref type callback @2 in work
            ref value <ctx> . pool @3 in work
            ref call <ctx>.pool . start @3 in work
            ref value <#<Foo>>[] . name @4 in work
            ref value <ctx> . name @4 in work
            ref value <ctx> . total @5 in work
            ref type struct<> . node @7 in work
            ref type struct<> . node @7 in work
            ref value <ctx> . data @7 in work
            ref value <node> . next @8 in work
            ref call <node>.next . run @8 in work
            ref value other @8 in work
            ref value limit @8 in work
            ref type Foo @9 in work
            ref call lookup @9 in work
            ref call <Foo> . touch @10 in work
            ref value COUNT @11 in work
            ref call log_info @11 in work
            ref type Foo @12 in work
            ref value <Foo> . name @12 in work
            ref value label @12 in work
            ref value <Foo> . sub @12 in work
            ref value <Foo>.sub . x @12 in work
            ref value <Foo> . ops @12 in work
            ref value go @12 in work
            ref type Foo @13 in work
            ref value <#<Foo>>[] . name @13 in work
            ref call use @14 in work
            ref type struct<> . point @14 in work
            ref value <point> . x @14 in work
            ref value <point> . y @14 in work
            ref type Foo @14 in work
            ref value <Foo> . name @14 in work
            ref type struct<> . node @15 in work
            ref value Foo @15 in work
            ref value RED @16 in work
            ref call CHECK @17 in work
            ref value <Foo> . name @17 in work
            string "step %d done" @11 in work
        "#]],
    );
}

#[test]
fn headers_that_are_cpp_stay_c_by_name() {
    check(
        "a.h",
        "class Foo;\nclass Bar { void f(); };\n",
        &expect![[r#"
            symbol class Bar 2-2 pub | class Bar
            symbol method Bar::f 2-2 () bodiless : #void | void f()
            ref type Foo @1 in -
        "#]],
    );
    check(
        "a.h",
        "/* a\nclass of things */\nint class;\nint new(int this);\n",
        &expect![[r#"
            symbol variable class 3-3 pub : # | int class
            symbol function new 4-4 pub bodiless : # | int new(int this)
        "#]],
    );
}

#[test]
fn bad_syntax_keeps_the_rest() {
    check(
        "a.c",
        "int ok(void) { return 1; }\nint broken( = 3;\nstruct S { int a; };\nint fine(void) { return ok(); }\n",
        &expect![[r#"
            has errors
            symbol function ok 1-1 pub : # | int ok(void)
            symbol function broken 2-2 pub bodiless : # | int broken( = 3
            symbol struct S 3-3 pub | struct S
            symbol field S::a 3-3 pub : # | int a
            symbol function fine 4-4 pub : # | int fine(void)
            ref call ok @4 in fine
        "#]],
    );
    check(
        "a.cpp",
        "class A { void f( };\nvoid g() { h(); }\nnamespace {\n",
        &expect![[r#"
            has errors
            symbol variable f 1-1 pub : #void | void f( }
            symbol function g 2-2 pub () : #void | void g()
            ref type A @1 in -
            ref call h() @2 in g
            ref value namespace @3 in -
        "#]],
    );
}

#[test]
fn empty_files() {
    check("a.c", "", &expect![[""]]);
    check("a.cpp", "", &expect![[""]]);
}

#[test]
fn deep_nesting_is_survived() {
    use orbit_extract::{Lang, extract};
    let chain = format!("int f() {{ return a{}; }}\n", ".b()".repeat(20_000));
    let parens = format!("int f() {{ return {}1{}; }}\n", "(".repeat(20_000), ")".repeat(20_000));
    for source in [chain, parens] {
        assert!(extract("a.cpp", Lang::Cpp, source.as_bytes()).is_ok_and(|file| !file.symbols.is_empty()));
        assert!(extract("a.c", Lang::C, source.as_bytes()).is_ok_and(|file| !file.symbols.is_empty()));
    }
}

#[test]
fn a_header_with_structs_alone_may_be_cpp() {
    check(
        "src/env.h",
        r"
#include <string>
struct Rule;
struct Env {
  std::string look(Rule* rule) const;
};
",
        &expect![[r#"
            symbol struct Env 4-6 pub | struct Env
            symbol method Env::look 5-5 pub (Rule{*}) for # bodiless : <std<>.string> | std::string look(Rule* rule) const
            ref type Rule @3 in -
            ref type std @5 in Env::look
            ref type std<> . string @5 in Env::look
            ref type Rule @5 in Env::look
            import file <string> @2 in -
        "#]],
    );
    check(
        "src/base.h",
        r"
struct Env : Base {
  int run(int x);
};
",
        &expect![[r#"
            symbol struct Env 2-4 pub | struct Env : Base
            symbol method Env::run 3-3 pub (#int) bodiless : #int | int run(int x)
            ref type Base @2 in -
            relation Env extends Base @2
        "#]],
    );
    // A header of C that C++ may include.
    check(
        "src/plain.h",
        r"
#ifdef __cplusplus
#include <atomic>
#endif
struct class_of { int class; };
",
        &expect![[r#"
            symbol struct class_of 5-5 pub | struct class_of
            symbol field class_of::class 5-5 pub : # | int class
            ref value __cplusplus @2 in -
            import file <atomic> @3 in -
        "#]],
    );
}
