//! What a compiler knows of a repository, arranged for questions: who uses what, and inside of what.

mod owners;

use super::bindings::{is_binding, open_lines};
use crate::accuracy::truth::{Definition, Scope, Truth};
use crate::bench::said::Said;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

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
    /// Places where the name of a function or variable is written and the compiler says nothing: text, or a use of what it does not see.
    silent: HashMap<String, BTreeSet<Place>>,
    /// Definitions that the compiler's tool takes for one although they stand in different things.
    merged: HashSet<u32>,
    /// Classes that name another one where they are defined.
    heirs: HashMap<u32, BTreeSet<u32>>,
    /// The definitions of a file, with the lines they span.
    spans: HashMap<String, Vec<(u32, u32, u32)>>,
    /// The modules that are written inside of a file, likewise, with their names.
    modules: HashMap<String, Vec<(u32, u32, String)>>,
}

impl Known {
    /// Arranges a truth; `root` holds the files.
    pub(super) fn of(truth: Truth, root: &Path) -> Known {
        let mut known = Known {
            meant: HashMap::new(),
            accepted: HashMap::new(),
            unjudged: HashMap::new(),
            silent: HashMap::new(),
            merged: HashSet::new(),
            heirs: HashMap::new(),
            spans: HashMap::new(),
            modules: HashMap::new(),
            truth: Truth::default(),
        };
        for ((file, line, _, _), (ids, _)) in &truth.refs {
            for (number, id) in ids.iter().enumerate() {
                let uses = if number == 0 { &mut known.meant } else { &mut known.accepted };
                uses.entry(*id).or_default().insert((file.clone(), *line));
            }
        }
        // The order does not matter: places end up in sets.
        truth.sites.iter().for_each(|(place, sites)| {
            for site in sites.iter().filter(|site| site.scope == Scope::Unknown) {
                known.unjudged.entry(site.name.clone()).or_default().insert(place.clone());
            }
        });
        for definition in truth.definitions.values().flatten().filter(|one| one.kind == "module") {
            let module = (definition.first_line, definition.last_line, definition.name.clone());
            known.modules.entry(definition.file.clone()).or_default().push(module);
        }
        for (id, definitions) in &truth.definitions {
            for definition in definitions.iter().filter(|definition| is_place(definition)) {
                let span = (definition.first_line, definition.last_line, *id);
                known.spans.entry(definition.file.clone()).or_default().push(span);
            }
        }
        known.truth = truth;
        known.widen_variables(root);
        known.leave_out_bindings(root);
        known.listen(root);
        known.find_merged();
        known.find_heirs();
        known
    }

    /// The tool for Python gives a variable the line of its name: what a list of several lines names stands in it, too.
    fn widen_variables(&mut self, root: &Path) {
        if self.truth.language != "python" {
            return;
        }
        let definitions = &self.truth.definitions;
        // The order does not matter: every file is looked at by itself.
        self.spans.iter_mut().for_each(|(file, spans)| {
            let text = std::fs::read_to_string(root.join(file)).unwrap_or_default();
            let lines: Vec<&str> = text.lines().collect();
            for (first, last, id) in spans {
                let mut all = definitions.get(id).into_iter().flatten();
                let is_variable = all.any(|one| matches!(one.class.as_str(), "const" | "field"));
                if is_variable && first == last {
                    *last += open_lines(&lines, *first as usize - 1);
                }
            }
        });
    }

    /// What binds a name of Python anew in the file of its first definition is not a use of that.
    fn leave_out_bindings(&mut self, root: &Path) {
        if self.truth.language != "python" {
            return;
        }
        let mut texts: HashMap<String, String> = HashMap::new();
        for (id, all) in &self.truth.definitions {
            let Some(places) = self.meant.get_mut(id) else { continue };
            let files: BTreeSet<&str> = all.iter().map(|one| one.file.as_str()).collect();
            let own: Vec<Place> =
                places.iter().filter(|place| files.contains(place.0.as_str())).cloned().collect();
            for place in own {
                let sites = self.truth.sites.get(&place).into_iter().flatten();
                let mut sites = sites.filter(|site| site.ids.contains(id)).peekable();
                let text = texts.entry(place.0.clone());
                let text =
                    text.or_insert_with(|| std::fs::read_to_string(root.join(&place.0)).unwrap_or_default());
                let Some(line) = text.lines().nth(place.1 as usize - 1) else { continue };
                if sites.peek().is_some() && sites.all(|site| is_binding(line, site.column, &site.name)) {
                    places.remove(&place);
                    self.accepted.entry(*id).or_default().insert(place);
                }
            }
        }
    }

