//! The Python files of a worktree, and which module each of them is.

use crate::error::{RefactorError, Refusal};
use crate::moves::Subject;
use crate::worktree::Worktree;
use orbit_extract::{Family, Load, LoadStep, load_steps};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// All Python files; each is read when it is asked for.
pub(super) struct World<'w> {
    worktree: &'w Worktree,
    by_module: BTreeMap<String, String>,
    by_file: BTreeMap<String, String>,
    steps: RefCell<BTreeMap<String, Rc<Vec<LoadStep>>>>,
}

impl<'w> World<'w> {
    pub(super) fn of(subject: &Subject<'_>, worktree: &'w Worktree) -> Result<World<'w>, RefactorError> {
        // Stubs are not loaded.
        let is_source = |path: &str| path.strip_suffix(".py").is_some();
        let files = subject.facts.files()?.into_iter().filter(|file| file.lang.family() == Family::Python);
        let mut by_file: BTreeMap<String, String> =
            files.filter(|file| is_source(&file.path)).map(|file| (file.path, file.module)).collect();
        if !by_file.contains_key(&subject.target) {
            by_file
                .extend(new_module(&by_file, &subject.target).map(|module| (subject.target.clone(), module)));
        }
        let by_module = by_file.iter().map(|(path, module)| (module.clone(), path.clone())).collect();
        Ok(World { worktree, by_module, by_file, steps: RefCell::default() })
    }

    pub(super) fn files(&self) -> impl Iterator<Item = &str> {
        self.by_file.keys().map(String::as_str)
    }

    /// The text of a file; nothing for one that is not there yet.
    pub(super) fn text(&self, path: &str) -> Result<String, RefactorError> {
        if self.worktree.read(path)?.is_none() && self.by_file.contains_key(path) {
            return Ok(String::new());
        }
        self.worktree.read_text(path)
    }

    /// What a file does while it is loaded.
    pub(super) fn steps(&self, path: &str) -> Result<Rc<Vec<LoadStep>>, RefactorError> {
        if let Some(known) = self.steps.borrow().get(path) {
            return Ok(Rc::clone(known));
        }
        let found = Rc::new(steps_of(path, &self.text(path)?)?);
        self.steps.borrow_mut().insert(path.to_owned(), Rc::clone(&found));
        Ok(found)
    }

    pub(super) fn file_of(&self, module: &str) -> Option<String> {
        self.by_module.get(module).cloned()
    }

    pub(super) fn module_of(&self, path: &str) -> &str {
        self.by_file.get(path).map_or("", String::as_str)
    }

    /// The full name of a module as a file writes it.
    pub(super) fn absolute(&self, from: &str, module: &str) -> String {
        let name = module.trim_start_matches('.');
        let dots = module.len() - name.len();
        if dots == 0 {
            return self.beside(from, name).unwrap_or_else(|| name.to_owned());
        }
        let mut base = self.module_of(from);
        let up =
            if from.ends_with("__init__.py") || from.ends_with("__init__.pyi") { dots - 1 } else { dots };
        for _ in 0..up {
            base = base.rsplit_once('.').map_or("", |(outer, _)| outer);
        }
        match (base, name) {
            ("", name) => name.to_owned(),
            (base, "") => base.to_owned(),
            (base, name) => format!("{base}.{name}"),
        }
    }

    /// A module that is found beside a file because programs and tests are run from there: `import other` in a directory
    /// that the index takes for a package.
    fn beside(&self, from: &str, name: &str) -> Option<String> {
        let (first, rest) = name.split_once('.').map_or((name, ""), |(first, rest)| (first, rest));
        if self.by_module.contains_key(first) {
            return None;
        }
        let dir = from.rsplit_once('/').map_or(String::new(), |(dir, _)| format!("{dir}/"));
        let files = [format!("{dir}{first}.py"), format!("{dir}{first}/__init__.py")];
        let module = files.iter().find_map(|file| self.by_file.get(file))?;
        Some(if rest.is_empty() { module.clone() } else { format!("{module}.{rest}") })
    }

    /// The files of the packages that a file is in, the outermost first.
    pub(super) fn packages(&self, path: &str) -> Vec<String> {
        let module = self.module_of(path);
        let outer = module.match_indices('.').filter_map(|(at, _)| self.file_of(&module[..at]));
        outer.filter(|package| package != path).collect()
    }

    /// The files that an import may load.
    pub(super) fn leads(&self, from: &str, load: &Load) -> Vec<String> {
        let modules = match load {
            Load::Module { module, .. } => vec![self.absolute(from, module)],
            Load::Name { module, name, .. } => {
                let module = self.absolute(from, module);
                vec![format!("{module}.{name}"), module]
            }
            Load::Bind(_) | Load::Use(_) => Vec::new(),
        };
        let files = modules.iter().filter_map(|module| self.file_of(module)).collect::<Vec<_>>();
        let packages = files.iter().flat_map(|file| self.packages(file)).collect::<Vec<_>>();
        files.into_iter().chain(packages).collect()
    }

    /// Whether a directory without `__init__.py` is a package all the same: somebody imports from it by dotted names, or
    /// relatively.
    fn is_namespace(&self, dir: &str) -> Result<bool, RefactorError> {
        let is_in = |file: &str| file.rsplit_once('/').map_or("", |(dir, _)| dir) == dir;
        for file in self.files().map(str::to_owned).collect::<Vec<_>>() {
            for step in self.steps(&file)?.iter() {
                let (Load::Module { module, .. } | Load::Name { module, .. }) = &step.load else { continue };
                let is_dotted = module.contains('.') && module != ".";
                let leads = || self.file_of(&self.absolute(&file, module)).is_some_and(|to| is_in(&to));
                if is_dotted && leads() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// How one file names the module of another in an import.
    pub(super) fn module_for(&self, from: &str, to: &str) -> Result<String, RefactorError> {
        let split = |path: &str| {
            path.rsplit_once('/')
                .map_or((String::new(), path.to_owned()), |(dir, file)| (dir.to_owned(), file.to_owned()))
        };
        let ((from_dir, _), (to_dir, to_file)) = (split(from), split(to));
        let has_package =
            self.worktree.root.join(&to_dir).join("__init__.py").exists() || self.is_namespace(&to_dir)?;
        let stem = to_file.trim_end_matches(".py");
        if from_dir == to_dir {
            return Ok(match (has_package, stem) {
                (true, "__init__") => ".".to_owned(),
                (true, stem) => format!(".{stem}"),
                (false, stem) => stem.to_owned(),
            });
        }
        let module = self.module_of(to);
        if module.is_empty() || !has_package {
            let message = format!("{from} has no way to import {to}");
            return Err(Refusal::new("unsupported", message).into());
        }
        Ok(module.to_owned())
    }
}

/// The module that a new file is, going by those beside it.
fn new_module(by_file: &BTreeMap<String, String>, path: &str) -> Option<String> {
    let (dir, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.strip_suffix(".py")?;
    let is_beside = |file: &str| file.rsplit_once('/').map_or("", |(dir, _)| dir) == dir;
    let (file, module) = by_file.iter().find(|(file, _)| is_beside(file))?;
    let package = if file.ends_with("__init__.py") {
        module.as_str()
    } else {
        module.rsplit_once('.').map_or("", |(package, _)| package)
    };
    Some(if package.is_empty() { stem.to_owned() } else { format!("{package}.{stem}") })
}

/// What a text does while it is loaded.
pub(super) fn steps_of(path: &str, text: &str) -> Result<Vec<LoadStep>, RefactorError> {
    load_steps(text, false)
        .map_err(|error| Refusal::new("unreadable", format!("{path}: {}", error.as_str())).into())
}
