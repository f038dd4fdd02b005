//! What becomes of one spelled name. Sure is what the index resolved; the rest is settled by what the name could mean at
//! all, and where that leaves more than one answer there is a doubt, which stands in the way of the whole change.

mod given;
mod keywords;
mod qualifiers;
mod rebound;
pub(crate) mod strings;

use crate::rules::Rules;
use crate::sites::{OLD, Scene, Site, SourceFile, arity, outside, structs};
use orbit_extract::{Family, Lang, Place, Spelling};
use orbit_graph::{SymbolFacts, SymbolKind};

/// What to do with a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is the symbol; a person is told why when that is not plain.
    Change(Option<&'static str>),
    /// It is something else.
    Keep,
    /// Nobody can break by it, but somebody may want to look.
    Review(&'static str),
    /// It may be the symbol.
    Doubt(String),
}

const SURE: Verdict = Verdict::Change(None);

/// Settles one spelling of the old name.
pub(crate) fn verdict(scene: &Scene, rules: &dyn Rules, file: &SourceFile, spelling: &Spelling) -> Verdict {
    let site = scene.site(file, spelling);
    let rows = file.rows.get(&spelling.span.start).into_iter().flatten();
    let rows: Vec<_> = rows.filter(|row| row.span.1 == spelling.span.end).collect();
    if given::to_bending(scene, file, spelling) {
        return Verdict::Doubt("a macro makes something else of what it is given".into());
    }
    if rows.iter().filter_map(|row| row.target).any(|target| scene.in_group(target)) {
        return SURE;
    }
    match spelling.place {
        Place::Comment => return Verdict::Review("named in a comment or a file of another kind"),
        Place::Label => return Verdict::Keep,
        Place::Text => return strings::verdict(scene, &site),
        _ => {}
    }
    if rebound::is_other(scene, file, spelling) {
        return Verdict::Doubt("the file gives the name another meaning, too".into());
    }
    if let Some(found) = definition(scene, &site) {
        return found;
    }
    if !scene.reaches(file, spelling.span.start) {
        return Verdict::Keep;
    }
    let is_settled = rows.iter().any(|row| {
        row.target.is_some() || row.external && !file.has_lost_imports(scene) && !may_be_ours(scene, &site)
    });
    if is_settled && !(spelling.shorthand && is_field(&scene.group[0])) {
        return Verdict::Keep;
    }
    if let Some(found) = structs::of_literal(scene, file, spelling) {
        return if found { SURE } else { Verdict::Keep };
    }
    if let Some(is_sure) = outside::of_module(scene, &site) {
        let doubt = || Verdict::Doubt("may be a module that is not found".into());
        return if is_sure { Verdict::Keep } else { doubt() };
    }
    if let Some(why) = given::doubt(scene, file, spelling) {
        return Verdict::Doubt(why.into());
    }
    if spelling.in_import && spelling.binds {
        return alias(scene, rules, &site);
    }
    if is_own_shorthand(scene, &site) {
        return Verdict::Keep;
    }
    if spelling.place == Place::Unparsed {
        return Verdict::Doubt("in code that is not taken apart, such as the body of a macro".into());
    }
    if spelling.place == Place::Plain && !spelling.shorthand {
        plain(scene, rules, &site)
    } else {
        qualified(scene, rules, &site)
    }
}

/// What becomes of the name that a definition has; `None` where the place is no definition, or says nothing by being one.
fn definition(scene: &Scene, site: &Site<'_>) -> Option<Verdict> {
    let (file, spelling) = (site.file, site.spelling);
    let own = owner(scene, file, spelling)?;
    if scene.in_group(own.id) {
        return Some(SURE);
    }
    if given::by_interface(scene, file, spelling) {
        return Some(Verdict::Doubt("an interface without a name asks for it".into()));
    }
    if structs::is_same_type(scene, file, own) {
        return Some(Verdict::Doubt("a struct with the same fields is the same type".into()));
    }
    // `object.name = …` says nothing about whose `name` that is; `void Type::name() {}` of C++ does.
    let is_apart = spelling.place != Place::Member || scene.lang.family() == Family::Native && site.is_path();
    is_apart.then_some(Verdict::Keep)
}

/// Whether `{ name }` is about a variable of the file or about a key: what a file neither defines nor imports is not in its
/// scope. Locals and members are looked at where they can be named.
fn is_own_shorthand(scene: &Scene, site: &Site<'_>) -> bool {
    let is_script = scene.lang.family() == Family::Script;
    let stands_alone = scene.nest().is_none() && !scene.group.iter().any(|symbol| scene.is_member(symbol));
    is_script
        && stands_alone
        && site.spelling.shorthand
        && !site.spelling.in_import
        && !scene.is_visible(site.file)
}

/// Whether a value that seems to come from outside may be one of the repository: a Python module that was loaded by its
/// name, what a container of the language holds, a class by its `prototype`, a type that has a trait of the repository.
fn may_be_ours(scene: &Scene, site: &Site<'_>) -> bool {
    let is_member = site.spelling.place == Place::Member;
    match scene.lang.family() {
        Family::Python => {
            is_member
                && (scene.group.iter().any(|own| site.is_called_like_file(own))
                    || !outside::is_sure(site.file, site.spelling))
        }
        Family::Script => {
            let gets_more = |name| outside::gets_another(&site.file.text, name);
            is_member && site.qualifier().is_some_and(|name| name == "prototype" || gets_more(name))
        }
        // `io::Error::name` is a method of a trait of the repository that is implemented for a type from outside.
        Family::Rust => {
            site.spelling.place == Place::Path
                && site.qualifier().is_some_and(|qualifier| {
                    let owner = format!("<{qualifier} as ");
                    scene.group.iter().any(|own| own.local.contains(&owner))
                })
        }
        _ => false,
    }
}

/// The symbol whose own name this is.
fn owner<'f>(scene: &Scene, file: &'f SourceFile, spelling: &Spelling) -> Option<&'f SymbolFacts> {
    let named = file.symbols.iter().filter(|symbol| symbol.name == scene.group[0].name);
    let mut named =
        named.filter(|symbol| Scene::name_of(file, symbol).is_some_and(|own| own.span == spelling.span));
    named.next()
}

