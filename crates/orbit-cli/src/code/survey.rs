//! Every file with what makes it worth knowing about.

use orbit_knowledge::Survey;
use std::path::Path;

pub(super) fn survey(_root: &Path) -> Result<Survey, String> {
    Err("not surveyed".into())
}
