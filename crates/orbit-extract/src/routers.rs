//! What a file says of routers: enough to put the paths of routes together when they are mounted in another file.
//!
//! A route is named by what its own file says. Where the router that it is registered on comes from another file, or is
//! mounted in one, only the references of both files together tell its whole path.

/// The router that something is registered on or mounted on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouterName {
    /// One that this file makes, by its number; it is not mounted in this file.
    Here(u32),
    /// What the reference means that ends at this byte.
    At(u32),
    /// Nobody knows.
    Unknown,
}

/// A router that is mounted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mounted {
    /// What the reference means that ends at this byte.
    At(u32),
    /// The router of a module, named by a literal: `include("polls.urls")`, `require('./users')`.
    Module(Box<str>),
}

/// One thing that a file says of routers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RawRouter {
    /// A symbol stands for a router: the variable that holds it, the function that makes it.
    Held {
        /// Its number in the file.
        router: u32,
        /// The index of the symbol.
        symbol: u32,
        /// What it is below; itself when it is mounted nowhere in this file.
        on: RouterName,
        /// Its path from there on.
        prefix: Box<str>,
    },
    /// A route; its name has the path from `on`.
    Route {
        /// The index of the route's symbol.
        symbol: u32,
        /// What it is below.
        on: RouterName,
    },
    /// A router that is made elsewhere is mounted here.
    Mount {
        /// Which one.
        child: Mounted,
        /// On what.
        on: RouterName,
        /// The path from there on; `None` when it is not a literal.
        prefix: Option<Box<str>>,
        /// It stands for the prefix that the router has of its own.
        replaces: bool,
    },
}
