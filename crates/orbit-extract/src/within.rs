//! Which symbol a reference stands in, where that is not the one whose names it sees: a decorator stands in what it decorates, an
//! initialiser in its variable.

use crate::{ExprId, ExtractedFile, Lang, NameId, RawRef, RawSymbol, RefKind, ScopeId, Span, SymbolKind};

impl RawRef {
    /// A use without arguments that stands in the scope whose names it sees.
    pub(crate) fn new(
        span: Span,
        line: u32,
        name: NameId,
        kind: RefKind,
        base: Option<ExprId>,
        scope: ScopeId,
    ) -> RawRef {
        RawRef { span, line, name, kind, base, args: None, scope, within: scope, defines: false }
    }
}

/// Puts the references that a symbol's text holds, and that see what is round the symbol, into that symbol.
pub(crate) fn place(file: &mut ExtractedFile) {
    let mut holders: Vec<(ScopeId, Span, ScopeId)> = Vec::new();
    for (index, symbol) in file.symbols.iter().enumerate().filter(|(_, symbol)| is_holder(file, symbol)) {
        holders.push((symbol.parent, symbol.span, ScopeId::of_symbol(index)));
    }
    holders.sort_by_key(|(parent, span, _)| (*parent, span.start, span.end));
    for row in &mut file.refs {
        row.within = row.scope;
        let before =
            holders.partition_point(|(parent, span, _)| (*parent, span.start) <= (row.scope, row.span.start));
        let Some((parent, span, holder)) = before.checked_sub(1).map(|at| holders[at]) else { continue };
        if parent == row.scope && row.span.end <= span.end {
            row.within = holder;
        }
    }
}

/// Functions and types, and variables that do not belong to a type: what initialises a field runs with the constructor. In
/// Python it runs with the class, and a property is a decorated function.
fn is_holder(file: &ExtractedFile, symbol: &RawSymbol) -> bool {
    let is_value = matches!(
        symbol.kind,
        SymbolKind::Variable
            | SymbolKind::Const
            | SymbolKind::Static
            | SymbolKind::Property
            | SymbolKind::Field
    );
    let is_in_type =
        || symbol.parent.symbol().is_some_and(|parent| file.symbols[parent].kind != SymbolKind::Module);
    symbol.kind.is_callable()
        || symbol.kind.is_type()
        || is_value && (file.lang == Lang::Python || !is_in_type())
}
