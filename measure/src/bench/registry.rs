//! Sources that every machine has that built this workspace: crates from cargo's registry.

use crate::scratch::Source;
use serde::Deserialize;
use std::path::PathBuf;
use xtask::failure::{Context, Failure, fail};
use xtask::project::{self, output};

/// Dependencies of the workspace that are large enough to measure.
const CRATES: [&str; 3] = ["clap_builder", "rayon", "regex-automata"];

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
}

/// The sources of [`CRATES`], where cargo has put them.
pub(super) fn sources() -> Result<Vec<Source>, Failure> {
    let mut command = project::cargo();
    command.args(["metadata", "--format-version", "1", "--offline", "--manifest-path"]);
    let text = output(command.arg(project::root().join("Cargo.toml")))?;
    let metadata: Metadata = serde_json::from_str(&text).context("cargo metadata")?;
    let mut sources = Vec::new();
    for name in CRATES {
        let package = metadata.packages.iter().find(|package| package.name == name);
        let dir = package.and_then(|package| package.manifest_path.parent());
        sources.push(Source::at(dir.ok_or_else(|| fail(format!("{name} is not a dependency any more")))?)?);
    }
    Ok(sources)
}
