//! Rust: what type parameters, projections, patterns and tuples tell of values.

use super::{check, check_types};
use expect_test::expect;

#[test]
fn a_projection_names_what_the_trait_declares() {
    check_types(
        r"
==> src/lib.rs
pub trait Service<R> { type Response; type Future; }
pub trait Layer<S> { type Service; }
pub trait IntoItems { type Iter; }
pub struct Builder<L> { layer: L }
impl<L> Builder<L> {
    pub fn service<S>(&self, inner: S) -> L::Service //?
    where
        L: Layer<S>,
    { self.layer.layer(inner) }
    pub fn boxed<S, R>(self)
    where
        L: Layer<S>,
        L::Service: Clone, //?
        <L::Service as Service<R>>::Future: Send, //?
    {}
}
pub struct Mock;
impl Service<u8> for Mock { type Response = u8; type Future = u8; }
pub type Future = <Mock as Service<u8>>::Future; //?
pub fn all<I: IntoItems<Iter: Clone>>(items: I) {} //?
fn run(error: Box<dyn std::any::Any>) {
    assert!(error.is::<inner::Closed>()); //?
    assert!(error.is::<(u8, inner::Closed)>()); //?
}
mod inner { pub struct Closed; }
",
        &expect![[r#"
            src/lib.rs:6 L -> ?
            src/lib.rs:6 Service -> src/lib.rs:2 exact
            src/lib.rs:13 L -> ?
            src/lib.rs:13 Service -> src/lib.rs:2 exact
            src/lib.rs:14 L -> ?
            src/lib.rs:14 Service -> src/lib.rs:2 exact
            src/lib.rs:14 Service -> src/lib.rs:1 exact
            src/lib.rs:14 Future -> src/lib.rs:1 exact
            src/lib.rs:19 Mock -> src/lib.rs:17 exact
            src/lib.rs:19 Service -> src/lib.rs:1 exact
            src/lib.rs:19 Future -> src/lib.rs:1 exact
            src/lib.rs:20 Iter -> src/lib.rs:3 exact
            src/lib.rs:22 Closed -> src/lib.rs:25 exact
            src/lib.rs:23 Closed -> src/lib.rs:25 exact
        "#]],
    );
}

#[test]
fn bounds_of_a_function_count_in_it_alone() {
    check(
        r"
==> src/lib.rs
pub trait Service { fn poll(&self); fn call(&self); }
pub trait Layer { fn wrap(&self); fn call(&self); }
pub struct Holder<T> { inner: T }
impl<T> Holder<T> {
    fn service(&self) where T: Service {
        self.inner.poll(); //?
        self.inner.call(); //?
    }
    fn layer(&self) where T: Layer {
        self.inner.wrap(); //?
        self.inner.call(); //?
    }
}
pub struct Boxed { inner: std::sync::Arc<dyn Layer + Send + Sync + 'static> }
impl Boxed { fn run(&self) { self.inner.wrap(); } } //?
",
        &expect![[r#"
            src/lib.rs:6 poll -> src/lib.rs:1 exact
            src/lib.rs:7 call -> src/lib.rs:1 exact
            src/lib.rs:10 wrap -> src/lib.rs:2 exact
            src/lib.rs:11 call -> src/lib.rs:2 exact
            src/lib.rs:15 wrap -> src/lib.rs:2 exact
        "#]],
    );
}

#[test]
fn patterns_take_type_arguments_from_what_they_look_at() {
    check(
        r"
==> src/lib.rs
pub trait Service { fn poll(&self); }
pub enum Either<A, B> { Left(A), Right(B), Both { first: A, second: B } }
pub struct Wrapper<T>(T);
impl<A, B> Either<A, B> where A: Service, B: Service {
    fn poll(&self) {
        match self {
            Either::Left(a) => a.poll(), //?
            Self::Right(b) => b.poll(), //?
            Either::Both { first, second } => {
                first.poll(); //?
                second.poll(); //?
            }
        }
    }
}
impl<T: Service> Wrapper<T> {
    fn run(&self) { self.0.poll(); } //?
}
pin_project! {
    #[project = StateProj]
    enum State<S: Service> { Waiting { svc: S }, Done }
}
#[pin_project(project = PhaseProj)]
enum Phase<S: Service> { Waiting { svc: S }, Done }
impl<S: Service> State<S> {
    fn run(self: Pin<&mut Self>) {
        match self.project() {
            StateProj::Waiting { svc } => svc.poll(), //?
            StateProj::Done => {}
        }
    }
}
impl<S: Service> Phase<S> {
    fn run(self: Pin<&mut Self>) {
        if let PhaseProj::Waiting { svc } = self.project() {
            svc.poll(); //?
        }
    }
}
",
        &expect![[r#"
            src/lib.rs:7 poll -> src/lib.rs:1 exact
            src/lib.rs:8 poll -> src/lib.rs:1 exact
            src/lib.rs:10 poll -> src/lib.rs:1 exact
            src/lib.rs:11 poll -> src/lib.rs:1 exact
            src/lib.rs:17 poll -> src/lib.rs:1 exact
            src/lib.rs:28 poll -> src/lib.rs:1 exact
            src/lib.rs:36 poll -> src/lib.rs:1 exact
        "#]],
    );
}

#[test]
fn tuples_and_functions_have_the_methods_of_traits() {
    check(
        r"
==> src/lib.rs
pub trait Layer { fn layer(&self); }
impl<A> Layer for (A,) where A: Layer {
    fn layer(&self) { let (a,) = self; a.layer(); } //?
}
impl<A, B> Layer for (A, B) where A: Layer, B: Layer {
    fn layer(&self) { self.1.layer(); } //?
}
pub trait Parser { fn map(self) -> u8 where Self: Sized { 1 } }
impl<F: Fn(u8) -> u8> Parser for F {}
fn digit(x: u8) -> u8 { x }
fn run(a: u8, b: u8) {
    (a, b).layer(); //?
    (a,).layer(); //?
    digit.map(); //?
}
pub struct Made;
impl Made {
    fn new(x: u8) -> Made { Made }
    fn all(items: Vec<u8>) { items.into_iter().map(Self::new).for_each(drop); }
}
",
        &expect![[r#"
            src/lib.rs:3 layer -> src/lib.rs:1 exact
            src/lib.rs:6 layer -> src/lib.rs:1 exact
            src/lib.rs:12 layer -> src/lib.rs:6 exact
            src/lib.rs:13 layer -> src/lib.rs:3 exact
            src/lib.rs:14 map -> src/lib.rs:8 exact
        "#]],
    );
}

#[test]
fn a_method_of_a_trait_in_scope_gives_what_it_declares() {
    check(
        r"
==> src/lib.rs
use std::ops::Range;
pub struct Iter<T>(T);
pub trait Par { fn map(self) -> Self; fn collect(self) -> u8 { 1 } }
pub trait IntoPar { type Iter: Par; fn into_par(self) -> Self::Iter; }
impl<T> Par for Iter<T> { fn map(self) -> Self { self } }
impl<T> IntoPar for Range<T> { type Iter = Iter<T>; fn into_par(self) -> Self::Iter { Iter(self) } }
impl<T> IntoPar for Vec<T> { type Iter = Iter<T>; fn into_par(self) -> Self::Iter { Iter(self) } }
fn run(v: Vec<u8>, n: u8) {
    (0..n).into_par().map().collect(); //?
    v.into_par().map().collect(); //?
    unknown().into_par().map().collect(); //?
    assert_eq!((0..n).into_par().map().collect(), 1); //?
}
",
        &expect![[r#"
            src/lib.rs:9 into_par -> src/lib.rs:6 exact
            src/lib.rs:9 map -> src/lib.rs:5 exact
            src/lib.rs:9 collect -> src/lib.rs:3 exact
            src/lib.rs:10 into_par -> src/lib.rs:7 exact
            src/lib.rs:10 map -> src/lib.rs:5 exact
            src/lib.rs:10 collect -> src/lib.rs:3 exact
            src/lib.rs:11 unknown -> ?
            src/lib.rs:11 into_par -> ?
            src/lib.rs:11 map -> src/lib.rs:3 exact
            src/lib.rs:11 collect -> src/lib.rs:3 exact
            src/lib.rs:12 assert_eq -> ?
            src/lib.rs:12 into_par -> src/lib.rs:6 exact
            src/lib.rs:12 map -> src/lib.rs:5 exact
            src/lib.rs:12 collect -> src/lib.rs:3 exact
        "#]],
    );
}

#[test]
fn variants_of_the_prelude_are_not_those_of_an_own_enum() {
    check(
        r"
==> src/lib.rs
pub enum Err { Error(u8), Failure(u8) }
fn run(x: Result<u8, Err>) -> Result<u8, Err> {
    match x {
        Err(e) => Err(e), //?
        Ok(x) => Err(Err::Error(x)), //?
    }
}
",
        &expect![[r#"
            src/lib.rs:4 Err -> ?
            src/lib.rs:5 Err -> ?
            src/lib.rs:5 Error -> src/lib.rs:1 exact
        "#]],
    );
}

#[test]
fn a_type_without_its_arguments_has_none_to_tell() {
    check(
        r#"
==> src/lib.rs
pub struct Id<T = u8>(T);
impl<T> From<T> for Id<T> { fn from(number: T) -> Self { Id(number) } }
pub struct Tree<T> { root: T }
impl<T> Tree<T> { fn grow(&self) {} }
fn ids() -> Vec<Id> { Vec::new() }
fn tree<T>(ids: &[Id<T>]) -> Tree<T> { todo!() }
fn run() {
    let ids = ids();
    tree(&ids).grow(); //?
}
"#,
        &expect![[r#"
            src/lib.rs:9 tree -> src/lib.rs:6 exact
            src/lib.rs:9 grow -> src/lib.rs:4 exact
        "#]],
    );
}

/// A macro may bind a name that it is given to a part of what it is given.
#[test]
fn names_that_a_macro_binds_have_what_its_template_gives_them() {
    check(
        r#"
==> src/lib.rs
macro_rules! tap {
    ($this:ident, mut $inner:ident => { $($stmt:stmt)* }) => {{
        let mut $inner = $this.into_inner();
        $($stmt)*;
        Router { inner: $inner }
    }};
    ($this:ident, $inner:pat_param => $value:expr) => {{
        let $inner = $this.into_inner();
        Router { inner: $value }
    }};
}
macro_rules! must { ($value:expr) => { $value.unwrap() }; }
pub struct Inner;
pub struct Router { inner: Inner }
pub struct Other;
impl Other { fn route(&mut self, path: &str) {} }
impl Inner { fn route(&mut self, path: &str) -> Option<()> { None } }
impl Router {
    fn into_inner(self) -> Inner { self.inner }
    pub fn add(self, path: &str) -> Self {
        tap!(self, mut this => { must!(this.route(path)); }) //?
    }
    pub fn merge(self, other: Router) -> Self {
        tap!(other, it => { it.route("b"); it }) //?
    }
}
"#,
        &expect![[r#"
            src/lib.rs:21 tap -> src/lib.rs:1 exact
            src/lib.rs:21 must -> src/lib.rs:12 exact
            src/lib.rs:21 route -> src/lib.rs:17 exact
            src/lib.rs:24 tap -> src/lib.rs:1 exact
            src/lib.rs:24 route -> src/lib.rs:17 exact
        "#]],
    );
}

/// Each bound leads to the parameter again: gone through one in the other, this would never end.
#[test]
fn bounds_that_name_their_own_parameter_are_not_gone_through_without_end() {
    check(
        r#"
==> src/lib.rs
use outside::{Add, Div, Mul, Neg, Rem, Sub};
pub struct Big;
impl Big { pub fn missing(&self) {} pub fn shift(&self) {} }
pub fn fold<T>(a: T, b: T) -> T
where
    T: Add<T> + Sub<T> + Mul<T> + Div<T> + Rem<T> + Neg<T> + Add<Big> + Sub<Box<T>> + Mul<Box<T>> + Div<Box<T>>,
{
    a.missing_method();
    b.missing_method();
    a
}
fn run(big: Box<Big>) { big.shift(); } //?
"#,
        &expect![[r#"
            src/lib.rs:12 shift -> src/lib.rs:3 exact
        "#]],
    );
}
