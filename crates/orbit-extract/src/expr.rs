//! The skeleton of an expression: enough to find out what a receiver or qualifier is, nothing more.
//!
//! `self.pool.get(x)?.run()` calls `run` on `Call(Member(Member(This, pool), get))`. What a name stands
//! for is decided later, over all files; here only the shape is kept.

use crate::NameId;

/// An expression of one file's arena. Equal expressions have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// A part of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExprPart {
    /// Another expression of the same arena.
    Expr(ExprId),
    /// A name of the same file.
    Name(NameId),
    /// A place in a list.
    Number(u32),
}

impl ExprPart {
    /// As it is stored.
    pub fn number(self) -> u32 {
        match self {
            ExprPart::Expr(ExprId(number)) | ExprPart::Name(NameId(number)) | ExprPart::Number(number) => {
                number
            }
        }
    }
}

impl From<ExprId> for ExprPart {
    fn from(part: ExprId) -> ExprPart {
        ExprPart::Expr(part)
    }
}

impl From<NameId> for ExprPart {
    fn from(part: NameId) -> ExprPart {
        ExprPart::Name(part)
    }
}

impl From<u32> for ExprPart {
    fn from(part: u32) -> ExprPart {
        ExprPart::Number(part)
    }
}

/// A stored number as a part of this type.
macro_rules! part {
    (ExprId, $number:expr) => {
        ExprId($number)
    };
    (NameId, $number:expr) => {
        NameId($number)
    };
    (u32, $number:expr) => {
        $number
    };
}