/// `x as name`: it follows the name that it stands for when both are spelled alike.
fn alias(scene: &Scene, rules: &dyn Rules, site: &Site<'_>) -> Verdict {
    let (file, spelling) = (site.file, site.spelling);
    let before =
        file.spellings.iter().rev().find(|other| other.word == OLD && other.span.end < spelling.span.start);
    let twin = before.filter(|other| {
        other.in_import && file.text[other.span.end as usize..spelling.span.start as usize].trim() == "as"
    });
    match twin {
        Some(twin) => verdict(scene, rules, file, twin),
        None => Verdict::Keep,
    }
}

/// A name on its own.
fn plain(scene: &Scene, rules: &dyn Rules, site: &Site<'_>) -> Verdict {
    let (file, spelling) = (site.file, site.spelling);
    let first = &scene.group[0];
    let region = file.region(spelling.span.start);
    if first.kind == SymbolKind::Module && spelling.is_qualifier {
        return module(scene, site);
    }
    if scene.group.iter().all(|symbol| scene.is_member(symbol)) {
        if !rules.can_mean(site, first) {
            return Verdict::Keep;
        }
        return in_class_body(scene, site);
    }
    let same_scope = scene.group.iter().any(|symbol| {
        symbol.path == file.path && symbol.parent == file.innermost(spelling.span.start).map(|inner| inner.id)
    });
    if let Some(span) = scene.nest() {
        return nested(file, span);
    }
    if scene.lang.family() == Family::Python && says_global(file, spelling) {
        let is_here = first.path == file.path && first.parent.is_none();
        return match is_here {
            true => SURE,
            false if scene.is_visible(file) => Verdict::Doubt("the file may give it another value".into()),
            false => Verdict::Keep,
        };
    }
    if spelling.binds {
        // Another value for the same variable.
        let is_outer = region.is_none() && spelling.scope.is_none();
        let again = is_outer && same_scope && scene.lang.family() == Family::Python;
        return if again { SURE } else { Verdict::Keep };
    }
    if is_bound_near(scene, file, spelling, region) || !rules.can_mean(site, first) {
        return Verdict::Keep;
    }
    if spelling.in_attribute {
        let can = matches!(
            first.kind,
            SymbolKind::Trait | SymbolKind::Macro | SymbolKind::Function | SymbolKind::Module
        );
        return if can && scene.is_visible(file) {
            Verdict::Doubt("in an attribute".into())
        } else {
            Verdict::Keep
        };
    }
    if !scene.is_visible(file) {
        return Verdict::Keep;
    }
    let others = file.symbols.iter().any(|symbol| symbol.name == first.name && !scene.in_group(symbol.id));
    let knows_locals = matches!(scene.lang.family(), Family::Rust | Family::Script | Family::Python);
    if others {
        Verdict::Doubt("several things have this name here".into())
    } else if !knows_locals {
        Verdict::Doubt("may be a variable of this name".into())
    } else {
        Verdict::Change(Some("in scope"))
    }
}

