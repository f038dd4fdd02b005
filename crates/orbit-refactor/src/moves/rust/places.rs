//! The modules that a move is about, and who sees them.

use super::lists::attributes;
use super::refuse;
use crate::edit::Edit;
use crate::error::RefactorError;
use crate::moves::Subject;
use crate::moves::statement::line_start;
use crate::worktree::Worktree;
use orbit_graph::{SymbolFacts, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};

/// The modules that a move is about.
pub(super) struct Places {
    pub(super) old: String,
    pub(super) new: String,
    pub(super) modules: BTreeMap<String, String>,
    /// Modules that are not `pub`.
    pub(super) private: BTreeSet<String>,
    /// What makes the target a module, where it is none yet.
    pub(super) declared_by: Option<Declaration>,
}

/// `mod name;` for a new file.
pub(super) struct Declaration {
    /// The file that declares it.
    pub(super) file: String,
    pub(super) edit: Edit,
    module: String,
}

impl Places {
    pub(super) fn of(subject: &Subject<'_>, worktree: &Worktree) -> Result<Places, RefactorError> {
        let modules: BTreeMap<String, String> =
            subject.facts.files()?.into_iter().map(|file| (file.path, file.module)).collect();
        let old = modules.get(&subject.symbol.path).cloned().unwrap_or_default();
        let mut modules = modules;
        let declared_by = match modules.get(&subject.target) {
            Some(_) => None,
            None => Some(declaration(subject, worktree, &modules, &old)?),
        };
        if let Some(declared) = &declared_by {
            modules.insert(subject.target.clone(), declared.module.clone());
        }
        let new = modules.get(&subject.target).cloned().unwrap_or_default();
        let first = |module: &str| module.split("::").next().unwrap_or("").to_owned();
        if old.is_empty() || new.is_empty() || first(&old) != first(&new) {
            return Err(refuse("unsupported", "a definition can be moved inside of its crate only"));
        }
        let is_program = |path: &str| {
            ["examples/", "tests/", "benches/"]
                .iter()
                .any(|dir| path.starts_with(dir) || path.contains(&format!("/{dir}")))
                || path.ends_with("build.rs")
        };
        if is_program(&subject.symbol.path)
            || is_program(&subject.target)
            || modules.values().filter(|module| **module == new).count() > 1
        {
            return Err(refuse("unsupported", "programs of one file cannot share definitions"));
        }
        check_shared(subject, worktree, &modules)?;
        super::crates::check(subject, worktree, &modules, &first(&new))?;
        let declared = subject.facts.of_kind(SymbolKind::Module)?;
        let is_declared = declared_by.is_some()
            || !new.contains("::")
            || declared.iter().any(|module| module.qualified == new);
        if !is_declared {
            return Err(refuse("unsupported", format!("{} is not a module of the crate", subject.target)));
        }
        check_conditions(subject, worktree, &declared, (&old, &new))?;
        let private =
            declared.into_iter().filter(|module| !module.exported).map(|module| module.qualified).collect();
        Ok(Places { old, new, modules, private, declared_by })
    }

    pub(super) fn module(&self, path: &str) -> &str {
        self.modules.get(path).map_or("", String::as_str)
    }

    /// A module as it is written from a file: `crate::…`, or the name of the crate from another one.
    pub(super) fn written(&self, from: &str, module: &str) -> String {
        let first = |module: &str| module.split("::").next().unwrap_or("").to_owned();
        match module.split_once("::") {
            _ if first(self.module(from)) != first(module) => module.to_owned(),
            Some((_, rest)) => format!("crate::{rest}"),
            None => "crate".to_owned(),
        }
    }

    pub(super) fn path_from(&self, from: &str, subject: &Subject<'_>) -> Result<String, RefactorError> {
        self.sees(subject, from)?;
        Ok(self.written(from, &self.new))
    }

    /// Every module on the way to the target can be named from a file.
    pub(super) fn sees(&self, subject: &Subject<'_>, from: &str) -> Result<(), RefactorError> {
        match self.hidden(from, &self.new) {
            None => Ok(()),
            Some(module) => Err(refuse(
                "not_visible",
                format!("{from} cannot see module {module}, where `{}` would be", subject.name()),
            )),
        }
    }

    /// A path of the crate can be named from a file, as far as the modules on the way are concerned.
    pub(super) fn names(&self, from: &str, path: &str) -> Result<(), RefactorError> {
        let Some(inner) = path.strip_prefix("crate::") else { return Ok(()) };
        let name = self.new.split("::").next().unwrap_or("");
        let whole = format!("{name}::{inner}");
        let module = whole.rsplit_once("::").map_or(whole.as_str(), |(outer, _)| outer);
        match self.hidden(from, module) {
            None => Ok(()),
            Some(module) => {
                Err(refuse("not_visible", format!("{from} cannot see module {module}, which it would need")))
            }
        }
    }