    /// Functions of one name inside of different functions of a class are one to some tools.
    fn find_merged(&mut self) {
        let owner = |id: u32, one: &Definition| {
            self.around(&(one.file.clone(), one.line)).into_iter().find(|round| *round != id)
        };
        let is_merged = |(id, all): &(&u32, &Vec<Definition>)| {
            let bodies = all.iter().filter(|one| one.kind != "prototype");
            bodies.map(|one| owner(**id, one)).collect::<BTreeSet<_>>().len() > 1
        };
        let several = self.truth.definitions.iter().filter(|(_, all)| all.len() > 1 && is_function(&all[0]));
        self.merged = several.filter(is_merged).map(|(id, _)| *id).collect();
    }

    fn find_heirs(&mut self) {
        let mut heirs: HashMap<u32, BTreeSet<u32>> = HashMap::new();
        for (id, all) in self.truth.definitions.iter().filter(|(_, all)| all[0].class == "type") {
            for one in all {
                let sites = self.truth.sites.get(&(one.file.clone(), one.line)).into_iter().flatten();
                for named in sites.flat_map(|site| &site.ids).filter(|named| *named != id) {
                    heirs.entry(*named).or_default().insert(*id);
                }
            }
        }
        self.heirs = heirs;
    }

    /// Whether a definition is one thing, so that questions can be put about it.
    pub(super) fn is_one(&self, id: u32) -> bool {
        !self.merged.contains(&id)
    }

    /// Whether the line of a definition means it alone.
    pub(super) fn is_alone(&self, id: u32) -> bool {
        let Some(main) = self.main_definition(id) else { return false };
        let spans = self.spans.get(&main.file).into_iter().flatten().map(|(_, _, other)| *other);
        let mut others =
            spans.filter(|other| *other != id).filter_map(|other| self.truth.definitions.get(&other));
        !others.any(|all| all.iter().any(|one| one.file == main.file && one.line == main.line))
    }

    /// The class of a constructor with all that inherit from it: who makes one of them may call the constructor.
    fn made_by(&self, id: u32) -> BTreeSet<u32> {
        let Some(definition) = self.main_definition(id) else { return BTreeSet::new() };
        if definition.kind != "constructor" && definition.name != "__init__" {
            return BTreeSet::new();
        }
        let is_type = |id: &u32| self.main_definition(*id).is_some_and(|one| one.class == "type");
        let owner = self.around(&(definition.file.clone(), definition.line)).into_iter().find(is_type);
        let (mut found, mut open) = (BTreeSet::new(), Vec::from_iter(owner));
        while let Some(class) = open.pop() {
            if found.insert(class) {
                open.extend(self.heirs.get(&class).into_iter().flatten());
            }
        }
        found
    }

    /// Whether a class that a constructor belongs to is named at a place, and the compiler could not judge it.
    pub(super) fn may_construct(&self, id: u32, place: &Place) -> bool {
        let classes = self.made_by(id).into_iter();
        let mut names = classes.filter_map(|class| self.main_definition(class)).map(|one| one.name.as_str());
        names.any(|name| self.unjudged.get(name).is_some_and(|places| places.contains(place)))
    }