/// The forms of expressions with their stored tags and parts, which storing, reading and hashing follow.
macro_rules! exprs {
    ($($(#[$doc:meta])* $tag:literal $form:ident $(($($part:ident: $kind:ident),+))?,)+) => {
        /// What an expression looks like.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Expr {
            $($(#[$doc])* $form $(($($kind),+))?,)+
        }

        impl Expr {
            /// The number that its form is stored under.
            pub fn tag(self) -> u8 {
                match self {
                    $(Expr::$form { .. } => $tag,)+
                }
            }

            /// Its parts, in order.
            pub fn parts(self) -> impl Iterator<Item = ExprPart> {
                let parts: [Option<ExprPart>; 2] = match self {
                    $(Expr::$form $(($($part),+))? => two([$($(ExprPart::from($part)),+)?]),)+
                };
                parts.into_iter().flatten()
            }

            /// The expression with this tag whose parts come one after the other; `None` when no form has the tag.
            pub fn read<E>(tag: u8, mut next: impl FnMut() -> Result<u32, E>) -> Result<Option<Expr>, E> {
                Ok(Some(match tag {
                    $($tag => Expr::$form $(($(part!($kind, next()?)),+))?,)+
                    _ => return Ok(None),
                }))
            }
        }
    };
}

/// At most two parts, as two that may be missing.
fn two<const N: usize>(parts: [ExprPart; N]) -> [Option<ExprPart>; 2] {
    [parts.first().copied(), parts.get(1).copied()]
}

/// In place of the number of a parameter: what `this` is in a function of Kotlin.
pub const RECEIVER: usize = 0xffff;
/// In place of the number of a parameter: the last one, which takes the lambda behind a call of Kotlin.
pub const LAST_PARAMETER: usize = 0xfffe;

exprs! {
    /// Something whose type nobody wrote down: an untyped local, arithmetic, a dynamic lookup.
    0 Unknown,
    /// A literal or a built-in type: known, and never a symbol of the repository.
    1 Builtin,
    /// `self`, `this`, Rust's `Self`, Python's `cls`: the type that the enclosing symbol belongs to.
    2 This,
    /// `super`: the parent of that type. (Rust's `super::` is a `Name`.)
    3 Super,
    /// A name looked up from the scope of the use: variable, type, module, import.
    4 Name(name: NameId),
    /// `base.name`, `base::name`.
    5 Member(base: ExprId, name: NameId),
    /// What calling the expression gives.
    6 Call(callee: ExprId),
    /// A value of the type that the expression names: `x: Foo` makes `x` an `Instance(Name(Foo))`.
    7 Instance(ty: ExprId),
    /// One element of a collection, what an iterator yields, what an option or promise holds.
    8 Element(whole: ExprId),
    /// A generic type with its last type argument: `Vec<Foo>`, `Map<K, V>` with `V`.
    9 Apply(base: ExprId, argument: ExprId),
    /// A built-in type that overloads are told apart by: `int`, `String`. Never a symbol of the repository.
    10 Primitive(name: NameId),
    /// What an anonymous function gives when it is called.
    11 Returns(value: ExprId),
    /// The positional part of a value or of a constructor: `self.0`, the `x` of the pattern `Foo(x)`.
    12 Position(whole: ExprId, at: u32),
    /// The end of a list.
    13 Nil,
    /// A list: the first item, and the list of the others.
    14 List(first: ExprId, rest: ExprId),
    /// A tuple type, by the list of its parts.
    15 Tuple(list: ExprId),
    /// In a list of parameters, one that may be left out.
    16 Defaulted(ty: ExprId),
    /// In a list of parameters, one that takes any number of arguments.
    17 Rest(ty: ExprId),
    /// A type parameter by its name, with its bound as a type (`Unknown` without one). Which declaration it
    /// belongs to is told by the scope it is evaluated in.
    18 Parameter(name: NameId, bound: ExprId),
    /// A generic type or function with the list of all its type arguments: `Map<K, V>`, `f::<T>`. Inside an
    /// `Apply` where one of them stands for the elements. In C++ an empty list marks what stands before `::`, and
    /// `Builtin` in its place a type written with `const`; `Primitive` says how what stands before it is pointed to
    /// (`*`, `&`, `^` for a smart pointer, `?` for what holds a value, `&&` for what may be moved from).
    19 Generic(base: ExprId, args: ExprId),
    /// A callee with the list of the arguments it is called with, which type parameters are inferred from.
    20 With(callee: ExprId, args: ExprId),
    /// A callee with what the place of the call expects it to give, which type parameters are inferred from where
    /// its arguments say nothing.
    32 Giving(callee: ExprId, expected: ExprId),
    /// A function type: the list of what its parameters are, and what calling it gives.
    21 Function(params: ExprId, result: ExprId),
    /// What a function or constructor wants as the argument at a place.
    22 Expects(callee: ExprId, at: u32),
    /// What a function gets as the parameter at a place: of a callback, from where it is given.
    23 Receives(function: ExprId, at: u32),
    /// An object literal, by the path in this file that its members hang under.
    24 Object(path: NameId),
    /// An object type or literal that no symbol holds, by the list of its members. An `Object` may stand before them,
    /// under whose path those members hang that are functions.
    33 Shape(members: ExprId),
    /// A member of a `Shape`: its name, and what it is as a value.
    34 Keyed(name: NameId, value: ExprId),
    /// One of several, by their list: a union type, the branches of a conditional one.
    25 Union(parts: ExprId),
    /// All of several at once, by their list.
    26 Intersection(parts: ExprId),
    /// A collection by the list of what it holds: elements, or keys and values.
    27 Holds(list: ExprId),
    /// A tuple by the list of its values.
    28 Values(list: ExprId),
    /// What going through the expression gives one by one.
    29 Each(whole: ExprId),
    /// What a `with` statement binds.
    30 Enter(manager: ExprId),
    /// What the test fixture of this name gives.
    31 Fixture(name: NameId),
    /// The symbol at this place among those of its file, whatever others have its name.
    35 Own(at: u32),
    /// A plain name that may be a member of what stands for `this` without a word, by the list of those, innermost
    /// first. As `this` itself, the first of them that there is.
    37 Implied(name: NameId, receivers: ExprId),
    /// The type of what the expression names: Python's `type[Foo]`, the `typeof x` of TypeScript.
    36 Class(named: ExprId),
}
