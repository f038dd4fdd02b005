//! TypeScript and JavaScript: types are what they look like, so a member is renamed only where nobody else can mean it.

use super::{Rules, members_of_hierarchy, same_address};
use crate::error::{RefactorError, Refusal};
use crate::sites::Site;
use orbit_extract::Place;
use orbit_graph::{Facts, SymbolFacts, SymbolKind};
use std::collections::BTreeSet;

pub(super) struct Script;

impl Rules for Script {
    fn keywords(&self) -> &'static str {
        "await break case catch class const continue debugger default delete do else enum export extends \
         false finally for function if implements import in instanceof interface let new null package private \
         protected public return static super switch this throw true try typeof undefined var void while with \
         yield any boolean never number object string symbol unknown bigint"
    }

    fn common_members(&self) -> &'static str {
        "add apply bind body call catch check clear clone close code concat constructor content context data \
         default delete description emit end entries error errors every exec fill filter finally find flat \
         forEach format from get has id includes index indexOf init input item items join key keys kind \
         length map match max message method min name next of off on open optional options out output parse \
         path pop process prototype push reduce remove replace resolve result reverse run send set shift size \
         slice some sort source split start state stop stringify target test text then title toString trim \
         type unshift update url value valueOf values write"
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
        if name == "constructor" || name == "default" || symbol.kind == SymbolKind::Constructor {
            return refuse("the language fixes it".into());
        }
        if let Some(receiver) = assigned_to(source, symbol) {
            return refuse(format!("`{receiver}` may be an object from outside, which has it"));
        }
        let mut group = same_address(facts, symbol)?;
        if let Some(owner) = symbol.parent.map(|parent| facts.by_id(parent)).transpose()?.flatten()
            && owner.kind.is_type()
        {
            let mut outside = BTreeSet::new();
            group.extend(members_of_hierarchy(facts, owner.id, name, &mut outside)?);
            if let Some(foreign) = outside.iter().next() {
                return refuse(format!("`{foreign}`, from outside of the repository, may have it too"));
            }
        }
        check_shapes(facts, symbol, &group)?;
        group.sort_by_key(|member| member.id);
        group.dedup_by_key(|member| member.id);
        Ok(group)
    }

    fn can_mean(&self, site: &Site<'_>, symbol: &SymbolFacts) -> bool {
        let is_member = site.is_member_kind(symbol);
        match site.spelling.place {
            Place::Member => is_member || site.receiver_is_module(),
            Place::Key => is_member,
            _ if site.spelling.shorthand => true,
            Place::Path | Place::Plain => !is_member,
            _ => false,
        }
    }
}

/// The value whose member a definition is: `socket` of `socket.onclose = () => …`. Its own type is known for `this` and
/// prototypes alone.
fn assigned_to<'s>(source: &'s str, symbol: &SymbolFacts) -> Option<&'s str> {
    let text = &source[symbol.span.0 as usize..symbol.span.1 as usize];
    let line = source[..symbol.span.0 as usize].rsplit('\n').next().unwrap_or("");
    let at = text.find(&symbol.name)?;
    let before = if at == 0 { line } else { &text[..at] };
    let chain = before.strip_suffix('.')?;
    let receiver = chain.rsplit(|c: char| !(c.is_alphanumeric() || "_$".contains(c))).next()?;
    (!receiver.is_empty() && !["this", "prototype", "exports"].contains(&receiver)).then_some(receiver)
}

/// Refuses a member that other types, interfaces or objects have too: one may stand for the other without saying so.
fn check_shapes(facts: &Facts<'_>, symbol: &SymbolFacts, group: &[SymbolFacts]) -> Result<(), RefactorError> {
    let is_member = |symbol: &SymbolFacts| {
        matches!(symbol.kind, SymbolKind::Method | SymbolKind::Property | SymbolKind::Field)
    };
    if !is_member(symbol) {
        return Ok(());
    }
    let owner_is_class = |symbol: &SymbolFacts| -> Result<bool, RefactorError> {
        let owner = symbol.parent.map(|parent| facts.by_id(parent)).transpose()?.flatten();
        Ok(owner.is_some_and(|owner| owner.kind == SymbolKind::Class))
    };
    let is_class = owner_is_class(symbol)?;
    let mut places = Vec::new();
    for other in facts.named(&symbol.name)? {
        let is_apart = is_member(&other)
            && other.lang.family() == symbol.lang.family()
            && !group.iter().any(|own| own.id == other.id);
        if is_apart && !(is_class && owner_is_class(&other)?) {
            places.push(format!("{}:{}: {}", other.path, other.line, other.selector()));
        }
    }
    if places.is_empty() {
        return Ok(());
    }
    let message =
        format!("`{}` is a member of other types too, and types are what they look like", symbol.name);
    Err(Refusal::new("shape", message).places(places).into())
}
