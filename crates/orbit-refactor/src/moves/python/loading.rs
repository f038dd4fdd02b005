//! Loads files as Python would, without running them: whether every name is there when it is needed.
//!
//! A circle of imports is not an error in itself. It is one when a file takes a name from another one that has not got so
//! far yet, and that depends on which file is loaded first; so each file of a circle is tried as the first one.

use super::World;
use crate::error::RefactorError;
use crate::plan::FileChange;
use orbit_extract::{Load, LoadStep, When};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// A name that is not there when it is needed.
#[derive(Clone, Debug)]
pub(super) struct Trouble {
    pub(super) file: String,
    pub(super) what: String,
    pub(super) line: u32,
    /// The imports that led there, the last one is the innermost: in which file, and what it takes.
    pub(super) stack: Vec<(String, Load)>,
}

/// Most files that are tried as the first one.
const MOST: usize = 300;

/// Files after a change.
type Changed = BTreeMap<String, Rc<Vec<LoadStep>>>;

/// The first name that would be missing after a change and is not missing now.
pub(super) fn trouble(world: &World<'_>, files: &[FileChange]) -> Result<Option<Trouble>, RefactorError> {
    let mut changed = Changed::new();
    for file in files {
        let text = String::from_utf8_lossy(file.after.as_deref().unwrap_or_default()).into_owned();
        changed.insert(file.path.clone(), Rc::new(super::steps_of(&file.path, &text)?));
    }
    // Other names are the language's own, or come with all names of a module.
    let mut bound: BTreeSet<String> = BTreeSet::new();
    for (path, steps) in &changed {
        let before = world.steps(path).unwrap_or_default();
        bound.extend(
            steps.iter().chain(before.iter()).filter_map(|step| step.load.bound()).map(str::to_owned),
        );
    }
    for first in firsts(world, &changed)? {
        let after = Run::of(world, &changed, &first)?;
        if after.is_empty() {
            continue;
        }
        let before = Run::of(world, &Changed::new(), &first)?;
        let key = |trouble: &Trouble| (trouble.file.clone(), trouble.what.clone());
        let known: BTreeSet<_> = before.iter().map(key).collect();
        let is_new = |trouble: &Trouble| {
            !known.contains(&key(trouble)) && (trouble.what.contains('.') || bound.contains(&trouble.what))
        };
        if let Some(found) = after.into_iter().find(is_new) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The files that change, and all that are in a circle with one of them.
fn firsts(world: &World<'_>, changed: &Changed) -> Result<Vec<String>, RefactorError> {
    let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut seen: BTreeSet<String> = changed.keys().cloned().collect();
    let mut open: Vec<String> = seen.iter().cloned().collect();
    while let Some(file) = open.pop() {
        let steps = steps(world, changed, &file)?;
        let mut next: BTreeSet<String> =
            steps.iter().flat_map(|step| world.leads(&file, &step.load)).collect();
        next.extend(world.packages(&file));
        for other in next {
            users.entry(other.clone()).or_default().insert(file.clone());
            if seen.insert(other.clone()) {
                open.push(other);
            }
        }
    }
    let mut found: BTreeSet<String> = changed.keys().cloned().collect();
    let mut open: Vec<String> = found.iter().cloned().collect();
    while let Some(file) = open.pop() {
        for user in users.get(&file).into_iter().flatten() {
            if found.len() < MOST && found.insert(user.clone()) {
                open.push(user.clone());
            }
        }
    }
    Ok(found.into_iter().collect())
}

fn steps(world: &World<'_>, changed: &Changed, file: &str) -> Result<Rc<Vec<LoadStep>>, RefactorError> {
    match changed.get(file) {
        Some(steps) => Ok(Rc::clone(steps)),
        None => world.steps(file),
    }
}

/// One process that loads one file first.
struct Run<'r> {
    world: &'r World<'r>,
    changed: &'r Changed,
    /// By file: the names that have a value so far.
    bound: BTreeMap<String, BTreeSet<String>>,
    /// By file and name: the file of the module that the name stands for.
    modules: BTreeMap<(String, String), String>,
    /// Files that have begun to load and are not done.
    open: BTreeSet<String>,
    stack: Vec<(String, Load)>,
    found: Vec<Trouble>,
}

impl Run<'_> {
    fn of(world: &World<'_>, changed: &Changed, first: &str) -> Result<Vec<Trouble>, RefactorError> {
        let (bound, stack, found) = (BTreeMap::new(), Vec::new(), Vec::new());
        let (modules, open) = (BTreeMap::new(), BTreeSet::new());
        let mut run = Run { world, changed, bound, modules, open, stack, found };
        for package in world.packages(first) {
            run.file(&package)?;
        }
        run.file(first)?;
        Ok(run.found)
    }

    fn file(&mut self, path: &str) -> Result<(), RefactorError> {
        if self.bound.contains_key(path) {
            return Ok(());
        }
        self.bound.insert(path.to_owned(), BTreeSet::new());
        self.open.insert(path.to_owned());
        for step in steps(self.world, self.changed, path)?.iter() {
            self.step(path, step)?;
        }
        self.open.remove(path);
        Ok(())
    }

    fn module(&mut self, module: &str) -> Result<(), RefactorError> {
        let ends = module.match_indices('.').map(|(at, _)| at).chain([module.len()]);
        let mut outer: Option<String> = None;
        for end in ends.collect::<Vec<_>>() {
            let Some(path) = self.world.file_of(&module[..end]) else {
                outer = None;
                continue;
            };
            self.file(&path)?;
            if let Some(outer) = outer.and_then(|outer| self.bound.get_mut(&outer)) {
                outer.extend(module[..end].rsplit('.').next().map(str::to_owned));
            }
            outer = Some(path);
        }
        Ok(())
    }

    fn step(&mut self, file: &str, step: &LoadStep) -> Result<(), RefactorError> {
        if step.when == When::Typing {
            return Ok(());
        }
        match &step.load {
            Load::Bind(_) => {}
            Load::Use(name) => {
                if !self.has(file, name) {
                    self.missing(file, step, name.clone());
                }
                // A module that is not done may lack what is asked of it.
                let module = self.modules.get(&(file.to_owned(), name.clone()));
                if let Some(module) = module.filter(|module| *module != file && self.open.contains(*module)) {
                    let what = format!("{}.*", self.world.module_of(module));
                    self.missing(file, step, what);
                }
                return Ok(());
            }
            Load::Module { module, .. } => {
                self.stack.push((file.to_owned(), step.load.clone()));
                self.module(&self.world.absolute(file, module))?;
                self.stack.pop();
            }
            Load::Name { module, name, .. } => {
                self.stack.push((file.to_owned(), step.load.clone()));
                self.name(file, step, module, name)?;
                self.stack.pop();
            }
        }
        self.stands_for(file, &step.load);
        if let Some(own) = self.bound.get_mut(file) {
            own.extend(step.load.bound().map(str::to_owned));
        }
        Ok(())
    }

    /// Remembers the module that an import gives a name to.
    fn stands_for(&mut self, file: &str, load: &Load) {
        let module = match load {
            Load::Module { module, bound } if module == bound || !module.starts_with(bound.as_str()) => {
                module.clone()
            }
            Load::Name { module, name, .. } => format!("{}.{name}", self.world.absolute(file, module)),
            _ => return,
        };
        let key = (file.to_owned(), load.bound().unwrap_or_default().to_owned());
        match self.world.file_of(&module) {
            Some(path) => drop(self.modules.insert(key, path)),
            None => drop(self.modules.remove(&key)),
        }
    }

    fn name(&mut self, file: &str, step: &LoadStep, module: &str, name: &str) -> Result<(), RefactorError> {
        let module = self.world.absolute(file, module);
        self.module(&module)?;
        let inner = format!("{module}.{name}");
        let Some(path) = self.world.file_of(&module) else { return self.module(&inner) };
        if name == "*" {
            let all = self.bound.get(&path).cloned().unwrap_or_default();
            self.bound.entry(file.to_owned()).or_default().extend(all);
        } else if !self.has(&path, name) {
            if self.world.file_of(&inner).is_some() {
                return self.module(&inner);
            }
            self.missing(file, step, inner);
        }
        Ok(())
    }

    fn has(&self, file: &str, name: &str) -> bool {
        self.bound.get(file).is_some_and(|own| own.contains(name))
    }

    fn missing(&mut self, file: &str, step: &LoadStep, what: String) {
        if step.when == When::Always {
            let (file, stack) = (file.to_owned(), self.stack.clone());
            self.found.push(Trouble { file, what, line: step.line, stack });
        }
    }
}
