//! The `orbit` program.
fn main() {}
