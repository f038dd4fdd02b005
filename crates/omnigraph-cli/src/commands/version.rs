//! `omnigraph version`

use crate::failure::Failure;
use crate::render;
use crate::session::Session;
use serde_json::json;

pub(super) fn run(session: &Session) -> Result<(), Failure> {
    let version = env!("CARGO_PKG_VERSION");
    if session.json {
        return render::json(&json!({ "version": version, "format": omnigraph_store::FORMAT }));
    }
    render::line(&format!("omnigraph {version}"))
}
