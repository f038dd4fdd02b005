//! What a compiler knows of a repository, arranged for questions: who uses what, and inside of what.

use crate::accuracy::truth::{Definition, Scope, Truth};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A file and a line of it, 1-based.
pub(super) type Place = (String, u32);

/// The truth, seen from definitions.
pub(super) struct Known {
    pub(super) truth: Truth,
    /// Uses that the compiler leads to a definition.
    meant: HashMap<u32, BTreeSet<Place>>,
    /// Uses where the definition would be right as well: a class beside its constructor, another overload.
    accepted: HashMap<u32, BTreeSet<Place>>,
    /// Places of a name that the compiler could not judge.
    unjudged: HashMap<String, BTreeSet<Place>>,
    /// The definitions of a file, with the lines they span.
    spans: HashMap<String, Vec<(u32, u32, u32)>>,
}

impl Known {
    pub(super) fn of(truth: Truth) -> Known {
        let mut known = Known {
            meant: HashMap::new(),
            accepted: HashMap::new(),
            unjudged: HashMap::new(),
            spans: HashMap::new(),
            truth: Truth::default(),
        };
        for ((file, line, _, _), (ids, _)) in &truth.refs {
            for (number, id) in ids.iter().enumerate() {
                let uses = if number == 0 { &mut known.meant } else { &mut known.accepted };
                uses.entry(*id).or_default().insert((file.clone(), *line));
            }
        }
        for (place, sites) in &truth.sites {
            for site in sites.iter().filter(|site| site.scope == Scope::Unknown) {
                known.unjudged.entry(site.name.clone()).or_default().insert(place.clone());
            }
        }
        for (id, definitions) in &truth.definitions {
            for definition in definitions.iter().filter(|definition| is_place(definition)) {
                let span = (definition.first_line, definition.last_line, *id);
                known.spans.entry(definition.file.clone()).or_default().push(span);
            }
        }
        known.truth = truth;
        known
    }

    /// The definition that questions are put at: not a mere declaration, where there is another.
    pub(super) fn main_definition(&self, id: u32) -> Option<&Definition> {
        let all = self.truth.definitions.get(&id)?;
        all.iter().find(|definition| definition.kind != "prototype").or(all.first())
    }

    pub(super) fn uses(&self, id: u32) -> BTreeSet<Place> {
        self.meant.get(&id).cloned().unwrap_or_default()
    }

    /// Whether a place may be a use without being one that has to be found.
    pub(super) fn is_accepted(&self, id: u32, place: &Place) -> bool {
        self.accepted.get(&id).is_some_and(|uses| uses.contains(place))
    }

    /// Whether the compiler knows every place where the name of a definition is used.
    pub(super) fn is_judged(&self, id: u32, name: &str) -> bool {
        !self.accepted.contains_key(&id) && !self.unjudged.contains_key(name)
    }

    /// Whether the compiler says of a place that the name there means something.
    pub(super) fn is_known(&self, place: &Place, name: &str) -> bool {
        let sites = self.truth.sites.get(place).into_iter().flatten();
        let is_used = sites.into_iter().any(|site| {
            let is_named = site.name == name || self.truth.names(&site.ids).contains(name);
            is_named && site.scope != Scope::Unknown
        });
        is_used || self.defines(place, name)
    }

    /// Whether something of the name is defined at a place.
    fn defines(&self, place: &Place, name: &str) -> bool {
        let (file, line) = place;
        let spans = self
            .spans
            .get(file)
            .into_iter()
            .flatten()
            .filter(|(first, last, _)| first <= line && line <= last);
        let mut all = spans.flat_map(|(_, _, id)| self.truth.definitions.get(id).into_iter().flatten());
        all.any(|definition| definition.line == *line && definition.file == *file && definition.name == name)
    }

    /// The definitions round a place, the innermost first.
    fn around(&self, place: &Place) -> Vec<u32> {
        let spans = self.spans.get(&place.0).into_iter().flatten();
        let mut round: Vec<(u32, std::cmp::Reverse<u32>, u32)> = spans
            .filter(|(first, last, _)| (first..=last).contains(&&place.1))
            .map(|(first, last, id)| (last - first, std::cmp::Reverse(*first), *id))
            .collect();
        round.sort();
        round.into_iter().map(|(_, _, id)| id).collect()
    }

    /// The definition whose name stands at a line, or that begins there; functions first.
    pub(super) fn function_at(&self, file: &str, line: u32, name: &str) -> Option<u32> {
        let spans = self.spans.get(file).into_iter().flatten();
        let ids = spans.map(|(_, _, id)| *id).filter(|id| self.truth.is_target(*id, file, line));
        let named = ids.filter(|id| self.truth.names(&[*id]).contains(name));
        named.into_iter().find(|id| self.main_definition(*id).is_some_and(is_function))
    }

    /// What uses a definition, and what uses that, by distance. Only the innermost definition round a use counts.
    pub(super) fn surely_reached(&self, start: u32, depth: usize) -> BTreeMap<u32, usize> {
        self.walk(start, depth, true)
    }

    /// The same with every definition round a use, and with places that the compiler could not judge.
    pub(super) fn perhaps_reached(&self, start: u32, depth: usize) -> BTreeMap<u32, usize> {
        self.walk(start, depth, false)
    }

    fn walk(&self, start: u32, depth: usize, is_sure: bool) -> BTreeMap<u32, usize> {
        let mut found = BTreeMap::from([(start, 0)]);
        let mut frontier = vec![start];
        for distance in 1..=depth {
            let mut next = Vec::new();
            for id in frontier {
                for place in self.steps(id, is_sure) {
                    let mut round = self.around(&place);
                    if is_sure {
                        round.truncate(1);
                    }
                    for user in round {
                        found.entry(user).or_insert_with(|| {
                            next.push(user);
                            distance
                        });
                    }
                }
            }
            frontier = next;
        }
        found.remove(&start);
        found
    }

    fn steps(&self, id: u32, is_sure: bool) -> BTreeSet<Place> {
        let mut places = self.uses(id);
        if !is_sure {
            places.extend(self.accepted.get(&id).into_iter().flatten().cloned());
            let name = self.main_definition(id).map(|definition| definition.name.as_str());
            let open = name.and_then(|name| self.unjudged.get(name));
            places.extend(open.into_iter().flatten().cloned());
        }
        places
    }
}

/// Something that code stands in.
fn is_place(definition: &Definition) -> bool {
    !matches!(definition.class.as_str(), "module" | "param" | "typeparam" | "other")
}

/// Functions, methods and constructors, also those inside of others.
pub(super) fn is_function(definition: &Definition) -> bool {
    matches!(definition.kind.as_str(), "function" | "method" | "constructor" | "arrow_function")
        && !definition.is_generated
}
