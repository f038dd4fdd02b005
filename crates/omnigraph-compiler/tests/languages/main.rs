//! The two languages, seen through the public API.
//!
//! [`corpus`] runs the Markdown files of `tests/corpus`, which are also a manual by example. [`properties`] holds for
//! all inputs, [`trees`] makes inputs up, [`limits`] are texts made to break a parser, [`manual`] keeps the reference
//! pages true, [`meaning`] runs plans.

mod corpus;
mod data;
mod limits;
mod manual;
mod markdown;
mod meaning;
mod properties;
mod run;
mod trees;
