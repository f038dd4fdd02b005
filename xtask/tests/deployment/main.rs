//! What brings the programs to others, run as its users run it: archives, the installer, a graph in a bucket.
//!
//! Needs the programs of the whole workspace (`cargo build --workspace`) and what `scripts/test-tools` installs, and no
//! network but this machine's own.

mod files;
mod install;
mod local_s3;
mod place;