/// Whether the function round a place says that the name is one of the file: `global name`.
fn says_global(file: &SourceFile, spelling: &Spelling) -> bool {
    let Some(function) = file.innermost(spelling.span.start) else { return false };
    let name = file.text_of(spelling.span);
    let mut at = function.span.0;
    let text = &file.text[function.span.0 as usize..function.span.1 as usize];
    text.split_inclusive('\n').any(|line| {
        let start = at + (line.len() - line.trim_start().len()) as u32;
        at += line.len() as u32;
        let list = line.trim_start().strip_prefix("global ").and_then(|list| list.split('#').next());
        let is_named = list.is_some_and(|list| list.split(',').any(|word| word.trim() == name));
        is_named && file.innermost(start).map(|inner| inner.id) == Some(function.id)
    })
}

/// A name inside of the function that the symbol is local to: the symbol, unless the function binds the name twice.
fn nested(file: &SourceFile, span: (u32, u32)) -> Verdict {
    let inside = file.spellings.iter().filter(|other| span.0 <= other.span.start && other.span.end <= span.1);
    let bound =
        inside.filter(|other| other.word == OLD && (other.binds || other.defines) && !other.in_import);
    if bound.count() <= 1 { SURE } else { Verdict::Doubt("the name is bound more than once here".into()) }
}

/// Whether a local of the same name is bound in the function round a place.
fn is_bound_near(scene: &Scene, file: &SourceFile, spelling: &Spelling, region: Option<(u32, u32)>) -> bool {
    // `const name = …` inside of a function defines nothing that the index knows.
    let is_local = |other: &Spelling| {
        other.binds && !other.defines
            || other.defines && region.is_some() && owner(scene, file, other).is_none()
    };
    file.spellings.iter().filter(|other| other.word == OLD && other.span != spelling.span).any(|other| {
        if let Some(scope) = other.scope {
            return scope.start <= spelling.span.start && spelling.span.end <= scope.end;
        }
        let near = match region {
            Some((start, end)) => start <= other.span.start && other.span.end <= end,
            None => file.region(other.span.start).is_none(),
        };
        near && is_local(other)
    })
}

/// Members have no plain names but in the body of their own class, where Python knows them.
fn in_class_body(scene: &Scene, site: &Site<'_>) -> Verdict {
    let inner = site.file.innermost(site.spelling.span.start).map(|symbol| symbol.id);
    let is_own = scene
        .group
        .iter()
        .any(|symbol| symbol.path == site.file.path && symbol.parent == inner && inner.is_some());
    let decorates = scene.group.iter().any(|symbol| inner == Some(symbol.id)) && !site.spelling.binds;
    match scene.lang.family() {
        Family::Python if is_own => SURE,
        Family::Python if decorates && site.spelling.is_qualifier => SURE,
        Family::Rust | Family::Script | Family::Python | Family::Go => Verdict::Keep,
        // There a member may be used without its type, by what inherits it too.
        _ => {
            let at = site.spelling.span.start;
            let is_local =
                site.spelling.binds || is_bound_near(scene, site.file, site.spelling, site.file.region(at));
            if is_local || !scene.is_inside_heir(site.file, at) {
                return Verdict::Keep;
            }
            Verdict::Doubt("inside of its own type, or of one that inherits it".into())
        }
    }
}

