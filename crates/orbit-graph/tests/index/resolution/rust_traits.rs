//! Rust: methods that types have from traits, in sight or not.

use super::check;
use expect_test::expect;

#[test]
fn types_from_outside_have_the_methods_of_own_traits_in_scope() {
    check(
        r#"
==> src/ext.rs
pub trait TextExt { fn shout(&self); fn twice(&self) { self.shout(); } }
impl TextExt for str { fn shout(&self) {} }
impl TextExt for outside::Buffer { fn shout(&self) {} }
pub trait Scale { fn scale() -> u32; fn to_bits(self) -> u32; }
impl Scale for f32 {
    fn scale() -> u32 { 1 }
    fn to_bits(self) -> u32 { f32::to_bits(self) } //?
}
impl Scale for f64 {
    fn scale() -> u32 { 2 }
    fn to_bits(self) -> u32 { 0 }
}
==> src/lib.rs
mod ext;
mod other;
use ext::{Scale, TextExt};
use outside::Buffer;
const NAME: &str = "a";
fn run(buffer: Buffer, text: &'static str) {
    "literal".shout(); //?
    text.shout(); //?
    NAME.shout(); //?
    buffer.shout(); //?
    buffer.twice(); //?
    buffer.clone(); //?
    f64::scale(); //?
    outside::shout("path"); //?
}
==> src/other.rs
fn run(text: &str) {
    text.shout(); //?
}
fn renamed(text: &str) {
    use crate::ext::TextExt as _;
    text.shout(); //?
}
"#,
        &expect![[r#"
            src/ext.rs:7 to_bits -> ?
            src/lib.rs:7 shout -> src/ext.rs:2 import_resolved
            src/lib.rs:8 shout -> src/ext.rs:2 import_resolved
            src/lib.rs:9 shout -> src/ext.rs:2 import_resolved
            src/lib.rs:10 shout -> src/ext.rs:3 import_resolved
            src/lib.rs:11 twice -> src/ext.rs:1 import_resolved
            src/lib.rs:12 clone -> ?
            src/lib.rs:13 scale -> src/ext.rs:10 import_resolved
            src/lib.rs:14 shout -> ?
            src/other.rs:2 shout -> ?
            src/other.rs:6 shout -> src/ext.rs:2 import_resolved
        "#]],
    );
}

#[test]
fn a_value_of_unknown_type_has_a_method_that_no_type_has_itself() {
    check(
        r"
==> src/lib.rs
pub trait Later { fn later(self) -> Self where Self: Sized { self } fn soon(&self) {} }
impl<F> Later for F {}
pub struct Timer;
impl Timer { pub fn soon(&self) {} }
fn run(timer: Timer) {
    unknown().later(); //?
    unknown().soon(); //?
    timer.later(); //?
    timer.soon(); //?
}
",
        &expect![[r#"
            src/lib.rs:6 unknown -> ?
            src/lib.rs:6 later -> src/lib.rs:1 exact
            src/lib.rs:7 unknown -> ?
            src/lib.rs:7 soon -> ?
            src/lib.rs:8 later -> src/lib.rs:1 exact
            src/lib.rs:9 soon -> src/lib.rs:4 exact
        "#]],
    );
}

#[test]
fn derived_traits_give_what_they_have_a_body_for() {
    check(
        r"
==> src/lib.rs
pub trait Parser: Sized { fn command() -> u32; fn parse() -> Self { todo() } }
==> tests/api.rs
use demo::Parser;
#[derive(Debug, Parser)]
struct Options { level: Level }
struct Level;
impl Level { fn raise(&self) {} }
fn run() {
    Options::parse().level.raise(); //?
    Options::command(); //?
}
==> Cargo.toml
[package]
name = 'demo'
",
        &expect![[r#"
            tests/api.rs:7 parse -> src/lib.rs:1 import_resolved
            tests/api.rs:7 raise -> tests/api.rs:5 exact
            tests/api.rs:8 command -> ?
        "#]],
    );
}

#[test]
fn bounds_beside_a_trait_object_do_not_hide_it() {
    check(
        r"
==> src/lib.rs
pub trait Visit { fn visit(&mut self); }
pub struct Walker<'s> { visitor: Box<dyn Visit + 's> }
impl Walker<'_> {
    fn run(&mut self) { self.visitor.visit(); } //?
}
fn other(visitor: &mut (dyn Visit + Send)) { visitor.visit(); } //?
",
        &expect![[r#"
            src/lib.rs:4 visit -> src/lib.rs:1 exact
            src/lib.rs:6 visit -> src/lib.rs:1 exact
        "#]],
    );
}

#[test]
fn pointers_from_outside_have_the_methods_of_what_they_point_to() {
    check(
        r"
==> src/lib.rs
use std::ptr::NonNull;
use outside::Shared;
pub struct Node;
impl Node { fn link(&self) {} fn len(&self) {} }
pub struct List { head: Option<NonNull<Node>>, shared: Shared<Node> }
impl List {
    fn run(&self, node: NonNull<Node>) {
        unsafe { node.as_ref().link(); } //?
        let same = unsafe { node.as_ref() };
        same.link(); //?
        self.shared.link(); //?
        self.shared.len(); //?
    }
}
",
        &expect![[r#"
            src/lib.rs:8 as_ref -> ?
            src/lib.rs:8 link -> src/lib.rs:4 exact
            src/lib.rs:10 link -> src/lib.rs:4 exact
            src/lib.rs:11 link -> src/lib.rs:4 exact
            src/lib.rs:12 len -> ?
        "#]],
    );
}

#[test]
fn macros_that_unwrap_give_what_their_argument_holds() {
    check(
        r"
==> src/macros.rs
#[macro_export]
macro_rules! attempt {
    ($e:expr $(,)?) => {
        match $e {
            Ok(value) => value,
            Err(error) => return Err(error),
        }
    };
}
macro_rules! plain { ($e:expr) => { $e.len() }; }
==> src/lib.rs
#[macro_use]
mod macros;
use std::result::Result as StdResult;
pub struct Failure;
impl Failure { fn kind(&self) {} }
pub type Outcome<T, E = Failure> = StdResult<T, E>;
pub struct Socket;
impl Socket { fn send(&self) {} }
fn open() -> Outcome<Socket> { todo() }
fn run() -> Outcome<u32> {
    attempt!(open()).send(); //?
    let socket = attempt!(open());
    socket.send(); //?
    plain!(open()).send(); //?
    open().unwrap_err().kind(); //?
    assert_eq!(open().unwrap().send::<u8>(), 1); //?
    Ok(1)
}
",
        &expect![[r#"
            src/lib.rs:11 attempt -> src/macros.rs:2 same_module
            src/lib.rs:11 open -> src/lib.rs:9 exact
            src/lib.rs:11 send -> src/lib.rs:8 exact
            src/lib.rs:13 send -> src/lib.rs:8 exact
            src/lib.rs:14 plain -> src/macros.rs:10 same_module
            src/lib.rs:14 open -> src/lib.rs:9 exact
            src/lib.rs:14 send -> ?
            src/lib.rs:15 open -> src/lib.rs:9 exact
            src/lib.rs:15 unwrap_err -> ?
            src/lib.rs:15 kind -> src/lib.rs:5 exact
            src/lib.rs:16 assert_eq -> ?
            src/lib.rs:16 open -> src/lib.rs:9 exact
            src/lib.rs:16 unwrap -> ?
            src/lib.rs:16 send -> src/lib.rs:8 exact
        "#]],
    );
}

#[test]
fn where_clauses_of_methods_bound_the_parameters_of_their_block() {
    check(
        r"
==> src/lib.rs
pub trait Service { fn call(&self); }
pub struct Spawn<T> { inner: T }
impl<T> Spawn<T> {
    fn run(&self) where T: Service { self.inner.call(); } //?
    fn open(&self) { self.inner.call(); } //?
}
",
        &expect![[r#"
            src/lib.rs:4 call -> src/lib.rs:1 exact
            src/lib.rs:5 call -> ?
        "#]],
    );
}

#[test]
fn paths_through_traits_and_defaults_mean_the_type_that_their_place_tells() {
    check(
        r"
==> src/lib.rs
use std::fmt;
pub struct Code;
impl Code { fn show(&self) {} }
impl fmt::Display for Code { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { todo() } }
impl fmt::Debug for Code { fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { todo() } }
#[derive(Clone)]
pub struct Failure { code: Code, level: Level, note: u32 }
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { fmt::Display::fmt(&self.code, f) } //?
}
impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result { fmt::Debug::fmt(&**self, f) } //?
}
pub struct Level;
impl Default for Level { fn default() -> Level { Level } }
impl Default for Failure { fn default() -> Failure { todo() } }
fn run() -> Result<u32, Failure> { todo() }
fn make() {
    let level: Level = Default::default(); //?
    let failure = Failure { level: Default::default(), note: 1, ..Default::default() }; //?
    run().err().unwrap().code.show(); //?
}
",
        &expect![[r#"
            src/lib.rs:9 fmt -> src/lib.rs:4 exact
            src/lib.rs:12 fmt -> ?
            src/lib.rs:19 default -> src/lib.rs:15 exact
            src/lib.rs:20 default -> src/lib.rs:15 exact
            src/lib.rs:20 default -> src/lib.rs:16 exact
            src/lib.rs:21 run -> src/lib.rs:17 exact
            src/lib.rs:21 err -> ?
            src/lib.rs:21 unwrap -> ?
            src/lib.rs:21 show -> src/lib.rs:3 exact
        "#]],
    );
}

/// Strings, slices and vectors have many methods of their own, which come before those of a trait.
#[test]
fn what_the_standard_library_gives_comes_before_a_trait_in_scope() {
    check(
        r#"
==> Cargo.toml
[package]
name = "bytes"
==> src/lib.rs
pub trait ByteSlice {
    fn is_ascii(&self) -> bool;
    fn to_bstr(&self) -> bool { true }
}
impl ByteSlice for str { fn is_ascii(&self) -> bool { true } }
fn run(text: &str) {
    text.is_ascii(); //?
    text.to_bstr(); //?
}
"#,
        &expect![[r#"
            src/lib.rs:7 is_ascii -> ?
            src/lib.rs:8 to_bstr -> src/lib.rs:3 exact
        "#]],
    );
}

/// What a type has itself is known type by type: `find` is a method of `str` and none of slices.
#[test]
fn methods_of_the_standard_library_belong_to_their_types() {
    check(
        r#"
==> src/lib.rs
pub trait ByteSlice {
    fn find(&self) -> usize { 0 }
    fn len(&self) -> usize { 0 }
    fn is_ascii(&self) -> bool { true }
    fn fields(&self) {}
}
impl ByteSlice for [u8] { fn fields(&self) {} }
pub trait Count { fn chars(&self); fn then(&self); fn abs(&self); }
impl Count for bool { fn chars(&self) {} fn then(&self) {} fn abs(&self) {} }
pub fn bytes(text: &str) -> &[u8] { text.as_bytes() }
fn run(text: &str, slice: &[u8], vector: Vec<u8>, array: [u8; 4], flag: bool) {
    slice.find(); //?
    slice.len(); //?
    vector.find(); //?
    vector.fields(); //?
    array.is_ascii(); //?
    b"abc".find(); //?
    bytes(text).find(); //?
    text.find(); //?
    flag.chars(); //?
    flag.then(); //?
    true.abs(); //?
    text.trim().as_bytes().find(); //?
    assert_eq!(b"abc".find(), 1); //?
    let owned = Vec::from("abc");
    owned.find(); //?
}
"#,
        &expect![[r#"
            src/lib.rs:12 find -> src/lib.rs:2 exact
            src/lib.rs:13 len -> ?
            src/lib.rs:14 find -> src/lib.rs:2 exact
            src/lib.rs:15 fields -> src/lib.rs:7 exact
            src/lib.rs:16 is_ascii -> ?
            src/lib.rs:17 find -> src/lib.rs:2 exact
            src/lib.rs:18 bytes -> src/lib.rs:10 exact
            src/lib.rs:18 find -> src/lib.rs:2 exact
            src/lib.rs:19 find -> ?
            src/lib.rs:20 chars -> src/lib.rs:9 exact
            src/lib.rs:21 then -> ?
            src/lib.rs:22 abs -> src/lib.rs:9 exact
            src/lib.rs:23 trim -> ?
            src/lib.rs:23 as_bytes -> ?
            src/lib.rs:23 find -> src/lib.rs:2 exact
            src/lib.rs:24 assert_eq -> ?
            src/lib.rs:24 find -> src/lib.rs:2 exact
            src/lib.rs:26 find -> src/lib.rs:2 exact
        "#]],
    );
}

#[test]
fn a_conversion_is_the_one_for_the_type_of_the_argument() {
    check(
        r#"
==> src/lib.rs
use std::sync::Arc;
pub struct Value;
pub struct Level;
impl From<&str> for Value { fn from(text: &str) -> Value { Value } }
impl From<String> for Value { fn from(text: String) -> Value { Value } }
impl From<Arc<str>> for Value { fn from(text: Arc<str>) -> Value { Value } }
impl From<u8> for Value { fn from(number: u8) -> Value { Value } }
impl From<bool> for Value { fn from(flag: bool) -> Value { Value } }
impl From<Level> for Value { fn from(level: Level) -> Value { Value } }
impl<T> From<Vec<T>> for Value { fn from(list: Vec<T>) -> Value { Value } }
impl From<()> for Value { fn from(nothing: ()) -> Value { Value } }
fn run(text: String, borrowed: &str, shared: Arc<str>, level: Level, list: Vec<u32>, number: u64) {
    Value::from("a"); //?
    Value::from(text); //?
    Value::from(borrowed); //?
    Value::from(shared); //?
    Value::from(1u8); //?
    Value::from(true); //?
    Value::from(level); //?
    Value::from(list); //?
    Value::from(number); //?
    Value::from(unknown()); //?
    assert_eq!(Value::from("a"), Value::from(format!("{}", 1))); //?
    Value::from(borrowed.repeat(2)); //?
    Value::from(()); //?
}
"#,
        &expect![[r#"
            src/lib.rs:13 from -> src/lib.rs:4 exact
            src/lib.rs:14 from -> src/lib.rs:5 exact
            src/lib.rs:15 from -> src/lib.rs:4 exact
            src/lib.rs:16 from -> src/lib.rs:6 exact
            src/lib.rs:17 from -> src/lib.rs:7 exact
            src/lib.rs:18 from -> src/lib.rs:8 exact
            src/lib.rs:19 from -> src/lib.rs:9 exact
            src/lib.rs:20 from -> src/lib.rs:10 exact
            src/lib.rs:21 from -> ?
            src/lib.rs:22 from -> ?
            src/lib.rs:22 unknown -> ?
            src/lib.rs:23 assert_eq -> ?
            src/lib.rs:23 from -> src/lib.rs:4 exact
            src/lib.rs:23 from -> src/lib.rs:5 exact
            src/lib.rs:23 format -> ?
            src/lib.rs:24 from -> src/lib.rs:5 exact
            src/lib.rs:24 repeat -> ?
            src/lib.rs:25 from -> src/lib.rs:11 exact
        "#]],
    );
}
