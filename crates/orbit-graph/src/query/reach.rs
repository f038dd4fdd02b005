//! How a symbol can be written, and so which unexplained occurrences of its name could mean it.

use super::symbol::Symbol;
use crate::error::GraphError;
use crate::store::stored::Stored;
use crate::store::words::Sums;
use orbit_extract::{Family, RelationKind, SymbolKind};
use rusqlite::{Connection, params};

/// What a name is written for, seen from what was asked: which unresolved uses could mean it.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is one way to write a name")]
pub(super) struct Reach {
    /// A name on its own.
    pub(super) plain: bool,
    /// A member of something.
    pub(super) member: bool,
    /// The name of a field or parameter before its value.
    pub(super) key: bool,
    /// A part of a path that leads to something else.
    pub(super) path: bool,
    /// A member of a type from outside: the repository implements a trait for it.
    foreign: bool,
}

impl Reach {
    /// How any of these symbols can be written.
    pub(super) fn of(
        connection: &Connection,
        symbols: &[Symbol],
        family: Family,
    ) -> Result<Reach, GraphError> {
        let mut all = Reach::default();
        for symbol in symbols.iter().filter(|symbol| symbol.family() == family) {
            all = all.or(Reach::of_symbol(connection, symbol)?);
        }
        Ok(all)
    }

    /// How either of two can be written.
    pub(super) fn or(self, other: Reach) -> Reach {
        Reach {
            plain: self.plain || other.plain,
            member: self.member || other.member,
            key: self.key || other.key,
            path: self.path || other.path,
            foreign: self.foreign || other.foreign,
        }
    }

    /// How this symbol can be written.
    pub(super) fn of_symbol(connection: &Connection, symbol: &Symbol) -> Result<Reach, GraphError> {
        let (kind, family) = (symbol.address.kind, symbol.family());
        let is_member = symbol.address.local.contains(symbol.lang.separator())
            && matches!(
                kind,
                SymbolKind::Method
                    | SymbolKind::Constructor
                    | SymbolKind::Field
                    | SymbolKind::Property
                    | SymbolKind::Variant
                    | SymbolKind::Const
                    | SymbolKind::Static
                    | SymbolKind::Variable
            );
        // In these languages a member is named on its own inside its class and those that inherit from it; a variant of
        // an enum can be imported.
        let is_implicit = matches!(family, Family::Jvm | Family::CSharp | Family::Native | Family::Ruby)
            || kind == SymbolKind::Variant;
        let is_data = matches!(
            kind,
            SymbolKind::Field
                | SymbolKind::Property
                | SymbolKind::Variable
                | SymbolKind::Const
                | SymbolKind::Static
        );
        Ok(Reach {
            plain: !is_member || is_implicit,
            // A function of a Go package is named through the package, which is always known.
            member: is_member || family != Family::Go,
            key: is_member && (is_data || family == Family::Script),
            path: (kind.is_type() || matches!(kind, SymbolKind::Trait | SymbolKind::Macro))
                && !matches!(family, Family::Python | Family::Go | Family::Script),
            foreign: is_of_foreign_type(connection, symbol)?,
        })
    }

    /// How many occurrences could mean what was asked for.
    pub(super) fn uncertain(self, sums: &Sums) -> usize {
        let parts = [
            (self.plain, sums.open_plain),
            (self.member, sums.open_member),
            (self.key, sums.keys),
            (self.path, sums.path),
            (self.foreign, sums.external),
        ];
        let open: i32 = parts.into_iter().filter(|(is_meant, _)| *is_meant).map(|(_, count)| count).sum();
        usize::try_from(open + sums.unexplained()).unwrap_or(0)
    }
}

/// Whether a method of Rust stands in `impl Trait for Type` where the type comes from outside, or in a trait that has such an
/// implementation: what looks like a member of another package, `Cow::from(url)`, may be this one.
fn is_of_foreign_type(connection: &Connection, symbol: &Symbol) -> Result<bool, GraphError> {
    if symbol.family() != Family::Rust || symbol.address.kind != SymbolKind::Method {
        return Ok(false);
    }
    let (first, last) = symbol.file_rows();
    let mut statement = connection.prepare_cached(
        "SELECT 1 FROM relation_rows r JOIN symbol_rows s ON s.id = (SELECT parent FROM symbol_rows WHERE id = ?3)
         WHERE r.id BETWEEN ?1 AND ?2 AND r.kind = ?4 AND r.from_symbol IS NULL
           AND r.span_start BETWEEN s.span_start AND s.span_end
         UNION ALL
         SELECT 1 FROM relation_rows WHERE to_symbol = (SELECT parent FROM symbol_rows WHERE id = ?3)
           AND kind = ?4 AND from_symbol IS NULL LIMIT 1",
    )?;
    Ok(statement.exists(params![first, last, symbol.id, Stored(RelationKind::Impl)])?)
}