/// The module as the beginning of a path.
fn module(scene: &Scene, site: &Site<'_>) -> Verdict {
    let here = scene
        .candidates
        .iter()
        .filter(|symbol| symbol.path == site.file.path && symbol.kind == SymbolKind::Module);
    let here: Vec<&SymbolFacts> = here.collect();
    if here.len() == 1 && scene.in_group(here[0].id) {
        return Verdict::Change(Some("a path through the module"));
    }
    if !here.iter().any(|symbol| scene.in_group(symbol.id)) && (!scene.is_visible(site.file)) {
        return Verdict::Keep;
    }
    Verdict::Doubt("may be another module".into())
}

/// A name behind another one, or a key.
fn qualified(scene: &Scene, rules: &dyn Rules, site: &Site<'_>) -> Verdict {
    let spelling = site.spelling;
    let mut possible: Vec<&SymbolFacts> =
        scene.candidates.iter().filter(|symbol| rules.can_mean(site, symbol)).collect();
    if scene.lang == Lang::Rust && spelling.is_call {
        agree(site, &mut possible);
    }
    if !possible.iter().any(|symbol| scene.in_group(symbol.id)) {
        return Verdict::Keep;
    }
    if scene.lang == Lang::Python && spelling.place == Place::Key {
        return keywords::verdict(scene, site);
    }
    if spelling.place != Place::Key
        && let Some(qualifier) = site.qualifier()
    {
        qualifiers::narrow(scene, site, qualifier, &mut possible);
    }
    let ours = possible.iter().filter(|symbol| scene.in_group(symbol.id)).count();
    if ours == 0 {
        return Verdict::Keep;
    }
    let is_module = spelling.is_qualifier && scene.crates.has(&scene.group[0].name);
    if ours < possible.len() || is_module {
        return Verdict::Doubt("may mean another symbol of this name".into());
    }
    if rules.knows_types() {
        return Verdict::Doubt("the type of what stands before it is not known".into());
    }
    let name = scene.group[0].name.as_str();
    let is_common = spelling.place != Place::Path && crate::rules::lists(rules.common_members(), name);
    // In a language of shapes, what looks like a member may be one of anything.
    let is_shape = scene.lang.family() == Family::Script && (spelling.place == Place::Key || !scene.in_class);
    let is_lost_import = spelling.in_import && scene.lang != Lang::Rust;
    let stands_in = || scene.group.iter().all(|own| !scene.is_member(own) && site.is_module_replaced(own));
    if scene.lang == Lang::Python && spelling.place == Place::Member && stands_in() {
        return Verdict::Doubt("may be what a test puts in the place of its module".into());
    }
    if is_common || is_shape || is_lost_import {
        return Verdict::Doubt("may mean something from outside of the repository".into());
    }
    Verdict::Change(Some("no other symbol has this name"))
}

/// Keeps those candidates that take as many arguments as are passed.
fn agree(site: &Site<'_>, possible: &mut Vec<&SymbolFacts>) {
    let Some(passed) = arity::arguments(&site.file.text, site.spelling.span.end as usize) else { return };
    possible.retain(|symbol| {
        let Some((taken, has_receiver)) = arity::parameters(symbol) else { return true };
        let is_method_call = site.spelling.place == Place::Member;
        match (is_method_call, has_receiver) {
            (true, true) => taken == passed + 1,
            (true, false) => false,
            (false, _) => taken == passed,
        }
    });
}

fn is_field(symbol: &SymbolFacts) -> bool {
    matches!(symbol.kind, SymbolKind::Field | SymbolKind::Property)
}
