//! From where a symbol can be meant at all: what is nested, private, or of a package that nobody else uses has few places
//! to be named from. This settles names that the index could not.

use super::{Scene, SourceFile};
use orbit_extract::Family;
use orbit_graph::{Facts, FileFacts, SymbolFacts, SymbolKind};
use std::collections::{BTreeMap, BTreeSet};

/// Where one symbol of the group can be named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    Anywhere,
    /// Inside of these bytes of its file.
    Span(String, (u32, u32)),
    /// In a Rust module and those below it.
    Module(String),
    /// In these crates.
    Crates(BTreeSet<String>),
}

impl Reach {
    /// Where a symbol can be named.
    pub(crate) fn of(
        facts: &Facts<'_>,
        symbol: &SymbolFacts,
        crates: &Crates,
    ) -> Result<Reach, orbit_graph::GraphError> {
        let parent = symbol.parent.map(|id| facts.by_id(id)).transpose()?.flatten();
        // A function inside of what gives a variable its value is local, too.
        let is_local = |parent: &SymbolFacts| {
            let holds = matches!(parent.kind, SymbolKind::Const | SymbolKind::Variable | SymbolKind::Static);
            holds && matches!(symbol.kind, SymbolKind::Function | SymbolKind::Const | SymbolKind::Variable)
        };
        if let Some(parent) = &parent
            && (parent.kind.is_callable() || is_local(parent))
        {
            return Ok(Reach::Span(parent.path.clone(), parent.span));
        }
        if symbol.lang.family() != Family::Rust {
            return Ok(Reach::Anywhere);
        }
        let module = module_of(facts, symbol)?;
        let is_item = !matches!(symbol.kind, SymbolKind::Variant | SymbolKind::Macro | SymbolKind::Field);
        let is_inherent = parent.as_ref().is_none_or(|parent| match parent.kind {
            SymbolKind::Trait => false,
            SymbolKind::Impl => {
                !parent.local.contains(" as ") && !parent.signature.as_deref().unwrap_or("").contains(" for ")
            }
            _ => true,
        });
        if is_item && is_inherent && !symbol.exported {
            return Ok(Reach::Module(module));
        }
        if let Some(parent) = &parent
            && let Some(owner) = owner_type(facts, parent)?
            && !owner.exported
        {
            return Ok(Reach::Module(module_of(facts, &owner)?));
        }
        let own = crates.of(&symbol.path);
        let is_program = ["examples/", "tests/", "benches/"]
            .iter()
            .any(|dir| symbol.path.starts_with(dir) || symbol.path.contains(&format!("/{dir}")))
            || symbol.path.ends_with("main.rs");
        let is_test = module.split("::").any(|part| part == "tests" || part == "test");
        if is_program || is_test || symbol.signature.as_deref().is_some_and(|text| text.contains("pub(")) {
            return Ok(Reach::Crates(BTreeSet::from([own.to_owned()])));
        }
        Ok(Reach::Crates(crates.users_of(own)))
    }

    /// Whether a place is inside.
    pub(crate) fn holds(&self, scene: &Scene, file: &SourceFile, at: u32) -> bool {
        match self {
            Reach::Anywhere => true,
            Reach::Span(path, span) => file.path == *path && span.0 <= at && at < span.1,
            Reach::Module(module) => is_below(&module_at(scene, file, at), module),
            Reach::Crates(crates) => crates.contains(scene.crates.of(&file.path)),
        }
    }
}

