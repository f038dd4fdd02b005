//! A symbol as answers show it.

pub(crate) use crate::store::symbols::{Cache, Symbol, select, select_in_file, select_named};

use orbit_extract::SymbolKind;

/// Whether a symbol is a test or lives among tests.
pub(crate) fn is_test(path: &str, kind: SymbolKind) -> bool {
    if kind == SymbolKind::Test {
        return true;
    }
    let (dirs, file) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file.split('.').next().unwrap_or(file);
    dirs.split('/')
        .any(|dir| matches!(dir, "test" | "tests" | "__tests__" | "spec" | "testdata" | "playground"))
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("Test")
        || stem.ends_with("Tests")
        || file.contains(".test.")
        || file.contains(".spec.")
}
