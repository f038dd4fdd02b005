//! C++: which of several functions a call means, by the types of its arguments.

use super::check;
use expect_test::expect;

#[test]
fn built_in_types_and_pointers_tell_overloads_apart() {
    check(
        r#"
==> elem.h
#include <string>
#include <vector>
class Elem {
 public:
  void set(const char* text);
  void set(int value);
  void set(bool value);
  void set(double value);
  void push(unsigned value);
  void push(long value);
  void push(const std::string& value);
  static const char* skip(const char* p);
  static char* skip(char* p);
  int count() const;
  const char* name() const;
  std::vector<int> sizes_;
  size_t total_;
};
==> elem.cc
#include "elem.h"
void Elem::set(const char* text) {}
void Elem::set(bool value) {}
void Elem::set(double value) {}
void Elem::set(int value) {
  char buffer[20];
  set(buffer); //?
  set(value); //?
  set(value == 1); //?
  set(value * 0.5); //?
  set(name()); //?
  set(count()); //?
  set(-1); //?
  push(unsigned(12)); //?
  push("text"); //?
  push(1L); //?
  push(std::to_string(value)); //?
  skip(buffer); //?
  skip(name()); //?
  set(sizes_[0]); //?
  set(*name()); //?
}
"#,
        &expect![[r#"
            elem.cc:7 set -> elem.cc:2 exact
            elem.cc:8 set -> elem.cc:5 exact
            elem.cc:9 set -> elem.cc:3 exact
            elem.cc:10 set -> elem.cc:4 exact
            elem.cc:11 set -> elem.cc:2 exact
            elem.cc:11 name -> elem.h:15 same_module
            elem.cc:12 set -> elem.cc:5 exact
            elem.cc:12 count -> elem.h:14 same_module
            elem.cc:13 set -> elem.cc:5 exact
            elem.cc:14 push -> elem.h:9 same_module
            elem.cc:14 unsigned -> ?
            elem.cc:15 push -> elem.h:11 same_module
            elem.cc:16 push -> elem.h:10 same_module
            elem.cc:17 push -> elem.h:11 same_module
            elem.cc:17 to_string -> ?
            elem.cc:18 skip -> elem.h:13 same_module
            elem.cc:19 skip -> elem.h:12 same_module
            elem.cc:19 name -> elem.h:15 same_module
            elem.cc:20 set -> elem.cc:5 exact
            elem.cc:21 set -> elem.cc:5 exact
            elem.cc:21 name -> elem.h:15 same_module
        "#]],
    );
}

#[test]
fn pointers_smart_pointers_and_values_of_a_class_are_different_arguments() {
    check(
        r#"
==> rules.h
#include <functional>
#include <memory>
#include <string>
#include <vector>
struct Rule { };
struct Range : Rule { Range(int a, int b); };
using RulePtr = std::shared_ptr<Rule>;
struct Option {
  Option* check(RulePtr rule);
  Option* check(Rule rule, const std::string& name = "");
  Option* check(std::function<bool(int)> test);
  void drop(Option* other);
  void drop(Rule* rule);
  void retire(Option& option);
  void retire(Option* option);
  void add(std::string text);
  void add(std::vector<std::string> texts);
  void add(std::vector<int> numbers);
  void keep(const std::vector<int>& numbers);
  void keep(std::vector<int>&& numbers);
};
template <typename T> void same(const char* what, T a, T b);
void same(const char* what, int a, int b);
==> use.cc
#include "rules.h"
enum Code { None, Some };
void use(Option& option, Option* other, RulePtr shared, Code code) {
  Rule rule;
  option.check(rule)->check(shared); //?
  option.check(Range(1, 2)); //?
  option.check([](int) { return true; }); //?
  option.drop(other); //?
  option.drop(&rule); //?
  option.retire(option); //?
  option.retire(other); //?
  option.retire(&option); //?
  option.add("text"); //?
  std::vector<int> numbers;
  option.add(numbers); //?
  option.keep(numbers); //?
  option.keep(std::move(numbers)); //?
  same("codes", code, code); //?
  same("mixed", 1, code); //?
}
"#,
        &expect![[r#"
            use.cc:5 check -> rules.h:10 same_module
            use.cc:5 check -> rules.h:9 same_module
            use.cc:6 check -> rules.h:10 same_module
            use.cc:6 Range -> rules.h:6 same_module
            use.cc:7 check -> rules.h:11 same_module
            use.cc:8 drop -> rules.h:12 same_module
            use.cc:9 drop -> rules.h:13 same_module
            use.cc:10 retire -> rules.h:14 same_module
            use.cc:11 retire -> rules.h:15 same_module
            use.cc:12 retire -> rules.h:15 same_module
            use.cc:13 add -> rules.h:16 same_module
            use.cc:15 add -> rules.h:18 same_module
            use.cc:16 keep -> rules.h:19 same_module
            use.cc:17 keep -> rules.h:20 same_module
            use.cc:17 move -> ?
            use.cc:18 same -> rules.h:22 same_module
            use.cc:19 same -> rules.h:23 same_module
        "#]],
    );
}

#[test]
fn a_constraint_that_may_hold_leaves_a_call_open() {
    check(
        r#"
==> text.h
#include <string>
struct Compiled { };
struct View { View(const char* text); };
template <typename S, enable_if_t<is_compiled<S>::value, int> = 0> void format(const S& text);
void format(View text);
==> use.cc
#include "text.h"
void use(const Compiled& compiled) {
  format("text"); //?
  format(compiled); //?
  format(OUTSIDE("text")); //?
}
"#,
        &expect![[r#"
            use.cc:3 format -> text.h:5 same_module
            use.cc:4 format -> ?
            use.cc:5 format -> ?
            use.cc:5 OUTSIDE -> ?
        "#]],
    );
}

#[test]
fn macros_before_and_behind_the_type_of_a_member() {
    check(
        r#"
==> sink.h
namespace lib {
class Sink {
 public:
  bool should_log(int level) const;
  void flush();
  void set_level(int level);
};
}
==> sink-inl.h
#include "sink.h"
LIB_INLINE bool lib::Sink::should_log(int level) const { return level > 0; }
void LIB_INLINE lib::Sink::flush() { set_level(1); } //?
LIB_INLINE void lib::Sink::set_level(int level) {
  if (should_log(level)) flush(); //?
}
"#,
        &expect![[r#"
            sink-inl.h:3 set_level -> sink-inl.h:4 exact
            sink-inl.h:5 should_log -> sink-inl.h:2 exact
            sink-inl.h:5 flush -> sink-inl.h:3 exact
        "#]],
    );
}

#[test]
fn macros_that_stand_for_types_arguments_and_namespaces() {
    check(
        r#"
==> node.hpp
#define TEXT(t) t
#define CHAR char
namespace lib {
typedef CHAR char_t;
typedef std::basic_string_view<CHAR> view_t;
struct Part { int length(); };
class Node {
 public:
  Node child(const char_t* name) const;
  Node child(view_t name) const;
};
}
==> use.cc
#include "node.hpp"
#define STR(text) TEXT(text)
#define LIB_BEGIN namespace lib { namespace impl {
#define LIB_END } }
LIB_BEGIN
int use(Node& node, const char_t* name, Part& part) {
  node.child(STR("a")); //?
  node.child(name); //?
  return part.length(); //?
}
LIB_END
"#,
        &expect![[r#"
            use.cc:7 child -> node.hpp:9 import_resolved
            use.cc:7 STR -> use.cc:2 exact
            use.cc:8 child -> node.hpp:9 import_resolved
            use.cc:9 length -> node.hpp:6 import_resolved
        "#]],
    );
}

#[test]
fn operators_give_what_their_members_return() {
    check(
        r#"
==> value.hpp
struct Value {
  template <typename T> const T& as() const;
  int key() const;
};
struct Result {
  const Value& operator[](int at) const;
  Value* operator->() const;
  Value& operator*();
  Value operator*(int factor) const;
  int own();
};
struct Adder {
  Adder& operator()(const char* name);
  Adder& operator()(const char* name, int kind);
  void done();
};
struct Options {
  Adder add(const char* group = "");
  void add(const char* group, int kind);
  Result parse(int count);
};
==> use.cc
#include "value.hpp"
void run(Options options, Result* many) {
  options.add()("a")("b", 2).done(); //? done //? add
  options.add("x", 1); //?
  Result result = options.parse(1);
  result[1].key(); //? key
  result[1].as<int>(); //? as
  result->key(); //?
  (*result).key(); //? key
  many[1].own(); //? own
  (*many).own(); //? own
  auto value = result[2];
  value.key(); //?
}
"#,
        &expect![[r#"
            use.cc:3 add -> value.hpp:18 same_module
            use.cc:3 done -> value.hpp:15 same_module
            use.cc:4 add -> value.hpp:19 same_module
            use.cc:6 key -> value.hpp:3 same_module
            use.cc:7 as -> value.hpp:2 same_module
            use.cc:8 key -> value.hpp:3 same_module
            use.cc:9 key -> value.hpp:3 same_module
            use.cc:10 own -> value.hpp:10 same_module
            use.cc:11 own -> value.hpp:10 same_module
            use.cc:13 key -> value.hpp:3 same_module
        "#]],
    );
}

#[test]
fn a_value_is_converted_once() {
    check(
        r#"
==> parser.hpp
struct Parser {
  Parser(std::string name, int version = 1);
  bool is_used(std::string_view name);
  bool is_used(const Parser& other);
  template <typename T> Parser& set(T&& value);
  Parser& set(const char* value);
};
==> use.cc
#include "parser.hpp"
void run(Parser parser, Parser other, const char* text) {
  parser.is_used("clean"); //?
  parser.is_used(other); //?
  parser.set(std::string(text)); //?
  parser.set(text); //?
}
"#,
        &expect![[r#"
            use.cc:3 is_used -> parser.hpp:3 same_module
            use.cc:4 is_used -> parser.hpp:4 same_module
            use.cc:5 set -> parser.hpp:5 same_module
            use.cc:5 string -> ?
            use.cc:6 set -> parser.hpp:6 same_module
        "#]],
    );
}
