//! Tests of `omnigraph-server` as callers meet it.
//!
//! [`host`] starts the real program on a port of its own and ends it, [`wire`] speaks HTTP with it byte by byte, and
//! [`document`] holds every answer against the document that the server has of itself; every other module proves one promise.

mod calls;
mod crowd;
mod document;
mod edge;
mod ending;
mod feed;
mod host;
mod oidc;
mod openapi;
mod outside;
mod permissions;
mod policy_fuzz;
mod random_rules;
mod requests;
mod slow;
mod statuses;
mod tls;
mod tokens;
mod versions;
mod wire;
