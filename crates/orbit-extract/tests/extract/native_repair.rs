//! C and C++: macros that only the preprocessor could read, and what is still found round them.

use crate::render::check;
use expect_test::expect;

#[test]
fn macros_for_members_and_round_functions() {
    check(
        "a.c",
        r"
struct handle {
  HANDLE_FIELDS
};
struct stream {
  int fd;
  HANDLE_FIELDS
  STREAM_FIELDS
};
enum only {
  ONE
};
UNUSED(static void update(struct handle* h)) {
  use(h);
}
EXPORT(int size(const struct stream* s));
typedef REMOVE_CONST(int) plain;
typedef LONG (CALL *callback)(int x);
",
        &expect![[r#"
            symbol struct handle 2-4 pub | struct handle
            symbol struct stream 5-9 pub | struct stream
            symbol field stream::fd 6-6 pub : # | int fd
            symbol enum only 10-12 pub | enum only
            symbol variant only::ONE 11-11 pub : <only>
            symbol function update 13-15 : # | static void update(struct handle* h)
            symbol function size 16-16 pub bodiless : # | int size(const struct stream* s)
            symbol type_alias plain 17-17 pub : REMOVE_CONST | typedef REMOVE_CONST(int) plain
            symbol type_alias callback 18-18 pub : ? | typedef LONG (CALL *callback)(int x)
            ref value HANDLE_FIELDS @3 in handle
            ref value HANDLE_FIELDS @7 in stream
            ref value STREAM_FIELDS @8 in stream
            ref value UNUSED @13 in -
            ref type struct<> . handle @13 in update
            ref call use @14 in update
            ref value EXPORT @16 in -
            ref type struct<> . stream @16 in size
            ref type REMOVE_CONST @17 in -
            ref type LONG @18 in -
            ref value CALL @18 in callback
        "#]],
    );
}

#[test]
fn results_written_as_the_argument_of_a_macro() {
    check(
        "a.c",
        r"
EXPORT(const char *)
version(void)
{
    return 0;
}
static INTERNAL(node) make(int size) { return build(size); }
EXPORT(int) size(void);
static void big(node *rv, info *bc MTd)
{
    int i;
}
MODULE(gpl)
init(setup);
",
        &expect![[r#"
            symbol function version 3-6 pub : # | const char * version(void)
            symbol function make 7-7 : <node> | static INTERNAL(node) make(int size)
            symbol function size 8-8 pub bodiless : # | int size(void)
            symbol function big 9-12 : # | static void big(node *rv, info *bc MTd)
            ref value EXPORT @2 in -
            ref value INTERNAL @7 in make
            ref type node @7 in make
            ref call build @7 in make
            ref value EXPORT @8 in -
            ref type node @9 in big
            ref type info @9 in big
            ref call MODULE @13 in -
            ref value gpl @13 in -
            ref call init @14 in -
            ref value setup @14 in -
        "#]],
    );
}

#[test]
fn macros_between_directives_in_a_class() {
    check(
        "a.hpp",
        r#"
class Value {
 public:
  NODISCARD
  std::size_t
  count() const;
#if defined(IGNORE_NULL)
DIAGNOSTIC_PUSH
IGNORE_WARNING("-Wnull-dereference")
#endif
  NODISCARD
  std::size_t
  size() const { return 1; }
};
#define TEXT(t) t
#define STR(text) TEXT(text)
#define CHAR char
#define BEGIN namespace lib { namespace impl {
"#,
        &expect![[r#"
            symbol class Value 2-14 pub | class Value
            symbol method Value::count 6-6 pub () for # bodiless : #unsigned long | std::size_t count() const
            symbol method Value::size 13-13 pub () for # : #unsigned long | std::size_t size() const
            symbol macro TEXT 15-15 pub : # | #define TEXT(t)
            symbol macro STR 16-16 pub : TEXT | #define STR(text)
            symbol macro CHAR 17-17 pub : #char | #define CHAR char
            symbol macro BEGIN 18-18 pub | #define BEGIN namespace lib { namespace impl
            ref value NODISCARD @4 in Value
            ref type std @5 in Value::count
            ref type std<> . size_t @5 in Value::count
            ref value DIAGNOSTIC_PUSH @8 in Value
            ref call IGNORE_WARNING @9 in Value
            ref value NODISCARD @11 in Value
            ref type std @12 in Value::size
            ref type std<> . size_t @12 in Value::size
            ref call TEXT @16 in STR
            ref value lib @18 in BEGIN
            ref value impl @18 in BEGIN
            import glob :: [lib::impl] reexport @18 in -
            import glob lib::impl @18 in -
            import glob lib @18 in -
        "#]],
    );
}