    /// Finds the places of which the compiler says nothing.
    fn listen(&mut self, root: &Path) {
        let all = self.truth.definitions.values().flatten();
        let is_asked =
            |one: &&Definition| is_function(one) || matches!(one.class.as_str(), "const" | "field");
        let names: HashSet<&str> = all.filter(is_asked).map(|one| one.name.as_str()).collect();
        let mut silent: HashMap<String, BTreeSet<Place>> = HashMap::new();
        let files: BTreeSet<&String> = self.truth.files.iter().collect();
        for file in files {
            let text = std::fs::read(root.join(file)).unwrap_or_default();
            for (number, line) in String::from_utf8_lossy(&text).lines().enumerate() {
                let place = (file.clone(), number as u32 + 1);
                let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
                for word in words.filter(|word| names.contains(word)) {
                    let sites = self.truth.sites.get(&place).into_iter().flatten();
                    if sites.into_iter().all(|site| site.name != word) {
                        silent.entry(word.to_owned()).or_default().insert(place.clone());
                    }
                }
            }
        }
        self.silent = silent;
    }

    /// How far what breaks can be compared: the compiler of TypeScript lists no function inside of another, so that what
    /// uses one is a step nearer there.
    pub(super) fn break_depth(&self) -> usize {
        if matches!(self.truth.language.as_str(), "typescript" | "javascript") { 1 } else { 2 }
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

    /// The same, and of every use of the name in that line.
    pub(super) fn is_wholly_known(&self, place: &Place, name: &str) -> bool {
        let is_open = self.unjudged.get(name).is_some_and(|places| places.contains(place));
        !is_open && self.is_known(place, name)
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
        // What a macro writes may all have the extent of the macro: the last that is named before the place is meant.
        let behind_name = |id: u32| {
            let named = self.truth.definitions.get(&id).into_iter().flatten();
            let lines = named.filter(|definition| definition.file == place.0).map(|it| it.line);
            lines.filter_map(|line| place.1.checked_sub(line)).min().unwrap_or(u32::MAX)
        };
        let mut round: Vec<(u32, std::cmp::Reverse<u32>, u32, u32)> = spans
            .filter(|(first, last, _)| (first..=last).contains(&&place.1))
            .map(|(first, last, id)| (last - first, std::cmp::Reverse(*first), behind_name(*id), *id))
            .collect();
        round.sort();
        round.into_iter().map(|(.., id)| id).collect()
    }

    /// The function that an answer names: the one defined at that line, else the one round it; without a line the one that
    /// has the name in its file, or that a test of that title stands in.
    pub(super) fn function_said(&self, said: &Said) -> Option<u32> {
        let is_function = |id: &u32| self.main_definition(*id).is_some_and(is_function);
        let spans = self.spans.get(&said.file).into_iter().flatten().map(|(_, _, id)| *id);
        let functions: Vec<u32> = spans.filter(is_function).collect();
        let named = |name: &str| {
            let is_named = |id: &&u32| self.truth.names(&[**id]).contains(name);
            functions.iter().filter(is_named).copied().collect::<Vec<u32>>()
        };
        if said.name.is_empty() {
            return None; // a file
        }
        if let Some(line) = said.lines.first() {
            let mut here = named(last(&said.name)).into_iter();
            let round = || self.around(&(said.file.clone(), *line)).into_iter().find(is_function);
            return here.find(|id| self.truth.is_target(*id, &said.file, *line)).or_else(round);
        }
        let parts: Vec<&str> = said.name.split(['.', ':', '#']).filter(|part| !part.is_empty()).collect();
        let number = said.name.split_once('#').and_then(|(_, number)| number.parse().ok()).unwrap_or(1_usize);
        let ends = (1..=parts.len()).rev().map(|end| &parts[..end]);
        let mut found = ends.filter_map(|parts| self.of_owners(named(parts[parts.len() - 1]), parts, number));
        found.next()
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
                    for user in round.into_iter().filter(|user| !is_sure || self.is_one(*user)) {
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
            for class in self.made_by(id) {
                places.append(&mut self.uses(class));
            }
            let name = self.main_definition(id).map(|definition| definition.name.as_str());
            for open in [&self.unjudged, &self.silent] {
                places.extend(name.and_then(|name| open.get(name)).into_iter().flatten().cloned());
            }
        }
        places
    }
}

/// The last part of a name, without the number of an overload.
fn last(name: &str) -> &str {
    let name = name.split_once('#').map_or(name, |(name, _)| name);
    name.rsplit(['.', ':', '/']).next().unwrap_or(name)
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
