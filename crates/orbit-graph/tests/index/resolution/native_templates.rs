//! C++: templates, overloads, and how namespaces are looked up.

use super::check;
use expect_test::expect;

#[test]
fn what_a_template_gives_is_what_it_holds() {
    check(
        r#"
==> box.h
namespace lib {
struct Round { void roll(); };
struct Flat { void lie(); };
template <typename T, typename D = Flat> class Box {
 public:
  T& get();
  D spare();
  T item_;
};
template <typename T> class Crate : public Box<T> {};
template <typename T> using Shelf = Crate<T>;
template <typename T> T pass(T value);
}
==> use.cc
#include <map>
#include <memory>
#include <vector>
#include "box.h"
namespace lib {
void run(Box<Round>& box, Crate<Flat>& crate, Shelf<Round> shelf) {
  box.get().roll(); //?
  box.spare().lie(); //?
  box.item_.roll(); //?
  crate.get().lie(); //?
  shelf.get().roll(); //?
  pass(box).get().roll(); //?
  pass<Flat>(1).lie(); //?
}
void hold(std::map<int, std::shared_ptr<Round>> rounds, std::unique_ptr<Flat> flat, std::vector<Flat> flats) {
  for (auto& entry : rounds) entry.second->roll(); //?
  rounds.find(1)->second->roll(); //?
  flat.get()->lie(); //?
  flats.front().lie(); //?
  std::move(flat)->lie(); //?
}
}
"#,
        &expect![[r#"
            use.cc:7 get -> box.h:6 same_module
            use.cc:7 roll -> box.h:2 same_module
            use.cc:8 spare -> box.h:7 same_module
            use.cc:8 lie -> box.h:3 same_module
            use.cc:9 roll -> box.h:2 same_module
            use.cc:10 get -> box.h:6 same_module
            use.cc:10 lie -> box.h:3 same_module
            use.cc:11 get -> box.h:6 same_module
            use.cc:11 roll -> box.h:2 same_module
            use.cc:12 pass -> box.h:12 same_module
            use.cc:12 get -> box.h:6 same_module
            use.cc:12 roll -> box.h:2 same_module
            use.cc:13 pass -> box.h:12 same_module
            use.cc:13 lie -> box.h:3 same_module
            use.cc:16 roll -> box.h:2 same_module
            use.cc:17 find -> ?
            use.cc:17 roll -> box.h:2 same_module
            use.cc:18 get -> ?
            use.cc:18 lie -> box.h:3 same_module
            use.cc:19 front -> ?
            use.cc:19 lie -> box.h:3 same_module
            use.cc:20 move -> ?
            use.cc:20 lie -> box.h:3 same_module
        "#]],
    );
}

#[test]
fn a_specialisation_has_its_own_members() {
    check(
        r"
==> traits.h
template <typename T> struct Traits;
template <> struct Traits<int> {
  static int wide();
  int both() { return wide(); } //?
};
template <> struct Traits<char> {
  static int wide();
  int both() { return wide(); } //?
  int only() { return wide(); } //?
};
int any() {
  Traits<int>::both(); //?
  Traits<char>::only(); //?
}
",
        &expect![[r#"
            traits.h:4 wide -> traits.h:3 exact
            traits.h:8 wide -> traits.h:7 exact
            traits.h:9 wide -> traits.h:7 exact
            traits.h:12 both -> ?
            traits.h:13 only -> traits.h:9 exact
        "#]],
    );
}

#[test]
fn names_before_two_colons_are_scopes_and_usings_are_relative() {
    check(
        r#"
==> log.h
namespace log {
namespace level { void set(int n); }
namespace details {
struct Pad { static Pad left(); void fill(); };
void helper(int n);
}
class Logger {
 public:
  int level;
  void run() {
    level::set(1); //?
    using details::Pad;
    Pad::left().fill(); //?
  }
  friend int compare(const Logger& a, const Logger& b) { return 0; }
};
using details::helper;
void write(const char* text);
void write(int number);
void write(bool flag);
template <typename T> void write(T value, T other);
}
==> use.cc
#include "log.h"
namespace log {
void use(Logger& a) {
  helper(1); //?
  compare(a, a); //?
  write("text"); //?
  write(1); //?
  write(a.level == 1); //?
  write(a, a); //?
}
}
"#,
        &expect![[r#"
            log.h:11 set -> log.h:2 exact
            log.h:13 left -> log.h:4 exact
            log.h:13 fill -> log.h:4 exact
            use.cc:4 helper -> log.h:5 import_resolved
            use.cc:5 compare -> log.h:15 same_module
            use.cc:6 write -> log.h:18 same_module
            use.cc:7 write -> log.h:19 same_module
            use.cc:8 write -> log.h:20 same_module
            use.cc:9 write -> log.h:21 same_module
        "#]],
    );
}

#[test]
fn of_members_that_differ_in_const_the_object_chooses() {
    check(
        r#"
==> node.hpp
struct Node {
  const Node* next() const;
  Node* next();
  void walk() const { next(); } //?
  void move() { next(); } //?
};
==> use.cc
#include "node.hpp"
void use(const Node& constant, Node& changing, const Node* pointer) {
  constant.next(); //?
  changing.next(); //?
  pointer->next()->next(); //?
  changing.next()->next(); //?
}
"#,
        &expect![[r#"
            node.hpp:4 next -> node.hpp:2 exact
            node.hpp:5 next -> node.hpp:3 exact
            use.cc:3 next -> node.hpp:2 same_module
            use.cc:4 next -> node.hpp:3 same_module
            use.cc:5 next -> node.hpp:2 same_module
            use.cc:5 next -> node.hpp:2 same_module
            use.cc:6 next -> node.hpp:3 same_module
            use.cc:6 next -> node.hpp:3 same_module
        "#]],
    );
}
