//! Which symbols a name can mean in a place: by kind, and which of several rather.

use super::lookup::Want;
use super::surface::{Surface, SymFact};
use orbit_extract::{Family, Lang, ScopeId, SymbolKind};

/// Whether what stands inside a symbol are its members, which no plain name means: types, and the object
/// literals that script variables hold.
pub(super) fn holds_members(family: Family, kind: SymbolKind) -> bool {
    let is_object =
        matches!(kind, SymbolKind::Const | SymbolKind::Variable | SymbolKind::Property | SymbolKind::Field);
    kind.is_type() || kind == SymbolKind::Impl || family == Family::Script && is_object
}

/// A name declared right in a scope, of a kind that suits.
pub(super) fn declared(at: &Surface, scope: ScopeId, name: u64, want: Want) -> Option<usize> {
    let first = at.declared(scope, name)? as usize;
    // Members of objects stand in the scope of what holds them, and are named through it alone.
    let is_member = |kind| {
        let is_member = matches!(kind, SymbolKind::Method | SymbolKind::Property | SymbolKind::Field);
        matches!(at.family(), Family::Script | Family::Go) && is_member
    };
    let suits = |family, kind, want| !is_member(kind) && suits(family, kind, want);
    let is_suited = suits(at.family(), at.symbols[first].kind, want);
    let is_best = |symbol: &SymFact| match at.family() {
        Family::Native => rank(at, symbol, want) >= 3,
        family => fits(family, symbol, want),
    };
    if is_suited && is_best(&at.symbols[first]) {
        return Some(first);
    }
    let others = (first + 1..at.symbols.len()).filter(|index| {
        let symbol = &at.symbols[*index];
        symbol.parent == scope && symbol.name == name && suits(at.family(), symbol.kind, want)
    });
    let mut found = is_suited.then_some(first);
    for index in others {
        let better = rank(at, &at.symbols[index], want);
        if found.is_none_or(|found| rank(at, &at.symbols[found], want) < better) {
            found = Some(index);
        }
    }
    found
}

/// Whether a symbol is the better choice among others of its name: TypeScript keeps types and values apart,
/// Java fields and methods, and conditional compilation leaves one of several definitions.
pub(super) fn fits(family: Family, symbol: &SymFact, want: Want) -> bool {
    let is_type_only = matches!(symbol.kind, SymbolKind::Interface | SymbolKind::TypeAlias);
    match (family, want) {
        (Family::Script, Want::Type) => {
            is_type_only || matches!(symbol.kind, SymbolKind::Class | SymbolKind::Enum)
        }
        // A namespace adds members to the function, class or enum of its name.
        (Family::Script, Want::Callable | Want::Any) => !is_type_only && symbol.kind != SymbolKind::Module,
        (Family::Script, _) => !is_type_only,
        // A field and a method may share a name; what is called is the method. Nobody calls an enum to make one.
        (Family::Jvm, Want::Callable) => {
            symbol.kind.is_callable() || symbol.kind.is_type() && symbol.kind != SymbolKind::Enum
        }
        (Family::Rust, Want::Any) => symbol.kind != SymbolKind::Module && !symbol.inactive,
        (Family::Jvm, Want::Any | Want::Prefix) => !symbol.kind.is_callable(),
        _ => !symbol.inactive,
    }
}

/// How good a choice a symbol is among others of its name. In C++ a class template comes before its
/// specialisations, and where it is defined before where it is declared.
pub(super) fn rank(at: &Surface, symbol: &SymFact, want: Want) -> u8 {
    let family = at.family();
    if family != Family::Native {
        return u8::from(fits(family, symbol, want));
    }
    // C keeps `struct X` apart from the type that `typedef struct X X;` names.
    if at.lang == Lang::C && symbol.kind == SymbolKind::TypeAlias && !symbol.inactive {
        return if want == Want::Scope { 1 } else { 4 };
    }
    let is_record = symbol.kind.is_type();
    match () {
        () if symbol.inactive => 0,
        () if is_record && symbol.params.is_some() => 1,
        () if is_record && symbol.bodiless => 2,
        () => 3,
    }
}

/// Whether a symbol of this kind can be what is looked for.
pub(super) fn suits(family: Family, kind: SymbolKind, want: Want) -> bool {
    if matches!(kind, SymbolKind::Impl | SymbolKind::Heading | SymbolKind::Route) {
        return false;
    }
    // A test of a script, or of RSpec, is named by its title, which nothing refers to.
    if kind == SymbolKind::Test && matches!(family, Family::Script | Family::Ruby) {
        return false;
    }
    let names_no_value = matches!(kind, SymbolKind::Interface | SymbolKind::TypeAlias);
    match want {
        Want::Macro => kind == SymbolKind::Macro,
        // What only exists as a type is not a value of TypeScript.
        Want::Any | Want::Callable | Want::Prefix if family == Family::Script && names_no_value => false,
        // Rust keeps fields and methods apart: `x.start()` is never the field `start`.
        Want::Callable if family == Family::Rust => {
            !matches!(kind, SymbolKind::Macro | SymbolKind::Field | SymbolKind::Module) && !is_type_only(kind)
        }
        Want::Prefix if family == Family::Rust => kind != SymbolKind::Macro && !kind.is_callable(),
        // A class's name that is not called is the class, inside of it too.
        Want::Any | Want::Prefix if kind == SymbolKind::Constructor && family == Family::Jvm => false,
        // Before `::` stands a namespace or a type.
        Want::Scope => kind.is_type() || kind == SymbolKind::Module,
        // In C++ it is the class where it is called, too.
        Want::Any | Want::Callable | Want::Prefix
            if kind == SymbolKind::Constructor && family == Family::Native =>
        {
            false
        }
        Want::Any | Want::Callable | Want::Prefix => kind != SymbolKind::Macro || family == Family::Native,
        Want::Type => match family {
            Family::Rust | Family::Jvm | Family::CSharp | Family::Go => {
                kind.is_type() || matches!(kind, SymbolKind::Module | SymbolKind::Variant)
            }
            // Inside a class its name is the class, not the constructor.
            Family::Native => !kind.is_callable(),
            _ => true,
        },
    }
}

/// Whether a name of Rust is in the namespace of types alone: `Err(x)` never makes a value of an own enum `Err`.
fn is_type_only(kind: SymbolKind) -> bool {
    matches!(kind, SymbolKind::Enum | SymbolKind::Trait)
}
