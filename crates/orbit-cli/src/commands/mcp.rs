//! `orbit mcp`

use crate::args::{McpArgs, McpCommand};
use crate::failure::Failure;
use crate::{mcp, render};
use orbit_graph::Location;
use std::path::{Path, PathBuf};

/// The worktree that is meant where there can be only one.
fn first(dirs: &[PathBuf]) -> &Path {
    dirs.first().map_or(Path::new("."), PathBuf::as_path)
}

pub(super) fn run(args: McpArgs) -> Result<(), Failure> {
    let Some(McpCommand::Install { client, write }) = args.command else {
        return mcp::serve(&args);
    };
    let root = Location::of(first(&args.dir))?.root;
    let snippet = mcp::install::snippet(client, &root)?;
    if !write {
        return render::line(&format!("{}:\n{}", snippet.path.display(), snippet.text.trim_end()));
    }
    if let Some(dir) = snippet.path.parent() {
        std::fs::create_dir_all(dir)?;
    }
    std::fs::write(&snippet.path, snippet.text)?;
    render::line(&format!("wrote {}", snippet.path.display()))
}
