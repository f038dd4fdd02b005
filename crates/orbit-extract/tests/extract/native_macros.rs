//! C and C++: macros where no grammar expects a word.

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
