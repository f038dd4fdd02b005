//! Keyword arguments of Python.

use super::Verdict;
use crate::sites::{Scene, Site};

/// Functions that Python has without an import and that take keywords.
const BUILT_IN_CALLS: &str = "bytearray bytes complex compile dict enumerate exec int max min open pow print property round \
     sorted str sum type zip __import__";

/// `call(name=…)` in Python: an attribute only where a class makes its constructor from its attributes.
pub(super) fn verdict(scene: &Scene, site: &Site<'_>) -> Verdict {
    let Some(called) = site.spelling.qualifier else {
        return Verdict::Doubt("nobody knows what is called with this keyword".into());
    };
    let rows = || site.file.rows.get(&called.start).into_iter().flatten();
    if let Some(class) = rows().filter_map(|row| row.target).find(|target| scene.is_heir(*target)) {
        return match scene.is_constructed(class) {
            Some(true) => Verdict::Keep, // a parameter of `__init__`
            Some(false) => Verdict::Doubt("a class above may have an `__init__` that takes it".into()),
            None => Verdict::Change(Some("the constructor of its class takes it")),
        };
    }
    // `replace(item, name=…)` and `item._replace(name=…)` take the attributes of whatever they are given.
    let copies = ["replace", "_replace", "evolve", "copy", "model_copy", "make_dataclass"];
    let name = site.file.text_of(called);
    let is_builtin = rows().next().is_none() && crate::rules::lists(BUILT_IN_CALLS, name);
    let is_settled = is_builtin || rows().any(|row| row.target.is_some() || row.external);
    if is_settled && !copies.contains(&name) {
        return Verdict::Keep;
    }
    Verdict::Doubt("nobody knows what is called with this keyword".into())
}
