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
            symbol function bound 3-3 pub (#) bodiless : # | long API_EXPORT bound(long size)
            symbol class Error 4-8 pub | class VISIBLE("default") Error : public Base
            symbol field Error::value_ 6-6 : # | int value_ GUARDED_BY(mutex_)
            symbol method Error::operator Text 7-7 () bodiless : <Text> | operator Text() const
            symbol constructor Error::Error 9-14 pub (#) | Error::Error(int n)
            symbol function make 15-15 pub (#) bodiless : <Error> | std::shared_ptr<Error> make(int n)
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
            ref value this . size_ @12 in Error::Error
            ref value this . value_ @14 in Error::Error
            ref value INLINE @15 in -
            ref type std @15 in make
            ref type std . shared_ptr @15 in make
            ref type Error @15 in make
            relation Error extends Base @4
        "#]],
    );
}
