//! C and C++: macros and conditionals, also where no grammar expects a word.

use crate::render::check;
use expect_test::expect;

#[test]
fn macros_between_the_words_of_declarations() {
    check(
        "lib/api.hpp",
        r#"
typedef long (CALL *read_func)(void *opaque, unsigned size);
API_EXTERN long API_EXPORT bound(long size);
class VISIBLE("default") Error : public Base {
  DISALLOW_COPY(Error);
  int value_ GUARDED_BY(mutex_);
  operator Text() const;
};
INLINE Error::Error(int n)
    :
#ifndef SMALL
      size_(n),
#endif
      value_(n) {}
INLINE std::shared_ptr<Error> make(int n);
"#,
        &expect![[r#"
            symbol type_alias read_func 2-2 pub : ? | typedef long (CALL *read_func)(void *opaque, unsigned size)
            symbol function bound 3-3 pub (#long) bodiless : #long | long API_EXPORT bound(long size)
            symbol class Error 4-8 pub | class VISIBLE("default") Error : public Base
            symbol field Error::value_ 6-6 : #int | int value_ GUARDED_BY(mutex_)
            symbol method Error::operator Text 7-7 () for # bodiless : <Text> | operator Text() const
            symbol constructor Error::Error 9-14 pub (#int) | Error::Error(int n)
            symbol function make 15-15 pub (#int) bodiless : <Error{^}> | std::shared_ptr<Error> make(int n)
            ref value CALL @2 in read_func
            ref value API_EXTERN @3 in -
            ref value API_EXPORT @3 in bound
            ref call VISIBLE @4 in Error
            ref type Base @4 in -
            ref call DISALLOW_COPY @5 in Error
            ref type Error @5 in Error
            ref call GUARDED_BY @6 in Error::value_
            ref value mutex_ @6 in Error::value_
            ref type Text @7 in Error::operator Text
            ref value INLINE @9 in -
            ref type Error @9 in -
            ref value size_ @12 in Error::Error
            ref value value_ @14 in Error::Error
            ref value INLINE @15 in -
            ref type std @15 in make
            ref type std<> . shared_ptr @15 in make
            ref type Error @15 in make
            relation Error extends Base @4
        "#]],
    );
}

#[test]
fn macros_are_told_by_the_place_they_stand_in() {
    check(
        "a.cc",
        r#"
template <typename T> class Box {
 public:
  EXPLICIT Box(T value) : value_(value) {}
  template <typename U, ENABLE_IF(is_same<U, T>::value)>
  INLINE CONSTEXPR Box(const U& other) : value_(other) {}
  NODISCARD const T& get() const { return value_; }
  DEPRECATED operator bool() const;
  int run() MUST_USE;
  T value_;
};
class API Box<int> { int number_; };
PRAGMA(diagnostic error "-Wx")
struct After {};
DEFINE_CALLS(GT, >)
DEFINE_DEFAULTS(unsigned short, 0U);
__extension__ typedef long long wide;
extern template class API Box<char>;
int last;
"#,
        &expect![[r#"
            has errors
            symbol class Box 2-11 pub <$T> | template <typename T> class Box
            symbol constructor Box::Box 4-4 pub ($T) | Box(T value)
            symbol constructor Box::Box#2 6-6 pub (?{builtin}) <$U> | template <typename U, ENABLE_IF(is_same<U, T>::value)> INLINE CONSTEXPR Box(const U& other)
            symbol method Box::get 7-7 pub () for # : <$T<>> | const T& get() const
            symbol method Box::operator bool 8-8 pub () for # bodiless : #bool | operator bool() const
            symbol method Box::run 9-9 pub () bodiless : #int | int run() MUST_USE
            symbol field Box::value_ 10-10 pub : <$T> | T value_
            symbol class Box#2 12-12 pub (#int) | class API Box<int>
            symbol field Box::number_ 12-12 : #int | int number_
            symbol struct After 14-14 pub | struct After
            symbol type_alias wide 17-17 pub : #long long | typedef long long wide
            symbol variable last 19-19 pub : #int | int last
            ref value EXPLICIT @4 in Box
            ref value this . value_ @4 in Box::Box
            ref call ENABLE_IF @5 in Box::Box
            ref value is_same @5 in Box::Box
            ref value U @5 in Box::Box
            ref value T @5 in Box::Box
            ref value ? . value @5 in Box::Box
            ref value INLINE @6 in Box::Box
            ref value CONSTEXPR @6 in Box::Box
            ref value this . value_ @6 in Box::Box
            ref value NODISCARD @7 in Box
            ref value value_ @7 in Box::get
            ref value DEPRECATED @8 in Box
            ref value MUST_USE @9 in Box::run
            ref value API @12 in Box
            ref call PRAGMA @13 in -
            ref value diagnostic @13 in -
            ref value error @13 in -
            ref call DEFINE_CALLS @15 in -
            ref value GT @15 in -
            ref call DEFINE_DEFAULTS @16 in -
            ref value API @18 in -
            ref type Box @18 in -
        "#]],
    );
}

#[test]
fn of_a_conditional_inside_a_statement_the_branch_of_a_usual_build_stays() {
    check(
        "a.cc",
        r"
using size_type =
#ifdef _MSC_VER
    unsigned;
#else
    unsigned long;
#endif
using word =
#if LIB_WIDE
    wide_word;
#else
    narrow_word;
#endif
#  ifndef NAME
#    define NAME 1
#  endif
#ifndef SEEK_SET
#define SEEK_SET 0
#endif
",
        &expect![[r#"
            symbol type_alias size_type 2-6 pub : #unsigned long | using size_type = #ifdef _MSC_VER unsigned; #else unsigned long
            symbol type_alias word 8-10 pub : wide_word | using word = #if LIB_WIDE wide_word
            symbol macro NAME 15-15 pub | # define NAME 1
            symbol macro SEEK_SET 18-18 pub inactive | #define SEEK_SET 0
            ref type wide_word @10 in -
        "#]],
    );
}

#[test]
fn macros_between_statements_and_comments_in_macros() {
    check(
        "a.cc",
        r#"
int behind(int x) {
  if CONSTEXPR (sizeof(x) > 4) return 1;
  TRY { behind(1); }
  CATCH(...) { behind(2); }
  LOG_ERROR(source())
}
#define TEXT(x) \
  /* a comment */ \
  behind(x)
"#,
        &expect![[r#"
            symbol function behind 2-7 pub (#int) : #int | int behind(int x)
            symbol macro TEXT 8-10 pub : behind | #define TEXT(x)
            ref value CONSTEXPR @3 in behind
            ref value TRY @4 in behind
            ref call behind(#int) @4 in behind
            ref call CATCH @5 in behind
            ref call behind(#int) @5 in behind
            ref call LOG_ERROR @6 in behind
            ref call source @6 in behind
            ref call behind @10 in TEXT
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
fn titles_of_tests_are_decorated_and_have_types_behind_them() {
    check(
        "src/a_test.cc",
        r#"
TEST_CASE("plain" * test_suite("scan")) { run(); }
TEST_CASE_TEMPLATE("of types" * test_suite("scan"), T, int8_t, unsigned char, Own) {
  Parser parser("x");
  SUBCASE("zero") { parser.parse(1); }
}
void after() {}
"#,
        &expect![[r#"
            has errors
            symbol test plain 2-2 | TEST_CASE("plain" * test_suite("scan"))
            symbol test of types 3-6 | TEST_CASE_TEMPLATE("of types" * test_suite("scan"), T, int8_t, unsigned char, Own)
            symbol function after 7-7 pub () : #void | void after()
            ref call TEST_CASE @2 in -
            ref call test_suite(#const char*) @2 in -
            ref call run() @2 in plain
            ref call TEST_CASE_TEMPLATE @3 in -
            ref call test_suite(#const char*) @3 in -
            ref type Parser @4 in of types
            ref call SUBCASE(#const char*) @5 in of types
            ref call <Parser> . parse(#int) @5 in of types
            string "of types" @3 in -
        "#]],
    );
}

#[test]
fn labels_under_conditions_belong_to_the_statement_that_follows() {
    check(
        "src/a.c",
        r#"
static void big(int x) {
  int i;
#ifndef A
 have_i:
#endif
  i = 1;
  run(i);
  switch (x) {
#ifdef B
  default:
#endif
    run(x);
  }
#ifdef B
 ret1:
#endif
  run(2);
}
void other(void) { int i; i = 2; }
"#,
        &expect![[r#"
            symbol function big 2-19 : # | static void big(int x)
            symbol function other 20-20 pub : # | void other(void)
            ref call run @8 in big
            ref value B @10 in big
            ref call run @13 in big
            ref call run @18 in big
        "#]],
    );
}
