//! The names that a definition needs where it goes, and the imports that bring them there.

use super::{World, refuse, spots};
use crate::error::RefactorError;
use crate::moves::Subject;
use crate::verdict::strings::quoted_type;
use orbit_extract::{Load, LoadStep, Place, Spelling, When, load_steps};
use std::collections::BTreeSet;

/// A name that the definition needs.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is one way in which a name is needed")]
pub(super) struct Need {
    pub(super) name: String,
    /// The name that it has in the target, when that is another one.
    pub(super) called: Option<String>,
    /// Import statements, each with its line end.
    pub(super) lines: Vec<String>,
    /// What the imports take, to be found among the steps of the target.
    pub(super) loads: Vec<Load>,
    /// It must be there while the target is loaded.
    pub(super) is_eager: bool,
    /// Annotations have it, which nobody evaluates.
    pub(super) in_annotation: bool,
    /// The body of a function has it.
    pub(super) is_late: bool,
    /// Only type checkers know it.
    pub(super) is_typing: bool,
    /// Type checkers know it in the target.
    pub(super) is_known: bool,
}

/// Everything that the definition needs and the target has not got.
pub(super) fn needs(subject: &Subject<'_>, world: &World<'_>) -> Result<Vec<Need>, RefactorError> {
    let old = world.steps(&subject.symbol.path)?;
    let stays: Vec<&LoadStep> = old.iter().filter(|step| !subject.goes(step.span.start)).collect();
    let names: BTreeSet<String> = stays
        .iter()
        .filter_map(|step| step.load.bound())
        .filter(|name| *name != subject.name())
        .map(str::to_owned)
        .collect();
    if names.contains("*") {
        return Err(refuse("unsupported", "its file takes all names of another module"));
    }
    let text = subject.moved_text(&[])?;
    let is_lazy = |text: &str| text.contains("from __future__ import annotations");
    let uses = |lazy: bool| -> BTreeSet<String> {
        let steps = load_steps(&text, lazy).unwrap_or_default();
        steps
            .into_iter()
            .filter_map(|step| if let Load::Use(name) = step.load { Some(name) } else { None })
            .collect()
    };
    let (strict, lazy) = (uses(false), uses(true));
    let is_new = subject.target_text.trim().is_empty();
    if strict != lazy && is_lazy(&subject.text) && !is_lazy(&subject.target_text) && !is_new {
        return Err(refuse("unsupported", format!("annotations mean something else in {}", subject.target)));
    }
    let is_lazy_there = is_lazy(&subject.target_text) || is_new && is_lazy(&subject.text);
    let eager = if is_lazy_there { lazy } else { strict.clone() };
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    let spelled = subject.spelled(&words)?;
    let bodies = spots::bodies(&subject.symbol.path, &subject.text, &subject.symbols);
    let mut found = Vec::new();
    for (at, name) in words.iter().enumerate() {
        let own: Vec<&Spelling> = spelled.iter().filter(|spelling| spelling.word == at).collect();
        let is_late = own.iter().any(|spelling| {
            spots::is_in_body(&bodies, spelling.span.start) && is_free(subject, &own, spelling)
        });
        let is_quoted = own.iter().any(|spelling| is_quoted_type(subject, spelling));
        let (is_eager, is_strict) = (eager.contains(*name), strict.contains(*name));
        if !(is_late || is_quoted || is_eager || is_strict) {
            continue;
        }
        let sources: Vec<&LoadStep> =
            stays.iter().filter(|step| step.load.bound() == Some(name)).copied().collect();
        let is_typing = sources.iter().all(|step| step.when == When::Typing);
        let need = Need {
            name: (*name).to_owned(),
            called: None,
            lines: Vec::new(),
            loads: Vec::new(),
            is_eager,
            in_annotation: !is_eager && (is_strict || is_quoted),
            is_late,
            is_typing,
            is_known: false,
        };
        found.extend(brought(subject, world, need, &sources)?);
    }
    Ok(found)
}

/// Whether a spelling in what goes is a use of the module's name: the function round it binds no such name itself.
fn is_free(subject: &Subject<'_>, own: &[&Spelling], spelling: &Spelling) -> bool {
    let is_code =
        matches!(spelling.place, Place::Plain) && !spelling.in_import && !spelling.binds && !spelling.defines;
    if !is_code || !subject.goes(spelling.span.start) {
        return false;
    }
    let region = subject.function_at(spelling.span.start);
    !own.iter().any(|other| {
        let is_near = region.is_some_and(|region| region.0 <= other.span.start && other.span.end <= region.1);
        is_near && (other.binds || other.in_import)
    })
}

