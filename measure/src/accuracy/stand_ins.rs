//! Where a compiler names what stands for a definition, and the index the definition itself.
//!
//! None of these is read off the index's own answer alone: each needs something that the truth says of the other place, or
//! an import that stands there.

use super::predictions::{Edge, Predictions};
use super::truth::{Scope, Site, Truth};
use std::collections::HashMap;

/// What the truth names instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum StandIn {
    /// `f` of `module.exports = { f }`, which the truth itself leads on to the definition.
    Property,
    /// The local that `const { f } = require('./x')` binds.
    Binding,
    /// The declaration of the same name in a declaration file; the index names the script that runs.
    Declaration,
}

impl StandIn {
    pub(super) fn what(self) -> &'static str {
        match self {
            StandIn::Property => "a shorthand property",
            StandIn::Binding => "a local that an import binds",
            StandIn::Declaration => "a declaration file",
        }
    }
}

type Place<'p> = (&'p str, u32, &'p str);

/// Targets of the index's imports by the place of the name that they bind.
pub(super) struct Imports<'p>(HashMap<Place<'p>, Vec<(&'p str, u32)>>);

impl<'p> Imports<'p> {
    pub(super) fn of(found: &'p Predictions) -> Imports<'p> {
        let mut imports: HashMap<Place<'p>, Vec<(&str, u32)>> = HashMap::new();
        for edge in found.edges.iter().filter(|edge| edge.kind == "import") {
            let place = (edge.file.as_str(), edge.line, edge.name.as_str());
            imports.entry(place).or_default().extend(edge.target());
        }
        Imports(imports)
    }

    /// What the truth names in the place of an edge's target, if it is that.
    pub(super) fn stand_in(&self, truth: &Truth, edge: &Edge, sites: &[&Site]) -> Option<StandIn> {
        let (file, line) = edge.target()?;
        sites.iter().find_map(|site| match &site.scope {
            Scope::Local(local, lines) => {
                let binds = |at: &u32| {
                    let targets = self.0.get(&(local.as_str(), *at, edge.name.as_str()));
                    targets.is_some_and(|targets| targets.contains(&(file, line)))
                };
                lines.iter().any(binds).then_some(StandIn::Binding)
            }
            Scope::Inside => site.ids.iter().find_map(|id| of_definition(truth, *id, file, line)),
            _ => None,
        })
    }
}

fn of_definition(truth: &Truth, id: u32, file: &str, line: u32) -> Option<StandIn> {
    truth.definitions.get(&id)?.iter().find_map(|definition| {
        let there = truth.sites.get(&(definition.file.clone(), definition.line)).into_iter().flatten();
        let leads_on =
            there.filter(|site| site.name == definition.name && !site.ids.contains(&id)).any(|site| {
                site.scope == Scope::Inside && site.ids.iter().any(|next| truth.is_target(*next, file, line))
            });
        let is_declared = is_declaration(&definition.file) && is_script(file);
        match (leads_on, is_declared) {
            (true, _) => Some(StandIn::Property),
            (_, true) => Some(StandIn::Declaration),
            _ => None,
        }
    })
}

fn is_declaration(file: &str) -> bool {
    [".d.ts", ".d.mts", ".d.cts"].iter().any(|end| file.ends_with(end))
}

fn is_script(file: &str) -> bool {
    [".js", ".mjs", ".cjs", ".jsx"].iter().any(|end| file.ends_with(end))
}
