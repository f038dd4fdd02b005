//! Which members a derived type may override.

use crate::{ExtractedFile, Lang, SymbolKind};

/// In C++ and C# only what is declared so can be overridden; members of an interface always can.
pub(crate) fn mark(file: &mut ExtractedFile) {
    if !matches!(file.lang, Lang::Cpp | Lang::CSharp) {
        return;
    }
    for index in 0..file.symbols.len() {
        let symbol = &file.symbols[index];
        let parent = symbol.parent.symbol().map(|parent| file.symbols[parent].kind);
        let signature = symbol.signature.as_deref().unwrap_or("");
        let says_so = signature
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .any(|word| matches!(word, "virtual" | "override" | "abstract"));
        file.symbols[index].is_virtual = says_so || parent == Some(SymbolKind::Interface);
    }
}
