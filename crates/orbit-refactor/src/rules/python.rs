//! Python: names that the language or a framework calls by, classes that override each other.

use super::{Rules, bases, members_of_hierarchy, same_address};
use crate::error::{RefactorError, Refusal};
use crate::sites::Site;
use orbit_extract::Place;
use orbit_graph::{Facts, SymbolFacts, SymbolKind};
use std::collections::BTreeSet;

pub(super) struct Python;

/// Attributes and methods that classes of Python's library have, and so whatever comes from there: all that `dir` and the
/// sources of Python 3.11 say of the public classes of the modules that hand out objects.
const LIBRARY: &str = include_str!("python_library.txt");

impl Rules for Python {
    fn keywords(&self) -> &'static str {
        "False None True and as assert async await break class continue def del elif else except finally for \
         from global if import in is lambda nonlocal not or pass raise return try while with yield"
    }

    fn common_members(&self) -> &'static str {
        LIBRARY
    }

    fn group(
        &self,
        facts: &Facts<'_>,
        symbol: &SymbolFacts,
        source: &str,
    ) -> Result<Vec<SymbolFacts>, RefactorError> {
        let name = &symbol.name;
        let refuse = |why: String| {
            Err(RefactorError::from(Refusal::new(
                "fixed_name",
                format!("`{name}` cannot have another name: {why}"),
            )))
        };
        if name.starts_with("__") && name.ends_with("__") {
            return refuse("Python itself calls it by this name".into());
        }
        let is_hook = name.starts_with("pytest_")
            || ["setup", "teardown", "setUp", "tearDown", "setup_method"].contains(&name.as_str());
        if is_hook {
            return refuse("the test runner calls it by this name".into());
        }
        let decorators = decorators(source, symbol);
        if decorators.contains("fixture") {
            return refuse("it is a fixture, which tests name as a parameter".into());
        }
        let bare = name.trim_start_matches('_');
        let is_made_up = source.contains("globals()") && source.contains(&format!("\"{bare}\""));
        if symbol.parent.is_none() && is_made_up {
            return refuse("its module reaches what it defines by names that it makes up".into());
        }
        let mut group = same_address(facts, symbol)?;
        if let Some(owner) = symbol.parent.map(|parent| facts.by_id(parent)).transpose()?.flatten()
            && owner.kind == SymbolKind::Class
        {
            let mut outside = BTreeSet::new();
            group.extend(members_of_hierarchy(facts, owner.id, name, &mut outside)?);
            let written = bases_of(source, &owner);
            if written.len() > facts.relations_from(owner.id)?.len() {
                outside.extend(written.into_iter().map(str::to_owned));
            }
            if !symbol.kind.is_callable()
                && let Some(hook) = attribute_hook(facts, owner.id)?
            {
                return refuse(format!("`{hook}` serves the attributes of its class by their names"));
            }
            let is_private = name.starts_with('_');
            let foreign = outside.iter().find(|base| bases::may_have(base, name));
            if let Some(foreign) = foreign.filter(|_| !is_private) {
                return refuse(format!("`{foreign}`, from outside of the repository, may have it too"));
            }
        }
        group.sort_by_key(|member| member.id);
        group.dedup_by_key(|member| member.id);
        Ok(group)
    }

    fn can_mean(&self, site: &Site<'_>, symbol: &SymbolFacts) -> bool {
        let is_attribute = site.is_member_kind(symbol);
        match site.spelling.place {
            Place::Member => {
                is_attribute
                    || site.receiver_is_module()
                    || site.is_called_like_file(symbol)
                    || site.is_module_replaced(symbol)
            }
            // Keywords name parameters, and the attributes of classes that make their constructor from them.
            Place::Key => is_attribute && symbol.kind != SymbolKind::Method,
            Place::Path => symbol.parent.is_none(),
            Place::Plain => true,
            _ => false,
        }
    }
}

/// The method by which a class, or one above or below it, makes attributes out of names.
fn attribute_hook(facts: &Facts<'_>, owner: i64) -> Result<Option<&'static str>, RefactorError> {
    for hook in ["__getattr__", "__getattribute__", "__setattr__", "__delattr__"] {
        if !members_of_hierarchy(facts, owner, hook, &mut BTreeSet::new())?.is_empty() {
            return Ok(Some(hook));
        }
    }
    Ok(None)
}

/// The decorators of a definition.
pub(crate) fn decorators<'s>(source: &'s str, symbol: &SymbolFacts) -> &'s str {
    let text = &source[symbol.span.0 as usize..symbol.span.1 as usize];
    let end = ["def ", "class "].iter().filter_map(|word| text.find(word)).min().unwrap_or(0);
    let before = source[..symbol.span.0 as usize].trim_end();
    if end > 0 {
        return &text[..end];
    }
    // The span begins at `def`: decorators are the lines right above.
    let mut from = before.len();
    for line in before.rsplit('\n') {
        if !line.trim_start().starts_with('@') {
            break;
        }
        from = from.saturating_sub(line.len() + 1);
    }
    &source[from..symbol.span.0 as usize]
}

/// The bases of a class as they are written, whether or not anybody knows what they are.
fn bases_of<'s>(source: &'s str, class: &SymbolFacts) -> Vec<&'s str> {
    let text = &source[class.span.0 as usize..class.span.1 as usize];
    let Some((_, head)) = text.split_once(&format!("class {}(", class.name)) else { return Vec::new() };
    let (mut depth, mut from, mut bases) = (0, 0, Vec::new());
    for (at, letter) in head.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' if depth == 0 => {
                bases.push(head[from..at].trim());
                break;
            }
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                bases.push(head[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    bases.retain(|base| !base.is_empty() && !base.contains('='));
    bases
}
