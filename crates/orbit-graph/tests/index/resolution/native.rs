//! C and C++.

use super::check;
use expect_test::expect;

#[test]
fn of_conditional_definitions_the_one_of_a_usual_build_is_taken() {
    check(
        r"
==> lib.h
#ifndef LIB_H
#define LIB_H
#ifdef _WIN32
#define CALL(x) windows(x)
#else
#if defined(__GNUC__) && defined(LIB_VISIBLE)
#define CALL(x) visible(x)
#else
#define CALL(x) plain(x)
#endif
#endif
#define WIDTH (64)
#if WIDTH == 32
int narrow(void);
#elif WIDTH == 64
int wide(void);
#endif
#endif
==> user.c
#include <lib.h>
#ifdef NEVER_DEFINED
void CALL(int x);
#endif
void run(void) {
  CALL(1); //?
  narrow(); //?
  wide(); //?
}
",
        &expect![[r#"
            user.c:6 CALL -> lib.h:9 same_module
            user.c:7 narrow -> lib.h:14 same_module
            user.c:8 wide -> lib.h:16 same_module
        "#]],
    );
}

#[test]
fn a_test_of_a_fixture_has_its_members_and_overloads_are_told_apart() {
    check(
        r#"
==> fixture.h
#include "store.h"
namespace kv {
class StoreTest : public testing::Test {
 public:
  void Put(int key) { store_->Add(key); } //?
  Store* store_ GUARDED_BY(mutex_);
  int mutex_;
};
}
==> store.h
namespace kv {
class Store {
 public:
  void Add(int key);
  void Add(int key, const char* value);
  int Size(int from = 0);
};
}
==> store.cc
#include "store.h"
namespace kv {
void Store::Add(int key) { Add(key, ""); } //?
void Store::Add(int key, const char* value) {}
int Store::Size(int from) { return 0; }
}
==> store_test.cc
#include "fixture.h"
namespace kv {
TEST_F(StoreTest, Adds) {
  Put(1); //?
  store_->Add(1); //?
  store_->Add(1, "x"); //?
  store_->Size(); //?
}
}
"#,
        &expect![[r#"
            fixture.h:5 Add -> store.h:4 same_module
            store.cc:3 Add -> store.cc:4 exact
            store_test.cc:4 Put -> fixture.h:5 same_module
            store_test.cc:5 Add -> store.h:4 same_module
            store_test.cc:6 Add -> store.h:5 same_module
            store_test.cc:7 Size -> store.h:6 same_module
        "#]],
    );
}
