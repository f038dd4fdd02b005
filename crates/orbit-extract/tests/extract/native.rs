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
fn macros_and_conditionals() {
    check(
        "src/a.h",
        r#"
#ifndef A_H
#define A_H
#include "x/y.h"
#include <stdio.h>
#include CONFIG_H
#define LIMIT 10
#define VERSION "version 1.2"
#define MIN(a, b) ((a) < (b) ? (a) : lower(b, LIMIT))
#define RUN(obj) do { \
    (obj)->start(1); \
    puts("running now"); \
} while (0)
#ifdef HAVE_FOO
int foo(void);
#elif defined(HAVE_BAR) && LEVEL > 2
int bar(void);
#else
int baz(void);
#endif
#undef LIMIT
#endif
"#,
        &expect![[r#"
            symbol macro A_H 3-3 pub | #define A_H
            symbol macro LIMIT 7-7 pub | #define LIMIT 10
            symbol macro VERSION 8-8 pub | #define VERSION "version 1.2"
            symbol macro MIN 9-9 pub | #define MIN(a, b)
            symbol macro RUN 10-13 pub | #define RUN(obj)
            symbol function foo 15-15 pub bodiless inactive : # | int foo(void)
            symbol function bar 17-17 pub bodiless inactive : # | int bar(void)
            symbol function baz 19-19 pub bodiless : # | int baz(void)
            ref value CONFIG_H @6 in -
            ref call lower @9 in MIN
            ref value LIMIT @9 in MIN
            ref call ? . start @11 in RUN
            ref call puts @12 in RUN
            ref value HAVE_FOO @14 in -
            ref value HAVE_BAR @16 in -
            ref value LEVEL @16 in -
            import file x/y.h @4 in -
            import file <stdio.h> @5 in -
            string "version 1.2" @8 in VERSION
            string "running now" @12 in RUN
        "#]],
    );
}

#[test]
fn attribute_macros_do_not_hide_declarations() {
    check(
        "src/a.c",
        r#"
SQLITE_API int sqlite_open(const char *path);
SQLITE_PRIVATE Foo *make(void) { return 0; }
static BOOL WINAPI entry(HANDLE h) { return TRUE; }
LIB_EXPORT LIB_PURE hash_t HASH(const void *p);
MODULE_LICENSE("GPL v2 or later");
SYSCALL_DEFINE3(read, unsigned int, fd) { return do_read(fd); }
FILE *out;
DWORD count UNUSED;
"#,
        &expect![[r#"
            has errors
            symbol function sqlite_open 2-2 pub bodiless : # | int sqlite_open(const char *path)
            symbol function make 3-3 pub : <Foo> | Foo *make(void)
            symbol function entry 4-4 : <BOOL> | static BOOL WINAPI entry(HANDLE h)
            symbol function HASH 5-5 pub bodiless : <hash_t> | hash_t HASH(const void *p)
            symbol function read 7-7 pub | SYSCALL_DEFINE3(read, unsigned int, fd)
            symbol variable out 8-8 pub : <FILE> | FILE *out
            symbol variable count 9-9 pub : <DWORD> | DWORD count UNUSED
            ref value SQLITE_API @2 in -
            ref value SQLITE_PRIVATE @3 in -
            ref type Foo @3 in make
            ref type BOOL @4 in entry
            ref value WINAPI @4 in entry
            ref type HANDLE @4 in entry
            ref value LIB_EXPORT @5 in -
            ref value LIB_PURE @5 in -
            ref type hash_t @5 in HASH
            ref call MODULE_LICENSE @6 in -
            ref call SYSCALL_DEFINE3 @7 in -
            ref call do_read @7 in read
            ref value fd @7 in read
            ref type FILE @8 in -
            ref type DWORD @9 in -
            ref value UNUSED @9 in count
            string "GPL v2 or later" @6 in -
        "#]],
    );
    check(
        "src/b.h",
        r#"
namespace ui {
class UI_EXPORT Widget : public Base {
    Q_OBJECT
public:
    void show() NOEXCEPT { draw(); }
};
struct EXPORT Plain { int a; };
}
"#,
        &expect![[r#"
            symbol module ui 2-9 pub
            symbol class ui::Widget 3-7 pub | class UI_EXPORT Widget : public Base
            symbol method ui::Widget::show 6-6 pub () : #void | void show() NOEXCEPT
            symbol struct ui::Plain 8-8 pub | struct EXPORT Plain
            symbol field ui::Plain::a 8-8 pub : #int | int a
            ref value UI_EXPORT @3 in ui::Widget
            ref type Base @3 in ui
            ref value Q_OBJECT @4 in ui::Widget
            ref value NOEXCEPT @6 in ui::Widget::show
            ref call draw() @6 in ui::Widget::show
            ref value EXPORT @8 in ui::Plain
            relation Widget extends Base @3
        "#]],
    );
}

#[test]
fn classes_and_members() {
    check(
        "src/a.hpp",
        r#"
class Shape : public Base<int>, private ns::Mixin {
    int secret_ = 1;
public:
    Shape(Pool* pool) : pool_(pool), Base(1) { pool_->open(); }
    virtual ~Shape() = default;
    virtual double area() const = 0;
    Shape& operator=(const Shape& other);
    explicit operator bool() const { return pool_ != nullptr; }
    static Shape* create(const std::string& name);
protected:
    Pool* pool_;
};
struct Open { int a; void f(); };
"#,
        &expect![[r#"
            symbol class Shape 2-13 pub | class Shape : public Base<int>, private ns::Mixin
            symbol field Shape::secret_ 3-3 : #int | int secret_ = 1
            symbol constructor Shape::Shape 5-5 pub (Pool{*}) | Shape(Pool* pool)
            symbol method Shape::~Shape 6-6 pub () | virtual ~Shape() = default
            symbol method Shape::area 7-7 pub () for # bodiless : #double | virtual double area() const = 0
            symbol method Shape::operator= 8-8 pub (Shape) bodiless : <Shape> | Shape& operator=(const Shape& other)
            symbol method Shape::operator bool 9-9 pub () for # : #bool | explicit operator bool() const
            symbol method Shape::create 10-10 pub (std<>.string) bodiless : <Shape{*}> | static Shape* create(const std::string& name)
            symbol field Shape::pool_ 12-12 pub : <Pool{*}> | Pool* pool_
            symbol struct Open 14-14 pub | struct Open
            symbol field Open::a 14-14 pub : #int | int a
            symbol method Open::f 14-14 pub () bodiless : #void | void f()
            ref type Base @2 in -
            ref type ns @2 in -
            ref type ns<> . Mixin @2 in -
            ref type Pool @5 in Shape::Shape
            ref value this . pool_ @5 in Shape::Shape
            ref call Base @5 in Shape::Shape
            ref value pool_ @5 in Shape::Shape
            ref call pool_ . open() @5 in Shape::Shape
            ref type Shape @8 in Shape::operator=
            ref type Shape @8 in Shape::operator=
            ref value pool_ @9 in Shape::operator bool
            ref type Shape @10 in Shape::create
            ref type std @10 in Shape::create
            ref type std<> . string @10 in Shape::create
            ref type Pool @12 in Shape
            relation Shape extends Base<#int><#int> @2
            relation Shape extends ns<>.Mixin @2
        "#]],
    );
}

#[test]
fn nested_members() {
    check(
        "src/a.hpp",
        r#"
class Shape {
public:
    std::vector<Shape*> children{};
    static constexpr int kMax = 3;
    enum class Mode : int { Fast, Slow = 2 };
    using Ptr = std::unique_ptr<Shape>;
    template <typename T> T get(T fallback);
    friend class Renderer;
    friend bool operator<(const Shape& a, const Shape& b);
    struct Inner { int deep; void dig(); };
    union { int i; float f; };
};
"#,
        &expect![[r#"
            symbol class Shape 2-13 pub | class Shape
            symbol field Shape::children 4-4 pub : <std<>.vector<Shape{*}><Shape{*}>> | std::vector<Shape*> children
            symbol field Shape::kMax 5-5 pub : #int | static constexpr int kMax = 3
            symbol enum Shape::Mode 6-6 pub : Mode | enum class Mode : int
            symbol variant Shape::Mode::Fast 6-6 pub : <Mode>
            symbol variant Shape::Mode::Slow 6-6 pub : <Mode>
            symbol type_alias Shape::Ptr 7-7 pub : Shape{^} | using Ptr = std::unique_ptr<Shape>
            symbol method Shape::get 8-8 pub ($T) <$T> bodiless : <$T> | template <typename T> T get(T fallback)
            symbol function operator< 10-10 pub (Shape, Shape) bodiless : #bool | bool operator<(const Shape& a, const Shape& b)
            symbol struct Shape::Inner 11-11 pub | struct Inner
            symbol field Shape::Inner::deep 11-11 pub : #int | int deep
            symbol method Shape::Inner::dig 11-11 pub () bodiless : #void | void dig()
            symbol field Shape::i 12-12 pub : #int | int i
            symbol field Shape::f 12-12 pub : #float | float f
            ref type std @4 in Shape
            ref type std<> . vector @4 in Shape
            ref type Shape @4 in Shape
            ref type std @7 in Shape
            ref type std<> . unique_ptr @7 in Shape
            ref type Shape @7 in Shape
            ref type Renderer @9 in Shape
            ref type Shape @10 in operator<
            ref type Shape @10 in operator<
        "#]],
    );
}

#[test]
fn locals_show_their_types() {
    check(
        "src/a.cpp",
        r#"
void run(const Conn& conn, std::shared_ptr<Pool> pool) {
    conn.execute("select something");
    auto x = Client(1);
    x.send(helper);
    auto* y = new net::Socket(3);
    y->close();
    auto z = std::make_unique<Foo>(1);
    z->go();
    Foo direct(1), braces{2};
    direct.go();
    Foo vexing(other);
    vexing.go();
    pool->get().use();
    static_cast<Derived*>(y)->special();
    Foo{1}.build();
}
"#,
        &expect![[r#"
            symbol function run 2-17 pub (Conn, Pool{^}) : #void | void run(const Conn& conn, std::shared_ptr<Pool> pool)
            ref type Conn @2 in run
            ref type std @2 in run
            ref type std<> . shared_ptr @2 in run
            ref type Pool @2 in run
            ref call <Conn<>> . execute(#const char*) @3 in run
            ref call Client(#int) @4 in run
            ref call Client() . send(helper) @5 in run
            ref value helper @5 in run
            ref type net @6 in run
            ref call net<> . Socket @6 in run
            ref call <net<>.Socket{*}> . close() @7 in run
            ref type std @8 in run
            ref call std<> . make_unique(#int) @8 in run
            ref type Foo @8 in run
            ref call <Foo> . go() @9 in run
            ref type Foo @10 in run
            ref call <Foo> . go() @11 in run
            ref type Foo @12 in run
            ref value other @12 in run
            ref call <Foo> . go() @13 in run
            ref call <Pool{^}> . get() @14 in run
            ref call <Pool{^}>.get() . use() @14 in run
            ref type Derived @15 in run
            ref call <Derived{*}> . special() @15 in run
            ref call Foo @16 in run
            ref call <Foo> . build() @16 in run
            string "select something" @3 in run
        "#]],
    );
}

#[test]
fn loops_lambdas_and_handlers() {
    check(
        "src/a.cpp",
        r#"
void run(std::vector<Item>& items) {
    for (auto& item : items) item.touch();
    for (const Row& row : table()) row.read();
    items[0].touch();
    auto fn = [&, k = Client(2)](Bar& b) -> int { return b.size() + k.id(); };
    fn(x);
    try { risky(); } catch (const net::Error& e) { e.what(); }
    if (auto it = find(x); it.ok()) it.value();
    auto [first, second] = pair();
    first.go();
}
"#,
        &expect![[r#"
            symbol function run 2-12 pub (std<>.vector<Item><Item>) : #void | void run(std::vector<Item>& items)
            ref type std @2 in run
            ref type std<> . vector @2 in run
            ref type Item @2 in run
            ref call <std<>.vector<Item><Item>>[] . touch() @3 in run
            ref type Row @4 in run
            ref call table() @4 in run
            ref call <Row> . read() @4 in run
            ref call <std<>.vector<Item><Item>>[] . touch() @5 in run
            ref call Client(#int) @6 in run
            ref type Bar @6 in run
            ref call <Bar> . size() @6 in run
            ref call Client() . id() @6 in run
            ref value x @7 in run
            ref call risky() @8 in run
            ref type net @8 in run
            ref type net<> . Error @8 in run
            ref call <net<>.Error<>> . what() @8 in run
            ref call find(x) @9 in run
            ref value x @9 in run
            ref call find() . ok() @9 in run
            ref call find() . value() @9 in run
            ref call pair() @10 in run
            ref call ? . go() @11 in run
        "#]],
    );
}

#[test]
fn qualified_names_and_strings() {
    check(
        "src/a.cpp",
        r#"
void Foo::run(const Conn& conn) {
    Color c = Color::Red;
    ns::Util::call<Foo>(conn);
    conn.cast<Bar>();
    ::global();
    this->member.f();
    field_.g();
    throw std::runtime_error("went very wrong");
    delete y;
    auto raw = R"x(raw "text" here)x";
    printf("a first part " PRIu64 " and more");
}
"#,
        &expect![[r#"
            has errors
            symbol method Foo::run 2-13 pub (Conn) : #void | void Foo::run(const Conn& conn)
            ref type Foo @2 in -
            ref type Conn @2 in Foo::run
            ref type Color @3 in Foo::run
            ref type Color @3 in Foo::run
            ref value Color<> . Red @3 in Foo::run
            ref type ns @4 in Foo::run
            ref type ns<> . Util @4 in Foo::run
            ref call ns<>.Util . call(<Conn<>>) @4 in Foo::run
            ref type Foo @4 in Foo::run
            ref call <Conn<>> . cast() @5 in Foo::run
            ref type Bar @5 in Foo::run
            ref call :: . global() @6 in Foo::run
            ref value this . member @7 in Foo::run
            ref call this.member . f() @7 in Foo::run
            ref value field_ @8 in Foo::run
            ref call field_ . g() @8 in Foo::run
            ref type std @9 in Foo::run
            ref call std<> . runtime_error(#const char*) @9 in Foo::run
            ref value y @10 in Foo::run
            ref call printf(#const char*) @12 in Foo::run
            ref value PRIu64 @12 in Foo::run
            string "went very wrong" @9 in Foo::run
            string "raw \"text\" here" @11 in Foo::run
            string "a first part " @12 in Foo::run
            string " and more" @12 in Foo::run
        "#]],
    );
}

#[test]
fn conditionals_that_cut_statements() {
    check(
        "src/a.c",
        r#"
int f(int a) {
#ifdef FAST
  if (a > LIMIT) {
#else
  if (slow(a)) {
#endif
    go();
  }
#if defined(MORE)
  else if (a == 2) { more(); }
#endif
  call(a,
#ifdef X
    1
#else
    2
#endif
  );
  return 0;
}
#if 0
this is { no C at all
#endif
static const Foo table[] = {
#ifdef A
  { "first entry", one },
#endif
  { "other entry", two },
};
#ifdef __cplusplus
extern "C" {
#endif
int after(void);
#ifdef __cplusplus
}
#endif
"#,
        &expect![[r#"
            symbol function f 2-21 pub : # | int f(int a)
            symbol const table 25-30 : <#<Foo>> | static const Foo table[]
            symbol function after 34-34 pub bodiless : # | int after(void)
            ref value LIMIT @4 in f
            ref call go @8 in f
            ref call more @11 in f
            ref call call @13 in f
            ref type Foo @25 in -
            ref value one @27 in -
            ref value two @29 in -
            string "first entry" @27 in -
            string "other entry" @29 in -
        "#]],
    );
}

#[test]
fn definitions_outside_the_class() {
    check(
        "src/a.cpp",
        r#"
namespace geo { int origin(); }
Shape::Shape(int n) : count_(n) { this->init(); }
Shape::~Shape() {}
template <class T> T Box<T>::get(T value) { return T::make(value); }
bool ns::Shape::operator==(const Shape& o) const { return count_ == o.count_; }
Shape::operator bool() const { return true; }
int Shape::total = 0;
int geo::origin() { return 0; }
auto build() -> Shape* { return nullptr; }
void Outer::Inner::run() { helper(); }
"#,
        &expect![[r#"
            symbol module geo 2-2 pub
            symbol function geo::origin 2-2 pub () bodiless : #int | int origin()
            symbol constructor Shape::Shape 3-3 pub (#int) | Shape::Shape(int n)
            symbol method Shape::~Shape 4-4 pub () | Shape::~Shape()
            symbol method Box::get 5-5 pub ($T) : <$T> | template <class T> T Box<T>::get(T value)
            symbol method ns::Shape::operator== 6-6 pub (Shape) for # : #bool | bool ns::Shape::operator==(const Shape& o) const
            symbol method Shape::operator bool 7-7 pub () for # : #bool | Shape::operator bool() const
            symbol field Shape::total 8-8 pub : #int | int Shape::total = 0
            symbol function geo::origin#2 9-9 pub () : #int | int geo::origin()
            symbol function build 10-10 pub () : <Shape{*}> | auto build() -> Shape*
            symbol method Outer::Inner::run 11-11 pub () : #void | void Outer::Inner::run()
            ref type Shape @3 in -
            ref value count_ @3 in Shape::Shape
            ref call this . init() @3 in Shape::Shape
            ref type Shape @4 in -
            ref type Box @5 in -
            ref call ? . make(<$T>) @5 in Box::get
            ref type ns @6 in -
            ref type ns<> . Shape @6 in -
            ref type Shape @6 in ns::Shape::operator==
            ref value count_ @6 in ns::Shape::operator==
            ref value <Shape<>> . count_ @6 in ns::Shape::operator==
            ref type Shape @7 in -
            ref type Shape @8 in -
            ref type geo @9 in -
            ref type Shape @10 in build
            ref type Outer @11 in -
            ref type Outer<> . Inner @11 in -
            ref call helper() @11 in Outer::Inner::run
        "#]],
    );
}

#[test]
fn namespaces_usings_and_templates() {
    check(
        "src/a.cc",
        r#"
#include <vector>
namespace a::b { int f(); }
namespace a { namespace c { class K; } }
namespace { int hidden; void local() {} }
inline namespace v1 { const int kOne = 1; }
using namespace std;
using ns::sub::thing;
namespace fs = std::filesystem;
extern "C" { void c_entry(void); }
template <typename T, int N = 3> struct Arr { T data[N]; T& at(int i) { return data[i]; } };
template <> struct hash<Foo> { };
template <class T> using Vec = std::vector<T>;
template <class T> concept Small = sizeof(T) < LIMIT;
template <Small T> void shrink(T t) { t.run(); }
typedef Arr<Foo> FooArr;
int run() { using local::name; return name(); }
"#,
        &expect![[r#"
            symbol module a 3-3 pub
            symbol module a::b 3-3 pub
            symbol function a::b::f 3-3 pub () bodiless : #int | int f()
            symbol module a#2 4-4 pub
            symbol module a::c 4-4 pub
            symbol variable hidden 5-5 : #int | int hidden
            symbol function local 5-5 () : #void | void local()
            symbol module v1 6-6 pub
            symbol const kOne 6-6 pub : #int | const int kOne = 1
            symbol function c_entry 10-10 pub () bodiless : #void | void c_entry(void)
            symbol struct Arr 11-11 pub <$T, $N> | template <typename T, int N = 3> struct Arr
            symbol field Arr::data 11-11 pub : <#<$T>> | T data[N]
            symbol method Arr::at 11-11 pub (#int) : <$T> | T& at(int i)
            symbol struct hash 12-12 pub (Foo) | template <> struct hash<Foo>
            symbol type_alias Vec 13-13 pub <$T> : std<>.vector<$T><$T> | template <class T> using Vec = std::vector<T>
            symbol trait Small 14-14 pub
            symbol function shrink 15-15 pub ($T) <$T> : #void | template <Small T> void shrink(T t)
            symbol type_alias FooArr 16-16 pub : Arr<Foo><Foo> | typedef Arr<Foo> FooArr
            symbol function run 17-17 pub () : #int | int run()
            ref type K @4 in a::c
            ref type ns @8 in -
            ref type ns<> . sub @8 in -
            ref value data @11 in Arr::at
            ref type Foo @12 in -
            ref type std @13 in -
            ref type std<> . vector @13 in -
            ref value LIMIT @14 in -
            ref type Small @15 in -
            ref call <$T> . run() @15 in shrink
            ref type Arr @16 in -
            ref type Foo @16 in -
            ref type local @17 in run
            ref call name() @17 in run
            import file <vector> @2 in -
            import glob std @7 in -
            import symbol ns::sub [thing] as thing @8 in -
            import module std::filesystem as fs @9 in -
            import symbol local [name] as name @17 in run
        "#]],
    );
}

#[test]
fn tests_made_by_macros() {
    check(
        "src/a_test.cc",
        r#"
TEST(Suite, Works) { EXPECT_EQ(run(), 1); }
TEST_F(Fixture, Too) { go(); }
TEST_CASE("parses a thing", "[parse]") { parse(); }
"#,
        &expect![[r#"
            has errors
            symbol test Suite.Works 2-2 | TEST(Suite, Works)
            symbol test Fixture.Too 3-3 | TEST_F(Fixture, Too)
            symbol test parses a thing 4-4 | TEST_CASE("parses a thing", "[parse]")
            ref call TEST @2 in -
            ref call EXPECT_EQ(run(), #int) @2 in Suite.Works
            ref call run() @2 in Suite.Works
            ref call TEST_F @3 in -
            ref type Fixture @3 in -
            ref call go() @3 in Fixture.Too
            ref call TEST_CASE @4 in -
            ref call parse() @4 in parses a thing
            relation Fixture.Too extends Fixture @3
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
