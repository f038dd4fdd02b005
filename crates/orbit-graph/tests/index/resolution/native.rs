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
            user.c:7 narrow -> ?
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
            fixture.h:5 Add -> store.cc:3 same_module
            store.cc:3 Add -> store.cc:4 exact
            store_test.cc:4 Put -> fixture.h:5 same_module
            store_test.cc:5 Add -> store.cc:3 same_module
            store_test.cc:6 Add -> store.cc:4 same_module
            store_test.cc:7 Size -> store.cc:5 same_module
        "#]],
    );
}

#[test]
fn a_namespace_that_a_macro_opens_shows_what_stands_behind_the_macro() {
    check(
        r#"
==> lib/config.h
#define LIB_BEGIN_NAMESPACE namespace lib { inline namespace v1 {
#define LIB_END_NAMESPACE } }
==> lib/format.h
#include "config.h"
LIB_BEGIN_NAMESPACE
struct error {};
namespace detail { int size(); }
int format(const char* text);
LIB_END_NAMESPACE
==> use.cc
#include "lib/format.h"
using lib::error;
int run() {
  error e; //?
  return lib::format("a") + lib::detail::size(); //?
}
LIB_END_NAMESPACE

TEST(Use, Runs) {
  lib::format("b"); //?
}
==> other.cc
int format(int);
"#,
        &expect![[r#"
            use.cc:5 format -> lib/format.h:5 import_resolved
            use.cc:5 size -> lib/format.h:4 import_resolved
            use.cc:10 format -> lib/format.h:5 import_resolved
        "#]],
    );
}

#[test]
fn std_and_the_global_namespace_are_not_mixed_up_with_others() {
    check(
        r#"
==> box.h
namespace std { template <> struct hash<Box> { int get(); }; }
int open(int n);
enum class Mode { fast, open };
class Box {
 public:
  struct Node;
  Box(int n);
  int open();
  int run() {
    std::hash<int> h; //?
    Box other(1); //?
    void (Box::*member)() = &Box::open; //?
    return ::open(1) + open(); //?
  }
};
struct Box::Node {
  Node* next; //?
  Box* owner; //?
};
"#,
        &expect![[r#"
            box.h:13 open -> box.h:2 exact
            box.h:13 open -> box.h:8 exact
        "#]],
    );
}

#[test]
fn a_call_leads_to_the_definition_of_the_overload_that_is_declared() {
    check(
        r#"
==> store.h
class Item {};
class Store {
 public:
  void Put(const Item& item, int n);
  void Put(int key, const char* text, int n);
};
void Load(Store* store);
==> store.cc
#include "store.h"
void Store::Put(const Item& item, int n) {}
void Store::Put(int key, const char* text, int n) {}
void Load(Store* store) {}
==> wide.h
void Load(Store* store, int mode);
==> main.cc
#include "store.h"
int main() {
  Store store;
  Item item;
  store.Put(item, 1); //?
  store.Put(1, "a", 2); //?
  Load(&store); //?
}
"#,
        &expect![[r#"
            main.cc:5 Put -> store.cc:2 same_module
            main.cc:6 Put -> store.cc:3 same_module
            main.cc:7 Load -> store.cc:4 same_module
        "#]],
    );
}

#[test]
fn what_other_systems_have_in_place_of_the_standard_library_is_not_meant() {
    check(
        r#"
==> compat.h
#ifdef _WIN32
#define strcasecmp stricmp
#define close(fd) win_close(fd)
#endif
#ifndef SEEK_SET
#define SEEK_SET 0
#endif
#define LIMIT(x) (x)
int project_only(int x);
==> other.c
#define LIMIT(x) (0)
int project_only(int x) { return x; }
==> use.c
#include <stdio.h>
#include <strings.h>
#include <unistd.h>
#include "compat.h"
int run(int fd) {
  close(fd); //?
  LIMIT(1); //?
  project_only(2); //?
  return strcasecmp(a, b); //?
}
"#,
        &expect![[r#"
            use.c:6 close -> ?
            use.c:7 LIMIT -> compat.h:8 same_module
            use.c:8 project_only -> other.c:2 same_module
            use.c:9 strcasecmp -> ?
        "#]],
    );
}
