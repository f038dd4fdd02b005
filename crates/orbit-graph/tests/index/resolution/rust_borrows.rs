//! Rust: which of several `impl`s a call means, by how values are borrowed.

use super::check;
use expect_test::expect;

/// A list with an iterator for itself, for references and for mutable ones.
const LIST: &str = r#"
==> src/list.rs
pub struct List { pub items: Vec<u8> }
pub struct Owned;
pub struct Shared;
pub struct Mutable;
impl Owned { pub fn finish(&self) {} }
impl Shared { pub fn finish(&self) {} }
impl Mutable { pub fn finish(&self) {} }
impl List {
    pub fn new() -> Self { List { items: Vec::new() } }
    pub fn lent(&self) -> &List { self }
    pub fn walk(&self) { self.into_iter(); } //?
    pub fn boxed(self: Box<Self>) { self.into_iter(); } //?
}
impl IntoIterator for List {
    type Item = u8;
    type IntoIter = Owned;
    fn into_iter(self) -> Owned { Owned }
}
impl<'a> IntoIterator for &'a List {
    type Item = &'a u8;
    type IntoIter = Shared;
    fn into_iter(self) -> Shared { self.items.iter(); Shared }
}
impl<'a> IntoIterator for &'a mut List {
    type Item = &'a mut u8;
    type IntoIter = Mutable;
    fn into_iter(self) -> Mutable { Mutable }
}
"#;

fn check_with_list(rest: &str, expected: &expect_test::Expect) {
    check(&format!("{LIST}{rest}"), expected);
}