    /// The first private module on the way to a module that a file cannot name.
    fn hidden<'m>(&self, from: &str, module: &'m str) -> Option<&'m str> {
        let user = self.module(from);
        let is_same_crate = user.split("::").next() == self.new.split("::").next();
        let mut module = module;
        while let Some((outer, _)) = module.rsplit_once("::") {
            let below =
                user.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
            if self.private.contains(module) && !(is_same_crate && below) {
                return Some(module);
            }
            module = outer;
        }
        None
    }
}

/// How a new file becomes a module of the crate: the file of the module round it declares it.
fn declaration(
    subject: &Subject<'_>,
    worktree: &Worktree,
    modules: &BTreeMap<String, String>,
    old: &str,
) -> Result<Declaration, RefactorError> {
    let unknown =
        || refuse("unsupported", format!("{} is not a module yet; declare it first", subject.target));
    let name = old.split("::").next().unwrap_or("");
    let is_root = |path: &str| path.ends_with("lib.rs") || path.ends_with("main.rs");
    let root = modules.iter().find(|(path, module)| *module == name && is_root(path)).ok_or_else(unknown)?;
    let dir = root.0.rsplit_once('/').map_or(String::new(), |(dir, _)| format!("{dir}/"));
    let inner =
        subject.target.strip_prefix(&dir).and_then(|path| path.strip_suffix(".rs")).ok_or_else(unknown)?;
    let inner = inner.strip_suffix("/mod").unwrap_or(inner);
    let (outer, own) =
        inner.rsplit_once('/').map_or((String::new(), inner), |(outer, own)| (outer.replace('/', "::"), own));
    let parent = if outer.is_empty() { name.to_owned() } else { format!("{name}::{outer}") };
    let mut files = modules.iter().filter(|(_, module)| **module == parent).map(|(path, _)| path);
    let file = files.next().filter(|_| subject.target_text.is_empty()).ok_or_else(unknown)?;
    let text = worktree.read_text(file)?;
    let is_module = |line: &str| {
        let code = ["pub(crate) ", "pub(super) ", "pub "]
            .iter()
            .find_map(|word| line.strip_prefix(word))
            .unwrap_or(line);
        code.starts_with("mod ") && code.trim_end().ends_with(';')
    };
    let (mut at, mut place) = (0, None);
    for line in text.split_inclusive('\n') {
        at += line.len();
        if is_module(line) {
            place = Some(at);
        }
    }
    let place = place.unwrap_or_else(|| super::behind_head(&text)) as u32;
    let module = format!("{parent}::{own}");
    let edit = Edit::new(place, place, format!("pub(crate) mod {own};\n"));
    Ok(Declaration { file: file.clone(), edit, module })
}

/// Refuses files that are part of something else, too: `include!` and `#[path]` read them in other places, where paths of
/// the crate mean something else.
fn check_shared(
    subject: &Subject<'_>,
    worktree: &Worktree,
    modules: &BTreeMap<String, String>,
) -> Result<(), RefactorError> {
    for path in modules.keys().filter(|path| path.strip_suffix(".rs").is_some()) {
        let bytes = worktree.read(path)?.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        for word in ["include!(", "#[path"] {
            for (at, _) in text.match_indices(word) {
                let line = text[at..].lines().next().unwrap_or("");
                let Some(named) = line.split('"').nth(1) else { continue };
                let dir = path.rsplit_once('/').map_or("", |(dir, _)| dir);
                let file = resolved(dir, named);
                if [&subject.symbol.path, &subject.target].contains(&&file) {
                    let message = format!("{path} reads {file} as a part of itself");
                    return Err(refuse("shared_file", message));
                }
            }
        }
    }
    Ok(())
}

/// A path that is written in a file of a directory, from the root of the worktree.
fn resolved(dir: &str, named: &str) -> String {
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in named.split('/') {
        match part {
            "." | "" => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Refuses a target that is in the crate only under a condition which does not hold for the old module, too: `#[cfg(…)]`
/// before the declaration of a module on the way, or about the whole file.
fn check_conditions(
    subject: &Subject<'_>,
    worktree: &Worktree,
    declared: &[SymbolFacts],
    (old, new): (&str, &str),
) -> Result<(), RefactorError> {
    let is_round_old =
        |module: &str| old.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    let is_round_new =
        |module: &str| new.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    let mut has_condition = subject.target_text.lines().any(|line| line.starts_with("#![cfg("));
    for module in declared {
        if is_round_new(&module.qualified) && !is_round_old(&module.qualified) {
            let text = worktree.read_text(&module.path)?;
            let line = line_start(&text, module.span.0 as usize);
            has_condition |= text[attributes(&text, line)..line].contains("#[cfg(");
        }
    }
    if !has_condition {
        return Ok(());
    }
    Err(refuse("unsupported", format!("{} is in the crate under a condition only", subject.target)))
}
