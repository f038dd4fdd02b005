//! `orbit graph version`

use crate::failure::Failure;
use crate::render;
use serde::Serialize;

#[derive(Serialize)]
struct Version {
    crate_version: &'static str,
    extractor_version: u32,
}

pub(super) fn run(json: bool) -> Result<(), Failure> {
    let version = Version {
        crate_version: env!("CARGO_PKG_VERSION"),
        extractor_version: orbit_graph::EXTRACTOR_VERSION,
    };
    if json {
        return render::json(&version);
    }
    render::line(&format!("orbit {} (extractor {})", version.crate_version, version.extractor_version))
}
