//! Templates of C++: what they declare, and what is kept of their arguments.

use crate::render::check;
use expect_test::expect;

#[test]
fn templates_and_their_specialisations() {
    check(
        "a.cc",
        r"
namespace lib {
template <typename T, typename Enable = void> struct Traits;
template <> struct Traits<int> { using type = long; };
template <typename T, int N = 4> class Pool {
 public:
  T* take();
  auto first() { return items_[0]; }
  friend int compare(const Pool& a, const Pool& b) { return 0; }
  Pair<T, Pool<T>> items_;
};
template <typename T> using Shared = Pool<T, 8>;
template <typename T> void put(T value, const T* where);
template <typename T, typename = enable_if_t<is_small<T>::value>> void put_small(T value);
enum : unsigned { flag = 1 };
}
void use(lib::Pool<Foo>& pool) {
  auto made = make<Foo>(1, pool);
  made.run(std::move(pool));
}
",
        &expect![[r#"
            has errors
            symbol module lib 2-16 pub
            symbol struct lib::Traits 3-3 pub <$T, $Enable:#void> bodiless | template <typename T, typename Enable = void> struct Traits
            symbol struct lib::Traits#2 4-4 pub (#int) | template <> struct Traits<int>
            symbol type_alias lib::Traits::type 4-4 pub : #long | using type = long
            symbol class lib::Pool 5-11 pub <$T, $N> | template <typename T, int N = 4> class Pool
            symbol method lib::Pool::take 7-7 pub () bodiless : <$T> | T* take()
            symbol method lib::Pool::first 8-8 pub () : items_[] | auto first()
            symbol function lib::compare 9-9 pub (Pool, Pool) : #int | int compare(const Pool& a, const Pool& b)
            symbol field lib::Pool::items_ 10-10 pub : <Pair<$T, Pool<$T><$T>><Pool<$T><$T>>> | Pair<T, Pool<T>> items_
            symbol type_alias lib::Shared 12-12 pub <$T> : Pool<$T, ?><$T> | template <typename T> using Shared = Pool<T, 8>
            symbol function lib::put 13-13 pub ($T, ?) <$T> bodiless : #void | template <typename T> void put(T value, const T* where)
            symbol function lib::put_small 14-14 pub (?{class}) <$T, ?> bodiless : #void | template <typename T, typename = enable_if_t<is_small<T>::value>> void put_small(T value)
            symbol variant lib::flag 15-15 pub
            symbol function use 17-20 pub (lib<>.Pool<Foo><Foo>) : #void | void use(lib::Pool<Foo>& pool)
            ref value items_ @8 in lib::Pool::first
            ref type Pool @9 in lib::compare
            ref type Pool @9 in lib::compare
            ref type Pair @10 in lib::Pool
            ref type Pool @10 in lib::Pool
            ref type Pool @12 in lib
            ref type enable_if_t @14 in lib
            ref type is_small @14 in lib
            ref type is_small<> . value @14 in lib
            ref type lib @17 in use
            ref type lib<> . Pool @17 in use
            ref type Foo @17 in use
            ref call make(#int, <lib<>.Pool<Foo><Foo>>) @18 in use
            ref type Foo @18 in use
            ref call make<Foo>() . run(<lib<>.Pool<Foo><Foo>>{&&}) @19 in use
            ref type std @19 in use
            ref call std<> . move(<lib<>.Pool<Foo><Foo>>) @19 in use
        "#]],
    );
}
