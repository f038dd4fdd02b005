//! Types that a file only declares, macros before functions, and what stands outside of the class it belongs to.

use super::{check, check_tree, check_types};
use crate::compare;
use crate::tree::Tree;
use expect_test::expect;

const FORWARD: &str = r"
==> graph.h
struct Node {
  int path() const { return 1; }
};
==> use.h
struct Node;
struct Use {
  Node* node; //?
  void go();
};
==> use.cc
#include <vector>
#include <graph.h>
#include <use.h>
void Use::go() {
  node->path(); //?
}
";

#[test]
fn a_type_that_is_only_declared_is_the_one_that_another_file_defines() {
    check(
        FORWARD,
        &expect![[r#"
            use.cc:5 path -> graph.h:2 same_module
        "#]],
    );
    check_types(
        FORWARD,
        &expect![[r#"
            use.h:3 Node -> graph.h:1 same_module
        "#]],
    );
}

#[test]
fn without_the_declaration_the_type_may_come_from_outside() {
    check_types(
        r"
==> graph.h
struct Node { int path; };
==> use.cc
#include <outside.h>
Node* first; //?
",
        &expect![[r#"
            use.cc:2 Node -> ?
        "#]],
    );
}

#[test]
fn a_declaration_that_comes_and_goes_is_followed() {
    let tree = Tree::of(FORWARD);
    tree.sync();
    for text in
        ["struct Use { Node* node; void go(); };\n", "struct Node;\nstruct Use { Node* node; void go(); };\n"]
    {
        tree.write("use.h", text);
        compare::assert_equals_fresh(&tree);
    }
}

#[test]
fn a_header_that_only_cpp_can_read_is_one() {
    check(
        r"
==> shape.h
struct Shape { int id() const; int area() const { return 1; } };
==> use.cc
#include <shape.h>
int use(Shape& s) {
  return s.id() + //?
         s.area(); //?
}
",
        &expect![[r#"
            use.cc:3 id -> shape.h:1 same_module
            use.cc:4 area -> shape.h:1 same_module
        "#]],
    );
}

#[test]
fn a_macro_hides_the_function_of_its_name() {
    check(
        r"
==> lib.h
int check_type(int value, int type);
int (size_of)(int value);
#define check_type(value, type) ((value) == (type) ? 1 : check_type(value, 0)) //?
==> lib.c
#include <lib.h>
int (check_type)(int value, int type) { return value == type; }
==> use.c
#include <lib.h>
int use(void) { return check_type(1, 2); } //?
",
        &expect![[r#"
            lib.h:3 check_type -> lib.h:1 exact
            use.c:2 check_type -> lib.h:3 same_module
        "#]],
    );
}

#[test]
fn an_iterator_stands_for_what_it_leads_to() {
    check(
        r"
==> use.cc
#include <map>
#include <vector>
using namespace std;
struct Node { int path() { return 1; } };
typedef std::vector<Node*> Nodes;
void use(std::vector<Node*> a, vector<Node*> b, map<int, Node*> c, Nodes d) {
  for (std::vector<Node*>::iterator i = a.begin(); i != a.end(); ++i) (*i)->path(); //?
  for (vector<Node*>::const_iterator i = b.begin(); i != b.end(); ++i) (*i)->path(); //?
  map<int, Node*>::iterator i = c.find(1);
  i->second->path(); //?
  for (Nodes::iterator n = d.begin(); n != d.end(); ++n) (*n)->path(); //?
}
",
        &expect![[r#"
            use.cc:7 begin -> ?
            use.cc:7 end -> ?
            use.cc:7 path -> use.cc:4 exact
            use.cc:8 begin -> ?
            use.cc:8 end -> ?
            use.cc:8 path -> use.cc:4 exact
            use.cc:10 path -> use.cc:4 exact
            use.cc:11 begin -> ?
            use.cc:11 end -> ?
            use.cc:11 path -> use.cc:4 exact
        "#]],
    );
}

#[test]
fn a_nested_class_that_is_defined_outside_sees_the_members_round_it() {
    check(
        r"
==> filter.h
class Filter {
 public:
  class Info;
  static int Count(int n);
};
==> filter.cc
#include <filter.h>
class Filter::Info {
 public:
  class Walker;
  static Info* Make();
};
class Filter::Info::Walker {
 public:
  Info* Visit();
};
Filter::Info* Filter::Info::Walker::Visit() {
  Count(1); //?
  return Make(); //?
}
",
        &expect![[r#"
            filter.cc:12 Count -> filter.h:4 same_module
            filter.cc:13 Make -> filter.cc:5 exact
        "#]],
    );
}

#[test]
fn a_local_that_is_made_from_qualified_names_is_a_variable() {
    check(
        r"
==> use.cc
struct Options { enum Kind { FAST }; };
class Set {
 public:
  Set(int a, int b);
  int Add(int n) { return n; }
};
namespace lib { int slow; }
int use() {
  Set set(Options::FAST, lib::slow);
  return set.Add(1); //?
}
",
        &expect![[r#"
            use.cc:10 Add -> use.cc:5 exact
        "#]],
    );
}

#[test]
fn fixtures_of_a_framework_of_ones_own_are_known_by_their_names() {
    check(
        r#"
==> value_test.cc
struct ValueTest { void checkIs(int n) {} };
UNIT_FIXTURE_LOCAL(ValueTest, isNull) {
  checkIs(1); //?
}
"#,
        &expect![[r#"
            value_test.cc:3 checkIs -> value_test.cc:1 exact
        "#]],
    );
}

#[test]
fn macros_of_a_file_that_a_usual_build_leaves_out_are_its_own() {
    check(
        r"
==> peg.c
#ifdef WITH_PEG
#define up1(s) ((s)->depth++)
struct state { int depth; };
int run(struct state *s) {
  up1(s); //?
  return 0;
}
#endif
",
        &expect![[r#"
            peg.c:5 up1 -> peg.c:2 exact
        "#]],
    );
}

#[test]
fn a_macro_before_a_block_in_a_function_is_used_there() {
    let tree = Tree::of(
        r"
==> vm.c
#define OP(name) case name:
int run(int code) {
  switch (code) {
  OP(1)
  OP(2) { return 2; } //?
  OP(3) //?
  }
  return 0;
}
",
    );
    tree.sync();
    check_tree(
        &tree,
        &expect![[r#"
            vm.c:5 OP -> vm.c:1 exact
            vm.c:6 OP -> vm.c:1 exact
        "#]],
    );
}

#[test]
fn a_definition_of_another_program_is_not_taken_for_the_one_that_is_declared() {
    check(
        r"
==> tommath.h
void mp_clear(int *a);
==> mp_clear.c
#include <tommath.h>
#ifdef MP_CLEAR_C
void mp_clear(int *a) { *a = 0; }
#endif
==> other/mpi.c
#define MP_EQ(a) ((a) == 0)
void mp_clear(int *a) { *a = 1; }
==> equal.h
int MP_EQ(int a);
==> use.c
#include <tommath.h>
#include <equal.h>
void use(int *a) { mp_clear(a); } //?
int same(int a) { return MP_EQ(a); } //?
",
        &expect![[r#"
            use.c:3 mp_clear -> tommath.h:1 same_module
            use.c:4 MP_EQ -> equal.h:1 same_module
        "#]],
    );
}

#[test]
fn several_macros_may_stand_before_the_name_of_a_class() {
    check(
        r"
==> state.cc
class LIB_EXPORT LIB_ALIGNED State {
 public:
  int Iterations() { return 1; }
};
int use(State& state) { return state.Iterations(); } //?
",
        &expect![[r#"
            state.cc:5 Iterations -> state.cc:3 exact
        "#]],
    );
}

#[test]
fn what_compilers_define_chooses_between_definitions() {
    check_types(
        r"
==> digit.h
#if defined(__GNUC__) && defined(__SIZEOF_INT128__)
#define WIDE
#endif
#ifdef WIDE
typedef unsigned long digit;
#else
typedef unsigned int digit;
#endif
==> use.c
#include <digit.h>
digit first; //?
",
        &expect![[r#"
            use.c:2 digit -> digit.h:5 same_module
        "#]],
    );
}
