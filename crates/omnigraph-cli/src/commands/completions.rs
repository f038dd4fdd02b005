//! `omnigraph completions`

use crate::args::Args;
use crate::failure::Failure;
use crate::render;
use clap::CommandFactory;

pub(super) fn run(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "omnigraph", &mut script);
    render::text(script)
}
