//! Rust.

use super::check;
use expect_test::expect;

#[test]
fn a_closure_in_a_macro_binds_its_typed_parameters() {
    check(
        r"
==> Cargo.toml
[package]
name = 'demo'
==> src/lib.rs
mod dir;
use dir::Dir;

case!(first, |dir: Dir, count: usize| {
    dir.create(); //?
    let again = dir.child(); //?
    again.create(); //?
});
==> src/dir.rs
pub struct Dir;
impl Dir {
    pub fn create(&self) {}
    pub fn child(&self) -> Dir { Dir }
}
",
        &expect![[r#"
            src/lib.rs:5 create -> src/dir.rs:3 import_resolved
            src/lib.rs:6 child -> src/dir.rs:4 import_resolved
            src/lib.rs:7 create -> src/dir.rs:3 import_resolved
        "#]],
    );
}

#[test]
fn positional_parts_and_patterns_have_the_types_that_are_declared() {
    check(
        r"
==> src/lib.rs
pub struct Inner;
impl Inner {
    fn ping(&self) {}
}
pub struct Outer(Inner, pub u32);
pub enum Shape {
    Round(Inner),
    Pair(u8, Inner),
    Named { inner: Inner },
}
fn pair() -> (u32, Inner) { todo() }
impl Outer {
    fn run(&self, shape: Shape) {
        self.0.ping(); //?
        match shape {
            Shape::Round(held) => held.ping(), //?
            Shape::Pair(_, second) => second.ping(), //?
            Shape::Named { inner } => inner.ping(), //?
        }
        let (_, last) = pair();
        last.ping(); //?
        let (a, b) = (Inner, 1);
        a.ping(); //?
        b.ping(); //?
    }
}
",
        &expect![[r#"
            src/lib.rs:14 ping -> src/lib.rs:3 exact
            src/lib.rs:16 ping -> src/lib.rs:3 exact
            src/lib.rs:17 ping -> src/lib.rs:3 exact
            src/lib.rs:18 ping -> src/lib.rs:3 exact
            src/lib.rs:21 ping -> src/lib.rs:3 exact
            src/lib.rs:23 ping -> src/lib.rs:3 exact
            src/lib.rs:24 ping -> ?
        "#]],
    );
}

#[test]
fn closures_get_the_elements_of_what_they_are_given_to() {
    check(
        r"
==> src/lib.rs
pub struct Item;
impl Item {
    fn touch(&self) -> bool { true }
}
fn run(items: Vec<Item>, found: Option<Item>) {
    items.iter().for_each(|item| item.touch()); //?
    found.map(|held| held.touch()); //?
    let make = || Item;
    let build = |_: u8| -> Item { Item };
    build(1).touch(); //?
    let of = |at: usize| items.get(at).unwrap();
    of(1).touch(); //?
    items.fold(0, |sum, item| item.touch()); //?
}
",
        &expect![[r#"
            src/lib.rs:6 iter -> ?
            src/lib.rs:6 for_each -> ?
            src/lib.rs:6 touch -> src/lib.rs:3 exact
            src/lib.rs:7 map -> ?
            src/lib.rs:7 touch -> src/lib.rs:3 exact
            src/lib.rs:10 touch -> src/lib.rs:3 exact
            src/lib.rs:12 touch -> src/lib.rs:3 exact
            src/lib.rs:13 fold -> ?
            src/lib.rs:13 touch -> ?
        "#]],
    );
}

#[test]
fn a_type_has_the_members_of_what_it_dereferences_to_and_an_alias_those_of_its_type() {
    check(
        r"
==> src/lib.rs
use std::ops::Deref;
pub struct Engine;
impl Engine {
    pub fn make() -> Engine { Engine }
    pub fn start(&self) {}
}
pub struct Handle(Engine);
impl Deref for Handle {
    type Target = Engine;
    fn deref(&self) -> &Engine { &self.0 }
}
pub type Motor = Engine;
pub struct Lines;
impl Iterator for Lines {
    type Item = Engine;
    fn next(&mut self) -> Option<Self::Item> { None }
}
fn run(handle: Handle, lines: Lines) {
    handle.start(); //?
    Motor::make().start(); //?
    for engine in lines {
        engine.start(); //?
    }
}
",
        &expect![[r#"
            src/lib.rs:19 start -> src/lib.rs:5 exact
            src/lib.rs:20 make -> src/lib.rs:4 exact
            src/lib.rs:20 start -> src/lib.rs:5 exact
            src/lib.rs:22 start -> src/lib.rs:5 exact
        "#]],
    );
}

#[test]
fn a_chain_may_be_long_and_a_cell_holds_what_it_borrows() {
    check(
        r"
==> src/lib.rs
use std::cell::RefCell;
pub struct Builder { held: RefCell<Part> }
pub struct Part;
impl Part {
    fn fit(&self) {}
}
impl Builder {
    fn new() -> Builder { todo() }
    fn with(self) -> Self { self }
    fn done(self) { self.held.borrow().fit() } //?
}
fn run() {
    let builder = Builder::new().with().with().with().with().with().with().with().with().with().with();
    builder.with().with().with().with().with().with().with().with().with().with().done(); //?
}
",
        &expect![[r#"
            src/lib.rs:10 borrow -> ?
            src/lib.rs:10 fit -> src/lib.rs:5 exact
            src/lib.rs:14 with -> src/lib.rs:9 exact
            src/lib.rs:14 with -> src/lib.rs:9 exact
            src/lib.rs:14 with -> src/lib.rs:9 exact
            src/lib.rs:14 with -> src/lib.rs:9 exact
            src/lib.rs:14 with -> src/lib.rs:9 exact
            src/lib.rs:14 with -> src/lib.rs:9 exact
            src/lib.rs:14 with -> src/lib.rs:9 exact
            src/lib.rs:14 with -> src/lib.rs:9 exact
            src/lib.rs:14 with -> src/lib.rs:9 exact
            src/lib.rs:14 with -> src/lib.rs:9 exact
            src/lib.rs:14 done -> src/lib.rs:10 exact
        "#]],
    );
}

#[test]
fn a_macro_named_like_one_of_the_standard_library_reaches_only_what_stands_below_it() {
    check(
        r"
==> Cargo.toml
[package]
name = 'demo'
==> src/lib.rs
mod man;
mod other;
==> src/man.rs
macro_rules! writeln { ($($t:tt)*) => {} }
macro_rules! own { () => {} }
fn a() { writeln!(1) } //?
==> src/other.rs
fn b() { writeln!(1) } //?
==> src/man/below.rs
fn c() { writeln!(1) } //?
",
        &expect![[r#"
            src/man.rs:3 writeln -> src/man.rs:1 exact
            src/man/below.rs:1 writeln -> src/man.rs:1 same_module
            src/other.rs:1 writeln -> ?
        "#]],
    );
}

#[test]
fn a_crate_hands_on_another_under_a_name_of_its_own() {
    check(
        r"
==> crates/facade/Cargo.toml
[package]
name = 'facade'
==> crates/facade/src/lib.rs
pub extern crate engine_core as engine;
==> crates/engine/Cargo.toml
[package]
name = 'engine-core'
==> crates/engine/src/lib.rs
pub struct Engine;
impl Engine {
    pub fn make() -> Engine { Engine }
}
==> app/Cargo.toml
[package]
name = 'app'
==> app/src/main.rs
fn main() {
    facade::engine::Engine::make(); //?
}
",
        &expect![[r#"
            app/src/main.rs:2 make -> crates/engine/src/lib.rs:3 import_resolved
        "#]],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "one fixture with all its edges")]
fn type_arguments_stand_for_the_parameters_of_types_functions_and_impls() {
    check(
        r"
==> src/lib.rs
use std::ops::Deref;
pub struct Queue;
impl Queue {
    fn pop(&self) {}
    fn new() -> Queue { Queue }
}
pub struct Spawn<T> { task: T }
impl<T> Deref for Spawn<T> {
    type Target = T;
    fn deref(&self) -> &T { &self.task }
}
impl<T> Spawn<T> {
    fn new(task: T) -> Self { Spawn { task } }
    fn inner(&self) -> &T { &self.task }
    fn other<U>(&self, value: U) -> U { value }
}
pub fn spawn<T>(task: T) -> Spawn<T> { Spawn { task } }
pub fn channel<T>(size: usize) -> (Sender<T>, Receiver<T>) { todo() }
pub struct Sender<T>(T);
pub struct Receiver<T>(T);
impl<T> Receiver<T> {
    fn close(&mut self) {}
    fn recv(&mut self) -> Option<T> { None }
}
pub trait Listener: Send { fn accept(&self); }
pub struct Serve<L> { listener: L }
impl<L: Send + Listener> Serve<L> {
    fn run(&self) {
        self.listener.accept(); //?
    }
}
fn run() {
    spawn(Queue::new()).pop(); //?
    spawn(Queue::new()).task.pop(); //?
    Spawn::new(Queue).inner().pop(); //?
    let held = std::sync::Mutex::new(Queue);
    held.lock().unwrap().pop(); //?
    spawn(1).other(Queue).pop(); //?
    let (_, mut rx) = channel::<Queue>(1);
    rx.close(); //?
    rx.recv().unwrap().pop(); //?
    for queue in vec![Queue::new()] {
        queue.pop(); //?
    }
    let one = ready!(pin!(rx).recv());
    one.pop(); //?
}
",
        &expect![[r#"
            src/lib.rs:29 accept -> src/lib.rs:25 exact
            src/lib.rs:33 spawn -> src/lib.rs:17 exact
            src/lib.rs:33 new -> src/lib.rs:5 exact
            src/lib.rs:33 pop -> src/lib.rs:4 exact
            src/lib.rs:34 spawn -> src/lib.rs:17 exact
            src/lib.rs:34 new -> src/lib.rs:5 exact
            src/lib.rs:34 pop -> src/lib.rs:4 exact
            src/lib.rs:35 new -> src/lib.rs:13 exact
            src/lib.rs:35 inner -> src/lib.rs:14 exact
            src/lib.rs:35 pop -> src/lib.rs:4 exact
            src/lib.rs:37 lock -> ?
            src/lib.rs:37 unwrap -> ?
            src/lib.rs:37 pop -> src/lib.rs:4 exact
            src/lib.rs:38 spawn -> src/lib.rs:17 exact
            src/lib.rs:38 other -> src/lib.rs:15 exact
            src/lib.rs:38 pop -> src/lib.rs:4 exact
            src/lib.rs:40 close -> src/lib.rs:22 exact
            src/lib.rs:41 recv -> src/lib.rs:23 exact
            src/lib.rs:41 unwrap -> ?
            src/lib.rs:41 pop -> src/lib.rs:4 exact
            src/lib.rs:43 pop -> src/lib.rs:4 exact
            src/lib.rs:46 pop -> src/lib.rs:4 exact
        "#]],
    );
}

#[test]
fn of_several_definitions_the_one_of_a_usual_build_is_taken() {
    check(
        r#"
==> src/lib.rs
#[cfg(windows)]
mod windows;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
use windows as sys;
#[cfg(not(windows))]
use unix as sys;
#[cfg(target_os = "macos")]
fn open() {}
#[cfg(not(target_os = "macos"))]
fn open() {}
#[cfg(not(feature = "std"))]
mod imp;
#[cfg(feature = "std")]
use std::io as imp;
fn run() {
    open(); //?
    sys::start(); //?
    imp::write(); //?
}
==> src/imp.rs
pub fn write() {}
==> src/windows.rs
pub fn start() {}
==> src/unix.rs
pub fn start() {}
"#,
        &expect![[r#"
            src/lib.rs:18 open -> src/lib.rs:12 exact
            src/lib.rs:19 start -> src/unix.rs:1 import_resolved
            src/lib.rs:20 write -> ?
        "#]],
    );
}

#[test]
fn a_method_of_a_trait_is_not_called_where_its_name_means_another_trait() {
    check(
        r"
==> Cargo.toml
[package]
name = 'demo'
==> src/lib.rs
pub trait StreamExt { fn next(&self) {} }
impl<S: outside::Stream> StreamExt for S {}
pub struct Lines;
impl outside::Stream for Lines {}
==> tests/ours.rs
use demo::{Lines, StreamExt};
fn run(lines: Lines) {
    lines.next(); //?
}
==> tests/theirs.rs
use demo::Lines;
use outside::StreamExt;
fn run(lines: Lines) {
    lines.next(); //?
}
",
        &expect![[r#"
            tests/ours.rs:3 next -> src/lib.rs:1 import_resolved
            tests/theirs.rs:4 next -> ?
        "#]],
    );
}

#[test]
fn closures_get_what_the_function_wants_that_they_are_given_to() {
    check(
        r"
==> src/lib.rs
pub struct Command;
impl Command {
    fn arg(&mut self) -> &mut Command { self }
}
pub struct Bench;
impl Bench {
    fn run(&self, name: &str, each: impl Fn(&mut Command)) {}
    fn with<F>(&self, each: F) where F: FnOnce(u8, Command) -> Command + Send {}
}
fn call<T: Named + Counted>(value: T, make: fn() -> Command) {
    value.name(); //?
    value.count(); //?
    make().arg(); //?
}
pub trait Named { fn name(&self); }
pub trait Counted { fn count(&self); }
fn run(bench: Bench) {
    bench.run(NAME, |command| { command.arg().arg(); }); //?
    bench.with(|_, mut command| { command.arg(); command }); //?
}
",
        &expect![[r#"
            src/lib.rs:11 name -> src/lib.rs:15 exact
            src/lib.rs:12 count -> src/lib.rs:16 exact
            src/lib.rs:13 arg -> src/lib.rs:3 exact
            src/lib.rs:18 run -> src/lib.rs:7 exact
            src/lib.rs:18 arg -> src/lib.rs:3 exact
            src/lib.rs:18 arg -> src/lib.rs:3 exact
            src/lib.rs:19 with -> src/lib.rs:8 exact
            src/lib.rs:19 arg -> src/lib.rs:3 exact
        "#]],
    );
}

#[test]
fn the_error_of_a_result_is_known_and_one_of_several_conversions_is_not() {
    check(
        r"
==> src/lib.rs
pub struct Problem;
impl Problem {
    fn is_eof(&self) -> bool { true }
}
pub type Result<T> = std::result::Result<T, Problem>;
fn parse<T>() -> Result<T> { todo() }
pub struct Range;
impl From<u8> for Range {
    fn from(value: u8) -> Range { Range }
}
impl From<char> for Range {
    fn from(value: char) -> Range { Range }
}
fn run() {
    parse::<u8>().unwrap_err().is_eof(); //?
    if let Err(problem) = parse::<u8>() {
        problem.is_eof(); //?
    }
    Range::from(1); //?
}
",
        &expect![[r#"
            src/lib.rs:15 parse -> src/lib.rs:6 exact
            src/lib.rs:15 unwrap_err -> ?
            src/lib.rs:15 is_eof -> src/lib.rs:3 exact
            src/lib.rs:17 is_eof -> src/lib.rs:3 exact
            src/lib.rs:19 from -> ?
        "#]],
    );
}
