//! Rust: modules, targets and namespaces.

use super::check;
use expect_test::expect;

#[test]
fn a_function_beside_a_module_of_its_name_is_what_is_called() {
    check(
        r"
==> Cargo.toml
[package]
name = 'demo'
==> src/lib.rs
pub mod task;
pub use task::spawn;
fn run() {
    spawn(); //?
    task::spawn(); //?
    crate::spawn(); //?
}
==> src/task/mod.rs
mod spawn;
pub use spawn::spawn;
pub use spawn::Handle;
fn inside() {
    spawn(); //?
    spawn::spawn(); //?
    spawn::helper(); //?
}
==> src/task/spawn.rs
pub struct Handle;
pub fn spawn() -> Handle { Handle }
pub fn helper() {}
==> tests/api.rs
use demo::{spawn, task};
fn run() {
    spawn(); //?
    task::spawn(); //?
    demo::task::spawn(); //?
}
",
        &expect![[r#"
            src/lib.rs:4 spawn -> src/task/spawn.rs:2 import_resolved
            src/lib.rs:5 spawn -> src/task/spawn.rs:2 import_resolved
            src/lib.rs:6 spawn -> src/task/spawn.rs:2 import_resolved
            src/task/mod.rs:5 spawn -> src/task/spawn.rs:2 import_resolved
            src/task/mod.rs:6 spawn -> src/task/spawn.rs:2 import_resolved
            src/task/mod.rs:7 helper -> src/task/spawn.rs:3 import_resolved
            tests/api.rs:3 spawn -> src/task/spawn.rs:2 import_resolved
            tests/api.rs:4 spawn -> src/task/spawn.rs:2 import_resolved
            tests/api.rs:5 spawn -> src/task/spawn.rs:2 import_resolved
        "#]],
    );
}

#[test]
fn a_module_below_sees_the_private_imports_and_globs_of_those_above() {
    check(
        r"
==> Cargo.toml
[package]
name = 'demo'
==> src/lib.rs
mod kit;
mod shop;
==> src/kit.rs
pub struct Tool;
impl Tool {
    pub fn new() -> Tool { Tool }
    pub fn work(&self) {}
}
pub fn helper() {}
==> src/shop/mod.rs
use crate::kit::Tool;
use crate::kit::*;
fn private() {}
mod tests;
==> src/shop/tests/mod.rs
use super::*;
mod deep;
==> src/shop/tests/deep.rs
use super::*;
fn run() {
    Tool::new().work(); //?
    helper(); //?
    private(); //?
}
mod inner {
    use super::*;
    fn run() {
        helper(); //?
        private(); //?
    }
}
==> src/other.rs
use crate::shop::*;
fn run() {
    helper(); //?
}
",
        &expect![[r#"
            src/other.rs:3 helper -> ?
            src/shop/tests/deep.rs:3 new -> src/kit.rs:3 import_resolved
            src/shop/tests/deep.rs:3 work -> src/kit.rs:4 import_resolved
            src/shop/tests/deep.rs:4 helper -> src/kit.rs:6 import_resolved
            src/shop/tests/deep.rs:5 private -> src/shop/mod.rs:3 import_resolved
            src/shop/tests/deep.rs:10 helper -> src/kit.rs:6 import_resolved
            src/shop/tests/deep.rs:11 private -> src/shop/mod.rs:3 import_resolved
        "#]],
    );
}

#[test]
fn modules_of_test_targets_are_those_that_the_target_declares() {
    check(
        r#"
==> Cargo.toml
[package]
name = 'demo'
build = "script/main.rs"
==> src/lib.rs
pub fn api() {}
==> script/main.rs
mod emit;
fn main() {
    emit::write(); //?
}
==> script/emit.rs
pub fn write() { crate::main(); } //?
==> tests/first.rs
mod common;
use crate::common::{Env, setup};
fn run() {
    setup(); //?
    Env::new().start(); //?
    common::deep::dig(); //?
}
==> tests/second.rs
mod common;
use common::setup;
#[path = "odd/place.rs"]
mod odd;
fn root() {}
fn run() {
    setup(); //?
    odd::inside(); //?
}
==> tests/odd/place.rs
pub fn inside() {
    crate::root(); //?
    super::root(); //?
}
==> tests/common/mod.rs
pub mod deep;
pub struct Env;
impl Env {
    pub fn new() -> Env { Env }
    pub fn start(&self) {}
}
pub fn setup() { self::deep::dig(); } //?
==> tests/common/deep.rs
pub fn dig() { super::setup(); } //?
"#,
        &expect![[r#"
            script/emit.rs:1 main -> script/main.rs:2 import_resolved
            script/main.rs:3 write -> script/emit.rs:1 import_resolved
            tests/common/deep.rs:1 setup -> tests/common/mod.rs:7 import_resolved
            tests/common/mod.rs:7 dig -> tests/common/deep.rs:1 import_resolved
            tests/first.rs:4 setup -> tests/common/mod.rs:7 import_resolved
            tests/first.rs:5 new -> tests/common/mod.rs:4 import_resolved
            tests/first.rs:5 start -> tests/common/mod.rs:5 import_resolved
            tests/first.rs:6 dig -> tests/common/deep.rs:1 import_resolved
            tests/odd/place.rs:2 root -> tests/second.rs:5 import_resolved
            tests/odd/place.rs:3 root -> tests/second.rs:5 import_resolved
            tests/second.rs:7 setup -> tests/common/mod.rs:7 import_resolved
            tests/second.rs:8 inside -> tests/odd/place.rs:1 import_resolved
        "#]],
    );
}

#[test]
fn crates_and_modules_are_found_under_their_other_names() {
    check(
        r"
==> Cargo.toml
[workspace]
members = ['a-lib', 'b', 'c']
[workspace.dependencies]
wcore = { path = 'a-lib', package = 'a-lib' }
==> a-lib/Cargo.toml
[package]
name = 'a-lib'
==> a-lib/src/lib.rs
pub mod inner {
    pub fn deep() {}
}
pub use inner as renamed;
pub use inner::*;
pub fn top() {}
#[macro_export]
macro_rules! make { () => {} }
macro_rules! local { () => {} }
pub(crate) use local;
fn run() {
    local!(); //?
    crate::make!(); //?
}
==> b/Cargo.toml
[package]
name = 'b'
[dependencies]
acore = { path = '../a-lib', package = 'a-lib' }
==> b/src/lib.rs
use acore::renamed;
use acore::renamed::deep as dug;
use acore::make;
pub use acore::inner;
fn run() {
    acore::top(); //?
    renamed::deep(); //?
    dug(); //?
    acore::deep(); //?
    make!(); //?
    acore::make!(); //?
}
==> c/Cargo.toml
[package]
name = 'c'
[dependencies]
wcore = { workspace = true }
b = { path = '../b' }
==> c/src/main.rs
fn main() {
    wcore::top(); //?
    b::inner::deep(); //?
}
",
        &expect![[r#"
            a-lib/src/lib.rs:12 local -> a-lib/src/lib.rs:9 exact
            a-lib/src/lib.rs:13 make -> a-lib/src/lib.rs:8 exact
            b/src/lib.rs:6 top -> a-lib/src/lib.rs:6 import_resolved
            b/src/lib.rs:7 deep -> a-lib/src/lib.rs:2 import_resolved
            b/src/lib.rs:8 dug -> a-lib/src/lib.rs:2 import_resolved
            b/src/lib.rs:9 deep -> a-lib/src/lib.rs:2 import_resolved
            b/src/lib.rs:10 make -> a-lib/src/lib.rs:8 import_resolved
            b/src/lib.rs:11 make -> a-lib/src/lib.rs:8 import_resolved
            c/src/main.rs:2 top -> a-lib/src/lib.rs:6 import_resolved
            c/src/main.rs:3 deep -> a-lib/src/lib.rs:2 import_resolved
        "#]],
    );
}

#[test]
fn awaiting_gives_what_the_future_gives() {
    check(
        r"
==> src/lib.rs
use std::future::{Future, IntoFuture};
pub struct Request;
pub struct Response;
impl Response {
    fn text(&self) {}
}
impl IntoFuture for Request {
    type Output = Response;
    type IntoFuture = Sending;
    fn into_future(self) -> Sending { Sending }
}
pub struct Sending;
impl Future for Sending {
    type Output = Response;
    fn poll(&mut self) {}
}
impl Request {
    fn send(&self) -> Request { Request }
    async fn direct(&self) -> Response { Response }
    fn boxed(&self) -> impl Future<Output = Response> { todo() }
}
async fn run(request: Request) {
    request.send().await.text(); //?
    request.direct().await.text(); //?
    request.boxed().await.text(); //?
    assert_eq!(request.send().await.text(), 1); //?
    let request = std::sync::Arc::new(Request);
    request.send().await.text(); //?
}
",
        &expect![[r#"
            src/lib.rs:23 send -> src/lib.rs:18 exact
            src/lib.rs:23 text -> src/lib.rs:5 exact
            src/lib.rs:24 direct -> src/lib.rs:19 exact
            src/lib.rs:24 text -> src/lib.rs:5 exact
            src/lib.rs:25 boxed -> src/lib.rs:20 exact
            src/lib.rs:25 text -> src/lib.rs:5 exact
            src/lib.rs:26 assert_eq -> ?
            src/lib.rs:26 send -> src/lib.rs:18 exact
            src/lib.rs:26 text -> src/lib.rs:5 exact
            src/lib.rs:28 send -> src/lib.rs:18 exact
            src/lib.rs:28 text -> src/lib.rs:5 exact
        "#]],
    );
}

#[test]
fn what_a_trait_is_implemented_for_as_a_whole_has_its_members() {
    check(
        r"
==> src/lib.rs
use outside::Stream;
pub trait Read { fn read(&self); }
pub trait ReadExt: Read { fn read_all(&self) {} }
impl<R: Read + ?Sized> ReadExt for R {}
pub trait StreamExt { fn next(&self) {} }
impl<S: ?Sized> StreamExt for S where S: Stream {}
pub struct File;
impl Read for File { fn read(&self) {} }
pub struct Lines;
impl Stream for Lines {}
fn run(file: File, lines: Lines) {
    file.read_all(); //?
    lines.next(); //?
}
fn generic<R: Read>(file: R, other: &dyn Read) {
    file.read_all(); //?
    other.read_all(); //?
}
",
        &expect![[r#"
            src/lib.rs:12 read_all -> src/lib.rs:3 exact
            src/lib.rs:13 next -> src/lib.rs:5 exact
            src/lib.rs:16 read_all -> src/lib.rs:3 exact
            src/lib.rs:17 read_all -> src/lib.rs:3 exact
        "#]],
    );
}

#[test]
fn a_glob_of_an_enum_opens_its_variants_alone() {
    check(
        r#"
==> Cargo.toml
[package]
name = "dates"
==> src/lib.rs
use std::str::FromStr;
pub enum Day { Mon }
pub struct Wrong;
impl FromStr for Day {
    type Err = Wrong;
    fn from_str(_: &str) -> Result<Day, Wrong> { Err(Wrong) }
}
mod tests {
    use super::Day::*;
    fn t() -> Result<u8, u8> {
        let _ = Mon;
        Err(3) //?
    }
}
"#,
        &expect![[r#"
            src/lib.rs:12 Err -> ?
        "#]],
    );
}

#[test]
fn a_private_method_is_not_seen_outside_of_its_module() {
    check(
        r#"
==> Cargo.toml
[package]
name = "dates"
==> src/lib.rs
pub mod date;
use date::{Date, Datelike};
pub fn outside(d: &Date) -> i32 { d.year() } //?
==> src/date.rs
pub struct Date;
impl Date {
    fn year(&self) -> i32 { 1 }
    pub fn inside(&self) -> i32 { self.year() } //?
}
pub trait Datelike { fn year(&self) -> i32; }
impl Datelike for Date { fn year(&self) -> i32 { 2 } }
"#,
        &expect![[r#"
            src/date.rs:4 year -> src/date.rs:3 exact
            src/lib.rs:3 year -> src/date.rs:7 import_resolved
        "#]],
    );
}

#[test]
fn blocks_for_an_alias_are_those_of_the_type() {
    check(
        r#"
==> Cargo.toml
[package]
name = "dates"
==> src/lib.rs
pub enum Local<T> { One(T), No }
pub type Mapped<T> = Local<T>;
impl<T> Mapped<T> {
    pub fn single(self) -> Option<T> { None }
}
pub fn at() -> Mapped<u8> { Local::No }
pub fn direct(a: Local<u8>) {
    a.single(); //?
    at().single(); //?
}
"#,
        &expect![[r#"
            src/lib.rs:8 single -> src/lib.rs:4 exact
            src/lib.rs:9 at -> src/lib.rs:6 exact
            src/lib.rs:9 single -> src/lib.rs:4 exact
        "#]],
    );
}

#[test]
fn whichever_conversion_is_meant_it_makes_the_type() {
    check(
        r#"
==> Cargo.toml
[package]
name = "rules"
==> src/lib.rs
pub struct Rule;
pub const MAX: u8 = 1;
impl From<u8> for Rule { fn from(_: u8) -> Self { Rule } }
impl From<u16> for Rule { fn from(_: u16) -> Self { Rule } }
impl Rule { pub fn find(&self) -> u8 { 1 } }
fn t(n: u32) {
    let rule = Rule::from(n.into());
    assert_eq!(rule.find(), u8::MAX); //?
}
"#,
        &expect![[r#"
            src/lib.rs:8 assert_eq -> ?
            src/lib.rs:8 find -> src/lib.rs:5 exact
        "#]],
    );
}

/// What a usual build leaves out hides nothing that it has: not what a glob brings in.
#[test]
fn an_import_that_is_left_out_gives_way_to_a_glob() {
    check(
        r#"
==> src/lib.rs
mod old;
mod util;
mod facade;
use crate::util::*;
#[cfg(old_rules)]
use crate::old::{only_old, rule};
#[cfg(not(old_rules))]
use crate::util::other as only_new;
fn run() {
    rule(); //?
    only_old(); //?
    only_new(); //?
    facade::rule(); //?
}
==> src/old.rs
pub fn rule() {}
pub fn only_old() {}
==> src/util.rs
pub fn rule() {}
pub fn other() {}
==> src/facade.rs
#[cfg(windows)]
pub use crate::old::rule;
pub use crate::util::*;
"#,
        &expect![[r#"
            src/lib.rs:10 rule -> src/util.rs:1 import_resolved
            src/lib.rs:11 only_old -> src/old.rs:2 import_resolved
            src/lib.rs:12 only_new -> src/util.rs:2 import_resolved
            src/lib.rs:13 rule -> src/util.rs:1 import_resolved
        "#]],
    );
}