/// Whether a module is another one or below it.
fn is_below(module: &str, outer: &str) -> bool {
    module.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// The module that a place is in.
pub(crate) fn module_at(scene: &Scene, file: &SourceFile, at: u32) -> String {
    let inline = file
        .symbols
        .iter()
        .rev()
        .find(|symbol| symbol.kind == SymbolKind::Module && symbol.span.0 <= at && at < symbol.span.1);
    match inline {
        Some(module) => module.qualified.split('#').next().unwrap_or("").to_owned(),
        None => scene.crates.module(&file.path).to_owned(),
    }
}

/// The module that a symbol stands in.
fn module_of(facts: &Facts<'_>, symbol: &SymbolFacts) -> Result<String, orbit_graph::GraphError> {
    let mut at = symbol.parent;
    while let Some(id) = at {
        let Some(outer) = facts.by_id(id)? else { break };
        if outer.kind == SymbolKind::Module {
            return Ok(outer.qualified);
        }
        at = outer.parent;
    }
    Ok(facts.file(&symbol.path)?.map(|file| file.module).unwrap_or_default())
}

/// The type that a member belongs to: what its impl is of, when one type alone of the crate has that name.
fn owner_type(
    facts: &Facts<'_>,
    parent: &SymbolFacts,
) -> Result<Option<SymbolFacts>, orbit_graph::GraphError> {
    if parent.kind != SymbolKind::Impl {
        return Ok(Some(parent.clone()).filter(|parent| parent.kind.is_type()));
    }
    let crate_of = |qualified: &str| qualified.split("::").next().unwrap_or("").to_owned();
    let mut found = facts.named(&parent.name)?;
    found
        .retain(|symbol| symbol.kind.is_type() && crate_of(&symbol.qualified) == crate_of(&parent.qualified));
    Ok(if found.len() == 1 { found.pop() } else { None })
}

/// The Rust crates of a worktree, and which uses which.
#[derive(Debug, Default)]
pub(crate) struct Crates {
    modules: BTreeMap<String, String>,
    /// By crate: those that name it, through any number of steps.
    users: BTreeMap<String, BTreeSet<String>>,
}

impl Crates {
    /// From the files of the language and what they hold. A crate uses another one whose name stands before a `::`.
    pub(crate) fn new(files: &[(FileFacts, Vec<u8>)]) -> Crates {
        let modules: BTreeMap<String, String> =
            files.iter().map(|(file, _)| (file.path.clone(), file.module.clone())).collect();
        let names: BTreeSet<&str> = modules.values().map(|module| first_part(module)).collect();
        let mut direct: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for name in &names {
            let finders = [format!("{name}::"), format!("extern crate {name}"), format!("use {name} as")];
            let finders = finders.map(|text| memchr::memmem::Finder::new(text.as_bytes()).into_owned());
            for (file, bytes) in files {
                if finders.iter().any(|finder| finder.find(bytes).is_some()) {
                    direct.entry(name).or_default().insert(first_part(&file.module));
                }
            }
        }
        let mut users = BTreeMap::new();
        for name in &names {
            let mut all = BTreeSet::from([(*name).to_owned()]);
            let mut open = vec![*name];
            while let Some(used) = open.pop() {
                for user in direct.get(used).into_iter().flatten() {
                    if all.insert((*user).to_owned()) {
                        open.push(user);
                    }
                }
            }
            users.insert((*name).to_owned(), all);
        }
        Crates { modules, users }
    }

    pub(crate) fn module(&self, path: &str) -> &str {
        self.modules.get(path).map_or("", String::as_str)
    }

    /// The crate of a file.
    pub(crate) fn of(&self, path: &str) -> &str {
        first_part(self.module(path))
    }

    pub(crate) fn users_of(&self, name: &str) -> BTreeSet<String> {
        self.users.get(name).cloned().unwrap_or_default()
    }

    /// Whether a file is a module of this name, or below one.
    pub(crate) fn has_module(&self, name: &str) -> bool {
        self.modules.values().any(|module| module.split("::").any(|part| part == name))
    }

    /// Whether a file is this very module.
    pub(crate) fn is_file(&self, module: &str) -> bool {
        self.modules.values().any(|own| own == module)
    }

    /// Whether a crate has this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.users.contains_key(name)
    }
}

fn first_part(module: &str) -> &str {
    module.split("::").next().unwrap_or(module)
}
