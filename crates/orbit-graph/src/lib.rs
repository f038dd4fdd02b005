//! The code index.