#[test]
fn a_method_is_tried_on_the_receiver_as_it_is_then_borrowed_then_dereferenced() {
    check_with_list(
        r#"
==> src/lib.rs
mod list;
use list::List;
struct Holder { own: List, lent: &'static List }
type Lent<'a> = &'a List;
fn run(by_value: List, shared: &List, mutable: &mut List, twice: &&List, alias: Lent<'_>) {
    by_value.into_iter(); //?
    shared.into_iter(); //?
    mutable.into_iter(); //?
    twice.into_iter(); //?
    alias.into_iter(); //?
    (&by_value).into_iter(); //?
    (*shared).into_iter(); //?
    let local = List::new();
    local.into_iter(); //?
    let lent = &local;
    lent.into_iter(); //?
    local.lent().into_iter(); //?
    local.clone().into_iter(); //?
    shared.into_iter().finish(); //?
}
fn parts(holder: &Holder) {
    holder.own.into_iter(); //?
    holder.lent.into_iter(); //?
    let Holder { own, .. } = holder;
    own.into_iter(); //?
    let &Holder { lent: ref again, .. } = holder;
    again.into_iter(); //?
}
"#,
        &expect![[r#"
            src/lib.rs:6 into_iter -> src/list.rs:17 import_resolved
            src/lib.rs:7 into_iter -> src/list.rs:22 import_resolved
            src/lib.rs:8 into_iter -> src/list.rs:27 import_resolved
            src/lib.rs:9 into_iter -> src/list.rs:22 import_resolved
            src/lib.rs:10 into_iter -> src/list.rs:22 import_resolved
            src/lib.rs:11 into_iter -> src/list.rs:22 import_resolved
            src/lib.rs:12 into_iter -> src/list.rs:17 import_resolved
            src/lib.rs:14 into_iter -> src/list.rs:17 import_resolved
            src/lib.rs:16 into_iter -> src/list.rs:22 import_resolved
            src/lib.rs:17 lent -> src/list.rs:10 import_resolved
            src/lib.rs:17 into_iter -> src/list.rs:22 import_resolved
            src/lib.rs:18 clone -> ?
            src/lib.rs:18 into_iter -> src/list.rs:17 import_resolved
            src/lib.rs:19 into_iter -> src/list.rs:22 import_resolved
            src/lib.rs:19 finish -> src/list.rs:6 import_resolved
            src/lib.rs:22 into_iter -> src/list.rs:17 import_resolved
            src/lib.rs:23 into_iter -> src/list.rs:22 import_resolved
            src/lib.rs:25 into_iter -> ?
            src/lib.rs:27 into_iter -> ?
            src/list.rs:11 into_iter -> src/list.rs:22 exact
            src/list.rs:12 into_iter -> src/list.rs:17 exact
        "#]],
    );
}

#[test]
fn a_method_that_borrows_itself_comes_before_one_for_references() {
    check(
        r#"
==> src/lib.rs
struct Foo;
trait Tell { fn tell(&self); }
impl Tell for Foo { fn tell(&self) {} }
impl Tell for &Foo { fn tell(&self) {} }
fn run(value: Foo, shared: &Foo, twice: &&Foo) {
    value.tell(); //?
    shared.tell(); //?
    twice.tell(); //?
}
fn open<T>(value: T) where T: Tell { value.tell(); } //?
"#,
        &expect![[r#"
            src/lib.rs:6 tell -> src/lib.rs:3 exact
            src/lib.rs:7 tell -> src/lib.rs:3 exact
            src/lib.rs:8 tell -> src/lib.rs:4 exact
            src/lib.rs:10 tell -> src/lib.rs:2 exact
        "#]],
    );
}

#[test]
fn a_conversion_is_chosen_by_how_its_argument_is_laid_out() {
    check(
        r#"
==> src/lib.rs
struct Value;
struct Part;
impl From<&[u8]> for Value { fn from(bytes: &[u8]) -> Self { Value } }
impl<const N: usize> From<[u8; N]> for Value { fn from(bytes: [u8; N]) -> Self { Value } }
impl From<Vec<u8>> for Value { fn from(bytes: Vec<u8>) -> Self { Value } }
impl From<&str> for Value { fn from(text: &str) -> Self { Value } }
impl From<Part> for Value { fn from(part: Part) -> Self { Value } }
impl From<&Part> for Value { fn from(part: &Part) -> Self { Value } }
fn run(part: Part, list: Vec<u8>, text: String) {
    Value::from(&[1u8, 2][..]); //?
    Value::from([1u8, 2]); //?
    Value::from(vec![1u8]); //?
    Value::from(&list[1..]); //?
    Value::from(&text[1..]); //?
    Value::from("text"); //?
    Value::from(&part); //?
    Value::from(part); //?
}
"#,
        &expect![[r#"
            src/lib.rs:10 from -> src/lib.rs:3 exact
            src/lib.rs:11 from -> src/lib.rs:4 exact
            src/lib.rs:12 from -> src/lib.rs:5 exact
            src/lib.rs:12 vec -> ?
            src/lib.rs:13 from -> src/lib.rs:3 exact
            src/lib.rs:14 from -> src/lib.rs:6 exact
            src/lib.rs:15 from -> src/lib.rs:6 exact
            src/lib.rs:16 from -> src/lib.rs:8 exact
            src/lib.rs:17 from -> src/lib.rs:7 exact
        "#]],
    );
}

#[test]
fn operators_collections_and_adapters_have_types() {
    check(
        r#"
==> src/lib.rs
mod price;
struct Set;
struct Walk;
impl Set { fn len(&self) {} fn walk(&self) -> Walk { Walk } }
impl Iterator for Walk { type Item = Set; fn next(&mut self) -> Option<Set> { None } }
impl FromIterator<u8> for Set { fn from_iter<I>(items: I) -> Set { Set } }
impl std::ops::BitAnd for &Set { type Output = Set; fn bitand(self, other: &Set) -> Set { Set } }
impl std::ops::Mul<Set> for f64 { type Output = Set; fn mul(self, other: Set) -> Set { other } }
fn run(a: Set, b: Set, items: Vec<u8>) {
    let both = &a & &b;
    both.len(); //?
    items.iter().copied().collect::<Set>().len(); //?
    a.walk().next(); //?
    a.walk().skip(1).next(); //?
    let scaled = 2.0 * b;
    scaled.len(); //?
    for set in a.walk().skip(1) {
        set.len(); //?
    }
}
==> src/price.rs
use std::ops::{Add, Sub};
pub struct Price;
impl Price { fn show(&self) {} }
impl Add<u32> for Price { type Output = Price; fn add(self, other: u32) -> Price { self } }
impl Add<&Price> for Price { type Output = Price; fn add(self, other: &Price) -> Price { self } }
impl Sub<u32> for Price { type Output = Price; fn sub(self, other: u32) -> Price { self } }
impl Sub<u32> for &Price { type Output = Price; fn sub(self, other: u32) -> Price { Price } }
forward!(Sub<Price> for Price);
fn pay(price: Price, other: Price) {
    (price + 1).show(); //?
    price.sub(other); //?
}
"#,
        &expect![[r#"
            src/lib.rs:11 len -> src/lib.rs:4 exact
            src/lib.rs:12 iter -> ?
            src/lib.rs:12 copied -> ?
            src/lib.rs:12 collect -> ?
            src/lib.rs:12 len -> src/lib.rs:4 exact
            src/lib.rs:13 walk -> src/lib.rs:4 exact
            src/lib.rs:13 next -> src/lib.rs:5 exact
            src/lib.rs:14 walk -> src/lib.rs:4 exact
            src/lib.rs:14 skip -> ?
            src/lib.rs:14 next -> ?
            src/lib.rs:16 len -> ?
            src/lib.rs:18 len -> src/lib.rs:4 exact
            src/price.rs:10 show -> src/price.rs:3 exact
            src/price.rs:11 sub -> ?
        "#]],
    );
}