/// Whether a name stands in a string that can be a type: `"Sequence[Item]"`.
fn is_quoted_type(subject: &Subject<'_>, spelling: &Spelling) -> bool {
    if spelling.place != Place::Text || !subject.goes(spelling.span.start) {
        return false;
    }
    is_type_text(&subject.text, spelling.span.start as usize)
}

/// Whether a place in a string is part of a type.
pub(super) fn is_type_text(text: &str, at: usize) -> bool {
    let found = quoted_type(text, at);
    found.is_some_and(|(lead, _)| lead.ends_with([':', '>', '[', '(', ',', '|', '=']))
}

/// A need with its imports; `None` when the target has the name already.
fn brought(
    subject: &Subject<'_>,
    world: &World<'_>,
    mut need: Need,
    sources: &[&LoadStep],
) -> Result<Option<Need>, RefactorError> {
    let (old, target) = (subject.symbol.path.as_str(), subject.target.as_str());
    let best = sources.iter().map(|step| step.when).min().unwrap_or(When::Always);
    let is_import = |step: &LoadStep| !matches!(step.load, Load::Bind(_));
    // What has its value under a condition is taken from where the condition is.
    let follows = best != When::Maybe && sources.iter().all(|step| step.when != best || is_import(step));
    if follows {
        for step in sources.iter().filter(|step| step.when == best) {
            match &step.load {
                Load::Name { module, name, bound } => {
                    let module = world.absolute(old, module);
                    if world.file_of(&module).as_deref() == Some(target) {
                        // What the target has under a name of its own is called by that.
                        need.called = Some(name.clone()).filter(|name| name != bound);
                        return Ok(Some(need).filter(|need| need.called.is_some()));
                    }
                    let written = written(world, target, step, &module)?;
                    need.loads.push(Load::Name { module: written, name: name.clone(), bound: bound.clone() });
                }
                load => need.loads.push(load.clone()),
            }
        }
    } else {
        let (module, name) = (world.module_for(target, old)?, need.name.clone());
        need.loads.push(Load::Name { module, name: name.clone(), bound: name });
    }
    let same = |a: &Load, b: &Load| match (a, b) {
        (Load::Name { module: a, name: x, .. }, Load::Name { module: b, name: y, .. }) => {
            world.absolute(target, a) == world.absolute(target, b) && x == y
        }
        _ => a == b,
    };
    let has = world.steps(target)?;
    let has: Vec<&LoadStep> = has.iter().filter(|step| step.load.bound() == Some(&need.name)).collect();
    let needs_value = need.is_eager || need.is_late;
    let types = has.iter().filter(|step| step.when == When::Typing);
    need.is_known = types.into_iter().any(|step| need.loads.iter().any(|load| same(&step.load, load)));
    let fits = |step: &&&LoadStep| step.when == When::Always || (step.when == When::Typing && !needs_value);
    let loads = need.loads.clone();
    need.loads.retain(|load| !has.iter().filter(fits).any(|step| same(&step.load, load)));
    // `import a.b` and `import a.c` give a file the same `a`.
    let root = |load: &Load| matches!(load, Load::Module { module, bound } if module.split('.').next() == Some(bound));
    let agree = |a: &Load, b: &Load| same(a, b) || root(a) && root(b);
    let is_other = has.iter().any(|step| !loads.iter().any(|load| agree(load, &step.load)));
    if is_other {
        return Err(refuse("taken", format!("`{}` means something else in {target}", need.name)));
    }
    need.lines = need.loads.iter().map(statement).collect();
    Ok(Some(need).filter(|need| !need.loads.is_empty()))
}

/// A module as the target writes it.
fn written(world: &World<'_>, target: &str, step: &LoadStep, module: &str) -> Result<String, RefactorError> {
    let Load::Name { module: as_is, .. } = &step.load else { return Ok(module.to_owned()) };
    if !as_is.starts_with('.') {
        return Ok(as_is.clone());
    }
    match world.file_of(module) {
        Some(file) => world.module_for(target, &file),
        None => Err(refuse("unsupported", format!("nobody knows where {as_is} leads"))),
    }
}

/// An import as a statement.
pub(super) fn statement(load: &Load) -> String {
    match load {
        Load::Module { module, bound } if module.split('.').next() == Some(bound) => {
            format!("import {module}\n")
        }
        Load::Module { module, bound } => format!("import {module} as {bound}\n"),
        Load::Name { module, name, bound } if name == bound => format!("from {module} import {name}\n"),
        Load::Name { module, name, bound } => format!("from {module} import {name} as {bound}\n"),
        Load::Bind(_) | Load::Use(_) => String::new(),
    }
}
