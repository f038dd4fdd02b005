//! The skeleton of an expression: enough to find out what a receiver or qualifier is, nothing more.
//!
//! `self.pool.get(x)?.run()` calls `run` on `Call(Member(Member(This, pool), get))`. What a name stands
//! for is decided later, over all files; here only the shape is kept.

use crate::NameId;

/// An expression of one file's arena. Equal expressions have equal numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// What an expression looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    /// Something whose type nobody wrote down: an untyped local, arithmetic, a dynamic lookup.
    Unknown,
    /// A literal or a built-in type: known, and never a symbol of the repository.
    Builtin,
    /// `self`, `this`, Rust's `Self`, Python's `cls`: the type that the enclosing symbol belongs to.
    This,
    /// `super`: the parent of that type. (Rust's `super::` is a `Name`.)
    Super,
    /// A name looked up from the scope of the use: variable, type, module, import.
    Name(NameId),
    /// `base.name`, `base::name`.
    Member(ExprId, NameId),
    /// What calling the expression gives.
    Call(ExprId),
    /// A value of the type that the expression names: `x: Foo` makes `x` an `Instance(Name(Foo))`.
    Instance(ExprId),
    /// One element of a collection, what an iterator yields, what an option or promise holds.
    Element(ExprId),
    /// A generic type with its last type argument: `Vec<Foo>`, `Map<K, V>` with `V`.
    Apply(ExprId, ExprId),
    /// A built-in type that overloads are told apart by: `int`, `String`. Never a symbol of the repository.
    Primitive(NameId),
    /// What an anonymous function gives when it is called.
    Returns(ExprId),
    /// The positional part of a value or of a constructor: `self.0`, the `x` of the pattern `Foo(x)`.
    Position(ExprId, u32),
    /// The end of a list.
    Nil,
    /// A list: the first item, and the list of the others.
    List(ExprId, ExprId),
    /// A tuple type, by the list of its parts.
    Tuple(ExprId),
    /// In a list of parameters, one that may be left out.
    Defaulted(ExprId),
    /// In a list of parameters, one that takes any number of arguments.
    Rest(ExprId),
    /// A type parameter by its name, with its bound as a type (`Unknown` without one). Which declaration it
    /// belongs to is told by the scope it is evaluated in.
    Parameter(NameId, ExprId),
    /// A generic type or function with the list of all its type arguments: `Map<K, V>`, `f::<T>`. Inside an
    /// `Apply` where one of them stands for the elements. In C++ an empty list marks what stands before `::`, and
    /// `Builtin` in its place a type written with `const`; `Primitive` says how what stands before it is pointed to
    /// (`*`, `&`, `^` for a smart pointer, `?` for what holds a value, `&&` for what may be moved from).
    Generic(ExprId, ExprId),
    /// A callee with the list of the arguments it is called with, which type parameters are inferred from.
    With(ExprId, ExprId),
    /// A callee with what the place of the call expects it to give, which type parameters are inferred from where
    /// its arguments say nothing.
    Giving(ExprId, ExprId),
    /// A function type: the list of what its parameters are, and what calling it gives.
    Function(ExprId, ExprId),
    /// What a function or constructor wants as the argument at a place.
    Expects(ExprId, u32),
    /// What a function gets as the parameter at a place: of a callback, from where it is given.
    Receives(ExprId, u32),
    /// An object literal, by the path in this file that its members hang under.
    Object(NameId),
    /// An object type or literal that no symbol holds, by the list of its members. An `Object` may stand before them,
    /// under whose path those members hang that are functions.
    Shape(ExprId),
    /// A member of a `Shape`: its name, and what it is as a value.
    Keyed(NameId, ExprId),
    /// One of several, by their list: a union type, the branches of a conditional one.
    Union(ExprId),
    /// All of several at once, by their list.
    Intersection(ExprId),
    /// A collection by the list of what it holds: elements, or keys and values.
    Holds(ExprId),
    /// A tuple by the list of its values.
    Values(ExprId),
    /// What going through the expression gives one by one.
    Each(ExprId),
    /// What a `with` statement binds.
    Enter(ExprId),
    /// What the test fixture of this name gives.
    Fixture(NameId),
}
