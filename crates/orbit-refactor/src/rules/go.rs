//! Go: types satisfy interfaces without saying so, and the first letter of a name says who may use it.

use super::{Rules, fixed, same_address};
use crate::error::{RefactorError, Refusal};
use crate::sites::Site;
use orbit_extract::Place;
use orbit_graph::{Facts, SymbolFacts, SymbolKind};
use std::collections::BTreeSet;

pub(super) struct Go;

/// Interfaces of the standard library and of packages that nearly everybody uses, by their methods: a type that has all
/// of them may be handed to somebody who asks for the interface.
const INTERFACES: [&str; 76] = [
    "Error",
    "String",
    "GoString",
    "Format",
    "Scan",
    "Unwrap",
    "Is",
    "As",
    "Timeout",
    "Temporary",
    "Read",
    "Write",
    "Close",
    "Seek",
    "ReadAt",
    "WriteAt",
    "ReadFrom",
    "WriteTo",
    "ReadByte",
    "UnreadByte",
    "WriteByte",
    "ReadRune",
    "UnreadRune",
    "WriteString",
    "Len Less Swap",
    "Push Pop",
    "MarshalText",
    "UnmarshalText",
    "AppendText",
    "MarshalBinary",
    "UnmarshalBinary",
    "AppendBinary",
    "MarshalJSON",
    "UnmarshalJSON",
    "MarshalJSONTo",
    "UnmarshalJSONFrom",
    "MarshalXML",
    "UnmarshalXML",
    "MarshalXMLAttr",
    "UnmarshalXMLAttr",
    "MarshalYAML",
    "UnmarshalYAML",
    "MarshalTOML",
    "UnmarshalTOML",
    "GobEncode",
    "GobDecode",
    "ServeHTTP",
    "RoundTrip",
    "Header Write WriteHeader",
    "Flush",
    "Hijack",
    "Open",
    "Accept Addr Close",
    "Network String",
    "Deadline Done Err Value",
    "Set String",
    "IsBoolFlag",
    "Lock Unlock",
    "Name Size Mode ModTime IsDir Sys",
    "Name IsDir Type Info",
    "ReadDir",
    "ReadFile",
    "Enabled Handle WithAttrs WithGroup",
    "LogValue",
    "Sum Reset Size BlockSize",
    "Int63 Seed",
    "Uint64",
    "ColorModel Bounds At",
    "Visit",
    "Public Sign",
    "IsZero",
    "MarshalLogObject",
    "MarshalLogArray",
    "BlockSize Encrypt Decrypt",
    "XORKeyStream",
    "LocalAddr RemoteAddr",
];

impl Rules for Go {
    fn keywords(&self) -> &'static str {
        "break case chan const continue default defer else fallthrough for func go goto if import interface map \
         package range return select struct switch type var"
    }

    fn knows_types(&self) -> bool {
        true
    }

    fn group(
        &self,
        facts: &Facts<'_>,
        symbol: &SymbolFacts,
        source: &str,
    ) -> Result<Vec<SymbolFacts>, RefactorError> {
        if let Some(directive) = directive(source, &symbol.name) {
            return Err(fixed(symbol, &format!("`{directive}` says it outside of the code")));
        }
        let mut group = same_address(facts, symbol)?;
        group.extend(facts.pieces(symbol.id)?);
        let is_entry = symbol.kind == SymbolKind::Function && symbol.parent.is_none();
        if is_entry && ["main", "init", "TestMain"].contains(&symbol.name.as_str()) {
            return Err(fixed(symbol, "a program starts there"));
        }
        if symbol.kind == SymbolKind::Method {
            group.extend(facts.linked_members(symbol.id)?);
            check_interfaces(facts, symbol, &group)?;
        }
        group.extend(embedded(facts, symbol)?);
        check_examples(facts, symbol)?;
        Ok(group)
    }

    fn can_mean(&self, site: &Site<'_>, symbol: &SymbolFacts) -> bool {
        match site.spelling.place {
            Place::Key => matches!(symbol.kind, SymbolKind::Field) || !site.is_member_kind(symbol),
            Place::Plain => !site.is_member_kind(symbol),
            _ => true,
        }
    }

    fn check_new_name(
        &self,
        symbol: &SymbolFacts,
        new_name: &str,
        files: &[&str],
    ) -> Result<(), RefactorError> {
        let is_exported = |name: &str| name.starts_with(char::is_uppercase);
        if is_exported(&symbol.name) == is_exported(new_name) {
            return Ok(());
        }
        let package = |path: &str| path.rsplit_once('/').map_or(String::new(), |(dir, _)| dir.to_owned());
        let own = package(&symbol.path);
        let users: Vec<String> =
            files.iter().filter(|file| package(file) != own).map(|file| (*file).to_owned()).collect();
        if is_exported(&symbol.name) && !users.is_empty() {
            let message = format!("other packages use `{}`, and `{new_name}` is not exported", symbol.name);
            return Err(Refusal::new("visibility", message)
                .places(users)
                .hint("a name that begins with a capital letter is exported")
                .into());
        }
        Ok(())
    }
}

