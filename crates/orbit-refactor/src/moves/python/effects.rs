//! What happens when a definition is made, and what knows which module it is made in: decorators that enter it somewhere,
//! classes that are told of those below them, texts that name its module.

use super::refuse;
use super::world::World;
use crate::documents;
use crate::error::RefactorError;
use crate::moves::Subject;
use crate::rules;
use crate::worktree::Worktree;
use orbit_graph::SymbolFacts;
use std::collections::BTreeSet;

/// Decorators of Python's library that do nothing but change what they are given.
const PLAIN: &str = "abc.abstractmethod abstractmethod asyncio.coroutine cache cached_property classmethod \
     contextlib.asynccontextmanager contextlib.contextmanager contextmanager asynccontextmanager dataclass \
     dataclasses.dataclass deprecated enum.unique final functools.cache functools.cached_property functools.lru_cache \
     functools.singledispatch functools.total_ordering functools.wraps lru_cache overload override property \
     runtime_checkable singledispatch staticmethod total_ordering typing.final typing.no_type_check typing.overload \
     typing.runtime_checkable typing_extensions.deprecated typing_extensions.overload unique wraps attr.s attr.attrs \
     attrs.define attrs.frozen attr.define attr.frozen define frozen no_type_check";

/// Refuses a definition that does something where it is loaded, or whose module is known by its name.
pub(super) fn check(
    subject: &Subject<'_>,
    world: &World<'_>,
    worktree: &Worktree,
) -> Result<(), RefactorError> {
    for piece in &subject.pieces {
        let lines = rules::decorators(&subject.text, piece).lines().map(str::trim_start);
        for line in lines.filter_map(|line| line.strip_prefix('@')) {
            let name = line.split(['(', ' ', '#']).next().unwrap_or(line);
            if !rules::lists(PLAIN, name) {
                let message = format!("`@{name}` may enter it somewhere when its file is loaded");
                return Err(refuse("unsupported", message));
            }
        }
    }
    if let Some(class) = told(subject)? {
        let message =
            format!("`{class}` is told of each class below it in the order in which they are loaded");
        return Err(refuse("unsupported", message));
    }
    let module = world.module_of(&subject.symbol.path);
    if let Some((file, line)) = documents::entry_points(worktree, module, subject.name()).first() {
        let message = format!("{file}:{line} names it and its module as an entry point of the package");
        return Err(refuse("unsupported", message));
    }
    check_named(subject, world)
}

/// A class above the one that goes which is told of it.
fn told(subject: &Subject<'_>) -> Result<Option<String>, RefactorError> {
    let hooks: Vec<SymbolFacts> = subject.facts.named("__init_subclass__")?;
    let (mut open, mut seen) = (vec![subject.symbol.id], BTreeSet::new());
    while let Some(id) = open.pop() {
        for above in subject.facts.relations_from(id)?.into_iter().filter_map(|relation| relation.to) {
            if hooks.iter().any(|hook| hook.parent == Some(above)) {
                return Ok(subject.facts.by_id(above)?.map(|class| class.name));
            }
            open.extend(Some(above).filter(|above| seen.insert(*above)));
        }
    }
    Ok(None)
}

/// Refuses a definition whose module a text names, in a program that asks for it: `f.__module__ == "shop.prices"`.
fn check_named(subject: &Subject<'_>, world: &World<'_>) -> Result<(), RefactorError> {
    let module = world.module_of(&subject.symbol.path);
    let quoted = ['"', '\''].map(|quote| format!("{quote}{module}{quote}"));
    let mut asks = false;
    let mut named = None;
    for file in world.files() {
        let text = world.text(file)?;
        asks |= text.contains(".__module__");
        let at = quoted.iter().find_map(|text_of| text.find(text_of.as_str()));
        named = named.or(at.map(|at| format!("{file}:{}", 1 + text[..at].matches('\n').count())));
    }
    match named.filter(|_| asks && !module.is_empty()) {
        Some(place) => {
            let message =
                format!("{place} names the module `{module}`, and the program asks what stands in which");
            Err(refuse("unsupported", message))
        }
        None => Ok(()),
    }
}
