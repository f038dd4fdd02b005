//! `orbit completions`

use crate::args::Args;
use crate::failure::Failure;
use crate::render;
use clap::CommandFactory;
use std::io::Write;

pub(super) fn run(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut out = render::buffered();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Args::command(), "orbit", &mut script);
    out.write_all(&script)?;
    out.flush()?;
    Ok(())
}