/// The comment that names a symbol for the linker: `//go:linkname name …`, `//export name`.
fn directive<'s>(source: &'s str, name: &str) -> Option<&'s str> {
    let says = |line: &&str| {
        let rest = ["//go:linkname ", "//export "].iter().find_map(|word| line.strip_prefix(word));
        rest.is_some_and(|rest| rest.split_whitespace().next() == Some(name))
    };
    source.lines().find(says)
}

/// A type and the fields that embed it have one name: `struct { Base }` has a field `Base`, which literals and selectors
/// name. Asked for the one, the others come with it.
fn embedded(facts: &Facts<'_>, symbol: &SymbolFacts) -> Result<Vec<SymbolFacts>, RefactorError> {
    let types = if symbol.kind == SymbolKind::Field {
        let Some(owner) = symbol.parent else { return Ok(Vec::new()) };
        let relations = facts.relations_from(owner)?;
        let mut own = relations.into_iter().filter(|relation| {
            relation.file == symbol.path
                && symbol.span.0 <= relation.span.0
                && relation.span.1 <= symbol.span.1
        });
        let Some(relation) = own.next() else { return Ok(Vec::new()) };
        let embedded = relation.to.map(|to| facts.by_id(to)).transpose()?.flatten();
        let Some(embedded) = embedded else {
            return Err(fixed(symbol, "it embeds a type from outside of the repository"));
        };
        vec![embedded]
    } else if symbol.kind.is_type() {
        vec![symbol.clone()]
    } else {
        return Ok(Vec::new());
    };
    let fields = facts.named(&symbol.name)?;
    let mut found = Vec::new();
    for ty in types {
        for relation in facts.relations_to(ty.id)? {
            let is_embedding = |field: &&SymbolFacts| {
                field.kind == SymbolKind::Field && field.parent.is_some() && field.parent == relation.from
            };
            found.extend(fields.iter().filter(is_embedding).cloned());
        }
        found.push(ty);
    }
    Ok(found)
}

/// Refuses a method that an interface from outside may ask for, and one that an interface of the repository asks for
/// whose other methods are not all known.
fn check_interfaces(
    facts: &Facts<'_>,
    symbol: &SymbolFacts,
    group: &[SymbolFacts],
) -> Result<(), RefactorError> {
    let owner_path = |method: &SymbolFacts| {
        method.qualified.rsplit_once('.').map_or(String::new(), |(path, _)| path.to_owned())
    };
    let owners: BTreeSet<String> = group.iter().map(owner_path).collect();
    for owner in &owners {
        let asking = INTERFACES.iter().filter(|methods| super::lists(methods, &symbol.name));
        for methods in asking {
            let mut has_all = true;
            for method in methods.split_whitespace() {
                let named = facts.named(method)?;
                has_all &= named.iter().any(|other| owner_path(other) == *owner);
            }
            if has_all {
                return Err(fixed(symbol, "an interface of Go's library may ask for it"));
            }
        }
    }
    let is_exported = symbol.name.starts_with(char::is_uppercase);
    for other in facts.named(&symbol.name)? {
        let parent = other.parent.map(|id| facts.by_id(id)).transpose()?.flatten();
        let Some(interface) = parent.filter(|parent| parent.kind == SymbolKind::Interface) else { continue };
        let is_apart = other.lang == symbol.lang && !group.iter().any(|own| own.id == other.id);
        let has_unknown = facts.relations_from(interface.id)?.iter().any(|relation| relation.to.is_none());
        if is_apart && has_unknown {
            let message =
                format!("`{}` may satisfy an interface that holds one from outside", symbol.selector());
            return Err(Refusal::new("shape", message).places(vec![other.selector()]).into());
        }
    }
    for member in group.iter().filter(|_| is_exported) {
        let owner = owner_path(member);
        let types = facts.named(owner.rsplit('.').next().unwrap_or(&owner))?;
        for ty in types.iter().filter(|ty| ty.qualified == owner) {
            if let Some(foreign) = facts.relations_from(ty.id)?.iter().find(|relation| relation.to.is_none())
            {
                let why = format!("`{}`, which `{}` embeds, may have it too", foreign.to_name, ty.name);
                return Err(fixed(symbol, &why));
            }
        }
    }
    Ok(())
}

/// Refuses what an example is called after: `ExampleRoute_Match` shows `Route.Match`, and `go vet` checks that it is there.
fn check_examples(facts: &Facts<'_>, symbol: &SymbolFacts) -> Result<(), RefactorError> {
    let owner = symbol.local.rsplit_once('.').map(|(owner, _)| owner.rsplit('.').next().unwrap_or(owner));
    let shown = match owner {
        Some(owner) => format!("Example{owner}_{}", symbol.name),
        None => format!("Example{}", symbol.name),
    };
    let mut examples = facts.of_kind(SymbolKind::Function)?;
    examples.extend(facts.of_kind(SymbolKind::Test)?);
    let is_after =
        |name: &str| name.strip_prefix(&shown).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
    let after: Vec<String> = examples
        .iter()
        .filter(|example| example.path.ends_with("_test.go") && is_after(&example.name))
        .map(SymbolFacts::selector)
        .collect();
    if after.is_empty() {
        return Ok(());
    }
    let message =
        format!("examples are called after `{}`, and `go vet` looks for what they show", symbol.name);
    Err(Refusal::new("derived_name", message).places(after).hint("rename the examples first").into())
}
