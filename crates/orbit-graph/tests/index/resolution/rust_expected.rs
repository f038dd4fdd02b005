//! Rust: functions of traits that are chosen by what their place expects.

use super::check;
use expect_test::expect;

#[test]
fn the_place_of_a_call_tells_whose_function_of_a_trait_it_is() {
    check(
        r#"
==> src/lib.rs
use numbers::{FromPrimitive, One, Zero};
use std::str::FromStr;
pub struct Big { digits: u64 }
pub struct Small;
impl Zero for Big { fn zero() -> Big { Big { digits: 0 } } }
impl Zero for Small { fn zero() -> Self { Small } }
impl One for Big { fn one() -> Self { Big { digits: 1 } } }
impl FromStr for Big { type Err = (); fn from_str(text: &str) -> Result<Self, ()> { Err(()) } }
impl FromPrimitive for Big { fn from_u64(n: u64) -> Option<Big> { None } }
pub trait Make { fn make() -> Self; }
impl Make for Big { fn make() -> Self { Big { digits: 2 } } }
impl Make for Small { fn make() -> Self { Small } }
pub struct Pair { big: Big, small: Small, count: u32 }
impl Big {
    fn plus(&self, other: &Big) {}
    fn start() -> Big { Zero::zero() } //?
}
fn check(big: Big, small: &Small) {}
fn any<T: Zero>(value: T) {}
fn run(big: Big) -> Option<Big> {
    let a: Big = Zero::zero(); //?
    let b: Small = numbers::Zero::zero(); //?
    let (c, d): (Big, Small) = (Zero::zero(), Zero::zero()); //?
    let e: Big = FromStr::from_str("1").unwrap(); //?
    let f: Big = FromPrimitive::from_u64(1).expect("a number"); //?
    check(One::one(), &Zero::zero()); //?
    big.plus(&Zero::zero()); //?
    assert!(a.plus(&Make::make())); //?
    let g: Small = Make::make(); //?
    Pair { big: Zero::zero(), small: Make::make(), count: Zero::zero() }; //?
    let h: u64 = Zero::zero(); //?
    any(Zero::zero()); //?
    let i: Big = Big::start(); //?
    Some(Zero::zero()) //?
}
"#,
        &expect![[r#"
            src/lib.rs:16 zero -> src/lib.rs:5 exact
            src/lib.rs:21 zero -> src/lib.rs:5 exact
            src/lib.rs:22 zero -> src/lib.rs:6 exact
            src/lib.rs:23 zero -> src/lib.rs:5 exact
            src/lib.rs:23 zero -> src/lib.rs:6 exact
            src/lib.rs:24 from_str -> src/lib.rs:8 exact
            src/lib.rs:24 unwrap -> ?
            src/lib.rs:25 from_u64 -> src/lib.rs:9 exact
            src/lib.rs:25 expect -> ?
            src/lib.rs:26 check -> src/lib.rs:18 exact
            src/lib.rs:26 one -> src/lib.rs:7 exact
            src/lib.rs:26 zero -> src/lib.rs:6 exact
            src/lib.rs:27 plus -> src/lib.rs:15 exact
            src/lib.rs:27 zero -> src/lib.rs:5 exact
            src/lib.rs:28 assert -> ?
            src/lib.rs:28 plus -> src/lib.rs:15 exact
            src/lib.rs:28 make -> src/lib.rs:10 exact
            src/lib.rs:29 make -> src/lib.rs:12 exact
            src/lib.rs:30 zero -> src/lib.rs:5 exact
            src/lib.rs:30 make -> src/lib.rs:12 exact
            src/lib.rs:30 zero -> ?
            src/lib.rs:31 zero -> ?
            src/lib.rs:32 any -> src/lib.rs:19 exact
            src/lib.rs:32 zero -> ?
            src/lib.rs:33 start -> src/lib.rs:16 exact
            src/lib.rs:34 Some -> ?
            src/lib.rs:34 zero -> ?
        "#]],
    );
}

#[test]
fn the_first_argument_tells_whose_method_of_a_trait_it_is() {
    check(
        r#"
==> src/lib.rs
pub trait Indexed { fn at(&self, i: usize) -> u32; fn bound(&self) -> usize { 0 } }
pub struct Graph<T> { items: Vec<T> }
pub struct List;
impl<T> Indexed for Graph<T> { fn at(&self, i: usize) -> u32 { 0 } }
impl Indexed for List { fn at(&self, i: usize) -> u32 { Indexed::at(self, i) } } //?
fn run<G: Indexed>(graph: &Graph<u8>, any: G) {
    Indexed::at(&graph, 1); //?
    Indexed::bound(&graph); //?
    Indexed::at(&any, 1); //?
    let list = List;
    Indexed::at(&list, 2); //?
    assert_eq!(vec![1], vec![0, Indexed::at(&list, 2)]); //?
    assert_eq!(1, Graph::<u8>::at(&graph, 2)); //?
}
"#,
        &expect![[r#"
            src/lib.rs:5 at -> src/lib.rs:1 exact
            src/lib.rs:7 at -> src/lib.rs:4 exact
            src/lib.rs:8 bound -> src/lib.rs:1 exact
            src/lib.rs:9 at -> src/lib.rs:1 exact
            src/lib.rs:11 at -> src/lib.rs:5 exact
            src/lib.rs:12 assert_eq -> ?
            src/lib.rs:12 vec -> ?
            src/lib.rs:12 vec -> ?
            src/lib.rs:12 at -> src/lib.rs:5 exact
            src/lib.rs:13 assert_eq -> ?
            src/lib.rs:13 at -> src/lib.rs:4 exact
        "#]],
    );
}

/// A type alias may be the type parameter that it takes.
#[test]
fn an_alias_of_its_own_parameter_has_the_bound_of_what_it_is_given() {
    check(
        r#"
==> src/lib.rs
pub trait IndexType { fn index(&self) -> usize; }
impl IndexType for u32 { fn index(&self) -> usize { 0 } }
pub type NodeIndex<Ix = u32> = Ix;
pub struct Edge<Ix> { from: NodeIndex<Ix> }
pub struct List<E, Ix = u32> { items: Vec<E>, first: Ix }
impl<E, Ix: IndexType> List<E, Ix> {
    fn add(&self, a: NodeIndex<Ix>, edge: Edge<Ix>) {
        a.index(); //?
        edge.from.index(); //?
        self.first.index(); //?
    }
}
"#,
        &expect![[r#"
            src/lib.rs:8 index -> src/lib.rs:1 exact
            src/lib.rs:9 index -> src/lib.rs:1 exact
            src/lib.rs:10 index -> src/lib.rs:1 exact
        "#]],
    );
}

/// What the place expects may hold what the function makes, or be made from it.
#[test]
fn a_function_that_makes_something_else_is_not_the_one_that_is_expected() {
    check(
        r#"
==> src/lib.rs
pub struct Held;
pub struct Holder<T> { held: T }
pub trait Make: Sized { fn make() -> Holder<Self>; }
impl Make for Held { fn make() -> Holder<Held> { todo!() } }
impl<T> Make for Holder<T> { fn make() -> Holder<Holder<T>> { todo!() } }
pub struct Other;
impl Make for Other { fn make() -> Holder<Other> { todo!() } }
fn run() {
    let held: Held = Make::make(); //?
    let holder: Holder<Held> = Make::make(); //?
}
"#,
        &expect![[r#"
            src/lib.rs:9 make -> src/lib.rs:3 exact
            src/lib.rs:10 make -> src/lib.rs:3 exact
        "#]],
    );
}

#[test]
fn a_conversion_may_be_told_by_its_place_and_its_argument() {
    check(
        r#"
==> src/lib.rs
pub struct Big;
pub type Digit = u64;
impl From<u8> for Big { fn from(n: u8) -> Self { Big } }
impl From<u32> for Big { fn from(n: u32) -> Self { Big } }
impl From<u64> for Big { fn from(n: u64) -> Self { Big::from(n as u32) } } //?
impl std::ops::Div<Big> for u32 {
    type Output = Big;
    fn div(self, other: Big) -> Big { From::from(self) } //?
}
fn divide(a: u32, b: Big) -> Big { b }
fn check(big: &Big) {}
fn run(small: u8, digit: Digit) {
    check(&Big::from(u64::MAX)); //?
    check(&Big::from(u8::BITS)); //?
    check(&Big::from(u32::from(small))); //?
    check(&Big::from(digit)); //?
    check(&Big::from(small as Digit)); //?
    check(&From::from(small)); //?
    divide(1, From::from(u8::MAX)); //?
}
"#,
        &expect![[r#"
            src/lib.rs:5 from -> src/lib.rs:4 exact
            src/lib.rs:8 from -> src/lib.rs:4 exact
            src/lib.rs:13 check -> src/lib.rs:11 exact
            src/lib.rs:13 from -> src/lib.rs:5 exact
            src/lib.rs:14 check -> src/lib.rs:11 exact
            src/lib.rs:14 from -> src/lib.rs:4 exact
            src/lib.rs:15 check -> src/lib.rs:11 exact
            src/lib.rs:15 from -> src/lib.rs:4 exact
            src/lib.rs:15 from -> ?
            src/lib.rs:16 check -> src/lib.rs:11 exact
            src/lib.rs:16 from -> src/lib.rs:5 exact
            src/lib.rs:17 check -> src/lib.rs:11 exact
            src/lib.rs:17 from -> src/lib.rs:5 exact
            src/lib.rs:18 check -> src/lib.rs:11 exact
            src/lib.rs:18 from -> src/lib.rs:3 exact
            src/lib.rs:19 divide -> src/lib.rs:10 exact
            src/lib.rs:19 from -> src/lib.rs:3 exact
        "#]],
    );
}
