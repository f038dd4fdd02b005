//! `orbit skills`

use crate::args::{SkillsArgs, SkillsCommand};
use crate::failure::Failure;
use crate::{mcp, render};
use orbit_graph::Location;

pub(super) fn run(args: &SkillsArgs) -> Result<(), Failure> {
    let SkillsCommand::Install { client, print } = args.command;
    let root = Location::of(&args.dir)?.root;
    for file in mcp::skills::files(client, &root)? {
        if print {
            render::line(&format!("{}:\n{}", file.path.display(), file.text.trim_end()))?;
            continue;
        }
        if let Some(dir) = file.path.parent() {
            std::fs::create_dir_all(dir)?;
        }
        std::fs::write(&file.path, &file.text)?;
        render::line(&format!("wrote {}", file.path.display()))?;
    }
    Ok(())
}
