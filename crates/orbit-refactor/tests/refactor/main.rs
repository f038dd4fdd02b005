//! Refactoring of small repositories, made by running git.

mod commits;
mod crash;
mod definitions;
mod moves;
mod properties;
mod refusals;
mod renames;
mod repo;
